/* graph_read.c: a graph's nodes and edges from text, and the order that the edges allow. */
#include "graph.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes or edges that are read, bytes of a line, graphs inside of a node, and of each other. */
enum { MOST = 4 << 20, LINE = 256, MOST_INSIDE = 4096, DEEPEST = 64 };

static char reason[160];

/* What is being read. */
struct text {
    FILE *from;
    size_t line; /* that was read last */
    size_t left; /* nodes that may still come */
};

static int refuse(const char **why, size_t line, const char *what)
{
    snprintf(reason, sizeof reason, "line %zu %s", line, what);
    *why = reason;
    return -1;
}

/* One line without its end; false where there is none, or a longer one. */
static bool next_line(struct text *t, char line[LINE])
{
    t->line++;
    if (!fgets(line, LINE, t->from))
        return false;
    size_t n = 0;
    while (line[n] && line[n] != '\n')
        n++;
    bool whole = line[n] == '\n';
    line[n] = 0;
    return whole;
}

/* Letters of all languages: C and C++ allow them. */
static bool is_identifier(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_$", *c) && (unsigned char)*c < 0x80)
            return false;
    return *name && !isdigit((unsigned char)*name);
}

static bool is_name(const char *name)
{
    return strcmp(name, "-") == 0 || is_identifier(name);
}

static bool read_node(const char *line, struct dag_node *n)
{
    int pageable, end = 0;
    *n = (struct dag_node){.batch = -1, .start_us = NAN, .end_us = NAN};
    int got =
        sscanf(line, "%15[^,],%63[^,],%" SCNu64 ",%ld,%23[^,],%ld,%d%n,%zu%n", n->kind, n->name,
               &n->bytes, &n->value, n->buffer, &n->offset, &pageable, &end, &n->n_inside, &end);
    n->pageable = got >= 7 && pageable;
    return got >= 7 && line[end] == 0 && n->offset >= 0 && n->n_inside <= MOST_INSIDE &&
           is_identifier(n->kind) && is_name(n->name) && is_name(n->buffer);
}

struct edge {
    size_t from, to;
};

static bool read_edge(const char *line, size_t n_nodes, struct edge *e)
{
    int end = 0;
    return sscanf(line, "%zu,%zu%n", &e->from, &e->to, &end) == 2 && line[end] == 0 &&
           e->from < n_nodes && e->to < n_nodes;
}

static int read_lines(struct dag *g, struct text *t, struct edge *edges, const char **why)
{
    char line[LINE];
    for (size_t i = 0; i < g->n_nodes; i++)
        if (!next_line(t, line) || !read_node(line, &g->nodes[i]))
            return refuse(why, t->line, "is not a node");
    for (size_t i = 0; i < g->n_edges; i++)
        if (!next_line(t, line) || !read_edge(line, g->n_nodes, &edges[i]))
            return refuse(why, t->line, "is not an edge");
    return 0;
}

/* Sorts the edges by where they come from, as first_out, n_out and out. */
static void link_nodes(struct dag *g, const struct edge *edges)
{
    for (size_t i = 0; i < g->n_edges; i++) {
        g->nodes[edges[i].from].n_out++;
        g->nodes[edges[i].to].n_in++;
    }
    size_t first = 0;
    for (size_t i = 0; i < g->n_nodes; i++) {
        g->nodes[i].first_out = first;
        first += g->nodes[i].n_out;
        g->nodes[i].n_out = 0;
    }
    for (size_t i = 0; i < g->n_edges; i++) {
        struct dag_node *from = &g->nodes[edges[i].from];
        g->out[from->first_out + from->n_out++] = edges[i].to;
    }
}

/* Kahn's algorithm: a node is next once all that it waits for have been taken. */
static int order_nodes(struct dag *g)
{
    size_t *left = malloc((g->n_nodes + 1) * sizeof *left);
    if (!left)
        return -1;
    for (size_t i = 0; i < g->n_nodes; i++) {
        left[i] = g->nodes[i].n_in;
        if (left[i] == 0)
            g->order[g->n_ordered++] = i;
    }
    for (size_t taken = 0; taken < g->n_ordered; taken++) {
        const struct dag_node *n = &g->nodes[g->order[taken]];
        for (size_t e = 0; e < n->n_out; e++)
            if (--left[g->out[n->first_out + e]] == 0)
                g->order[g->n_ordered++] = g->out[n->first_out + e];
    }
    free(left);
    return 0;
}

static bool read_counts(struct text *t, struct dag *g)
{
    char line[LINE];
    int end = 0;
    size_t n_nodes, n_edges;
    if (!next_line(t, line) ||
        sscanf(line, "nodes %zu edges %zu%n", &n_nodes, &n_edges, &end) != 2 || line[end] != 0 ||
        n_nodes > t->left || n_edges > MOST)
        return false;
    t->left -= n_nodes;
    g->n_nodes = n_nodes;
    g->n_edges = n_edges;
    return true;
}

static int read_graph(struct dag *g, struct text *t, int depth, const char **why);

/* The graphs inside of nodes. */
static int read_inside(struct dag *g, struct text *t, int depth, const char **why)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        struct dag_node *n = &g->nodes[i];
        if (n->n_inside == 0)
            continue;
        n->inside = calloc(n->n_inside, sizeof *n->inside);
        if (!n->inside || depth == DEEPEST)
            return refuse(why, t->line,
                          n->inside ? "ends a graph in too many others"
                                    : "names more than memory holds");
        for (size_t k = 0; k < n->n_inside; k++)
            if (read_graph(&n->inside[k], t, depth + 1, why) != 0)
                return -1;
    }
    return 0;
}

/* A graph that could not be read whole is left as it is, for dag_free. */
static int read_graph(struct dag *g, struct text *t, int depth, const char **why)
{
    if (!read_counts(t, g))
        return refuse(why, t->line,
                      "does not say how many nodes and edges there are, or names too many");
    struct edge *edges = calloc(g->n_edges + 1, sizeof *edges);
    g->nodes = calloc(g->n_nodes + 1, sizeof *g->nodes);
    g->out = calloc(g->n_edges + 1, sizeof *g->out);
    g->order = calloc(g->n_nodes + 1, sizeof *g->order);
    bool room = edges && g->nodes && g->out && g->order;
    int failed =
        room ? read_lines(g, t, edges, why) : refuse(why, t->line, "names more than memory holds");
    if (!failed) {
        link_nodes(g, edges);
        failed = order_nodes(g) ? refuse(why, t->line, "names more than memory holds") : 0;
    }
    free(edges);
    return failed ? failed : read_inside(g, t, depth, why);
}

int dag_read(struct dag *out, FILE *from, const char **why)
{
    struct text t = {.from = from, .left = MOST};
    struct dag g = {0};
    int failed = read_graph(&g, &t, 0, why);
    if (!failed && fgetc(from) != EOF)
        failed = refuse(why, t.line + 1, "comes after the last edge");
    if (failed)
        dag_free(&g);
    *out = g;
    return failed;
}

void dag_free(struct dag *g)
{
    for (size_t i = 0; g->nodes && i < g->n_nodes; i++) {
        for (size_t k = 0; g->nodes[i].inside && k < g->nodes[i].n_inside; k++)
            dag_free(&g->nodes[i].inside[k]);
        free(g->nodes[i].inside);
    }
    free(g->nodes);
    free(g->out);
    free(g->order);
    *g = (struct dag){0};
}

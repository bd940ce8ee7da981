/* graph_read.c: a graph's nodes and edges from text, and the order that the edges allow. */
#include "graph_query.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 4 << 20, LINE = 256 }; /* nodes or edges that are read; bytes of a line */

static char reason[160];

static int refuse(const char **why, size_t line, const char *what)
{
    snprintf(reason, sizeof reason, "line %zu %s", line, what);
    *why = reason;
    return -1;
}

/* One line without its end; false where there is none, or a longer one. */
static bool next_line(FILE *from, char line[LINE])
{
    if (!fgets(line, LINE, from))
        return false;
    size_t n = 0;
    while (line[n] && line[n] != '\n')
        n++;
    bool whole = line[n] == '\n';
    line[n] = 0;
    return whole;
}

static bool read_node(const char *line, struct dag_node *n)
{
    int pageable, end = 0;
    *n = (struct dag_node){.batch = -1, .start_us = NAN, .end_us = NAN};
    int got = sscanf(line, "%15[^,],%63[^,],%" SCNu64 ",%ld,%23[^,],%ld,%d%n", n->kind, n->name,
                     &n->bytes, &n->value, n->buffer, &n->offset, &pageable, &end);
    n->pageable = got == 7 && pageable;
    return got == 7 && line[end] == 0 && n->offset >= 0;
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

static int read_lines(struct dag *g, FILE *from, struct edge *edges, const char **why)
{
    char line[LINE];
    for (size_t i = 0; i < g->n_nodes; i++)
        if (!next_line(from, line) || !read_node(line, &g->nodes[i]))
            return refuse(why, i + 2, "is not a node");
    for (size_t i = 0; i < g->n_edges; i++)
        if (!next_line(from, line) || !read_edge(line, g->n_nodes, &edges[i]))
            return refuse(why, g->n_nodes + i + 2, "is not an edge");
    if (fgetc(from) != EOF)
        return refuse(why, g->n_nodes + g->n_edges + 2, "comes after the last edge");
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

static bool read_counts(FILE *from, struct dag *g)
{
    char line[LINE];
    int end = 0;
    return next_line(from, line) &&
           sscanf(line, "nodes %zu edges %zu%n", &g->n_nodes, &g->n_edges, &end) == 2 &&
           line[end] == 0 && g->n_nodes <= MOST && g->n_edges <= MOST;
}

int dag_read(struct dag *out, FILE *from, const char **why)
{
    struct dag g = {0};
    *out = g;
    if (!read_counts(from, &g))
        return refuse(why, 1, "does not say how many nodes and edges there are, or names too many");
    struct edge *edges = calloc(g.n_edges + 1, sizeof *edges);
    g.nodes = calloc(g.n_nodes + 1, sizeof *g.nodes);
    g.out = calloc(g.n_edges + 1, sizeof *g.out);
    g.order = calloc(g.n_nodes + 1, sizeof *g.order);
    int failed = edges && g.nodes && g.out && g.order
                     ? read_lines(&g, from, edges, why)
                     : refuse(why, 1, "names more than memory holds");
    if (!failed) {
        link_nodes(&g, edges);
        failed = order_nodes(&g) ? refuse(why, 1, "names more than memory holds") : 0;
    }
    free(edges);
    if (failed)
        dag_free(&g);
    *out = g;
    return failed;
}

void dag_free(struct dag *g)
{
    free(g->nodes);
    free(g->out);
    free(g->order);
    *g = (struct dag){0};
}

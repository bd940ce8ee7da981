/* graph_dot.c: a graph in graphviz's language. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/plain_text.h"
#include "common/timeline.h"
#include "graph.h"

/* How the nodes of a kind look: in the color of their engine in timelines. */
static const struct look {
    const char *kind, *words, *engine; /* "": none, white */
} looks[] = {{"h2d", "H2D", "h2d"},
             {"d2h", "D2H", "d2h"},
             {"kernel", "", "sm"},
             {"d2d", "D2D", "d2d"},
             {"p2p", "P2P", "p2p"},
             {"h2h", "host copy", "host"},
             {"memset", "memset", "d2d"},
             {"copy", "copy", "d2d"},
             {"host", "host function", "host"},
             {"alloc", "alloc", "api"},
             {"free", "free", "api"},
             {"record", "event record", ""},
             {"wait", "event wait", ""},
             {"child", "child graph", ""},
             {"if", "IF", ""},
             {"while", "WHILE", ""},
             {"switch", "SWITCH", ""},
             {"empty", "empty", ""},
             {"conditional", "conditional", ""}};

static const struct look *look_of(const struct dag_node *n)
{
    static const struct look other = {"", "other", ""};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
        if (dag_is(n, looks[i].kind, NULL))
            return &looks[i];
    return &other;
}

static unsigned fill_of(const struct look *look)
{
    struct trace_row row = {.name = ""};
    snprintf(row.engine, sizeof row.engine, "%s", look->engine);
    return *look->engine ? timeline_color(&row, true) : 0xffffff;
}

static void put_bytes(FILE *to, uint64_t bytes)
{
    if (bytes >= 1 << 20)
        fprintf(to, "\\n%.4g MiB", (double)bytes / (1 << 20));
    else if (bytes >= 1 << 10)
        fprintf(to, "\\n%.4g KiB", (double)bytes / (1 << 10));
    else
        fprintf(to, "\\n%u byte%s", (unsigned)bytes, bytes == 1 ? "" : "s");
}

/* Nodes are called by the number of their graph, in the order in which graphs are written. */
struct names {
    FILE *to;
    size_t n_graphs;
    const struct dag_difference *difference; /* of graph number 0 */
};

static void put_node(FILE *to, size_t graph, size_t i, const struct dag_node *n, bool thick,
                     const char *shown)
{
    const struct look *look = look_of(n);
    fprintf(to, "    n%zu_%zu [fillcolor=\"#%06x\"%s label=\"", graph, i, fill_of(look),
            thick ? " penwidth=2.5" : "");
    if (shown)
        plain_write(to, PLAIN_DOT, shown, strlen(shown));
    else
        plain_write(to, PLAIN_DOT, *look->words ? look->words : n->name, sizeof n->name);
    if (shown) {
        /* the drawing's name says it all */
    } else if (n->batch >= 0) {
        fprintf(to, " %d", n->batch);
    } else if (strcmp(n->buffer, "-") != 0) {
        putc(' ', to);
        plain_write(to, PLAIN_DOT, n->buffer, sizeof n->buffer);
    }
    if (!shown && dag_is(n, "memset", NULL))
        fprintf(to, " to %ld", n->value);
    if (n->bytes)
        put_bytes(to, n->bytes);
    if (n->pageable)
        fputs("\\npageable", to);
    if (!isnan(n->start_us))
        fprintf(to, "\\n%.1f us", n->end_us - n->start_us);
    fputs("\"];\n", to);
}

/* The node after each on the longest path; n_nodes for all others. */
static size_t *follow_path(const struct dag *g)
{
    size_t *path = calloc(2 * g->n_nodes + 1, sizeof *path), *next_on_path = path + g->n_nodes;
    if (!path)
        return NULL;
    size_t n = dag_path_nodes(g, path);
    for (size_t i = 0; i < g->n_nodes; i++)
        next_on_path[i] = g->n_nodes;
    for (size_t i = 0; i < n; i++)
        next_on_path[path[i]] = i + 1 < n ? path[i + 1] : path[i];
    memmove(path, next_on_path, g->n_nodes * sizeof *path);
    return path;
}

/* When the device runs it. */
static void put_when(FILE *to, const struct dag_node *n, size_t inside)
{
    if (dag_is(n, "switch", NULL))
        fprintf(to, "if the value is %zu", inside);
    else if (dag_is(n, "if", NULL))
        fputs(inside == 0 ? "if the value is not 0" : "else", to);
    else if (dag_is(n, "while", NULL))
        fputs("as long as the value is not 0", to);
    else
        fputs("child graph", to);
}

static void put_nodes(struct names *names, const struct dag *g);

/* A graph inside of node i of graph number `graph`, in a frame. */
static void put_inside(struct names *names, size_t graph, size_t i, const struct dag_node *n,
                       size_t k)
{
    FILE *to = names->to;
    const struct dag *inside = &n->inside[k];
    const size_t number = names->n_graphs;
    fprintf(to, "    subgraph cluster_%zu {\n    style=rounded; fontsize=11; label=\"", number);
    put_when(to, n, k);
    fputs("\";\n", to);
    put_nodes(names, inside);
    if (inside->n_nodes == 0)
        fprintf(to, "    n%zu_0 [shape=plaintext style=\"\" label=\"nothing\"];\n", number);
    fprintf(to,
            "    }\n    n%zu_%zu -> n%zu_%zu [style=dashed arrowhead=none lhead=cluster_%zu];\n",
            graph, i, number, inside->n_ordered ? inside->order[0] : 0, number);
}

static bool is_extra(const struct dag_difference *d, size_t from, size_t to)
{
    for (size_t i = 0; d && i < d->n_extra; i++)
        if (d->extra[i].from == from && d->extra[i].to == to)
            return true;
    return false;
}

static void put_missing(FILE *to, const struct dag_difference *d)
{
    for (size_t i = 0; d && i < d->n_missing; i++)
        fprintf(to, "    n0_%zu -> n0_%zu [style=dashed color=\"#c00000\" penwidth=1.5];\n",
                d->missing[i].from, d->missing[i].to);
}

/* Its nodes and edges, and what is inside of the nodes. */
static void put_nodes(struct names *names, const struct dag *g)
{
    FILE *to = names->to;
    const size_t graph = names->n_graphs++;
    const struct dag_difference *d = graph == 0 ? names->difference : NULL;
    size_t *next_on_path = follow_path(g);
    for (size_t i = 0; i < g->n_nodes; i++)
        put_node(to, graph, i, &g->nodes[i], next_on_path && next_on_path[i] < g->n_nodes,
                 d && d->shown ? d->shown[i] : NULL);
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t e = 0; e < g->nodes[i].n_out; e++) {
            size_t next = g->out[g->nodes[i].first_out + e];
            fprintf(to, "    n%zu_%zu -> n%zu_%zu [%s%s];\n", graph, i, graph, next,
                    next_on_path && next_on_path[i] == next ? "penwidth=2.5 " : "",
                    is_extra(d, i, next) ? "style=dotted" : "");
        }
    put_missing(to, d);
    free(next_on_path);
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->nodes[i].n_inside; k++)
            put_inside(names, graph, i, &g->nodes[i], k);
}

void dag_write_dot(const struct dag *g, FILE *to, const char *title,
                   const struct dag_difference *difference)
{
    enum { MOST_ACROSS = 20 }; /* longer paths run down the page */
    struct names names = {to, 0, difference};
    fprintf(to,
            "digraph graph_of_a_submission {\n"
            "    rankdir=%s; ranksep=0.3; nodesep=0.15; labelloc=t; labeljust=l; compound=true;\n"
            "    fontname=\"Helvetica\"; fontsize=13; label=\"",
            dag_path(g) > MOST_ACROSS ? "TB" : "LR");
    plain_write(to, PLAIN_DOT, title, strlen(title));
    if (difference && difference->n_missing)
        fputs("\\ndashed red: an edge that is missing", to);
    if (difference && difference->n_extra)
        fputs("\\ndotted: an edge too many", to);
    fputs("\";\n    node [shape=box style=\"filled,rounded\" fontname=\"Helvetica\" fontsize=10 "
          "margin=\"0.1,0.05\"];\n"
          "    edge [arrowsize=0.6];\n",
          to);
    put_nodes(&names, g);
    fputs("}\n", to);
}

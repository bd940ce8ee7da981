/* graph_dot.c: a graph in graphviz's language. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph_query.h"

/* How the nodes of one engine look. */
static const struct look {
    const char *kind, *words, *fill;
} looks[] = {{"h2d", "H2D", "#9ecae1"},          {"d2h", "D2H", "#fdae6b"},
             {"kernel", "", "#a1d99b"},          {"d2d", "D2D", "#d9d9d9"},
             {"h2h", "host copy", "#bcbddc"},    {"memset", "memset", "#d9d9d9"},
             {"copy", "copy", "#d9d9d9"},        {"host", "host function", "#bcbddc"},
             {"alloc", "alloc", "#fff7bc"},      {"free", "free", "#fff7bc"},
             {"record", "event record", "#fff"}, {"wait", "event wait", "#fff"},
             {"child", "child graph", "#fff"},   {"conditional", "conditional", "#fff"},
             {"empty", "empty", "#fff"}};

static const struct look *look_of(const struct dag_node *n)
{
    static const struct look other = {"", "other", "#fff"};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
        if (dag_is(n, looks[i].kind, NULL))
            return &looks[i];
    return &other;
}

/* Text of others inside a string of graphviz's. */
static void put_quoted(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', to);
        putc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, to);
    }
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

static void put_node(FILE *to, size_t i, const struct dag_node *n, bool thick)
{
    const struct look *look = look_of(n);
    fprintf(to, "    n%zu [fillcolor=\"%s\"%s label=\"", i, look->fill,
            thick ? " penwidth=2.5" : "");
    put_quoted(to, *look->words ? look->words : n->name);
    if (n->batch >= 0)
        fprintf(to, " %d", n->batch);
    else if (strcmp(n->buffer, "-") != 0)
        fprintf(to, " %s", n->buffer);
    if (dag_is(n, "memset", NULL))
        fprintf(to, " to %ld", n->value);
    if (n->bytes)
        put_bytes(to, n->bytes);
    if (n->pageable)
        fputs("\\npageable", to);
    if (!isnan(n->start_us))
        fprintf(to, "\\n%.1f us", n->end_us - n->start_us);
    fputs("\"];\n", to);
}

/* The node behind each on the longest path; n_nodes for all others. */
static size_t *follow_path(const struct dag *g)
{
    size_t *path = calloc(2 * g->n_nodes + 1, sizeof *path), *behind = path + g->n_nodes;
    if (!path)
        return NULL;
    size_t n = dag_path_nodes(g, path);
    for (size_t i = 0; i < g->n_nodes; i++)
        behind[i] = g->n_nodes;
    for (size_t i = 0; i < n; i++)
        behind[path[i]] = i + 1 < n ? path[i + 1] : path[i];
    memmove(path, behind, g->n_nodes * sizeof *path);
    return path;
}

void dag_write_dot(const struct dag *g, FILE *to, const char *title)
{
    enum { MOST_ACROSS = 20 }; /* longer paths run down the page */
    fprintf(to,
            "digraph graph_of_a_submission {\n"
            "    rankdir=%s; ranksep=0.3; nodesep=0.15; labelloc=t;\n"
            "    fontname=\"Helvetica\"; fontsize=13; label=\"",
            dag_path(g) > MOST_ACROSS ? "TB" : "LR");
    put_quoted(to, title);
    fputs("\";\n    node [shape=box style=\"filled,rounded\" fontname=\"Helvetica\" fontsize=10 "
          "margin=\"0.1,0.05\"];\n"
          "    edge [arrowsize=0.6];\n",
          to);
    size_t *behind = follow_path(g);
    for (size_t i = 0; i < g->n_nodes; i++)
        put_node(to, i, &g->nodes[i], behind && behind[i] < g->n_nodes);
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t e = 0; e < g->nodes[i].n_out; e++) {
            size_t next = g->out[g->nodes[i].first_out + e];
            fprintf(to, "    n%zu -> n%zu%s;\n", i, next,
                    behind && behind[i] == next ? " [penwidth=2.5]" : "");
        }
    free(behind);
    fputs("}\n", to);
}

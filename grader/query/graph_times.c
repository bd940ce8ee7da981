/* graph_times.c: when each node ran, from a trace; and which batch it is about, from the buffers
 * that copies name. */
#include "graph.h"

#include <math.h>
#include <string.h>

enum { MOST = 4096 }; /* nodes: the searches below are plain ones */

/* ---- times ----------------------------------------------------------------------------------- */

/* Is this row of a graph such a node at work? */
static bool is_row_of(const struct trace_row *row, const struct dag_node *node)
{
    if (row->node < 0)
        return false;
    if (dag_is(node, "kernel", NULL))
        return strcmp(row->engine, "sm") == 0 && strcmp(row->name, node->name) == 0;
    if (dag_is(node, "memset", NULL))
        return strcmp(row->name, "memset") == 0;
    if (dag_is(node, "host", NULL))
        return strcmp(row->engine, "host") == 0;
    return strcmp(row->engine, node->kind) == 0 && strncmp(row->name, "memcpy", 6) == 0;
}

/* The row of that kind with the next node number after `last`; NULL: none, or more than one. */
static const struct trace_row *next_row(const struct trace *t, const struct dag_node *node,
                                        int64_t last)
{
    const struct trace_row *next = NULL;
    bool twice = false;
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct trace_row *r = &t->rows[i];
        if (!is_row_of(r, node) || r->node <= last)
            continue;
        if (!next || r->node < next->node) {
            next = r;
            twice = false;
        } else {
            twice = twice || r->node == next->node;
        }
    }
    return twice ? NULL : next;
}

/* All nodes of one kind, beginning with the first of them. */
static bool take_kind(struct dag *g, const struct trace *t, size_t first)
{
    const struct dag_node *kind = &g->nodes[first];
    int64_t last = -1;
    for (size_t i = first; i < g->n_nodes; i++) {
        if (!dag_is(&g->nodes[i], kind->kind, kind->name))
            continue;
        const struct trace_row *row = next_row(t, kind, last);
        if (!row)
            return false;
        g->nodes[i].start_us = row->start_us;
        g->nodes[i].end_us = row->end_us;
        last = row->node;
    }
    return next_row(t, kind, last) == NULL;
}

static bool times_fit_edges(const struct dag *g)
{
    const double slack_us = 1; /* timestamps are rounded */
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t e = 0; e < g->nodes[i].n_out; e++) {
            const struct dag_node *to = &g->nodes[g->out[g->nodes[i].first_out + e]];
            if (to->start_us + slack_us < g->nodes[i].end_us)
                return false;
        }
    return true;
}

bool dag_take_times(struct dag *g, const struct trace *t)
{
    bool fit = g->n_nodes <= MOST;
    for (size_t i = 0; i < g->n_nodes && fit; i++)
        if (dag_takes_time(&g->nodes[i]) && isnan(g->nodes[i].start_us))
            fit = take_kind(g, t, i);
    fit = fit && times_fit_edges(g);
    for (size_t i = 0; i < g->n_nodes && !fit; i++)
        g->nodes[i].start_us = g->nodes[i].end_us = NAN;
    return fit;
}

/* ---- batches --------------------------------------------------------------------------------- */

/* Kernels are about what is copied in for them; or, more surely, what is copied back after them.
 */
static void take_from_copies(struct dag *g, const char *copies)
{
    bool in = strcmp(copies, "h2d") == 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t e = 0; e < g->nodes[i].n_out; e++) {
            struct dag_node *from = &g->nodes[i], *to = &g->nodes[g->out[from->first_out + e]];
            struct dag_node *copy = in ? from : to, *kernel = in ? to : from;
            if (dag_is(copy, copies, NULL) && dag_is(kernel, "kernel", NULL) && copy->batch >= 0)
                kernel->batch = copy->batch;
        }
}

void dag_take_batches(struct dag *g, size_t floats, size_t n_batches)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        if (strcmp(g->nodes[i].buffer, "-") != 0)
            g->nodes[i].batch = (int)((size_t)g->nodes[i].offset / floats % n_batches);
    take_from_copies(g, "h2d");
    take_from_copies(g, "d2h");
}

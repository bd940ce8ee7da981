/* graphs.c: what is wrong with a graph of lab 12, see expected.h. */
#include "expected.h"

#include <string.h>

#include "judge/judge.h"

/* ---- copies ---------------------------------------------------------------------------------- */

/* A copy from the buffer x, or to y. */
static bool is_copy(const struct dag_node *node, const char *buffer)
{
    return strcmp(node->buffer, buffer) == 0 && dag_is(node, *buffer == 'x' ? "h2d" : "d2h", NULL);
}

/* The copy that has this float of the buffer; NULL: none has. */
static const struct dag_node *copy_of(const struct dag *g, const char *buffer, size_t at)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *node = &g->nodes[i];
        const size_t first = (size_t)node->offset;
        if (is_copy(node, buffer) && first <= at && at < first + node->bytes / sizeof(float))
            return node;
    }
    return NULL;
}

/* Does each float of the buffer have a copy? */
static bool is_whole(const struct dag *g, const char *buffer, size_t floats)
{
    size_t at = 0;
    const struct dag_node *node;
    while (at < floats && (node = copy_of(g, buffer, at)) != NULL)
        at = (size_t)node->offset + node->bytes / sizeof(float);
    return at == floats;
}

static size_t floats_of_copies(const struct dag *g, const char *buffer)
{
    size_t sum = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        if (is_copy(&g->nodes[i], buffer))
            sum += g->nodes[i].bytes / sizeof(float);
    return sum;
}

bool graph_facts_of_repeats(const struct dag *g, size_t floats)
{
    const size_t x = floats_of_copies(g, "x"), y = floats_of_copies(g, "y");
    judge_fact_number("x_copied", (double)x / (double)floats);
    judge_fact_number("y_copied", (double)y / (double)floats);
    return x > floats || y > floats;
}

/* Does a copy to a device read the result? */
static bool is_output_read(const struct dag *g)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        if (dag_is(&g->nodes[i], "h2d", NULL) && strcmp(g->nodes[i].buffer, "y") == 0)
            return true;
    return false;
}

bool graph_facts_of_results(const struct dag *g, size_t floats, size_t n_layers)
{
    const size_t in = dag_count(g, "h2d", NULL), out = dag_count(g, "d2h", NULL),
                 layers = dag_count(g, "kernel", "dense*");
    const bool is_repeated = graph_facts_of_repeats(g, floats);
    return judge_fact_each((struct judge_truth[]){{is_output_read(g), "output_read"},
                                                  {in == 0 || out == 0, "no_copies"},
                                                  {!is_whole(g, "x", floats), "gaps_in_x"},
                                                  {!is_whole(g, "y", floats), "gaps_in_y"},
                                                  {layers != in * n_layers, "layers_split"},
                                                  {false, NULL}}) ||
           is_repeated;
}

/* ---- stages ---------------------------------------------------------------------------------- */

/* Node number i of this kind, in the order of creation; NULL: there is none. */
static const struct dag_node *copy_number(const struct dag *g, const char *kind, size_t i)
{
    for (size_t k = 0; k < g->n_nodes; k++)
        if (dag_is(&g->nodes[k], kind, NULL) && i-- == 0)
            return &g->nodes[k];
    return NULL;
}

/* Does each kernel that needs the copy `in` also wait for the copy `out`? */
static bool all_wait(const struct dag *g, const struct dag_node *in, const struct dag_node *out)
{
    for (size_t k = 0; k < g->n_nodes; k++)
        if (dag_is(&g->nodes[k], "kernel", NULL) && dag_waits(g, &g->nodes[k], in) &&
            !dag_waits(g, &g->nodes[k], out))
            return false;
    return true;
}

const char *graph_order(const struct dag *g, int n_devices)
{
    const char *out = n_devices > 1 ? "p2p" : "d2h";
    const size_t n_micro = dag_count(g, "h2d", NULL);
    const struct dag_node *second = copy_number(g, "h2d", 1), *sent = copy_number(g, out, 0),
                          *arrived = copy_number(g, out, 1), *left = copy_number(g, "d2h", 0);
    if (n_micro < 2 || !second || !sent || !arrived || !left)
        return NULL;
    if (n_devices > 1 && dag_waits(g, left, copy_number(g, "h2d", n_micro - 1)))
        return "stage_by_stage";
    if (dag_waits(g, second, left))
        return "one_at_a_time";
    if (dag_waits(g, second, sent))
        return "one_slot";
    if (n_devices > 1 && dag_waits(g, arrived, left))
        return "one_slot"; /* of the next stage */
    if (all_wait(g, second, sent) || (n_devices > 1 && all_wait(g, arrived, left)))
        return "send_in_compute";
    return NULL;
}

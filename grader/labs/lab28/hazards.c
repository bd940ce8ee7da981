/* hazards.c: the edges of a graph compared with the hazards between its operations, see hazards.h.
 */
#include <stdlib.h>

#include "exchange.h"
#include "hazards.h"

#include "drawing.h"

/* Pairs of operations. */
struct pairs {
    bool are_known;
    size_t unordered; /* with a hazard, and without a path */
    size_t reversed;  /* with a hazard, and the earlier one waits for the later one */
    /* with an edge; both only read the same buffer, or they share none */
    size_t readers, foreign;
    size_t from, to; /* the last of these edges; one of `foreign`, if there is any */
};

static void count_edges(struct pairs *count, const struct dag *g, const struct lab28_op *ops,
                        size_t i)
{
    for (size_t e = 0; e < g->nodes[i].n_out; e++) {
        const size_t to = g->out[g->nodes[i].first_out + e];
        if (lab28_is_hazard(ops[i], ops[to]))
            continue;
        const bool is_foreign = ops[i].in != ops[to].in;
        count->readers += !is_foreign;
        count->foreign += is_foreign;
        if (is_foreign || count->foreign == 0) {
            count->from = i;
            count->to = to;
        }
    }
}

static struct pairs count_pairs(const struct judged *j, const struct dag *g)
{
    const enum lab28_order order = (enum lab28_order)judge_value(j, order);
    const bool is_reversed = order == LAB28_ORDER_REVERSED;
    const size_t n = g->n_nodes;
    struct pairs count = {.are_known = is_reversed || order == LAB28_ORDER_OF_LIST};
    struct lab28_op *ops = judge_room(n + 1, sizeof *ops); /* of each node */
    for (size_t i = 0; i < n; i++)
        ops[i] = lab28_draw(judge_numbers(j), lab28_other((long)n, (long)i, is_reversed));
    for (size_t i = 0; i < n && count.are_known; i++) {
        count_edges(&count, g, ops, i);
        for (size_t k = i + 1; k < n; k++) {
            const struct dag_node *first = &g->nodes[is_reversed ? k : i],
                                  *second = &g->nodes[is_reversed ? i : k];
            if (!lab28_is_hazard(ops[i], ops[k]))
                continue;
            count.unordered += !dag_waits(g, second, first);
            count.reversed += dag_waits(g, first, second);
        }
    }
    free(ops);
    return count;
}

void lab28_expect_edges(const struct judged *j, const struct dag *g)
{
    const struct pairs count = count_pairs(j, g);
    const bool is_captured = judge_value(j, is_captured) != 0;
    judge_fact_number("edges", (double)g->n_edges);
    judge_fact_number("unordered", (double)count.unordered);
    judge_fact_number("reversed", (double)count.reversed);
    judge_fact_number("foreign", (double)count.foreign);
    judge_fact_number("readers", (double)count.readers);
    judge_fact_number("is_captured", is_captured);
    /* streams order operations that share no buffer: there, the edge is missing in any case */
    if (count.unordered == 0 || (g->n_edges > 0 && count.reversed == 0 &&
                                 (count.foreign > 0 ? is_captured : count.readers == 0)))
        return;
    judge_actual(
        "%zu edges: %zu between operations that share no buffer, %zu between operations "
        "that only read the same one. %zu pairs with a hazard have no edge, or a wrong one",
        g->n_edges, count.foreign, count.readers, count.unordered);
    if (count.foreign + count.readers > 0)
        judge_expected("no edge such as that from node %zu to node %zu", count.from, count.to);
    judge_fail_that("wrong_edges");
}

void lab28_next_for_edges(const struct judged *j, const struct dag *g)
{
    const struct pairs count = count_pairs(j, g);
    judge_next("draw the graph of a short list of operations, and look for edges between "
               "operations that share no buffer, or only read the same one");
    if (judge_value(j, is_captured) == 0 && count.foreign + count.readers > 0)
        judge_next("add no edge between operations that share no buffer, or only read the same "
                   "one: this graph has %zu and %zu of them, such as that from node %zu to node "
                   "%zu",
                   count.foreign, count.readers, count.from, count.to);
}

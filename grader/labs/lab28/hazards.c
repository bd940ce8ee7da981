/* hazards.c: the edges of a graph compared with the hazards between its operations, see hazards.h.
 */
#include "exchange.h"
#include "hazards.h"

#include "drawing.h"
#include "labs/lab28/mistakes.h"
#include "query/graph.h"

static bool is_hazard(struct lab28_op a, struct lab28_op b)
{
    return a.out == b.in || a.out == b.out || a.in == b.out;
}

/* Pairs of operations. */
struct pairs {
    size_t unordered; /* with a hazard, and without a path */
    size_t reversed;  /* with a hazard, and the earlier one waits for the later one */
    /* with an edge; both only read the same buffer, or they share none */
    struct edges {
        size_t n, from, to; /* how many; the first one */
    } reader, foreign;
};

static size_t other_of(const struct dag *g, size_t i, bool is_reversed)
{
    return (size_t)lab28_other((long)g->n_nodes, (long)i, is_reversed);
}

static struct pairs count_pairs(const struct numbers *numbers, const struct dag *g,
                                bool is_reversed)
{
    struct pairs count = {0};
    for (size_t i = 0; i < g->n_nodes; i++) {
        const size_t number = other_of(g, i, is_reversed);
        const struct lab28_op op = lab28_draw(numbers, (long)number);
        for (size_t later = number + 1; later < g->n_nodes; later++) {
            const size_t k = other_of(g, later, is_reversed);
            const bool needs = is_hazard(op, lab28_draw(numbers, (long)later));
            count.unordered += needs && !dag_waits(g, &g->nodes[k], &g->nodes[i]);
            count.reversed += needs && dag_waits(g, &g->nodes[i], &g->nodes[k]);
        }
        for (size_t e = 0; e < g->nodes[i].n_out; e++) {
            const size_t to = g->out[g->nodes[i].first_out + e];
            const struct lab28_op later = lab28_draw(numbers, (long)other_of(g, to, is_reversed));
            if (is_hazard(op, later))
                continue;
            struct edges *edges = op.in == later.in ? &count.reader : &count.foreign;
            if (edges->n++ == 0) {
                edges->from = i;
                edges->to = to;
            }
        }
    }
    return count;
}

void lab28_expect_edges(struct judge *j, bool is_captured, bool is_reversed)
{
    const struct dag *g = judge_graph(j);
    if (g->n_nodes != (size_t)judge_numbers(j)->n_ops)
        return;
    const struct pairs count = count_pairs(judge_numbers(j), g, is_reversed);
    judge_actual("no edge; %zu pairs of operations need an order", count.unordered);
    judge_expect_that(g->n_edges > 0 || count.unordered == 0, "no_edges");
    judge_actual("in %zu pairs with a hazard, the earlier operation waits for the later one",
                 count.reversed);
    judge_expected("in none");
    judge_expect_that(count.reversed == 0, "edges_reversed");
    judge_forget();
    const bool are_foreign = count.foreign.n > 0;
    /* streams order operations that share no buffer: there, the edge is missing in any case */
    if (count.unordered == 0 || (are_foreign ? is_captured : count.reader.n == 0))
        return;
    if (are_foreign)
        judge_actual("%zu edges between operations that share no buffer, such as that from node "
                     "%zu to node %zu; %zu pairs without an order that need one",
                     count.foreign.n, count.foreign.from, count.foreign.to, count.unordered);
    else
        judge_actual(
            "%zu edges between operations that only read the same buffer; %zu pairs without an "
            "order, of which one operation writes a buffer of the other one",
            count.reader.n, count.unordered);
    judge_expected("none of both");
    judge_fail_that(are_foreign ? "other_nodes" : "roles_exchanged");
}

void lab28_name_edges(struct judge *j, bool is_captured, bool is_reversed)
{
    const struct dag *g = judge_graph(j);
    judge_next("draw the graph of a short list of operations, and look for edges between "
               "operations that share no buffer, or only read the same one");
    if (is_captured || g->n_nodes != (size_t)judge_numbers(j)->n_ops)
        return;
    const struct pairs count = count_pairs(judge_numbers(j), g, is_reversed);
    const struct edges *edges = count.foreign.n > 0 ? &count.foreign : &count.reader;
    if (edges->n > 0)
        judge_next("add no edge between operations that %s: this graph has %zu of them, such as "
                   "that from node %zu to node %zu",
                   edges == &count.foreign ? "share no buffer" : "only read the same buffer",
                   edges->n, edges->from, edges->to);
}

/*
 * drawn.c: compares a graph with a drawing. Nodes of one kind and name can stand for each other:
 * of all ways to match them the one counts that leaves the fewest edges unmatched.
 */
#include "drawn.h"

#include <limits.h>
#include <string.h>

#include "judge/judge.h"

struct matching {
    const struct dag *g;
    const struct drawn *d;
    size_t n;                                  /* nodes of both */
    bool edge[DRAWN_NODES][DRAWN_NODES];       /* of the drawing */
    bool graph_edge[DRAWN_NODES][DRAWN_NODES]; /* of the graph */
    int to[DRAWN_NODES], best[DRAWN_NODES];    /* the graph's node for each drawn one */
    bool used[DRAWN_NODES];
    int fewest; /* unmatched edges, by `best` */
};

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool is_drawn(const struct drawn *d, const struct dag_node *node)
{
    for (int i = 0; i < DRAWN_NODES && d->nodes[i].kind; i++)
        if (dag_is(node, d->nodes[i].kind, d->nodes[i].name))
            return true;
    return false;
}

static size_t count_drawn(const struct drawn *d, const struct drawn_node *like)
{
    size_t count = 0;
    for (int i = 0; i < DRAWN_NODES && d->nodes[i].kind; i++)
        count +=
            strcmp(d->nodes[i].kind, like->kind) == 0 && strcmp(d->nodes[i].name, like->name) == 0;
    return count;
}

static size_t expect_nodes(const struct dag *g, const struct drawn *d)
{
    size_t n = 0;
    judge_next("compare the drawing at the top of lab.h with the calls in %s", d->function);
    for (; n < DRAWN_NODES && d->nodes[n].kind; n++) {
        const struct drawn_node *node = &d->nodes[n];
        size_t expected = count_drawn(d, node), actual = dag_count(g, node->kind, node->name);
        judge_expect(actual >= expected, "%s: the node [%s] is missing in the graph", d->function,
                     node->shown);
        judge_expect(actual <= expected, "%s: there is more than one node like [%s]", d->function,
                     node->shown);
    }
    for (size_t i = 0; i < g->n_nodes; i++)
        judge_expect(is_drawn(d, &g->nodes[i]),
                     "%s: the graph has a node that the drawing does not have: node number %zu, of "
                     "the kind %s",
                     d->function, i + 1, g->nodes[i].kind);
    return n;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void try_all(struct matching *m, size_t i)
{
    if (i == m->n) {
        int unmatched = 0;
        for (size_t a = 0; a < m->n; a++)
            for (size_t b = 0; b < m->n; b++)
                unmatched += m->edge[a][b] != m->graph_edge[m->to[a]][m->to[b]];
        if (unmatched < m->fewest) {
            m->fewest = unmatched;
            memcpy(m->best, m->to, sizeof m->best);
        }
        return;
    }
    for (size_t k = 0; k < m->n; k++) {
        if (m->used[k] || !dag_is(&m->g->nodes[k], m->d->nodes[i].kind, m->d->nodes[i].name))
            continue;
        m->used[k] = true;
        m->to[i] = (int)k;
        try_all(m, i + 1);
        m->used[k] = false;
    }
}

static void match(struct matching *m)
{
    const struct dag *g = m->g;
    for (size_t i = 0; i < DRAWN_EDGES && m->d->edges[i].from != m->d->edges[i].to; i++)
        m->edge[m->d->edges[i].from][m->d->edges[i].to] = true;
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < g->nodes[i].n_out; k++)
            m->graph_edge[i][g->out[g->nodes[i].first_out + k]] = true;
    m->fewest = INT_MAX;
    try_all(m, 0);
}

/* The edges, one by one. */
static void expect_edges(const struct matching *m)
{
    const struct drawn *d = m->d;
    for (size_t a = 0; a < m->n; a++)
        for (size_t b = 0; b < m->n; b++) {
            const char *from = d->nodes[a].shown, *to = d->nodes[b].shown;
            judge_next("add [%s] to the AFTER(...) of [%s]", from, to);
            if (d->add_edge)
                judge_next("%s", d->add_edge);
            judge_expect(!m->edge[a][b] || m->graph_edge[m->best[a]][m->best[b]],
                         "%s: the edge from [%s] to [%s] is missing: nothing makes the second node "
                         "wait for the first",
                         d->function, from, to);
        }
    for (size_t a = 0; a < m->n; a++)
        for (size_t b = 0; b < m->n; b++) {
            const char *from = d->nodes[a].shown, *to = d->nodes[b].shown;
            judge_next("remove [%s] from the AFTER(...) of [%s]", from, to);
            if (d->add_edge)
                judge_next("%s", d->add_edge);
            judge_expect(m->edge[a][b] || !m->graph_edge[m->best[a]][m->best[b]],
                         "%s: the graph has an edge from [%s] to [%s] that the drawing does not "
                         "have: the second node waits without need",
                         d->function, from, to);
        }
    judge_forget();
}

void drawn_expect(const struct dag *g, const struct drawn *d)
{
    struct matching m = {.g = g, .d = d, .n = expect_nodes(g, d)};
    match(&m);
    judge_next(
        "the third argument of cudaGraphAddNode lists the nodes that the new node waits for");
    judge_expect(dag_width(g) > 1 || dag_path(g) < m.n || m.fewest == 0,
                 "%s: each node waits for the one before it. The graph is one chain, so no two "
                 "nodes can run concurrently",
                 d->function);
    expect_edges(&m);
}

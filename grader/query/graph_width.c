/* graph_width.c: the most nodes of a graph of which none waits for another.
 *
 * By Dilworth's theorem that is the least number of chains that hold all nodes; and that is the
 * number of nodes less the largest matching of nodes with nodes that wait for them (directly or
 * not), each used once on either side. Kuhn's algorithm finds it: nodes are matched one by one, and
 * those matched before give way where they can. */
#include "graph.h"

#include <stdlib.h>

enum { WORD = 64, NONE = -1 };

struct matching {
    size_t n, words;
    uint64_t *waits; /* row i: the nodes that wait for i */
    uint64_t *tried; /* those that were looked at for the current node */
    int *of;         /* the node whose partner this one is */
};

static uint64_t *row(const struct matching *m, size_t i)
{
    return m->waits + i * m->words;
}

/* From the last node to the first: who waits for one that waits for this one waits for this one. */
static void close_transitively(const struct dag *g, const struct matching *m)
{
    for (size_t k = g->n_ordered; k-- > 0;) {
        const struct dag_node *node = &g->nodes[g->order[k]];
        uint64_t *mine = row(m, g->order[k]);
        for (size_t e = 0; e < node->n_out; e++) {
            size_t to = g->out[node->first_out + e];
            mine[to / WORD] |= UINT64_C(1) << to % WORD;
            for (size_t w = 0; w < m->words; w++)
                mine[w] |= row(m, to)[w];
        }
    }
}

static bool find_partner(struct matching *m, size_t i)
{
    for (size_t w = 0; w < m->words; w++) {
        uint64_t left;
        while ((left = row(m, i)[w] & ~m->tried[w]) != 0) {
            size_t to = w * WORD + (size_t)__builtin_ctzll(left);
            m->tried[w] |= left & -left;
            if (m->of[to] == NONE || find_partner(m, (size_t)m->of[to])) {
                m->of[to] = (int)i;
                return true;
            }
        }
    }
    return false;
}

static size_t exact_width(const struct dag *g)
{
    struct matching m = {.n = g->n_nodes, .words = g->n_nodes / WORD + 1};
    size_t matched = 0;
    m.waits = calloc(m.n * m.words + 1, sizeof *m.waits);
    m.tried = calloc(m.words, sizeof *m.tried);
    m.of = malloc((m.n + 1) * sizeof *m.of);
    if (m.waits && m.tried && m.of) {
        close_transitively(g, &m);
        for (size_t i = 0; i < m.n; i++)
            m.of[i] = NONE;
        for (size_t i = 0; i < m.n; i++) {
            for (size_t w = 0; w < m.words; w++)
                m.tried[w] = 0;
            matched += find_partner(&m, i);
        }
    }
    free(m.waits);
    free(m.tried);
    free(m.of);
    return m.n - matched;
}

/* The fullest level, where a node's level is the length of the longest path to it. */
static size_t level_width(const struct dag *g)
{
    size_t *level = calloc(2 * g->n_nodes + 1, sizeof *level), widest = 0;
    if (!level)
        return 0;
    size_t *filled = level + g->n_nodes;
    for (size_t k = 0; k < g->n_ordered; k++) {
        size_t i = g->order[k];
        widest = ++filled[level[i]] > widest ? filled[level[i]] : widest;
        for (size_t e = 0; e < g->nodes[i].n_out; e++) {
            size_t to = g->out[g->nodes[i].first_out + e];
            level[to] = level[i] + 1 > level[to] ? level[i] + 1 : level[to];
        }
    }
    free(level);
    return widest;
}

size_t dag_width(const struct dag *g)
{
    return g->n_nodes <= DAG_EXACT && !dag_has_cycle(g) ? exact_width(g) : level_width(g);
}

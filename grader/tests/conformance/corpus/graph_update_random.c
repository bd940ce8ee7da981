/* graph_update_random.c: pairs of small random graphs: what cudaGraphExecUpdate from one to the
 * other answers. */
#include <stdio.h>

#include "../graphs.h"

enum { MOST_NODES = 6, MOST_EDGES = MOST_NODES * MOST_NODES, CASES = 48 };

static unsigned state;

/* The same numbers everywhere. */
static unsigned draw(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* Types and edges by number, and the order in which nodes and edges are made. */
struct plan {
    int n, n_edges;
    int type[MOST_NODES];
    int from[MOST_EDGES], to[MOST_EDGES];
    int node_order[MOST_NODES];
};

static void shuffle(int *a, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int k = (int)draw((unsigned)i + 1), t = a[i];
        a[i] = a[k];
        a[k] = t;
    }
}

static void shuffle_edges(struct plan *p)
{
    for (int i = p->n_edges - 1; i > 0; i--) {
        int k = (int)draw((unsigned)i + 1), from = p->from[i], to = p->to[i];
        p->from[i] = p->from[k];
        p->to[i] = p->to[k];
        p->from[k] = from;
        p->to[k] = to;
    }
}

static struct plan random_plan(int n, unsigned percent, int types)
{
    struct plan p = {.n = n};
    for (int i = 0; i < n; i++) {
        p.type[i] = (int)draw((unsigned)types);
        p.node_order[i] = i;
        for (int k = 0; k < i; k++)
            if (draw(100) < percent) {
                p.from[p.n_edges] = k;
                p.to[p.n_edges++] = i;
            }
    }
    shuffle(p.node_order, n);
    shuffle_edges(&p);
    return p;
}

/* nodes[i] is the i-th in order of making. */
static cudaGraph_t make(const struct plan *p, cudaGraphNode_t *nodes)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t by_number[MOST_NODES];
    for (int i = 0; i < p->n; i++) {
        int number = p->node_order[i];
        nodes[i] = p->type[number] == 0   ? add_empty(g, NULL)
                   : p->type[number] == 1 ? add_letter(g, NULL, 'x')
                                          : add_record(g, NULL, new_event(0));
        by_number[number] = nodes[i];
    }
    for (int i = 0; i < p->n_edges; i++)
        add_edge(g, by_number[p->from[i]], by_number[p->to[i]]);
    return g;
}

static char name_of(cudaGraphNode_t n, const cudaGraphNode_t *nodes, int n_nodes)
{
    for (int i = 0; i < n_nodes; i++)
        if (nodes[i] == n)
            return (char)('a' + i);
    return n ? '?' : '-';
}

/* Changes the plan a little: nothing but orders, an edge less, an edge more, or a type. */
static void change(struct plan *p, int types)
{
    int type;
    switch (draw(6)) {
    case 0:
        shuffle(p->node_order, p->n);
        break;
    case 1:
        shuffle_edges(p);
        break;
    case 2:
        if (p->n_edges)
            p->n_edges--;
        break;
    case 3: {
        int from = (int)draw((unsigned)p->n), to = (int)draw((unsigned)p->n), known = from >= to;
        for (int i = 0; i < p->n_edges; i++)
            known |= p->from[i] == from && p->to[i] == to;
        if (!known) {
            p->from[p->n_edges] = from;
            p->to[p->n_edges++] = to;
        }
        break;
    }
    case 4:
        type = (int)draw((unsigned)types); /* in this order: another would give other graphs */
        p->type[draw((unsigned)p->n)] = type;
        break;
    default:
        shuffle(p->node_order, p->n);
        shuffle_edges(p);
    }
}

static void updates(unsigned seed, int nodes, unsigned percent, int types)
{
    char text[CASES * 8] = "";
    state = seed;
    for (int i = 0; i < CASES; i++) {
        struct plan old = random_plan(nodes, percent, types), new = old;
        cudaGraphNode_t a[MOST_NODES], b[MOST_NODES];
        cudaGraphExecUpdateResultInfo info = {0};
        change(&new, types);
        if (draw(3) == 0)
            change(&new, types);
        cudaGraph_t g = make(&old, a), h = make(&new, b);
        cudaGraphExec_t x = new_exec(g);
        cudaGraphExecUpdate(x, h, &info);
        sprintf(text + strlen(text), "%s%d%c%c", i ? " " : "", (int)info.result,
                name_of(info.errorNode, b, nodes), name_of(info.errorFromNode, b, nodes));
        MUST(cudaGraphExecDestroy(x));
        MUST(cudaGraphDestroy(g));
        MUST(cudaGraphDestroy(h));
    }
    answer_text("%s", text);
}

#define UPDATES(seed, nodes, percent, types, ...)                                                  \
    SITUATION("48 updates between random graphs of " #nodes " nodes of " #types                    \
              " types, " #percent " % of the edges, seed " #seed,                                  \
              __VA_ARGS__)                                                                         \
    {                                                                                              \
        updates(seed, nodes, percent, types);                                                      \
    }

UPDATES(1, 2, 50, 1,
        "text: 0-- 0-- 0-- 2a- 0-- 2a- 2a- 2-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 2a- 0-- "
        "0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- 0-- "
        "0-- 0-- 0-- 0-- 0--")
UPDATES(2, 3, 40, 1,
        "text: 0-- 0-- 0-- 2c- 2c- 0-- 0-- 0-- 0-- 0-- 2a- 0-- 0-- 2a- 0-- 0-- 0-- 0-- 0-- 0-- 0-- "
        "0-- 2-- 0-- 2b- 2a- 0-- 0-- 0-- 0-- 0-- 2-- 2a- 2a- 0-- 2b- 2b- 0-- 0-- 0-- 2a- 0-- 0-- "
        "0-- 0-- 0-- 2a- 0--")
UPDATES(3, 3, 60, 2,
        "text: 0-- 0-- 2a- 2b- 3c- 0-- 0-- 0-- 2c- 0-- 2b- 0-- 3c- 3c- 0-- 0-- 3b- 3a- 2a- 2a- 0-- "
        "2-- 0-- 0-- 3c- 0-- 0-- 2a- 2a- 2b- 0-- 0-- 0-- 0-- 0-- 2c- 2a- 0-- 2a- 0-- 0-- 0-- 3c- "
        "0-- 0-- 0-- 2a- 2a-")
UPDATES(4, 4, 30, 1,
        "text: 0-- 2b- 0-- 0-- 2c- 0-- 2b- 0-- 0-- 2b- 0-- 0-- 2a- 2b- 0-- 2c- 2d- 2d- 2a- 2d- 0-- "
        "0-- 2d- 0-- 0-- 2a- 0-- 2a- 0-- 0-- 2d- 2d- 0-- 0-- 2b- 0-- 0-- 0-- 0-- 2a- 0-- 0-- 2b- "
        "0-- 0-- 0-- 2c- 0--")
UPDATES(5, 4, 50, 1,
        "text: 0-- 0-- 2c- 0-- 0-- 2d- 2d- 2a- 2c- 0-- 2c- 2a- 2d- 2c- 0-- 2d- 2cb 2c- 2c- 0-- 2d- "
        "0-- 2c- 2a- 0-- 0-- 0-- 2d- 0-- 2d- 2d- 0-- 2-- 2a- 2d- 0-- 2a- 0-- 0-- 2c- 2-- 2a- 0-- "
        "2b- 0-- 0-- 2d- 0--")
UPDATES(6, 4, 50, 3,
        "text: 3a- 0-- 0-- 2b- 2d- 0-- 2c- 2c- 2c- 2-- 0-- 0-- 3c- 0-- 0-- 2b- 3d- 2c- 2a- 2d- 3a- "
        "2a- 0-- 3a- 2a- 0-- 0-- 2b- 2b- 0-- 3d- 3b- 0-- 2d- 3a- 0-- 2d- 0-- 2bc 2d- 0-- 2a- 0-- "
        "2b- 3b- 0-- 2b- 3b-")
UPDATES(7, 5, 30, 1,
        "text: 2ad 0-- 0-- 0-- 2e- 0-- 2a- 0-- 2e- 2ac 0-- 2c- 0-- 0-- 0-- 2c- 2a- 0-- 0-- 2be 0-- "
        "0-- 2a- 2be 2b- 2a- 2ac 2e- 0-- 2bd 0-- 2e- 0-- 2a- 2b- 0-- 0-- 0-- 0-- 2a- 0-- 2a- 2db "
        "2e- 0-- 0-- 0-- 2a-")
UPDATES(8, 5, 50, 3,
        "text: 0-- 2cd 0-- 3a- 2a- 0-- 2e- 0-- 2a- 0-- 2c- 3d- 0-- 2c- 3c- 2c- 2e- 2b- 3b- 3b- 3c- "
        "2e- 0-- 2ac 0-- 0-- 2e- 2c- 3b- 0-- 2a- 2ba 2c- 2a- 0-- 0-- 2b- 2c- 0-- 3a- 0-- 2d- 2a- "
        "2e- 2d- 2cb 2a- 2b-")
UPDATES(9, 6, 30, 1,
        "text: 2-- 0-- 2c- 2ea 0-- 0-- 2a- 0-- 2d- 0-- 2a- 0-- 2b- 0-- 2eb 2f- 0-- 2c- 2b- 0-- 0-- "
        "2f- 2b- 2f- 0-- 2e- 0-- 0-- 2e- 0-- 2db 2a- 0-- 2a- 2be 0-- 2d- 2a- 2a- 2a- 2-- 0-- 2f- "
        "0-- 0-- 2a- 2a- 2--")
UPDATES(10, 6, 50, 1,
        "text: 2e- 2ba 2f- 0-- 0-- 2f- 0-- 2e- 2b- 0-- 0-- 2df 2a- 2da 2b- 2c- 2e- 2d- 0-- 2cb 0-- "
        "0-- 0-- 2f- 2e- 2e- 0-- 2e- 2a- 2d- 2fc 2cf 2e- 2b- 0-- 2f- 0-- 2b- 0-- 2e- 2f- 2d- 2c- "
        "0-- 0-- 0-- 0-- 2dc")
UPDATES(11, 6, 30, 3,
        "text: 0-- 2e- 2f- 2f- 0-- 2c- 2d- 2c- 0-- 2e- 2e- 0-- 2b- 2a- 2-- 2ca 3b- 0-- 2b- 3f- 0-- "
        "0-- 3e- 3e- 2e- 0-- 3e- 2c- 3d- 3f- 0-- 2f- 0-- 0-- 2e- 2ec 0-- 3b- 3c- 0-- 2d- 2c- 2f- "
        "3c- 2db 3d- 2fb 2f-")
UPDATES(12, 6, 20, 2,
        "text: 2e- 0-- 0-- 0-- 0-- 0-- 2e- 3e- 3f- 0-- 0-- 3e- 3f- 2d- 2e- 2f- 3d- 2-- 3e- 2c- 2bd "
        "0-- 0-- 2a- 3f- 2d- 3a- 3e- 3f- 2a- 3b- 2a- 3f- 0-- 3e- 0-- 2e- 2f- 0-- 2a- 2c- 3c- 2c- "
        "2e- 0-- 2a- 2c- 2e-")

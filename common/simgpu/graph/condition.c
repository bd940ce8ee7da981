/* condition.c: the handles of conditional nodes. */
#include <stdlib.h>

#include "graph.h"

struct graph *graph_top(struct graph *g)
{
    while (g->parent)
        g = g->parent;
    return g;
}

struct conditional *conditional_of(struct graph *g, cudaGraphConditionalHandle handle)
{
    struct conditional *c = graph_top(g)->conditions;
    while (c && c->handle != handle)
        c = c->next;
    return c;
}

void conditions_free(struct graph *g)
{
    while (g->conditions) {
        struct conditional *c = g->conditions;
        g->conditions = c->next;
        free(c);
    }
}

bool graph_is_plain(struct graph *g)
{
    return !g->is_body && !g->conditions;
}

void single_exec_put(struct single_exec *s)
{
    if (!s || --s->refs > 0)
        return;
    free(s->values);
    free(s);
}

/* choice.c: the bodies of a conditional node, which executable graphs share until one changes. */
#include <stdlib.h>

#include "exec.h"

void flat_free(struct flat *f)
{
    for (int i = 0; i < f->n; i++) {
        work_drop(&f->nodes[i].work);
        epoch_drop(&f->nodes[i].unknown);
        device_node_put(f->nodes[i].updatable);
        if (f->nodes[i].memory)
            graph_memory_put(f->nodes[i].memory);
    }
    free(f->nodes);
    free(f->in);
    free(f->out);
}

struct choice *choice_new(enum cudaGraphConditionalNodeType type, cudaGraphConditionalHandle handle,
                          int n)
{
    struct choice *c = needed(calloc(1, sizeof *c + (size_t)n * sizeof c->bodies[0]),
                              "the bodies of a conditional node");
    *c = (struct choice){.refs = 1, .type = type, .handle = handle, .n = n};
    return c;
}

void choice_put(struct choice *c)
{
    if (!c || --c->refs > 0)
        return;
    for (int i = 0; i < c->n; i++)
        flat_free(&c->bodies[i]);
    free(c);
}

void flat_copy(struct flat *to, const struct flat *from)
{
    *to = *from;
    to->out = NULL; /* the host does not launch it */
    to->nodes = malloc(((size_t)from->n + 1) * sizeof *to->nodes);
    to->in = malloc(((size_t)from->n_ins + 1) * sizeof *to->in);
    if (!to->nodes || !to->in)
        fatal("out of memory for a body of %d nodes", from->n);
    to->cap = from->n + 1;
    to->cap_ins = from->n_ins + 1;
    for (int i = 0; i < from->n_ins; i++)
        to->in[i] = from->in[i];
    for (int i = 0; i < from->n; i++) {
        to->nodes[i] = from->nodes[i];
        to->nodes[i].unknown = (struct epoch){.seq = 0};
        work_copy(&to->nodes[i].work, &from->nodes[i].work);
        device_node_get(to->nodes[i].updatable);
        choice_own(&to->nodes[i].work);
    }
}

bool choice_own(struct work *w)
{
    struct choice *old = w->kind == OP_CONDITION ? w->condition.choice : NULL;
    if (!old || old->refs == 1)
        return false;
    struct choice *mine = choice_new(old->type, old->handle, old->n);
    for (int i = 0; i < old->n; i++)
        flat_copy(&mine->bodies[i], &old->bodies[i]);
    choice_put(old);
    w->condition.choice = mine;
    return true;
}

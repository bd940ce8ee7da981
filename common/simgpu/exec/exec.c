/* exec.c: an executable graph as such: its nodes by their origin, and its end. */
#include <stdlib.h>

#include "launch.h"

double nodes_instantiated;

struct exec *exec_of(cudaGraphExec_t handle)
{
    return handle_type_of(handle) == HANDLE_EXEC ? (struct exec *)handle : NULL;
}

struct exec *exec_given(cudaGraphExec_t handle)
{
    struct exec *x = exec_of(handle);
    if (!x)
        refusal_note_handle(handle, "executable graph");
    return x;
}

/* ---- finding nodes again --------------------------------------------------------------------- */

struct indexed_node {
    uint64_t uid; /* of its origin */
    struct exec_node *node;
};

/* Calls fn for every node, those of bodies included. */
static void each_node(struct flat *f, void fn(struct exec_node *, void *), void *arg)
{
    for (int i = 0; i < f->n; i++) {
        struct exec_node *n = &f->nodes[i];
        fn(n, arg);
        for (int b = 0; n->work.kind == OP_CONDITION && b < n->work.condition.choice->n; b++)
            each_node(&n->work.condition.choice->bodies[b], fn, arg);
    }
}

void exec_each_node(struct exec *x, void fn(struct exec_node *n, void *arg), void *arg)
{
    each_node(&x->flat, fn, arg);
}

static void index_node(struct exec_node *n, void *exec)
{
    struct indexed_node *i = NULL;
    if (n->source)
        i = table_add(&((struct exec *)exec)->index, sizeof *i, n->source, "an index of nodes");
    if (i && !i->node)
        i->node = n;
}

void exec_index_nodes(struct exec *x)
{
    free(x->index.slots);
    x->index = (struct table){0};
    each_node(&x->flat, index_node, x);
}

void exec_drop_image(struct exec *x)
{
    if (x->image)
        flat_free(x->image);
    free(x->image);
    x->image = NULL;
}

struct exec_node *exec_find_uid(struct exec *x, uint64_t uid)
{
    const struct indexed_node *i = table_find(&x->index, sizeof *i, uid);
    return i ? i->node : NULL;
}

struct exec_node *exec_find(struct exec *x, const struct node *n)
{
    return n ? exec_find_uid(x, n->uid) : NULL;
}

/* ---- its end --------------------------------------------------------------------------------- */

static void launches_forget(struct exec *x)
{
    for (struct launch *l; (l = x->spare);) {
        x->spare = l->next;
        free(l);
    }
}

void exec_put(struct exec *x)
{
    if (--x->refs > 0)
        return;
    if (x->uploaded && (x->flags & cudaGraphInstantiateFlagDeviceLaunch))
        sim.n_device_graphs--;
    exec_drop_image(x);
    flat_free(&x->flat);
    graph_put(x->shape);
    condition_defaults_put(x->defaults);
    single_exec_put(x->single);
    free(x->index.slots);
    free(x->clock_ids);
    launches_forget(x);
    if (x->last_end)
        op_put(x->last_end);
    epoch_drop(&x->last_epoch);
    epoch_drop(&x->last_run);
    epoch_drop(&x->upload);
    user_refs_drop(&x->user_refs);
    user_refs_drop(&x->former_refs);
    free(x);
}

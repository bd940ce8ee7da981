/*
 * exec_memory.c: the memory that a launch of an executable graph allocates and frees.
 */
#include "exec.h"

/* The most that lives on the device at once while the nodes run in the order in which they are
 * launched. */
static uint64_t footprint(const struct flat *f, int device)
{
    uint64_t now = 0, most = 0;
    for (int i = 0; i < f->n; i++) {
        const struct exec_node *n = &f->nodes[i];
        if (!n->memory || n->memory->device != device)
            continue;
        if (n->type == cudaGraphNodeTypeMemAlloc)
            now += arena_round(n->memory->bytes);
        else if (n->type == cudaGraphNodeTypeMemFree && now >= arena_round(n->memory->bytes))
            now -= arena_round(n->memory->bytes);
        most = now > most ? now : most;
    }
    return most;
}

/* What it would allocate must not be allocated yet, and what it would free must be by then. */
static bool memory_is_ready(struct exec *x)
{
    bool automatic = x->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch, good = true;
    for (int i = 0; i < x->flat.n; i++) {
        struct exec_node *n = &x->flat.nodes[i];
        if (n->type == cudaGraphNodeTypeMemAlloc) {
            good = good && (automatic || !n->memory->allocated);
            n->memory->made_here = true;
        }
    }
    for (int i = 0; i < x->flat.n; i++) {
        const struct exec_node *n = &x->flat.nodes[i];
        if (n->type == cudaGraphNodeTypeMemFree)
            good = good && (n->memory->made_here || n->memory->allocated);
    }
    for (int i = 0; i < x->flat.n; i++)
        if (x->flat.nodes[i].memory)
            x->flat.nodes[i].memory->made_here = false;
    return good;
}

cudaError_t exec_memory_take(struct exec *x, const struct stream *s,
                             struct backing *backing[MAX_DEVICES])
{
    if (!x->shape->n_memory_nodes)
        return cudaSuccess;
    if (!memory_is_ready(x))
        return cudaErrorInvalidValue;
    for (int i = 0; i < x->flat.n; i++)
        if (x->flat.nodes[i].type == cudaGraphNodeTypeMemAlloc)
            graph_memory_freed(x->flat.nodes[i].memory);
    for (int d = 0; d < sim.n_devices; d++)
        backing[d] = graph_backing_take(d, footprint(&x->flat, d), s);
    for (int i = 0; i < x->flat.n; i++) {
        struct exec_node *n = &x->flat.nodes[i];
        if (n->type == cudaGraphNodeTypeMemAlloc)
            graph_memory_made(n->memory, backing[n->memory->device]);
        else if (n->type == cudaGraphNodeTypeMemFree)
            graph_memory_freed(n->memory);
    }
    return cudaSuccess;
}

void exec_memory_ends(const struct op *op, const struct exec_node *x)
{
    struct simgpu_site site;
    if (!sim.checks || x->type != cudaGraphNodeTypeMemFree)
        return;
    site_of(op, &site);
    history_end(x->memory->allocation->history, &op->epoch, &site);
}

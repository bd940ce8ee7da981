/* exec_memory.c: the memory that a launch of an executable graph allocates and frees. */
#include "exec.h"

/* Has a node of the launch allocated earlier memory at the same address? */
static bool has_place(const struct graph_memory *m)
{
    const struct graph_memory *before = m->before;
    while (before && !before->made_here)
        before = before->before;
    return before != NULL;
}

/* What it would allocate must not be allocated yet, and what it would free must be by then.
 * bytes[d]: the launch takes so much of device d, each address once. */
static bool memory_is_ready(struct exec *x, uint64_t bytes[MAX_DEVICES])
{
    bool automatic = x->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch, good = true;
    for (int i = 0; i < x->flat.n; i++) {
        struct exec_node *n = &x->flat.nodes[i];
        if (n->type == cudaGraphNodeTypeMemAlloc) {
            good = good && (automatic || !n->memory->allocated);
            n->memory->made_here = true;
            if (!has_place(n->memory))
                bytes[n->memory->device] += arena_round(n->memory->bytes);
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
    uint64_t bytes[MAX_DEVICES] = {0};
    if (!x->shape->n_memory_nodes)
        return cudaSuccess;
    if (!memory_is_ready(x, bytes))
        return cudaErrorInvalidValue;
    for (int i = 0; i < x->flat.n; i++)
        if (x->flat.nodes[i].type == cudaGraphNodeTypeMemAlloc)
            graph_memory_freed(x->flat.nodes[i].memory);
    for (int d = 0; d < sim.n_devices; d++)
        backing[d] = graph_backing_take(d, bytes[d], s);
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

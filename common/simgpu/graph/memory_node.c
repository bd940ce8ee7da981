/* memory_node.c: memory that a graph allocates and frees. The address is fixed when the alloc node
 * is created, and stays reserved for the graph. So a replay costs no allocation. backing.c has the
 * memory at the address. */
#include <stdlib.h>

#include "graph.h"

static struct graph_memory *graph_memory_of(const void *p)
{
    struct allocation *a = memory_find(p);
    return a && a->lo == (uint64_t)(uintptr_t)p && a->kind == MEMORY_GRAPH ? a->graph_memory : NULL;
}

bool graph_memory_exists(const void *p)
{
    const struct allocation *a = memory_find(p);
    return !a || !a->reserved;
}

/* Marks all that n waits for, directly or not, with 1. */
static void mark_before(const struct node *n)
{
    const struct node **stack = needed(malloc(((size_t)n->graph->n_nodes + 1) * sizeof *stack),
                                       "a walk over %d nodes", n->graph->n_nodes);
    int top = 0;
    stack[top++] = n;
    while (top > 0) {
        const struct node *at = stack[--top];
        for (int i = 0; i < at->in.n; i++) {
            struct node *before = at->in.at[i].node;
            if (!before->mark) {
                before->mark = 1;
                stack[top++] = before;
            }
        }
    }
    free(stack);
}

/* Memory of the same graph that is freed before node n, whose address n's can have. */
static struct graph_memory *freed_before(const struct node *n, size_t bytes, int device)
{
    struct graph_memory *found = NULL;
    mark_before(n);
    for (struct node *f = n->graph->nodes; f; f = f->next) {
        if (!found && f->mark && f->type == cudaGraphNodeTypeMemFree && f->memory &&
            f->memory->device == device && !f->memory->passed_on &&
            arena_round(f->memory->bytes) >= arena_round(bytes))
            found = f->memory;
        f->mark = 0;
    }
    return found;
}

static struct graph_memory *memory_new(const struct node *n, size_t bytes, int device)
{
    static uint64_t draw;
    struct graph_memory *before =
        freedom_other_way(FREEDOM_GRAPH_ADDRESS, draw++) ? NULL : freed_before(n, bytes, device);
    void *p = before ? NULL : arena_take(&devices[device], bytes);
    if (!before && !p)
        return NULL;
    struct graph_memory *m = needed(calloc(1, sizeof *m), "the memory of a graph");
    *m = (struct graph_memory){.bytes = bytes, .device = device, .before = before, .refs = 1};
    if (before) {
        before->refs++;
        before->passed_on = true;
        m->allocation = before->allocation;
    } else {
        m->allocation = memory_add(p, bytes, MEMORY_GRAPH, device, "an alloc node");
        m->allocation->reserved = true;
    }
    m->allocation->graph_memory = m;
    return m;
}

void graph_memory_put(struct graph_memory *m)
{
    while (--m->refs == 0) {
        struct graph_memory *before = m->before;
        if (!before) {
            void *p = (void *)(uintptr_t)m->allocation->lo;
            memory_remove(m->allocation);
            arena_give(&devices[m->device], p, m->bytes);
            free(m);
            return;
        }
        m->allocation->graph_memory = before;
        before->passed_on = false;
        free(m);
        m = before;
    }
}

void graph_memory_made(struct graph_memory *m, struct backing *b)
{
    m->allocated = true;
    m->allocation->reserved = false;
    m->backing = b;
    m->refs++;
    graph_backing_hold(b, 1);
}

void graph_memory_freed(struct graph_memory *m)
{
    if (!m->allocated)
        return;
    m->allocated = false;
    m->allocation->reserved = true;
    graph_backing_hold(m->backing, -1);
    graph_memory_put(m);
}

void graph_memory_forget(struct graph_memory *m)
{
    m->refs++;
    while (m) {
        struct graph_memory *before = m->before;
        if (before)
            before->refs++;
        graph_memory_freed(m);
        graph_memory_put(m);
        m = before;
    }
}

/* Only this device's accesses, to read and write; what other processes could open is for pools
 * alone. */
static cudaError_t alloc_check(const struct cudaMemAllocNodeParamsV2 *p)
{
    const struct cudaMemPoolProps *props = &p->poolProps;
    if (props->location.type == cudaMemLocationTypeHost)
        return cudaErrorNotSupported;
    const bool is_typed = props->allocType == cudaMemAllocationTypePinned ||
                          props->allocType == cudaMemAllocationTypeManaged,
               is_placed = props->location.type == cudaMemLocationTypeDevice &&
                           props->location.id >= 0 && props->location.id < sim.n_devices;
    if (!is_typed)
        return refusal_of_member("poolProps.allocType");
    if (!is_placed)
        return refusal_of_member("poolProps.location");
    if (p->bytesize == 0)
        return refusal_of_member("alloc.bytesize");
    if (props->handleTypes != cudaMemHandleTypeNone)
        return cudaErrorNotSupported;
    if (p->accessDescCount && !p->accessDescs)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < p->accessDescCount; i++) {
        if (p->accessDescs[i].location.id < 0 || p->accessDescs[i].location.id >= sim.n_devices)
            return cudaErrorInvalidDevice;
        if (p->accessDescs[i].flags != cudaMemAccessFlagsProtReadWrite)
            return cudaErrorNotSupported;
    }
    return cudaSuccess;
}

cudaError_t memory_node_alloc(struct node *n, struct cudaMemAllocNodeParamsV2 *p)
{
    TRY(alloc_check(p));
    n->memory = memory_new(n, p->bytesize, p->poolProps.location.id);
    if (!n->memory)
        return cudaErrorMemoryAllocation;
    p->dptr = (void *)(uintptr_t)n->memory->allocation->lo;
    n->memory->allocation->shared_with = 0;
    for (size_t i = 0; i < p->accessDescCount; i++)
        n->memory->allocation->shared_with |= 1u << p->accessDescs[i].location.id;
    n->memory->given = (struct cudaMemAllocNodeParams){.poolProps = p->poolProps,
                                                       .accessDescs = p->accessDescs,
                                                       .accessDescCount = p->accessDescCount,
                                                       .bytesize = p->bytesize,
                                                       .dptr = p->dptr};
    return cudaSuccess;
}

bool graph_memory_can_be_freed(const void *p)
{
    const struct graph_memory *m = graph_memory_of(p);
    return m && !m->freed_in_graph;
}

cudaError_t memory_node_free(struct node *n, void *p)
{
    struct graph_memory *m = graph_memory_of(p);
    if (!graph_memory_can_be_freed(p))
        return refusal_of_member("free.dptr");
    m->freed_in_graph = true;
    m->refs++;
    n->memory = m;
    return cudaSuccess;
}

cudaError_t graph_memory_free(const void *p)
{
    for (struct graph_memory *m = graph_memory_of(p); m; m = m->before)
        if (m->allocated) {
            graph_memory_freed(m);
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

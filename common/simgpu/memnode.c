/*
 * memnode.c: memory that a graph allocates and frees. Its address is fixed when the alloc node is made, and stays
 * reserved for the graph: that is why replays cost no allocation.
 */
#include <stdlib.h>

#include "graph.h"

static struct {
    uint64_t used, used_high, reserved, reserved_high;
} counts[MAX_DEVICES];

struct graph_memory *graph_memory_of(const void *p)
{
    struct allocation *a = memory_find(p);
    return a && a->lo == (uint64_t)(uintptr_t)p && a->kind == MEMORY_GRAPH ? a->graph_memory : NULL;
}

static struct graph_memory *memory_new(size_t bytes, int device)
{
    struct device *d = &sim.devices[device];
    void *p = arena_take(d, bytes);
    struct graph_memory *m = p ? calloc(1, sizeof *m) : NULL;
    if (!m)
        return NULL;
    m->allocation = memory_add(p, bytes, MEMORY_GRAPH, device, "an alloc node");
    m->allocation->graph_memory = m;
    m->device = device;
    m->refs = 1;
    counts[device].reserved += arena_round(bytes);
    if (counts[device].reserved > counts[device].reserved_high)
        counts[device].reserved_high = counts[device].reserved;
    return m;
}

void graph_memory_put(struct graph_memory *m)
{
    if (--m->refs > 0)
        return;
    uint64_t bytes = m->allocation->hi - m->allocation->lo;
    void *p = (void *)(uintptr_t)m->allocation->lo;
    memory_remove(m->allocation);
    arena_give(&sim.devices[m->device], p, bytes);
    counts[m->device].reserved -= arena_round(bytes);
    free(m);
}

void graph_memory_made(struct graph_memory *m)
{
    m->allocated = true;
    counts[m->device].used += arena_round(m->allocation->hi - m->allocation->lo);
    if (counts[m->device].used > counts[m->device].used_high)
        counts[m->device].used_high = counts[m->device].used;
}

void graph_memory_freed(struct graph_memory *m)
{
    if (!m->allocated)
        return;
    m->allocated = false;
    counts[m->device].used -= arena_round(m->allocation->hi - m->allocation->lo);
}

cudaError_t memory_node_alloc(struct node *n, struct cudaMemAllocNodeParamsV2 *p)
{
    const struct cudaMemPoolProps *props = &p->poolProps;
    if (props->allocType != cudaMemAllocationTypePinned || props->location.type != cudaMemLocationTypeDevice ||
        props->location.id < 0 || props->location.id >= sim.n_devices || p->bytesize == 0)
        return cudaErrorInvalidValue;
    n->memory = memory_new(p->bytesize, props->location.id);
    if (!n->memory)
        return cudaErrorMemoryAllocation;
    p->dptr = (void *)(uintptr_t)n->memory->allocation->lo;
    n->alloc = (struct cudaMemAllocNodeParams){.poolProps = p->poolProps,
                                               .accessDescs = p->accessDescs,
                                               .accessDescCount = p->accessDescCount,
                                               .bytesize = p->bytesize,
                                               .dptr = p->dptr};
    return cudaSuccess;
}

cudaError_t memory_node_free(struct node *n, void *p)
{
    struct graph_memory *m = graph_memory_of(p);
    if (!m || m->freed_in_graph)
        return cudaErrorInvalidValue;
    m->freed_in_graph = true;
    m->refs++;
    n->memory = m;
    return cudaSuccess;
}

cudaError_t graph_memory_free(const void *p)
{
    struct graph_memory *m = graph_memory_of(p);
    if (!m || !m->allocated)
        return cudaErrorInvalidValue;
    graph_memory_freed(m);
    return cudaSuccess;
}

/* ---- in a capture ------------------------------------------------------------------------------------ */

cudaError_t capture_alloc(struct stream *s, size_t bytes, void **out)
{
    struct cudaMemAllocNodeParamsV2 p = {.bytesize = bytes};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.poolProps.location.id = s->device->id;
    struct work w = {.kind = OP_MARKER, .name = "alloc"};
    struct node *n = capture_node(s, cudaGraphNodeTypeMemAlloc, &w);
    cudaError_t e = memory_node_alloc(n, &p);
    *out = p.dptr;
    return e;
}

cudaError_t capture_free(struct stream *s, void *p)
{
    struct graph_memory *m = graph_memory_of(p);
    if (!m || m->freed_in_graph)
        return cudaErrorInvalidValue;
    struct work w = {.kind = OP_MARKER, .name = "free"};
    return memory_node_free(capture_node(s, cudaGraphNodeTypeMemFree, &w), p);
}

/* ---- counts ------------------------------------------------------------------------------------------ */

static uint64_t *counter(int device, enum cudaGraphMemAttributeType attribute)
{
    switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
        return &counts[device].used;
    case cudaGraphMemAttrUsedMemHigh:
        return &counts[device].used_high;
    case cudaGraphMemAttrReservedMemCurrent:
        return &counts[device].reserved;
    case cudaGraphMemAttrReservedMemHigh:
        return &counts[device].reserved_high;
    default:
        return NULL;
    }
}

EXPORT cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaDeviceGetGraphMemAttribute", &e))
        return e;
    if (device < 0 || device >= sim.n_devices)
        return api_leave(cudaErrorInvalidDevice);
    const uint64_t *c = counter(device, attribute);
    if (!c || !value)
        return api_leave(cudaErrorInvalidValue);
    *(uint64_t *)value = *c;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaDeviceSetGraphMemAttribute", &e))
        return e;
    if (device < 0 || device >= sim.n_devices)
        return api_leave(cudaErrorInvalidDevice);
    bool high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (!high || !value || *(uint64_t *)value != 0)
        return api_leave(cudaErrorInvalidValue);
    if (attribute == cudaGraphMemAttrUsedMemHigh)
        counts[device].used_high = counts[device].used;
    else
        counts[device].reserved_high = counts[device].reserved;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceGraphMemTrim(int device)
{
    cudaError_t e;
    if (!api_enter(COST_FREE, "cudaDeviceGraphMemTrim", &e))
        return e;
    return api_leave(device >= 0 && device < sim.n_devices ? cudaSuccess : cudaErrorInvalidDevice);
}

/* capture_memory.c: memory that a capturing stream allocates and frees. */
#include "graph.h"

cudaError_t capture_alloc(struct stream *s, size_t bytes, void **out)
{
    if (s->capture->again)
        return recapture_alloc(s, bytes, out);
    struct cudaMemAllocNodeParamsV2 p = {.bytesize = bytes};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.poolProps.location.id = s->device->id;
    struct work w = {.kind = OP_MARKER, .name = "alloc", .caller = call_place()};
    struct node *n = capture_node(s, cudaGraphNodeTypeMemAlloc, &w);
    cudaError_t e = memory_node_alloc(n, &p);
    if (e == cudaSuccess) {
        *out = p.dptr;
    } else {
        struct frontier before = {NULL, NULL, 0};
        for (int i = 0; i < n->in.n; i++)
            frontier_unite(&before, &(struct frontier){&n->in.at[i].node, NULL, 1});
        frontier_set(&s->frontier, &before);
        frontier_clear(&before);
        node_destroy(n);
    }
    return e;
}

cudaError_t capture_free(struct stream *s, void *p)
{
    if (s->capture->again)
        return recapture_free(s, p);
    if (!graph_memory_can_be_freed(p)) {
        s->capture->graph
            ->n_memory_nodes++; /* from then on an H200 holds it for a graph with memory nodes */
        return cudaErrorInvalidValue;
    }
    struct work w = {.kind = OP_MARKER, .name = "free", .caller = call_place()};
    return memory_node_free(capture_node(s, cudaGraphNodeTypeMemFree, &w), p);
}

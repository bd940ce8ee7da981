/* adapter_ends.c: which work of a capture its origin does not wait for, see ends.h. */
#include <stdbool.h>

#include "ends.h"
#include "subject/interpose.h"

enum { MOST_NODES = 4096 };

static const char *last = LAB12_OTHER_END;

const char *ends_of_capture(void)
{
    return last;
}

static bool is_on_device(const void *p)
{
    struct cudaPointerAttributes at;
    return cudaPointerGetAttributes(&at, p) == cudaSuccess && at.type == cudaMemoryTypeDevice;
}

/* The direction of a copy; of what is no copy: cudaMemcpyDefault. */
static enum cudaMemcpyKind kind_of(cudaGraphNode_t node)
{
    enum cudaGraphNodeType type;
    struct cudaMemcpy3DParms copy;
    if (cudaGraphNodeGetType(node, &type) != cudaSuccess || type != cudaGraphNodeTypeMemcpy ||
        cudaGraphMemcpyNodeGetParams(node, &copy) != cudaSuccess)
        return cudaMemcpyDefault;
    if (!is_on_device(copy.dstPtr.ptr))
        return cudaMemcpyDeviceToHost;
    return is_on_device(copy.srcPtr.ptr) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
}

static bool is_in(cudaGraphNode_t node, const cudaGraphNode_t *nodes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (nodes[i] == node)
            return true;
    return false;
}

/* No node of the capture waits for it, nor does the origin. */
static bool is_loose(cudaGraphNode_t node, const cudaGraphNode_t *ends, size_t n)
{
    size_t waiting = 0;
    return cudaGraphNodeGetDependentNodes(node, NULL, NULL, &waiting) == cudaSuccess &&
           waiting == 0 && !is_in(node, ends, n);
}

static void look(cudaStream_t origin)
{
    static cudaGraphNode_t nodes[MOST_NODES];
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *ends;
    cudaGraph_t graph;
    size_t n_ends, n = MOST_NODES;
    bool copies_to_y = false, between = false;
    last = LAB12_OTHER_END;
    if (cudaStreamGetCaptureInfo(origin, &status, NULL, &graph, &ends, NULL, &n_ends) ||
        status != cudaStreamCaptureStatusActive || cudaGraphGetNodes(graph, nodes, &n))
        return;
    for (size_t i = 0; i < n; i++) {
        const enum cudaMemcpyKind kind = kind_of(nodes[i]);
        copies_to_y = copies_to_y || kind == cudaMemcpyDeviceToHost;
        between = between || (kind == cudaMemcpyDeviceToDevice && is_loose(nodes[i], ends, n_ends));
    }
    last = !copies_to_y ? LAB12_NO_COPY_TO_Y : between ? LAB12_COPY_BETWEEN_DEVICES : last;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    FIND_REAL(cudaStreamEndCapture);
    look(stream);
    return real(stream, graph);
}

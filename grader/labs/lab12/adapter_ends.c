/* adapter_ends.c: which work of a capture its origin does not wait for, see ends.h. */
#include <stdbool.h>

#include "ends.h"

enum { MOST_NODES = 4096 };

static enum lab12_end last = LAB12_OTHER_END;

enum lab12_end ends_of_capture(void)
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

static bool is_kernel(cudaGraphNode_t node)
{
    enum cudaGraphNodeType type;
    return cudaGraphNodeGetType(node, &type) == cudaSuccess && type == cudaGraphNodeTypeKernel;
}

static bool is_in(cudaGraphNode_t node, const cudaGraphNode_t *nodes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (nodes[i] == node)
            return true;
    return false;
}

/* The nodes that wait for it, the first MOST_NODES of them, and how many these are. */
static size_t dependents_of(cudaGraphNode_t node, cudaGraphNode_t *nodes)
{
    size_t n = MOST_NODES;
    return cudaGraphNodeGetDependentNodes(node, nodes, NULL, &n) == cudaSuccess ? n : 0;
}

/* Does a copy of x wait for it: does it free a slot? */
static bool frees_slot(cudaGraphNode_t node)
{
    static cudaGraphNode_t later[MOST_NODES];
    const size_t n = dependents_of(node, later);
    for (size_t i = 0; i < n; i++)
        if (kind_of(later[i]) == cudaMemcpyHostToDevice)
            return true;
    return false;
}

static enum lab12_end end_of(const cudaGraphNode_t *nodes, size_t n, const cudaGraphNode_t *ends,
                             size_t n_ends)
{
    static cudaGraphNode_t later[MOST_NODES];
    size_t in = 0, out = 0;
    bool layers = false, between = false, too_early = false;
    for (size_t i = 0; i < n; i++) {
        const enum cudaMemcpyKind kind = kind_of(nodes[i]);
        /* no node of the capture waits for it, nor does the origin */
        const bool is_loose = dependents_of(nodes[i], later) == 0 && !is_in(nodes[i], ends, n_ends);
        in += kind == cudaMemcpyHostToDevice;
        out += kind == cudaMemcpyDeviceToHost;
        layers = layers || (is_loose && is_kernel(nodes[i]));
        between = between || (is_loose && kind == cudaMemcpyDeviceToDevice);
        too_early = too_early || (is_kernel(nodes[i]) && frees_slot(nodes[i]));
    }
    if (out == 0)
        return in > 1 ? LAB12_NO_LAST_STAGE : LAB12_NO_COPY_TO_Y;
    if (layers)
        return LAB12_LAYERS;
    return !between ? LAB12_OTHER_END : too_early ? LAB12_COPY_NOT_IN_SENT : LAB12_COPY_NOT_AWAITED;
}

static void look(cudaStream_t origin)
{
    static cudaGraphNode_t nodes[MOST_NODES];
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *ends;
    cudaGraph_t graph;
    size_t n_ends, n = MOST_NODES;
    last = LAB12_OTHER_END;
    if (!cudaStreamGetCaptureInfo(origin, &status, NULL, &graph, &ends, NULL, &n_ends) &&
        status == cudaStreamCaptureStatusActive && !cudaGraphGetNodes(graph, nodes, &n))
        last = end_of(nodes, n, ends, n_ends);
}

void ends_before_call(struct subject_call *call)
{
    if (call->function == CALL_cudaStreamEndCapture)
        look(call->stream);
}

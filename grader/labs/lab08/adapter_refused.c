/*
 * adapter_refused.c: looks at the parameters of nodes that the runtime refused.
 */
#include "refused.h"

#include "subject/graph.h"

static const char unknown[] =
    "look at each argument of that call: the nodes to wait for belong to this graph, and an edge "
    "is added once";

static const char *of_kernel(const struct cudaKernelNodeParamsV2 *p)
{
    const dim3 grid = p->gridDim, block = p->blockDim;
    if (grid.x == 0 || block.x == 0)
        return "gridDim.x or blockDim.x is 0. The number of blocks is rounded up";
    if (grid.y == 0 || grid.z == 0 || block.y == 0 || block.z == 0)
        return "a dimension of gridDim or blockDim is 0. In C, write 1 for y and z: {256, 1, 1}";
    return p->func ? "kernelParams is NULL, or a dimension of blockDim is too large"
                   : "params.kernel.func is not set";
}

static const char *of_memset(const struct cudaMemsetParamsV2 *p)
{
    if (!p->dst)
        return "params.memset.dst is NULL";
    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
        return "params.memset.elementSize is not 1, 2 or 4 bytes";
    if (p->width == 0 || p->height == 0)
        return "params.memset.width or height is 0: one row has a height of 1";
    return "the memset ends outside of its array: params.memset.width counts elements, not bytes";
}

static const char *of_copy(const struct cudaMemcpy3DParms *p)
{
    if (!p->srcPtr.ptr || !p->dstPtr.ptr)
        return "an address of the copy is NULL. Was it read before cudaGraphAddNode had written "
               "params.alloc.dptr?";
    return "the copy ends outside of an array. Does params.alloc.bytesize count bytes?";
}

static const char *reason(const struct cudaGraphNodeParams *p)
{
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return of_kernel(&p->kernel);
    case cudaGraphNodeTypeMemset:
        return of_memset(&p->memset);
    case cudaGraphNodeTypeMemcpy:
        return of_copy(&p->memcpy.copyParams);
    case cudaGraphNodeTypeMemAlloc:
        return "an alloc node needs poolProps.allocType = cudaMemAllocationTypePinned, "
               "poolProps.location.type = cudaMemLocationTypeDevice, .id = device, and bytesize";
    case cudaGraphNodeTypeMemFree:
        return p->free.dptr ? "params.free.dptr is no address of an alloc node of this graph, or "
                              "another node frees it, too"
                            : "params.free.dptr is NULL";
    case cudaGraphNodeTypeHost:
        return "params.host.fn is not set";
    case cudaGraphNodeTypeGraph:
        return "params.graph.graph is no graph: destroy a captured graph after it was added";
    default:
        return unknown;
    }
}

const char *lab08_refused(void)
{
    const struct cudaGraphNodeParams *p = subject_refused_node();
    return p ? reason(p) : unknown;
}

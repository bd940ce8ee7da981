/*
 * adapter_refused.c: looks at the parameters of nodes that the runtime refused.
 */
#include "refused.h"

#include "subject/graph.h"

enum { MOST_THREADS = 1024 };

static enum lab08_cause of_kernel(const struct cudaKernelNodeParamsV2 *p, cudaError_t error)
{
    const dim3 grid = p->gridDim, block = p->blockDim;
    if (error != cudaErrorInvalidValue || !p->func)
        return LAB08_NO_KERNEL;
    if (grid.x == 0 && grid.y && grid.z)
        return LAB08_TOO_FEW_BLOCKS;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0)
        return LAB08_DIMENSION_IS_ZERO;
    if ((size_t)block.x * block.y * block.z > MOST_THREADS)
        return LAB08_BLOCK_TOO_LARGE;
    return p->kernelParams ? LAB08_NOT_KNOWN : LAB08_NO_ARGUMENTS;
}

static enum lab08_cause of_memset(const struct cudaMemsetParamsV2 *p)
{
    struct cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, p->dst) != cudaSuccess || a.type == cudaMemoryTypeUnregistered)
        return LAB08_MEMSET_OF_NO_MEMORY;
    return LAB08_MEMSET_SHAPE;
}

static enum lab08_cause of_copy(const struct cudaMemcpy3DParms *p, size_t bytes)
{
    if (!p->srcPtr.ptr || !p->dstPtr.ptr)
        return LAB08_COPY_OF_NULL;
    return p->extent.width > bytes ? LAB08_COPY_TOO_LARGE : LAB08_ALLOC_SIZE;
}

enum lab08_cause refused_instantiation(cudaError_t error, size_t bytes)
{
    const struct subject_refused *refused = subject_refused_node();
    if (!refused || refused->error != error)
        return LAB08_NOT_KNOWN;
    if (refused->lacks_predecessor)
        return LAB08_NO_SUCH_PREDECESSOR;
    const struct cudaGraphNodeParams *p = &refused->params;
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return of_kernel(&p->kernel, error);
    case cudaGraphNodeTypeMemset:
        return of_memset(&p->memset);
    case cudaGraphNodeTypeMemcpy:
        return of_copy(&p->memcpy.copyParams, bytes);
    case cudaGraphNodeTypeMemAlloc:
        return LAB08_ALLOC_NOT_SET;
    case cudaGraphNodeTypeMemFree:
        return LAB08_FREE_OF_OTHER_ADDRESS;
    case cudaGraphNodeTypeHost:
        return LAB08_NO_HOST_FUNCTION;
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
        return LAB08_NO_EVENT;
    case cudaGraphNodeTypeGraph:
        return LAB08_NO_CHILD_GRAPH;
    default:
        return LAB08_NOT_KNOWN;
    }
}

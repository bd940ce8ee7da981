/* graph_kernel_attributes.c: attributes of kernel nodes. */
#include "api.h"

/* A call that is refused leaves *v as it was; one that is not writes no more than the attribute
 * takes. */
static cudaError_t get(const struct node *n, cudaLaunchAttributeID id, cudaLaunchAttributeValue *v)
{
    const struct kernel_attributes *a = &n->attributes;
    switch (id) {
    case cudaLaunchAttributePriority:
        v->priority = n->priority;
        return cudaSuccess;
    case cudaLaunchAttributeCooperative:
        v->cooperative = a->cooperative;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        v->clusterDim.x = a->cluster.x;
        v->clusterDim.y = a->cluster.y;
        v->clusterDim.z = a->cluster.z;
        return cudaSuccess;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        v->clusterSchedulingPolicyPreference = a->cluster_policy;
        return cudaSuccess;
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
        v->sharedMemCarveout = a->carveout;
        return cudaSuccess;
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        node_get_updatable(n, v);
        return cudaSuccess;
    default:
        return memory_attributes_get(&a->memory, id, v);
    }
}

static struct node *kernel_node(cudaGraphNode_t handle)
{
    struct node *n = node_of(handle);
    return n && n->type == cudaGraphNodeTypeKernel ? n : NULL;
}

EXPORT cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                                   const cudaLaunchAttributeValue *value)
{
    API_ENTER(cudaGraphKernelNodeSetAttribute);
    struct node *n = kernel_node(handle);
    API_REFUSE_IF(!n || !value, cudaErrorInvalidValue);
    if (id == cudaLaunchAttributeDeviceUpdatableKernelNode) /* gives the handle back in it */
        return api_leave(node_set_updatable(n, (cudaLaunchAttributeValue *)(uintptr_t)value));
    return api_leave(kernel_attribute_set(n, id, value));
}

EXPORT cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                                   cudaLaunchAttributeValue *value)
{
    API_ENTER(cudaGraphKernelNodeGetAttribute);
    const struct node *n = kernel_node(handle);
    return api_leave(n && value ? get(n, id, value) : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
    API_ENTER(cudaGraphKernelNodeCopyAttributes);
    struct node *a = kernel_node(to), *b = kernel_node(from);
    API_REFUSE_IF(!a || !b || a->device != b->device, cudaErrorInvalidValue);
    API_REFUSE_IF(a->updatable || b->updatable, cudaErrorNotSupported);
    a->priority = b->priority;
    a->attributes = b->attributes;
    return api_leave(cudaSuccess);
}

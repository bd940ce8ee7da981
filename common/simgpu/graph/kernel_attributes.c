/*
 * kernel_attributes.c: attributes of kernel nodes, and those that a launch gives to the node it is
 * captured as. Of all of them only the priority changes what the simulated device does; the others
 * are kept, and checked as an H200 checks them.
 */
#include <string.h>

#include "graph.h"

struct kernel_attributes kernel_attributes_fresh(void)
{
    return (struct kernel_attributes){.memory = memory_attributes_fresh()};
}

bool kernel_attributes_match(const struct kernel_attributes *a, const struct kernel_attributes *b)
{
    return a->cooperative == b->cooperative &&
           memcmp(&a->cluster, &b->cluster, sizeof a->cluster) == 0;
}

/* A cluster divides the grid. */
static cudaError_t cluster_error(const struct simgpu_dim *g, const cudaLaunchAttributeValue *v)
{
    unsigned x = v->clusterDim.x, y = v->clusterDim.y, z = v->clusterDim.z;
    if (!x && !y && !z)
        return cudaSuccess;
    if (!x || !y || !z || g->x % x || g->y % y || g->z % z)
        return cudaErrorInvalidClusterSize;
    return cudaSuccess;
}

static cudaError_t set_cluster(struct node *n, const cudaLaunchAttributeValue *v)
{
    cudaError_t e = cluster_error(&n->work.kernel.call->launch.grid, v);
    if (e == cudaSuccess)
        n->attributes.cluster = (dim3){v->clusterDim.x, v->clusterDim.y, v->clusterDim.z};
    return e;
}

static cudaError_t set(struct node *n, cudaLaunchAttributeID id, const cudaLaunchAttributeValue *v)
{
    struct kernel_attributes *a = &n->attributes;
    switch (id) {
    case cudaLaunchAttributePriority:
        n->priority = stream_clamp_priority(v->priority);
        return cudaSuccess;
    case cudaLaunchAttributeCooperative:
        a->cooperative = v->cooperative;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        return set_cluster(n, v);
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        a->cluster_policy = v->clusterSchedulingPolicyPreference;
        return cudaSuccess;
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
        if (v->sharedMemCarveout > 100 && v->sharedMemCarveout != (unsigned)-1)
            return cudaErrorInvalidValue;
        a->carveout = v->sharedMemCarveout;
        return cudaSuccess;
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
        return cudaSuccess;
    default:
        return memory_attributes_set(&a->memory, id, v);
    }
}

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

/* ---- launches -------------------------------------------------------------------------------- */

static cudaError_t launch_error(const struct stream *s, const struct simgpu_dim *grid,
                                cudaLaunchAttributeID id, const cudaLaunchAttributeValue *v)
{
    cudaError_t e;
    switch (id) {
    case cudaLaunchAttributeClusterDimension:
        e = cluster_error(grid, v);
        if (e == cudaSuccess &&
            v->clusterDim.x * v->clusterDim.y * v->clusterDim.z > CLUSTER_BLOCKS)
            e = cudaErrorInvalidClusterSize;
        return e;
    case cudaLaunchAttributeProgrammaticEvent:
        return launch_event_error(v->programmaticEvent.event, v->programmaticEvent.flags, s);
    case cudaLaunchAttributeLaunchCompletionEvent:
        return launch_event_error(v->launchCompletionEvent.event, v->launchCompletionEvent.flags,
                                  s);
    default: /* what the headers do not name is no attribute */
        return (unsigned)id > cudaLaunchAttributeNvlinkUtilCentricScheduling ? cudaErrorInvalidValue
                                                                             : cudaSuccess;
    }
}

cudaError_t launch_attributes_error(const struct stream *s, const struct simgpu_dim *grid,
                                    const cudaLaunchAttribute *attributes, unsigned n)
{
    cudaError_t e = cudaSuccess;
    for (unsigned i = 0; i < n && e == cudaSuccess; i++)
        e = launch_error(s, grid, attributes[i].id, &attributes[i].val);
    return e;
}

/* Both events are recorded when the kernel is done: that it may let others begin earlier is not
 * modelled. */
cudaError_t launch_attributes_after(cudaStream_t stream, struct stream *s, struct node *kernel,
                                    const cudaLaunchAttribute *attributes, unsigned n)
{
    static const cudaGraphEdgeData programmatic = {.from_port = cudaGraphKernelNodePortProgrammatic,
                                                   .type = cudaGraphDependencyTypeProgrammatic};
    static const cudaGraphEdgeData completion = {.from_port =
                                                     cudaGraphKernelNodePortLaunchCompletion};
    cudaError_t e = cudaSuccess;
    for (unsigned i = 0; i < n && e == cudaSuccess; i++) {
        const cudaLaunchAttributeValue *v = &attributes[i].val;
        if (attributes[i].id == cudaLaunchAttributeProgrammaticEvent)
            e = launch_event_record(v->programmaticEvent.event, stream, s, kernel, programmatic);
        else if (attributes[i].id == cudaLaunchAttributeLaunchCompletionEvent)
            e = launch_event_record(v->launchCompletionEvent.event, stream, s, kernel, completion);
    }
    return e;
}

void launch_attributes_before(struct stream *s, const cudaLaunchAttribute *attributes, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (attributes[i].id == cudaLaunchAttributeProgrammaticStreamSerialization &&
            attributes[i].val.programmaticStreamSerializationAllowed)
            for (int k = 0; k < s->frontier.n; k++)
                if (s->frontier.nodes[k]->type == cudaGraphNodeTypeKernel)
                    s->frontier.data[k] =
                        (cudaGraphEdgeData){.from_port = cudaGraphKernelNodePortProgrammatic,
                                            .type = cudaGraphDependencyTypeProgrammatic};
}

void launch_attributes_keep(struct node *n, const cudaLaunchAttribute *attributes,
                            unsigned n_attributes)
{
    for (unsigned i = 0; i < n_attributes; i++)
        set(n, attributes[i].id, &attributes[i].val);
}

/* ---- the calls ------------------------------------------------------------------------------- */

static struct node *kernel_node(cudaGraphNode_t handle)
{
    struct node *n = node_of(handle);
    return n && n->type == cudaGraphNodeTypeKernel ? n : NULL;
}

EXPORT cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                                   const cudaLaunchAttributeValue *value)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_NODE, "cudaGraphKernelNodeSetAttribute", &e))
        return e;
    struct node *n = kernel_node(handle);
    if (!n || !value)
        return api_leave(cudaErrorInvalidValue);
    if (id == cudaLaunchAttributeDeviceUpdatableKernelNode) /* gives the handle back in it */
        return api_leave(node_set_updatable(n, (cudaLaunchAttributeValue *)(uintptr_t)value));
    return api_leave(set(n, id, value));
}

EXPORT cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                                   cudaLaunchAttributeValue *value)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaGraphKernelNodeGetAttribute", &e))
        return e;
    const struct node *n = kernel_node(handle);
    return api_leave(n && value ? get(n, id, value) : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_NODE, "cudaGraphKernelNodeCopyAttributes", &e))
        return e;
    struct node *a = kernel_node(to), *b = kernel_node(from);
    if (!a || !b)
        return api_leave(cudaErrorInvalidValue);
    if (a->updatable || b->updatable)
        return api_leave(cudaErrorNotSupported);
    a->priority = b->priority;
    a->attributes = b->attributes;
    return api_leave(cudaSuccess);
}

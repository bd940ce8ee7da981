/* kernel_attributes.c: attributes of kernel nodes. Of all of them only the priority changes what
 * the simulated device does; the others are kept, and checked as an H200 checks them. */
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

cudaError_t cluster_error(const struct simgpu_dim *g, const cudaLaunchAttributeValue *v)
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

cudaError_t kernel_attribute_set(struct node *n, cudaLaunchAttributeID id,
                                 const cudaLaunchAttributeValue *v)
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

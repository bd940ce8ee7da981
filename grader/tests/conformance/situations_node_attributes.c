/*
 * situations_node_attributes.c: attributes of kernel nodes.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static void attribute(cudaGraphNode_t n, int id)
{
    cudaLaunchAttributeValue v;
    memset(&v, 0x11, sizeof v);
    cudaError_t e = cudaGraphKernelNodeGetAttribute(n, (cudaLaunchAttributeID)id, &v);
    answer_text("%d %s %#x", id, error_text(e), *(unsigned *)&v);
}

SITUATION(
    defaults,
    "cudaGraphKernelNodeGetAttribute of a new kernel node: attributes 1 to 9: error and first word")
{
    cudaGraphNode_t n = add_store(new_graph(), NULL, device_bytes(64), 1);
    for (int id = 1; id < 10; id++)
        attribute(n, id);
}

SITUATION(defaults_more, "cudaGraphKernelNodeGetAttribute of a new kernel node: attributes 10 to "
                         "17, 0, 99: error and first word")
{
    cudaGraphNode_t n = add_store(new_graph(), NULL, device_bytes(64), 1);
    for (int id = 10; id < 18; id++)
        attribute(n, id);
    attribute(n, 0);
    attribute(n, 99);
}

SITUATION(
    set_kinds,
    "cudaGraphKernelNodeSetAttribute: cluster 2; cluster 3 of a grid of 1; cooperative 1; access "
    "window of 0 bytes; preferred carve-out 50, 101; programmatic serialisation; NULL value")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    struct cudaKernelNodeParams k = store_params(p, 1);
    cudaGraphNode_t n;
    k.gridDim.x = 4;
    MUST(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    cudaLaunchAttributeValue v;
    memset(&v, 0, sizeof v);
    v.clusterDim.x = 2;
    v.clusterDim.y = v.clusterDim.z = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
    attribute(n, cudaLaunchAttributeClusterDimension);
    v.clusterDim.x = 3;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
    memset(&v, 0, sizeof v);
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeAccessPolicyWindow, &v));
    v.sharedMemCarveout = 50;
    answer(
        cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePreferredSharedMemoryCarveout, &v));
    v.sharedMemCarveout = 101;
    answer(
        cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePreferredSharedMemoryCarveout, &v));
    memset(&v, 0, sizeof v);
    v.programmaticStreamSerializationAllowed = 1;
    answer(
        cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeProgrammaticStreamSerialization, &v));
    v.cooperative = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
}

SITUATION(attribute_of_others, "cudaGraphKernelNodeGetAttribute and SetAttribute of a memset node, "
                               "an empty node, NULL: priority")
{
    cudaGraph_t g = new_graph();
    cudaLaunchAttributeValue v = {.priority = -1};
    cudaGraphNode_t list[] = {add_memset(g, NULL, device_bytes(64), 1), add_empty(g, NULL),
                              add_letter(g, NULL, 'a'), NULL};
    for (int i = 0; i < 4; i++) {
        answer(cudaGraphKernelNodeSetAttribute(list[i], cudaLaunchAttributePriority, &v));
        v.priority = 7;
        answer(cudaGraphKernelNodeGetAttribute(list[i], cudaLaunchAttributePriority, &v));
        v.priority = -1;
    }
}

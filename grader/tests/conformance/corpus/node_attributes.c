/* node_attributes.c: attributes of kernel nodes. */
#include "../graphs.h"

SITUATION("cudaGraphKernelNodeSetAttribute of each id from 0 to 17, value zero",
          "cudaGraphKernelNodeSetAttribute: InvalidValue; Success; Success; InvalidValue; Success; "
          "Success; InvalidValue; InvalidValue; Success; Success; Success; InvalidValue; "
          "InvalidValue; Success; Success; InvalidValue; Success; InvalidValue")
{
    for (int id = 0; id < 18; id++) {
        cudaGraphNode_t n;
        cudaLaunchAttributeValue v = {0};
        graph_of_one("kernel", &n);
        answer(cudaGraphKernelNodeSetAttribute(n, (cudaLaunchAttributeID)id, &v));
    }
}

SITUATION("kernel node priority: fresh; set -3; -100; 100; 1; in a graph captured from a stream of "
          "priority -2; run; kernel node cooperative: fresh; set 1; read; set 2; read",
          "v.priority: -3; -5; 0; 0")
{
    static const int set[] = {-3, -100, 100, 1};
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaLaunchAttributeValue v;
    MUST(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributePriority, &v));
    shows("0", "%d", v.priority);
    for (int i = 0; i < 4; i++) {
        v.priority = set[i];
        answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePriority, &v));
        MUST(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributePriority, &v));
        answer_text("%d", v.priority);
    }
    answer_run(new_exec(g));
    cudaStream_t s;
    MUST(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -2));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(launch_one(situation_nothing(), NULL, s));
    g = captured("1 nodes", s);
    MUST(cudaGraphKernelNodeGetAttribute(nth_node(g, 0), cudaLaunchAttributePriority, &v));
    shows("-2", "%d", v.priority);
    n = node_of("kernel");
    MUST(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeCooperative, &v));
    shows("0", "%d", v.cooperative);
    v.cooperative = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
    v.cooperative = 9;
    answer(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeCooperative, &v));
    shows("1", "%d", v.cooperative);
    v.cooperative = 2;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
    answer(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeCooperative, &v));
    shows("2", "%d", v.cooperative);
}

SITUATION("attributes of a memset node: get; set; NULL node: get; id 99; -1; "
          "cudaGraphKernelNodeCopyAttributes from a memset node; to one; to NULL; from NULL")
{
    cudaGraphNode_t n = node_of("kernel"), m = node_of("memset");
    cudaLaunchAttributeValue v = {0};
    gives(InvalidValue, cudaGraphKernelNodeGetAttribute(m, cudaLaunchAttributePriority, &v));
    gives(InvalidValue, cudaGraphKernelNodeSetAttribute(m, cudaLaunchAttributePriority, &v));
    gives(InvalidValue, cudaGraphKernelNodeGetAttribute(NULL, cudaLaunchAttributePriority, &v));
    gives(InvalidValue, cudaGraphKernelNodeGetAttribute(n, (cudaLaunchAttributeID)99, &v));
    gives(InvalidValue, cudaGraphKernelNodeSetAttribute(n, (cudaLaunchAttributeID)-1, &v));
    gives(InvalidValue, cudaGraphKernelNodeCopyAttributes(n, m));
    gives(InvalidValue, cudaGraphKernelNodeCopyAttributes(m, n));
    gives(InvalidValue, cudaGraphKernelNodeCopyAttributes(NULL, n));
    gives(InvalidValue, cudaGraphKernelNodeCopyAttributes(n, NULL));
}

SITUATION("cudaGraphKernelNodeGetAttribute and cudaGraphKernelNodeSetAttribute with a NULL value",
          CRASHES_ON_GPU)
{
    cudaGraphNode_t n = node_of("kernel");
    gives(InvalidValue, cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributePriority, NULL));
    gives(InvalidValue, cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePriority, NULL));
}

SITUATION("kernel node attributes: cluster 2 of a grid of 1; cluster 1; cluster 0 1 1; carveout "
          "50, read; carveout 101; sync domain 1, read; domain 7; scheduling policy 1, read; 9",
          "cudaGraphKernelNodeSetAttribute(sets[i].id): Success; InvalidValue; Success; "
          "InvalidValue; Success; Success",
          "v.sharedMemCarveout: 50; 50; 1; 1; 1; 9")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaLaunchAttributeValue v = {0};
    v.clusterDim.x = 2;
    v.clusterDim.y = v.clusterDim.z = 1;
    gives(InvalidClusterSize,
          cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
    v.clusterDim.x = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
    v.clusterDim.x = 0;
    gives(InvalidClusterSize,
          cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
    static const struct {
        cudaLaunchAttributeID id;
        unsigned value;
    } sets[] = {{cudaLaunchAttributePreferredSharedMemoryCarveout, 50},
                {cudaLaunchAttributePreferredSharedMemoryCarveout, 101},
                {cudaLaunchAttributeMemSyncDomain, 1},
                {cudaLaunchAttributeMemSyncDomain, 7},
                {cudaLaunchAttributeClusterSchedulingPolicyPreference, 1},
                {cudaLaunchAttributeClusterSchedulingPolicyPreference, 9}};
    for (int i = 0; i < 6; i++) {
        memset(&v, 0, sizeof v);
        v.sharedMemCarveout = sets[i].value;
        answer(cudaGraphKernelNodeSetAttribute(n, sets[i].id, &v));
        memset(&v, 0, sizeof v);
        answer(cudaGraphKernelNodeGetAttribute(n, sets[i].id, &v));
        answer_text("%u", v.sharedMemCarveout);
    }
    answer_run(new_exec(g));
}

SITUATION("cudaGraphKernelNodeCopyAttributes: priority -4 and cooperative copied; to itself; a "
          "clone keeps them")
{
    cudaGraph_t g = new_graph(), copy;
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, a, p, 2), c;
    cudaLaunchAttributeValue v = {0};
    v.priority = -4;
    MUST(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &v));
    v.cooperative = 1;
    MUST(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeCooperative, &v));
    answer(cudaGraphKernelNodeCopyAttributes(b, a));
    MUST(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributePriority, &v));
    shows("-4", "%d", v.priority);
    MUST(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributeCooperative, &v));
    shows("1", "%d", v.cooperative);
    answer(cudaGraphKernelNodeCopyAttributes(a, a));
    MUST(cudaGraphClone(&copy, g));
    MUST(cudaGraphNodeFindInClone(&c, b, copy));
    MUST(cudaGraphKernelNodeGetAttribute(c, cudaLaunchAttributePriority, &v));
    shows("-4", "%d", v.priority);
}

static void attribute(cudaGraphNode_t n, int id)
{
    cudaLaunchAttributeValue v;
    memset(&v, 0x11, sizeof v);
    cudaError_t e = cudaGraphKernelNodeGetAttribute(n, (cudaLaunchAttributeID)id, &v);
    answer_fact("attribute, error, value", "%d %s %#x", id, error_text(e), *(unsigned *)&v);
}

SITUATION(
    "cudaGraphKernelNodeGetAttribute of a new kernel node: attributes 0 to 17, 99: error and first "
    "word",
    "attribute, error, value: 0 InvalidValue 0x11111111; 1 Success 0; 2 Success 0; 3 InvalidValue "
    "0x11111111; 4 Success 0; 5 Success 0; 6 InvalidValue 0x11111111; 7 InvalidValue 0x11111111; 8 "
    "Success 0; 9 Success 0x11110100; 10 Success 0; 11 InvalidValue 0x11111111; 12 InvalidValue "
    "0x11111111; 13 Success 0; 14 Success 0; 15 InvalidValue 0x11111111; 16 InvalidValue "
    "0x11111111; 17 InvalidValue 0x11111111; 99 InvalidValue 0x11111111")
{
    cudaGraphNode_t n = add_store(new_graph(), NULL, device_bytes(64), 1);
    for (int id = 0; id < 18; id++)
        attribute(n, id);
    attribute(n, 99);
}

SITUATION(
    "cudaGraphKernelNodeSetAttribute: cluster 2; cluster 3 of a grid of 1; cooperative 1; access "
    "window of 0 bytes; preferred carve-out 50, 101; programmatic serialization; NULL value",
    "attribute, error, value: 4 Success 0x2")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    struct cudaKernelNodeParams k = store_params(p, 1);
    cudaGraphNode_t n;
    k.gridDim.x = 4;
    MUST(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    cudaLaunchAttributeValue v = {0};
    v.clusterDim.x = 2;
    v.clusterDim.y = v.clusterDim.z = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
    attribute(n, cudaLaunchAttributeClusterDimension);
    v.clusterDim.x = 3;
    gives(InvalidClusterSize,
          cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
    memset(&v, 0, sizeof v);
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeAccessPolicyWindow, &v));
    v.sharedMemCarveout = 50;
    answer(
        cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePreferredSharedMemoryCarveout, &v));
    v.sharedMemCarveout = 101;
    gives(InvalidValue,
          cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePreferredSharedMemoryCarveout, &v));
    memset(&v, 0, sizeof v);
    v.programmaticStreamSerializationAllowed = 1;
    gives(InvalidValue, cudaGraphKernelNodeSetAttribute(
                            n, cudaLaunchAttributeProgrammaticStreamSerialization, &v));
    v.cooperative = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
}

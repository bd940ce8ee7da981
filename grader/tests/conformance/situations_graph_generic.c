/*
 * situations_graph_generic.c: cudaGraphAddNode, cudaGraphNodeSetParams and attributes of kernel
 * nodes.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static struct cudaGraphNodeParams of_type(enum cudaGraphNodeType type)
{
    struct cudaGraphNodeParams q;
    memset(&q, 0, sizeof q);
    q.type = type;
    return q;
}

static cudaError_t add(struct cudaGraphNodeParams *q)
{
    cudaGraphNode_t n = NULL;
    return cudaGraphAddNode(&n, new_graph(), NULL, NULL, 0, q);
}

static struct cudaGraphNodeParams kernel_of(int *p, int value)
{
    struct cudaKernelNodeParams k = store_params(p, value);
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeKernel);
    q.kernel.func = k.func;
    q.kernel.gridDim = k.gridDim;
    q.kernel.blockDim = k.blockDim;
    q.kernel.kernelParams = k.kernelParams;
    return q;
}

static struct cudaGraphNodeParams memset_of(void *p, int value)
{
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeMemset);
    q.memset.dst = p;
    q.memset.value = (unsigned)value;
    q.memset.elementSize = 1;
    q.memset.width = SMALL;
    q.memset.height = 1;
    return q;
}

SITUATION(generic_every, "cudaGraphAddNode of each kind in one chain: types, run")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    int *p = device_bytes(SMALL);
    struct cudaGraphNodeParams q[8] = {kernel_of(p, 1), memset_of(p, 2)};
    q[2] = of_type(cudaGraphNodeTypeMemcpy);
    q[2].memcpy.copyParams = copy_params(p, pinned_bytes(SMALL), SMALL, cudaMemcpyHostToDevice);
    q[3] = of_type(cudaGraphNodeTypeHost);
    q[3].host.fn = write_letter;
    q[4] = of_type(cudaGraphNodeTypeGraph);
    q[4].graph.graph = captured_memsets(1);
    q[5] = of_type(cudaGraphNodeTypeEmpty);
    q[6] = of_type(cudaGraphNodeTypeEventRecord);
    q[6].eventRecord.event = new_event(0);
    q[7] = of_type(cudaGraphNodeTypeWaitEvent);
    q[7].eventWait.event = q[6].eventRecord.event;
    for (int i = 0; i < 8; i++)
        answer(cudaGraphAddNode(&n, g, &n, NULL, i > 0, &q[i]));
    answer_types(g);
    answer_run(new_exec(g));
}

SITUATION(generic_memory, "cudaGraphAddNode of an alloc node and its free node: address; types; "
                          "run twice")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeMemAlloc);
    q.alloc.poolProps = alloc_params(SMALL).poolProps;
    q.alloc.bytesize = SMALL;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    answer_text(q.alloc.dptr ? "an address" : "NULL");
    void *p = q.alloc.dptr;
    q = of_type(cudaGraphNodeTypeMemFree);
    q.free.dptr = p;
    answer(cudaGraphAddNode(&n, g, &n, NULL, 1, &q));
    answer_types(g);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION(generic_types, "cudaGraphAddNode of type 99; -1; 14; signal; wait semaphores; "
                         "conditional without a handle; all else zero")
{
    static const int types[] = {99, -1, 14, 8, 9, 13, 0, 1, 2, 3, 4, 5, 6, 7, 10, 11};
    for (int i = 0; i < 16; i++) {
        struct cudaGraphNodeParams q = of_type((enum cudaGraphNodeType)types[i]);
        answer(add(&q));
    }
}

SITUATION(generic_reserved, "cudaGraphAddNode with a reserved word set: reserved0; reserved2; "
                            "padding; of a NULL result")
{
    int *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    struct cudaGraphNodeParams q = memset_of(p, 1);
    q.reserved0[1] = 1;
    answer(add(&q));
    q = memset_of(p, 1);
    q.reserved2 = 1;
    answer(add(&q));
    q = memset_of(p, 1);
    q.reserved1[28] = 1;
    answer(add(&q));
    q = memset_of(p, 1);
    answer(cudaGraphAddNode(NULL, g, NULL, NULL, 0, &q));
    answer_shape(g);
}

SITUATION(generic_set, "cudaGraphNodeSetParams of a kernel; memset; host node; empty; child; event "
                       "record; alloc; what runs")
{
    static const char *const kinds[] = {"empty", "child", "alloc"};
    static const enum cudaGraphNodeType types[] = {cudaGraphNodeTypeEmpty, cudaGraphNodeTypeGraph,
                                                   cudaGraphNodeTypeMemAlloc};
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL), *r = device_bytes(SMALL);
    cudaGraphNode_t k = add_store(g, NULL, p, 1), m = add_memset(g, NULL, r, 1), n;
    struct cudaGraphNodeParams q = kernel_of(p, 9);
    answer(cudaGraphNodeSetParams(k, &q));
    q = memset_of(r, 8);
    answer(cudaGraphNodeSetParams(m, &q));
    answer_run(new_exec(g));
    answer_text("%d %d", device_int(p), device_byte(r));
    for (int i = 0; i < 3; i++) {
        graph_of_one(kinds[i], &n);
        q = of_type(types[i]);
        if (i == 1)
            q.graph.graph = captured_memsets(2);
        answer(cudaGraphNodeSetParams(n, &q));
    }
    graph_of_one("record", &n);
    q = of_type(cudaGraphNodeTypeEventRecord);
    q.eventRecord.event = new_event(0);
    answer(cudaGraphNodeSetParams(n, &q));
}

SITUATION(generic_exec_set, "cudaGraphExecNodeSetParams of a kernel; memset; host; event; empty; "
                            "child; another type; what runs")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL), *r = device_bytes(SMALL);
    cudaGraphNode_t k = add_store(g, NULL, p, 1), m = add_memset(g, NULL, r, 1);
    cudaGraphNode_t h = add_letter(g, NULL, 'a'), e = add_record(g, NULL, new_event(0));
    cudaGraphNode_t empty = add_empty(g, NULL), c = add_child(g, NULL, captured_memsets(1));
    cudaGraphExec_t x = new_exec(g);
    struct cudaGraphNodeParams q = kernel_of(p, 9);
    answer(cudaGraphExecNodeSetParams(x, k, &q));
    answer(cudaGraphExecNodeSetParams(x, m, &q));
    q = memset_of(r, 8);
    answer(cudaGraphExecNodeSetParams(x, m, &q));
    q = of_type(cudaGraphNodeTypeHost);
    q.host.fn = write_letter;
    q.host.userData = (void *)(intptr_t)'b';
    answer(cudaGraphExecNodeSetParams(x, h, &q));
    q = of_type(cudaGraphNodeTypeEventRecord);
    q.eventRecord.event = new_event(0);
    answer(cudaGraphExecNodeSetParams(x, e, &q));
    q = of_type(cudaGraphNodeTypeEmpty);
    answer(cudaGraphExecNodeSetParams(x, empty, &q));
    q = of_type(cudaGraphNodeTypeGraph);
    q.graph.graph = captured_memsets(1);
    answer(cudaGraphExecNodeSetParams(x, c, &q));
    answer_run(x);
    answer_text("%d %d '%s'", device_int(p), device_byte(r), log_text());
}

SITUATION(generic_move, "cudaGraphAddNode of a child graph to be moved: then destroy; instantiate; "
                        "add it elsewhere; add a node to it; run")
{
    cudaGraph_t g = new_graph(), child = captured_memsets(1), inside = NULL;
    cudaGraphNode_t n = NULL;
    cudaGraphExec_t x;
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeGraph);
    q.graph.graph = child;
    q.graph.ownership = cudaGraphChildGraphOwnershipMove;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    answer(cudaGraphChildGraphNodeGetGraph(n, &inside));
    answer_text(inside == child ? "same handle" : "another handle");
    answer(cudaGraphDestroy(child));
    answer(cudaGraphInstantiate(&x, child, 0));
    answer(cudaGraphAddChildGraphNode(&n, new_graph(), NULL, 0, child));
    answer(cudaGraphAddEmptyNode(&n, child, NULL, 0));
    answer_run(new_exec(g));
}

SITUATION(generic_move_alloc, "cudaGraphAddNode of a child graph with alloc and free, to be moved; "
                              "to be cloned; run twice")
{
    cudaGraph_t g = new_graph(), child = new_graph();
    cudaGraphNode_t n = NULL;
    void *p;
    cudaGraphNode_t a = add_alloc(child, NULL, SMALL, &p);
    add_free(child, a, p);
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeGraph);
    q.graph.graph = child;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    q.graph.ownership = cudaGraphChildGraphOwnershipMove;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    q.graph.ownership = (enum cudaGraphChildGraphNodeOwnership)2;
    q.graph.graph = captured_memsets(1);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

/* ---- attributes of kernel nodes -------------------------------------------------------------- */

SITUATION(attribute_ids, "cudaGraphKernelNodeGetAttribute of each id from 0 to 17 of a fresh node")
{
    cudaGraphNode_t n;
    graph_of_one("kernel", &n);
    for (int id = 0; id < 18; id++) {
        cudaLaunchAttributeValue v;
        memset(&v, 0, sizeof v);
        answer(cudaGraphKernelNodeGetAttribute(n, (cudaLaunchAttributeID)id, &v));
    }
}

SITUATION(attribute_set_ids, "cudaGraphKernelNodeSetAttribute of each id from 0 to 17, value zero")
{
    for (int id = 0; id < 18; id++) {
        cudaGraphNode_t n;
        cudaLaunchAttributeValue v;
        memset(&v, 0, sizeof v);
        graph_of_one("kernel", &n);
        answer(cudaGraphKernelNodeSetAttribute(n, (cudaLaunchAttributeID)id, &v));
    }
}

SITUATION(attribute_priority, "kernel node priority: fresh; set -3; -100; 100; 1; in a graph "
                              "captured from a stream of priority -2; run")
{
    static const int set[] = {-3, -100, 100, 1};
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaLaunchAttributeValue v;
    MUST(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
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
    MUST(cudaLaunchKernel(situation_nothing(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, s));
    g = answer_end(s);
    MUST(cudaGraphKernelNodeGetAttribute(nth_node(g, 0), cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
}

SITUATION(attribute_cooperative,
          "kernel node cooperative: fresh; set 1; read; set 2; a window; read")
{
    cudaGraphNode_t n;
    graph_of_one("kernel", &n);
    cudaLaunchAttributeValue v;
    memset(&v, 0, sizeof v);
    MUST(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeCooperative, &v));
    answer_text("%d", v.cooperative);
    v.cooperative = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
    v.cooperative = 9;
    answer(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeCooperative, &v));
    answer_text("%d", v.cooperative);
    v.cooperative = 2;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
    answer(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeCooperative, &v));
    answer_text("%d", v.cooperative);
}

SITUATION(attribute_bad, "attributes of a memset node: get; set; copy from it; NULL node: get; "
                         "id 99; -1")
{
    cudaGraphNode_t n, m;
    cudaLaunchAttributeValue v;
    memset(&v, 0, sizeof v);
    graph_of_one("kernel", &n);
    graph_of_one("memset", &m);
    answer(cudaGraphKernelNodeGetAttribute(m, cudaLaunchAttributePriority, &v));
    answer(cudaGraphKernelNodeSetAttribute(m, cudaLaunchAttributePriority, &v));
    answer(cudaGraphKernelNodeGetAttribute(NULL, cudaLaunchAttributePriority, &v));
    answer(cudaGraphKernelNodeGetAttribute(n, (cudaLaunchAttributeID)99, &v));
    answer(cudaGraphKernelNodeSetAttribute(n, (cudaLaunchAttributeID)-1, &v));
}

SITUATION(attribute_null_get, "cudaGraphKernelNodeGetAttribute with a NULL value")
{
    cudaGraphNode_t n;
    graph_of_one("kernel", &n);
    answer(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributePriority, NULL));
}

SITUATION(attribute_null_set, "cudaGraphKernelNodeSetAttribute with a NULL value")
{
    cudaGraphNode_t n;
    graph_of_one("kernel", &n);
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePriority, NULL));
}

SITUATION(attribute_copy_from_memset,
          "cudaGraphKernelNodeCopyAttributes from a memset node; to one")
{
    cudaGraphNode_t n, m;
    graph_of_one("kernel", &n);
    graph_of_one("memset", &m);
    answer(cudaGraphKernelNodeCopyAttributes(n, m));
    answer(cudaGraphKernelNodeCopyAttributes(m, n));
}

SITUATION(attribute_copy_null, "cudaGraphKernelNodeCopyAttributes to NULL; from NULL")
{
    cudaGraphNode_t n;
    graph_of_one("kernel", &n);
    answer(cudaGraphKernelNodeCopyAttributes(NULL, n));
    answer(cudaGraphKernelNodeCopyAttributes(n, NULL));
}

SITUATION(attribute_values,
          "kernel node attributes: cluster 2 of a grid of 1; cluster 1; cluster 0 "
          "1 1; carveout 50, read; carveout 101; sync domain 1, read; domain 7; "
          "scheduling policy 1, read; 9")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaLaunchAttributeValue v;
    memset(&v, 0, sizeof v);
    v.clusterDim.x = 2;
    v.clusterDim.y = v.clusterDim.z = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
    v.clusterDim.x = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
    v.clusterDim.x = 0;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
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

SITUATION(attribute_defaults, "fresh kernel node: cluster; carveout; sync domain; its map; "
                              "scheduling policy")
{
    cudaGraphNode_t n;
    graph_of_one("kernel", &n);
    cudaLaunchAttributeValue v;
    memset(&v, 0xff, sizeof v);
    MUST(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeClusterDimension, &v));
    answer_text("%u %u %u", v.clusterDim.x, v.clusterDim.y, v.clusterDim.z);
    memset(&v, 0xff, sizeof v);
    MUST(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributePreferredSharedMemoryCarveout, &v));
    answer_text("%d", (int)v.sharedMemCarveout);
    MUST(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeMemSyncDomain, &v));
    answer_text("%d", (int)v.memSyncDomain);
    MUST(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeMemSyncDomainMap, &v));
    answer_text("%d %d", v.memSyncDomainMap.default_, v.memSyncDomainMap.remote);
    MUST(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeClusterSchedulingPolicyPreference,
                                         &v));
    answer_text("%d", (int)v.clusterSchedulingPolicyPreference);
}

SITUATION(attribute_updatable, "a kernel node made device-updatable; back; read; its graph: clone; "
                               "as a child; instantiate; twice; destroy the node")
{
    cudaGraphNode_t n, m;
    cudaGraph_t g = graph_of_one("kernel", &n), copy;
    cudaGraphExec_t x;
    cudaLaunchAttributeValue v;
    memset(&v, 0, sizeof v);
    v.deviceUpdatableKernelNode.deviceUpdatable = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    v.deviceUpdatableKernelNode.deviceUpdatable = 0;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    answer(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    answer_text("%d", v.deviceUpdatableKernelNode.deviceUpdatable);
    answer(cudaGraphClone(&copy, g));
    answer(cudaGraphAddChildGraphNode(&m, new_graph(), NULL, 0, g));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphDestroyNode(n));
}

SITUATION(generic_set_child, "cudaGraphNodeSetParams of a child node to another shape: nodes in "
                             "it; same handle; run; cudaGraphExecNodeSetParams to another shape")
{
    cudaGraph_t g = new_graph(), before = NULL, after = NULL;
    cudaGraphNode_t n = add_child(g, NULL, captured_memsets(1));
    cudaGraphExec_t x = new_exec(g);
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeGraph);
    q.graph.graph = captured_memsets(2);
    MUST(cudaGraphChildGraphNodeGetGraph(n, &before));
    answer(cudaGraphNodeSetParams(n, &q));
    MUST(cudaGraphChildGraphNodeGetGraph(n, &after));
    answer_text(before == after ? "same handle" : "another handle");
    answer_shape(after);
    answer_run(new_exec(g));
    answer(cudaGraphExecNodeSetParams(x, n, &q));
}

SITUATION(generic_semaphores, "cudaGraphAddNode of semaphore nodes with number 1 and NULL arrays; "
                              "of none: run; device launch")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaGraphExec_t x = NULL;
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeExtSemaphoreSignal);
    q.extSemSignal.numExtSems = 1;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    q = of_type(cudaGraphNodeTypeExtSemaphoreWait);
    q.extSemWait.numExtSems = 1;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    q.extSemWait.numExtSems = 0;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    answer(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    answer(cudaGraphInstantiate(&x, g, 0));
    if (x)
        answer_run(x);
}

SITUATION(attribute_copy, "cudaGraphKernelNodeCopyAttributes: priority -4 and cooperative copied; "
                          "to itself; a clone keeps them")
{
    cudaGraph_t g = new_graph(), copy;
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, a, p, 2), c;
    cudaLaunchAttributeValue v;
    memset(&v, 0, sizeof v);
    v.priority = -4;
    MUST(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &v));
    v.cooperative = 1;
    MUST(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeCooperative, &v));
    answer(cudaGraphKernelNodeCopyAttributes(b, a));
    MUST(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
    MUST(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributeCooperative, &v));
    answer_text("%d", v.cooperative);
    answer(cudaGraphKernelNodeCopyAttributes(a, a));
    MUST(cudaGraphClone(&copy, g));
    MUST(cudaGraphNodeFindInClone(&c, b, copy));
    MUST(cudaGraphKernelNodeGetAttribute(c, cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
}

/* generic_nodes.c: cudaGraphAddNode, cudaGraphNodeSetParams and cudaGraphExecNodeSetParams. */
#include "../graphs.h"

static struct cudaGraphNodeParams of_type(enum cudaGraphNodeType type)
{
    struct cudaGraphNodeParams q = {0};
    q.type = type;
    return q;
}

static cudaError_t add_node(struct cudaGraphNodeParams *q)
{
    cudaGraphNode_t n = NULL;
    return cudaGraphAddNode(&n, new_graph(), NULL, NULL, 0, q);
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

SITUATION("cudaGraphAddNode of each kind in one chain: types, run")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    int *p = device_bytes(SMALL);
    struct cudaGraphNodeParams q[8] = {store_node_params(p, 1), memset_of(p, 2)};
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
    types_are("kernel memset memcpy host child empty record wait", g);
    answer_run(new_exec(g));
}

SITUATION("cudaGraphAddNode of an alloc node and its free node: address; types; run twice")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeMemAlloc);
    q.alloc.poolProps = alloc_params(SMALL).poolProps;
    q.alloc.bytesize = SMALL;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    shows("an address", q.alloc.dptr ? "an address" : "NULL");
    void *p = q.alloc.dptr;
    q = of_type(cudaGraphNodeTypeMemFree);
    q.free.dptr = p;
    answer(cudaGraphAddNode(&n, g, &n, NULL, 1, &q));
    types_are("alloc free", g);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION("cudaGraphAddNode of type 99; -1; 14; signal; wait semaphores; conditional without a "
          "handle; all else zero",
          "add_node: InvalidValue; InvalidValue; InvalidValue; Success; Success; InvalidValue; "
          "InvalidDeviceFunction; InvalidValue; InvalidValue; InvalidValue; InvalidValue; Success; "
          "InvalidValue; InvalidValue; InvalidValue; InvalidValue")
{
    static const int types[] = {99, -1, 14, 8, 9, 13, 0, 1, 2, 3, 4, 5, 6, 7, 10, 11};
    for (int i = 0; i < 16; i++) {
        struct cudaGraphNodeParams q = of_type((enum cudaGraphNodeType)types[i]);
        answer(add_node(&q));
    }
}

SITUATION(
    "cudaGraphAddNode with a reserved word set: reserved0; reserved2; padding; of a NULL result")
{
    int *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    struct cudaGraphNodeParams q = memset_of(p, 1);
    q.reserved0[1] = 1;
    gives(InvalidValue, add_node(&q));
    q = memset_of(p, 1);
    q.reserved2 = 1;
    gives(InvalidValue, add_node(&q));
    q = memset_of(p, 1);
    q.reserved1[28] = 1;
    gives(InvalidValue, add_node(&q));
    q = of_type(cudaGraphNodeTypeEmpty);
    q.reserved0[0] = 1;
    gives(InvalidValue, add_node(&q));
    q = memset_of(p, 1);
    gives(InvalidValue, cudaGraphAddNode(NULL, g, NULL, NULL, 0, &q));
    shape_is("0 nodes, 0 edges, 0 roots", g);
}

SITUATION("cudaGraphNodeSetParams of a kernel; memset; host node; empty; child; event record; "
          "alloc; what runs",
          "cudaGraphNodeSetParams(n): Success; Success; NotSupported; Success")
{
    static const char *const kinds[] = {"empty", "child", "alloc"};
    static const enum cudaGraphNodeType types[] = {cudaGraphNodeTypeEmpty, cudaGraphNodeTypeGraph,
                                                   cudaGraphNodeTypeMemAlloc};
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL), *r = device_bytes(SMALL);
    cudaGraphNode_t k = add_store(g, NULL, p, 1), m = add_memset(g, NULL, r, 1), n;
    struct cudaGraphNodeParams q = store_node_params(p, 9);
    answer(cudaGraphNodeSetParams(k, &q));
    q = memset_of(r, 8);
    answer(cudaGraphNodeSetParams(m, &q));
    answer_run(new_exec(g));
    shows("9 8", "%d %d", device_int(p), device_byte(r));
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

SITUATION("cudaGraphExecNodeSetParams of a kernel; memset; host; event; empty; child; another "
          "type; what runs")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL), *r = device_bytes(SMALL);
    cudaGraphNode_t k = add_store(g, NULL, p, 1), m = add_memset(g, NULL, r, 1);
    cudaGraphNode_t h = add_letter(g, NULL, 'a'), e = add_record(g, NULL, new_event(0));
    cudaGraphNode_t empty = add_empty(g, NULL), c = add_child(g, NULL, captured_memsets(1));
    cudaGraphExec_t x = new_exec(g);
    struct cudaGraphNodeParams q = store_node_params(p, 9);
    answer(cudaGraphExecNodeSetParams(x, k, &q));
    gives(InvalidValue, cudaGraphExecNodeSetParams(x, m, &q));
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
    shows("9 8 'b'", "%d %d '%s'", device_int(p), device_byte(r), host_log());
}

SITUATION("cudaGraphAddNode of a child graph to be moved: then destroy; instantiate; add it "
          "elsewhere; add a node to it; run")
{
    cudaGraph_t g = new_graph(), child = captured_memsets(1), inside = NULL;
    cudaGraphNode_t n = NULL;
    cudaGraphExec_t x;
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeGraph);
    q.graph.graph = child;
    q.graph.ownership = cudaGraphChildGraphOwnershipMove;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    answer(cudaGraphChildGraphNodeGetGraph(n, &inside));
    shows("same handle", inside == child ? "same handle" : "another handle");
    gives(InvalidValue, cudaGraphDestroy(child));
    gives(NotSupported, cudaGraphInstantiate(&x, child, 0));
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, new_graph(), NULL, 0, child));
    answer(cudaGraphAddEmptyNode(&n, child, NULL, 0));
    answer_run(new_exec(g));
}

SITUATION(
    "cudaGraphAddNode of a child graph with alloc and free, to be moved; to be cloned; run twice")
{
    cudaGraph_t g = new_graph(), child = new_graph();
    cudaGraphNode_t n = NULL;
    void *p;
    cudaGraphNode_t a = add_alloc(child, NULL, SMALL, &p);
    add_free(child, a, p);
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeGraph);
    q.graph.graph = child;
    gives(NotSupported, cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    q.graph.ownership = cudaGraphChildGraphOwnershipMove;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    q.graph.ownership = (enum cudaGraphChildGraphNodeOwnership)2;
    q.graph.graph = captured_memsets(1);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION("cudaGraphNodeSetParams of a child node to another shape: nodes in it; same handle; run; "
          "cudaGraphExecNodeSetParams to another shape")
{
    cudaGraph_t g = new_graph(), before = NULL, after = NULL;
    cudaGraphNode_t n = add_child(g, NULL, captured_memsets(1));
    cudaGraphExec_t x = new_exec(g);
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeGraph);
    q.graph.graph = captured_memsets(2);
    MUST(cudaGraphChildGraphNodeGetGraph(n, &before));
    answer(cudaGraphNodeSetParams(n, &q));
    MUST(cudaGraphChildGraphNodeGetGraph(n, &after));
    shows("another handle", before == after ? "same handle" : "another handle");
    shape_is("2 nodes, 1 edges, 1 roots", after);
    answer_run(new_exec(g));
    gives(GraphExecUpdateFailure, cudaGraphExecNodeSetParams(x, n, &q));
}

SITUATION("cudaGraphAddNode of semaphore nodes with number 1 and NULL arrays; of none: run; device "
          "launch",
          CRASHES_ON_GPU)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaGraphExec_t x = NULL;
    struct cudaGraphNodeParams q = of_type(cudaGraphNodeTypeExtSemaphoreSignal);
    q.extSemSignal.numExtSems = 1;
    gives(InvalidResourceHandle, cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    q = of_type(cudaGraphNodeTypeExtSemaphoreWait);
    q.extSemWait.numExtSems = 1;
    gives(InvalidResourceHandle, cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    q.extSemWait.numExtSems = 0;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    gives(InvalidValue, cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer_run(x);
}

SITUATION("external semaphore nodes with NULL parameters; with none of them")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaExternalSemaphoreSignalNodeParams signal = {0};
    struct cudaExternalSemaphoreWaitNodeParams wait = {0};
    gives(InvalidValue, cudaGraphAddExternalSemaphoresSignalNode(&n, g, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddExternalSemaphoresWaitNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddExternalSemaphoresSignalNode(&n, g, NULL, 0, &signal));
    answer(cudaGraphAddExternalSemaphoresWaitNode(&n, g, NULL, 0, &wait));
    n = add_empty(g, NULL);
    gives(InvalidValue, cudaGraphExternalSemaphoresSignalNodeGetParams(n, &signal));
    gives(InvalidValue, cudaGraphExternalSemaphoresWaitNodeSetParams(n, &wait));
    gives(InvalidValue, cudaGraphExecExternalSemaphoresWaitNodeSetParams(new_exec(g), n, &wait));
    shape_is("3 nodes, 0 edges, 3 roots", g);
}

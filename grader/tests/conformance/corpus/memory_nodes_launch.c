/* memory_nodes_launch.c: alloc and free nodes: what a launch allocates, and who may free it. */
#include "../graphs.h"

SITUATION("a graph that allocates and frees: second instantiate; clone; as a child; a node added; "
          "an edge removed; the alloc node destroyed; second instantiate of the changed one; "
          "instantiate again after the exec was destroyed")
{
    void *p;
    cudaGraph_t g = allocating_graph(&p, true), copy;
    cudaGraphExec_t x = new_exec(g), y;
    cudaGraphNode_t n, a = nth_node(g, 0), m = nth_node(g, 1);
    gives(NotSupported, cudaGraphInstantiate(&y, g, 0));
    gives(NotSupported, cudaGraphClone(&copy, g));
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, new_graph(), NULL, 0, g));
    answer(cudaGraphAddEmptyNode(&n, g, NULL, 0));
    gives(NotSupported, cudaGraphRemoveDependencies(g, &a, &m, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(g, &a, &m, NULL, 1));
    gives(NotSupported, cudaGraphDestroyNode(m));
    gives(NotSupported, cudaGraphDestroyNode(a));
    gives(NotSupported, cudaGraphInstantiate(&y, g, 0));
    answer_run(x);
    MUST(cudaGraphExecDestroy(x));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer_run(x);
}

SITUATION("memory of a launched graph: cudaFree; again; launch; cudaFreeAsync; again; launch")
{
    void *p;
    cudaStream_t s = nonblocking_stream();
    cudaGraphExec_t x = new_exec(allocating_graph(&p, false));
    answer_run(x);
    answer(cudaFree(p));
    gives(InvalidValue, cudaFree(p));
    answer_run(x);
    answer(cudaFreeAsync(p, s));
    gives(InvalidValue, cudaFreeAsync(p, s));
    answer_run(x);
}

SITUATION("memory of a graph that was never launched: cudaFree; cudaFreeAsync; after the exec was "
          "made; pointer attributes")
{
    void *p;
    struct cudaPointerAttributes a;
    cudaGraph_t g = allocating_graph(&p, false);
    gives(InvalidValue, cudaFree(p));
    gives(InvalidValue, cudaFreeAsync(p, 0));
    new_exec(g);
    gives(InvalidValue, cudaFree(p));
    answer(cudaPointerGetAttributes(&a, p));
    shows("type 0 device -2", "type %d device %d", (int)a.type, a.device);
}

SITUATION("memory that its graph frees: cudaFree of it after a launch; memset of it; the exec "
          "launched in two streams at once")
{
    void *p;
    cudaGraphExec_t x = new_exec(allocating_graph(&p, true));
    answer_run(x);
    gives(InvalidValue, cudaFree(p));
    gives(InvalidValue, cudaMemsetAsync(p, 1, SMALL, 0));
    answer(cudaDeviceSynchronize());
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphLaunch(x, t));
    answer(cudaDeviceSynchronize());
}

SITUATION("an exec destroyed while its memory is allocated: cudaFree then; its graph destroyed "
          "too: cudaFree")
{
    void *p, *q;
    cudaGraph_t g = allocating_graph(&p, false), h = allocating_graph(&q, false);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    answer_run(x);
    answer_run(y);
    MUST(cudaGraphExecDestroy(x));
    answer(cudaFree(p));
    MUST(cudaGraphExecDestroy(y));
    MUST(cudaGraphDestroy(h));
    shows("5", "%d", device_byte(q));
    answer(cudaFree(q));
}

SITUATION(
    "memory of one graph freed by a node of another: launches in order, twice; the second alone")
{
    void *p;
    cudaGraph_t g = allocating_graph(&p, false), h = new_graph();
    add_free(h, NULL, p);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    for (int i = 0; i < 2; i++) {
        answer_run(x);
        answer_run(y);
    }
    run_gives("InvalidValue then Success", y);
}

SITUATION("cudaGraphNodeSetEnabled of alloc and free nodes; DeviceLaunch of a graph with them; "
          "AutoFreeOnLaunch of one that frees")
{
    void *p;
    cudaGraph_t g = allocating_graph(&p, true), h = allocating_graph(&p, true),
                i = allocating_graph(&p, true);
    cudaGraphExec_t x = new_exec(g), y = NULL;
    gives(InvalidValue, cudaGraphNodeSetEnabled(x, nth_node(g, 0), 0));
    gives(InvalidValue, cudaGraphNodeSetEnabled(x, nth_node(g, 2), 0));
    gives(InvalidValue, cudaGraphInstantiate(&y, h, cudaGraphInstantiateFlagDeviceLaunch));
    answer(cudaGraphInstantiate(&y, i, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    answer_run(y);
    answer_run(y);
}

SITUATION("a kernel of a graph writes to memory that the graph allocated, a copy of the graph "
          "reads it back, then it is freed: value, twice")
{
    cudaGraph_t g = new_graph();
    void *p;
    int *h = pinned_bytes(64);
    cudaGraphNode_t a = add_alloc(g, NULL, 64, &p), k = add_store(g, a, p, 77),
                    c = add_copy(g, k, h, p);
    add_free(g, c, p);
    cudaGraphExec_t x = new_exec(g);
    for (int i = 0; i < 2; i++) {
        h[0] = 0;
        answer_run(x);
        shows("77", "%d", h[0]);
    }
}

SITUATION("an exec with AutoFreeOnLaunch of an unfreed allocation: two launches; used graph memory "
          "does not grow; without it the second launch")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    void *p;
    cudaGraphExec_t x = NULL;
    unsigned long long a = 1, b = 2;
    add_alloc(g, NULL, 1 << 20, &p);
    add_alloc(h, NULL, 1 << 20, &p);
    answer(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    answer_run(x);
    MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &a));
    answer_run(x);
    MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &b));
    shows("same", "%s", a == b ? "same" : "grows");
    cudaGraphExec_t y = new_exec(h);
    answer_run(y);
    run_gives("InvalidValue then Success", y);
    gives(InvalidValue, cudaGetLastError());
}

/*
 * situations_short_graphs.c: one question each about graphs, execs, streams and memory, as a reader
 * would put it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "situations_control.h"
#include "situations_graphs.h"
#include "situations_kernels.h"

SITUATION(use_after, "calls with a destroyed graph: add a node, nodes, clone, instantiate, destroy")
{
    cudaGraph_t g = destroyed_graph(), copy;
    cudaGraphNode_t n;
    cudaGraphExec_t x;
    size_t count;
    answer(cudaGraphAddEmptyNode(&n, g, NULL, 0));
    answer(cudaGraphGetNodes(g, NULL, &count));
    answer(cudaGraphClone(&copy, g));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphDestroy(g));
}

SITUATION(use_after_exec,
          "calls with a destroyed exec: launch, upload, update, set enabled, flags, destroy")
{
    cudaGraphExec_t x = destroyed_exec();
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaStream_t s = new_stream(0);
    cudaGraphExecUpdateResultInfo info;
    unsigned long long flags;
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphUpload(x, s));
    answer(cudaGraphExecUpdate(x, g, &info));
    answer(cudaGraphNodeSetEnabled(x, n, 0));
    answer(cudaGraphExecGetFlags(x, &flags));
    answer(cudaGraphExecDestroy(x));
}

SITUATION(
    use_after_node,
    "calls with a destroyed node: type, dependencies, as a dependency, destroy, an edge from it")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_empty(g, NULL), m = add_empty(g, NULL), k;
    enum cudaGraphNodeType type;
    size_t count;
    MUST(cudaGraphDestroyNode(n));
    answer(cudaGraphNodeGetType(n, &type));
    answer(cudaGraphNodeGetDependencies(n, NULL, NULL, &count));
    answer(cudaGraphAddEmptyNode(&k, g, &n, 1));
    answer(cudaGraphDestroyNode(n));
    answer(cudaGraphAddDependencies(g, &n, &m, NULL, 1));
}

SITUATION(
    use_after_event,
    "calls with a destroyed event: record, wait, query, synchronise, elapsed, record node, destroy")
{
    cudaEvent_t e = destroyed_event();
    cudaGraphNode_t n;
    float ms;
    answer(cudaEventRecord(e, 0));
    answer(cudaStreamWaitEvent(0, e, 0));
    answer(cudaEventQuery(e));
    answer(cudaEventSynchronize(e));
    answer(cudaEventElapsedTime(&ms, e, e));
    answer(cudaGraphAddEventRecordNode(&n, new_graph(), NULL, 0, e));
    answer(cudaEventDestroy(e));
}

SITUATION(handles_mixed,
          "a graph handed as an exec; an exec as a graph; a node as a graph; an event as a stream")
{
    cudaGraph_t g = new_graph();
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = new_stream(0);
    size_t n;
    answer(cudaGraphLaunch((cudaGraphExec_t)(void *)g, s));
    answer(cudaGraphGetNodes((cudaGraph_t)(void *)x, NULL, &n));
    answer(cudaGraphExecDestroy((cudaGraphExec_t)(void *)g));
}

SITUATION(
    freed_source,
    "a graph's memset of memory that was freed: launch error; of memory freed and given out again")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4 << 20);
    add_memset(g, NULL, p, 7);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaFree(p));
    char *q = device_bytes(4 << 20);
    answer_text("%s", p == q ? "same" : "other");
    answer_run(x);
    answer_text("%d", device_byte(q));
}

SITUATION(instantiate_freed, "a memset node of memory freed before instantiation: instantiate; a "
                             "memcpy node of it; a kernel node with its address")
{
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph();
    char *p = device_bytes(64), *q = device_bytes(64);
    cudaGraphExec_t x;
    add_memset(g, NULL, p, 7);
    add_copy(h, NULL, q, p);
    add_store(i, NULL, (int *)(void *)p, 1);
    MUST(cudaFree(p));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphInstantiate(&x, h, 0));
    answer(cudaGraphInstantiate(&x, i, 0));
}

SITUATION(launch_many,
          "an exec launched 300 times in a stream without a synchronise, each adding 1: sum")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64), one = 1;
    void *args[] = {&p, &one};
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    add_kernel(g, NULL, situation_plus(), args);
    cudaGraphExec_t x = new_exec(g);
    for (int i = 0; i < 300; i++)
        MUST(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_int(p));
}

SITUATION(param_at_add,
          "the argument of a kernel node changed on the host after the node was added: value")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64), value = 3;
    void *args[] = {&p, &value};
    add_kernel(g, NULL, situation_store(), args);
    value = 4;
    cudaGraphExec_t x = new_exec(g);
    value = 5;
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(params_pointer, "the kernelParams that cudaGraphKernelNodeGetParams gives: written to, "
                          "then launched: value; function the same")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 3);
    struct cudaKernelNodeParams k;
    MUST(cudaGraphKernelNodeGetParams(n, &k));
    answer_text("%s %d", k.func == situation_store() ? "same" : "other", *(int *)k.kernelParams[1]);
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
}

SITUATION(event_in_graph, "an event recorded by a graph: another stream waits for it after the "
                          "launch; query before the launch; elapsed to a later record")
{
    cudaGraph_t g = new_graph();
    cudaEvent_t e = new_event(0), f = new_event(0);
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    float ms = -1;
    add_record(g, NULL, e);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaEventQuery(e));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer(cudaEventRecord(f, t));
    answer(cudaStreamSynchronize(t));
    answer(cudaEventElapsedTime(&ms, e, f));
    answer_text("%s", ms >= 0 ? "not negative" : "negative");
}

SITUATION(update_clone, "update of an exec from a clone of its graph with one node changed; from "
                        "the graph itself after its node was changed: values")
{
    cudaGraph_t g = new_graph(), h;
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1), m;
    cudaGraphExec_t x = new_exec(g);
    cudaGraphExecUpdateResultInfo info;
    MUST(cudaGraphClone(&h, g));
    MUST(cudaGraphNodeFindInClone(&m, n, h));
    struct cudaKernelNodeParams k = store_params(p, 2);
    MUST(cudaGraphKernelNodeSetParams(m, &k));
    answer(cudaGraphExecUpdate(x, h, &info));
    answer_run(x);
    answer_text("%d", device_int(p));
    answer(cudaGraphExecUpdate(x, g, &info));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(update_running,
          "an exec updated while a launch of it waits: that launch's value, the next one's")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    int *p = device_bytes(64);
    add_store(g, NULL, p, 1);
    add_store(h, NULL, p, 2);
    cudaGraphExec_t x = new_exec(g);
    cudaGraphExecUpdateResultInfo info;
    gate_shut(s);
    MUST(cudaGraphLaunch(x, s));
    answer(cudaGraphExecUpdate(x, h, &info));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_int(p));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(
    disable_all,
    "every node of a chain disabled: run; the middle one enabled: value; enabled of a clone's node")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, a, p, 2),
                    c = add_store(g, b, p, 3);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphNodeSetEnabled(x, a, 0));
    answer(cudaGraphNodeSetEnabled(x, b, 0));
    answer(cudaGraphNodeSetEnabled(x, c, 0));
    answer_run(x);
    answer_text("%d", device_int(p));
    answer(cudaGraphNodeSetEnabled(x, b, 1));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(memory_reuse, "two allocations of a graph, the first freed before the second: same "
                        "address; the second beside the first: same address")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    void *p, *q;
    cudaGraphNode_t a = add_alloc(g, NULL, 1 << 20, &p), f = add_free(g, a, p);
    a = add_alloc(g, f, 1 << 20, &q);
    answer_text("%s", p == q ? "same" : "other");
    add_alloc(h, NULL, 1 << 20, &p);
    add_alloc(h, NULL, 1 << 20, &q);
    answer_text("%s", p == q ? "same" : "other");
}

SITUATION(memory_values, "a kernel of a graph writes to memory that the graph allocated, a copy of "
                         "the graph reads it back, then it is freed: value, twice")
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
        answer_text("%d", h[0]);
    }
}

SITUATION(memory_outside,
          "memory that a graph allocated and did not free: written by a stream after the launch, "
          "freed by cudaFree; freed by a second graph's free node")
{
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph();
    void *p, *q;
    add_alloc(g, NULL, 64, &p);
    add_alloc(h, NULL, 64, &q);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    answer_run(x);
    answer(cudaMemset(p, 1, 64));
    answer(cudaFree(p));
    answer_run(y);
    cudaGraphNode_t n;
    answer(cudaGraphAddMemFreeNode(&n, i, NULL, 0, q));
    answer_run(new_exec(i));
    answer(cudaFree(q));
}

SITUATION(child_memory, "a child graph that allocates and frees, as a child of another: add; "
                        "instantiate; twice in one graph")
{
    cudaGraph_t g = new_graph(), c = new_graph();
    cudaGraphNode_t n;
    void *p;
    cudaGraphNode_t a = add_alloc(c, NULL, 64, &p);
    add_free(c, a, p);
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, c));
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, c));
}

SITUATION(root_types, "the root and sink of a fork and join by hand: roots, dependents of the "
                      "root, dependencies of the sink, in order of adding")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t root = add_empty(g, NULL), a = add_empty(g, root), b = add_empty(g, root),
                    c = add_empty(g, root), got[4];
    cudaGraphNode_t deps[] = {c, a, b}, sink;
    size_t n = 4;
    MUST(cudaGraphAddEmptyNode(&sink, g, deps, 3));
    answer(cudaGraphNodeGetDependencies(sink, got, NULL, &n));
    answer_text("%s %s %s", place_text(g, got[0]), place_text(g, got[1]), place_text(g, got[2]));
    n = 4;
    answer(cudaGraphNodeGetDependentNodes(root, got, NULL, &n));
    answer_text("%s %s %s", place_text(g, got[0]), place_text(g, got[1]), place_text(g, got[2]));
    answer_edges(g);
}

SITUATION(last_error_graph, "cudaGraphInstantiate of a cycle: last error; a failed update: last "
                            "error; cudaGraphGetEdges lossy: last error")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    cudaGraphExec_t x, y;
    cudaGraphExecUpdateResultInfo info;
    add_edge(g, b, a);
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGetLastError());
    add_empty(h, NULL);
    y = new_exec(new_graph());
    answer(cudaGraphExecUpdate(y, h, &info));
    answer(cudaGetLastError());
}

SITUATION(streams_many, "200 streams made and destroyed; 200 events; an id is not given twice")
{
    unsigned long long first = 0, id = 0;
    int same = 0;
    for (int i = 0; i < 200; i++) {
        cudaStream_t s = new_stream(cudaStreamNonBlocking);
        MUST(cudaStreamGetId(s, &id));
        same += i > 0 && id == first;
        first = i == 0 ? id : first;
        MUST(cudaStreamDestroy(s));
    }
    answer_text("%d", same);
}

/*
 * refused_outputs.c: what refused calls leave in their outputs.
 */
#include <stdint.h>
#include <string.h>

#include "../graphs.h"

SITUATION(refused_outputs,
          "what refused calls leave: cudaMalloc of 1 PiB, of too much by cudaMallocHost, "
          "cudaGraphInstantiate of a cycle, cudaGraphClone of NULL, cudaStreamCreateWithFlags 7, "
          "cudaEventCreateWithFlags 8, cudaMallocAsync of 1 PiB",
          "cudaMalloc: MemoryAllocation", "LEFT(p): NULL", "cudaMallocHost: MemoryAllocation",
          "LEFT(p) #2: NULL", "cudaGraphInstantiate: InvalidValue", "LEFT(x): kept",
          "cudaGraphClone: InvalidValue", "LEFT(copy): kept",
          "cudaStreamCreateWithFlags: InvalidValue", "LEFT(s): kept",
          "cudaEventCreateWithFlags: InvalidValue", "LEFT(e): kept",
          "cudaMallocAsync: MemoryAllocation", "LEFT(p) #3: NULL")
{
    void *mark = (void *)(uintptr_t)0x11, *p = mark;
    cudaGraph_t g = new_graph(), copy = mark;
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    cudaGraphExec_t x = mark;
    cudaStream_t s = mark;
    cudaEvent_t e = mark;
    add_edge(g, b, a);
#define LEFT(v) ((void *)(v) == mark ? "kept" : (v) ? "written" : "NULL")
    answer(cudaMalloc(&p, 1ull << 50));
    answer_text("%s", LEFT(p));
    p = mark;
    answer(cudaMallocHost(&p, 1ull << 55));
    answer_text("%s", LEFT(p));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer_text("%s", LEFT(x));
    answer(cudaGraphClone(&copy, NULL));
    answer_text("%s", LEFT(copy));
    answer(cudaStreamCreateWithFlags(&s, 7));
    answer_text("%s", LEFT(s));
    answer(cudaEventCreateWithFlags(&e, 8));
    answer_text("%s", LEFT(e));
    p = mark;
    answer(cudaMallocAsync(&p, 1ull << 50, 0));
    answer_text("%s", LEFT(p));
}

SITUATION(refused_nodes,
          "what refused calls leave: an empty node with a bad dependency; a kernel node without a "
          "function; cudaGraphNodeFindInClone of no clone; cudaGraphChildGraphNodeGetGraph of an "
          "empty node; cudaGraphCreate with flags 1; a handle with flags 2",
          "cudaGraphAddEmptyNode: InvalidValue", "LEFT(n): kept",
          "cudaGraphAddKernelNode: InvalidDeviceFunction", "LEFT(n) #2: kept",
          "cudaGraphNodeFindInClone: InvalidValue", "LEFT(n) #3: NULL",
          "cudaGraphChildGraphNodeGetGraph: InvalidValue", "LEFT(h): kept",
          "cudaGraphCreate: InvalidValue", "LEFT(h) #2: kept",
          "cudaGraphConditionalHandleCreate: InvalidValue", "c == 0x11: kept")
{
    void *mark = (void *)(uintptr_t)0x11;
    cudaGraph_t g = new_graph(), h = mark;
    cudaGraphNode_t a = add_empty(g, NULL), other = add_empty(new_graph(), NULL), n = mark;
    struct cudaKernelNodeParams k = {0};
    cudaGraphConditionalHandle c = 0x11;
    answer(cudaGraphAddEmptyNode(&n, g, &other, 1));
    answer_text("%s", LEFT(n));
    n = mark;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    answer_text("%s", LEFT(n));
    n = mark;
    answer(cudaGraphNodeFindInClone(&n, a, g));
    answer_text("%s", LEFT(n));
    answer(cudaGraphChildGraphNodeGetGraph(a, &h));
    answer_text("%s", LEFT(h));
    h = mark;
    answer(cudaGraphCreate(&h, 1));
    answer_text("%s", LEFT(h));
    answer(cudaGraphConditionalHandleCreate(&c, g, 1, 2));
    answer_text("%s", c == 0x11 ? "kept" : "written");
}

SITUATION(refused_params,
          "what refused gets leave: kernel parameters of an empty node; memset's; "
          "host's; an event of a host node; type of NULL; priority into a bad "
          "stream; elapsed time not ready; query of enabled of an empty node",
          "cudaGraphKernelNodeGetParams: InvalidValue", "k.func: kept",
          "cudaGraphMemsetNodeGetParams: InvalidValue", "m.width: kept",
          "cudaGraphHostNodeGetParams: InvalidValue", "h.fn: kept",
          "cudaGraphEventRecordNodeGetEvent: InvalidValue", "LEFT: kept",
          "cudaGraphNodeGetType: InvalidValue", "type: 0x11",
          "cudaEventElapsedTime: InvalidResourceHandle", "ms: 17",
          "cudaGraphNodeGetEnabled: InvalidValue", "on: 0x11")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_empty(g, NULL), host = add_letter(g, NULL, 'a');
    struct cudaKernelNodeParams k;
    struct cudaMemsetParams m;
    struct cudaHostNodeParams h;
    void *mark = (void *)(uintptr_t)0x11;
    cudaEvent_t e = mark;
    enum cudaGraphNodeType type = (enum cudaGraphNodeType)0x11;
    unsigned on = 0x11;
    float ms = 17;
    memset(&k, 0x11, sizeof k);
    memset(&m, 0x11, sizeof m);
    memset(&h, 0x11, sizeof h);
    answer(cudaGraphKernelNodeGetParams(n, &k));
    answer_text("%s", k.func ? "kept" : "zeroed");
    answer(cudaGraphMemsetNodeGetParams(n, &m));
    answer_text("%s", m.width ? "kept" : "zeroed");
    answer(cudaGraphHostNodeGetParams(n, &h));
    answer_text("%s", h.fn ? "kept" : "zeroed");
    answer(cudaGraphEventRecordNodeGetEvent(host, &e));
    answer_text("%s", LEFT(e));
    answer(cudaGraphNodeGetType(NULL, &type));
    answer_text("%#x", (unsigned)type);
    answer(cudaEventElapsedTime(&ms, new_event(0), new_event(0)));
    answer_text("%g", (double)ms);
    answer(cudaGraphNodeGetEnabled(new_exec(g), n, &on));
    answer_text("%#x", on);
}

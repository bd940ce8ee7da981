/* refused_outputs.c: what refused calls leave in their outputs. */
#include "../graphs.h"

SITUATION("what refused calls leave: cudaMalloc of 1 PiB, of too much by cudaMallocHost, "
          "cudaGraphInstantiate of a cycle, cudaGraphClone of NULL, cudaStreamCreateWithFlags 7, "
          "cudaEventCreateWithFlags 8, cudaMallocAsync of 1 PiB")
{
    void *mark = (void *)(uintptr_t)0x11, *p = mark;
    cudaGraph_t g = new_graph(), copy = mark;
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    cudaGraphExec_t x = mark;
    cudaStream_t s = mark;
    cudaEvent_t e = mark;
    add_edge(g, b, a);
#define LEFT(v) ((void *)(v) == mark ? "kept" : (v) ? "written" : "NULL")
    gives(MemoryAllocation, cudaMalloc(&p, 1ull << 50));
    shows("NULL", "%s", LEFT(p));
    p = mark;
    gives(MemoryAllocation, cudaMallocHost(&p, 1ull << 55));
    shows("NULL", "%s", LEFT(p));
    gives(InvalidValue, cudaGraphInstantiate(&x, g, 0));
    shows("kept", "%s", LEFT(x));
    gives(InvalidValue, cudaGraphClone(&copy, NULL));
    shows("kept", "%s", LEFT(copy));
    gives(InvalidValue, cudaStreamCreateWithFlags(&s, 7));
    shows("kept", "%s", LEFT(s));
    gives(InvalidValue, cudaEventCreateWithFlags(&e, 8));
    shows("kept", "%s", LEFT(e));
    p = mark;
    gives(MemoryAllocation, cudaMallocAsync(&p, 1ull << 50, 0));
    shows("NULL", "%s", LEFT(p));
}

SITUATION("what refused calls leave: an empty node with a bad dependency; a kernel node without a "
          "function; cudaGraphNodeFindInClone of no clone; cudaGraphChildGraphNodeGetGraph of an "
          "empty node; cudaGraphCreate with flags 1; a handle with flags 2")
{
    void *mark = (void *)(uintptr_t)0x11;
    cudaGraph_t g = new_graph(), h = mark;
    cudaGraphNode_t a = add_empty(g, NULL), other = add_empty(new_graph(), NULL), n = mark;
    struct cudaKernelNodeParams k = {0};
    cudaGraphConditionalHandle c = 0x11;
    gives(InvalidValue, cudaGraphAddEmptyNode(&n, g, &other, 1));
    shows("kept", "%s", LEFT(n));
    n = mark;
    gives(InvalidDeviceFunction, cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    shows("kept", "%s", LEFT(n));
    n = mark;
    gives(InvalidValue, cudaGraphNodeFindInClone(&n, a, g));
    shows("NULL", "%s", LEFT(n));
    gives(InvalidValue, cudaGraphChildGraphNodeGetGraph(a, &h));
    shows("kept", "%s", LEFT(h));
    h = mark;
    gives(InvalidValue, cudaGraphCreate(&h, 1));
    shows("kept", "%s", LEFT(h));
    gives(InvalidValue, cudaGraphConditionalHandleCreate(&c, g, 1, 2));
    shows("kept", "%s", c == 0x11 ? "kept" : "written");
}

SITUATION("what refused gets leave: kernel parameters of an empty node; memset's; host's; an event "
          "of a host node; type of NULL; priority into a bad stream; elapsed time not ready; query "
          "of enabled of an empty node")
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
    gives(InvalidValue, cudaGraphKernelNodeGetParams(n, &k));
    shows("kept", "%s", k.func ? "kept" : "zeroed");
    gives(InvalidValue, cudaGraphMemsetNodeGetParams(n, &m));
    shows("kept", "%s", m.width ? "kept" : "zeroed");
    gives(InvalidValue, cudaGraphHostNodeGetParams(n, &h));
    shows("kept", "%s", h.fn ? "kept" : "zeroed");
    gives(InvalidValue, cudaGraphEventRecordNodeGetEvent(host, &e));
    shows("kept", "%s", LEFT(e));
    gives(InvalidValue, cudaGraphNodeGetType(NULL, &type));
    shows("0x11", "%#x", (unsigned)type);
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, new_event(0), new_event(0)));
    shows("17", "%g", (double)ms);
    gives(InvalidValue, cudaGraphNodeGetEnabled(new_exec(g), n, &on));
    shows("0x11", "%#x", on);
}

/*
 * situations_graph_symbols.c: copies to and from __device__ variables in captures and as nodes, and
 * launches with attributes in captures.
 */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

/* The variable: 16 ints. */
enum { NUMBERS_BYTES = 64 };

static int first_number(void)
{
    int value = -99;
    MUST(
        cudaMemcpyFromSymbol(&value, situation_numbers(), sizeof value, 0, cudaMemcpyDeviceToHost));
    return value;
}

SITUATION(symbol_captured, "captured: cudaMemcpyToSymbolAsync and FromSymbolAsync: types; run; the "
                           "kind read back")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    int *h = pinned_bytes(SMALL), *back = pinned_bytes(SMALL);
    struct cudaMemcpy3DParms c;
    *h = 41;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyToSymbolAsync(situation_numbers(), h, 8, 0, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyFromSymbolAsync(back, situation_numbers(), 8, 0, cudaMemcpyDeviceToHost, s));
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_run(new_exec(g));
    answer_text("%d", *back);
    memset(&c, 0, sizeof c);
    answer(cudaGraphMemcpyNodeGetParams(nth_node(g, 0), &c));
    answer_text("kind %d width %zu", (int)c.kind, c.extent.width);
}

SITUATION(symbol_nodes, "memcpy nodes to and from a symbol: good; offset 8; past the end; NULL "
                        "symbol; no symbol; wrong direction; kind 99; 0 bytes; NULL memory")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    const void *v = situation_numbers();
    int *h = pinned_bytes(256);
    static const struct {
        size_t bytes, offset;
        int kind;
    } cases[] = {{8, 0, 1}, {8, 8, 1}, {8, 60, 1}, {65, 0, 1}, {8, 0, 2},
                 {8, 0, 4}, {8, 0, 3}, {8, 0, 99}, {0, 0, 1}};
    for (int i = 0; i < 9; i++)
        answer(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, v, h, cases[i].bytes, cases[i].offset,
                                              (enum cudaMemcpyKind)cases[i].kind));
    answer(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, NULL, h, 8, 0, cudaMemcpyHostToDevice));
    answer(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, h, h, 8, 0, cudaMemcpyHostToDevice));
    answer(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, v, NULL, 8, 0, cudaMemcpyHostToDevice));
    answer(cudaGraphAddMemcpyNodeFromSymbol(&n, g, NULL, 0, h, v, 8, 0, cudaMemcpyDeviceToHost));
    answer(cudaGraphAddMemcpyNodeFromSymbol(&n, g, NULL, 0, h, v, 8, 0, cudaMemcpyHostToDevice));
}

SITUATION(symbol_nodes_run, "a memcpy node to a symbol, one from it: run; set parameters in the "
                            "graph; in the exec; to another offset; what arrives")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t to, from;
    const void *v = situation_numbers();
    int *h = pinned_bytes(256), *i = pinned_bytes(256);
    enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
    h[0] = 5;
    h[1] = 6;
    MUST(cudaGraphAddMemcpyNodeToSymbol(&to, g, NULL, 0, v, h, 8, 0, in));
    MUST(cudaGraphAddMemcpyNodeFromSymbol(&from, g, &to, 1, i, v, 8, 0, out));
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_text("%d %d", i[0], i[1]);
    answer(cudaGraphMemcpyNodeSetParamsToSymbol(to, v, h + 1, 4, 0, in));
    answer_run(new_exec(g));
    answer_text("%d", first_number());
    answer(cudaGraphExecMemcpyNodeSetParamsToSymbol(x, to, v, h + 1, 4, 4, in));
    answer(cudaGraphExecMemcpyNodeSetParamsFromSymbol(x, from, i, v, 4, 4, out));
    answer(cudaGraphExecMemcpyNodeSetParamsFromSymbol(x, to, i, v, 4, 4, out));
    answer(cudaGraphExecMemcpyNodeSetParamsToSymbol(x, to, NULL, h, 4, 4, in));
    answer_run(x);
    answer_text("%d", i[0]);
}

/* ---- launches with attributes ---------------------------------------------------------------- */

static cudaError_t launch_with(cudaStream_t s, cudaLaunchAttributeID id, int value)
{
    cudaLaunchAttribute a;
    memset(&a, 0, sizeof a);
    a.id = id;
    a.val.cooperative = value; /* the same place as all other ints */
    cudaLaunchConfig_t c = {
        .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = s, .attrs = &a, .numAttrs = 1};
    return cudaLaunchKernelExC(&c, situation_nothing(), NULL);
}

SITUATION(attributes_captured, "captured kernels launched with priority -3; cooperative; "
                               "cudaLaunchCooperativeKernel: attributes read back")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaLaunchAttributeValue v;
    dim3 one = {1, 1, 1};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(launch_with(s, cudaLaunchAttributePriority, -3));
    answer(launch_with(s, cudaLaunchAttributeCooperative, 1));
    answer(cudaLaunchCooperativeKernel(situation_nothing(), one, one, NULL, 0, s));
    cudaGraph_t g = answer_end(s);
    for (size_t i = 0; i < node_count(g); i++) {
        MUST(cudaGraphKernelNodeGetAttribute(nth_node(g, i), cudaLaunchAttributePriority, &v));
        answer_text("priority %d", v.priority);
        MUST(cudaGraphKernelNodeGetAttribute(nth_node(g, i), cudaLaunchAttributeCooperative, &v));
        answer_text("cooperative %d", v.cooperative);
    }
}

SITUATION(programmatic_captured, "captured: a kernel, then one with programmatic stream "
                                 "serialization; after a memset: the edges' data")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraphNode_t from[4], to[4];
    cudaGraphEdgeData data[4];
    size_t n = 4;
    prepare_work();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(launch_with(s, cudaLaunchAttributeIgnore, 0));
    answer(launch_with(s, cudaLaunchAttributeProgrammaticStreamSerialization, 1));
    some_work(s);
    answer(launch_with(s, cudaLaunchAttributeProgrammaticStreamSerialization, 1));
    cudaGraph_t g = answer_end(s);
    MUST(cudaGraphGetEdges(g, from, to, data, &n));
    for (size_t i = 0; i < n; i++)
        answer_text("%d>%d from %d to %d type %d", (int)(from[i] == nth_node(g, 1)),
                    (int)(to[i] == nth_node(g, 1)), data[i].from_port, data[i].to_port,
                    data[i].type);
    answer_run(new_exec(g));
}

SITUATION(capture_errors_kept, "get last error after cudaMalloc in a capture; after its end; after "
                               "the end again")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    void *p;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMalloc(&p, 64));
    answer(cudaGetLastError());
    answer_end(s);
    answer(cudaPeekAtLastError());
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}

SITUATION(capture_object, "a user object moved to the graph of a capture: end; graph destroyed; of "
                          "an invalidated capture: end")
{
    for (int bad = 0; bad < 2; bad++) {
        cudaStream_t s = new_stream(cudaStreamNonBlocking);
        enum cudaStreamCaptureStatus status;
        cudaGraph_t g = NULL;
        cudaUserObject_t o;
        MUST(cudaUserObjectCreate(&o, (void *)(intptr_t)('a' + bad), write_letter, 1,
                                  cudaUserObjectNoDestructorSync));
        begin_capture(s, cudaStreamCaptureModeGlobal);
        MUST(cudaStreamGetCaptureInfo(s, &status, NULL, &g, NULL, NULL, NULL));
        answer(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
        if (bad)
            answer(cudaDeviceSynchronize());
        g = answer_end(s);
        if (g)
            MUST(cudaGraphDestroy(g));
        some_work(s);
        MUST(cudaStreamSynchronize(s));
        usleep(100000);
        answer_text("'%s'", log_text());
    }
}

SITUATION(capture_origin_destroyed, "a capture's origin destroyed while a forked stream is in it: "
                                    "status of that; its end; a memset in it")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    void *p = device_bytes(SMALL);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    order_streams(s, t);
    some_work(t);
    answer(cudaStreamDestroy(s));
    answer_status(t);
    answer_end(t);
    answer(cudaMemsetAsync(p, 0, SMALL, t));
}

SITUATION(semaphore_nodes, "external semaphore nodes with NULL parameters; with none of them")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaExternalSemaphoreSignalNodeParams signal;
    struct cudaExternalSemaphoreWaitNodeParams wait;
    memset(&signal, 0, sizeof signal);
    memset(&wait, 0, sizeof wait);
    answer(cudaGraphAddExternalSemaphoresSignalNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddExternalSemaphoresWaitNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddExternalSemaphoresSignalNode(&n, g, NULL, 0, &signal));
    answer(cudaGraphAddExternalSemaphoresWaitNode(&n, g, NULL, 0, &wait));
    n = add_empty(g, NULL);
    answer(cudaGraphExternalSemaphoresSignalNodeGetParams(n, &signal));
    answer(cudaGraphExternalSemaphoresWaitNodeSetParams(n, &wait));
    answer(cudaGraphExecExternalSemaphoresWaitNodeSetParams(new_exec(g), n, &wait));
    answer_shape(g);
}

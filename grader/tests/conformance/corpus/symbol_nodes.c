/* symbol_nodes.c: copies to and from __device__ variables, in captures and as nodes. */
#include "../graphs.h"

/* The variable: 16 ints. */
static int first_number(void)
{
    int value = -99;
    MUST(
        cudaMemcpyFromSymbol(&value, situation_numbers(), sizeof value, 0, cudaMemcpyDeviceToHost));
    return value;
}

SITUATION("captured: cudaMemcpyToSymbolAsync and FromSymbolAsync: types; run; the kind read back")
{
    cudaStream_t s = nonblocking_stream();
    int *h = pinned_bytes(SMALL), *back = pinned_bytes(SMALL);
    struct cudaMemcpy3DParms c = {0};
    *h = 41;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyToSymbolAsync(situation_numbers(), h, 8, 0, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyFromSymbolAsync(back, situation_numbers(), 8, 0, cudaMemcpyDeviceToHost, s));
    cudaGraph_t g = captured("2 nodes", s);
    types_are("memcpy memcpy", g);
    answer_run(new_exec(g));
    shows("41", "%d", *back);
    answer(cudaGraphMemcpyNodeGetParams(nth_node(g, 0), &c));
    shows("kind 1 width 8", "kind %d width %zu", (int)c.kind, c.extent.width);
}

SITUATION("memcpy nodes to and from a symbol: good; offset 8; past the end; NULL symbol; no "
          "symbol; wrong direction; kind 99; 0 bytes; NULL memory",
          "cudaGraphAddMemcpyNodeToSymbol(v, h, cases[i].bytes, cases[i].offset, cases[i].kind): "
          "Success; Success; InvalidValue; InvalidValue; InvalidMemcpyDirection; Success; Success; "
          "InvalidMemcpyDirection; InvalidValue")
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
    gives(InvalidSymbol,
          cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, NULL, h, 8, 0, cudaMemcpyHostToDevice));
    gives(InvalidSymbol,
          cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, h, h, 8, 0, cudaMemcpyHostToDevice));
    gives(InvalidValue,
          cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, v, NULL, 8, 0, cudaMemcpyHostToDevice));
    answer(cudaGraphAddMemcpyNodeFromSymbol(&n, g, NULL, 0, h, v, 8, 0, cudaMemcpyDeviceToHost));
    gives(InvalidMemcpyDirection,
          cudaGraphAddMemcpyNodeFromSymbol(&n, g, NULL, 0, h, v, 8, 0, cudaMemcpyHostToDevice));
}

SITUATION("a memcpy node to a symbol, one from it: run; set parameters in the graph; in the exec; "
          "to another offset; what arrives")
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
    shows("5 6", "%d %d", i[0], i[1]);
    answer(cudaGraphMemcpyNodeSetParamsToSymbol(to, v, h + 1, 4, 0, in));
    answer_run(new_exec(g));
    shows("6", "%d", first_number());
    answer(cudaGraphExecMemcpyNodeSetParamsToSymbol(x, to, v, h + 1, 4, 4, in));
    answer(cudaGraphExecMemcpyNodeSetParamsFromSymbol(x, from, i, v, 4, 4, out));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParamsFromSymbol(x, to, i, v, 4, 4, out));
    gives(InvalidSymbol, cudaGraphExecMemcpyNodeSetParamsToSymbol(x, to, NULL, h, 4, 4, in));
    answer_run(x);
    shows("6", "%d", i[0]);
}

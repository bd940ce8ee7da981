/* edge_data.c: edges with data: ports and types. */
#include "../graphs.h"

static const cudaGraphEdgeData completion = {.from_port = cudaGraphKernelNodePortLaunchCompletion,
                                             .type = cudaGraphDependencyTypeProgrammatic};

SITUATION(
    "cudaGraphAddDependencies of a good edge and one with bad data: edges; remove with bad data")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 2);
    cudaGraphNode_t from[] = {a, b}, to[] = {b, add_store(g, NULL, p, 3)};
    cudaGraphEdgeData data[] = {{0}, {.from_port = 9}}, bad = {.type = 2};
    gives(InvalidValue, cudaGraphAddDependencies(g, from, to, data, 2));
    edges_are("no edges", g);
    cudaGraphRemoveDependencies(g, from, to, NULL, 1);
    add_edge(g, a, b);
    answer(cudaGraphRemoveDependencies(g, &a, &b, &bad, 1));
    edges_are("no edges", g);
}

SITUATION("from port 2 of a memset without a type; of a kernel to a memset; to an empty node: add; "
          "instantiate; run",
          "cudaGraphAddDependencies: InvalidValue; Success; Success")
{
    int *p = device_bytes(SMALL);
    cudaGraphEdgeData port = {.from_port = 2};
    for (int i = 0; i < 3; i++) {
        cudaGraph_t g = new_graph();
        cudaGraphNode_t a = i == 0 ? add_memset(g, NULL, p, 1) : add_store(g, NULL, p, 1);
        cudaGraphNode_t b = i == 2 ? add_empty(g, NULL) : add_memset(g, NULL, p, 1);
        cudaError_t e = cudaGraphAddDependencies(g, &a, &b, &port, 1);
        answer_error(NULL, "cudaGraphAddDependencies", e);
        if (e == cudaSuccess)
            answer_run(new_exec(g));
    }
}

static void answer_data(const cudaGraphEdgeData *d)
{
    answer_text("from %d to %d type %d", d->from_port, d->to_port, d->type);
}

SITUATION(
    "an edge with data, queried without: edges; dependencies; dependents; their numbers alone; "
    "with data; edges between two kernels: programmatic; launch completion; each read back; run",
    "d->from_port, d->to_port, d->type: from 1 to 0 type 1; from 1 to 0 type 1; from 2 to 0 type 1")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 2), from[4], to[4];
    cudaGraphEdgeData data[4];
    size_t n = 4;
    answer(cudaGraphAddDependencies(g, &a, &b, &programmatic_edge, 1));
    gives(LossyQuery, cudaGraphGetEdges(g, from, to, NULL, &n));
    n = 4;
    gives(LossyQuery, cudaGraphNodeGetDependencies(b, from, NULL, &n));
    n = 4;
    gives(LossyQuery, cudaGraphNodeGetDependentNodes(a, to, NULL, &n));
    answer(cudaGraphGetEdges(g, NULL, NULL, NULL, &n));
    shows("1", "%zu", n);
    answer(cudaGraphNodeGetDependencies(b, NULL, NULL, &n));
    shows("1", "%zu", n);
    n = 4;
    answer(cudaGraphNodeGetDependencies(b, from, data, &n));
    answer_data(&data[0]);
    n = 4;
    gives(InvalidValue, cudaGraphNodeGetDependencies(b, NULL, data, &n));
    n = 4;
    gives(InvalidValue, cudaGraphGetEdges(g, NULL, NULL, data, &n));
    cudaGraphNode_t c = add_store(g, NULL, p, 3);
    n = 4;
    answer(cudaGraphAddDependencies(g, &b, &c, &completion, 1));
    answer(cudaGraphGetEdges(g, from, to, data, &n));
    for (size_t i = 0; i < n; i++)
        answer_data(&data[i]);
    answer_run(new_exec(g));
    shows("3", "%d", device_int(p));
}

SITUATION("edge data: programmatic from port 0; from port 3; type 2; to port 1; a reserved byte "
          "set; port 1 without the type; type alone of a memset",
          "cudaGraphAddDependencies: InvalidValue; InvalidValue; InvalidValue; InvalidValue; "
          "InvalidValue; InvalidValue; Success")
{
    static const cudaGraphEdgeData bad[] = {
        {.type = 1},
        {.from_port = 3, .type = 1},
        {.from_port = 1, .type = 2},
        {.from_port = 1, .to_port = 1, .type = 1},
        {.from_port = 1, .type = 1, .reserved = {1}},
        {.from_port = 1},
        {.from_port = 2},
    };
    int *p = device_bytes(SMALL);
    for (int i = 0; i < 7; i++) {
        cudaGraph_t g = new_graph();
        cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 2);
        answer(cudaGraphAddDependencies(g, &a, &b, &bad[i], 1));
    }
}

SITUATION("a programmatic edge from a memset to a kernel; from a kernel to a memset; to an empty "
          "node; from a child graph: add; instantiate")
{
    int *p = device_bytes(SMALL);
    for (int i = 0; i < 4; i++) {
        cudaGraph_t g = new_graph();
        cudaGraphNode_t a = i == 0   ? add_memset(g, NULL, p, 1)
                            : i == 3 ? add_child(g, NULL, captured_memsets(1))
                                     : add_store(g, NULL, p, 1);
        cudaGraphNode_t b = i == 1   ? add_memset(g, NULL, p, 1)
                            : i == 2 ? add_empty(g, NULL)
                                     : add_store(g, NULL, p, 2);
        cudaGraphExec_t x;
        gives(InvalidValue, cudaGraphAddDependencies(g, &a, &b, &programmatic_edge, 1));
        answer(cudaGraphInstantiate(&x, g, 0));
    }
}

SITUATION("a plain edge and a programmatic one between the same kernels: numbers; remove without "
          "data; with it; remove a programmatic edge without data; with data of another port; with "
          "its own; a plain edge with zero data")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, a, p, 2);
    size_t n = 0;
    gives(InvalidValue, cudaGraphAddDependencies(g, &a, &b, &programmatic_edge, 1));
    gives(InvalidValue, cudaGraphAddDependencies(g, &a, &b, &completion, 1));
    MUST(cudaGraphGetEdges(g, NULL, NULL, NULL, &n));
    shows("1", "%zu", n);
    answer(cudaGraphRemoveDependencies(g, &a, &b, &completion, 1));
    gives(InvalidValue, cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    MUST(cudaGraphGetEdges(g, NULL, NULL, NULL, &n));
    shows("0", "%zu", n);
    gives(InvalidValue, cudaGraphRemoveDependencies(g, &a, &b, &programmatic_edge, 1));
    gives(InvalidValue, cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    cudaGraphNode_t c = add_store(g, b, p, 3);
    cudaGraphEdgeData zero = {0};
    MUST(cudaGraphAddDependencies(g, &a, &b, &programmatic_edge, 1));
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    gives(InvalidValue, cudaGraphRemoveDependencies(g, &a, &b, &completion, 1));
    gives(InvalidValue, cudaGraphRemoveDependencies(g, &a, &b, &programmatic_edge, 1));
    answer(cudaGraphRemoveDependencies(g, &b, &c, &zero, 1));
}

SITUATION("cudaGraphAddNode with edge data: programmatic after a kernel; after a memset; data "
          "without nodes")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), m = add_memset(g, NULL, p, 1), n;
    struct cudaGraphNodeParams q = store_node_params(p, 2);
    answer(cudaGraphAddNode(&n, g, &a, &programmatic_edge, 1, &q));
    gives(InvalidValue, cudaGraphAddNode(&n, g, &m, &programmatic_edge, 1, &q));
    answer(cudaGraphAddNode(&n, g, NULL, &programmatic_edge, 0, &q));
    edges_are("0>2", g);
}

SITUATION("a clone keeps edge data; an exec update between graphs whose edge data differ",
          "d->from_port, d->to_port, d->type: from 1 to 0 type 1")
{
    cudaGraph_t g = new_graph(), copy, h = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 2), from[2], to[2];
    cudaGraphEdgeData data[2] = {{0}};
    cudaGraphExecUpdateResultInfo info = {0};
    size_t n = 2;
    add_store(h, add_store(h, NULL, p, 1), p, 2);
    MUST(cudaGraphAddDependencies(g, &a, &b, &programmatic_edge, 1));
    answer(cudaGraphClone(&copy, g));
    answer(cudaGraphGetEdges(copy, from, to, data, &n));
    answer_data(&data[0]);
    gives(GraphExecUpdateFailure, cudaGraphExecUpdate(new_exec(g), h, &info));
    shows("result 2, error node 1 from node 0", "result %d, error %s from %s", (int)info.result,
          place_text(h, info.errorNode), place_text(h, info.errorFromNode));
}

/*
 * situations_graph_edges.c: edges: adding, removing, and the data they may carry.
 */
#include "situations_graphs.h"

static const cudaGraphEdgeData programmatic = {.from_port = cudaGraphKernelNodePortProgrammatic,
                                               .type = cudaGraphDependencyTypeProgrammatic};
static const cudaGraphEdgeData completion = {.from_port = cudaGraphKernelNodePortLaunchCompletion,
                                             .type = cudaGraphDependencyTypeProgrammatic};

SITUATION(edge_bad, "cudaGraphAddDependencies: a self edge; an edge twice; NULL from; NULL to; "
                    "none; a NULL node; a node of another graph; NULL graph; edges")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), none = NULL;
    cudaGraphNode_t other = add_empty(new_graph(), NULL);
    answer(cudaGraphAddDependencies(g, &a, &a, NULL, 1));
    answer(cudaGraphAddDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphAddDependencies(g, NULL, &b, NULL, 1));
    answer(cudaGraphAddDependencies(g, &a, NULL, NULL, 1));
    answer(cudaGraphAddDependencies(g, NULL, NULL, NULL, 0));
    answer(cudaGraphAddDependencies(g, &a, &none, NULL, 1));
    answer(cudaGraphAddDependencies(g, &a, &other, NULL, 1));
    answer(cudaGraphAddDependencies(NULL, &a, &b, NULL, 1));
    answer_edges(g);
}

SITUATION(edge_cycle, "an edge that closes a cycle; of two nodes; of three; instantiate; result "
                      "and error node; shape")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    cudaGraphNode_t c = add_empty(h, NULL), d = add_empty(h, c), e = add_empty(h, d);
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {0};
    answer(cudaGraphAddDependencies(g, &b, &a, NULL, 1));
    answer(cudaGraphAddDependencies(h, &e, &c, NULL, 1));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphInstantiateWithParams(&x, h, &p));
    answer_text("result %d, error %s", (int)p.result_out, place_text(h, p.errNode_out));
    answer_shape(h);
}

SITUATION(edge_cycle_removed, "a cycle whose edge is removed again: instantiate, run")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    MUST(cudaGraphAddDependencies(g, &b, &a, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, &b, &a, NULL, 1));
    answer_run(new_exec(g));
}

SITUATION(edge_some_bad, "cudaGraphAddDependencies of a good and a bad edge; bad first: which are "
                         "there then; the same edge twice in one call")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, NULL), c = add_empty(g, NULL);
    cudaGraphNode_t from[] = {a, b}, to[] = {b, b};
    answer(cudaGraphAddDependencies(g, from, to, NULL, 2));
    answer_edges(g);
    cudaGraphNode_t from2[] = {b, a}, to2[] = {b, c};
    answer(cudaGraphAddDependencies(g, from2, to2, NULL, 2));
    answer_edges(g);
    cudaGraphNode_t from3[] = {b, b}, to3[] = {c, c};
    answer(cudaGraphAddDependencies(g, from3, to3, NULL, 2));
    answer_edges(g);
}

SITUATION(edge_some_there, "cudaGraphAddDependencies of a new edge and one that is there; the one "
                           "that is there first; a node of another graph second: edges")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), c = add_empty(g, NULL);
    cudaGraphNode_t foreign = add_empty(new_graph(), NULL);
    cudaGraphNode_t from[] = {a, a}, to[] = {c, b};
    answer(cudaGraphAddDependencies(g, from, to, NULL, 2));
    answer_edges(g);
    cudaGraphNode_t from2[] = {a, b}, to2[] = {b, c};
    answer(cudaGraphAddDependencies(g, from2, to2, NULL, 2));
    answer_edges(g);
    cudaGraphNode_t from3[] = {b, a}, to3[] = {c, foreign};
    answer(cudaGraphAddDependencies(g, from3, to3, NULL, 2));
    answer_edges(g);
}

SITUATION(edge_data_some_bad,
          "cudaGraphAddDependencies of a good edge and one with bad data: edges; "
          "remove with bad data")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 2);
    cudaGraphNode_t from[] = {a, b}, to[] = {b, add_store(g, NULL, p, 3)};
    cudaGraphEdgeData data[] = {{0}, {.from_port = 9}}, bad = {.type = 2};
    answer(cudaGraphAddDependencies(g, from, to, data, 2));
    answer_edges(g);
    cudaGraphRemoveDependencies(g, from, to, NULL, 1);
    add_edge(g, a, b);
    answer(cudaGraphRemoveDependencies(g, &a, &b, &bad, 1));
    answer_edges(g);
}

SITUATION(edge_data_ports, "from port 2 of a memset without a type; of a kernel to a memset; to an "
                           "empty node: add; instantiate; run")
{
    int *p = device_bytes(SMALL);
    cudaGraphEdgeData port = {.from_port = 2};
    for (int i = 0; i < 3; i++) {
        cudaGraph_t g = new_graph();
        cudaGraphNode_t a = i == 0 ? add_memset(g, NULL, p, 1) : add_store(g, NULL, p, 1);
        cudaGraphNode_t b = i == 2 ? add_empty(g, NULL) : add_memset(g, NULL, p, 1);
        cudaError_t e = cudaGraphAddDependencies(g, &a, &b, &port, 1);
        answer(e);
        if (e == cudaSuccess)
            answer_run(new_exec(g));
    }
}

SITUATION(edge_remove, "cudaGraphRemoveDependencies: an edge; again; one that never was; NULL; "
                       "none; a self edge; a good and a bad one: edges")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a), c = add_empty(g, b);
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, &c, &a, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, NULL, NULL, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, NULL, NULL, NULL, 0));
    answer(cudaGraphRemoveDependencies(g, &a, &a, NULL, 1));
    cudaGraphNode_t from[] = {b, a}, to[] = {c, c};
    answer(cudaGraphRemoveDependencies(g, from, to, NULL, 2));
    answer_edges(g);
}

SITUATION(node_dependencies_bad, "adding a node after: the same node twice; NULL with n 1; a NULL "
                                 "node; a node of another graph; itself not there: shape")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), n, none = NULL, other = add_empty(new_graph(), NULL);
    cudaGraphNode_t twice[] = {a, a};
    answer(cudaGraphAddEmptyNode(&n, g, twice, 2));
    answer(cudaGraphAddEmptyNode(&n, g, NULL, 1));
    answer(cudaGraphAddEmptyNode(&n, g, &none, 1));
    answer(cudaGraphAddEmptyNode(&n, g, &other, 1));
    answer_shape(g);
}

/* ---- data ------------------------------------------------------------------------------------ */

static void answer_data(const cudaGraphEdgeData *d)
{
    answer_text("from %d to %d type %d", d->from_port, d->to_port, d->type);
}

SITUATION(edge_data, "edges between two kernels: programmatic; launch completion; each read back")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 2);
    cudaGraphNode_t c = add_store(g, NULL, p, 3), from[4], to[4];
    cudaGraphEdgeData data[4];
    size_t n = 4;
    answer(cudaGraphAddDependencies(g, &a, &b, &programmatic, 1));
    answer(cudaGraphAddDependencies(g, &b, &c, &completion, 1));
    answer(cudaGraphGetEdges(g, from, to, data, &n));
    for (size_t i = 0; i < n; i++)
        answer_data(&data[i]);
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
}

SITUATION(edge_data_lossy, "an edge with data, asked for without: edges; dependencies; dependents; "
                           "their numbers alone; with data")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 2), from[4], to[4];
    cudaGraphEdgeData data[4];
    size_t n = 4;
    MUST(cudaGraphAddDependencies(g, &a, &b, &programmatic, 1));
    answer(cudaGraphGetEdges(g, from, to, NULL, &n));
    n = 4;
    answer(cudaGraphNodeGetDependencies(b, from, NULL, &n));
    n = 4;
    answer(cudaGraphNodeGetDependentNodes(a, to, NULL, &n));
    answer(cudaGraphGetEdges(g, NULL, NULL, NULL, &n));
    answer_text("%zu", n);
    answer(cudaGraphNodeGetDependencies(b, NULL, NULL, &n));
    answer_text("%zu", n);
    n = 4;
    answer(cudaGraphNodeGetDependencies(b, from, data, &n));
    answer_data(&data[0]);
    n = 4;
    answer(cudaGraphNodeGetDependencies(b, NULL, data, &n));
    n = 4;
    answer(cudaGraphGetEdges(g, NULL, NULL, data, &n));
}

SITUATION(edge_data_bad, "edge data: programmatic from port 0; from port 3; type 2; to port 1; a "
                         "reserved byte set; port 1 without the type; type alone of a memset")
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

SITUATION(edge_data_kinds, "a programmatic edge from a memset to a kernel; from a kernel to a "
                           "memset; to an empty node; from a child graph: add; instantiate")
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
        answer(cudaGraphAddDependencies(g, &a, &b, &programmatic, 1));
        answer(cudaGraphInstantiate(&x, g, 0));
    }
}

SITUATION(edge_data_two, "a plain edge and a programmatic one between the same kernels; the other "
                         "way round: numbers; remove without data; with it")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, a, p, 2);
    size_t n = 0;
    answer(cudaGraphAddDependencies(g, &a, &b, &programmatic, 1));
    answer(cudaGraphAddDependencies(g, &a, &b, &completion, 1));
    MUST(cudaGraphGetEdges(g, NULL, NULL, NULL, &n));
    answer_text("%zu", n);
    answer(cudaGraphRemoveDependencies(g, &a, &b, &completion, 1));
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    MUST(cudaGraphGetEdges(g, NULL, NULL, NULL, &n));
    answer_text("%zu", n);
    answer(cudaGraphRemoveDependencies(g, &a, &b, &programmatic, 1));
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
}

SITUATION(edge_data_remove, "remove a programmatic edge without data; with data of another port; "
                            "with its own; a plain edge with zero data")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 2);
    cudaGraphNode_t c = add_store(g, b, p, 3);
    cudaGraphEdgeData zero = {0};
    MUST(cudaGraphAddDependencies(g, &a, &b, &programmatic, 1));
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, &a, &b, &completion, 1));
    answer(cudaGraphRemoveDependencies(g, &a, &b, &programmatic, 1));
    answer(cudaGraphRemoveDependencies(g, &b, &c, &zero, 1));
}

SITUATION(edge_data_add_node, "cudaGraphAddNode with edge data: programmatic after a kernel; after "
                              "a memset; data without nodes")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), m = add_memset(g, NULL, p, 1), n;
    struct cudaKernelNodeParams k = store_params(p, 2);
    struct cudaGraphNodeParams q = {.type = cudaGraphNodeTypeKernel};
    q.kernel.func = k.func;
    q.kernel.gridDim = k.gridDim;
    q.kernel.blockDim = k.blockDim;
    q.kernel.kernelParams = k.kernelParams;
    answer(cudaGraphAddNode(&n, g, &a, &programmatic, 1, &q));
    answer(cudaGraphAddNode(&n, g, &m, &programmatic, 1, &q));
    answer(cudaGraphAddNode(&n, g, NULL, &programmatic, 0, &q));
    answer_edges(g);
}

SITUATION(edge_data_clone, "a clone keeps edge data; an exec update between graphs whose edge data "
                           "differ")
{
    cudaGraph_t g = new_graph(), copy, h = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 2), from[2], to[2];
    cudaGraphEdgeData data[2] = {{0}};
    cudaGraphExecUpdateResultInfo info = {0};
    size_t n = 2;
    add_store(h, add_store(h, NULL, p, 1), p, 2);
    MUST(cudaGraphAddDependencies(g, &a, &b, &programmatic, 1));
    answer(cudaGraphClone(&copy, g));
    answer(cudaGraphGetEdges(copy, from, to, data, &n));
    answer_data(&data[0]);
    answer(cudaGraphExecUpdate(new_exec(g), h, &info));
    answer_text("result %d, error %s from %s", (int)info.result, place_text(h, info.errorNode),
                place_text(h, info.errorFromNode));
}

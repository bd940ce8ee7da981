/* conditional_create.c: conditional nodes: handles, bodies, and what may be in a body. */
#include "../conditional.h"

SITUATION("cudaGraphConditionalHandleCreate: NULL graph; NULL result; flags 2; flags 0; default; "
          "get last error")
{
    cudaGraph_t g = new_graph();
    cudaGraphConditionalHandle h = 0;
    gives(InvalidValue, cudaGraphConditionalHandleCreate(&h, NULL, 0, 0));
    gives(InvalidValue, cudaGraphConditionalHandleCreate(NULL, g, 0, 0));
    gives(InvalidValue, cudaGraphConditionalHandleCreate(&h, g, 0, 2));
    gives(InvalidValue, cudaGetLastError());
    answer(cudaGraphConditionalHandleCreate(&h, g, 7, 0));
    shows("a handle", h ? "a handle" : "0");
    answer(cudaGraphConditionalHandleCreate(&h, g, 7, cudaGraphCondAssignDefault));
}

SITUATION(
    "conditional node: IF of 0; 1; 2; 3 bodies; WHILE of 0; 1; 2; SWITCH of 0; 1; 5; type 3; -1",
    "cudaGraphAddNode: InvalidValue; Success; Success; InvalidValue; InvalidValue; Success; "
    "InvalidValue; InvalidValue; Success; Success; InvalidValue; InvalidValue")
{
    static const struct {
        int type;
        unsigned size;
    } cases[] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1},
                 {1, 2}, {2, 0}, {2, 1}, {2, 5}, {3, 1}, {-1, 1}};
    for (int i = 0; i < 12; i++) {
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n;
        struct cudaGraphNodeParams q = conditional(
            handle_of(g, 1), (enum cudaGraphConditionalNodeType)cases[i].type, cases[i].size);
        answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    }
}

SITUATION(
    "conditional node: handle 0; a handle that has its node already: shape of the graph; a handle "
    "of another graph, where the graph has none; instantiate; the other graph; the other's node")
{
    cudaGraph_t g = new_graph(), bodies[1];
    cudaGraphNode_t n;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    struct cudaGraphNodeParams q = conditional(0, IF, 1);
    gives(InvalidValue, cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    add_conditional(g, NULL, h, IF, 1, bodies);
    q = conditional(h, IF, 1);
    gives(InvalidValue, cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    shape_is("1 nodes, 0 edges, 1 roots", g);
    g = new_graph();
    cudaGraph_t other = new_graph();
    h = handle_of(other, 1);
    q = conditional(h, IF, 1);
    cudaError_t e = cudaGraphAddNode(&n, g, NULL, NULL, 0, &q);
    answer_error("InvalidValue", "cudaGraphAddNode", e);
    instantiate_gives("Success", "result 0, error NULL", g);
    instantiate_gives("InvalidValue", "result 5, error NULL", other);
    q = conditional(h, IF, 1);
    answer(cudaGraphAddNode(&n, other, NULL, NULL, 0, &q));
}

SITUATION("the body of a conditional node: shape; type of the node; the array's handles; destroy "
          "the body; clone it; instantiate it; as a child")
{
    cudaGraph_t g = new_graph(), bodies[2], copy = NULL;
    cudaGraphNode_t n = add_conditional(g, NULL, handle_of(g, 1), IF, 2, bodies);
    enum cudaGraphNodeType type;
    shape_is("0 nodes, 0 edges, 0 roots", bodies[0]);
    MUST(cudaGraphNodeGetType(n, &type));
    shows("cond differ", "%s %s", type_text(type), bodies[0] != bodies[1] ? "differ" : "same");
    gives(InvalidValue, cudaGraphDestroy(bodies[0]));
    gives(NotSupported, cudaGraphClone(&copy, bodies[0]));
    cudaGraphExec_t x = NULL;
    gives(NotSupported, cudaGraphInstantiate(&x, bodies[0], 0));
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, new_graph(), NULL, 0, bodies[0]));
}

/* Adds one node of the kind to the body; the error. */
static cudaError_t add_kind(cudaGraph_t body, int kind)
{
    static int *p;
    cudaGraphNode_t n;
    if (!p)
        p = device_bytes(256);
    struct cudaKernelNodeParams k = store_params(p, 1);
    struct cudaMemsetParams m = memset_params(p, 1, 64);
    struct cudaHostNodeParams h = letter_params('h');
    struct cudaMemAllocNodeParams a = alloc_params(64);
    switch (kind) {
    case 0:
        return cudaGraphAddKernelNode(&n, body, NULL, 0, &k);
    case 1:
        return cudaGraphAddMemsetNode(&n, body, NULL, 0, &m);
    case 2:
        return cudaGraphAddMemcpyNode1D(&n, body, NULL, 0, p, p + 32, 64, cudaMemcpyDefault);
    case 3:
        return cudaGraphAddMemcpyNode1D(&n, body, NULL, 0, p, pinned_bytes(64), 64,
                                        cudaMemcpyDefault);
    case 4:
        return cudaGraphAddEmptyNode(&n, body, NULL, 0);
    case 5:
        return cudaGraphAddHostNode(&n, body, NULL, 0, &h);
    case 6:
        return cudaGraphAddEventRecordNode(&n, body, NULL, 0, new_event(0));
    case 7:
        return cudaGraphAddMemAllocNode(&n, body, NULL, 0, &a);
    default:
        return cudaGraphAddChildGraphNode(&n, body, NULL, 0, captured_memsets(1));
    }
}

SITUATION(
    "in a body: a kernel; memset; copy inside the device; from pinned; empty; host; record; alloc; "
    "child node: add, instantiate, result, error node in the body",
    "add, cudaGraphInstantiateWithParams: Success Success 0 NULL; Success Success 0 NULL; Success "
    "Success 0 NULL; Success Success 0 NULL; Success Success 0 NULL; Success InvalidValue 3 node "
    "0; Success InvalidValue 3 node 0; Success InvalidValue 3 node 0; Success Success 0 NULL")
{
    for (int kind = 0; kind < 9; kind++) {
        cudaGraph_t g = new_graph(), body;
        cudaGraphExec_t x = NULL;
        cudaGraphInstantiateParams p = {0};
        add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
        cudaError_t add = add_kind(body, kind), made = cudaGraphInstantiateWithParams(&x, g, &p);
        answer_fact("add, cudaGraphInstantiateWithParams", "%s %s %d %s", error_text(add),
                    error_text(made), (int)p.result_out, place_text(body, p.errNode_out));
    }
}

SITUATION("in a body: a copy to pinned; pinned to pinned; from pageable: instantiate",
          "cudaGraphInstantiateWithParams: Success; Success; InvalidValue",
          "instantiated: result 0, error NULL; result 0, error NULL; result 4, error other")
{
    char *p = device_bytes(256), *h = pinned_bytes(256), *q = pageable_bytes(256);
    void *to[] = {h, h, p};
    const void *from[] = {p, h + 64, q};
    for (int i = 0; i < 3; i++) {
        cudaGraph_t g = new_graph(), body;
        add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
        add_copy(body, NULL, to[i], from[i]);
        answer_instantiate(g);
    }
}

SITUATION(
    "in a body: a child graph with a host node; a cycle; in a child graph: a conditional node")
{
    cudaGraphNode_t n;
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph(), inner = new_graph(), body;
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    answer(cudaGraphAddChildGraphNode(&n, body, NULL, 0, graph_of_one("host", &n)));
    instantiate_gives("InvalidValue", "result 3, error other", g);
    add_conditional(h, NULL, handle_of(h, 1), IF, 1, &body);
    cudaGraphNode_t a = add_empty(body, NULL), b = add_empty(body, a);
    add_edge(body, b, a);
    instantiate_gives("InvalidValue", "result 2, error other", h);
    add_conditional(inner, NULL, handle_of(inner, 1), IF, 1, &body);
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, i, NULL, 0, inner));
}

SITUATION("a handle made of the body's graph, for an IF in the body; made of the outer graph; of "
          "the inner graph for an outer IF")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphNode_t n;
    cudaGraphConditionalHandle of_body = 0;
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    answer(cudaGraphConditionalHandleCreate(&of_body, body, 1, cudaGraphCondAssignDefault));
    struct cudaGraphNodeParams q = conditional(of_body, IF, 1);
    answer(cudaGraphAddNode(&n, body, NULL, NULL, 0, &q));
    q = conditional(handle_of(g, 1), IF, 1);
    answer(cudaGraphAddNode(&n, body, NULL, NULL, 0, &q));
    MUST(cudaGraphConditionalHandleCreate(&of_body, body, 1, cudaGraphCondAssignDefault));
    q = conditional(of_body, IF, 1);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    instantiate_gives("Success", "result 0, error NULL", g);
}

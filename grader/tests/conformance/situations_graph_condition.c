/*
 * situations_graph_condition.c: conditional nodes: handles, bodies, what may be in them, what runs.
 */
#include <stdint.h>
#include <string.h>

#include "situations_control.h"
#include "situations_kernels.h"

SITUATION(condition_handle_bad, "cudaGraphConditionalHandleCreate: NULL graph; NULL result; flags "
                                "2; flags 0; default; get last error")
{
    cudaGraph_t g = new_graph();
    cudaGraphConditionalHandle h = 0;
    answer(cudaGraphConditionalHandleCreate(&h, NULL, 0, 0));
    answer(cudaGraphConditionalHandleCreate(NULL, g, 0, 0));
    answer(cudaGraphConditionalHandleCreate(&h, g, 0, 2));
    answer(cudaGetLastError());
    answer(cudaGraphConditionalHandleCreate(&h, g, 7, 0));
    answer_text(h ? "a handle" : "0");
    answer(cudaGraphConditionalHandleCreate(&h, g, 7, cudaGraphCondAssignDefault));
}

SITUATION(condition_unused, "a handle without its node: instantiate; a clone with it; after its "
                            "node was added")
{
    cudaGraph_t g = new_graph(), bodies[1], copy = NULL;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    answer_instantiate(g);
    answer(cudaGraphClone(&copy, g));
    if (copy)
        answer_instantiate(copy);
    add_conditional(g, NULL, h, cudaGraphCondTypeIf, 1, bodies);
    answer_instantiate(g);
}

SITUATION(condition_sizes, "conditional node: IF of 0; 1; 2; 3 bodies; WHILE of 0; 1; 2; SWITCH of "
                           "0; 1; 5; type 3; -1")
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

SITUATION(condition_bad_handle, "conditional node: handle 0; a handle that has its node already: "
                                "shape of the graph")
{
    cudaGraph_t g = new_graph(), bodies[1];
    cudaGraphNode_t n;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    struct cudaGraphNodeParams q = conditional(0, cudaGraphCondTypeIf, 1);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    add_conditional(g, NULL, h, cudaGraphCondTypeIf, 1, bodies);
    q = conditional(h, cudaGraphCondTypeIf, 1);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    answer_shape(g);
}

SITUATION(condition_foreign_handle, "conditional node: a handle of another graph, where the graph "
                                    "has none; instantiate; the other graph; the other's node")
{
    cudaGraph_t g = new_graph(), other = new_graph();
    cudaGraphNode_t n;
    cudaGraphConditionalHandle h = handle_of(other, 1);
    struct cudaGraphNodeParams q = conditional(h, cudaGraphCondTypeIf, 1);
    cudaError_t e = cudaGraphAddNode(&n, g, NULL, NULL, 0, &q);
    answer(e);
    answer_instantiate(g);
    answer_instantiate(other);
    q = conditional(h, cudaGraphCondTypeIf, 1);
    answer(cudaGraphAddNode(&n, other, NULL, NULL, 0, &q));
}

SITUATION(condition_handle_values, "handles: the first of two graphs; two of one graph; after the "
                                   "first's graph was destroyed; of a body")
{
    cudaGraph_t g = new_graph(), h = new_graph(), body;
    cudaGraphConditionalHandle a = handle_of(g, 1), b = handle_of(h, 1), c = handle_of(g, 1), d = 0;
    answer_text(a == b ? "same" : "differ");
    answer_text(a == c ? "same" : "differ");
    add_conditional(h, NULL, b, cudaGraphCondTypeIf, 1, &body);
    MUST(cudaGraphConditionalHandleCreate(&d, body, 1, cudaGraphCondAssignDefault));
    answer_text(d == a || d == b || d == c ? "same" : "differ");
    MUST(cudaGraphDestroy(g));
    g = new_graph();
    b = handle_of(g, 1);
    answer_text(a == b ? "same" : "differ");
}

SITUATION(condition_body, "the body of a conditional node: shape; type of the node; the array's "
                          "handles; destroy the body; clone it; instantiate it; as a child")
{
    cudaGraph_t g = new_graph(), bodies[2], copy = NULL;
    cudaGraphNode_t n = add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 2, bodies);
    enum cudaGraphNodeType type;
    answer_shape(bodies[0]);
    MUST(cudaGraphNodeGetType(n, &type));
    answer_text("%s %s", type_text(type), bodies[0] != bodies[1] ? "differ" : "same");
    answer(cudaGraphDestroy(bodies[0]));
    answer(cudaGraphClone(&copy, bodies[0]));
    cudaGraphExec_t x = NULL;
    answer(cudaGraphInstantiate(&x, bodies[0], 0));
    answer(cudaGraphAddChildGraphNode(&n, new_graph(), NULL, 0, bodies[0]));
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

SITUATION(condition_kinds, "in a body: a kernel; memset; copy inside the device; from pinned; "
                           "empty; host; record; alloc; child node: add, instantiate, result, "
                           "error node in the body")
{
    for (int kind = 0; kind < 9; kind++) {
        cudaGraph_t g = new_graph(), body;
        cudaGraphExec_t x = NULL;
        cudaGraphInstantiateParams p;
        memset(&p, 0, sizeof p);
        add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 1, &body);
        cudaError_t add = add_kind(body, kind), made = cudaGraphInstantiateWithParams(&x, g, &p);
        answer_text("%s %s %d %s", error_text(add), error_text(made), (int)p.result_out,
                    place_text(body, p.errNode_out));
    }
}

SITUATION(condition_copies, "in a body: a copy to pinned; pinned to pinned; from pageable: "
                            "instantiate")
{
    char *p = device_bytes(256), *h = pinned_bytes(256), *q = pageable_bytes(256);
    void *to[] = {h, h, p};
    const void *from[] = {p, h + 64, q};
    for (int i = 0; i < 3; i++) {
        cudaGraph_t g = new_graph(), body;
        add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 1, &body);
        add_copy(body, NULL, to[i], from[i]);
        answer_instantiate(g);
    }
}

SITUATION(condition_bad_child, "in a body: a child graph with a host node; a cycle; in a child "
                               "graph: a conditional node")
{
    cudaGraphNode_t n;
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph(), inner = new_graph(), body;
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 1, &body);
    answer(cudaGraphAddChildGraphNode(&n, body, NULL, 0, graph_of_one("host", &n)));
    answer_instantiate(g);
    add_conditional(h, NULL, handle_of(h, 1), cudaGraphCondTypeIf, 1, &body);
    cudaGraphNode_t a = add_empty(body, NULL), b = add_empty(body, a);
    add_edge(body, b, a);
    answer_instantiate(h);
    add_conditional(inner, NULL, handle_of(inner, 1), cudaGraphCondTypeIf, 1, &body);
    answer(cudaGraphAddChildGraphNode(&n, i, NULL, 0, inner));
    if (node_count(i))
        answer_instantiate(i);
}

SITUATION(condition_capture_body, "a capture into a body: begin, memset, end; a host function; a "
                                  "plain event and fork; instantiate")
{
    cudaGraph_t g = new_graph(), body, ended = NULL;
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    prepare_work();
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 1, &body);
    answer(cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    some_work(s);
    answer(cudaStreamEndCapture(s, &ended));
    answer_text(ended == body ? "the body" : "another graph");
    answer_instantiate(g);
    answer(cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    answer(cudaLaunchHostFunc(s, write_letter, NULL));
    answer_end(s);
    answer_instantiate(g);
}

SITUATION(condition_clone, "cudaGraphClone of a graph with a conditional node; cudaGraphAddNode "
                           "of it as a child; destroy the node; instantiate; twice")
{
    cudaGraph_t g = new_graph(), body, copy = NULL;
    cudaGraphNode_t n = add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 1, &body);
    answer(cudaGraphClone(&copy, g));
    if (copy)
        answer_instantiate(copy);
    answer_instantiate(g);
    answer_instantiate(g);
    answer(cudaGraphDestroyNode(n));
    answer_shape(g);
    answer_instantiate(g);
}

SITUATION(condition_set, "parameters of a conditional node: set; in the exec; enable; device "
                         "launch of its graph; AutoFree")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    cudaGraphNode_t n = add_conditional(g, NULL, h, cudaGraphCondTypeIf, 1, &body);
    cudaGraphExec_t x = new_exec(g), y = NULL;
    struct cudaGraphNodeParams q = conditional(h, cudaGraphCondTypeIf, 1);
    unsigned on;
    answer(cudaGraphNodeSetParams(n, &q));
    answer(cudaGraphExecNodeSetParams(x, n, &q));
    answer(cudaGraphNodeSetEnabled(x, n, 0));
    answer(cudaGraphNodeGetEnabled(x, n, &on));
    answer(cudaGraphInstantiate(&y, g, cudaGraphInstantiateFlagDeviceLaunch));
    answer(cudaGraphInstantiate(&y, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
}

/* ---- what runs ------------------------------------------------------------------------------- */

/* A graph of one conditional node whose i-th body adds 10^i to *p. */
static cudaGraph_t adding(unsigned value, enum cudaGraphConditionalNodeType type, unsigned size,
                          int *p)
{
    cudaGraph_t g = new_graph(), bodies[8];
    int unit = 1;
    add_conditional(g, NULL, handle_of(g, value), type, size, bodies);
    for (unsigned i = 0; i < size; i++, unit *= 10) {
        cudaGraphNode_t n;
        struct cudaKernelNodeParams k = store_params(p, unit);
        k.func = (void *)(uintptr_t)situation_plus();
        MUST(cudaGraphAddKernelNode(&n, bodies[i], NULL, 0, &k));
    }
    return g;
}

static void run_twice(cudaGraph_t g, const int *p)
{
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_text("%d", device_int(p));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(condition_if_runs, "IF with default 0; 1; 2, two launches each; with two bodies and "
                             "default 0; 5")
{
    int *p = device_bytes(SMALL);
    run_twice(adding(0, cudaGraphCondTypeIf, 1, p), p);
    run_twice(adding(1, cudaGraphCondTypeIf, 1, p), p);
    run_twice(adding(2, cudaGraphCondTypeIf, 1, p), p);
    run_twice(adding(0, cudaGraphCondTypeIf, 2, p), p);
    run_twice(adding(5, cudaGraphCondTypeIf, 2, p), p);
}

SITUATION(condition_switch_runs, "SWITCH of 3 with default 0; 1; 2; 3, two launches each")
{
    for (unsigned v = 0; v < 4; v++) {
        int *p = device_bytes(SMALL);
        run_twice(adding(v, cudaGraphCondTypeSwitch, 3, p), p);
    }
}

SITUATION(condition_while_zero, "WHILE with default 0: the body does not run; without a default")
{
    int *p = device_bytes(SMALL);
    run_twice(adding(0, cudaGraphCondTypeWhile, 1, p), p);
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = 0;
    MUST(cudaGraphConditionalHandleCreate(&h, g, 1, 0));
    add_conditional(g, NULL, h, cudaGraphCondTypeIf, 1, &body);
    add_store(body, NULL, p, 7);
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
}

SITUATION(condition_set_by_kernel, "a kernel before an IF sets its condition to 1; to 0; the "
                                   "default is the other: what runs, two launches each")
{
    for (unsigned set = 0; set < 2; set++) {
        cudaGraph_t g = new_graph(), body;
        int *p = device_bytes(SMALL);
        cudaGraphConditionalHandle h = handle_of(g, !set);
        void *args[] = {&h, &set};
        cudaGraphNode_t n = add_kernel(g, NULL, situation_set_condition(), args);
        add_conditional(g, n, h, cudaGraphCondTypeIf, 1, &body);
        add_store(body, NULL, p, 3);
        run_twice(g, p);
        set_device_int(p, 0);
    }
}

SITUATION(condition_while_runs, "WHILE whose body counts 5 down to 0; launched again from 3; "
                                "without counting: once")
{
    cudaGraph_t g = new_graph(), body;
    int *left = device_bytes(SMALL), *runs = device_bytes(SMALL);
    cudaGraphConditionalHandle h = handle_of(g, 1);
    void *args[] = {&left, &runs, &h};
    add_conditional(g, NULL, h, cudaGraphCondTypeWhile, 1, &body);
    add_kernel(body, NULL, situation_count_down(), args);
    cudaGraphExec_t x = new_exec(g);
    for (int i = 5; i > 0; i -= 2) {
        set_device_int(left, i);
        answer_run(x);
        answer_text("%d left %d runs", device_int(left), device_int(runs));
    }
}

SITUATION(condition_nested_runs, "an IF in the body of a WHILE that counts 4 down: how often each "
                                 "ran; order of a node after the WHILE")
{
    cudaGraph_t g = new_graph(), body, inner;
    int *left = device_bytes(SMALL), *runs = device_bytes(SMALL), *sum = device_bytes(SMALL);
    int ten = 10;
    cudaGraphConditionalHandle h = handle_of(g, 1), i = handle_of(g, 1);
    void *args[] = {&left, &runs, &h}, *add[] = {&sum, &ten};
    cudaGraphNode_t w = add_conditional(g, NULL, h, cudaGraphCondTypeWhile, 1, &body);
    cudaGraphNode_t n = add_kernel(body, NULL, situation_count_down(), args);
    add_conditional(body, n, i, cudaGraphCondTypeIf, 1, &inner);
    add_kernel(inner, NULL, situation_plus(), add);
    add_letter(g, w, 'w');
    set_device_int(left, 4);
    answer_run(new_exec(g));
    answer_text("%d left %d runs sum %d '%s'", device_int(left), device_int(runs), device_int(sum),
                log_text());
}

SITUATION(condition_handle_of_body, "a handle made of the body's graph, for an IF in the body; "
                                    "made of the outer graph; of the inner graph for an outer IF")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphNode_t n;
    cudaGraphConditionalHandle of_body = 0;
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 1, &body);
    answer(cudaGraphConditionalHandleCreate(&of_body, body, 1, cudaGraphCondAssignDefault));
    struct cudaGraphNodeParams q = conditional(of_body, cudaGraphCondTypeIf, 1);
    answer(cudaGraphAddNode(&n, body, NULL, NULL, 0, &q));
    q = conditional(handle_of(g, 1), cudaGraphCondTypeIf, 1);
    answer(cudaGraphAddNode(&n, body, NULL, NULL, 0, &q));
    MUST(cudaGraphConditionalHandleCreate(&of_body, body, 1, cudaGraphCondAssignDefault));
    q = conditional(of_body, cudaGraphCondTypeIf, 1);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    answer_instantiate(g);
}

SITUATION(condition_update, "update of an exec with an IF: a like one with another value in the "
                            "body; two bodies; WHILE instead; another body shape; another default; "
                            "itself")
{
    static const int types[] = {0, 0, 0, 1, 0, 0};
    cudaGraph_t g[6], bodies[2], inside[6];
    int *p = device_bytes(SMALL);
    for (int i = 0; i < 6; i++) {
        g[i] = new_graph();
        add_conditional(g[i], NULL, handle_of(g[i], i != 5),
                        (enum cudaGraphConditionalNodeType)types[i], i == 2 ? 2 : 1, bodies);
        add_store(bodies[0], NULL, p, i + 1);
        if (i == 4)
            add_empty(bodies[0], NULL);
        inside[i] = bodies[0];
    }
    cudaGraphExec_t x = new_exec(g[0]);
    for (int i = 1; i <= 6; i++) {
        cudaGraphExecUpdateResultInfo info;
        memset(&info, 0, sizeof info);
        cudaError_t e = cudaGraphExecUpdate(x, g[i % 6], &info);
        answer_text("%s %d %s %s", error_text(e), (int)info.result,
                    place_text(g[i % 6], info.errorNode),
                    place_text(inside[i % 6], info.errorNode));
        set_device_int(p, 0);
        answer_run(x);
        answer_text("%d", device_int(p));
    }
}

SITUATION(condition_capture_bad_body, "an invalidated capture into a body: end; instantiate; run")
{
    cudaGraph_t g = new_graph(), body;
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    prepare_work();
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 1, &body);
    MUST(cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    some_work(s);
    answer(cudaDeviceSynchronize());
    answer_end(s);
    answer_instantiate(g);
}

SITUATION(condition_two_handles,
          "two IFs with handles of defaults 1 and 0 in one graph; an IF after "
          "a WHILE that is never entered: what runs")
{
    cudaGraph_t g = new_graph(), a, b, c;
    int *p = device_bytes(SMALL), *q = device_bytes(SMALL), *r = device_bytes(SMALL);
    cudaGraphNode_t n = add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 1, &a);
    n = add_conditional(g, n, handle_of(g, 0), cudaGraphCondTypeWhile, 1, &b);
    add_conditional(g, n, handle_of(g, 1), cudaGraphCondTypeIf, 1, &c);
    add_store(a, NULL, p, 1);
    add_store(b, NULL, q, 2);
    add_store(c, NULL, r, 3);
    answer_run(new_exec(g));
    answer_text("%d %d %d", device_int(p), device_int(q), device_int(r));
}

SITUATION(condition_empty_bodies, "an IF, a SWITCH of 3 and a WHILE (default 0) with empty bodies: "
                                  "run; a WHILE whose body sets it to 0: run")
{
    cudaGraph_t g = new_graph(), bodies[3], body;
    unsigned zero = 0;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    void *args[] = {&h, &zero};
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 1, bodies);
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeSwitch, 3, bodies);
    add_conditional(g, NULL, handle_of(g, 0), cudaGraphCondTypeWhile, 1, bodies);
    add_conditional(g, NULL, h, cudaGraphCondTypeWhile, 1, &body);
    add_kernel(body, NULL, situation_set_condition(), args);
    answer_run(new_exec(g));
}

SITUATION(condition_shared_handle,
          "a kernel in the body of an IF sets the condition of a later IF; "
          "of an earlier one for the next launch: three launches")
{
    cudaGraph_t g = new_graph(), first, second;
    int *p = device_bytes(SMALL), *q = device_bytes(SMALL), one = 1;
    unsigned zero = 0;
    cudaGraphConditionalHandle h = 0, i = handle_of(g, 1);
    MUST(cudaGraphConditionalHandleCreate(&h, g, 1, 0));
    void *plus_p[] = {&p, &one}, *plus_q[] = {&q, &one}, *set_i[] = {&i, &zero};
    cudaGraphNode_t n = add_conditional(g, NULL, h, cudaGraphCondTypeIf, 1, &first);
    add_kernel(first, NULL, situation_plus(), plus_p);
    add_conditional(g, n, i, cudaGraphCondTypeIf, 1, &second);
    n = add_kernel(second, NULL, situation_plus(), plus_q);
    add_kernel(second, n, situation_set_condition(), set_i);
    cudaGraphExec_t x = new_exec(g);
    for (int k = 0; k < 3; k++) {
        answer_run(x);
        answer_text("%d %d", device_int(p), device_int(q));
    }
}

SITUATION(condition_value_stays,
          "a handle without default, set to 1 by a kernel after the IF: first "
          "launch; second; third")
{
    cudaGraph_t g = new_graph(), body;
    int *p = device_bytes(SMALL), one = 1;
    unsigned set = 1;
    cudaGraphConditionalHandle h = 0;
    MUST(cudaGraphConditionalHandleCreate(&h, g, 1, 0));
    void *plus[] = {&p, &one}, *args[] = {&h, &set};
    cudaGraphNode_t n = add_conditional(g, NULL, h, cudaGraphCondTypeIf, 1, &body);
    add_kernel(body, NULL, situation_plus(), plus);
    add_kernel(g, n, situation_set_condition(), args);
    cudaGraphExec_t x = new_exec(g);
    for (int k = 0; k < 3; k++) {
        answer_run(x);
        answer_text("%d", device_int(p));
    }
}

SITUATION(condition_params_back, "the parameters of a conditional node as cudaGraphAddNode leaves "
                                 "them: bodies set; the node in two places of an array; enable; "
                                 "type; dependencies")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL, first = add_empty(g, NULL);
    struct cudaGraphNodeParams q = conditional(handle_of(g, 1), cudaGraphCondTypeSwitch, 3);
    size_t dependencies = 9;
    answer(cudaGraphAddNode(&n, g, &first, NULL, 1, &q));
    answer_text(q.conditional.phGraph_out ? "set" : "NULL");
    answer_text(q.conditional.phGraph_out[0] != q.conditional.phGraph_out[2] ? "differ" : "same");
    MUST(cudaGraphNodeGetDependencies(n, NULL, NULL, &dependencies));
    answer_text("%zu", dependencies);
    answer_types(g);
}

SITUATION(condition_exec_set_body, "parameters of a body's node set in the exec; what runs")
{
    cudaGraph_t g = new_graph(), body;
    int *p = device_bytes(SMALL);
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, 1, &body);
    cudaGraphNode_t n = add_store(body, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 9);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer(cudaGraphNodeSetEnabled(x, n, 0));
    answer(cudaGraphNodeSetEnabled(x, n, 1));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(condition_in_capture, "a conditional node added by hand to the graph of a capture, its "
                                "frontier set to it; end; run")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraph_t g = NULL, body;
    int *p = device_bytes(SMALL);
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *nodes;
    size_t n;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    MUST(cudaStreamGetCaptureInfo(s, &status, NULL, &g, &nodes, NULL, &n));
    cudaGraphNode_t c =
        add_conditional(g, nodes[0], handle_of(g, 1), cudaGraphCondTypeIf, 1, &body);
    add_store(body, NULL, p, 6);
    answer(cudaStreamUpdateCaptureDependencies(s, &c, NULL, 1, cudaStreamSetCaptureDependencies));
    some_work(s);
    cudaGraph_t ended = answer_end(s);
    answer_types(ended);
    answer_run(new_exec(ended));
    answer_text("%d", device_int(p));
}

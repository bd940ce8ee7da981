/* conditional_flow.c: what conditional nodes run, and in which order: a log that kernels write. */
#include "../conditional.h"

SITUATION("log: A, a WHILE of 3 rounds of b and c, then D: two launches")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    cudaGraphNode_t n = add_device_letter(g, NULL, 'A');
    n = add_conditional(g, n, h, WHILE, 1, &body);
    add_device_letter(g, n, 'D');
    add_countdown(body, add_device_letter(body, NULL, 'b'), 'c', h, 3);
    cudaGraphExec_t x = new_exec(g);
    logged("'AbcbcbcD'", x);
    logged("'AbcbcbcD'", x);
}

SITUATION("log: a WHILE of 3 rounds, in it a WHILE of 2 rounds whose value is set before it; not "
          "set before it",
          "device_log: '(ii)(ii)(ii)'; '(ii)()()'")
{
    for (int set = 1; set >= 0; set--) {
        cudaGraph_t g = new_graph(), outer, inner;
        cudaGraphConditionalHandle h = handle_of(g, 1), i = handle_of(g, 1);
        add_conditional(g, NULL, h, WHILE, 1, &outer);
        cudaGraphNode_t n = add_device_letter(outer, NULL, '(');
        if (set)
            n = add_set(outer, n, i, 1);
        n = add_conditional(outer, n, i, WHILE, 1, &inner);
        add_countdown(outer, n, ')', h, 3);
        add_countdown(inner, NULL, 'i', i, 2);
        answer_logged(new_exec(g));
    }
}

SITUATION("log: a SWITCH of 3 in a WHILE of 7 rounds, the state goes 0 1 2 3 0 ..")
{
    cudaGraph_t g = new_graph(), body, cases[3];
    cudaGraphConditionalHandle h = handle_of(g, 1), state = handle_of(g, 0);
    add_conditional(g, NULL, h, WHILE, 1, &body);
    cudaGraphNode_t n = add_turn(body, NULL, state, 4);
    n = add_conditional(body, n, state, SWITCH, 3, cases);
    for (int i = 0; i < 3; i++)
        add_device_letter(cases[i], NULL, (char)('x' + i));
    add_countdown(body, n, '.', h, 7);
    logged("'x.y.z..x.y.z.'", new_exec(g));
}

SITUATION("log: a SWITCH of 2 whose value a kernel sets to 1; 2; 0x80000000; 0xffffffff; IF with "
          "0xffffffff; 0x80000000",
          "device_log: '1.'; '.'; '.'; '.'; '0.'; '0.'")
{
    static const unsigned values[] = {1, 2, 0x80000000u, 0xffffffffu, 0xffffffffu, 0x80000000u};
    for (int i = 0; i < 6; i++) {
        cudaGraph_t g = new_graph(), cases[2];
        cudaGraphConditionalHandle h = handle_of(g, 0);
        cudaGraphNode_t n = add_set(g, NULL, h, values[i]);
        n = add_conditional(g, n, h, i < 4 ? SWITCH : IF, 2, cases);
        add_device_letter(cases[0], NULL, '0');
        add_device_letter(cases[1], NULL, '1');
        add_device_letter(g, n, '.');
        answer_logged(new_exec(g));
    }
}

SITUATION("values without default: set to 1 after the IF; launch twice; the exec destroyed, a new "
          "one launched twice",
          "device_log: '.'; 'y.'")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = handle_without_default(g, 1);
    cudaGraphNode_t n = add_conditional(g, NULL, h, IF, 1, &body);
    add_device_letter(body, NULL, 'y');
    add_set(g, add_device_letter(g, n, '.'), h, 1);
    for (int i = 0; i < 2; i++) {
        cudaGraphExec_t x = new_exec(g);
        answer_logged(x);
        logged("'y.'", x);
        MUST(cudaGraphExecDestroy(x));
    }
}

SITUATION("two graphs whose handles are the same number, no default: a kernel of the first sets it "
          "to 1; launch the first, the second, the first")
{
    cudaGraph_t g[2], body;
    cudaGraphExec_t x[2];
    for (int i = 0; i < 2; i++) {
        g[i] = new_graph();
        cudaGraphConditionalHandle h = handle_without_default(g[i], 0);
        cudaGraphNode_t n = add_conditional(g[i], NULL, h, IF, 1, &body);
        add_device_letter(body, NULL, (char)('a' + i));
        n = add_device_letter(g[i], n, '.');
        if (i == 0)
            add_set(g[i], n, h, 1);
        x[i] = new_exec(g[i]);
    }
    logged("'.'", x[0]);
    logged("'.'", x[1]);
    logged("'a.'", x[0]);
}

SITUATION("a kernel launched into a stream sets a graph's value to 1: synchronize; create a stream")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = handle_without_default(g, 0);
    unsigned one = 1;
    void *args[] = {&h, &one};
    cudaStream_t s = nonblocking_stream();
    add_conditional(g, NULL, h, IF, 1, &body);
    new_exec(g);
    answer(launch_one(situation_set_condition(), args, s));
    gives(IllegalAddress, cudaStreamSynchronize(s));
    gives(IllegalAddress, cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
}

SITUATION("the default comes once a launch: an IF in a WHILE of 4 iterations, its body sets its "
          "value to 0; two launches")
{
    cudaGraph_t g = new_graph(), body, once;
    cudaGraphConditionalHandle h = handle_of(g, 1), i = handle_of(g, 1);
    add_conditional(g, NULL, h, WHILE, 1, &body);
    cudaGraphNode_t n = add_conditional(body, NULL, i, IF, 1, &once);
    add_set(once, add_device_letter(once, NULL, '1'), i, 0);
    add_countdown(body, n, '.', h, 4);
    cudaGraphExec_t x = new_exec(g);
    logged("'1....'", x);
    logged("'1....'", x);
}

SITUATION("a body with two ends, one of which sets the value: 3 iterations; what both did")
{
    cudaGraph_t g = new_graph(), body;
    int *sum = device_bytes(SMALL), one = 1;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    void *plus[] = {&sum, &one};
    cudaGraphNode_t n = add_conditional(g, NULL, h, WHILE, 1, &body);
    add_countdown(body, NULL, 'c', h, 3);
    add_kernel(body, NULL, situation_plus(), plus);
    add_device_letter(g, n, 'E');
    logged("'cccE'", new_exec(g));
    shows("3", "%d", device_int(sum));
}

SITUATION("a WHILE of 3 iterations: memset to the iteration's byte, copy inside the device, copy "
          "to pinned memory; a child graph of a memset")
{
    cudaGraph_t g = new_graph(), body;
    unsigned char *p = device_bytes(SMALL), *q = device_bytes(SMALL), *r = device_bytes(SMALL);
    unsigned char *h = pinned_bytes(SMALL);
    cudaGraphConditionalHandle c = handle_of(g, 1);
    cudaGraph_t child = new_graph();
    add_memset(child, NULL, r, 9);
    add_conditional(g, NULL, c, WHILE, 1, &body);
    cudaGraphNode_t n = add_memset(body, NULL, p, 7);
    n = add_copy(body, n, q, p);
    n = add_copy(body, n, h, q);
    n = add_child(body, n, child);
    add_countdown(body, n, '.', c, 3);
    logged("'...'", new_exec(g));
    shows("7 7 9", "%d %d %d", device_byte(q), h[0], device_byte(r));
}

SITUATION("log: a body of a child graph of two kernels, between two others, 2 rounds; an IF in a "
          "body beside it")
{
    cudaGraph_t g = new_graph(), body, child = new_graph(), inner;
    cudaGraphConditionalHandle h = handle_of(g, 1), i = handle_of(g, 1);
    add_device_letter(child, add_device_letter(child, NULL, 'x'), 'y');
    add_conditional(g, NULL, h, WHILE, 1, &body);
    cudaGraphNode_t n = add_device_letter(body, NULL, '[');
    n = add_child(body, n, child);
    n = add_conditional(body, n, i, IF, 1, &inner);
    add_device_letter(inner, NULL, '!');
    add_countdown(body, n, ']', h, 2);
    logged("'[xy!][xy!]'", new_exec(g));
}

SITUATION("log: a SWITCH of 300 with default 299; a SWITCH of 5000: instantiate")
{
    static cudaGraph_t bodies[5000];
    cudaGraph_t g = new_graph();
    add_conditional(g, NULL, handle_of(g, 299), SWITCH, 300, bodies);
    add_device_letter(bodies[299], NULL, 'z');
    add_device_letter(bodies[298], NULL, 'y');
    logged("'z'", new_exec(g));
    g = new_graph();
    add_conditional(g, NULL, handle_of(g, 1), SWITCH, 5000, bodies);
    instantiate_gives("Success", "result 0, error NULL", g);
}

SITUATION("the kernel that sets the value is disabled in the exec: default 0; enabled again; a "
          "body's kernel disabled")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = handle_of(g, 0);
    cudaGraphNode_t set = add_set(g, NULL, h, 1), inside;
    cudaGraphNode_t n = add_conditional(g, set, h, IF, 1, &body);
    inside = add_device_letter(body, NULL, 'y');
    add_device_letter(body, inside, 'z');
    add_device_letter(g, n, '.');
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphNodeSetEnabled(x, set, 0));
    logged("'.'", x);
    answer(cudaGraphNodeSetEnabled(x, set, 1));
    logged("'yz.'", x);
    answer(cudaGraphNodeSetEnabled(x, inside, 0));
    logged("'z.'", x);
}

SITUATION("log: a capture with a WHILE whose body is captured too, an event fork and join in the "
          "body; the value is set last")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream(), u = nonblocking_stream();
    cudaGraph_t g = NULL, body, ended = NULL;
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *nodes;
    size_t n;
    int *runs = device_bytes(SMALL), *log = device_log(), letter = 'c', most = 3, a = 'A';
    void *first[] = {&log, &a};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(launch_one(situation_log(), first, s));
    MUST(cudaStreamGetCaptureInfo(s, &status, NULL, &g, &nodes, NULL, &n));
    cudaGraphConditionalHandle h = handle_of(g, 1);
    cudaGraphNode_t c = add_conditional(g, nodes[0], h, WHILE, 1, &body);
    answer(cudaStreamUpdateCaptureDependencies(s, &c, NULL, 1, cudaStreamSetCaptureDependencies));
    void *args[] = {&log, &letter, &h, &runs, &most};
    answer(cudaStreamBeginCaptureToGraph(t, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    order_streams(t, u);
    MUST(cudaMemsetAsync(runs + 8, 1, 4, u));
    order_streams(u, t);
    answer(launch_one(situation_countdown(), args, t));
    answer(cudaStreamEndCapture(t, &ended));
    shows("the body", ended == body ? "the body" : "another graph");
    shape_is("2 nodes, 1 edges, 1 roots", body);
    MUST(launch_one(situation_log(), first, s));
    logged("'AcccA'", new_exec(captured("3 nodes", s)));
}

SITUATION("a WHILE whose body's kernel writes to no memory: launch, synchronize")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    add_conditional(g, NULL, h, WHILE, 1, &body);
    add_store(body, NULL, (int *)(uintptr_t)16, 1);
    run_gives("Success then IllegalAddress", new_exec(g));
}

SITUATION("a kernel in a graph without conditions sets the value of a handle of another graph: run")
{
    cudaGraph_t g = new_graph();
    add_set(g, NULL, handle_of(new_graph(), 1), 1);
    run_gives("Success then IllegalAddress", new_exec(g));
}

SITUATION("a kernel in a graph of one condition sets the value of the second handle of another "
          "graph; of handle 0: run, log")
{
    cudaGraph_t g = new_graph(), body, other = new_graph();
    cudaGraphConditionalHandle h = handle_of(g, 1), second;
    handle_of(other, 1);
    second = handle_of(other, 1);
    cudaGraphNode_t n = add_conditional(g, NULL, h, IF, 1, &body);
    add_device_letter(body, NULL, 'y');
    add_set(g, n, second, 1);
    logged("'y'", new_exec(g));
    g = new_graph();
    n = add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    add_device_letter(body, NULL, 'y');
    add_set(g, n, 0, 1);
    logged("'y'", new_exec(g));
}

SITUATION("log: an IF with default 1 in a child's embedded graph, handle made there; a WHILE of 2 "
          "iterations there with a handle of the parent")
{
    cudaGraph_t g = new_graph(), child = new_graph(), embedded, body;
    cudaGraphNode_t n;
    add_empty(child, NULL);
    n = add_child(g, NULL, child);
    add_device_letter(g, n, '.');
    MUST(cudaGraphChildGraphNodeGetGraph(n, &embedded));
    n = add_conditional(embedded, NULL, handle_of(embedded, 1), IF, 1, &body);
    add_device_letter(body, NULL, 'i');
    cudaGraphConditionalHandle h = handle_of(g, 1);
    add_conditional(embedded, n, h, WHILE, 1, &body);
    add_countdown(body, NULL, 'w', h, 2);
    cudaGraphExec_t x = new_exec(g);
    logged("'iww.'", x);
    logged("'iww.'", x);
}

/* conditional_runs.c: which bodies IF, WHILE and SWITCH nodes run. */
#include "../conditional.h"

/* A graph of one conditional node whose i-th body adds 10^i to *p. */
static cudaGraph_t adding(unsigned value, enum cudaGraphConditionalNodeType type, unsigned size,
                          int *p)
{
    cudaGraph_t g = new_graph(), bodies[8];
    int unit = 1;
    add_conditional(g, NULL, handle_of(g, value), type, size, bodies);
    for (unsigned i = 0; i < size; i++, unit *= 10) {
        void *args[] = {&p, &unit};
        add_kernel(bodies[i], NULL, situation_plus(), args);
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

SITUATION(
    "IF with default 0; 1; 2, two launches each; with two bodies and default 0; 5; SWITCH of 3 "
    "with default 0; 1; 2; 3; WHILE with default 0: the body does not run; IF without a default",
    "device_int: 0; 0; 1; 2; 3; 4; 14; 24; 25; 26; 1; 2; 10; 20; 100; 200; 0; 0; 0; 0")
{
    int *p = device_bytes(SMALL);
    run_twice(adding(0, IF, 1, p), p);
    run_twice(adding(1, IF, 1, p), p);
    run_twice(adding(2, IF, 1, p), p);
    run_twice(adding(0, IF, 2, p), p);
    run_twice(adding(5, IF, 2, p), p);
    for (unsigned v = 0; v < 4; v++) {
        p = device_bytes(SMALL);
        run_twice(adding(v, SWITCH, 3, p), p);
    }
    p = device_bytes(SMALL);
    run_twice(adding(0, WHILE, 1, p), p);
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = 0;
    MUST(cudaGraphConditionalHandleCreate(&h, g, 1, 0));
    add_conditional(g, NULL, h, IF, 1, &body);
    add_store(body, NULL, p, 7);
    answer_run(new_exec(g));
    shows("0", "%d", device_int(p));
}

SITUATION("two IFs with handles of defaults 1 and 0 in one graph; an IF after a WHILE that is "
          "never entered: what runs")
{
    cudaGraph_t g = new_graph(), a, b, c;
    int *p = device_bytes(SMALL), *q = device_bytes(SMALL), *r = device_bytes(SMALL);
    cudaGraphNode_t n = add_conditional(g, NULL, handle_of(g, 1), IF, 1, &a);
    n = add_conditional(g, n, handle_of(g, 0), WHILE, 1, &b);
    add_conditional(g, n, handle_of(g, 1), IF, 1, &c);
    add_store(a, NULL, p, 1);
    add_store(b, NULL, q, 2);
    add_store(c, NULL, r, 3);
    answer_run(new_exec(g));
    shows("1 0 3", "%d %d %d", device_int(p), device_int(q), device_int(r));
}

SITUATION("an IF, a SWITCH of 3 and a WHILE (default 0) with empty bodies: run; a WHILE whose body "
          "sets it to 0: run")
{
    cudaGraph_t g = new_graph(), bodies[3], body;
    unsigned zero = 0;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    void *args[] = {&h, &zero};
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, bodies);
    add_conditional(g, NULL, handle_of(g, 1), SWITCH, 3, bodies);
    add_conditional(g, NULL, handle_of(g, 0), WHILE, 1, bodies);
    add_conditional(g, NULL, h, WHILE, 1, &body);
    add_kernel(body, NULL, situation_set_condition(), args);
    answer_run(new_exec(g));
}

SITUATION("a kernel in the body of an IF sets the condition of a later IF; of an earlier one for "
          "the next launch: three launches",
          "device_int(p), device_int(q): 0 1; 0 2; 0 3")
{
    cudaGraph_t g = new_graph(), first, second;
    int *p = device_bytes(SMALL), *q = device_bytes(SMALL), one = 1;
    unsigned zero = 0;
    cudaGraphConditionalHandle h = 0, i = handle_of(g, 1);
    MUST(cudaGraphConditionalHandleCreate(&h, g, 1, 0));
    void *plus_p[] = {&p, &one}, *plus_q[] = {&q, &one}, *set_i[] = {&i, &zero};
    cudaGraphNode_t n = add_conditional(g, NULL, h, IF, 1, &first);
    add_kernel(first, NULL, situation_plus(), plus_p);
    add_conditional(g, n, i, IF, 1, &second);
    n = add_kernel(second, NULL, situation_plus(), plus_q);
    add_kernel(second, n, situation_set_condition(), set_i);
    cudaGraphExec_t x = new_exec(g);
    for (int k = 0; k < 3; k++) {
        answer_run(x);
        answer_text("%d %d", device_int(p), device_int(q));
    }
}

SITUATION("one handle set in the body of the first IF, queried by a second handle's IF after it: "
          "order of letters")
{
    cudaGraph_t g = new_graph(), first, second;
    device_log();
    cudaGraphConditionalHandle a = handle_of(g, 1), b = handle_of(g, 0);
    cudaGraphNode_t n = add_conditional(g, NULL, a, IF, 1, &first);
    add_set(first, add_device_letter(first, NULL, '1'), b, 1);
    cudaGraphNode_t m = add_conditional(g, n, b, IF, 1, &second);
    add_device_letter(second, NULL, '2');
    add_device_letter(g, m, '3');
    cudaGraphExec_t x = new_exec(g);
    logged("'123'", x);
    logged("'123'", x);
}

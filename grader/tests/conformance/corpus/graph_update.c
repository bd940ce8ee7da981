/* graph_update.c: cudaGraphExecUpdate: when it takes effect, and what an update that failed
 * leaves. */
#include "../graphs.h"

SITUATION("cudaGraphExecUpdate: NULL exec; NULL graph; NULL info; get last error; a failed one: "
          "get last error")
{
    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t g = captured_memsets(1);
    cudaGraphExec_t x = new_exec(g);
    memset(&info, 0x5a, sizeof info);
    gives(InvalidValue, cudaGraphExecUpdate(NULL, g, &info));
    gives(InvalidValue, cudaGraphExecUpdate(x, NULL, &info));
    answer(cudaGraphExecUpdate(x, g, NULL));
    gives(InvalidValue, cudaGetLastError());
    update_gives("GraphExecUpdateFailure 2 NULL NULL", x, captured_memsets(2));
    gives(GraphExecUpdateFailure, cudaGetLastError());
}

SITUATION("after an update that failed at the second node the exec runs the old values")
{
    cudaGraph_t a = new_graph(), b = new_graph();
    int *p = device_bytes(SMALL);
    add_letter(a, add_memset(a, NULL, p, 1), 'a');
    add_empty(b, add_memset(b, NULL, p, 2));
    cudaGraphExec_t x = new_exec(a);
    update_gives("GraphExecUpdateFailure 3 node 1 NULL", x, b);
    answer_run(x);
    shows("1 'a'", "%d '%s'", device_byte(p), host_log());
}

SITUATION("an update while the exec runs: does not wait; the running launch keeps the old value; "
          "the next has the new")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g[2] = {new_graph(), new_graph()};
    int *p = device_bytes(SMALL);
    for (int i = 0; i < 2; i++)
        add_memset(g[i], add_gate(g[i]), p, i + 1);
    cudaGraphExec_t x = new_exec(g[0]);
    answer(cudaGraphLaunch(x, s));
    update_gives("Success 0 NULL NULL", x, g[1]);
    call_returns();
    answer(cudaStreamSynchronize(s));
    shows("1", "%d", device_byte(p));
    answer_run(x);
    shows("2", "%d", device_byte(p));
}

SITUATION("an update of an exec with a node switched off: still off; value after switching on")
{
    cudaGraph_t a = new_graph(), b = new_graph();
    int *p = device_bytes(SMALL);
    unsigned on = 9;
    cudaGraphNode_t n = add_memset(a, NULL, p, 1);
    add_memset(b, NULL, p, 2);
    cudaGraphExec_t x = new_exec(a);
    MUST(cudaGraphNodeSetEnabled(x, n, 0));
    update_gives("Success 0 NULL NULL", x, b);
    MUST(cudaGraphNodeGetEnabled(x, n, &on));
    shows("0", "%u", on);
    answer_run(x);
    shows("0", "%d", device_byte(p));
    MUST(cudaGraphNodeSetEnabled(x, n, 1));
    answer_run(x);
    shows("2", "%d", device_byte(p));
}

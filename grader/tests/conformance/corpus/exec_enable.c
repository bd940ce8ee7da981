/* exec_enable.c: cudaGraphNodeSetEnabled. */
#include "../graphs.h"

SITUATION("cudaGraphNodeSetEnabled(0) and GetEnabled of a kernel; memcpy; memset; host; child; "
          "record; wait; alloc; empty node",
          "cudaGraphNodeSetEnabled, cudaGraphNodeGetEnabled: Success Success 0; Success Success 0; "
          "Success Success 0; InvalidValue InvalidValue 9; InvalidValue InvalidValue 9; "
          "InvalidValue InvalidValue 9; InvalidValue InvalidValue 9; InvalidValue InvalidValue 9; "
          "InvalidValue InvalidValue 9")
{
    static const char *const kinds[] = {"kernel", "memcpy", "memset", "host", "child",
                                        "record", "wait",   "alloc",  "empty"};
    for (int i = 0; i < 9; i++) {
        cudaGraphNode_t n;
        unsigned on = 9;
        cudaGraphExec_t x = new_exec(graph_of_one(kinds[i], &n));
        cudaError_t set = cudaGraphNodeSetEnabled(x, n, 0),
                    get = cudaGraphNodeGetEnabled(x, n, &on);
        answer_fact("cudaGraphNodeSetEnabled, cudaGraphNodeGetEnabled", "%s %s %u", error_text(set),
                    error_text(get), on);
    }
}

SITUATION("GetEnabled at first; after SetEnabled 0; 1; 7; run while off; parameters set while the "
          "node is off: still off; value once it is on",
          "on: 0; 1; 1", "device_byte: 0; 1; 1")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    static const unsigned values[] = {0, 1, 7};
    unsigned on = 9;
    MUST(cudaGraphNodeGetEnabled(x, n, &on));
    shows("1", "%u", on);
    for (int i = 0; i < 3; i++) {
        answer(cudaGraphNodeSetEnabled(x, n, values[i]));
        MUST(cudaGraphNodeGetEnabled(x, n, &on));
        answer_text("%u", on);
        set_device_int(p, 0);
        answer_run(x);
        answer_text("%d", device_byte(p));
    }
    set_device_int(p, 0);
    struct cudaMemsetParams m = memset_params(p, 6, SMALL);
    MUST(cudaGraphNodeSetEnabled(x, n, 0));
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    MUST(cudaGraphNodeGetEnabled(x, n, &on));
    shows("0", "%u", on);
    answer_run(x);
    shows("0", "%d", device_byte(p));
    MUST(cudaGraphNodeSetEnabled(x, n, 1));
    answer_run(x);
    shows("6", "%d", device_byte(p));
}

SITUATION("SetEnabled: a node of another graph; NULL node; NULL exec; GetEnabled: NULL result; of "
          "a host node; of another graph")
{
    cudaGraphNode_t n, other, host;
    unsigned on;
    cudaGraphExec_t x = new_exec(graph_of_one("memset", &n));
    cudaGraphExec_t h = new_exec(graph_of_one("host", &host));
    graph_of_one("memset", &other);
    gives(InvalidValue, cudaGraphNodeSetEnabled(x, other, 0));
    gives(InvalidValue, cudaGraphNodeSetEnabled(x, NULL, 0));
    gives(InvalidValue, cudaGraphNodeSetEnabled(NULL, n, 0));
    gives(InvalidValue, cudaGraphNodeGetEnabled(x, n, NULL));
    gives(InvalidValue, cudaGraphNodeGetEnabled(h, host, &on));
    gives(InvalidValue, cudaGraphNodeGetEnabled(x, other, &on));
}

SITUATION(
    "a node that is off keeps its place: the host node after it still waits for the one before it")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_gate(g);
    n = add_letter(g, n, 'a');
    cudaGraphNode_t off = add_memset(g, n, p, 1);
    add_letter(g, off, 'b');
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaGraphNodeSetEnabled(x, off, 0));
    answer_run(x);
    shows("'ab' 0", "'%s' %d", host_log(), device_byte(p));
}

SITUATION("a node switched off while the exec runs: that launch still runs it")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_gate(g);
    n = add_memset(g, n, p, 1);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphNodeSetEnabled(x, n, 0));
    answer(cudaStreamSynchronize(s));
    shows("1", "%d", device_byte(p));
}

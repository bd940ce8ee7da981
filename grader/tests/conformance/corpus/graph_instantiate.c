/* graph_instantiate.c: cudaGraphInstantiate: flags, results, and the end of executable graphs. */
#include "../graphs.h"

SITUATION("cudaGraphInstantiate with flags 1; 2; 4; 8; 5; 16; 32; -1 of a graph of one kernel",
          "cudaGraphInstantiate: Success; InvalidValue; Success; Success; InvalidValue; "
          "InvalidValue; InvalidValue; InvalidValue")
{
    static const unsigned long long flags[] = {1, 2, 4, 8, 5, 16, 32, (unsigned long long)-1};
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    for (int i = 0; i < 8; i++) {
        cudaGraphExec_t x = NULL;
        answer(cudaGraphInstantiate(&x, g, flags[i]));
        if (x)
            answer_run(x);
    }
}

SITUATION(
    "cudaGraphInstantiateWithFlags with flags 0; 2; 16; 9; NULL graph; NULL result",
    "cudaGraphInstantiateWithFlags(&x, g, flags[i]): Success; InvalidValue; InvalidValue; Success")
{
    static const unsigned long long flags[] = {0, 2, 16, 9};
    cudaGraph_t g = captured_memsets(2);
    cudaGraphExec_t x = NULL;
    for (int i = 0; i < 4; i++)
        answer(cudaGraphInstantiateWithFlags(&x, g, flags[i]));
    gives(InvalidValue, cudaGraphInstantiateWithFlags(&x, NULL, 0));
    gives(InvalidValue, cudaGraphInstantiateWithFlags(NULL, g, 0));
}

SITUATION("cudaGraphInstantiateWithParams: good; flags 16; AutoFree and DeviceLaunch; a cycle")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    cudaGraph_t k = captured_memsets(1);
    instantiate_with_gives("Success", "result 0, error NULL, exec", k, 0, NULL);
    instantiate_with_gives("InvalidValue", "result 1, error NULL, NULL", k, 16, NULL);
    instantiate_with_gives("InvalidValue", "result 1, error NULL, NULL", k, 5, NULL);
    add_edge(g, b, a);
    instantiate_with_gives("InvalidValue", "result 2, error node 1, NULL", g, 0, NULL);
}

SITUATION("cudaGraphInstantiateWithParams: NULL parameters; NULL graph; NULL result; the reported "
          "result of both")
{
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {0};
    cudaGraph_t g = captured_memsets(1);
    gives(InvalidValue, cudaGraphInstantiateWithParams(&x, g, NULL));
    p.result_out = (cudaGraphInstantiateResult)9;
    gives(InvalidValue, cudaGraphInstantiateWithParams(&x, NULL, &p));
    shows("1", "%d", (int)p.result_out);
    p.result_out = (cudaGraphInstantiateResult)9;
    gives(InvalidValue, cudaGraphInstantiateWithParams(NULL, g, &p));
    shows("1", "%d", (int)p.result_out);
}

SITUATION(
    "cudaGraphInstantiateWithParams with Upload: in a stream; in 0; in a stream that captures")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = captured_memsets(1);
    instantiate_with_gives("Success", "result 0, error NULL, exec", g,
                           cudaGraphInstantiateFlagUpload, s);
    instantiate_with_gives("Success", "result 0, error NULL, exec", g,
                           cudaGraphInstantiateFlagUpload, 0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    instantiate_with_gives("StreamCaptureUnsupported", "result 1, error NULL, NULL", g,
                           cudaGraphInstantiateFlagUpload, s);
    status_is("invalidated", s);
}

SITUATION(
    "cudaGraphExecGetFlags after flags 0; 1; 8; 9; after WithParams 2; NULL result; NULL exec",
    "got: 0; 1; 0; 1")
{
    static const unsigned long long flags[] = {0, 1, 8, 9};
    cudaGraph_t g = captured_memsets(1);
    cudaGraphExec_t x;
    unsigned long long got;
    for (int i = 0; i < 4; i++) {
        MUST(cudaGraphInstantiate(&x, g, flags[i]));
        got = 99;
        answer(cudaGraphExecGetFlags(x, &got));
        answer_text("%llu", got);
    }
    cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagUpload};
    MUST(cudaGraphInstantiateWithParams(&x, g, &p));
    got = 99;
    answer(cudaGraphExecGetFlags(x, &got));
    shows("0", "%llu", got);
    gives(InvalidValue, cudaGraphExecGetFlags(x, NULL));
    gives(InvalidValue, cudaGraphExecGetFlags(NULL, &got));
}

SITUATION("one graph instantiated three times, each run; the graph destroyed between")
{
    cudaGraph_t g = captured_memsets(3);
    cudaGraphExec_t x = new_exec(g), y = new_exec(g), z = new_exec(g);
    answer_run(x);
    answer(cudaGraphDestroy(g));
    answer_run(y);
    answer_run(z);
}

SITUATION("cudaGraphExecDestroy of NULL; get last error; good; of a graph")
{
    gives(InvalidValue, cudaGraphExecDestroy(NULL));
    gives(InvalidValue, cudaGetLastError());
    answer(cudaGraphExecDestroy(new_exec(new_graph())));
    gives(InvalidValue, cudaGraphExecDestroy((cudaGraphExec_t)new_graph()));
}

ROW(gives(InvalidValue, cudaGraphExecDestroy(destroyed_exec())), "cudaGraphExecDestroy twice")
ROW(gives(InvalidValue, cudaGraphLaunch(destroyed_exec(), 0)),
    "cudaGraphLaunch of a destroyed exec")

ROW(gives(InvalidValue, cudaGraphExecGetFlags(destroyed_exec(), &(unsigned long long){0})),
    "cudaGraphExecGetFlags of a destroyed exec")

SITUATION("cudaGraphExecUpdate of a destroyed exec")
{
    cudaGraphExecUpdateResultInfo info;
    gives(InvalidValue, cudaGraphExecUpdate(destroyed_exec(), new_graph(), &info));
}

SITUATION("an exec destroyed while it runs; its graph too: the launch completes")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    add_memset(g, add_gate(g), p, 3);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphDestroy(g));
    call_returns();
    answer(cudaStreamSynchronize(s));
    shows("3", "%d", device_byte(p));
}

SITUATION("a node added to the graph after instantiate is not in the exec")
{
    cudaGraph_t g = new_graph();
    add_letter(g, NULL, 'a');
    cudaGraphExec_t x = new_exec(g);
    add_letter(g, NULL, 'b');
    answer_run(x);
    shows("'a'", "'%s'", host_log());
}

SITUATION("cudaGraphInstantiate with flags 1, 2, 4, 8, 16, 32, 64, 6; cudaGraphExecGetFlags of "
          "each that works",
          "cudaGraphExecGetFlags: Success 1; InvalidValue 77; Success 4; Success 0; InvalidValue "
          "77; InvalidValue 77; InvalidValue 77; InvalidValue 77")
{
    static const unsigned long long asked[] = {1, 2, 4, 8, 16, 32, 64, 6};
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    for (int i = 0; i < 8; i++) {
        cudaGraphExec_t x = NULL;
        unsigned long long f = 77;
        cudaError_t e = cudaGraphInstantiate(&x, g, asked[i]);
        if (e == cudaSuccess)
            e = cudaGraphExecGetFlags(x, &f);
        answer_fact("cudaGraphExecGetFlags", "%s %llu", error_text(e), f);
    }
}

SITUATION("cudaGraphInstantiate: NULL graph, NULL out; WithParams with NULL parameters; "
          "cudaGraphExecDestroy(NULL); cudaGraphLaunch(NULL); cudaGraphUpload(NULL)")
{
    cudaGraphExec_t x = NULL;
    cudaStream_t s = new_stream(0);
    gives(InvalidValue, cudaGraphInstantiate(&x, NULL, 0));
    gives(InvalidValue, cudaGraphInstantiate(NULL, new_graph(), 0));
    gives(InvalidValue, cudaGraphExecDestroy(NULL));
    gives(InvalidValue, cudaGraphLaunch(NULL, s));
    gives(InvalidValue, cudaGraphUpload(NULL, s));
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("cudaGraphInstantiateWithParams of a good graph: result, error node; with flags 64; with "
          "an upload stream and the flag; without the flag")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {.errNode_out = n, .result_out = cudaGraphInstantiateError};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    shows("0 NULL", "%d %s", (int)p.result_out, p.errNode_out ? "a node" : "NULL");
    p = (cudaGraphInstantiateParams){.flags = 64};
    gives(InvalidValue, cudaGraphInstantiateWithParams(&x, g, &p));
    shows("1", "%d", (int)p.result_out);
    p = (cudaGraphInstantiateParams){.flags = cudaGraphInstantiateFlagUpload,
                                     .uploadStream = new_stream(0)};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    shows("0", "%d", (int)p.result_out);
    answer_run(x);
    p = (cudaGraphInstantiateParams){.uploadStream = new_stream(0)};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    shows("0", "%d", (int)p.result_out);
}

SITUATION("cudaGraphInstantiateWithParams of a cycle: result, error node")
{
    cudaGraph_t g = new_graph();
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    add_edge(g, b, a);
    cudaGraphInstantiateParams p = {0};
    gives(InvalidValue, cudaGraphInstantiateWithParams(&x, g, &p));
    fact("result, error node, exec", "2 node 1 NULL", "%d %s %s", (int)p.result_out,
         place_text(g, p.errNode_out), x ? "an exec" : "NULL");
}

SITUATION("device launch instantiation of: an empty graph; an empty node; a kernel; a memset; an "
          "event record; a child of a kernel; an allocation: error and result",
          "cudaGraphInstantiateWithParams: InvalidValue 1; InvalidValue 3; Success 0; Success 0; "
          "InvalidValue 3; Success 0; InvalidValue 3; Success 0")
{
    static const char *const kinds[] = {"empty", "kernel", "memset", "record",
                                        "child", "alloc",  "memcpy"};
    for (int i = -1; i < 7; i++) {
        cudaGraphNode_t n;
        cudaGraphExec_t x = NULL;
        cudaGraph_t g = i < 0 ? new_graph() : graph_of_one(kinds[i], &n);
        cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagDeviceLaunch};
        cudaError_t e = cudaGraphInstantiateWithParams(&x, g, &p);
        answer_fact("cudaGraphInstantiateWithParams", "%s %d", error_text(e), (int)p.result_out);
    }
}

SITUATION("the graph is changed after instantiation: the exec's value; instantiated again: value")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 2);
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer_run(x);
    shows("1", "%d", device_int(p));
    answer_run(new_exec(g));
    shows("2", "%d", device_int(p));
}

SITUATION("a captured graph instantiated twice, both launched in one stream: value counts")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(64), one = 1;
    void *args[] = {&p, &one};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(launch_one(situation_plus(), args, s));
    cudaGraph_t g = captured("1 nodes", s);
    cudaGraphExec_t x = new_exec(g), y = new_exec(g);
    for (int i = 0; i < 5; i++) {
        MUST(cudaGraphLaunch(x, s));
        MUST(cudaGraphLaunch(y, s));
    }
    answer(cudaStreamSynchronize(s));
    shows("10", "%d", device_int(p));
}

SITUATION("calls with a destroyed exec: launch, upload, update, set enabled, flags, destroy")
{
    cudaGraphExec_t x = destroyed_exec();
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaStream_t s = new_stream(0);
    cudaGraphExecUpdateResultInfo info;
    unsigned long long flags;
    gives(InvalidValue, cudaGraphLaunch(x, s));
    gives(InvalidValue, cudaGraphUpload(x, s));
    gives(InvalidValue, cudaGraphExecUpdate(x, g, &info));
    gives(InvalidValue, cudaGraphNodeSetEnabled(x, n, 0));
    gives(InvalidValue, cudaGraphExecGetFlags(x, &flags));
    gives(InvalidValue, cudaGraphExecDestroy(x));
}

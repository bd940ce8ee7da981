/*
 * graph_instantiate.c: cudaGraphInstantiate: flags, results, and the end of executable graphs.
 */
#include "../graphs.h"
#include "../situation_kernels.h"

SITUATION(instantiate_flags,
          "cudaGraphInstantiate with flags 1; 2; 4; 8; 5; 16; 32; -1 of a graph "
          "of one kernel",
          "cudaGraphInstantiate #2: InvalidValue", "cudaGraphInstantiate #5: InvalidValue",
          "cudaGraphInstantiate #6: InvalidValue", "cudaGraphInstantiate #7: InvalidValue",
          "cudaGraphInstantiate #8: InvalidValue")
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

SITUATION(instantiate_with_flags,
          "cudaGraphInstantiateWithFlags with flags 0; 2; 16; 9; NULL "
          "graph; NULL result",
          "cudaGraphInstantiateWithFlags(&x, g, flags[i]) #2: InvalidValue",
          "cudaGraphInstantiateWithFlags(&x, g, flags[i]) #3: InvalidValue",
          "cudaGraphInstantiateWithFlags(&x, NULL, 0): InvalidValue",
          "cudaGraphInstantiateWithFlags(NULL, g, 0): InvalidValue")
{
    static const unsigned long long flags[] = {0, 2, 16, 9};
    cudaGraph_t g = captured_memsets(2);
    cudaGraphExec_t x = NULL;
    for (int i = 0; i < 4; i++)
        answer(cudaGraphInstantiateWithFlags(&x, g, flags[i]));
    answer(cudaGraphInstantiateWithFlags(&x, NULL, 0));
    answer(cudaGraphInstantiateWithFlags(NULL, g, 0));
}

SITUATION(instantiate_params,
          "cudaGraphInstantiateWithParams: good; flags 16; AutoFree and "
          "DeviceLaunch; a cycle",
          "instantiated: result 0, error NULL, exec",
          "cudaGraphInstantiateWithParams #2: InvalidValue",
          "instantiated #2: result 1, error NULL, NULL",
          "cudaGraphInstantiateWithParams #3: InvalidValue",
          "instantiated #3: result 1, error NULL, NULL",
          "cudaGraphInstantiateWithParams #4: InvalidValue",
          "instantiated #4: result 2, error node 1, NULL")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    cudaGraph_t k = captured_memsets(1);
    answer_instantiate_with(k, 0, NULL);
    answer_instantiate_with(k, 16, NULL);
    answer_instantiate_with(k, 5, NULL);
    add_edge(g, b, a);
    answer_instantiate_with(g, 0, NULL);
}

SITUATION(instantiate_params_null,
          "cudaGraphInstantiateWithParams: NULL parameters; NULL graph; "
          "NULL result; the reported result of both",
          "cudaGraphInstantiateWithParams(&x, g, NULL): InvalidValue",
          "cudaGraphInstantiateWithParams(&x, NULL, &p): InvalidValue", "p.result_out: 1",
          "cudaGraphInstantiateWithParams(NULL, g, &p): InvalidValue", "p.result_out #2: 1")
{
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {0};
    cudaGraph_t g = captured_memsets(1);
    answer(cudaGraphInstantiateWithParams(&x, g, NULL));
    p.result_out = (cudaGraphInstantiateResult)9;
    answer(cudaGraphInstantiateWithParams(&x, NULL, &p));
    answer_text("%d", (int)p.result_out);
    p.result_out = (cudaGraphInstantiateResult)9;
    answer(cudaGraphInstantiateWithParams(NULL, g, &p));
    answer_text("%d", (int)p.result_out);
}

SITUATION(instantiate_upload,
          "cudaGraphInstantiateWithParams with Upload: in a stream; in 0; in a "
          "stream that captures",
          "instantiated: result 0, error NULL, exec", "instantiated #2: result 0, error NULL, exec",
          "cudaGraphInstantiateWithParams #3: StreamCaptureUnsupported",
          "instantiated #3: result 1, error NULL, NULL", "status: invalidated")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = captured_memsets(1);
    answer_instantiate_with(g, cudaGraphInstantiateFlagUpload, s);
    answer_instantiate_with(g, cudaGraphInstantiateFlagUpload, 0);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer_instantiate_with(g, cudaGraphInstantiateFlagUpload, s);
    answer_status(s);
}

SITUATION(instantiate_get_flags,
          "cudaGraphExecGetFlags after flags 0; 1; 8; 9; after WithParams 2; "
          "NULL result; NULL exec",
          "got: 0", "got #2: 1", "got #3: 0", "got #4: 1", "got #5: 0",
          "cudaGraphExecGetFlags(x, NULL): InvalidValue",
          "cudaGraphExecGetFlags(NULL, &got): InvalidValue")
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
    answer_text("%llu", got);
    answer(cudaGraphExecGetFlags(x, NULL));
    answer(cudaGraphExecGetFlags(NULL, &got));
}

SITUATION(instantiate_three,
          "one graph instantiated three times, each run; the graph destroyed "
          "between",
          SUCCEEDS)
{
    cudaGraph_t g = captured_memsets(3);
    cudaGraphExec_t x = new_exec(g), y = new_exec(g), z = new_exec(g);
    answer_run(x);
    answer(cudaGraphDestroy(g));
    answer_run(y);
    answer_run(z);
}

SITUATION(exec_destroy_bad, "cudaGraphExecDestroy of NULL; get last error; good; of a graph",
          "cudaGraphExecDestroy(NULL): InvalidValue", "cudaGetLastError: InvalidValue",
          "cudaGraphExecDestroy(new_graph()): InvalidValue")
{
    answer(cudaGraphExecDestroy(NULL));
    answer(cudaGetLastError());
    answer(cudaGraphExecDestroy(new_exec(new_graph())));
    answer(cudaGraphExecDestroy((cudaGraphExec_t)new_graph()));
}

SITUATION(exec_destroy_twice, "cudaGraphExecDestroy twice", "cudaGraphExecDestroy: InvalidValue")
{
    answer(cudaGraphExecDestroy(destroyed_exec()));
}

SITUATION(exec_launch_destroyed, "cudaGraphLaunch of a destroyed exec",
          "cudaGraphLaunch: InvalidValue")
{
    answer(cudaGraphLaunch(destroyed_exec(), 0));
}

SITUATION(exec_flags_destroyed, "cudaGraphExecGetFlags of a destroyed exec",
          "cudaGraphExecGetFlags: InvalidValue")
{
    unsigned long long flags;
    answer(cudaGraphExecGetFlags(destroyed_exec(), &flags));
}

SITUATION(exec_update_destroyed, "cudaGraphExecUpdate of a destroyed exec",
          "cudaGraphExecUpdate: InvalidValue")
{
    cudaGraphExecUpdateResultInfo info;
    answer(cudaGraphExecUpdate(destroyed_exec(), new_graph(), &info));
}

SITUATION(exec_destroy_running,
          "an exec destroyed while it runs; its graph too: the launch "
          "completes",
          "the call: returns", "device_byte: 3")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &gate));
    add_memset(g, n, p, 3);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphDestroy(g));
    answer_waited();
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p));
}

SITUATION(instantiate_then_add, "a node added to the graph after instantiate is not in the exec",
          "host_log: 'a'")
{
    cudaGraph_t g = new_graph();
    add_letter(g, NULL, 'a');
    cudaGraphExec_t x = new_exec(g);
    add_letter(g, NULL, 'b');
    answer_run(x);
    answer_text("'%s'", host_log());
}

SITUATION(flags,
          "cudaGraphInstantiate with flags 1, 2, 4, 8, 16, 32, 64, 6; cudaGraphExecGetFlags "
          "of each that works",
          "cudaGraphExecGetFlags: Success 1", "cudaGraphExecGetFlags #2: InvalidValue 77",
          "cudaGraphExecGetFlags #3: Success 4", "cudaGraphExecGetFlags #4: Success 0",
          "cudaGraphExecGetFlags #5: InvalidValue 77", "cudaGraphExecGetFlags #6: InvalidValue 77",
          "cudaGraphExecGetFlags #7: InvalidValue 77", "cudaGraphExecGetFlags #8: InvalidValue 77")
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

SITUATION(null,
          "cudaGraphInstantiate: NULL graph, NULL out; WithParams with NULL parameters; "
          "cudaGraphExecDestroy(NULL); cudaGraphLaunch(NULL); cudaGraphUpload(NULL)",
          "cudaGraphInstantiate(&x, NULL): InvalidValue",
          "cudaGraphInstantiate(NULL, new_graph()): InvalidValue",
          "cudaGraphExecDestroy: InvalidValue", "cudaGraphLaunch: InvalidValue",
          "cudaGraphUpload: InvalidValue", "cudaGetLastError: InvalidValue")
{
    cudaGraphExec_t x = NULL;
    cudaStream_t s = new_stream(0);
    answer(cudaGraphInstantiate(&x, NULL, 0));
    answer(cudaGraphInstantiate(NULL, new_graph(), 0));
    answer(cudaGraphExecDestroy(NULL));
    answer(cudaGraphLaunch(NULL, s));
    answer(cudaGraphUpload(NULL, s));
    answer(cudaGetLastError());
}

SITUATION(with_params,
          "cudaGraphInstantiateWithParams of a good graph: result, error node; with "
          "flags 64; with an upload stream and the flag; without the flag",
          "p.result_out, p.errNode_out: 0 NULL", "cudaGraphInstantiateWithParams #2: InvalidValue",
          "p.result_out: 1", "p.result_out #2: 0", "p.result_out #3: 0")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {.errNode_out = n, .result_out = cudaGraphInstantiateError};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("%d %s", (int)p.result_out, p.errNode_out ? "a node" : "NULL");
    p = (cudaGraphInstantiateParams){.flags = 64};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("%d", (int)p.result_out);
    p = (cudaGraphInstantiateParams){.flags = cudaGraphInstantiateFlagUpload,
                                     .uploadStream = new_stream(0)};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("%d", (int)p.result_out);
    answer_run(x);
    p = (cudaGraphInstantiateParams){.uploadStream = new_stream(0)};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("%d", (int)p.result_out);
}

SITUATION(cycle_result, "cudaGraphInstantiateWithParams of a cycle: result, error node",
          "cudaGraphInstantiateWithParams: InvalidValue", "result, error node, exec: 2 node 1 NULL")
{
    cudaGraph_t g = new_graph();
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    add_edge(g, b, a);
    cudaGraphInstantiateParams p = {0};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_fact("result, error node, exec", "%d %s %s", (int)p.result_out,
                place_text(g, p.errNode_out), x ? "an exec" : "NULL");
}

SITUATION(device_flag,
          "device launch instantiation of: an empty graph; an empty node; a kernel; a memset; an "
          "event record; a child of a kernel; an allocation: error and result",
          "cudaGraphInstantiateWithParams: InvalidValue 1",
          "cudaGraphInstantiateWithParams #2: InvalidValue 3",
          "cudaGraphInstantiateWithParams #3: Success 0",
          "cudaGraphInstantiateWithParams #4: Success 0",
          "cudaGraphInstantiateWithParams #5: InvalidValue 3",
          "cudaGraphInstantiateWithParams #6: Success 0",
          "cudaGraphInstantiateWithParams #7: InvalidValue 3",
          "cudaGraphInstantiateWithParams #8: Success 0")
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

SITUATION(launch_snapshot,
          "the graph is changed after instantiation: the exec's value; instantiated again: value",
          "device_int: 1", "device_int #2: 2")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 2);
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
}

SITUATION(same_graph_twice,
          "a captured graph instantiated twice, both launched in one stream: value counts",
          "captured: 1 nodes", "device_int: 10")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(64), one = 1;
    void *args[] = {&p, &one};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaLaunchKernel(situation_plus(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
    cudaGraph_t g = answer_end(s);
    cudaGraphExec_t x = new_exec(g), y = new_exec(g);
    for (int i = 0; i < 5; i++) {
        MUST(cudaGraphLaunch(x, s));
        MUST(cudaGraphLaunch(y, s));
    }
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_int(p));
}

SITUATION(use_after_exec,
          "calls with a destroyed exec: launch, upload, update, set enabled, flags, destroy",
          "cudaGraphLaunch: InvalidValue", "cudaGraphUpload: InvalidValue",
          "cudaGraphExecUpdate: InvalidValue", "cudaGraphNodeSetEnabled: InvalidValue",
          "cudaGraphExecGetFlags: InvalidValue", "cudaGraphExecDestroy: InvalidValue")
{
    cudaGraphExec_t x = destroyed_exec();
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaStream_t s = new_stream(0);
    cudaGraphExecUpdateResultInfo info;
    unsigned long long flags;
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphUpload(x, s));
    answer(cudaGraphExecUpdate(x, g, &info));
    answer(cudaGraphNodeSetEnabled(x, n, 0));
    answer(cudaGraphExecGetFlags(x, &flags));
    answer(cudaGraphExecDestroy(x));
}

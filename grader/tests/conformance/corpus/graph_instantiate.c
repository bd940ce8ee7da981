/* graph_instantiate.c: cudaGraphInstantiate: flags, results, and the end of executable graphs. */
#include "../graphs.h"

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

SITUATION("cudaGraphExecGetFlags after WithParams 2; NULL result; NULL exec")
{
    cudaGraph_t g = captured_memsets(1);
    cudaGraphExec_t x;
    unsigned long long got = 99;
    cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagUpload};
    MUST(cudaGraphInstantiateWithParams(&x, g, &p));
    answer(cudaGraphExecGetFlags(x, &got));
    shows("0", "%llu", got);
    gives(InvalidValue, cudaGraphExecGetFlags(x, NULL));
    gives(InvalidValue, cudaGraphExecGetFlags(NULL, &got));
}

SITUATION("cudaGraphExecDestroy of NULL; get last error; good; of a graph")
{
    gives(InvalidValue, cudaGraphExecDestroy(NULL));
    gives(InvalidValue, cudaGetLastError());
    answer(cudaGraphExecDestroy(new_exec(new_graph())));
    gives(InvalidValue, cudaGraphExecDestroy((cudaGraphExec_t)new_graph()));
}

SITUATION("cudaGraphInstantiate with flags 1, 2, 4, 8, 16, 32, 64, 6, 5, -1, 0, 9; "
          "cudaGraphExecGetFlags of each that works",
          "cudaGraphExecGetFlags: Success 1; InvalidValue 77; Success 4; Success 0; InvalidValue "
          "77; InvalidValue 77; InvalidValue 77; InvalidValue 77; InvalidValue 77; InvalidValue "
          "77; Success 0; Success 1")
{
    static const unsigned long long asked[] = {1, 2, 4, 8, 16, 32, 64, 6, 5, -1ull, 0, 9};
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        cudaGraphExec_t x = NULL;
        unsigned long long f = 77;
        cudaError_t e = cudaGraphInstantiate(&x, g, asked[i]);
        if (e == cudaSuccess)
            e = cudaGraphExecGetFlags(x, &f);
        answer_fact("cudaGraphExecGetFlags", "%s %llu", error_text(e), f);
    }
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

/* exec_node_params.c: parameters of single nodes of an executable graph. */
#include "../graphs.h"

SITUATION(
    "exec kernel node: value; grid; another function; of three parameters; block 2048; what runs")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL), five = 5, six = 6;
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 2);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    k.gridDim.x = 3;
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    shows("2", "%d", device_int(p));
    k = store_params(p, 10);
    k.func = (void *)(uintptr_t)situation_plus();
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    shows("12", "%d", device_int(p));
    void *three[] = {&p, &five, &six};
    k.func = (void *)(uintptr_t)situation_plus_two();
    k.kernelParams = three;
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    k = store_params(p, 3);
    k.blockDim.x = 2048;
    gives(InvalidValue, cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    shows("23", "%d", device_int(p));
}

static cudaError_t set_exec_kernel(const void *func, unsigned grid, void **args)
{
    cudaGraphNode_t n;
    cudaGraphExec_t x = new_exec(graph_of_one("kernel", &n));
    struct cudaKernelNodeParams k = kernel_params(func, args);
    k.gridDim.x = grid;
    return cudaGraphExecKernelNodeSetParams(x, n, &k);
}

SITUATION("exec kernel node: parameters NULL for the call", CRASHES_ON_GPU)
{
    cudaGraphNode_t n;
    cudaGraphExec_t x = new_exec(graph_of_one("kernel", &n));
    gives(InvalidValue, cudaGraphExecKernelNodeSetParams(x, n, NULL));
}

ROW(gives(InvalidDeviceFunction,
          set_exec_kernel(NULL, 1, store_params(device_bytes(SMALL), 1).kernelParams)),
    "exec kernel node: function NULL")

SITUATION("exec kernel node: no kernel; grid 0; no list of parameters; another function without "
          "parameters")
{
    int *p = device_bytes(SMALL);
    gives(InvalidResourceHandle, set_exec_kernel(&p, 1, store_params(p, 1).kernelParams));
    gives(InvalidValue, set_exec_kernel(situation_store(), 0, store_params(p, 1).kernelParams));
    gives(InvalidValue, set_exec_kernel(situation_store(), 1, NULL));
    answer(set_exec_kernel(situation_nothing(), 1, NULL));
}

SITUATION("exec memset node: value; width; destination; another allocation; elements of 4; 2-D; "
          "width 0; past the end; NULL",
          "cudaGraphExecMemsetNodeSetParams(&m[i]): Success; Success; Success; Success; Success; "
          "InvalidValue; InvalidValue; InvalidValue; InvalidValue")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096), *q = device_bytes(4096);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m[] = {
        memset_params(p, 2, 64), memset_params(p, 2, 32),   memset_params(p + 64, 2, 64),
        memset_params(q, 2, 64), memset_params(p, 2, 16),   memset_params(p, 2, 8),
        memset_params(p, 2, 0),  memset_params(p, 2, 4097), memset_params(NULL, 2, 64)};
    m[4].elementSize = 4;
    m[5].height = 2;
    m[5].pitch = 64;
    for (int i = 0; i < 9; i++)
        answer(cudaGraphExecMemsetNodeSetParams(x, n, &m[i]));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, n, NULL));
}

SITUATION("exec 2-D memset node: same; value; width; height; 1-D")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096);
    struct cudaMemsetParams m = {
        .dst = p, .elementSize = 1, .value = 1, .width = 8, .height = 2, .pitch = 64};
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m.value = 2;
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m.width = 9;
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m.height = 3;
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m = memset_params(p, 2, 64);
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, n, &m));
}

SITUATION("exec host node: another function and data; function NULL; NULL; what runs")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_letter(g, NULL, 'a');
    cudaGraphExec_t x = new_exec(g);
    struct cudaHostNodeParams h = letter_params('b');
    answer(cudaGraphExecHostNodeSetParams(x, n, &h));
    h.fn = NULL;
    gives(InvalidValue, cudaGraphExecHostNodeSetParams(x, n, &h));
    gives(InvalidValue, cudaGraphExecHostNodeSetParams(x, n, NULL));
    answer_run(x);
    shows("'b'", "'%s'", host_log());
}

SITUATION("exec node parameters: a node of another graph; of another kind; NULL node; NULL exec; a "
          "node added after instantiate; parameters set in the exec do not show in the graph's "
          "node; set by a node that was destroyed")
{
    cudaGraph_t g = new_graph(), other = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1), k = add_store(g, NULL, p, 1);
    cudaGraphNode_t foreign = add_memset(other, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, foreign, &m));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, k, &m));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, NULL, &m));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(NULL, n, &m));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, add_memset(g, NULL, p, 1), &m));
    MUST(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    MUST(cudaGraphMemsetNodeGetParams(n, &m));
    shows("1", "%u", m.value);
    MUST(cudaGraphDestroyNode(n));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, n, &m));
}

SITUATION("parameters set while the exec runs: the running launch keeps the old")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_gate(g);
    n = add_memset(g, n, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    call_returns();
    answer(cudaStreamSynchronize(s));
    shows("1", "%d", device_byte(p));
    answer_run(x);
    shows("2", "%d", device_byte(p));
}

SITUATION("exec set parameters of a memset node as kernel, as host, as 1-D copy, as child, as "
          "record; of a node of another graph; NULL parameters")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1), k1 = add_store(g, NULL, p, 1),
                    other = add_store(new_graph(), NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 1);
    struct cudaHostNodeParams h = letter_params('a');
    gives(InvalidValue, cudaGraphExecKernelNodeSetParams(x, n, &k));
    gives(InvalidValue, cudaGraphExecHostNodeSetParams(x, n, &h));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, p, p, 8, cudaMemcpyDefault));
    gives(InvalidValue, cudaGraphExecChildGraphNodeSetParams(x, n, captured_memsets(1)));
    gives(InvalidValue, cudaGraphExecEventRecordNodeSetEvent(x, n, new_event(0)));
    gives(InvalidValue, cudaGraphExecKernelNodeSetParams(x, other, &k));
    gives(InvalidValue, cudaGraphExecKernelNodeSetParams(x, NULL, &k));
    gives(InvalidValue, cudaGraphExecKernelNodeSetParams(NULL, k1, &k));
}

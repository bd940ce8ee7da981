// conditional.cu: IF, WHILE and SWITCH nodes whose kernels set the conditions.
#include "../check.cuh"

__global__ void choose(cudaGraphConditionalHandle handle, const int *value)
{
    cudaGraphSetConditional(handle, *value);
}

__global__ void add(int *to, int n)
{
    *to += n;
}

__global__ void count_down(cudaGraphConditionalHandle handle, int *left, int *rounds)
{
    ++*rounds;
    if (--*left == 0)
        cudaGraphSetConditional(handle, 0);
}

static cudaGraph_t *condition(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                              cudaGraphConditionalNodeType type, int n, cudaGraphNode_t after)
{
    static cudaGraphNodeParams p = {};
    cudaGraphNode_t node;
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = n;
    OK(cudaGraphAddNode(&node, graph, after ? &after : nullptr, nullptr, after ? 1 : 0, &p));
    return p.conditional.phGraph_out;
}

static cudaGraphNode_t kernel(cudaGraph_t graph, void *func, void **args)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    p.func = func;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = args;
    OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p));
    return node;
}

static int run(cudaGraph_t graph, const int *result)
{
    cudaGraphExec_t exec;
    int host;
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaMemcpyAsync(&host, result, sizeof host, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
    return host;
}

int main()
{
    int *value, *sum, three = 3, two = 2, hundred = 100, ten = 10;
    cudaGraph_t graph;
    cudaGraphConditionalHandle handle;
    OK(cudaMalloc(&value, sizeof *value));
    OK(cudaMalloc(&sum, sizeof *sum));

    OK(cudaMemcpy(value, &three, sizeof three, cudaMemcpyHostToDevice));
    OK(cudaMemset(sum, 0, sizeof *sum));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    void *choose_args[] = {&handle, &value}, *add_args[] = {&sum, &hundred};
    cudaGraphNode_t first = kernel(graph, (void *)choose, choose_args);
    kernel(*condition(graph, handle, cudaGraphCondTypeIf, 1, first), (void *)add, add_args);
    EXPECT(run(graph, sum) == 100);

    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    void *count_args[] = {&handle, &value, &sum};
    kernel(*condition(graph, handle, cudaGraphCondTypeWhile, 1, nullptr), (void *)count_down,
           count_args);
    EXPECT(run(graph, sum) == 103);

    OK(cudaMemcpy(value, &two, sizeof two, cudaMemcpyHostToDevice));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    first = kernel(graph, (void *)choose, choose_args);
    cudaGraph_t *bodies = condition(graph, handle, cudaGraphCondTypeSwitch, 3, first);
    void *ten_args[] = {&sum, &ten};
    kernel(bodies[0], (void *)add, add_args);
    kernel(bodies[2], (void *)add, ten_args);
    EXPECT(run(graph, sum) == 113);
    OK(cudaFree(value));
    OK(cudaFree(sum));
    puts("passed");
}

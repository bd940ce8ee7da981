// finding: reads them; twice starts early, by a programmatic dependency: in this kernel, call
// cudaGridDependencySynchronize()
#include "../check.cuh"

const int n = 1024;

__global__ void fill(int *p, int value)
{
    cudaTriggerProgrammaticLaunchCompletion();
    long long begin = clock64();
    while (clock64() - begin < 20000) // some 10 us
        continue;
    p[threadIdx.x] = value;
}

__global__ void twice(int *out, const int *in)
{
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

// the second kernel reads what the first one writes, and does not wait for it
int main()
{
    int *p, *out, value = 21, result;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, second;
    cudaGraphEdgeData edge = {};
    edge.from_port = cudaGraphKernelNodePortProgrammatic;
    edge.type = cudaGraphDependencyTypeProgrammatic;
    OK(cudaMalloc(&p, n * sizeof *p));
    OK(cudaMalloc(&out, n * sizeof *out));
    OK(cudaMemset(p, 0, n * sizeof *p));
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
    void *fill_args[] = {&p, &value}, *twice_args[] = {&out, &p};
    params.kernel.func = (void *)fill;
    params.kernel.gridDim = dim3(1);
    params.kernel.blockDim = dim3(n);
    params.kernel.kernelParams = fill_args;
    OK(cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &params));
    params.kernel.func = (void *)twice;
    params.kernel.kernelParams = twice_args;
    OK(cudaGraphAddNode(&second, graph, &first, &edge, 1, &params));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    EXPECT(result == 0); // old data
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaFree(p));
    OK(cudaFree(out));
}

// finding: 1 executable graph was created and never destroyed
#include "../check.cuh"

__global__ void fill(int *p)
{
    p[threadIdx.x] = 1;
}

// its graph frees what it allocates: no memory is leaked
int main()
{
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *p;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&p, 32 * sizeof *p, s));
    fill<<<1, 32, 0, s>>>(p);
    OK(cudaFreeAsync(p, s));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaStreamDestroy(s));
}

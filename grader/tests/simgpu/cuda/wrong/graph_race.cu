// finding: Nothing orders increment (node 0 of the graph launched in stream 2, operation 1) after
// increment (node 0 of the graph launched in stream 1, operation 3)
#include "../check.cuh"

__global__ void increment(int *p)
{
    ++p[threadIdx.x];
}

// the event comes before the last launch in the first stream: two launches, a record, a launch
int main()
{
    int *p;
    cudaStream_t first, second;
    cudaEvent_t event;
    cudaGraph_t graph;
    cudaGraphExec_t one, other;
    OK(cudaMalloc(&p, 32 * sizeof *p));
    OK(cudaMemset(p, 0, 32 * sizeof *p));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamCreate(&first));
    OK(cudaStreamCreate(&second));
    OK(cudaEventCreate(&event));
    OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    increment<<<1, 32, 0, first>>>(p);
    OK(cudaGetLastError());
    OK(cudaStreamEndCapture(first, &graph));
    OK(cudaGraphInstantiate(&one, graph, 0));
    OK(cudaGraphInstantiate(&other, graph, 0));
    OK(cudaGraphLaunch(one, first));
    OK(cudaGraphLaunch(one, first));
    OK(cudaEventRecord(event, first));
    OK(cudaStreamWaitEvent(second, event, 0));
    OK(cudaGraphLaunch(one, first));
    OK(cudaGraphLaunch(other, second));
    OK(cudaDeviceSynchronize());
    OK(cudaGraphExecDestroy(other));
    OK(cudaGraphExecDestroy(one));
    OK(cudaGraphDestroy(graph));
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(second));
    OK(cudaStreamDestroy(first));
    OK(cudaFree(p));
}

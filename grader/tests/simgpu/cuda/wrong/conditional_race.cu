// finding: count_down (node 1 of the graph launched in stream 1, operation 0) overwrites bytes 0-3
#include "../check.cuh"

__global__ void count_down(cudaGraphConditionalHandle handle, int *left)
{
    if (--*left == 0)
        cudaGraphSetConditional(handle, 0);
}

// Another stream reads what a kernel in the body of a WHILE node writes. The accesses of the kernel
// are known when it runs: later than a memset that comes after both.
int main()
{
    int *left, three = 3, *host;
    cudaStream_t s1, s2;
    cudaEvent_t read;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    OK(cudaMalloc(&left, sizeof *left));
    OK(cudaMallocHost(&host, sizeof *host));
    OK(cudaMemcpy(left, &three, sizeof three, cudaMemcpyHostToDevice));
    OK(cudaDeviceSynchronize()); // the copy is from pageable memory
    OK(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    OK(cudaEventCreate(&read));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = handle;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 1;
    OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
    OK(cudaStreamBeginCaptureToGraph(s1, p.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                     cudaStreamCaptureModeGlobal));
    count_down<<<1, 1, 0, s1>>>(handle, left);
    OK(cudaStreamEndCapture(s1, nullptr));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s1));
    OK(cudaMemcpyAsync(host, left, sizeof *host, cudaMemcpyDeviceToHost, s2));
    OK(cudaEventRecord(read, s2));
    OK(cudaStreamWaitEvent(s1, read, 0));
    OK(cudaMemsetAsync(left, 0, sizeof *left, s1));
    OK(cudaDeviceSynchronize());
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaEventDestroy(read));
    OK(cudaStreamDestroy(s1));
    OK(cudaStreamDestroy(s2));
    OK(cudaFree(left));
    OK(cudaFreeHost(host));
}

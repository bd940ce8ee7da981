// finding: may still be using; add an edge from node 1 to node 2 of the graph
#include "../check.cuh"

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}

int main()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t alloc, use, free;
    cudaStream_t stream;
    int value = 1;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNodeParams memory = {cudaGraphNodeTypeMemAlloc};
    memory.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.alloc.bytesize = 4096;
    OK(cudaGraphAddNode(&alloc, graph, nullptr, nullptr, 0, &memory));
    cudaGraphNodeParams kernel = {cudaGraphNodeTypeKernel};
    void *args[] = {&memory.alloc.dptr, &value};
    kernel.kernel.func = (void *)fill;
    kernel.kernel.gridDim = dim3(1);
    kernel.kernel.blockDim = dim3(1024);
    kernel.kernel.kernelParams = args;
    OK(cudaGraphAddNode(&use, graph, &alloc, nullptr, 1, &kernel));
    OK(cudaGraphAddMemFreeNode(&free, graph, &alloc, 1, memory.alloc.dptr));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

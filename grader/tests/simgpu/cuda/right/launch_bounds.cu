// launch_bounds.cu: a block has no more threads than the kernel's __launch_bounds__ allow, however
// it is launched. The occupancy calculator does not look at them. As an H200 answers (driver 580).
#include "../check.cuh"

__global__ void __launch_bounds__(128) bounded(int *out)
{
    *out = blockDim.x * blockDim.y;
}

template <int N> __launch_bounds__(2 * N, 4) __global__ void bounded_by(int *out)
{
    *out = N;
}

__launch_bounds__(32) static __global__ void calls_itself(int *out, int depth = 0);

__global__ void __launch_bounds__(32) calls_itself(int *out, int depth)
{
    if (depth < 2)
        calls_itself<<<1, 32>>>(out, depth + 1);
    else
        atomicAdd(out, 1);
}

__global__ void unbounded(int *out)
{
    *out = blockDim.x;
}

template <typename K> static int max_threads(K kernel)
{
    cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, kernel));
    return a.maxThreadsPerBlock;
}

static int value(const int *device)
{
    int host;
    OK(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    return host;
}

static void in_graphs(int *out)
{
    void *args[] = {&out};
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    p.func = (void *)bounded;
    p.gridDim = dim3(1);
    p.blockDim = dim3(129);
    p.kernelParams = args;
    OK(cudaGraphCreate(&graph, 0));
    EXPECT(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p) == cudaErrorInvalidValue);
    p.blockDim = dim3(128);
    OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p));
    OK(cudaGraphDestroy(graph));
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);

    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    bounded<<<1, 256, 0, s>>>(out);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
    EXPECT(cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
    OK(cudaStreamDestroy(s));
}

int main()
{
    EXPECT(max_threads(bounded) == 128);
    EXPECT(max_threads(bounded_by<48>) == 96);
    EXPECT(max_threads(calls_itself) == 32);
    EXPECT(max_threads(unbounded) == 1024);

    int *out, blocks;
    OK(cudaMalloc(&out, sizeof *out));
    OK(cudaMemset(out, 0, sizeof *out));
    bounded<<<1, 256>>>(out);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    bounded_by<48><<<1, dim3(16, 7)>>>(out);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(value(out) == 0);
    bounded<<<1, dim3(64, 2)>>>(out);
    OK(cudaGetLastError());
    EXPECT(value(out) == 128);
    bounded_by<48><<<1, 96>>>(out);
    OK(cudaGetLastError());
    EXPECT(value(out) == 48);
    unbounded<<<1, 1024>>>(out);
    OK(cudaGetLastError());
    EXPECT(value(out) == 1024);
    OK(cudaMemset(out, 0, sizeof *out));
    calls_itself<<<1, 1>>>(out);
    OK(cudaGetLastError());
    EXPECT(value(out) == 32 * 32);
    in_graphs(out);

    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
    EXPECT(blocks == 8);
    OK(cudaFree(out));
    puts("passed");
}

// programmatic.cu: kernels that start before their predecessor is complete: by programmatic stream
// serialization and by a programmatic edge. What comes before the wait takes no time of its own.
#include "../check.cuh"

const int n = 4096;
const long long ticks = 20000; // some 10 us

__device__ void spin()
{
    long long begin = clock64();
    while (clock64() - begin < ticks)
        continue;
}

// Each kernel adds 1 to what the one before it has written.
__global__ void step(const float *in, float *out, int waits_first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaTriggerProgrammaticLaunchCompletion();
    if (waits_first)
        cudaGridDependencySynchronize();
    spin();
    cudaGridDependencySynchronize();
    out[i] = in[i] + 1;
}

const int steps = 8;

// Starts beside the last of them, and needs nothing of it.
__global__ void alone(float *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = steps;
}

static float *buffers[steps + 2];

static cudaError_t launch(int i, int waits_first, cudaStream_t stream)
{
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = n / 256;
    config.blockDim = 256;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    if (i == steps)
        return cudaLaunchKernelEx(&config, alone, buffers[steps + 1]);
    return cudaLaunchKernelEx(&config, step, (const float *)buffers[i], buffers[i + 1],
                              waits_first);
}

static void expect_result(cudaStream_t stream)
{
    static float result[n];
    OK(cudaStreamSynchronize(stream));
    for (int k = steps; k <= steps + 1; k++) {
        OK(cudaMemcpy(result, buffers[k], sizeof result, cudaMemcpyDeviceToHost));
        for (float r : result)
            EXPECT(r == steps);
    }
    OK(cudaMemsetAsync(buffers[steps], 0, sizeof result, stream));
}

static float stream_ms(int waits_first, cudaStream_t stream)
{
    cudaEvent_t begin, end;
    float ms;
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaEventRecord(begin, stream));
    for (int i = 0; i <= steps; i++)
        OK(launch(i, waits_first, stream));
    OK(cudaEventRecord(end, stream));
    expect_result(stream);
    OK(cudaEventElapsedTime(&ms, begin, end));
    OK(cudaEventDestroy(begin));
    OK(cudaEventDestroy(end));
    return ms;
}

int main()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t from[steps], to[steps];
    cudaGraphEdgeData edges[steps];
    size_t n_edges = steps;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (float *&b : buffers)
        OK(cudaMalloc(&b, n * sizeof *b));
    OK(cudaMemset(buffers[0], 0, n * sizeof(float)));
    OK(cudaDeviceSynchronize());
    float serial_ms = stream_ms(1, stream), early_ms = stream_ms(0, stream);
    EXPECT(early_ms < serial_ms / 2);

    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < steps; i++)
        OK(launch(i, 0, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphGetEdges(graph, from, to, edges, &n_edges));
    EXPECT(n_edges == steps - 1 && edges[0].type == cudaGraphDependencyTypeProgrammatic);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        OK(cudaGraphLaunch(exec, stream));
        expect_result(stream);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    for (float *b : buffers)
        OK(cudaFree(b));
    OK(cudaStreamDestroy(stream));
    puts("passed");
}

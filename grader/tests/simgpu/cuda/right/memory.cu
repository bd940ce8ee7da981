// memory.cu: stream-ordered allocation, memory nodes, managed memory, mapped memory.
#include "../check.cuh"

enum { N = 1 << 14 };

__global__ void add(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}

static void stream_ordered(cudaStream_t s, const float *h, float *out)
{
    cudaMemPool_t pool;
    unsigned long long threshold = ~0ull;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    for (int i = 0; i < 4; i++) {
        float *a, *b, *c;
        OK(cudaMallocAsync(&a, N * sizeof *a, s));
        OK(cudaMallocAsync(&b, N * sizeof *b, s));
        OK(cudaMallocAsync(&c, N * sizeof *c, s));
        OK(cudaMemcpyAsync(a, h, N * sizeof *a, cudaMemcpyHostToDevice, s));
        OK(cudaMemcpyAsync(b, h, N * sizeof *b, cudaMemcpyHostToDevice, s));
        add<<<N / 256, 256, 0, s>>>(a, b, c);
        OK(cudaFreeAsync(a, s));
        OK(cudaFreeAsync(b, s));
        OK(cudaMemcpyAsync(out, c, N * sizeof *c, cudaMemcpyDeviceToHost, s));
        OK(cudaFreeAsync(c, s));
    }
    OK(cudaStreamSynchronize(s));
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * h[i]);
}

static void nodes(cudaStream_t s, const float *h, float *out)
{
    float *a, *b;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&a, N * sizeof *a, s));
    OK(cudaMemcpyAsync(a, h, N * sizeof *a, cudaMemcpyHostToDevice, s));
    OK(cudaMallocAsync(&b, N * sizeof *b, s));
    add<<<N / 256, 256, 0, s>>>(a, a, b);
    add<<<N / 256, 256, 0, s>>>(a, b, b);
    OK(cudaFreeAsync(a, s));
    OK(cudaMemcpyAsync(out, b, N * sizeof *b, cudaMemcpyDeviceToHost, s));
    OK(cudaFreeAsync(b, s));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 3 * h[i]);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaDeviceGraphMemTrim(0));
}

static void managed(cudaStream_t s)
{
    float *a;
    cudaPointerAttributes attributes;
    OK(cudaMallocManaged(&a, N * sizeof *a));
    for (int i = 0; i < N; i++)
        a[i] = i;
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
    OK(cudaMemAdvise(a, N * sizeof *a, cudaMemAdviseSetReadMostly, device));
    OK(cudaMemPrefetchAsync(a, N * sizeof *a, device, 0, s));
    OK(cudaPointerGetAttributes(&attributes, a));
    EXPECT(attributes.type == cudaMemoryTypeManaged);
    add<<<N / 256, 256, 0, s>>>(a, a, a);
    OK(cudaStreamSynchronize(s));
    for (int i = 0; i < N; i++)
        EXPECT(a[i] == 2 * i);
    OK(cudaFree(a));
}

int main()
{
    float *h, *out, *mapped;
    cudaStream_t s;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaHostAlloc(&h, N * sizeof *h, cudaHostAllocMapped));
    OK(cudaMallocHost(&out, N * sizeof *out));
    for (int i = 0; i < N; i++)
        h[i] = i;
    stream_ordered(s, h, out);
    nodes(s, h, out);
    managed(s);
    OK(cudaHostGetDevicePointer(&mapped, h, 0));
    add<<<N / 256, 256, 0, s>>>(mapped, mapped, mapped);
    OK(cudaStreamSynchronize(s));
    EXPECT(h[7] == 14);
    OK(cudaStreamDestroy(s));
    OK(cudaFreeHost(h));
    OK(cudaFreeHost(out));
    puts("passed");
}

// streams.cu: kernels and copies of four streams, callbacks, priorities, an event that is polled.
#include "../check.cuh"

enum { STREAMS = 4, N = 1 << 20 };

__global__ void increment(int *a, const int *by, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long begin = clock64(); // every block lasts 50 us, about
    while (threadIdx.x == 0 && clock64() - begin < 100000)
        continue;
    for (int k = 0; k < times; k++)
        a[i] += *by;
}

struct part {
    const int *h;
    int bad;
};

static void CUDART_CB look(cudaStream_t, cudaError_t status, void *data)
{
    struct part *p = static_cast<struct part *>(data);
    for (int i = 0; i < N / STREAMS; i++)
        p->bad += p->h[i] != 10 || status != cudaSuccess;
}

static void CUDART_CB counted(void *data)
{
    ++*static_cast<int *>(data);
}

static float run(cudaStream_t *streams, int n, int *h, int *d, const int *by)
{
    cudaEvent_t begin, end;
    float ms;
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaMemset(d, 0, N * sizeof *d));
    OK(cudaEventRecord(begin));
    for (int i = 0; i < n; i++)
        increment<<<N / n / 256, 256, 0, streams[i]>>>(d + i * (N / n), by, 2);
    for (int i = 0; i < n; i++)
        OK(cudaMemcpyAsync(h + i * (N / n), d + i * (N / n), N / n * sizeof *h,
                           cudaMemcpyDeviceToHost, streams[i]));
    OK(cudaEventRecord(end));
    while (cudaEventQuery(end) == cudaErrorNotReady)
        continue;
    OK(cudaEventElapsedTime(&ms, begin, end));
    OK(cudaEventDestroy(begin));
    OK(cudaEventDestroy(end));
    return ms;
}

int main()
{
    int *h, *d, *by, five = 5, low, high, calls = 0;
    cudaStream_t streams[STREAMS];
    struct part parts[STREAMS];
    OK(cudaMallocHost(&h, N * sizeof *h));
    OK(cudaMalloc(&d, N * sizeof *d));
    OK(cudaMalloc(&by, sizeof *by));
    OK(cudaMemcpy(by, &five, sizeof five, cudaMemcpyHostToDevice));
    OK(cudaDeviceGetStreamPriorityRange(&low, &high));
    for (int i = 0; i < STREAMS; i++)
        OK(cudaStreamCreateWithPriority(&streams[i], cudaStreamDefault, i % 2 ? low : high));
    float one = run(streams, 1, h, d, by), four = run(streams, STREAMS, h, d, by);
    EXPECT(four < one);
    for (int i = 0; i < STREAMS; i++) {
        parts[i] = {h + i * (N / STREAMS), 0};
        OK(cudaStreamAddCallback(streams[i], look, &parts[i], 0));
        OK(cudaLaunchHostFunc(streams[i], counted, &calls));
        OK(cudaStreamSynchronize(streams[i]));
        EXPECT(parts[i].bad == 0 && calls == i + 1);
    }
    for (int i = 0; i < STREAMS; i++)
        OK(cudaStreamDestroy(streams[i]));
    OK(cudaFreeHost(h));
    OK(cudaFree(d));
    OK(cudaFree(by));
    puts("passed");
}

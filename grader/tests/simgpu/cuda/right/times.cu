// times.cu: how long kernels take that nobody declared: by the clock they read, by the bytes they
// move.
#include "../check.cuh"

__global__ void spin(long long ticks)
{
    long long begin = clock64();
    while (clock64() - begin < ticks)
        continue;
}

__global__ void sum_of(const float *in, float *out, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

int main()
{
    const int n = 16 << 20; // 64 MiB
    float *in, *out, spin_ms, sum_ms;
    cudaEvent_t begin, end;
    int khz;
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    OK(cudaMalloc(&in, n * sizeof *in));
    OK(cudaMalloc(&out, sizeof *out));
    OK(cudaMemset(in, 0, n * sizeof *in));
    OK(cudaMemset(out, 0, sizeof *out));
    OK(cudaEventRecord(begin));
    spin<<<4, 128>>>(10ll * khz);
    OK(cudaEventRecord(end));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&spin_ms, begin, end));
    EXPECT(spin_ms > 9.9 && spin_ms < 10.1);
    OK(cudaEventRecord(begin));
    sum_of<<<132 * 8, 256>>>(in, out, n);
    OK(cudaEventRecord(end));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&sum_ms, begin, end));
    EXPECT(sum_ms > 0.010 && sum_ms < 0.040); // 64 MiB at 4.2 TB/s, the bandwidth of an H200: 16 us
    OK(cudaEventDestroy(begin));
    OK(cudaEventDestroy(end));
    OK(cudaFree(in));
    OK(cudaFree(out));
    puts("passed");
}

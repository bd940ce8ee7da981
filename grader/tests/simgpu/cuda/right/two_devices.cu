// two_devices.cu: each device sums its half; one sends its sum to the other.
#include "../check.cuh"

enum { N = 1 << 14 };

__global__ void sum_of(const int *in, int *out)
{
    int sum = 0;
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        sum += in[i];
    sum = __reduce_add_sync(0xffffffff, sum);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

__global__ void add(int *a, const int *b)
{
    *a += *b;
}

int main()
{
    int n, *h, *d[2], *sum[2], *other, result, can;
    cudaStream_t s[2];
    cudaEvent_t done;
    OK(cudaGetDeviceCount(&n));
    EXPECT(n == 2);
    OK(cudaMallocHost(&h, N * sizeof *h));
    for (int i = 0; i < N; i++)
        h[i] = 1;
    for (int k = 1; k >= 0; k--) {
        OK(cudaSetDevice(k));
        OK(cudaStreamCreate(&s[k]));
        OK(cudaMalloc(&d[k], N * sizeof *d[k]));
        OK(cudaMalloc(&sum[k], sizeof *sum[k]));
        OK(cudaMemsetAsync(sum[k], 0, sizeof *sum[k], s[k]));
        OK(cudaMemcpyAsync(d[k], h, N * sizeof *h, cudaMemcpyHostToDevice, s[k]));
        sum_of<<<1, 128, 0, s[k]>>>(d[k], sum[k]);
        OK(cudaGetLastError());
        if (k == 1) {
            OK(cudaEventCreate(&done));
            OK(cudaEventRecord(done, s[1]));
        }
    }
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    if (can)
        OK(cudaDeviceEnablePeerAccess(1, 0));
    OK(cudaMalloc(&other, sizeof *other));
    OK(cudaStreamWaitEvent(s[0], done, 0));
    OK(cudaMemcpyPeerAsync(other, 0, sum[1], 1, sizeof *other, s[0]));
    add<<<1, 1, 0, s[0]>>>(sum[0], other);
    OK(cudaMemcpyAsync(&result, sum[0], sizeof result, cudaMemcpyDeviceToHost, s[0]));
    OK(cudaStreamSynchronize(s[0]));
    EXPECT(result == 2 * N);
    OK(cudaFree(other));
    OK(cudaEventDestroy(done));
    for (int k = 0; k < 2; k++) {
        OK(cudaSetDevice(k));
        OK(cudaStreamDestroy(s[k]));
        OK(cudaFree(d[k]));
        OK(cudaFree(sum[k]));
    }
    OK(cudaFreeHost(h));
    puts("passed");
}

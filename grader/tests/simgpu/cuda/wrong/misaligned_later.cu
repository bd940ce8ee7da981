// finding: kernel load: block (3,0,0): thread (42,0,0) accesses 8 bytes at address
#include "../check.cuh"

/* Most blocks read only aligned addresses, and so do the first threads of this one. */
__global__ void load(const char *p, long long *sum)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    bool is_last = blockIdx.x == 3 && threadIdx.x == 42;
    sum[thread] = *(const long long *)(p + 8 * thread + (is_last ? 4 : 0));
}

int main()
{
    const int n = 64 * 64;
    char *p;
    long long *sum;
    OK(cudaMalloc(&p, n * 8));
    OK(cudaMalloc(&sum, n * 8));
    OK(cudaMemset(p, 0, n * 8));
    load<<<64, 64>>>(p, sum);
    EXPECT(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
}

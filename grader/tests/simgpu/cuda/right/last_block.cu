// last_block.cu: the last block of a grid to end sums what all blocks have written. The kernel, a
// template, shares its name with the host function that launches it.
#include "../check.cuh"

__device__ unsigned n_ended = 0;

template <unsigned threads> __device__ float block_sum(volatile float *partial, float mine)
{
    partial[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] = partial[threadIdx.x] + partial[threadIdx.x + half];
        __syncthreads();
    }
    return partial[0];
}

template <unsigned threads, bool in_range> __global__ void sum(const float *in, float *out, int n)
{
    __shared__ bool is_last;
    extern float __shared__ partial[];
    float mine = 0;
    for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads * gridDim.x)
        mine += in[i];
    mine = block_sum<threads>(partial, mine);
    if (threadIdx.x == 0) {
        out[blockIdx.x] = mine;
        __threadfence();
        is_last = atomicInc(&n_ended, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last)
        return;
    float total = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += threads)
        total += out[i];
    total = block_sum<threads>(partial, total);
    if (threadIdx.x == 0) {
        out[0] = total;
        n_ended = 0;
    }
}

extern "C" void sum(int n, int blocks, const float *in, float *out)
{
    const size_t bytes = 128 * sizeof(float);
    if (n % 128 == 0)
        sum<128, true><<<blocks, 128, bytes>>>(in, out, n);
    else
        sum<128, false><<<blocks, 128, bytes>>>(in, out, n);
}

int main()
{
    const int n = 10000, blocks = 64;
    static float ones[n];
    float *in, *out, total;
    for (int i = 0; i < n; i++)
        ones[i] = 1;
    OK(cudaMalloc(&in, sizeof ones));
    OK(cudaMalloc(&out, blocks * sizeof *out));
    OK(cudaMemcpy(in, ones, sizeof ones, cudaMemcpyHostToDevice));
    for (int i = 0; i < 3; i++) {
        sum(n, blocks, in, out);
        OK(cudaGetLastError());
        OK(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
        EXPECT(total == n);
    }
    OK(cudaFree(in));
    OK(cudaFree(out));
    puts("passed");
}

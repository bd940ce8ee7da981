// language.cu: what simcc must understand of CUDA C++.
#include "../check.cuh"
#include <cassert>
#include <vector>

__constant__ int seven = 7;
__device__ float table[4] = {1, 2, 3, 4}, scale = 0.5f;
namespace inner
{
static __device__ unsigned counter;
template <typename T> struct pair {
    T first, second;
};
} // namespace inner

__device__ int doubled(int x)
{
    return 2 * x;
}

// a declaration with a default argument, the definition below; an unnamed parameter
__global__ void constants(int *out, int more = 3, float = 0);

template <typename T, int N = 4>
__global__ void __launch_bounds__(256) add(T *a, const T *b, int n, T extra = T(N))
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __builtin_assume(a != b);
    if (i < n)
        a[i] += b[i] + extra;
}

// the same name for other parameters
__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}

__global__ void fill(float *p, float value)
{
    p[threadIdx.x] = value;
}

template <typename... Rest> __global__ void count(int *out, Rest... rest)
{
    *out = (0 + ... + static_cast<int>(rest));
}

template <typename T> __global__ void specialized(T *out)
{
    *out = 1;
}

template <typename T>
__global__ void add_one(const int n, T *__restrict__ out, const T *const __restrict__ in)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = in[i] + 1;
}

template <> __global__ void specialized<double>(double *out)
{
    *out = 2;
}

extern "C" __global__ void block_sum(const float *in, float *out)
{
    extern __shared__ float tile[];
    __shared__ unsigned voters;
    unsigned t = threadIdx.x;
    tile[t] = in[blockIdx.x * blockDim.x + t];
    if (t == 0)
        voters = __ballot_sync(1u, 1);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            tile[t] += tile[t + s];
        __syncthreads();
    }
    if (t == 0 && voters == 1)
        atomicAdd(out, tile[0]);
}

static __global__ void clocks(long long *out)
{
    unsigned long long begin, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    clock_t c = clock();
    long long c64 = clock64();
    while (clock64() - c64 < 1000)
        continue;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    out[0] = end > begin;
    out[1] = clock() > c;
}

__global__ void pairs(inner::pair<int> p, int *out, int (*unused)(int))
{
    assert(p.first < p.second);
    *out = doubled(p.second) + (unused != nullptr);
    if (threadIdx.x == 0)
        printf("pairs: %d\n", *out);
}

__global__ void constants(int *out, int more, float)
{
    *out = seven + more + static_cast<int>(table[3] * scale);
    atomicAdd(&inner::counter, 1u);
}

static float sum_of(const float *device, int n)
{
    std::vector<float> h(n);
    OK(cudaMemcpy(h.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost));
    float sum = 0;
    for (float x : h)
        sum += x;
    return sum;
}

template <typename T> static T value(const T *device)
{
    T h;
    OK(cudaMemcpy(&h, device, sizeof h, cudaMemcpyDeviceToHost));
    return h;
}

int main()
{
    const int n = 1 << 12;
    float *a, *b, *sum;
    OK(cudaMalloc(&a, n * sizeof *a));
    OK(cudaMalloc(&b, n * sizeof *b));
    OK(cudaMalloc(&sum, 64));
    OK(cudaMemset(a, 0, n * sizeof *a));
    OK(cudaMemset(b, 0, n * sizeof *b));
    dim3 gridDim(n / 256), blockDim(256);
    add<<<gridDim, blockDim>>>(a, b, n);              // + 4
    add<float, 2><<<n / 256, 256>>>(a, b, n);         // + 2
    add<<<dim3(n / 256), 256, 0, 0>>>(a, b, n, 0.5f); // + 0.5
    OK(cudaGetLastError());
    EXPECT(sum_of(a, n) == 6.5f * n);
    OK(cudaMemset(sum, 0, 4));
    void (*f)(const float *, float *) = block_sum;
    f<<<gridDim, blockDim, 256 * sizeof(float)>>>(a, sum);
    EXPECT(value(sum) == 6.5f * n);

    int *i;
    OK(cudaMalloc(&i, 64 * sizeof *i));
    fill<<<1, 64>>>(i, 5);
    EXPECT(value(i + 63) == 5);
    fill<<<1, 16>>>(a, 5.5f);
    EXPECT(value(a + 15) == 5.5f);
    count<<<1, 1>>>(i, 1, 2.0f, 3u);
    EXPECT(value(i) == 6);
    double *d = reinterpret_cast<double *>(sum);
    specialized<<<1, 1>>>(d);
    EXPECT(value(d) == 2);
    specialized<<<1, 1>>>(i);
    EXPECT(value(i) == 1);
    add_one<<<1, 2>>>(1, i + 1, i);
    EXPECT(value(i + 1) == 2);
    constants<<<1, 1>>>(i);
    EXPECT(value(i) == 7 + 3 + 2);
    const int eight = 8;
    OK(cudaMemcpyToSymbol(seven, &eight, sizeof eight));
    for (int more = 0; more < 2; more++)
        constants<<<1, 1>>>(i, more);
    EXPECT(value(i) == 8 + 1 + 2);
    unsigned counted;
    OK(cudaMemcpyFromSymbol(&counted, inner::counter, sizeof counted));
    EXPECT(counted == 3);
    pairs<<<1, 1>>>(inner::pair<int>{1, 2}, i, nullptr);
    EXPECT(value(i) == 4);
    long long *times;
    OK(cudaMalloc(&times, 2 * sizeof *times));
    clocks<<<1, 1>>>(times);
    EXPECT(value(times) == 1 && value(times + 1) == 1);

    cudaKernelNodeParams node = {};
    node.gridDim = dim3(2);
    node.blockDim = blockDim;
    EXPECT(node.gridDim.x * node.blockDim.x == 512);
    int blocks;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, block_sum, 256, 0));
    EXPECT(blocks > 0);
    fill<<<1, 2048>>>(i, 1);
    EXPECT(cudaGetLastError() != cudaSuccess);
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaFree(sum));
    OK(cudaFree(i));
    OK(cudaFree(times));
    puts("passed");
}

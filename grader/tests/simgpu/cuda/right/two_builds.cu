/* Each kernel is compiled with records of its accesses and without. With checks all blocks run the
 * first build, without checks most run the second one. Both have the same variables, functions and
 * kernels, by whatever name the program has them. */
#include "../check.cuh"

#ifdef __SANITIZE_THREAD__
static __device__ int is_plain()
{
    return 0;
}
#else
static __device__ int is_plain()
{
    return 1;
}
#endif

__device__ int n_blocks;
static __device__ float scale = 2.5f;
__constant__ int table[4] = {1, 2, 3, 4};

namespace
{
__device__ int hidden[2];
}

struct adder {
    int by;
    __device__ virtual int operator()(int x) const;
};

__device__ int adder::operator()(int x) const
{
    return x + by;
}

template <typename T> __device__ T twice(T x)
{
    return x + x;
}

__device__ int (*chosen)(int);

static __device__ __noinline__ int next_number()
{
    static int last;
    return atomicAdd(&last, 1);
}

static __global__ void first(int *is_plain_block)
{
    __shared__ int part[32];
    part[threadIdx.x] = table[threadIdx.x % 4];
    __syncthreads();
    int sum = part[31 - threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (threadIdx.x == 0) {
        is_plain_block[blockIdx.x] = is_plain();
        atomicAdd(&n_blocks, 1);
        atomicAdd(&hidden[1], sum);
        next_number();
        chosen = twice<int>;
    }
}

template <typename T> __global__ void second(T *out)
{
    adder a;
    a.by = next_number();
    out[blockIdx.x] = static_cast<T>(a(0) * scale);
    if (chosen != twice<int> || chosen(3) != 6)
        out[blockIdx.x] = -1;
}

__global__ void parent(float *out)
{
    second<<<100, 1>>>(out + 100 * blockIdx.x);
}

int main()
{
    const int blocks = 1000;
    int *plain, count, sum, n_plain = 0;
    float *out;
    const char *checks = getenv("SIMGPU_CHECKS");
    const bool is_checked = !checks || strcmp(checks, "0") != 0;
    OK(cudaMallocManaged(&plain, blocks * sizeof *plain));
    OK(cudaMallocManaged(&out, 3 * blocks * sizeof *out));
    first<<<blocks, 32>>>(plain);
    second<<<blocks, 1>>>(out);
    parent<<<10, 1>>>(out + blocks);
    second<<<blocks, 1>>>(out + 2 * blocks);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < blocks; i++)
        n_plain += plain[i];
    EXPECT(is_checked ? n_plain == 0 : n_plain > blocks * 9 / 10);
    OK(cudaMemcpyFromSymbol(&count, n_blocks, sizeof count));
    OK(cudaMemcpyFromSymbol(&sum, hidden, sizeof sum, sizeof sum));
    EXPECT(count == blocks);
    EXPECT(sum == blocks * 80);
    double total = 0;
    for (int i = 0; i < 3 * blocks; i++)
        total += out[i];
    EXPECT(total == 2.5 * (blocks + 4 * blocks - 1) / 2 * 3 * blocks);
    OK(cudaFree(plain));
    OK(cudaFree(out));
    printf("passed\n");
}

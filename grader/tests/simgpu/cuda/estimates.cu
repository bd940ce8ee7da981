// estimates.cu: how long kernels take that nobody declared. Prints name,us of one launch: of a
// chain of launches (first argument: how many) between two events. Further arguments: only these
// names. Built by nvcc, it measures a GPU: plots/data/NVIDIA_H200/estimates.csv. Built by simcc, it
// gives the estimates of the simulated device.
#include "check.cuh"

#include <cstring>

__global__ void empty()
{
}

__global__ void copy1(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i];
}

__global__ void copy4(const float4 *a, float4 *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i];
}

__global__ void saxpy(float s, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = s * x[i] + y[i];
}

__global__ void add_five_times(float *a, const float *s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 5; k++)
        a[i] += *s;
}

__global__ void reduce_shuffle(const float *a, float *sum, int n)
{
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        s += a[i];
    for (int w = 16; w > 0; w /= 2)
        s += __shfl_down_sync(0xffffffffu, s, w);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, s);
}

__global__ void transpose_naive(const float *a, float *b, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    b[(size_t)x * n + y] = a[(size_t)y * n + x];
}

__global__ void transpose_tiled(const float *a, float *b, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = a[(size_t)(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        b[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void stencil5(const float *a, float *b, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
        size_t i = (size_t)y * n + x;
        b[i] = 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
    }
}

__global__ void strided_read(const float *a, float *b, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[(size_t)i * stride];
}

__global__ void strided_write(const float *a, float *b, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[(size_t)i * stride] = a[i];
}

__global__ void gather(const float *a, float *b, int n, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = i * 2654435761u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    if (i < (unsigned)n)
        b[i] = a[h & mask];
}

__global__ void histogram_global(const unsigned *a, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[(a[i] * 2654435761u + i * 40503u) >> 16 & 255], 1u);
}

__global__ void one_counter(unsigned *counter)
{
    atomicAdd(counter, 1u);
}

__global__ void row_sums(const float *a, float *sums, int n)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int x = 0; x < n; x++)
        s += a[(size_t)y * n + x];
    sums[y] = s;
}

__global__ void column_sums(const float *a, float *sums, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int y = 0; y < n; y++)
        s += a[(size_t)y * n + x];
    sums[x] = s;
}

__global__ void chase(const int *next, int *end, int hops)
{
    int at = 0;
    for (int i = 0; i < hops; i++)
        at = next[at];
    *end = at;
}

__global__ void spin_clock(long long cycles)
{
    long long from = clock64();
    while (clock64() - from < cycles) {
    }
}

static int reps;
static char **names; // of what is timed; none: all
static cudaStream_t stream;
static cudaEvent_t from, to;

template <typename F> static void print_time(const char *name, F launch)
{
    float ms;
    char **at = names;
    while (*at && strcmp(*at, name) != 0)
        at++;
    if (*names && !*at)
        return;
    OK(cudaEventRecord(from, stream));
    for (int i = 0; i < reps; i++)
        launch();
    OK(cudaGetLastError());
    OK(cudaEventRecord(to, stream));
    OK(cudaEventSynchronize(to));
    OK(cudaEventElapsedTime(&ms, from, to));
    printf("%s,%.2f\n", name, ms * 1e3 / reps);
}

const int n = 1 << 25, side = 4096, hops = 1000, ring = 1 << 22;

// Each element names another one, 128 KiB further on.
static void make_ring(float *d)
{
    int *next = (int *)malloc(ring * sizeof *next);
    for (int i = 0; i < ring; i++)
        next[i] = (i + 32785) % ring;
    OK(cudaMemcpy(d, next, ring * sizeof *next, cudaMemcpyHostToDevice));
    OK(cudaDeviceSynchronize()); // the copy is from pageable memory
    free(next);
}

static void streaming(float *a, float *b)
{
    print_time("empty", [&] { empty<<<1, 32, 0, stream>>>(); });
    print_time("empty_4096_blocks", [&] { empty<<<4096, 256, 0, stream>>>(); });
    print_time("copy_float_32M", [&] { copy1<<<n / 256, 256, 0, stream>>>(a, b, n); });
    print_time("copy_float4_8M",
               [&] { copy4<<<n / 1024, 256, 0, stream>>>((float4 *)a, (float4 *)b, n / 4); });
    print_time("saxpy_2^16", [&] { saxpy<<<1 << 8, 256, 0, stream>>>(2, a, b, 1 << 16); });
    print_time("saxpy_2^19", [&] { saxpy<<<1 << 11, 256, 0, stream>>>(2, a, b, 1 << 19); });
    print_time("saxpy_2^22", [&] { saxpy<<<1 << 14, 256, 0, stream>>>(2, a, b, 1 << 22); });
    print_time("add_five_times_16M", [&] { add_five_times<<<n / 1024, 512, 0, stream>>>(a, b); });
    print_time("reduce_shuffle_32M", [&] { reduce_shuffle<<<1056, 256, 0, stream>>>(a, b, n); });
}

static void patterns(float *a, float *b)
{
    dim3 cells(side / 32, side / 8), tiles(side / 32, side / 32), block(32, 8);
    print_time("transpose_naive_4096",
               [&] { transpose_naive<<<cells, block, 0, stream>>>(a, b, side); });
    print_time("transpose_tiled_4096",
               [&] { transpose_tiled<<<tiles, block, 0, stream>>>(a, b, side); });
    print_time("stencil5_4096", [&] { stencil5<<<cells, block, 0, stream>>>(a, b, side); });
    print_time("strided_read_8_4M",
               [&] { strided_read<<<n / 2048, 256, 0, stream>>>(a, b, n / 8, 8); });
    print_time("strided_read_32_1M",
               [&] { strided_read<<<n / 8192, 256, 0, stream>>>(a, b, n / 32, 32); });
    print_time("strided_write_8_4M",
               [&] { strided_write<<<n / 2048, 256, 0, stream>>>(a, b, n / 8, 8); });
    print_time("strided_write_32_1M",
               [&] { strided_write<<<n / 8192, 256, 0, stream>>>(a, b, n / 32, 32); });
    print_time("gather_128MiB_8M",
               [&] { gather<<<n / 1024, 256, 0, stream>>>(a, b, n / 4, n - 1); });
    print_time("gather_1MiB_8M",
               [&] { gather<<<n / 1024, 256, 0, stream>>>(a, b, n / 4, (1 << 18) - 1); });
    print_time("row_sums_4096", [&] { row_sums<<<side / 128, 128, 0, stream>>>(a, b, side); });
    print_time("column_sums_4096",
               [&] { column_sums<<<side / 128, 128, 0, stream>>>(a, b, side); });
}

static void others(float *a, float *b)
{
    print_time("histogram_global_8M", [&] {
        histogram_global<<<n / 1024, 256, 0, stream>>>((unsigned *)a, (unsigned *)b, n / 4);
    });
    print_time("one_counter_1M", [&] { one_counter<<<4096, 256, 0, stream>>>((unsigned *)b); });
    print_time("spin_clock_100000", [&] { spin_clock<<<1, 1, 0, stream>>>(100000); });
    make_ring(b);
    print_time("chase_16MiB_1000", [&] { chase<<<1, 1, 0, stream>>>((int *)b, (int *)a, hops); });
}

int main(int argc, char **argv)
{
    float *a, *b;
    reps = argc > 1 ? atoi(argv[1]) : 20;
    names = argv + (argc > 1 ? 2 : 1);
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaEventCreate(&from));
    OK(cudaEventCreate(&to));
    OK(cudaMalloc(&a, n * sizeof *a));
    OK(cudaMalloc(&b, n * sizeof *b));
    OK(cudaMemset(a, 0, n * sizeof *a));
    OK(cudaMemset(b, 0, n * sizeof *b));
    empty<<<1, 32, 0, stream>>>();
    OK(cudaDeviceSynchronize());
    streaming(a, b);
    patterns(a, b);
    others(a, b);
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaEventDestroy(from));
    OK(cudaEventDestroy(to));
    OK(cudaStreamDestroy(stream));
}

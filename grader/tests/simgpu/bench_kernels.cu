/* bench_kernels.cu: how fast kernels run on the simulated device, beside the same
 * loops in C on all cores (bench_loops.c). `make bench` runs it with checks and without. An
 * argument selects the shapes whose name begins with it.
 *
 * Prints the least CPU time of several runs of each, that of all threads together, and the ratio:
 * other programs on the machine disturb it less than real time. It ends with 1 if a result differs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "bench_loops.h"

enum { N = 1 << 22, SIDE = 512, GRID = 2048, RUNS = 7, THREADS = 256, BLOCKS = 1024 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e = (call);                                                                    \
        if (e != cudaSuccess) {                                                                    \
            fprintf(stderr, "bench_kernels: %s: %s\n", #call, cudaGetErrorString(e));              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* ---- kernels --------------------------------------------------------------------------------- */

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void matmul(int n, const float *a, const float *b, float *c)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__global__ void matmul_tiled(int n, const float *a, const float *b, float *c)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y,
        column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        tile_a[y][x] = a[row * n + k + x];
        tile_b[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int m = 0; m < TILE; m++)
            sum += tile_a[y][m] * tile_b[m][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void reduce(int n, const float *x, float *total)
{
    __shared__ float part[THREADS];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(total, part[0]);
}

__global__ void reduce_by_warps(int n, const float *x, float *total)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, sum);
}

__global__ void histogram(int n, const unsigned char *x, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[x[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void stencil(int n, const float *from, float *to)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        to[y * n + x] = 0.25f * (from[y * n + x - 1] + from[y * n + x + 1] + from[(y - 1) * n + x] +
                                 from[(y + 1) * n + x]);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* N elements each */
static float *host_in, *host_out, *result, *device_in, *device_out;

struct shape {
    const char *name;
    void (*loop)(void);
    void (*kernel)(void);
    size_t bytes; /* that the kernel writes, from device_out on; they are the same as the loop's */
    float tolerance;
};

static const dim3 tiles(SIDE / TILE, SIDE / TILE), tile(TILE, TILE), rows(GRID / 32, GRID / 8),
    row(32, 8);

static const struct shape shapes[] = {
    {"saxpy, 4 M elements", [] { loop_saxpy(N, 0.5f, host_in, host_out); },
     [] { saxpy<<<N / THREADS, THREADS>>>(N, 0.5f, device_in, device_out); }, N * sizeof(float), 0},
    {"matrix product of 512 x 512",
     [] { loop_matmul(SIDE, host_in, host_in + SIDE * SIDE, host_out); },
     [] { matmul<<<tiles, tile>>>(SIDE, device_in, device_in + SIDE * SIDE, device_out); },
     SIDE *SIDE * sizeof(float), 0},
    {"the same in tiles of 16 x 16",
     [] { loop_matmul_tiled(SIDE, host_in, host_in + SIDE * SIDE, host_out); },
     [] { matmul_tiled<<<tiles, tile>>>(SIDE, device_in, device_in + SIDE * SIDE, device_out); },
     SIDE *SIDE * sizeof(float), 0},
    {"sum of 4 M by barriers", [] { host_out[0] = loop_sum(N, host_in); },
     [] { reduce<<<BLOCKS, THREADS>>>(N, device_in, device_out); }, sizeof(float), 1e-3f},
    {"sum of 4 M by warp shuffles", [] { host_out[0] = loop_sum(N, host_in); },
     [] { reduce_by_warps<<<BLOCKS, THREADS>>>(N, device_in, device_out); }, sizeof(float), 1e-3f},
    {"histogram of 4 M bytes",
     [] { loop_histogram(N, (const unsigned char *)host_in, (unsigned *)host_out); },
     [] {
         histogram<<<BLOCKS, THREADS>>>(N, (const unsigned char *)device_in,
                                        (unsigned *)device_out);
     },
     BINS * sizeof(unsigned), 0},
    {"stencil of 2048 x 2048", [] { loop_stencil(GRID, host_in, host_out); },
     [] { stencil<<<rows, row>>>(GRID, device_in, device_out); }, N * sizeof(float), 0},
};

/* ---- main ------------------------------------------------------------------------------------ */

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double time_of(const struct shape *s, bool on_device)
{
    memset(host_out, 0, N * sizeof(float));
    CHECK(cudaMemset(device_out, 0, N * sizeof(float)));
    CHECK(cudaDeviceSynchronize());
    double start = now_ms();
    if (on_device) {
        s->kernel();
        CHECK(cudaDeviceSynchronize());
    } else {
        s->loop();
    }
    return now_ms() - start;
}

static bool is_right(const struct shape *s)
{
    time_of(s, true);
    CHECK(cudaMemcpy(result, device_out, s->bytes, cudaMemcpyDeviceToHost));
    time_of(s, false);
    return s->tolerance > 0 ? fabsf(result[0] - host_out[0]) <= s->tolerance * fabsf(host_out[0])
                            : memcmp(result, host_out, s->bytes) == 0;
}

int main(int argc, char **argv)
{
    host_in = new float[N], host_out = new float[N], result = new float[N];
    for (int i = 0; i < N; i++)
        host_in[i] = (float)(i * 2654435761u >> 8) * 0x1p-24f;
    CHECK(cudaMalloc(&device_in, N * sizeof(float)));
    CHECK(cudaMalloc(&device_out, N * sizeof(float)));
    CHECK(cudaMemcpy(device_in, host_in, N * sizeof(float), cudaMemcpyHostToDevice));
    const char *checks = getenv("SIMGPU_CHECKS");
    const bool is_checked = !checks || strcmp(checks, "0") != 0;
    double product = 1;
    bool right = true;
    printf("%-30s %10s %10s %7s\n", is_checked ? "with checks" : "without checks", "loop", "kernel",
           "ratio");
    int n = 0;
    for (const struct shape &s : shapes) {
        if (argc > 1 && strncmp(s.name, argv[1], strlen(argv[1])) != 0)
            continue;
        double loop = HUGE_VAL, kernel = HUGE_VAL;
        for (int i = 0; i < RUNS; i++) {
            loop = fmin(loop, time_of(&s, false));
            kernel = fmin(kernel, time_of(&s, true));
        }
        bool good = is_right(&s);
        right = right && good;
        product *= kernel / loop;
        n++;
        printf("%-30s %7.2f ms %7.2f ms %7.2f%s\n", s.name, loop, kernel, kernel / loop,
               good ? "" : "  WRONG RESULT");
        fflush(stdout);
    }
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    printf("%-30s %10s %10s %7.2f\n", "geometric mean", "", "", n ? pow(product, 1.0 / n) : 0);
    printf("memory: %ld MB at most; the program allocates %zu MB\n", u.ru_maxrss / 1024,
           5 * N * sizeof(float) >> 20);
    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    return right ? 0 : 1;
}

/* bench_host.cu: how fast loops of host code are while work is pending, if simcc compiles them,
 * beside the same loops of gcc -O2. They access 64 MiB of pinned memory. `make bench` runs it. An
 * argument selects the loops whose name begins with it.
 *
 * Prints the least CPU time of several runs of each, with a kernel and with a memset pending, until
 * the host has waited.
 */
#define LOOPS checked_loops
#include "bench_host_loops.c"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 64 << 20, RUNS = 3, BLOCK = 4096 /* nodes, among which the list jumps */ };

enum pending { NOTHING, KERNEL, MEMSET, N_PENDING };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e = (call);                                                                    \
        if (e != cudaSuccess) {                                                                    \
            fprintf(stderr, "bench_host: %s: %s\n", #call, cudaGetErrorString(e));                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void set(int *out)
{
    out[threadIdx.x] = 1;
}

static void *pinned;
static int *device;

static double now_ms()
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* All of pinned memory; returns its first node. */
static void *make_list()
{
    const size_t n = BYTES / sizeof(bench_node);
    bench_node *nodes = (bench_node *)pinned, *first = NULL, **last = &first;
    for (size_t i = 0; i < n; i++) {
        const size_t at = i - i % BLOCK + i * 1001 % BLOCK; /* 1001 is odd: each once */
        nodes[at].value = 1;
        *last = &nodes[at];
        last = &nodes[at].next;
    }
    *last = NULL;
    return first;
}

static double time_of(int loop, enum pending pending)
{
    memset(pinned, 0, BYTES);
    void *p = loop == BENCH_LIST ? make_list() : pinned;
    if (pending == KERNEL)
        set<<<1, 32>>>(device);
    else if (pending == MEMSET)
        CHECK(cudaMemsetAsync(device, 0, 128, 0));
    const double start = now_ms();
    (pending ? checked_loops : plain_loops)[loop].run(p, BYTES);
    CHECK(cudaDeviceSynchronize());
    return now_ms() - start;
}

int main(int argc, char **argv)
{
    CHECK(cudaMallocHost(&pinned, BYTES));
    CHECK(cudaMalloc(&device, 128));
    printf("%-32s %10s %10s %7s %10s %7s\n", "64 MiB of pinned memory", "gcc -O2", "kernel",
           "ratio", "memset", "ratio");
    for (int i = 0; i < BENCH_LOOPS; i++) {
        const char *name = plain_loops[i].name;
        if (argc > 1 && strncmp(name, argv[1], strlen(argv[1])) != 0)
            continue;
        double least[N_PENDING] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        for (int run = 0; run < RUNS; run++)
            for (int k = NOTHING; k < N_PENDING; k++)
                least[k] = fmin(least[k], time_of(i, (enum pending)k));
        printf("%-32s %7.2f ms %7.2f ms %7.2f %7.2f ms %7.2f\n", name, least[NOTHING],
               least[KERNEL], least[KERNEL] / least[NOTHING], least[MEMSET],
               least[MEMSET] / least[NOTHING]);
        fflush(stdout);
    }
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(device));
    return 0;
}

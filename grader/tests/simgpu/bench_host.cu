/* bench_host.cu: how fast loops of host code are while work is pending, if simcc compiles them,
 * beside the same loops of gcc -O2. They access 64 MiB, pinned or from malloc. `make bench` runs
 * it. An argument selects the loops whose name begins with it.
 *
 * Prints the least CPU time of several runs of each, with a kernel pending, until the host has
 * waited.
 */
#define LOOPS checked_loops
#include "bench_host_loops.c"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 64 << 20, RUNS = 3, BLOCK = 4096 /* nodes, among which the list jumps */ };

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

static int *device;

static double now_ms()
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* All of the memory; returns its first node. */
static void *make_list(void *memory)
{
    const size_t n = BYTES / sizeof(bench_node);
    bench_node *nodes = (bench_node *)memory, *first = NULL, **last = &first;
    for (size_t i = 0; i < n; i++) {
        const size_t at = i - i % BLOCK + i * 1001 % BLOCK; /* 1001 is odd: each once */
        nodes[at].value = 1;
        *last = &nodes[at];
        last = &nodes[at].next;
    }
    *last = NULL;
    return first;
}

static double time_of(const struct bench_loop *loop, void *memory, bool lists)
{
    memset(memory, 0, BYTES);
    void *p = lists ? make_list(memory) : memory;
    set<<<1, 32>>>(device);
    const double start = now_ms();
    loop->run(p, BYTES);
    CHECK(cudaDeviceSynchronize());
    return now_ms() - start;
}

int main(int argc, char **argv)
{
    void *memory[2] = {NULL, malloc(BYTES)};
    CHECK(cudaMallocHost(&memory[0], BYTES));
    CHECK(cudaMalloc(&device, 128));
    printf("%-32s %10s %10s %7s %10s %10s %7s\n", "64 MiB while a kernel is pending", "gcc -O2",
           "pinned", "ratio", "gcc -O2", "malloc", "ratio");
    for (int i = 0; i < BENCH_LOOPS; i++) {
        const char *name = plain_loops[i].name;
        if (argc > 1 && strncmp(name, argv[1], strlen(argv[1])) != 0)
            continue;
        printf("%-32s", name);
        for (int k = 0; k < 2; k++) {
            double plain = HUGE_VAL, checked = HUGE_VAL;
            for (int run = 0; run < RUNS; run++) {
                plain = fmin(plain, time_of(&plain_loops[i], memory[k], i == BENCH_LIST));
                checked = fmin(checked, time_of(&checked_loops[i], memory[k], i == BENCH_LIST));
            }
            printf(" %7.2f ms %7.2f ms %7.2f", plain, checked, checked / plain);
        }
        puts("");
        fflush(stdout);
    }
    CHECK(cudaFreeHost(memory[0]));
    CHECK(cudaFree(device));
    free(memory[1]);
    return 0;
}

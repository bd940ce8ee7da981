/* device_shapes.c: graphs of 1 to 256 kernels launched by a kernel and by the host: until the first
 * node runs, over and over, and many at once. Straight, fork-join and wide graphs. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "chain.h"
#include "device_shapes_kernels.h"

enum { MOST_NODES = 256, LOOPS = 50, SHAPES = 3 };
enum shape { STRAIGHT, FORK_JOIN, WIDE };

static struct ran *rans, *root_ran; /* of the nodes of a graph; of the kernel that launches it */
static struct order *order, *again; /* that kernel's; that of a graph which launches itself */
static cudaGraphExec_t root, small[MOST_ORDERS];

/* ---- graphs ---------------------------------------------------------------------------------- */

static cudaGraphNode_t add(cudaGraph_t g, const cudaGraphNode_t *after, int n_after,
                           struct ran *mine, struct order *mine_to_do)
{
    cudaGraphNode_t n;
    void *args[] = {&mine, &mine_to_do};
    struct cudaKernelNodeParams k = {.func = (void *)(uintptr_t)ordered_kernel(),
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .kernelParams = args};
    CHECK(cudaGraphAddKernelNode(&n, g, after, (size_t)n_after, &k));
    return n;
}

/* The first node does `first`; it is uploaded. */
static cudaGraphExec_t instantiate(enum shape shape, int nodes, struct ran *mine,
                                   struct order *first)
{
    static cudaGraphNode_t node[MOST_NODES];
    cudaGraph_t g;
    cudaGraphExec_t x;
    CHECK(cudaGraphCreate(&g, 0));
    for (int i = 0; i < nodes; i++) {
        bool last = shape == FORK_JOIN && i == nodes - 1 && nodes > 2;
        const cudaGraphNode_t *after = shape == STRAIGHT && i ? &node[i - 1]
                                       : last                 ? node + 1
                                                              : node;
        int n_after = i == 0 || shape == WIDE ? 0 : last ? nodes - 2 : 1;
        node[i] = add(g, after, n_after, &mine[i], i == 0 ? first : NULL);
    }
    CHECK(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    CHECK(cudaGraphUpload(x, chain_stream()));
    CHECK(cudaGraphDestroy(g));
    chain_wait();
    return x;
}

/* ---- one repetition -------------------------------------------------------------------------- */

static void tell(struct order *to, const struct order *what)
{
    CHECK(cudaMemcpy(to, what, sizeof *to, cudaMemcpyHostToDevice));
}

/* None of the launches told may have been refused: then nothing was measured. */
static void must_have_launched(const struct order *from)
{
    struct order now;
    CHECK(cudaMemcpy(&now, from, sizeof now, cudaMemcpyDeviceToHost));
    if (now.refused == 0)
        return;
    fprintf(stderr, "device_shapes: the device refused %d launches\n", now.refused);
    exit(1);
}

static double launch_and_wait(cudaGraphExec_t x)
{
    double t0 = clock_now_us();
    CHECK(cudaGraphLaunch(x, chain_stream()));
    chain_wait();
    return bench_since(t0);
}

struct measured {
    cudaGraphExec_t exec, loop;
    int nodes;
    cudaStream_t mode;
};

/* From the start of the kernel that launches to the first start among the graph's nodes. */
static void by_kernel(void *arg, double *v)
{
    const struct measured *m = arg;
    static struct ran ran[MOST_NODES];
    struct ran launcher;
    struct order o = {.n = 1, .mode = m->mode, .execs = {m->exec}};
    tell(order, &o);
    launch_and_wait(root);
    must_have_launched(order);
    CHECK(cudaMemcpy(ran, rans, (size_t)m->nodes * sizeof *ran, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&launcher, root_ran, sizeof launcher, cudaMemcpyDeviceToHost));
    unsigned long long first = ran[0].start_ns, last = 0;
    for (int i = 0; i < m->nodes; i++) {
        first = ran[i].start_ns < first ? ran[i].start_ns : first;
        last = ran[i].start_ns > last ? ran[i].start_ns : last;
    }
    v[0] = (double)(long long)(first - launcher.start_ns) / 1000;
    v[1] = (double)(long long)(last - launcher.start_ns) / 1000;
}

/* The same graph, launched by the host: the call, all, and all but what its nodes take. */
static void by_host(void *arg, double *v)
{
    const struct measured *m = arg;
    static struct ran ran[MOST_NODES];
    double t0 = clock_now_us();
    CHECK(cudaGraphLaunch(m->exec, chain_stream()));
    v[0] = bench_since(t0);
    chain_wait();
    v[1] = bench_since(t0);
    CHECK(cudaMemcpy(ran, rans, (size_t)m->nodes * sizeof *ran, cudaMemcpyDeviceToHost));
    unsigned long long first = ran[0].start_ns, last = 0;
    for (int i = 0; i < m->nodes; i++) {
        first = ran[i].start_ns < first ? ran[i].start_ns : first;
        last = ran[i].start_ns > last ? ran[i].start_ns : last;
    }
    v[2] = v[1] - (double)(last - first) / 1000;
}

/* A round of a graph that launches itself, and the same by the host, which waits for each. */
static void rounds_by_kernel(void *arg, double *v)
{
    const struct measured *m = arg;
    struct order o = {.again = LOOPS};
    tell(again, &o);
    double many = launch_and_wait(m->loop);
    must_have_launched(again);
    double one = launch_and_wait(m->loop);
    v[0] = (many - one) / LOOPS;
}

static void rounds_by_host(void *arg, double *v)
{
    const struct measured *m = arg;
    double t0 = clock_now_us();
    for (int i = 0; i < LOOPS; i++)
        launch_and_wait(m->exec);
    v[0] = bench_since(t0) / LOOPS;
}

static void rounds_queued(void *arg, double *v)
{
    const struct measured *m = arg;
    double t0 = clock_now_us();
    for (int i = 0; i < LOOPS; i++)
        CHECK(cudaGraphLaunch(m->exec, chain_stream()));
    chain_wait();
    v[0] = bench_since(t0) / LOOPS;
}

/* One kernel launches several graphs of one node: the start of the last one, and the kernel's end.
 */
static void several(void *arg, double *v)
{
    const struct measured *m = arg;
    struct ran last, launcher;
    struct order o = {.n = m->nodes, .mode = m->mode};
    memcpy(o.execs, small, sizeof small);
    tell(order, &o);
    launch_and_wait(root);
    must_have_launched(order);
    CHECK(cudaMemcpy(&last, rans + m->nodes - 1, sizeof last, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&launcher, root_ran, sizeof launcher, cudaMemcpyDeviceToHost));
    v[0] = (double)(long long)(last.start_ns - launcher.start_ns) / 1000;
    v[1] = (double)(long long)(launcher.end_ns - launcher.start_ns) / 1000;
}

/* ---- a point --------------------------------------------------------------------------------- */

static void measure_several(int n)
{
    struct measured fire = {.nodes = n, .mode = MODE_FIRE}, tail = {.nodes = n, .mode = MODE_TAIL};
    const struct bench_variant variants[] = {
        {{"several.fire", "several.fire_kernel"}, several, &fire},
        {{"several.tail", "several.tail_kernel"}, several, &tail},
    };
    bench_point(n, "us", variants, 2);
}

static void measure_shape(enum shape shape, int nodes)
{
    static char names[SHAPES][12][40];
    static const char *const shapes[] = {"straight", "forkjoin", "wide"};
    static const char *const what[] = {
        "fire.first", "fire.last",  "tail.first", "tail.last",   "host.call",     "host.total",
        "host.rest",  "self.round", "host.round", "host.queued", "sibling.first", "sibling.last"};
    for (int i = 0; i < 12; i++)
        snprintf(names[shape][i], sizeof names[0][0], "%s.%s", shapes[shape], what[i]);
    struct measured m = {.nodes = nodes,
                         .exec = instantiate(shape, nodes, rans, NULL),
                         .loop = instantiate(shape, nodes, rans, again)};
    struct measured fire = m, tail = m, sibling = m;
    fire.mode = MODE_FIRE;
    tail.mode = MODE_TAIL;
    sibling.mode = MODE_SIBLING;
    char(*s)[40] = names[shape];
    const struct bench_variant variants[] = {
        {{s[0], s[1]}, by_kernel, &fire},      {{s[2], s[3]}, by_kernel, &tail},
        {{s[4], s[5], s[6]}, by_host, &m},     {{s[7]}, rounds_by_kernel, &m},
        {{s[8]}, rounds_by_host, &m},          {{s[9]}, rounds_queued, &m},
        {{s[10], s[11]}, by_kernel, &sibling},
    };
    bench_point(nodes, "us", variants, 7);
    CHECK(cudaGraphExecDestroy(m.exec));
    CHECK(cudaGraphExecDestroy(m.loop));
}

int main(int argc, char **argv)
{
    static const int all[] = {1, 2, 4, 8, 11, 16, 32, 64, 128, 256}, few[] = {1, 11};
    const int *nodes = bench_quick() ? few : all, n = bench_quick() ? 2 : 10,
              n_several = n == 2 ? 2 : 8;
    setenv("SIMGPU_COMPUTE", "1", 1); /* kernels that do not run launch nothing */
    bench_begin(argc, argv, "device_shapes",
                "graphs of kernels that note the time, launched by a kernel and by the host",
                "nodes", SHAPES * n + n_several);
    chain_begin();
    CHECK(cudaMalloc((void **)&rans, MOST_NODES * sizeof *rans));
    CHECK(cudaMalloc((void **)&root_ran, sizeof *root_ran));
    CHECK(cudaMalloc((void **)&order, sizeof *order));
    CHECK(cudaMalloc((void **)&again, sizeof *again));
    CHECK(cudaMemset(rans, 0, MOST_NODES * sizeof *rans));
    CHECK(cudaMemset(again, 0, sizeof *again));
    root = instantiate(STRAIGHT, 1, root_ran, order);
    for (int i = 0; i < MOST_ORDERS; i++)
        small[i] = instantiate(STRAIGHT, 1, &rans[i], NULL);
    for (int i = 0; i < n_several; i++)
        measure_several(nodes[i]);
    for (int shape = 0; shape < SHAPES; shape++)
        for (int i = 0; i < n; i++)
            measure_shape((enum shape)shape, nodes[i]);
    return bench_end();
}

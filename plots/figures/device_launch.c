/* device_launch.c: graphs launched by kernels.
 *
 * Latency: from the launching kernel, which notes the device's clock just before it launches, to
 * the first kernel of the launched graph, which notes it too: fire and forget, tail, and by the
 * host, which waits for the first graph and then launches the second. For chains and for graphs as
 * wide as they have kernels (wide.*).
 *
 * Loops, an iteration of each: a graph that launches itself again, and one that the host launches
 * again and again, straight on or after waiting each time. */
#include "bench.h"
#include "chain.h"
#include "device_launch_kernels.h"

enum { ROUNDS = 100 };

static int *left; /* rounds of a loop, on the device */
static unsigned long long
    *clocks; /* two, on the device: of the launching kernel, of the first launched one */

/* What is launched and what launches it, for chains and for wide graphs. */
struct launched {
    cudaGraphExec_t target, by_fire, by_tail, noting;
};
static struct launched narrow, wide;
static cudaGraphExec_t itself, plain;

static cudaGraphExec_t device_graph(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphUpload(exec, chain_stream()));
    chain_wait();
    return exec;
}

static void capture(void)
{
    CHECK(cudaStreamBeginCapture(chain_stream(), cudaStreamCaptureModeThreadLocal));
}

static cudaGraph_t captured(void)
{
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(chain_stream(), &graph));
    return graph;
}

/* A kernel that notes the time, and then the others of `nodes`, in `width` chains. */
static void make_launched(struct launched *l, int nodes, int width)
{
    struct chain rest = {nodes - 1, width, 0, 1};
    capture();
    CHECK(launch_note(&clocks[1], chain_stream()));
    if (rest.nodes > 0)
        chain_launch(&rest);
    l->target = device_graph(captured());
    capture();
    CHECK(launch_fire(&clocks[0], l->target, chain_stream()));
    l->by_fire = device_graph(captured());
    capture();
    CHECK(launch_tail(&clocks[0], l->target, chain_stream()));
    l->by_tail = device_graph(captured());
    capture();
    CHECK(launch_note(&clocks[0], chain_stream()));
    l->noting = device_graph(captured());
}

static void drop_launched(struct launched *l)
{
    CHECK(cudaGraphExecDestroy(l->target));
    CHECK(cudaGraphExecDestroy(l->by_fire));
    CHECK(cudaGraphExecDestroy(l->by_tail));
    CHECK(cudaGraphExecDestroy(l->noting));
}

/* A chain whose last kernel launches it again, and the same without that. */
static void make_loops(int nodes)
{
    struct chain rest = {nodes - 1, 1, 0, 1}, all = {nodes, 1, 0, 1};
    capture();
    if (rest.nodes > 0)
        chain_launch(&rest);
    CHECK(launch_again(left, chain_stream()));
    itself = device_graph(captured());
    plain = chain_instantiate(&all);
}

static void launch(cudaGraphExec_t exec)
{
    CHECK(cudaGraphLaunch(exec, chain_stream()));
}

static double between_us(void)
{
    unsigned long long ns[2];
    CHECK(cudaMemcpy(ns, clocks, sizeof ns, cudaMemcpyDeviceToHost));
    return (double)(long long)(ns[1] - ns[0]) * 1e-3;
}

static void latency(void *which, double *v)
{
    const struct launched *l = which;
    launch(l->by_fire);
    chain_wait();
    v[0] = between_us();
    launch(l->by_tail);
    chain_wait();
    v[1] = between_us();
    launch(l->noting);
    chain_wait();
    launch(l->target);
    chain_wait();
    v[2] = between_us();
}

static void loop_on_device(void *unused, double *v)
{
    (void)unused;
    CHECK(launch_rounds(left, ROUNDS, chain_stream()));
    chain_wait();
    double t0 = clock_now_us();
    launch(itself);
    chain_wait();
    v[0] = bench_since(t0) / ROUNDS;
}

static void loop_by_host(void *wait, double *v)
{
    double t0 = clock_now_us();
    for (int i = 0; i < ROUNDS; i++) {
        launch(plain);
        if (wait)
            chain_wait();
    }
    chain_wait();
    v[0] = bench_since(t0) / ROUNDS;
}

int main(int argc, char **argv)
{
    static int yes = 1;
    static const int sizes[] = {1, 2, 4, 8, 11, 16, 32, 64, 128}, few[] = {1, 11};
    const struct bench_variant variants[] = {
        {{"fire", "tail", "host"}, latency, &narrow},
        {{"wide.fire", "wide.tail", "wide.host"}, latency, &wide},
        {{"loop.itself"}, loop_on_device, NULL},
        {{"loop.host"}, loop_by_host, NULL},
        {{"loop.host_waits"}, loop_by_host, &yes},
    };
    const int points = bench_quick() ? 2 : 9;
    bench_needs_results();
    bench_begin(argc, argv, "device_launch",
                "launching a graph from a kernel and from the host; loops of launches",
                "kernels in the launched graph", points);
    chain_begin();
    CHECK(cudaMalloc((void **)&left, sizeof *left));
    CHECK(cudaMalloc((void **)&clocks, 2 * sizeof *clocks));
    for (int i = 0; i < points; i++) {
        int n = bench_quick() ? few[i] : sizes[i];
        make_launched(&narrow, n, 1);
        make_launched(&wide, n, n < CHAIN_WIDTH ? n : CHAIN_WIDTH);
        make_loops(n);
        bench_point(n, "us", variants, 5);
        drop_launched(&narrow);
        drop_launched(&wide);
        CHECK(cudaGraphExecDestroy(itself));
        CHECK(cudaGraphExecDestroy(plain));
    }
    return bench_end();
}

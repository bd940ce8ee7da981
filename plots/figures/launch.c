/* launch.c: what launching a chain of n empty kernels costs, by stream and by graph.
 *
 * host: time in the launching calls; total: until a synchronise after them has returned; device:
 * between two events around work that was queued while the device was busy, so that the host is out
 * of the picture. */
#include "bench.h"
#include "chain.h"

static struct chain chain = {1, 1, 0, 1};
static cudaGraph_t graph;
static cudaGraphExec_t exec;

/* Kernels that fit into a stream behind one that runs, with room to spare: 1022 on an H200. */
enum { QUEUE = 512 };

static void by_stream(void *unused, double *v)
{
    (void)unused;
    double t0 = clock_now_us();
    chain_launch(&chain);
    v[0] = bench_since(t0);
    chain_wait();
    v[1] = bench_since(t0);
}

static void launch_one(cudaGraphExec_t x, double *v)
{
    double t0 = clock_now_us();
    CHECK(cudaGraphLaunch(x, chain_stream()));
    v[0] = bench_since(t0);
    chain_wait();
    v[1] = bench_since(t0);
}

static void first(void *unused, double *v)
{
    (void)unused;
    cudaGraphExec_t fresh;
    CHECK(cudaGraphInstantiate(&fresh, graph, 0));
    launch_one(fresh, v);
    CHECK(cudaGraphExecDestroy(fresh));
}

static void relaunch(void *unused, double *v)
{
    (void)unused;
    launch_one(exec, v);
}

/* With the device busy until the host is done. */
static double on_device(void (*enqueue)(void))
{
    return bench_device_us(50 + 5.0f * (float)chain.nodes, enqueue, chain_stream());
}

static void enqueue_chain(void)
{
    chain_launch(&chain);
}

static void enqueue_graph(void)
{
    CHECK(cudaGraphLaunch(exec, chain_stream()));
}

static void stream_device(void *unused, double *v)
{
    (void)unused;
    v[0] = on_device(enqueue_chain);
}

static void relaunch_device(void *unused, double *v)
{
    (void)unused;
    v[0] = on_device(enqueue_graph);
}

int main(int argc, char **argv)
{
    const struct bench_variant variants[] = {
        {{"stream.host", "stream.total"}, by_stream, NULL},
        {{"first.host", "first.total"}, first, NULL},
        {{"relaunch.host", "relaunch.total"}, relaunch, NULL},
        {{"relaunch.device"}, relaunch_device, NULL},
        {{"stream.device"}, stream_device, NULL},
    };
    const int step = bench_quick() ? 32 : 2, points = bench_quick() ? 3 : 11;
    bench_begin(argc, argv, "launch", "a chain of empty kernels, launched by stream and as a graph",
                "kernels in the chain", points);
    chain_begin();
    for (int n = 1; n <= 1024; n *= step) {
        chain.nodes = n;
        graph = chain_capture(&chain);
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        bench_point(n, "us", variants, n <= QUEUE ? 5 : 4);
        CHECK(cudaGraphExecDestroy(exec));
        CHECK(cudaGraphDestroy(graph));
    }
    return bench_end();
}

/* three_ways.c: a graph that changes from launch to launch, in all the ways there are: by stream,
 * instantiated anew, updated as a whole, node by node, or not changed. A repetition makes the
 * change, launches a chain of empty kernels and waits for it. */
#include "bench.h"
#include "chain.h"

enum { MOST = 256 };

static struct chain chain = {1, 1, 0, 1};
static cudaGraph_t graph;
static cudaGraphExec_t exec;
static cudaGraphNode_t nodes[MOST];
static struct cudaKernelNodeParams params;

static void launch(void)
{
    CHECK(cudaGraphLaunch(exec, chain_stream()));
    chain_wait();
}

static void by_stream(void *unused, double *v)
{
    (void)unused;
    v[0] = chain_stream_us(&chain);
}

static void instantiate(void *unused, double *v)
{
    (void)unused;
    double t0 = clock_now_us();
    cudaGraphExec_t fresh = chain_instantiate(&chain);
    CHECK(cudaGraphLaunch(fresh, chain_stream()));
    chain_wait();
    CHECK(cudaGraphExecDestroy(fresh));
    v[0] = bench_since(t0);
}

static void update(void *unused, double *v)
{
    (void)unused;
    cudaGraphExecUpdateResultInfo result;
    double t0 = clock_now_us();
    cudaGraph_t fresh = chain_capture(&chain);
    CHECK(cudaGraphExecUpdate(exec, fresh, &result));
    CHECK(cudaGraphDestroy(fresh));
    launch();
    v[0] = bench_since(t0);
}

/* New parameters for the first *n nodes. */
static void set(void *n, double *v)
{
    double t0 = clock_now_us();
    for (int i = 0; i < *(int *)n; i++)
        CHECK(cudaGraphExecKernelNodeSetParams(exec, nodes[i], &params));
    launch();
    v[0] = bench_since(t0);
}

/* One node off, or on again, from launch to launch. */
static void toggle(void *unused, double *v)
{
    (void)unused;
    static unsigned on = 1;
    on = !on;
    double t0 = clock_now_us();
    CHECK(cudaGraphNodeSetEnabled(exec, nodes[0], on));
    launch();
    v[0] = bench_since(t0);
}

int main(int argc, char **argv)
{
    static int none = 0, one = 1;
    const struct bench_variant variants[] = {
        {{"stream"}, by_stream, NULL}, {{"instantiate"}, instantiate, NULL},
        {{"update"}, update, NULL},    {{"set_all"}, set, &chain.nodes},
        {{"set_one"}, set, &one},      {{"toggle_one"}, toggle, NULL},
        {{"relaunch"}, set, &none},
    };
    static const int sizes[] = {20, 100, MOST};
    const int points = bench_quick() ? 2 : 3;
    bench_begin(argc, argv, "three_ways",
                "a chain of empty kernels that changes from launch to launch",
                "kernels in the chain", points);
    chain_begin();
    for (int i = 0; i < points; i++) {
        size_t n = MOST;
        chain.nodes = sizes[i];
        graph = chain_capture(&chain);
        CHECK(cudaGraphGetNodes(graph, nodes, &n));
        CHECK(cudaGraphKernelNodeGetParams(nodes[0], &params));
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        bench_point(sizes[i], "us", variants, 7);
        CHECK(cudaGraphExecDestroy(exec));
        CHECK(cudaGraphDestroy(graph));
    }
    return bench_end();
}

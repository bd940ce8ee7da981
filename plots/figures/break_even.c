/* break_even.c: after how many launches a graph has paid for its making: capture, instantiation and
 * k launches against k times the same kernels by stream, each launch waited for. */
#include "bench.h"
#include "chain.h"

enum { LAUNCHES = 3 }; /* after the first one, of every new graph */

static struct chain chain = {1, 1, 0, 1};

static void by_stream(void *unused, double *v)
{
    (void)unused;
    v[0] = chain_stream_us(&chain);
}

static void by_graph(void *unused, double *v)
{
    (void)unused;
    cudaGraphExec_t exec;
    double t0 = clock_now_us();
    cudaGraph_t graph = chain_capture(&chain);
    v[0] = bench_since(t0);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    v[1] = bench_since(t0) - v[0];
    for (int i = 0; i <= LAUNCHES; i++)
        v[i == 0 ? 2 : 3] = chain_graph_us(exec);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

int main(int argc, char **argv)
{
    const struct bench_variant variants[] = {
        {{"stream"}, by_stream, NULL},
        {{"capture", "instantiate", "first", "later"}, by_graph, NULL},
    };
    const int step = bench_quick() ? 16 : 2, points = bench_quick() ? 3 : 9;
    bench_begin(argc, argv, "break_even",
                "making and launching a chain of empty kernels as a graph, and the same by stream",
                "kernels in the chain", points);
    chain_begin();
    for (chain.nodes = 1; chain.nodes <= 256; chain.nodes *= step)
        bench_point(chain.nodes, "us", variants, 2);
    return bench_end();
}

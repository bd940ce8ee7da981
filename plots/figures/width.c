/* width.c: the same number of kernels as one chain, or as several chains side by side that a fork
 * and join in the capture make; by graph, launched into one stream, and by as many streams. */
#include "bench.h"
#include "chain.h"

enum { NODES = 128, WIDEST = 64 };

static struct chain empty = {NODES, 1, 0, 1}, lasting = {NODES, 1, 10, 1};
static cudaGraphExec_t empty_exec, lasting_exec;

static void by_stream(void *chain, double *v)
{
    v[0] = chain_stream_us(chain);
}

static void by_graph(void *exec, double *v)
{
    double t0 = clock_now_us();
    CHECK(cudaGraphLaunch(*(cudaGraphExec_t *)exec, chain_stream()));
    v[1] = bench_since(t0);
    chain_wait();
    v[0] = bench_since(t0);
}

int main(int argc, char **argv)
{
    const struct bench_variant variants[] = {
        {{"empty.streams"}, by_stream, &empty},
        {{"empty.graph", "empty.graph_host"}, by_graph, &empty_exec},
        {{"lasting.streams"}, by_stream, &lasting},
        {{"lasting.graph", "lasting.graph_host"}, by_graph, &lasting_exec},
    };
    const int step = bench_quick() ? 8 : 2, points = bench_quick() ? 3 : 7;
    bench_begin(argc, argv, "width",
                "128 kernels, empty or of 10 us, in one to 64 chains side by side", "chains",
                points);
    chain_begin();
    for (int width = 1; width <= WIDEST; width *= step) {
        empty.width = lasting.width = width;
        empty_exec = chain_instantiate(&empty);
        lasting_exec = chain_instantiate(&lasting);
        bench_point(width, "us", variants, 4);
        CHECK(cudaGraphExecDestroy(empty_exec));
        CHECK(cudaGraphExecDestroy(lasting_exec));
    }
    return bench_end();
}

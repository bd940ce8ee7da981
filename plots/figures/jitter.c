/* jitter.c: how much the time of one and the same work varies from launch to launch: chains of 5,
 * 20 and 100 kernels, by stream and as a graph, in turns; the whole distribution. x is the part of
 * all launches, in %, that took the median column's time or less; p5 and p95 bound that time. */
#include "bench.h"
#include "chain.h"

#include <math.h>

#include "common/sort.h"

enum { MOST = 4000, LEAST = 200 };

static double by_stream[MOST], by_graph[MOST];

/* The number of values below a quantile is binomial: 90 % of all samples have it between these. */
static void distribution(const char *how, int nodes, double *v, int n)
{
    static const double parts[] = {1,  2,  5,  10, 20, 30, 40,   50,   60,
                                   70, 80, 90, 95, 98, 99, 99.5, 99.8, 99.9};
    char variant[40];
    snprintf(variant, sizeof variant, "%s.%d", how, nodes);
    sort_numbers(v, n);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        double p = parts[i] / 100, off = 1.645 * sqrt(p * (1 - p) / n);
        bench_row(parts[i], variant, bench_quantile(v, n, p),
                  bench_quantile(v, n, fmax(p - off, 0)), bench_quantile(v, n, fmin(p + off, 1)), n,
                  "us");
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {5, 20, 100};
    bench_begin(argc, argv, "jitter",
                "the distribution of one chain's time, by stream and as a graph",
                "part of the launches, %", 3);
    const int n = clock_is_virtual() ? LEAST : MOST;
    chain_begin();
    for (int i = 0; i < 3; i++) {
        struct chain c = {sizes[i], 1, 0, 1};
        cudaGraphExec_t exec = chain_instantiate(&c);
        for (int r = -20; r < n; r++) {
            double a = chain_stream_us(&c), b = chain_graph_us(exec);
            if (r >= 0)
                by_stream[r] = a, by_graph[r] = b;
        }
        CHECK(cudaGraphExecDestroy(exec));
        distribution("stream", sizes[i], by_stream, n);
        distribution("graph", sizes[i], by_graph, n);
    }
    return bench_end();
}

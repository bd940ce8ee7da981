/* amdahl.c: what a program gains when only a part of it can be a graph: chains of 20 empty kernels,
 * which can, and work of the host between them, which cannot. x is the part of the program's time
 * by stream, in %, that the chains take. */
#include "bench.h"
#include "chain.h"

enum { STEPS = 10, NODES = 20 };

static struct chain chain = {NODES, 1, 0, 1};
static cudaGraphExec_t exec;
static double host_us; /* of every step */

static void by_stream(void *unused, double *v)
{
    (void)unused;
    double t0 = clock_now_us();
    for (int i = 0; i < STEPS; i++) {
        clock_host_work(host_us);
        chain_launch(&chain);
        chain_wait();
    }
    v[0] = bench_since(t0);
}

static void by_graph(void *unused, double *v)
{
    (void)unused;
    double t0 = clock_now_us();
    for (int i = 0; i < STEPS; i++) {
        clock_host_work(host_us);
        CHECK(cudaGraphLaunch(exec, chain_stream()));
        chain_wait();
    }
    v[0] = bench_since(t0);
}

/* What a chain takes by stream: the median of some. */
static double chain_us(void)
{
    double v[31];
    host_us = 0;
    for (int i = -5; i < 31; i++) {
        double one;
        by_stream(NULL, &one);
        if (i >= 0)
            v[i] = one / STEPS;
    }
    for (int i = 1; i < 31; i++) /* by insertion: there are few */
        for (int j = i; j > 0 && v[j - 1] > v[j]; j--) {
            double t = v[j];
            v[j] = v[j - 1], v[j - 1] = t;
        }
    return bench_quantile(v, 31, 0.5);
}

int main(int argc, char **argv)
{
    static const double parts[] = {5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
    static const double few[] = {20, 30, 100};
    const struct bench_variant variants[] = {{{"stream"}, by_stream, NULL},
                                             {{"graph"}, by_graph, NULL}};
    const int points = bench_quick() ? 3 : 11;
    bench_begin(argc, argv, "amdahl",
                "ten steps of host work and a chain of 20 empty kernels, by stream and as a graph",
                "part of the time by stream that the chains take, %", points);
    chain_begin();
    exec = chain_instantiate(&chain);
    double us = chain_us();
    for (int i = 0; i < points; i++) {
        double part = bench_quick() ? few[i] : parts[i];
        host_us = us * (100 - part) / part;
        bench_point(part, "us", variants, 2);
    }
    return bench_end();
}

/* methods.c: ten matrix products by four methods, and the stage that none of them can beat. */
#include "batches.h"
#include "bench.h"

static void method(void *which, double *v)
{
    double t0 = clock_now_us();
    batches_run((enum batches_method)(size_t)which);
    v[0] = bench_since(t0);
}

static void stage(void *which, double *v)
{
    double t0 = clock_now_us();
    batches_stage((enum batches_stage)(size_t)which);
    v[0] = bench_since(t0);
}

int main(int argc, char **argv)
{
    const struct bench_variant variants[] = {
        {{batches_names[BATCHES_SYNC]}, method, (void *)BATCHES_SYNC},
        {{batches_names[BATCHES_STREAMS]}, method, (void *)BATCHES_STREAMS},
        {{batches_names[BATCHES_SERIAL]}, method, (void *)BATCHES_SERIAL},
        {{batches_names[BATCHES_FORKJOIN]}, method, (void *)BATCHES_FORKJOIN},
        {{"stage.h2d"}, stage, (void *)BATCHES_H2D},
        {{"stage.compute"}, stage, (void *)BATCHES_COMPUTE},
        {{"stage.d2h"}, stage, (void *)BATCHES_D2H},
    };
    const int step = bench_quick() ? 4 : 2, points = bench_quick() ? 2 : 5;
    bench_begin(argc, argv, "methods", "ten matrix products, copied in, computed and copied back",
                "n of n x n floats", points);
    for (int n = 128; n <= (bench_quick() ? 512 : 2048); n *= step) {
        batches_begin(n);
        bench_point(n, "us", variants, 7);
        batches_end();
    }
    return bench_end();
}

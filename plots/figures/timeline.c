/* timeline.c: which engine does what and when, for ten matrix products by four methods: traces.
 *
 * A row is a copy or a kernel: x is its start, the median its length, both in us from the start of
 * the method's first one; the variant is METHOD.ENGINE. What a trace adds to a run is in it, so
 * lengths are those of figure methods, roughly. */
#include "batches.h"
#include "bench.h"
#include "trace.h"

#include <string.h>

enum { N = 512 };

static void fail(enum batches_method method, const char *why)
{
    fprintf(stderr, "timeline: %s cannot be traced: %s\n", batches_names[method], why);
    exit(1);
}

static int is_work(const struct trace_row *r)
{
    return strcmp(r->engine, "h2d") == 0 || strcmp(r->engine, "d2h") == 0 ||
           strcmp(r->engine, "sm") == 0;
}

static void rows(enum batches_method method, const struct trace *t)
{
    double from_us = -1;
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct trace_row *r = &t->rows[i];
        char variant[100];
        if (!is_work(r))
            continue;
        if (from_us < 0)
            from_us = r->start_us;
        snprintf(variant, sizeof variant, "%s.%s", batches_names[method], r->engine);
        double length = r->end_us - r->start_us;
        bench_row(r->start_us - from_us, variant, length, length, length, 1, "us");
    }
}

int main(int argc, char **argv)
{
    bench_begin(argc, argv, "timeline",
                "ten matrix products of 512 x 512 floats by four methods, traced", "start, us",
                BATCHES_METHODS);
    batches_begin(N);
    for (int m = 0; m < BATCHES_METHODS; m++) {
        const char *why;
        struct trace t;
        if (trace_begin(&why) != 0)
            fail(m, why);
        batches_run(m);
        if (trace_restart(&why) != 0)
            fail(m, why);
        batches_run(m);
        if (trace_end(&t, &why) != 0)
            fail(m, why);
        rows(m, &t);
        trace_free(&t);
    }
    batches_end();
    return bench_end();
}

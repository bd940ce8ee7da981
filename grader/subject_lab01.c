/* subject_lab01.c: lab 01 between the judge's buffers and the submission's own. */
#include <string.h>

#include "../labs/lab01_sync_copies/lab.h"
#include "subject_bench.h"

static struct lab01 lab;

static int setup(struct subject *s)
{
    lab = (struct lab01){.n = (int)subject_number(s, "n"), .n_batches = (int)subject_number(s, "n_batches")};
    int failed = subject_returned(s, "lab01_setup", lab01_setup(&lab));
    if (failed)
        return failed;
    const struct {
        const char *name;
        const float *p;
    } buffers[] = {{"a", lab.a}, {"b", lab.b}, {"c", lab.c}};
    for (int i = 0; i < 3; i++)
        if (!buffers[i].p)
            return subject_failed(s, "lab01_setup returned cudaSuccess and left lab->%s NULL: allocate it there",
                                  buffers[i].name);
    return 0;
}

/* The submission's buffers hold the inputs, and poison where results belong. */
static int arm(struct subject *s)
{
    memcpy(lab.a, subject_buffer(s, "a"), subject_buffer_bytes(s, "a"));
    memcpy(lab.b, subject_buffer(s, "b"), subject_buffer_bytes(s, "b"));
    memcpy(lab.c, subject_buffer(s, "c"), subject_buffer_bytes(s, "c"));
    return 0;
}

static int run(struct subject *s)
{
    struct lab01_times times = {0};
    int failed = subject_returned(s, "lab01_run", lab01_run(&lab, &times));
    bench_pending(s);
    subject_value(s, "h2d_us", times.h2d_us);
    subject_value(s, "kernel_us", times.kernel_us);
    subject_value(s, "d2h_us", times.d2h_us);
    return failed;
}

static int collect(struct subject *s)
{
    memcpy(subject_buffer(s, "c"), lab.c, subject_buffer_bytes(s, "c"));
    return 0;
}

static int teardown(struct subject *s)
{
    return subject_returned(s, "lab01_teardown", lab01_teardown(&lab));
}

const struct subject_lab subject_lab = {
    .name = "lab01", .setup = setup, .arm = arm, .run = run, .collect = collect, .teardown = teardown};

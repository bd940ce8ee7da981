/* adapter.c: lab 23 between the judge's buffers and the submission; and each stage alone. */
#include <math.h>

#include "exchange.h"
#include "labs/lab23_free_overlap/lab.h"
#include "subject/batches.h"
#include "subject/bench.h"
#include "subject/calls.h"

static struct lab23 *lab;
static struct bench_load load;
static bool is_looking;
static double grader_bytes, most_bytes;

/* Memory that is allocated for a run and freed in it is there when its kernels are launched. */
static void before_call(struct subject_call *call)
{
    if (is_looking && call->function == CALL_cudaLaunchKernel)
        most_bytes = fmax(most_bytes, bench_device_bytes() - grader_bytes);
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const size_t matrix = (size_t)numbers->n * (size_t)numbers->n;
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab23){.n = (int)numbers->n,
                          .n_batches = (int)numbers->n_batches,
                          .memory_bytes = (size_t)numbers->n_matrices * matrix * sizeof(float),
                          .a = subject_buffer(s, "ab"),
                          .c = subject_buffer(s, "c")};
    lab->b = lab->a + (size_t)lab->n_batches * matrix;
    if (bench_load_create(&load, numbers->load) != cudaSuccess)
        return subject_failed(s, "the grader could not allocate memory for its own copies");
    grader_bytes = bench_device_bytes();
    const int failed = subject_returned(s, "lab23_setup", lab23_setup(lab));
    most_bytes = bench_device_bytes() - grader_bytes;
    return failed;
}

static int run(struct subject *s)
{
    is_looking = subject_numbers(s)->look;
    bench_load_start(&load);
    const int failed = subject_returned(s, "lab23_run", lab23_run(lab));
    bench_pending(s);
    if (is_looking)
        subject_value(s, most_bytes, most_bytes);
    is_looking = false;
    return failed;
}

static int teardown(struct subject *s)
{
    const int failed = subject_returned(s, "lab23_teardown", lab23_teardown(lab));
    bench_load_destroy(&load);
    return failed;
}

/* All batches of one stage. */
static int floor_times(struct subject *s)
{
    struct batches batches = {.n = lab->n,
                              .n_batches = lab->n_batches,
                              .n_sets = 1,
                              .a = lab->a,
                              .b = lab->b,
                              .c = lab->c,
                              .stride = (size_t)lab->n * (size_t)lab->n};
    double h2d_us = 0, kernel_us = 0, d2h_us = 0;
    cudaError_t e = batches_create(&batches);
    e = e ? e : batches_time_stages(&batches, &h2d_us, &kernel_us, &d2h_us);
    e = e ? e : batches_destroy(&batches);
    if (e)
        return subject_failed(s, "measuring each stage alone: %s", cudaGetErrorName(e));
    subject_value(s, h2d_us, h2d_us);
    subject_value(s, kernel_us, kernel_us);
    subject_value(s, d2h_us, d2h_us);
    return 0;
}

SUBJECT_LAB(.name = "lab23", .setup = setup, .run = run, .teardown = teardown, .floor = floor_times,
            .before_call = before_call)

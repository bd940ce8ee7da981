/* adapter.c: lab 03 between the judge's buffers and the submission; and each stage alone. */
#include "common/check.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab03_overlap/lab.h"
#include "labs/stages.h"
#include "subject/bench.h"
#include "subject/calls.h"

static const float late_us = 5000; /* longer than what follows in any other stream */

static struct lab03 *lab;
static long until_late; /* kernels, in this run; 0: none is late */

/* One kernel of the scenario starts late, because a kernel before it in its stream takes long. So
 * its batch ends last, and not the batch that was enqueued last. */
static void before_call(struct subject_call *call)
{
    if (call->function != CALL_cudaLaunchKernel || until_late == 0 || --until_late > 0)
        return;
    call->error = launch_delay(late_us, call->stream);
    call->is_skipped = call->error != cudaSuccess;
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const struct batches given = stages_given(s);
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab03){.n = given.n,
                          .n_batches = given.n_batches,
                          .n_streams = numbers->n_streams,
                          .n_buffers = numbers->n_sets,
                          .a = given.a,
                          .b = given.b,
                          .c = given.c};
    if (bench_load_create(s, numbers->load))
        return 1;
    bench_before_setup();
    subject_given(s, lab, state);
    return subject_returned(s, "lab03_setup", lab03_setup(lab));
}

static int run(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    bench_load_start();
    until_late = numbers->late;
    int failed = subject_returned(s, "lab03_run", lab03_run(lab));
    until_late = 0;
    bench_pending(s);
    return failed;
}

static int teardown(struct subject *s)
{
    return subject_returned(s, "lab03_teardown", lab03_teardown(lab));
}

/* ---- the limit: each stage alone ------------------------------------------------------------- */

static size_t bytes_in(void)
{
    return 2 * (size_t)lab->n_batches * (size_t)lab->n * (size_t)lab->n * sizeof(float);
}

/* Every byte in a single copy: no pipeline can bring them sooner. */
static cudaError_t upload_at_once(void *to)
{
    return cudaMemcpy(to, lab->a, bytes_in(), cudaMemcpyHostToDevice);
}

static cudaError_t multiply_side_by_side(void *batches)
{
    const struct batches *b = batches;
    for (int i = 0; i < b->n_batches; i++) {
        const struct batch_set *set = &b->sets[i % b->n_sets];
        TRY(launch_matmul(set->c, set->a, set->b, b->n, set->stream));
    }
    return cudaDeviceSynchronize();
}

/* h2d_us, kernel_us, d2h_us: all batches of one stage alone, in one stream, two copies in and one
 * out a batch. The largest is the limit that the lab speaks of. no_less_us: what no run can beat,
 * with the copies in one piece and the kernels side by side. */
static int floor_times(struct subject *s)
{
    struct batches b = stages_given(s);
    b.n_sets = lab->n_streams < BATCHES_MOST_SETS ? lab->n_streams : BATCHES_MOST_SETS;
    void *all = NULL;
    double at_once = 0, side_by_side = 0;
    cudaError_t e = batches_create(&b);
    e = e ? e : cudaMalloc(&all, bytes_in());
    e = e ? e : bench_time_us(upload_at_once, all, &at_once);
    e = e ? e : bench_time_us(multiply_side_by_side, &b, &side_by_side);
    e = e ? e : stages_time(s, &b);
    e = e ? e : cudaFree(all);
    e = e ? e : batches_destroy(&b);
    subject_value(s, no_less_us, at_once > side_by_side ? at_once : side_by_side);
    return subject_own_call(s, "measuring each stage alone", e);
}

SUBJECT_LAB(.name = "lab03", .setup = setup, .run = run, .teardown = teardown, .floor = floor_times,
            .before_call = before_call)

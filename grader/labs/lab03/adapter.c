/* adapter.c: lab 03 between the judge's buffers and the submission; and each stage alone. */
#include "common/check.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab03_overlap/lab.h"
#include "labs/stages.h"
#include "subject/bench.h"
#include "subject/calls.h"

enum { MAX_STREAMS = 16 };

static const float late_us = 5000; /* longer than what follows in any other stream */

static struct lab03 *lab;
static struct bench_load load;
static long until_late; /* kernels, in this run; 0: none is late */

/*
 * One kernel of the scenario starts late, because a kernel before it in its stream takes long. So
 * its batch ends last, and not the batch that was enqueued last.
 */
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
    size_t matrix = (size_t)numbers->n * (size_t)numbers->n;
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab03){.n = numbers->n,
                          .n_batches = numbers->n_batches,
                          .n_streams = numbers->n_streams,
                          .n_buffers = numbers->n_sets,
                          .a = subject_buffer(s, "ab"),
                          .c = subject_buffer(s, "c")};
    lab->b = lab->a + (size_t)lab->n_batches * matrix;
    if (bench_load_create(&load, numbers->load) != cudaSuccess)
        return subject_failed(s, "the grader could not allocate memory for its own copies");
    bench_before_setup();
    return subject_returned(s, "lab03_setup", lab03_setup(lab));
}

static int run(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    bench_load_start(&load);
    until_late = numbers->late;
    int failed = subject_returned(s, "lab03_run", lab03_run(lab));
    until_late = 0;
    bench_pending(s);
    return failed;
}

static int teardown(struct subject *s)
{
    int failed = subject_returned(s, "lab03_teardown", lab03_teardown(lab));
    bench_load_destroy(&load);
    return failed;
}

/* ---- the limit: each stage alone ------------------------------------------------------------- */

static struct stages {
    size_t matrix_bytes;
    float *all;   /* device memory for every a and b */
    float *a, *b; /* of the first batch, in there */
    float *c;     /* device memory for one result a stream */
    int n_streams;
    cudaStream_t streams[MAX_STREAMS];
} stages;

static cudaError_t stages_create(void)
{
    size_t matrix = (size_t)lab->n * (size_t)lab->n;
    stages.matrix_bytes = matrix * sizeof(float);
    stages.n_streams = lab->n_streams < MAX_STREAMS ? lab->n_streams : MAX_STREAMS;
    TRY(cudaMalloc((void **)&stages.all, 2 * (size_t)lab->n_batches * stages.matrix_bytes));
    TRY(cudaMalloc((void **)&stages.c, (size_t)stages.n_streams * stages.matrix_bytes));
    stages.a = stages.all;
    stages.b = stages.all + (size_t)lab->n_batches * matrix;
    for (int i = 0; i < stages.n_streams; i++)
        TRY(cudaStreamCreateWithFlags(&stages.streams[i], cudaStreamNonBlocking));
    return cudaSuccess;
}

static cudaError_t stages_destroy(void)
{
    for (int i = 0; i < stages.n_streams; i++)
        TRY(cudaStreamDestroy(stages.streams[i]));
    TRY(cudaFree(stages.c));
    return cudaFree(stages.all);
}

/* Every byte in a single copy: no pipeline can bring them sooner. */
static cudaError_t upload_at_once(void *unused)
{
    (void)unused;
    TRY(cudaMemcpyAsync(stages.all, lab->a, 2 * (size_t)lab->n_batches * stages.matrix_bytes,
                        cudaMemcpyHostToDevice, stages.streams[0]));
    return cudaStreamSynchronize(stages.streams[0]);
}

static cudaError_t upload(void *unused)
{
    (void)unused;
    for (size_t i = 0; i < (size_t)lab->n_batches; i++) {
        size_t first = i * (size_t)lab->n * (size_t)lab->n;
        TRY(cudaMemcpyAsync(stages.a + first, lab->a + first, stages.matrix_bytes,
                            cudaMemcpyHostToDevice, stages.streams[0]));
        TRY(cudaMemcpyAsync(stages.b + first, lab->b + first, stages.matrix_bytes,
                            cudaMemcpyHostToDevice, stages.streams[0]));
    }
    return cudaStreamSynchronize(stages.streams[0]);
}

/* The kernels over the first *n streams. */
static cudaError_t multiply(void *n)
{
    int n_streams = *(int *)n;
    for (int i = 0; i < lab->n_batches; i++)
        TRY(launch_matmul(stages.c + (size_t)(i % n_streams) * (size_t)lab->n * (size_t)lab->n,
                          stages.a, stages.b, lab->n, stages.streams[i % n_streams]));
    for (int i = 0; i < n_streams; i++)
        TRY(cudaStreamSynchronize(stages.streams[i]));
    return cudaSuccess;
}

static cudaError_t download(void *unused)
{
    (void)unused;
    for (size_t i = 0; i < (size_t)lab->n_batches; i++)
        TRY(cudaMemcpyAsync(lab->c + i * (size_t)lab->n * (size_t)lab->n, stages.c,
                            stages.matrix_bytes, cudaMemcpyDeviceToHost, stages.streams[0]));
    return cudaStreamSynchronize(stages.streams[0]);
}

/*
 * h2d_us, kernel_us, d2h_us: all batches of one stage alone, in one stream, two copies in and one
 * out a batch. The largest is the limit that the lab speaks of. no_less_us: what no run can beat,
 * with the copies in one piece and the kernels side by side.
 */
static int floor_times(struct subject *s)
{
    int one = 1;
    double at_once = 0, side_by_side = 0, h2d = 0, kernel = 0, d2h = 0;
    cudaError_t e = stages_create();
    e = e ? e : bench_time_us(upload_at_once, NULL, &at_once);
    e = e ? e : bench_time_us(upload, NULL, &h2d);
    e = e ? e : bench_time_us(multiply, &one, &kernel);
    e = e ? e : bench_time_us(multiply, &stages.n_streams, &side_by_side);
    e = e ? e : bench_time_us(download, NULL, &d2h);
    e = e ? e : stages_destroy();
    subject_value(s, no_less_us, at_once > side_by_side ? at_once : side_by_side);
    return stages_report(s, e, h2d, kernel, d2h);
}

SUBJECT_LAB(.name = "lab03", .setup = setup, .run = run, .teardown = teardown, .floor = floor_times,
            .before_call = before_call)

/* adapter.c: lab 26 between the judge's buffers and the submission: draws the steps of each call.
 */
#include <stdlib.h>

#include "adapter_steps.h"
#include "common/check.h"
#include "drawing.h"
#include "exchange.h"
#include "subject/bench.h"
#include "subject/graph.h"
#include "kernels/kernels.h"

static struct lab26 *lab;
static struct lab26_step *drawn; /* of the latest call */
static struct lab26_step *steps; /* of a run that computes nothing, and of two calls in four */
static long n_calls; /* since setup: what one run has made, the next one cannot use again */

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const size_t item_bytes = 2 * (size_t)numbers->n * sizeof(float);
    steps = calloc((size_t)numbers->n_steps, sizeof *steps);
    drawn = calloc((size_t)numbers->n_steps, sizeof *drawn);
    n_calls = 0;
    if (!steps || !drawn)
        return subject_failed(s, "there is no memory for the steps");
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab26){.n = (int)numbers->n,
                          .n_steps = (int)numbers->n_steps,
                          .memory_bytes = item_bytes + item_bytes / 2};
    bench_before_setup();
    subject_given(s, lab, state);
    return subject_captured(s, "lab26_setup", lab26_setup(lab));
}

static int run(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const size_t floats = 2 * (size_t)numbers->n;
    const float *in = subject_buffer(s, "in");
    float *out = subject_buffer(s, "out");
    const bool computes = subject_computes(s);
    int failed = 0;
    subject_value(s, first_call, (double)n_calls);
    steps_begin(s, n_calls);
    for (long k = 0; k < numbers->n_calls && !failed; k++, n_calls++) {
        struct lab26_step *own =
            computes && k % 4 < 2
                ? subject_lend(s, "item->steps", (size_t)numbers->n_steps * sizeof *own)
                : steps;
        const struct lab26_item item = {
            .in = in + (size_t)k * floats, .out = out + (size_t)k * floats, .steps = own};
        for (long i = 0; i < numbers->n_steps; i++)
            own[i] = drawn[i] = lab26_next(numbers, n_calls, i, drawn[i]);
        const cudaError_t e = lab26_call(lab, &item);
        bench_returned();
        if (k == numbers->n_calls - 1)
            bench_pending(s);
        failed = e ? subject_captured(s, "lab26_call", e) : 0;
        subject_take_back();
        if (!failed)
            steps_of_call();
    }
    subject_value(s, budget_bytes, (double)lab->memory_bytes);
    return failed;
}

static int teardown(struct subject *s)
{
    free(steps);
    free(drawn);
    return subject_captured(s, "lab26_teardown", lab26_teardown(lab));
}

/* ---- the floor: nothing changes, because each call has a graph of its own -------------------- */

struct made {
    float *device;
    cudaStream_t stream;
    long n_calls;
    cudaGraphExec_t *execs;
};

static cudaError_t capture_call(struct subject *s, const struct made *made, long call)
{
    const struct numbers *numbers = subject_numbers(s);
    const size_t n = (size_t)numbers->n, first = (size_t)call * 2 * n,
                 bytes = 2 * n * sizeof(float);
    const float *in = subject_buffer(s, "in");
    float *out = subject_buffer(s, "out"), *p = made->device, *q = p + n;
    TRY(cudaMemcpyAsync(p, in + first, bytes, cudaMemcpyHostToDevice, made->stream));
    for (long i = 0; i < numbers->n_steps; i++) {
        const struct lab26_step step = lab26_draw(numbers, call, i);
        if (step.is_on)
            TRY(launch_saxpy(i % 2 ? q : p, i % 2 ? p : q, step.weight, (int)n, made->stream));
    }
    return cudaMemcpyAsync(out + first, p, bytes, cudaMemcpyDeviceToHost, made->stream);
}

static cudaError_t make_call(struct subject *s, struct made *made, long call)
{
    TRY(cudaStreamBeginCapture(made->stream, cudaStreamCaptureModeThreadLocal));
    TRY(capture_call(s, made, call));
    return bench_end_capture(made->stream, &made->execs[call]);
}

static cudaError_t create(struct subject *s, struct made *made)
{
    made->n_calls = subject_numbers(s)->n_calls;
    made->execs = calloc((size_t)made->n_calls, sizeof(cudaGraphExec_t));
    if (!made->execs)
        return cudaErrorMemoryAllocation;
    TRY(cudaMalloc((void **)&made->device, 2 * (size_t)lab->n * sizeof(float)));
    TRY(cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking));
    for (long k = 0; k < made->n_calls; k++)
        TRY(make_call(s, made, k));
    return cudaSuccess;
}

static cudaError_t destroy(struct made *made)
{
    for (long k = 0; k < made->n_calls; k++)
        TRY(cudaGraphExecDestroy(made->execs[k]));
    free(made->execs);
    TRY(cudaStreamDestroy(made->stream));
    return cudaFree(made->device);
}

static cudaError_t run_made(void *argument)
{
    const struct made *made = argument;
    for (long k = 0; k < made->n_calls; k++) {
        TRY(cudaGraphLaunch(made->execs[k], made->stream));
        TRY(cudaStreamSynchronize(made->stream));
    }
    return cudaSuccess;
}

static int floor_times(struct subject *s)
{
    struct made made = {0};
    double made_us = 0;
    cudaError_t e = create(s, &made);
    e = e ? e : run_made(&made); /* first launches take longer */
    e = e ? e : bench_time_us(run_made, &made, &made_us);
    e = e ? e : destroy(&made);
    subject_value(s, made_us, made_us);
    return subject_own_call(s, "measuring graphs that were made beforehand", e);
}

SUBJECT_LAB(.name = "lab26", .setup = setup, .run = run, .teardown = teardown, .floor = floor_times)

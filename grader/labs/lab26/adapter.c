/* adapter.c: lab 26 between the judge's buffers and the submission: draws the steps of each call.
 */
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "exchange.h"
#include "subject/bench.h"
#include "subject/graph.h"

static struct lab26 *lab;
static struct lab26_step *steps;

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const size_t item_bytes = 2 * (size_t)numbers->n * sizeof(float);
    steps = calloc((size_t)numbers->n_steps, sizeof *steps);
    if (!steps)
        return subject_failed(s, "there is no memory for the steps");
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab26){.n = (int)numbers->n,
                          .n_steps = (int)numbers->n_steps,
                          .memory_bytes = item_bytes + item_bytes / 2};
    bench_before_setup();
    const int failed = subject_captured(s, "lab26_setup", lab26_setup(lab));
    bench_note_bytes();
    return failed;
}

static int run(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const size_t floats = 2 * (size_t)numbers->n;
    const float *in = subject_buffer(s, "in");
    float *out = subject_buffer(s, "out");
    int failed = 0;
    for (long k = 0; k < numbers->n_calls && !failed; k++) {
        const struct lab26_item item = {
            .in = in + (size_t)k * floats, .out = out + (size_t)k * floats, .steps = steps};
        for (long i = 0; i < numbers->n_steps; i++)
            steps[i] = lab26_draw(numbers, k, i);
        const cudaError_t e = lab26_call(lab, &item);
        if (k == numbers->n_calls - 1)
            bench_pending(s);
        failed = e ? subject_captured(s, "lab26_call", e) : 0;
        memset(steps, 0xff, (size_t)numbers->n_steps * sizeof *steps); /* no longer valid */
        bench_note_bytes();
    }
    subject_value(s, most_bytes, bench_own_bytes());
    subject_value(s, budget_bytes, (double)lab->memory_bytes);
    return failed;
}

static int teardown(struct subject *s)
{
    free(steps);
    return subject_captured(s, "lab26_teardown", lab26_teardown(lab));
}

SUBJECT_LAB(.name = "lab26", .setup = setup, .run = run, .teardown = teardown)

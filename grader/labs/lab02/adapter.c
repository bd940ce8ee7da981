/* adapter.c: lab 02 between the judge's buffers and the submission. */
#include "common/clock.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab02_events/lab.h"
#include "subject/bench.h"
#include "subject/calls.h"

static struct lab02 *lab;

enum { MOST_SLOTS = 64 };

/* The different addresses that the first n_slots + 1 launches of produce were given to write to, in
 * this run. */
static struct {
    const void *at[MOST_SLOTS];
    int n, n_launches;
} slots;

static void note_slot(const void *slot)
{
    if (slots.n_launches > lab->n_slots || slots.n == MOST_SLOTS)
        return;
    slots.n_launches++;
    for (int i = 0; i < slots.n; i++)
        if (slots.at[i] == slot)
            return;
    slots.at[slots.n++] = slot;
}

static void before_call(struct subject_call *call)
{
    if (call->function == CALL_cudaLaunchKernel && call->kernel == kernel_produce())
        note_slot(*(void **)call->arguments[0]);
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab02){.n = numbers->n,
                          .n_items = numbers->n_items,
                          .n_slots = numbers->n_slots,
                          .steps = numbers->steps,
                          .in = subject_buffer(s, "in"),
                          .out = subject_buffer(s, "out")};
    if (bench_load_create(s, numbers->load))
        return 1;
    subject_given(s, lab, state);
    return subject_returned(s, "lab02_setup", lab02_setup(lab));
}

static int run(struct subject *s)
{
    bench_load_start();
    slots.n = slots.n_launches = 0;
    double from_us = clock_now_us();
    int failed = subject_returned(s, "lab02_enqueue", lab02_enqueue(lab));
    subject_value(s, enqueue_us, clock_now_us() - from_us);
    subject_value(s, slots_used, slots.n);
    if (!failed)
        failed = subject_returned(s, "lab02_wait", lab02_wait(lab));
    bench_pending(s);
    return failed;
}

static int teardown(struct subject *s)
{
    return subject_returned(s, "lab02_teardown", lab02_teardown(lab));
}

SUBJECT_LAB(.name = "lab02", .setup = setup, .run = run, .teardown = teardown,
            .before_call = before_call)

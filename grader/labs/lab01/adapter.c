/* adapter.c: lab 01 between the judge's buffers and the submission's own. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "exchange.h"
#include "labs/lab01/causes.h"
#include "labs/lab01_sync_copies/lab.h"
#include "subject/bench.h"

static struct lab01 *lab;

static enum cudaMemoryType kind_of(const void *p)
{
    struct cudaPointerAttributes attributes;
    return cudaPointerGetAttributes(&attributes, p) == cudaSuccess ? attributes.type
                                                                   : cudaMemoryTypeUnregistered;
}

/* What the judge could not copy into: its own copy would crash, and the report would blame the
 * wrong code. */
static int check_buffer(struct subject *s, const char *name, const float *p,
                        const float *const all[3])
{
    size_t count = (size_t)lab->n_batches * (size_t)lab->n * (size_t)lab->n;
    if (!p)
        return subject_failed(
            s, "lab01_setup returned cudaSuccess and left lab->%s NULL: allocate it there", name);
    if (kind_of(p) == cudaMemoryTypeDevice) {
        subject_note(s, LAB01_BUFFER_ON_DEVICE, NULL, NULL);
        return subject_failed(
            s, "lab->%s is device memory: the caller fills and reads it on the host", name);
    }
    bool too_short =
        kind_of(p) == cudaMemoryTypeHost && kind_of(p + count - 1) != cudaMemoryTypeHost;
    for (int i = 0; i < 3; i++)
        too_short = too_short || (all[i] > p && all[i] < p + count);
    if (too_short) {
        subject_note(s, LAB01_BUFFER_SHORT, NULL, NULL);
        return subject_failed(
            s, "lab->%s is too short: all batches, n_batches x n x n floats, are %zu bytes here",
            name, count * sizeof *p);
    }
    return 0;
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab01){.n = numbers->n, .n_batches = numbers->n_batches};
    subject_given(s, lab, a);
    int failed = subject_returned(s, "lab01_setup", lab01_setup(lab));
    if (failed)
        return failed;
    static const char *const names[] = {"a", "b", "c"};
    const float *const buffers[] = {lab->a, lab->b, lab->c};
    for (int i = 0; i < 3 && !failed; i++)
        failed = check_buffer(s, names[i], buffers[i], buffers);
    return failed;
}

/* The submission's buffers hold the inputs, and poison where results belong. */
static int arm(struct subject *s)
{
    if (!subject_computes(s))
        return 0;
    memcpy(lab->a, subject_buffer(s, "a"), subject_buffer_bytes(s, "a"));
    memcpy(lab->b, subject_buffer(s, "b"), subject_buffer_bytes(s, "b"));
    memcpy(lab->c, subject_buffer(s, "c"), subject_buffer_bytes(s, "c"));
    return 0;
}

static void look_for_managed(struct subject *s)
{
    const float *const buffers[] = {lab->a, lab->b, lab->c};
    for (int i = 0; i < 3; i++)
        if (kind_of(buffers[i]) == cudaMemoryTypeManaged)
            subject_note(s, LAB01_MANAGED, "none of a, b and c is managed memory",
                         "lab->%c is managed memory", "abc"[i]);
}

static int run(struct subject *s)
{
    struct lab01_times times = {NAN, NAN, NAN};
    int failed = subject_returned(s, "lab01_run", lab01_run(lab, &times));
    bench_pending(s);
    subject_value(s, h2d_us, times.h2d_us);
    subject_value(s, kernel_us, times.kernel_us);
    subject_value(s, d2h_us, times.d2h_us);
    look_for_managed(s);
    return failed;
}

static int collect(struct subject *s)
{
    if (subject_computes(s))
        memcpy(subject_buffer(s, "c"), lab->c, subject_buffer_bytes(s, "c"));
    return 0;
}

static void watch(struct subject *s)
{
    const size_t bytes = subject_buffer_bytes(s, "c");
    subject_watch(s, "a", lab->a, bytes);
    subject_watch(s, "b", lab->b, bytes);
    subject_watch(s, "c", lab->c, bytes);
}

static int teardown(struct subject *s)
{
    return subject_returned(s, "lab01_teardown", lab01_teardown(lab));
}

SUBJECT_LAB(.name = "lab01", .setup = setup, .arm = arm, .run = run, .collect = collect,
            .watch = watch, .teardown = teardown)

/* adapter_steps.c: compares the kernels of each call with its steps. The weights of all steps and
 * calls differ, so its weight says which step a kernel stands for. */
#include "adapter_steps.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/simgpu/simgpu.h"
#include "drawing.h"
#include "exchange.h"
#include "labs/lab26/causes.h"

#pragma weak simgpu_watch_kernels

enum { NONE = -1, THREADS = 256 /* of launch_saxpy, and so of the contract */ };

struct seen {
    const float *y, *x;
    float weight;
    int n;
    unsigned threads; /* of a block */
    long call, step;  /* whose weight it is; NONE: nobody's */
};

static struct {
    struct subject *subject;
    const struct numbers *numbers;
    struct seen *kernels; /* in room for twice as many as one call has steps */
    long n_kernels, n_calls;
    long call; /* since setup */
    bool noted;
} run;

/* Of the present call. Only the first thing in a run that is not as asked. */
#define NOTE(mistake, format, ...)                                                                 \
    (run.noted = true, subject_note(run.subject, mistake, LAB26_AS_ASKED, "in call %ld, " format,  \
                                    run.n_calls, __VA_ARGS__))

static bool is_weight_of(const struct seen *k, long call, long step)
{
    return lab26_draw(run.numbers, call, step).weight == k->weight;
}

/* The step whose weight the kernel has, most likely a step after `likely`: of this call, or of an
 * earlier one. */
static void identify(struct seen *k, long likely)
{
    const long steps = run.numbers->n_steps;
    for (k->call = run.call; k->call >= 0; k->call--)
        for (long i = 0; i < steps; i++) {
            k->step = (likely + i) % steps;
            if (is_weight_of(k, k->call, k->step))
                return;
        }
    k->call = k->step = NONE;
}

static void see(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch,
                void *const *params)
{
    if (run.noted || strcmp(kernel->name, "saxpy") != 0 ||
        run.n_kernels == 2 * run.numbers->n_steps)
        return;
    struct seen *k = &run.kernels[run.n_kernels++];
    memcpy(&k->y, params[0], sizeof k->y);
    memcpy(&k->x, params[1], sizeof k->x);
    memcpy(&k->weight, params[2], sizeof k->weight);
    memcpy(&k->n, params[3], sizeof k->n);
    k->threads = launch->block.x * launch->block.y * launch->block.z;
    identify(k, run.n_kernels > 1 ? k[-1].step + 1 : 0);
}

void steps_begin(struct subject *s, long first)
{
    free(run.kernels);
    memset(&run, 0, sizeof run);
    run.subject = s;
    run.call = first;
    const struct numbers *numbers = run.numbers = subject_numbers(s);
    if (simgpu_watch_kernels && subject_computes(s))
        run.kernels = calloc(2 * (size_t)numbers->n_steps, sizeof *run.kernels);
    if (run.kernels)
        simgpu_watch_kernels(see);
}

static long count_of_step(long step)
{
    long n = 0;
    for (long k = 0; k < run.n_kernels; k++)
        n += run.kernels[k].step == step;
    return n;
}

/* The step has no kernel: is there one that has another weight in its place? */
static void missing(long step)
{
    for (long k = 0; k < run.n_kernels && !run.noted; k++)
        if (run.kernels[k].step == NONE)
            NOTE(LAB26_OTHER_WEIGHT, "step %ld ran with the weight %g", step,
                 (double)run.kernels[k].weight);
    for (long i = 0; i < run.numbers->n_steps && !run.noted; i++)
        if (count_of_step(i) > 1)
            NOTE(LAB26_WEIGHT_OF_STEP, "step %ld ran with the weight of step %ld", step, i);
    if (!run.noted)
        NOTE(LAB26_NOT_ENABLED, "step %ld is on, and its kernel did not run", step);
}

/* Steps 0, 2, 4, … change p, the others q: they are where the first kernel has them. */
static bool has_own_halves(const struct seen *k)
{
    const struct seen *first = run.kernels;
    const bool is_alike = (k->step - first->step) % 2 == 0;
    return k->y == (is_alike ? first->y : first->x) && k->x == (is_alike ? first->x : first->y);
}

/* Counted in floats. */
static long distance_of_halves(const struct seen *k)
{
    const uintptr_t y = (uintptr_t)k->y, x = (uintptr_t)k->x;
    return (long)((y > x ? y - x : x - y) / sizeof(float));
}

static void compare_kernel(const struct seen *k, const struct seen *before)
{
    if (k->step == NONE)
        return;
    if (!lab26_draw(run.numbers, run.call, k->step).is_on)
        NOTE(LAB26_NOT_DISABLED, "step %ld is off, and its kernel ran", k->step);
    else if (count_of_step(k->step) > 1)
        NOTE(LAB26_OTHER_KERNELS, "the kernel of step %ld ran more than once", k->step);
    else if (!is_weight_of(k, run.call, k->step))
        NOTE(LAB26_OLD_WEIGHT, "step %ld ran with its weight of %ld calls before", k->step,
             run.call - k->call);
    else if (before && before->step > k->step)
        NOTE(LAB26_OTHER_ORDER, "step %ld ran after step %ld", k->step, before->step);
    else if (!has_own_halves(k))
        NOTE(LAB26_OTHER_HALVES, "the kernel of step %ld has other arguments y and x", k->step);
    else if (distance_of_halves(k) < run.numbers->n)
        NOTE(LAB26_HALVES_OVERLAP, "the kernel of step %ld has y and x %ld floats apart", k->step,
             distance_of_halves(k));
    else if (k->n != run.numbers->n)
        NOTE(LAB26_ELEMENTS_LEFT_OUT, "the kernel of step %ld ran over %d elements", k->step, k->n);
    else if (k->threads != THREADS)
        NOTE(LAB26_OTHER_BLOCKS, "the kernel of step %ld ran with blocks of %u threads", k->step,
             k->threads);
}

void steps_of_call(void)
{
    if (!run.kernels)
        return;
    for (long i = 0; i < run.numbers->n_steps && !run.noted; i++)
        if (lab26_draw(run.numbers, run.call, i).is_on && count_of_step(i) == 0)
            missing(i);
    for (long k = 0; k < run.n_kernels && !run.noted; k++)
        compare_kernel(&run.kernels[k], k > 0 ? &run.kernels[k - 1] : NULL);
    run.n_kernels = 0;
    run.n_calls++;
    run.call++;
}

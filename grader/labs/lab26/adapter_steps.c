/*
 * adapter_steps.c: compares the kernels of each call with its steps. The weights of all steps and
 * calls differ, so its weight says which step a kernel stands for.
 */
#include "adapter_steps.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/simgpu/simgpu.h"
#include "drawing.h"
#include "exchange.h"

#pragma weak simgpu_watch_kernels

enum { NONE = -1 };

struct seen {
    const float *y, *x;
    float weight;
    int n;
    long call, step; /* whose weight it is; NONE: nobody's */
};

static struct {
    const struct numbers *numbers;
    struct seen *kernels; /* in room for twice as many as one call has steps */
    long n_kernels, n_calls;
    struct figures found;
} run;

static bool is_weight_of(const struct seen *k, long call, long step)
{
    return lab26_draw(run.numbers, call, step).weight == k->weight;
}

/* The step whose weight the kernel has, most likely a step after `likely`: of this call, of an
 * earlier one, or of a later one of the run before. */
static void identify(struct seen *k, long likely)
{
    const long calls = run.numbers->n_calls, steps = run.numbers->n_steps;
    for (long back = 0; back < calls; back++)
        for (long i = 0; i < steps; i++) {
            k->call = (run.n_calls - back + calls) % calls;
            k->step = (likely + i) % steps;
            if (is_weight_of(k, k->call, k->step))
                return;
        }
    k->call = k->step = NONE;
}

static void see(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch,
                void *const *params)
{
    (void)launch;
    if (strcmp(kernel->name, "saxpy") != 0 || run.n_kernels == 2 * run.numbers->n_steps)
        return;
    struct seen *k = &run.kernels[run.n_kernels++];
    memcpy(&k->y, params[0], sizeof k->y);
    memcpy(&k->x, params[1], sizeof k->x);
    memcpy(&k->weight, params[2], sizeof k->weight);
    memcpy(&k->n, params[3], sizeof k->n);
    identify(k, run.n_kernels > 1 ? k[-1].step + 1 : 0);
}

void lab26_steps_begin(const struct subject *s)
{
    free(run.kernels);
    memset(&run, 0, sizeof run);
    const struct numbers *numbers = run.numbers = subject_numbers(s);
    if (simgpu_watch_kernels && subject_computes(s))
        run.kernels = calloc(2 * (size_t)numbers->n_steps, sizeof *run.kernels);
    if (!run.kernels)
        return;
    run.found.otherwise = LAB26_AS_ASKED;
    simgpu_watch_kernels(see);
}

static void found(enum lab26_otherwise what, long step, long of)
{
    run.found.otherwise = what;
    run.found.otherwise_call = (double)run.n_calls;
    run.found.otherwise_step = (double)step;
    run.found.otherwise_of = (double)of;
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
    for (long k = 0; k < run.n_kernels; k++)
        if (run.kernels[k].step == NONE) {
            found(LAB26_WEIGHT_OF_NONE, step, NONE);
            run.found.otherwise_weight = (double)run.kernels[k].weight;
            return;
        }
    for (long i = 0; i < run.numbers->n_steps; i++)
        if (count_of_step(i) > 1) {
            found(LAB26_WEIGHT_OF_STEP, step, i);
            return;
        }
    found(LAB26_NOT_RUN, step, NONE);
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
    if (!lab26_draw(run.numbers, run.n_calls, k->step).is_on)
        found(LAB26_RAN_OFF, k->step, NONE);
    else if (count_of_step(k->step) > 1)
        found(LAB26_RAN_TWICE, k->step, NONE);
    else if (!is_weight_of(k, run.n_calls, k->step))
        found(LAB26_WEIGHT_OF_CALL, k->step, k->call);
    else if (before && before->step > k->step)
        found(LAB26_OTHER_ORDER, k->step, before->step);
    else if (!has_own_halves(k))
        found(LAB26_OTHER_HALVES, k->step, NONE);
    else if (distance_of_halves(k) < run.numbers->n)
        found(LAB26_HALVES_OVERLAP, k->step, distance_of_halves(k));
    else if (k->n != run.numbers->n)
        found(LAB26_OTHER_LENGTH, k->step, k->n);
}

void lab26_steps_of_call(void)
{
    if (!run.kernels)
        return;
    for (long i = 0; i < run.numbers->n_steps && run.found.otherwise == LAB26_AS_ASKED; i++)
        if (lab26_draw(run.numbers, run.n_calls, i).is_on && count_of_step(i) == 0)
            missing(i);
    for (long k = 0; k < run.n_kernels && run.found.otherwise == LAB26_AS_ASKED; k++)
        compare_kernel(&run.kernels[k], k > 0 ? &run.kernels[k - 1] : NULL);
    run.n_kernels = 0;
    run.n_calls++;
}

void lab26_steps_report(struct subject *s)
{
    subject_value(s, otherwise, run.found.otherwise);
    subject_value(s, otherwise_call, run.found.otherwise_call);
    subject_value(s, otherwise_step, run.found.otherwise_step);
    subject_value(s, otherwise_of, run.found.otherwise_of);
    subject_value(s, otherwise_weight, run.found.otherwise_weight);
}

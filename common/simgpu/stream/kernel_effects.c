/*
 * kernel_effects.c: what kernels do to memory. A kernel runs on what is in memory when it starts;
 * its output is set aside until it lands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

static const struct device_runtime *runtime;

void device_runtime_set(const struct device_runtime *r)
{
    runtime = r;
}

static void run_grid(struct op *op)
{
    const struct kernel_call *k = op->work.kernel.call;
    const char *why = NULL;
    grid_set_clock(op->start_ns);
    runtime->begin(op);
    bool good = grid_run(k->kernel, &k->launch, k->params, &why);
    op->work.kernel.landed = runtime->end(op);
    if (good)
        return;
    fprintf(stderr, "simgpu: kernel %s: %s\n", op->work.name, why);
    context_fail(grid_failure());
}

static size_t written_bytes(const struct simgpu_work *w)
{
    size_t sum = 0;
    for (int i = 0; i < w->n_ranges; i++)
        if (w->ranges[i].access & SIMGPU_WRITE)
            sum += w->ranges[i].width_bytes * w->ranges[i].rows;
    return sum;
}

/* Copies every written range to (or, if `back`, from) the packed buffer. */
static void move_written(const struct simgpu_work *w, unsigned char *packed, bool back)
{
    for (int i = 0; i < w->n_ranges; i++) {
        const struct simgpu_range *r = &w->ranges[i];
        if (!(r->access & SIMGPU_WRITE))
            continue;
        for (size_t row = 0; row < r->rows; row++, packed += r->width_bytes) {
            unsigned char *at = (unsigned char *)(uintptr_t)r->base + row * r->pitch_bytes;
            memcpy(back ? at : packed, back ? packed : at, r->width_bytes);
        }
    }
}

/* What differs between the two goes to memory: the graphs that the kernel launched may have written
 * beside it. */
static void move_changed(const struct simgpu_work *w, const unsigned char *from,
                         const unsigned char *to)
{
    for (int i = 0; i < w->n_ranges; i++) {
        const struct simgpu_range *r = &w->ranges[i];
        for (size_t row = 0; (r->access & SIMGPU_WRITE) && row < r->rows; row++) {
            unsigned char *at = (unsigned char *)(uintptr_t)r->base + row * r->pitch_bytes;
            for (size_t k = 0; k < r->width_bytes; k++, from++, to++)
                if (*from != *to)
                    at[k] = *to;
        }
    }
}

/* More than this is not compared: then all that the kernel writes is there when it begins. */
enum { SHOWN_BYTES = 1 << 20 };

void kernel_show(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    size_t bytes = k->landing ? written_bytes(k->call->touches) : 0;
    if (bytes == 0 || bytes > SHOWN_BYTES)
        return;
    if (!k->shown && !(k->shown = malloc(bytes)))
        fatal("out of memory for the %zu bytes that kernel %s writes", bytes, op->work.name);
    move_written(k->call->touches, k->shown, false);
}

static bool kernel_runs(const struct op *op)
{
    return !op->work.kernel.bad_address && context_error() == cudaSuccess;
}

/* Runs the kernel on what is in memory now, and puts its output aside until it lands. */
static void kernel_begin(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    if (op->read_later)
        access_read_now(op);
    if (!sim.compute || !kernel_runs(op))
        return;
    const struct simgpu_work *touches = k->call->touches;
    size_t bytes = touches ? written_bytes(touches) : 0;
    if (bytes == 0)
        return;
    unsigned char *before = malloc(bytes);
    k->landing = malloc(bytes);
    if (!before || !k->landing)
        fatal("out of memory for the %zu bytes that kernel %s writes", bytes, op->work.name);
    memory_open();
    move_written(touches, before, false);
    run_grid(op);
    if (!k->landed || k->shown) {
        move_written(touches, k->landing, false);
        move_written(touches, k->landed ? k->shown : before, true);
    }
    memory_close();
    free(before);
}

static void shadow_written(const struct simgpu_work *w)
{
    for (int i = 0; w && i < w->n_ranges; i++) {
        const struct simgpu_range *r = &w->ranges[i];
        if (r->access & SIMGPU_WRITE)
            lineage_written(r->base, r->width_bytes, r->rows, r->pitch_bytes);
    }
}

static void kernel_land(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    if (k->bad_address)
        context_fail(cudaErrorIllegalAddress);
    if (!sim.compute || !kernel_runs(op))
        return;
    memory_open();
    if (!k->landing)
        run_grid(op);
    else if (!k->landed)
        move_written(k->call->touches, k->landing, true);
    else if (k->shown)
        move_changed(k->call->touches, k->shown, k->landing);
    shadow_written(k->call->touches);
    memory_close();
    runtime->land(op);
    free(k->landing);
    free(k->shown);
    k->landing = k->shown = NULL;
}

static void kernel_hold(struct work *w)
{
    w->kernel.call->refs++;
}

static void kernel_drop(struct work *w)
{
    kernel_call_put(w->kernel.call);
    free(w->kernel.landing);
    free(w->kernel.shown);
    runtime->drop(&w->kernel);
}

const struct op_type kernel_type = {
    .begin = kernel_begin, .land = kernel_land, .hold = kernel_hold, .drop = kernel_drop};

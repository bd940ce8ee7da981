/* kernel_effects.c: the effects of kernels on memory. A kernel reads memory as it is at its start.
 * Its output is set aside, and appears when the operation ends. */
#include <stdio.h>
#include <stdlib.h>

#include "kernel/record.h"
#include "stream.h"

static const struct device_runtime *runtime;
static struct recording *recording; /* of the kernel that runs, if it has no footprint */

void device_runtime_set(const struct device_runtime *r)
{
    runtime = r;
}

static void (*watcher)(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch,
                       void *const *params);

bool kernels_are_watched(void)
{
    return watcher;
}

static void watch(const struct kernel_call *k)
{
    if (watcher)
        watcher(k->kernel, &k->launch, k->params);
}

EXPORT void simgpu_open_memory(int is_open)
{
    if (is_open)
        memory_open();
    else
        memory_close();
}

EXPORT void simgpu_watch_kernels(void (*see)(const struct simgpu_kernel *kernel,
                                             const struct simgpu_launch *launch,
                                             void *const *params))
{
    watcher = see;
}

static void grid_ended(struct op *op, struct grid_steps *steps)
{
    if (recording)
        kernel_record_end(op, recording, steps);
    op->work.kernel.landed |= runtime->end(op);
}

static void grid_failed(const struct op *op, const char *why, cudaError_t error)
{
    fprintf(stderr, "simgpu: kernel %s: %s\n", op->work.name, why);
    context_fail(error);
}

static void run_grid(struct op *op, struct grid_steps *steps)
{
    const struct kernel_call *k = op->work.kernel.call;
    const char *why = NULL;
    watch(k);
    steps->is_cooperative = op->work.kernel.cooperative;
    grid_set_clock(op->start_ns);
    runtime->begin(op);
    bool good = grid_run(k->kernel, &k->launch, k->params, recording, steps, &why);
    grid_ended(op, steps);
    if (!good)
        grid_failed(op, why, grid_failure());
}

/* What differs between the two goes to memory: the graphs that the kernel launched may have written
 * beside it. */
static void move_changed(const struct kernel_call *w, const unsigned char *from,
                         const unsigned char *to)
{
    for (int i = 0; i < w->n_ranges; i++) {
        const struct simgpu_range *r = &w->ranges[i];
        for (size_t row = 0; range_is_set_aside(r) && row < r->rows; row++) {
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
    if (recording) {
        recording_show(recording);
        return;
    }
    size_t bytes = k->landing ? kernel_written_bytes(k->call) : 0;
    if (bytes == 0 || bytes > SHOWN_BYTES)
        return;
    if (!k->shown && !(k->shown = malloc(bytes)))
        fatal("out of memory for the %zu bytes that kernel %s writes", bytes, op->work.name);
    kernel_move_written(k->call, k->shown, false);
}

static bool kernel_runs(const struct op *op)
{
    return !op->work.kernel.bad_address && context_error() == cudaSuccess;
}

static unsigned char *room_for(const struct op *op, size_t bytes)
{
    unsigned char *room =
        needed(malloc(bytes), "the %zu bytes that kernel %s writes", bytes, op->work.name);
    return room;
}

/* Runs a kernel with a footprint on what is in memory now, and puts its output aside until it
 * lands. */
static void run_declared(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    size_t bytes = kernel_written_bytes(k->call);
    if (bytes == 0)
        return;
    unsigned char *before = room_for(op, bytes);
    k->landing = room_for(op, bytes);
    memory_open();
    kernel_move_written(k->call, before, false);
    run_grid(op, &(struct grid_steps){.is_beside = op->n_beside > 0,
                                      .resumed_ns = k->waits ? sim.now : 0});
    k->has_run = true;
    if (!k->landed || k->shown) {
        kernel_move_written(k->call, k->landing, false);
        kernel_move_written(k->call, k->landed ? k->shown : before, true);
    }
    memory_close();
    free(before);
}

/* The grid's accesses are known. */
static void ran_recorded(struct op *op)
{
    op->work.kernel.has_run = true;
    if (sim.checks) {
        kernel_learns(op, recording);
        op->signals = host_access_signals(op, recording);
    }
    kernel_record_set_aside(op, recording);
    recording = NULL;
    memory_close();
    access_recorded(op);
    runtime->recorded(op);
    let_look(op); /* its atomic operations have taken effect */
}

/* It has done nothing so far. */
static void undo(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    kernel_record_undo(k->call, recording);
    runtime->drop(k);
    k->sets = NULL;
    k->changes = NULL;
    k->landed = false;
}

/* It waits in a loop for what others write. So far it has done nothing; it begins anew where it can
 * be set aside. */
static void begin_aside(struct op *op, ns_t resumed_ns)
{
    struct kernel_job *k = &op->work.kernel;
    undo(op);
    recording = kernel_record_begin(op);
    struct kernel_call *call = k->call;
    call->wait_load = call->wait_us = 0;
    struct aside *a = aside_new(call->kernel, &call->launch, call->params, recording);
    a->steps.resumed_ns = resumed_ns;
    a->steps.is_cooperative = k->cooperative;
    k->waiting = needed(calloc(1, sizeof *k->waiting), "kernel %s, which waits", op->work.name);
    *k->waiting = (struct waiting){.grid = a, .looks_until = sim.now};
}

/* It goes on until it ends, or waits again. */
static void go_on_aside(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    struct waiting *w = k->waiting;
    struct aside *a = w->grid;
    recording = a->recording;
    runtime->begin(op);
    aside_run(a, w->looks_until == 0, sim.now, w->looks_until);
    k->polls = !a->has_ended;
    if (k->polls) {
        recording_show(recording);
        recording = NULL;
        runtime->end(op);
        k->landed = k->held = true;
        w->looks_until = a->looked_ns;
        set_aside(op);
        return;
    }
    k->call->wait_us = (float)((double)(sim.now - op->start_ns) / 1e3);
    grid_ended(op, &a->steps);
    if (!a->good)
        grid_failed(op, a->why, a->error);
    aside_free(a);
    free(w);
    k->waiting = NULL;
    ran_recorded(op);
}

static void run_recorded(struct op *op, ns_t resumed_ns)
{
    struct kernel_job *k = &op->work.kernel;
    memory_open();
    if (!k->waiting) {
        struct grid_steps steps = {.resumed_ns = resumed_ns,
                                   .earlier = k->cooperative ? NULL : earlier_of(op),
                                   .show = earlier_show};
        recording = kernel_record_begin(op);
        steps.may_stop = !kernel_runs_plain(op) && !op->environment;
        run_grid(op, &steps);
        if (!steps.polls) {
            ran_recorded(op);
            return;
        }
        begin_aside(op, resumed_ns);
    }
    go_on_aside(op);
    memory_close();
}

/* Variables are those of the kernel's device: before its code runs or its writes land, and after.
 */
static void exchange_variables(const struct op *op)
{
    if (op->device->id > 0)
        variables_exchange(op->device->id);
}

/* Runs it as far as it gets before it waits for the kernels that it started beside; that is taken
 * back. If it never waits, it has run. */
static void run_until_wait(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    struct grid_steps steps = {.until_wait = true};
    recording = kernel_record_begin(op);
    memory_open();
    run_grid(op, &steps);
    k->waits = steps.waits;
    op->signals = host_access_signals(op, recording);
    if (k->waits) {
        undo(op);
    } else {
        k->has_run = true;
        kernel_record_set_aside(op, recording);
    }
    memory_close();
    recording = NULL;
    access_early(op);
    if (!k->waits)
        runtime->recorded(op);
}

/* Runs the kernel to its end. */
static void kernel_resume(struct op *op)
{
    bool runs = sim.compute && kernel_runs(op) && !op->work.kernel.has_run;
    op->work.kernel.polls &= runs;
    exchange_variables(op);
    if (runs && kernel_is_recorded(op))
        run_recorded(op, sim.now);
    else if (runs)
        run_declared(op);
    else if (!sim.compute && kernel_runs(op))
        watch(op->work.kernel.call);
    exchange_variables(op);
    earlier_end(op);
    if (op->work.kernel.polls)
        return; /* it goes on later */
    if (!op->work.kernel.call->kernel->footprint && !op->work.kernel.has_run)
        memory_assume_written();
    late_end(&op->late);
}

static void kernel_begin(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    if (op->read_later)
        access_read_now(op);
    if (op->is_beside) {
        k->waits = k->call->waits_for_grids;
        exchange_variables(op);
        if (sim.compute && kernel_runs(op) && kernel_is_recorded(op))
            run_until_wait(op);
        else
            access_early(op);
        exchange_variables(op);
    }
    k->held = k->waits && op->n_beside > 0;
    if (!k->held)
        kernel_resume(op);
    else if (sim.compute && kernel_is_recorded(op))
        earlier_begin(op);
}

static bool kernel_sees(struct op *op, const struct op *by)
{
    memory_open();
    exchange_variables(op);
    const bool sees = !kernel_runs(op) || aside_sees(op->work.kernel.waiting->grid);
    exchange_variables(op);
    memory_close();
    if (sees && by && sim.checks)
        op_learns(op, &by->epoch);
    return sees;
}

/* What the kernel wrote, for what results are made of. */
static void shadow_written(const struct kernel_call *k)
{
    for (int i = 0; i < k->n_ranges; i++) {
        const struct simgpu_range *r = &k->ranges[i];
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
    exchange_variables(op);
    if (!k->has_run)
        run_grid(op, &(struct grid_steps){.is_beside = false});
    else if (!k->landed && k->landing) {
        earlier_keep(k->call);
        kernel_move_written(k->call, k->landing, true);
    } else if (k->shown)
        move_changed(k->call, k->shown, k->landing);
    shadow_written(k->call);
    exchange_variables(op);
    memory_close();
    runtime->land(op);
    free(k->landing);
    free(k->shown);
    k->landing = k->shown = NULL;
}

/* Another holder does not see what the program writes to the parameters that it was given. */
static void kernel_hold(struct work *w)
{
    if (w->kernel.call->is_given)
        w->kernel.call = kernel_call_copy(w->kernel.call);
    else
        w->kernel.call->refs++;
}

static void kernel_drop(struct work *w)
{
    kernel_call_put(w->kernel.call);
    free(w->kernel.landing);
    free(w->kernel.shown);
    runtime->drop(&w->kernel);
}

const struct op_type kernel_type = {.begin = kernel_begin,
                                    .resume = kernel_resume,
                                    .sees = kernel_sees,
                                    .in_vain = kernel_waits_in_vain,
                                    .land = kernel_land,
                                    .hold = kernel_hold,
                                    .drop = kernel_drop};

/* recorded_kernel.c: kernels without a declaration. Such a kernel runs when its operation begins.
 * Then its accesses are known, its writes are set aside until the operation ends, and its duration
 * is estimated. */
#include <math.h>
#include <stdlib.h>

#include "kernel/record.h"
#include "stream.h"

enum {
    FLOPS_A_WORD = 4, /* estimate: arithmetic for each word loaded and stored */
    HOPS_A_WAIT = 4,  /* estimate: loads of one thread that are under way together */
    SECTOR_BYTES = 32,
    UNIT_BYTES = 64, /* that device memory moves at a time */
    MOST_SHOWN_BYTES = 1 << 20
};

bool kernel_is_unknown(const struct op *op)
{
    return op->work.kind == OP_KERNEL && !op->work.kernel.call->kernel->footprint;
}

bool kernel_is_recorded(const struct op *op)
{
    const struct simgpu_kernel *k = op->work.kernel.call->kernel;
    return k->reports_accesses && (!k->footprint || footprints_are_checked());
}

/* A copy of the call for this one run: other runs of the same node may do something else. */
static struct kernel_call *call_copy(const struct kernel_call *from)
{
    struct kernel_call *k = kernel_call_copy(from);
    k->ranges = NULL;
    k->n_ranges = 0;
    k->recorded = k->is_known = true;
    k->launches_graphs = k->waits_for_grids = false;
    return k;
}

/* Without checks only the duration is of interest, and some blocks tell it. What the grid writes is
 * in memory before its operation ends. A kernel that starts beside others or launches graphs needs
 * its writes set aside all the same. */
bool kernel_runs_plain(const struct op *op)
{
    const struct simgpu_kernel *k = op->work.kernel.call->kernel;
    return !sim.checks && k->run_plain && !k->launches_graphs && !op->is_beside;
}

struct recording *kernel_record_begin(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    struct kernel_call *own = call_copy(k->call);
    kernel_call_put(k->call);
    k->call = own;
    struct recording *r = recording_new(kernel_runs_plain(op));
    for (int i = 0; i < own->kernel->n_params; i++)
        recording_pass(r, own->params[i], own->kernel->param_bytes[i]);
    return r;
}

/* Each thread brings another sector: if not all fits in the second-level cache, again and again. */
static double brought_again(const struct recorded_counts *c)
{
    double miss = 1 - cost_l2_bytes() / (double)c->touched_bytes;
    return miss > 0 ? miss * UNIT_BYTES * (double)c->sampled.scattered : 0;
}

/* Of that work, what it did before it waited (the first of its two runs), and before it let others
 * start. By the clock, if that says how long it took, or by its loads and stores. */
static void estimate_steps(struct kernel_call *k, const struct kernel_call *first_run,
                           double delay_us, const struct recorded_counts *c,
                           const struct grid_steps *steps)
{
    const struct simgpu_dim *g = &k->launch.grid;
    double share = c->recorded_words ? (double)steps->trigger_words / (double)c->recorded_words : 0;
    int64_t clock_ns = steps->trigger_ns - (steps->triggers_late ? steps->waited_ns : 0);
    bool by_clock = delay_us >= k->least_us;
    k->wait_load = steps->until_wait ? k->block_load : first_run->wait_load;
    k->wait_us = steps->until_wait ? k->least_us : first_run->wait_us;
    if (first_run->trigger == TRIGGERS_BEFORE_WAIT) {
        k->trigger = TRIGGERS_BEFORE_WAIT;
        k->trigger_load = first_run->trigger_load;
        k->trigger_us = first_run->trigger_us;
    } else if (steps->triggered == (uint64_t)g->x * g->y * g->z) {
        share = share < 1 ? share : 1;
        k->trigger = steps->triggers_late ? TRIGGERS_AFTER_WAIT : TRIGGERS_BEFORE_WAIT;
        k->trigger_load = share * k->block_load;
        k->trigger_us = by_clock ? (double)clock_ns / 1e3 : share * k->least_us;
    }
}

/* How much work it was, for cost_kernel. */
static void estimate(struct kernel_call *k, const struct recorded_counts *c,
                     const struct grid_steps *steps)
{
    const struct simgpu_dim *g = &k->launch.grid, *b = &k->launch.block;
    const struct sample_counts *s = &c->sampled;
    double blocks = (double)g->x * g->y * g->z, threads = blocks * b->x * b->y * b->z;
    int per_sm = occupancy_blocks_per_sm(k->kernel, &k->launch);
    struct block_work work = {.waits = (double)s->hops / threads / HOPS_A_WAIT,
                              .lines = (double)s->lines / blocks};
    if (c->atomic_lines)
        work.atomics_in_turn = (double)s->travels[RECORDED_ATOMIC] / (double)c->atomic_lines;
    const struct kernel_call first_run = *k;
    double least_us = cost_block_us(k, per_sm, &work),
           longest_us = (double)(c->longest_ns - steps->waited_ns) / 1e3;
    const struct simgpu_work w = {
        .dram_bytes = (double)c->dram_bytes + brought_again(c),
        .cache_bytes =
            SECTOR_BYTES * (double)(s->travels[RECORDED_READ] + s->travels[RECORDED_WRITE]),
        .flops = fmax((double)FLOPS_A_WORD * (double)c->words, (double)c->operations),
        .delay_us = longest_us > least_us ? longest_us : least_us};
    cost_kernel(k, &w, per_sm);
    estimate_steps(k, &first_run, w.delay_us, c, steps);
}

/* What graphs saw that the kernel launched; NULL: it launched none to fire and forget. */
static unsigned char *shown(const struct recording *r, const struct kernel_call *k, size_t bytes)
{
    if (bytes == 0 || bytes > MOST_SHOWN_BYTES)
        return NULL;
    unsigned char *all = malloc(bytes), *at = all;
    if (!all)
        fatal("out of memory for what kernel %s writes", k->kernel->name);
    bool any = false;
    for (int i = 0; i < k->n_ranges; i++)
        if (range_is_set_aside(&k->ranges[i])) {
            any = recording_shown(r, &k->ranges[i], at) || any;
            at += k->ranges[i].width_bytes;
        }
    if (any)
        return all;
    free(all);
    return NULL;
}

void kernel_record_end(struct op *op, struct recording *r, const struct grid_steps *steps)
{
    struct kernel_job *k = &op->work.kernel;
    struct recorded_counts counts = recording_counts(r);
    k->call->ranges = r->samples_only ? NULL : recording_ranges(r, &k->call->n_ranges);
    if (k->call->n_ranges < 0) {
        k->call->n_ranges = 0;
        memory_assume_written();
    }
    if (!r->samples_only)
        footprint_check(k->call);
    estimate(k->call, &counts, steps);
    k->shown = shown(r, k->call, kernel_written_bytes(k->call));
}

/* In memory is again what was there before the grid ran, unless only atomic operations wrote to it
 * and they stay. */
static void put_back(const struct kernel_call *k, const struct recording *r, bool atomics_stay)
{
    for (int i = 0; i < k->n_ranges; i++) {
        const struct simgpu_range *range = &k->ranges[i];
        if (atomics_stay ? range_is_set_aside(range) : range->access & SIMGPU_WRITE)
            recording_before(r, range, (unsigned char *)(uintptr_t)range->base);
    }
}

void kernel_record_undo(const struct kernel_call *k, struct recording *r)
{
    put_back(k, r, false);
    recording_free(r);
}

void kernel_record_set_aside(struct op *op, struct recording *r)
{
    struct kernel_job *k = &op->work.kernel;
    size_t bytes = kernel_written_bytes(k->call);
    if (bytes && (!k->landed || k->shown)) {
        k->landing =
            needed(malloc(bytes), "the %zu bytes that kernel %s writes", bytes, op->work.name);
        kernel_move_written(k->call, k->landing, false);
        if (k->landed)
            kernel_move_written(k->call, k->shown, true);
        else
            put_back(k->call, r, true);
    }
    recording_free(r);
}

/* access.c: the accesses of operations, declared to race detection. */
#include <string.h>

#include "stream.h"

/* The moment at which the accesses of an operation are declared or checked. */
enum when {
    DECLARE,      /* the operation is submitted */
    DECLARE_LATE, /* a kernel submits it; later work of the host has been declared already */
    EXPECT,       /* a node of a conditional body: its graph is launched, and the body may run */
    VERIFY,       /* a node of a conditional body: it runs; is written what it reads? */
    READ_NOW,     /* the operation was declared and starts; is written what it reads? */
    RECORDED,     /* the kernel has run; only now its accesses are known */
    EARLY         /* the kernel has started beside its predecessors; these are its accesses before
                     it waits for them */
};

static bool is_host_memory(const struct allocation *a)
{
    return !a || a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED;
}

/* The program can read it without a call, and learn that the operation which writes it is done. Any
 * variable may be a managed one. */
static bool is_seen(const struct allocation *a)
{
    return is_host_memory(a) || a->kind == MEMORY_MANAGED || a->kind == MEMORY_VARIABLE;
}

/* All that an operation reads. */
struct sources {
    struct origin origin;
    uint64_t every; /* what made each byte of it */
};
static const struct sources no_sources = {.origin = {.through = UINT64_MAX}, .every = UINT64_MAX};

/* What lies there; of host memory that a copy reads: whether it is an input. */
static void add_origin(struct sources *all, const void *base, size_t width, size_t rows,
                       size_t pitch)
{
    const struct allocation *a = memory_find(base);
    uint64_t lo = (uint64_t)(uintptr_t)base, gap, every;
    struct origin o = {0}, *sum = &all->origin;
    if (!lineage_run())
        return;
    if (is_host_memory(a))
        every = o.by = o.from = lineage_unwritten(lo, lo + (rows - 1) * pitch + width, ORIGIN_HOST);
    else
        o = history_origin(
            a->history, &(struct access){.lo = lo, .hi = lo + width, .rows = rows, .pitch = pitch},
            0, &every, &gap);
    if (sum->by && sum->serial != o.serial)
        sum->serial = o.serial = 0;
    sum->serial = o.serial;
    sum->bytes = o.bytes;
    sum->by |= o.by;
    sum->from |= o.from;
    sum->through &= o.through;
    all->every &= every;
}

/* The allocation that the operation means. When it runs, the host may have freed that since, or
 * allocated its addresses again. */
static struct allocation *allocation_of(const struct op *op, const void *p, enum when when)
{
    if (when == DECLARE || when == EXPECT || when == VERIFY)
        return memory_find(p);
    if (when != DECLARE_LATE && !op->in_body)
        return memory_find_for(p, op->id);
    struct allocation *a = memory_find(p);
    return a ? a : memory_find_freed(p);
}

/* Of pageable memory of the host: most copies in a stream have done with it when the call returns,
 * but a node accesses it when it runs. */
static struct history *pageable_history(const struct op *op, const void *base, size_t bytes)
{
    const bool is_later = op->work.kind == OP_COPY && (op->in_graph || op->work.copy.is_open);
    return is_later && !memory_is_device_address(base)
               ? memory_pageable_for((uint64_t)(uintptr_t)base + bytes)
               : NULL;
}

static void touch_rows(const struct op *op, const void *base, size_t width, size_t rows,
                       size_t pitch, enum simgpu_access mode, enum when when,
                       const struct origin *origin)
{
    struct allocation *a = allocation_of(op, base, when);
    const struct epoch *epoch = when == EARLY ? op->early : &op->epoch;
    if (sim.checks && (mode & SIMGPU_WRITE) && is_seen(a ? a : memory_find(base)))
        epoch_join(&seen_epoch, epoch);
    if (!sim.checks || (a && a->is_freed && when == READ_NOW))
        return;
    struct history *history =
        a ? a->history : pageable_history(op, base, (rows - 1) * pitch + width);
    if (!history)
        return;
    struct simgpu_site site;
    site_of(op, &site);
    site.is_early = when == EARLY;
    uint64_t lo = (uint64_t)(uintptr_t)base;
    if (a && op->in_graph && when == DECLARE)
        bad_memory_replayed(op, a, base);
    bool gapless = rows == 1 || pitch == width;
    struct access access = {.lo = lo,
                            .hi = lo + (gapless ? width * rows : width),
                            .rows = gapless ? 1 : rows,
                            .pitch = pitch,
                            .mode = mode,
                            .epoch = epoch,
                            .site = &site,
                            .origin = *origin,
                            .expected = when == EXPECT || (when == DECLARE && op->read_later),
                            .late = when == DECLARE_LATE || when == RECORDED || when == EARLY,
                            .signals = op->signals};
    if (when != VERIFY && when != READ_NOW)
        history_access(history, &access);
    else if (mode & SIMGPU_READ)
        history_read_now(history, &access);
}

static void declare_copy(const struct op *op, enum when when)
{
    const struct copy_job *c = &op->work.copy;
    struct sources sources = no_sources;
    if (when != EXPECT && when != READ_NOW)
        copy_find_undefined(op);
    for (size_t z = 0; z < c->depth; z++)
        add_origin(&sources, c->src + z * c->src_slice, c->width, c->rows, c->src_pitch);
    for (size_t z = 0; z < c->depth; z++) {
        touch_rows(op, c->src + z * c->src_slice, c->width, c->rows, c->src_pitch, SIMGPU_READ,
                   when, &sources.origin);
        touch_rows(op, c->dst + z * c->dst_slice, c->width, c->rows, c->dst_pitch, SIMGPU_WRITE,
                   when, &sources.origin);
    }
}

/* Its bit in origins. Names are compared once in a run. */
static uint64_t bit_of(const struct simgpu_kernel *k)
{
    static struct {
        const struct simgpu_kernel *kernel;
        uint32_t run;
        uint64_t bit;
    } known[64], *slot;
    slot = &known[(uintptr_t)k / sizeof *k % 64];
    if (slot->kernel != k || slot->run != lineage_run()) {
        slot->kernel = k;
        slot->run = lineage_run();
        slot->bit = lineage_kernel(kernel_name_for_origin(k));
    }
    return slot->bit;
}

/* Made by the kernel, from all that what it reads was made from. */
static struct origin origin_of_kernel(const struct op *op)
{
    const struct kernel_call *w = op->work.kernel.call;
    static uint64_t serial;
    struct sources read = no_sources;
    struct origin made = {.serial = ++serial};
    for (int i = 0; lineage_run() && i < w->n_ranges; i++) {
        const struct simgpu_range *r = &w->ranges[i];
        if ((r->access & SIMGPU_READ) && r->width_bytes && r->rows)
            add_origin(&read, r->base, r->width_bytes, r->rows, r->pitch_bytes);
        if (r->access & SIMGPU_WRITE)
            made.bytes += r->width_bytes * r->rows;
    }
    made.by = lineage_run() ? bit_of(w->kernel) : 0;
    made.from = read.origin.from;
    made.through = read.every;
    return made;
}

/* Was it freed before the operation? */
static bool freed_before(const struct op *op, const struct allocation *a, enum when when)
{
    const struct epoch *epoch = when == EARLY ? op->early : &op->epoch;
    if (!a->is_freed)
        return false;
    return a->history ? history_ended_before(a->history, epoch) : a->freed <= op->id;
}

/* The host has freed it and did not wait for the operation, and there is no memory any more. */
static bool is_unmapped(const struct allocation *a)
{
    struct simgpu_site end;
    return a->is_freed && history_ended_by(a->history, &end) && end.stream < 0 &&
           !bad_memory_is_reached((const void *)(uintptr_t)a->lo);
}

/* A kernel that starts beside others accesses some of it before it waits for them, or all of it if
 * it never does. A recorded one is told of what it has done so far. */
static bool is_now(const struct op *op, const struct simgpu_range *r, enum when when)
{
    const struct kernel_call *k = op->work.kernel.call;
    if (!op->early || k->recorded || (when != DECLARE && when != EARLY))
        return true;
    return (when == EARLY) == (r->is_early || !k->waits_for_grids);
}

/* A kernel with a range that no allocation holds would end the context of a real device: it is not
 * run. */
static void declare_range(struct op *op, const struct simgpu_range *r, struct allocation *a,
                          enum when when, const struct origin *origin)
{
    size_t bytes;
    const void *base = variable_place(r->base, op->device->id);
    const bool is_over = a && freed_before(op, a, when);
    if (!a || is_over || !memory_extent(&bytes, r->width_bytes, r->rows, r->pitch_bytes, 1, 0) ||
        !memory_holds(a, base, bytes)) {
        if (when != EXPECT)
            bad_memory_range(op, r, is_over ? NULL : a, is_over ? a : memory_find_freed(r->base));
        op->work.kernel.bad_address =
            (when != RECORDED && when != EARLY) || !bad_memory_is_reached(r->base);
        return;
    }
    op->work.kernel.bad_address |= is_unmapped(a);
    if (!a->is_freed && !memory_reaches(a, op->device->id)) {
        if (when != EXPECT)
            bad_memory_of_device(op, r, a);
        op->work.kernel.bad_address = true;
        return;
    }
    touch_rows(op, base, r->width_bytes, r->rows, r->pitch_bytes, r->access, when, origin);
}

/* The part of *left in the first allocation of it, which is removed. What is recorded is cut at the
 * ends of live allocations, but not of those that were freed since. */
static struct simgpu_range first_part(struct simgpu_range *left, const struct allocation *a,
                                      const void *base)
{
    struct simgpu_range r = *left;
    if (r.rows == 1 && a && a->is_freed && a->hi - (uintptr_t)base < r.width_bytes)
        r.width_bytes = a->hi - (uintptr_t)base;
    left->base = (const char *)r.base + r.width_bytes;
    left->width_bytes -= r.width_bytes;
    return r;
}

static void declare_kernel(struct op *op, enum when when)
{
    const struct kernel_call *w = op->work.kernel.call;
    const struct origin origin = origin_of_kernel(op);
    for (int i = 0; i < w->n_ranges; i++) {
        struct simgpu_range left = w->ranges[i];
        if (left.rows == 0 || !is_now(op, &left, when))
            continue;
        while (left.width_bytes) {
            const void *base = variable_place(left.base, op->device->id);
            struct allocation *a = allocation_of(op, base, when);
            const struct simgpu_range r = first_part(&left, a, base);
            const bool is_skipped =
                a ? a->is_freed && when == READ_NOW : when == READ_NOW || memory_find(base);
            if (!is_skipped)
                declare_range(op, &r, a, when, &origin);
        }
    }
}

static void declare(struct op *op, enum when when)
{
    const struct memset_job *m = &op->work.memset;
    if (op->work.kind == OP_COPY)
        declare_copy(op, when);
    else if (op->work.kind == OP_MEMSET)
        touch_rows(op, m->dst, m->width * (size_t)m->element_bytes, m->rows, m->pitch, SIMGPU_WRITE,
                   when, &(struct origin){0});
    else if (op->work.kind == OP_KERNEL)
        declare_kernel(op, when);
}

/* Does a kernel with a footprint write before it waits for those that it starts beside? A disabled
 * node, which has no kernel, does not. */
static bool writes_early(const struct op *op)
{
    if (op->work.kind != OP_KERNEL)
        return false;
    const struct kernel_call *k = op->work.kernel.call;
    int i = 0;
    while (i < k->n_ranges &&
           !((k->ranges[i].access & SIMGPU_WRITE) && is_now(op, &k->ranges[i], EARLY)))
        i++;
    return i < k->n_ranges;
}

void access_declare(struct op *op)
{
    const bool is_unknown = kernel_is_unknown(op);
    op->read_later = late_writes();
    op->fails = op->in_graph ? bad_memory_fails(op) : cudaSuccess;
    if (sim.checks && (is_unknown || op->early))
        op->late = late_begin(op->early ? op->early : &op->epoch, is_unknown || writes_early(op));
    declare(op, DECLARE);
}

void access_recorded(struct op *op)
{
    if (sim.checks)
        declare(op, RECORDED);
}

void access_declare_late(struct op *op)
{
    declare(op, DECLARE_LATE);
}

void access_expect(struct op *op)
{
    declare(op, EXPECT);
}

void access_verify(struct op *op)
{
    declare(op, VERIFY);
}

void access_early(struct op *op)
{
    if (op->early)
        declare(op, EARLY);
}

void access_read_now(struct op *op)
{
    declare(op, READ_NOW);
}

/* ---- lineage --------------------------------------------------------------------------------- */

EXPORT void simgpu_lineage_begin(void)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    lineage_begin();
    device_unlock(t);
}

EXPORT void simgpu_lineage_constant(const void *base, size_t bytes)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    lineage_constant(base, bytes);
    device_unlock(t);
}

EXPORT void simgpu_lineage_watch(const void *base, size_t bytes, int is_result)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    if (is_result)
        lineage_result(base, bytes, sim.compute && is_host_memory(memory_find(base)));
    else
        lineage_input(base, bytes);
    device_unlock(t);
}

/* Of what the kernels have read for a result. */
static enum simgpu_lineage judge_sources(struct origin o, uint64_t through,
                                         const struct simgpu_makers *makers)
{
    if (!makers->of_any_data && o.from & (ORIGIN_HOST | ORIGIN_OLD))
        return SIMGPU_LINEAGE_OTHER_INPUTS;
    return through & ~o.through ? SIMGPU_LINEAGE_LEFT_OUT : SIMGPU_LINEAGE_GOOD;
}

/* The first of these bytes with this answer, which all of them together have. */
static size_t first_judged(enum simgpu_lineage answer, struct history *h, struct access all,
                           const struct simgpu_makers *makers)
{
    uint64_t gap, every, through, by = lineage_kernels(makers, &through);
    size_t before = 0, bytes = all.hi - all.lo; /* before: at the beginning, with another answer */
    while (bytes - before > 1) {
        const size_t half = before + (bytes - before) / 2;
        all.hi = all.lo + half;
        if (judge_sources(history_origin(h, &all, by, &every, &gap), through, makers) == answer)
            bytes = half;
        else
            before = half;
    }
    return before;
}

static enum simgpu_lineage judge_origin(struct allocation *a, const void *base, size_t bytes,
                                        const struct simgpu_makers *makers, size_t *offset)
{
    uint64_t lo = (uint64_t)(uintptr_t)base, gap, every, through,
             by = lineage_kernels(makers, &through);
    const struct access all = {.lo = lo, .hi = lo + bytes, .rows = 1};
    struct origin o = history_origin(a->history, &all, by, &every, &gap);
    size_t changed = lineage_changed(base, bytes);
    if (gap != UINT64_MAX) {
        *offset = gap - lo;
        return o.by & ORIGIN_OLD ? SIMGPU_LINEAGE_NOT_COPIED : SIMGPU_LINEAGE_NOT_COMPUTED;
    }
    *offset = changed;
    if (changed < bytes)
        return SIMGPU_LINEAGE_CHANGED;
    *offset = 0;
    if (history_has_duplicates(a->history, lo, lo + bytes))
        return SIMGPU_LINEAGE_DUPLICATED;
    const enum simgpu_lineage answer = judge_sources(o, through, makers);
    if (answer != SIMGPU_LINEAGE_GOOD)
        *offset = first_judged(answer, a->history, all, makers);
    return answer;
}

EXPORT int simgpu_lineage_is_read(const void *base, size_t bytes, size_t *offset)
{
    struct thread_state *t = thread_self();
    uint64_t lo = (uint64_t)(uintptr_t)base, first = lo + bytes;
    device_lock(t);
    const struct allocation *a = memory_find(base);
    if (a && a->history && sim.checks)
        first = history_unread(a->history, lo, lo + bytes);
    device_unlock(t);
    *offset = first - lo;
    return *offset == bytes;
}

EXPORT const void *simgpu_lineage_written(const void *base, size_t bytes)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    const void *written = lineage_copy(base, bytes);
    device_unlock(t);
    return written;
}

EXPORT enum simgpu_lineage simgpu_lineage(const void *base, size_t bytes,
                                          const struct simgpu_makers *by, size_t *offset)
{
    struct thread_state *t = thread_self();
    enum simgpu_lineage answer = SIMGPU_LINEAGE_UNKNOWN;
    device_lock(t);
    struct allocation *a = memory_find(base);
    *offset = 0;
    if (a && a->history && sim.checks)
        answer = judge_origin(a, base, bytes, by, offset);
    device_unlock(t);
    return answer;
}

/*
 * access.c: what operations access, declared to the race detector; and the findings about memory
 * that is not there.
 */
#include <stdio.h>
#include <string.h>

#include "stream.h"

/*
 * DECLARE: the operation is submitted. DECLARE_LATE: by a kernel that launched a graph, when later
 * work of the host was declared already. EXPECT, VERIFY: (a node of a body) at the launch, and once
 * it runs. READ_NOW: it was declared, and starts now: is what it reads written? RECORDED: it has
 * run, and what it accessed is known only now. EARLY: it has started beside other kernels, and
 * accesses this before it waits for them.
 */
enum when { DECLARE, DECLARE_LATE, EXPECT, VERIFY, READ_NOW, RECORDED, EARLY };

void site_of(const struct op *op, struct simgpu_site *site)
{
    size_t n = strnlen(op->work.name, sizeof site->name - 1);
    memcpy(site->name, op->work.name, n);
    site->name[n] = 0;
    site->stream = op->stream_id;
    site->node = (int)op->node;
    site->index = op->index;
    site->graph = op->graph;
    site->is_early = 0;
    site->waits = op->work.waits;
    site->caller = op->work.caller;
}

/* Once for each pair of node and sentence: finding_add leaves out what is known. */
static void report_replay(const struct op *op, const struct allocation *a, uint64_t at,
                          const char *what, const char *advice)
{
    struct simgpu_finding f = {
        .kind = SIMGPU_USE_AFTER_FREE, .address = at, .bytes = op->work.bytes};
    site_of(op, &f.first);
    f.second = f.first;
    snprintf(f.text, sizeof f.text,
             "Node %lld (%s) of a graph launched in stream %d uses %p, which %s (allocation number "
             "%llu, by %s). %s",
             (long long)op->node, op->work.name, op->stream_id, (void *)(uintptr_t)at, what,
             (unsigned long long)a->serial, a->call, advice);
    finding_add(&f);
}

/* Addresses outlive what was at them: a graph keeps the ones it was made with. */
static void check_replay(const struct op *op, const struct allocation *a, uint64_t at)
{
    if (a->kind == MEMORY_GRAPH && a->freed_by_node)
        report_replay(op, a, at, "a free node of a graph frees before it",
                      "Add an edge from the node to the free node, or free the memory later in the "
                      "captured stream.");
    else if (a->kind != MEMORY_GRAPH && a->kind != MEMORY_REGISTERED && a->serial > op->known)
        report_replay(op, a, at, "was freed and allocated again after the graph was created",
                      "The node accesses the memory of another allocation: free the memory after "
                      "the last launch, or set the new address in the node.");
}

static bool is_host_memory(const struct allocation *a)
{
    return !a || a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED;
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
        every = o.by = o.from =
            lineage_is_input(lo, lo + (rows - 1) * pitch + width) ? ORIGIN_INPUT : ORIGIN_HOST;
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

static void touch_rows(const struct op *op, const void *base, size_t width, size_t rows,
                       size_t pitch, enum simgpu_access mode, enum when when,
                       const struct origin *origin)
{
    struct allocation *a = memory_find(base);
    bool is_later =
        (when == RECORDED || when == READ_NOW || when == EARLY) && a && a->made > op->id;
    if (!a || !sim.checks || is_later) /* what it accesses was at that address before */
        return;
    struct simgpu_site site;
    site_of(op, &site);
    site.is_early = when == EARLY;
    uint64_t lo = (uint64_t)(uintptr_t)base;
    if (op->in_graph && when == DECLARE)
        check_replay(op, a, lo);
    bool gapless = rows == 1 || pitch == width;
    struct access access = {.lo = lo,
                            .hi = lo + (gapless ? width * rows : width),
                            .rows = gapless ? 1 : rows,
                            .pitch = pitch,
                            .mode = mode,
                            .epoch = when == EARLY ? op->early : &op->epoch,
                            .site = &site,
                            .origin = *origin,
                            .expected = when == EXPECT || (when == DECLARE && op->read_later),
                            .late = when == DECLARE_LATE || when == RECORDED || when == EARLY};
    if (when != VERIFY && when != READ_NOW)
        history_access(a->history, &access);
    else if (mode & SIMGPU_READ)
        history_read_now(a->history, &access);
}

static void declare_copy(const struct op *op, enum when when)
{
    const struct copy_job *c = &op->work.copy;
    struct sources sources = no_sources;
    for (size_t z = 0; z < c->depth; z++)
        add_origin(&sources, c->src + z * c->src_slice, c->width, c->rows, c->src_pitch);
    for (size_t z = 0; z < c->depth; z++) {
        touch_rows(op, c->src + z * c->src_slice, c->width, c->rows, c->src_pitch, SIMGPU_READ,
                   when, &sources.origin);
        touch_rows(op, c->dst + z * c->dst_slice, c->width, c->rows, c->dst_pitch, SIMGPU_WRITE,
                   when, &sources.origin);
    }
}

/* The nearest allocation, less than 2 MiB before or after the address; NULL: there is none. */
static const struct allocation *neighbor_of(uint64_t address)
{
    const struct allocation *a = NULL;
    for (uint64_t off = 1; !a && off <= 1 << 20; off *= 2) {
        a = memory_find((const void *)(uintptr_t)(address - off));
        a = a ? a : memory_find((const void *)(uintptr_t)(address + off));
    }
    return a;
}

static void report_bad_range(const struct op *op, const struct simgpu_range *r,
                             const struct allocation *live, const struct allocation *freed)
{
    struct simgpu_finding f = {.kind =
                                   freed && !live ? SIMGPU_USE_AFTER_FREE : SIMGPU_OUT_OF_BOUNDS};
    site_of(op, &f.first);
    f.second = f.first;
    f.address = (uint64_t)(uintptr_t)r->base;
    f.bytes = r->rows > 1 ? (r->rows - 1) * r->pitch_bytes + r->width_bytes : r->width_bytes;
    const char *does = r->access == SIMGPU_READ ? "reads" : "writes";
    const struct allocation *near = live || freed ? NULL : neighbor_of(f.address);
    const bool is_before = near && f.address < near->lo;
    if (near)
        snprintf(f.text, sizeof f.text,
                 "Kernel %s (stream %d, operation %llu) %s %llu bytes that begin %llu bytes %s an "
                 "allocation of %llu bytes: this is out of bounds; compare the index with the "
                 "size that you allocated. Is an `if (i < n)` missing?",
                 op->work.name, op->stream_id, (unsigned long long)op->index, does,
                 (unsigned long long)f.bytes,
                 (unsigned long long)(is_before ? near->lo - f.address : f.address - near->hi),
                 is_before ? "before" : "after the end of",
                 (unsigned long long)(near->hi - near->lo));
    else if (live)
        snprintf(f.text, sizeof f.text,
                 "Kernel %s (stream %d, operation %llu) %s %llu bytes from byte %llu of an "
                 "allocation of %llu bytes: this is out of bounds; compare the size that you "
                 "allocated with the count that you passed",
                 op->work.name, op->stream_id, (unsigned long long)op->index, does,
                 (unsigned long long)f.bytes, (unsigned long long)(f.address - live->lo),
                 (unsigned long long)(live->hi - live->lo));
    else if (freed)
        snprintf(f.text, sizeof f.text,
                 "Kernel %s (stream %d, operation %llu) %s memory that was freed before it was "
                 "launched (%llu bytes "
                 "at %p, allocation number %llu); free it after the last operation that uses it",
                 op->work.name, op->stream_id, (unsigned long long)op->index, does,
                 (unsigned long long)f.bytes, r->base, (unsigned long long)freed->serial);
    else
        snprintf(
            f.text, sizeof f.text,
            "Kernel %s (stream %d, operation %llu) %s %llu bytes at %p, which the device cannot "
            "access. Pass a pointer from cudaMalloc (or pinned host memory), not pageable host "
            "memory.",
            op->work.name, op->stream_id, (unsigned long long)op->index, does,
            (unsigned long long)f.bytes, r->base);
    finding_add(&f);
}

static void report_no_access(const struct op *op, const struct simgpu_range *r,
                             const struct allocation *a)
{
    struct simgpu_finding f = {.kind = SIMGPU_OUT_OF_BOUNDS,
                               .address = (uint64_t)(uintptr_t)r->base,
                               .bytes = r->rows * r->width_bytes};
    site_of(op, &f.first);
    f.second = f.first;
    snprintf(f.text, sizeof f.text,
             "Kernel %s (stream %d, operation %llu) runs on device %d and %s memory of device %d, "
             "which device %d may not access. %s",
             op->work.name, op->stream_id, (unsigned long long)op->index, op->device->id,
             r->access == SIMGPU_READ ? "reads" : "writes", a->device, op->device->id,
             memory_is_shared_by_pool(a)
                 ? "Give it access to the pool (cudaMemPoolSetAccess, accessDescs), or launch the "
                   "kernel on the other device."
                 : "Call cudaDeviceEnablePeerAccess, or launch the kernel on the other device.");
    finding_add(&f);
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
    made.by = lineage_run() ? lineage_kernel(kernel_name_for_origin(w->kernel)) : 0;
    made.from = read.origin.from;
    made.through = read.every;
    return made;
}

/* Memory is taken from a GPU's address space by pages: what lies beside live memory can still be
 * reached. */
static bool shares_a_page(const void *p)
{
    enum { PAGE_BYTES = 2 << 20 };
    uintptr_t page = (uintptr_t)p / PAGE_BYTES * PAGE_BYTES;
    return memory_is_device_address(p) && memory_find_in((void *)page, PAGE_BYTES) != NULL;
}

/* The host has freed it since the operation was enqueued, in an order that is told. */
static bool freed_in_order(const struct op *op, const void *p, enum when when)
{
    const struct allocation *a = memory_find_freed(p);
    bool is_recorded = when == RECORDED || when == EARLY;
    return a && (when == DECLARE_LATE || (is_recorded && a->freed > op->id));
}

/* A kernel that starts beside others accesses some of it before it waits for them, or all of it if
 * it never does. A recorded one is told of what it has done so far. */
static bool is_now(const struct op *op, const struct simgpu_range *r, enum when when)
{
    const struct kernel_call *k = op->work.kernel.call;
    if (!op->early || k->recorded || (when != DECLARE && when != EARLY))
        return true;
    return (when == EARLY) == (r->is_early || !k->touches->waits_for_grids);
}

/* A kernel with a range that no allocation holds would end the context of a real device: it is not
 * run. */
static void declare_kernel(struct op *op, enum when when)
{
    const struct kernel_call *w = op->work.kernel.call;
    const struct origin origin = origin_of_kernel(op);
    for (int i = 0; i < w->n_ranges; i++) {
        const struct simgpu_range *r = &w->ranges[i];
        if (r->width_bytes == 0 || r->rows == 0 || !is_now(op, r, when))
            continue;
        size_t bytes;
        const void *base = variable_place(r->base, op->device->id);
        struct allocation *a = memory_find(base);
        if (!a && (when == READ_NOW || freed_in_order(op, r->base, when)))
            continue;
        if (!a || !memory_extent(&bytes, r->width_bytes, r->rows, r->pitch_bytes, 1, 0) ||
            !memory_holds(a, base, bytes)) {
            if (when != EXPECT)
                report_bad_range(op, r, a, memory_find_freed(r->base));
            op->work.kernel.bad_address =
                (when != RECORDED && when != EARLY) || !shares_a_page(r->base);
            continue;
        }
        if (!memory_reaches(a, op->device->id)) {
            if (when != EXPECT)
                report_no_access(op, r, a);
            op->work.kernel.bad_address = true;
            continue;
        }
        touch_rows(op, base, r->width_bytes, r->rows, r->pitch_bytes, r->access, when, &origin);
    }
}

/* ---- graphs that outlive what their nodes name ----------------------------------------------- */

static bool is_gone(const void *p, const struct op *op, const char *does)
{
    if (memory_find(p))
        return false;
    const struct allocation *freed = memory_find_freed(p);
    struct simgpu_finding f = {.kind = SIMGPU_USE_AFTER_FREE, .address = (uint64_t)(uintptr_t)p};
    site_of(op, &f.first);
    f.second = f.first;
    f.bytes = op->work.bytes;
    snprintf(
        f.text, sizeof f.text,
        "Node %lld (%s) of a graph launched in stream %d %s %llu bytes at %p, which were "
        "freed before the launch "
        "(%s number %llu). A graph stores addresses: free the memory after the last launch, or "
        "set another address in the node.",
        (long long)op->node, op->work.name, op->stream_id, does, (unsigned long long)op->work.bytes,
        p, freed ? "allocation" : "an allocation,",
        (unsigned long long)(freed ? freed->serial : 0));
    finding_add(&f);
    return !shares_a_page(p);
}

/* A node that was built for a copy inside the device and has been given ordinary host memory since.
 */
static void report_out_of_reach(const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    const void *p = c->path == PATH_H2D || c->path == PATH_H2H ? c->src : c->dst;
    struct simgpu_finding f = {
        .kind = SIMGPU_OUT_OF_BOUNDS, .address = (uint64_t)(uintptr_t)p, .bytes = op->work.bytes};
    site_of(op, &f.first);
    f.second = f.first;
    snprintf(f.text, sizeof f.text,
             "Node %lld (%s) of a graph launched in stream %d was created for a copy inside the "
             "device, and later set to pageable host memory (%llu bytes, %p), which it cannot "
             "access. Use pinned memory (cudaMallocHost), or create the node for the direction of "
             "its copies.",
             (long long)op->node, op->work.name, op->stream_id, (unsigned long long)op->work.bytes,
             p);
    finding_add(&f);
}

/* A node that was made while its device had access to the memory of another one. */
static bool lost_access(const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    const struct memset_job *m = &op->work.memset;
    bool copies = op->work.kind == OP_COPY;
    const struct allocation *a = copies ? NULL : memory_find(m->dst);
    if (copies ? copy_has_route(c) : !a || memory_reaches(a, op->device->id))
        return false;
    struct simgpu_finding f = {.kind = SIMGPU_OUT_OF_BOUNDS,
                               .address = (uint64_t)(uintptr_t)(copies ? c->dst : m->dst),
                               .bytes = op->work.bytes};
    site_of(op, &f.first);
    f.second = f.first;
    snprintf(f.text, sizeof f.text,
             "Node %lld (%s) of a graph launched in stream %d uses memory of another device, and "
             "peer access was disabled after the node was created. Disable it after the last "
             "launch.",
             (long long)op->node, op->work.name, op->stream_id);
    finding_add(&f);
    return true;
}

/*
 * What was freed after the node was made, or is of another kind than what the node was made for: a
 * GPU's launch fails. Whether ordinary host memory was freed cannot be told.
 */
static cudaError_t fails_for_memory(const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    if (op->work.kind == OP_MEMSET) {
        bool gone = is_gone(op->work.memset.dst, op, "sets");
        return gone || lost_access(op) ? cudaErrorLaunchFailure : cudaSuccess;
    }
    if (op->work.kind != OP_COPY)
        return cudaSuccess;
    if (lost_access(op))
        return cudaErrorLaunchFailure;
    if (c->in_device && c->pageable) {
        report_out_of_reach(op);
        return cudaErrorIllegalAddress;
    }
    if (c->path == PATH_H2H)
        return cudaSuccess;
    bool from_host = c->path == PATH_H2D, to_host = c->path == PATH_D2H;
    bool gone = (!(from_host && c->pageable) && is_gone(c->src, op, "reads")) ||
                (!(to_host && c->pageable) && is_gone(c->dst, op, "writes"));
    return gone ? cudaErrorLaunchFailure : cudaSuccess;
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

void access_declare(struct op *op)
{
    op->read_later = sim.n_growing > 0;
    op->fails = op->in_graph ? fails_for_memory(op) : cudaSuccess;
    declare(op, DECLARE);
    if (kernel_is_unknown(op)) {
        op->is_unknown = true;
        sim.n_growing++;
    }
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

static enum simgpu_lineage judge_origin(struct allocation *a, const void *base, size_t bytes,
                                        const char *kernels, size_t *offset)
{
    uint64_t lo = (uint64_t)(uintptr_t)base, gap, every, through,
             by = lineage_kernels(kernels, &through);
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
    if (o.from & (ORIGIN_HOST | ORIGIN_OLD))
        return SIMGPU_LINEAGE_OTHER_INPUTS;
    return through & ~o.through ? SIMGPU_LINEAGE_LEFT_OUT : SIMGPU_LINEAGE_GOOD;
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

EXPORT enum simgpu_lineage simgpu_lineage(const void *base, size_t bytes, const char *kernels,
                                          size_t *offset)
{
    struct thread_state *t = thread_self();
    enum simgpu_lineage answer = SIMGPU_LINEAGE_UNKNOWN;
    device_lock(t);
    struct allocation *a = memory_find(base);
    *offset = 0;
    if (a && a->history && sim.checks)
        answer = judge_origin(a, base, bytes, kernels, offset);
    device_unlock(t);
    return answer;
}

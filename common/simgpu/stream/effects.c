/*
 * effects.c: what an operation does to memory. It reads when it starts and its writes land when it
 * ends, so that an operation that should have waited for it sees what was there before. Host memory
 * is read when a copy ends, the last moment at which the host could still spoil it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

/* ---- declaring: the ordering checks learn of the touch --------------------------------------- */

/*
 * When the touch is told: when the operation is given to the device; then too, but by a kernel that
 * launched a graph, when later work of the host is told already; (of a body) before that and once
 * it runs. READ_NOW: it was told, and starts now: is what it reads written?
 */
enum telling { TELL, TELL_LATE, EXPECT, VERIFY, READ_NOW };

void site_of(const struct op *op, struct simgpu_site *site)
{
    size_t n = strnlen(op->work.name, sizeof site->name - 1);
    memcpy(site->name, op->work.name, n);
    site->name[n] = 0;
    site->stream = op->stream->id;
    site->node = (int)op->node;
    site->index = op->index;
    site->graph = op->environment ? environment_graph(op->environment) : 0;
}

/* Told once for each pair of node and sentence: finding_add leaves out what is known. */
static void tell_replay(const struct op *op, const struct allocation *a, uint64_t at,
                        const char *what, const char *advice)
{
    struct simgpu_finding f = {
        .kind = SIMGPU_USE_AFTER_FREE, .address = at, .bytes = op->work.bytes};
    site_of(op, &f.first);
    f.second = f.first;
    snprintf(f.text, sizeof f.text,
             "Node %lld (%s) of a graph launched in stream %d uses %p, which %s (allocation number "
             "%llu, by %s). %s",
             (long long)op->node, op->work.name, op->stream->id, (void *)(uintptr_t)at, what,
             (unsigned long long)a->serial, a->call, advice);
    finding_add(&f);
}

/* Addresses outlive what was at them: a graph keeps the ones it was made with. */
static void check_replay(const struct op *op, const struct allocation *a, uint64_t at)
{
    if (a->kind == MEMORY_GRAPH && a->freed_by_node)
        tell_replay(op, a, at, "a free node of a graph frees before it",
                    "Add an edge from the node to the free node, or free the memory later in the "
                    "stream you capture.");
    else if (a->kind != MEMORY_GRAPH && a->kind != MEMORY_REGISTERED && a->serial > op->known)
        tell_replay(op, a, at, "was freed after the graph was made and then handed out again",
                    "The node reads or writes what is somebody else's now: free the memory after "
                    "the last launch, or "
                    "give the node the new address.");
}

static void touch_rows(const struct op *op, const void *base, size_t width, size_t rows,
                       size_t pitch, enum simgpu_access mode, enum telling telling)
{
    struct allocation *a = memory_find(base);
    if (!a || !sim.checks)
        return;
    struct simgpu_site site;
    site_of(op, &site);
    uint64_t lo = (uint64_t)(uintptr_t)base;
    if (op->in_graph && telling == TELL)
        check_replay(op, a, lo);
    bool gapless = rows == 1 || pitch == width;
    struct access access = {.lo = lo,
                            .hi = lo + (gapless ? width * rows : width),
                            .rows = gapless ? 1 : rows,
                            .pitch = pitch,
                            .mode = mode,
                            .stamp = &op->stamp,
                            .site = &site,
                            .expected = telling == EXPECT || (telling == TELL && op->read_later),
                            .late = telling == TELL_LATE};
    if (telling != VERIFY && telling != READ_NOW)
        history_access(a->history, &access);
    else if (mode & SIMGPU_READ)
        history_read_now(a->history, &access);
}

static void declare_copy(const struct op *op, enum telling telling)
{
    const struct copy_job *c = &op->work.copy;
    for (size_t z = 0; z < c->depth; z++) {
        touch_rows(op, c->src + z * c->src_slice, c->width, c->rows, c->src_pitch, SIMGPU_READ,
                   telling);
        touch_rows(op, c->dst + z * c->dst_slice, c->width, c->rows, c->dst_pitch, SIMGPU_WRITE,
                   telling);
    }
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
    if (live)
        snprintf(f.text, sizeof f.text,
                 "Kernel %s (stream %d, operation %llu) %s %llu bytes from byte %llu of an "
                 "allocation of %llu bytes: "
                 "it leaves the allocation. Check the size you allocated and the count you passed.",
                 op->work.name, op->stream->id, (unsigned long long)op->index, does,
                 (unsigned long long)f.bytes, (unsigned long long)(f.address - live->lo),
                 (unsigned long long)(live->hi - live->lo));
    else if (freed)
        snprintf(f.text, sizeof f.text,
                 "Kernel %s (stream %d, operation %llu) %s memory that was freed before it was "
                 "launched (%llu bytes "
                 "at %p, allocation number %llu). Free it after the last operation that uses it.",
                 op->work.name, op->stream->id, (unsigned long long)op->index, does,
                 (unsigned long long)f.bytes, r->base, (unsigned long long)freed->serial);
    else
        snprintf(f.text, sizeof f.text,
                 "Kernel %s (stream %d, operation %llu) %s %llu bytes at %p, which is no memory "
                 "that the device can "
                 "reach. Pass a pointer from cudaMalloc (or pinned host memory), not ordinary host "
                 "memory.",
                 op->work.name, op->stream->id, (unsigned long long)op->index, does,
                 (unsigned long long)f.bytes, r->base);
    finding_add(&f);
}

/* A kernel with a range that no allocation holds would end the context of a real device: it is not
 * run. */
static void declare_kernel(struct op *op, enum telling telling)
{
    const struct simgpu_work *w = op->work.kernel.call->touches;
    for (int i = 0; w && i < w->n_ranges; i++) {
        const struct simgpu_range *r = &w->ranges[i];
        if (r->width_bytes == 0 || r->rows == 0)
            continue;
        size_t bytes;
        struct allocation *a = memory_find(r->base);
        if (!a && variable_reaches(r->base, &bytes))
            continue;
        if (!a && (telling == READ_NOW || (telling == TELL_LATE && memory_find_freed(r->base))))
            continue; /* the host has freed it, in an order that is told */
        if (!a || !memory_extent(&bytes, r->width_bytes, r->rows, r->pitch_bytes, 1, 0) ||
            !memory_holds(a, r->base, bytes)) {
            if (telling != EXPECT)
                report_bad_range(op, r, a, memory_find_freed(r->base));
            op->work.kernel.bad_address = true;
            continue;
        }
        touch_rows(op, r->base, r->width_bytes, r->rows, r->pitch_bytes, r->access, telling);
    }
}

/* ---- graphs that outlive what their nodes name ----------------------------------------------- */

/* Memory is taken from a GPU's address space by pages: what lies beside live memory can still be
 * reached. */
static bool shares_a_page(const void *p)
{
    enum { PAGE_BYTES = 2 << 20 };
    uintptr_t page = (uintptr_t)p / PAGE_BYTES * PAGE_BYTES;
    return memory_is_device_address(p) && memory_find_in((void *)page, PAGE_BYTES) != NULL;
}

static bool is_gone(const void *p, const struct op *op, const char *does)
{
    size_t left;
    if (memory_find(p) || variable_reaches(p, &left))
        return false;
    const struct allocation *freed = memory_find_freed(p);
    struct simgpu_finding f = {.kind = SIMGPU_USE_AFTER_FREE, .address = (uint64_t)(uintptr_t)p};
    site_of(op, &f.first);
    f.second = f.first;
    f.bytes = op->work.bytes;
    snprintf(f.text, sizeof f.text,
             "Node %lld (%s) of a graph launched in stream %d %s %llu bytes at %p, which were "
             "freed before the launch "
             "(%s number %llu). A graph keeps the addresses it was made with: free the memory "
             "after the last launch, or "
             "give the node another address.",
             (long long)op->node, op->work.name, op->stream->id, does,
             (unsigned long long)op->work.bytes, p, freed ? "allocation" : "an allocation,",
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
             "Node %lld (%s) of a graph launched in stream %d was built for a copy inside the "
             "device and has been set to "
             "ordinary host memory since (%llu bytes, %p), which such a node cannot reach. Give it "
             "pinned memory "
             "(cudaMallocHost), or build the node for the direction that it is to copy in.",
             (long long)op->node, op->work.name, op->stream->id, (unsigned long long)op->work.bytes,
             p);
    finding_add(&f);
}

/*
 * What was freed after the node was made, or is of another kind than what the node was made for: a
 * GPU's launch fails. Whether ordinary host memory was freed cannot be told.
 */
static cudaError_t fails_for_memory(const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    if (op->work.kind == OP_MEMSET)
        return is_gone(op->work.memset.dst, op, "sets") ? cudaErrorLaunchFailure : cudaSuccess;
    if (op->work.kind != OP_COPY)
        return cudaSuccess;
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

static void tell(struct op *op, enum telling telling)
{
    const struct memset_job *m = &op->work.memset;
    if (op->work.kind == OP_COPY)
        declare_copy(op, telling);
    else if (op->work.kind == OP_MEMSET)
        touch_rows(op, m->dst, m->width * (size_t)m->element_bytes, m->rows, m->pitch, SIMGPU_WRITE,
                   telling);
    else if (op->work.kind == OP_KERNEL)
        declare_kernel(op, telling);
}

void effects_declare(struct op *op)
{
    op->read_later = sim.n_growing > 0;
    op->fails = op->in_graph ? fails_for_memory(op) : cudaSuccess;
    tell(op, TELL);
}

void effects_declare_late(struct op *op)
{
    tell(op, TELL_LATE);
}

void effects_expect(struct op *op)
{
    tell(op, EXPECT);
}

void effects_verify(struct op *op)
{
    tell(op, VERIFY);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static size_t packed_bytes(const struct copy_job *c)
{
    return c->width * c->rows * c->depth;
}

/* Between the rows of a copy's source or destination and a packed buffer. */
static void pack(unsigned char *packed, const struct copy_job *c)
{
    for (size_t z = 0; z < c->depth; z++)
        for (size_t r = 0; r < c->rows; r++, packed += c->width)
            memcpy(packed, c->src + z * c->src_slice + r * c->src_pitch, c->width);
}

static void unpack(const struct copy_job *c, const unsigned char *packed)
{
    for (size_t z = 0; z < c->depth; z++)
        for (size_t r = 0; r < c->rows; r++, packed += c->width)
            memcpy(c->dst + z * c->dst_slice + r * c->dst_pitch, packed, c->width);
}

void effects_stage(struct copy_job *c)
{
    if (!sim.compute || c->staged)
        return;
    c->staged = malloc(packed_bytes(c));
    if (!c->staged)
        fatal("out of memory for a copy of %zu bytes", packed_bytes(c));
    memory_open();
    pack(c->staged, c);
    memory_close();
}

static void copy_land(struct copy_job *c)
{
    effects_stage(c);
    memory_open();
    unpack(c, c->staged);
    memory_close();
    free(c->staged);
    c->staged = NULL;
}

/* What of a value goes beyond its element goes into the elements after it, up to a word, as on an
 * H200. */
static void memset_words(unsigned char *row, const struct memset_job *m)
{
    size_t element = (size_t)m->element_bytes;
    uint32_t word = 0;
    for (size_t at = 0; at < sizeof word; at += element)
        word |= m->value << (8 * at);
    for (size_t i = 0; i < m->width; i++)
        memcpy(row + i * element, (const char *)&word + i * element % sizeof word, element);
}

static void memset_land(const struct memset_job *m)
{
    memory_open();
    for (size_t r = 0; r < m->rows; r++) {
        unsigned char *row = m->dst + r * m->pitch;
        if (m->element_bytes == 1 && m->value <= UINT8_MAX)
            memset(row, (int)m->value, m->width);
        else
            memset_words(row, m);
    }
    memory_close();
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void run_grid(struct op *op)
{
    const struct kernel_call *k = op->work.kernel.call;
    const char *why = NULL;
    exec_clock(op->start_ns, sim.profile.clock_khz);
    kernel_calls_begin(op);
    bool good = exec_grid(k->kernel, &k->launch, k->params, &why);
    op->work.kernel.landed = kernel_calls_end(op);
    if (good)
        return;
    fprintf(stderr, "simgpu: kernel %s: %s\n", op->work.name, why);
    error_stick(exec_failure());
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

void effects_show(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    size_t bytes = k->landing ? written_bytes(k->call->touches) : 0;
    if (bytes == 0 || bytes > SHOWN_BYTES)
        return;
    if (!k->shown && !(k->shown = malloc(bytes)))
        fatal("out of memory for the %zu bytes that kernel %s writes", bytes, op->work.name);
    move_written(k->call->touches, k->shown, false);
}

/* Runs the kernel on what is in memory now, and puts its output aside until it lands. */
static void kernel_begin(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
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
    k->sets = condition_sets_take();
    k->changes = node_changes_take();
    if (!k->landed || k->shown) {
        move_written(touches, k->landing, false);
        move_written(touches, k->landed ? k->shown : before, true);
    }
    memory_close();
    free(before);
}

static void kernel_land(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    memory_open();
    if (!k->landing)
        run_grid(op);
    else if (!k->landed)
        move_written(k->call->touches, k->landing, true);
    else if (k->shown)
        move_changed(k->call->touches, k->shown, k->landing);
    memory_close();
    condition_sets_land(k->landing ? k->sets : condition_sets_take(), op->exec);
    node_changes_land(k->landing ? k->changes : node_changes_take());
    free(k->landing);
    free(k->shown);
    k->landing = k->shown = NULL;
    k->sets = NULL;
    k->changes = NULL;
}

/* ---- when ------------------------------------------------------------------------------------ */

static bool kernel_runs(const struct op *op)
{
    return !op->work.kernel.bad_address && error_sticky() == cudaSuccess;
}

void effects_begin(struct op *op)
{
    if (op->read_later)
        tell(op, READ_NOW);
    if (!sim.compute || op->fails != cudaSuccess)
        return;
    if (op->work.kind == OP_COPY && op->work.copy.path != PATH_H2D &&
        op->work.copy.path != PATH_H2H)
        effects_stage(&op->work.copy);
    else if (op->work.kind == OP_KERNEL && kernel_runs(op))
        kernel_begin(op);
}

void effects_land(struct op *op)
{
    if (op->work.kind == OP_KERNEL && op->work.kernel.bad_address)
        error_stick(cudaErrorIllegalAddress);
    if (op->fails != cudaSuccess)
        error_stick(op->fails);
    if (!sim.compute || op->fails != cudaSuccess)
        return;
    if (op->work.kind == OP_COPY)
        copy_land(&op->work.copy);
    else if (op->work.kind == OP_MEMSET)
        memset_land(&op->work.memset);
    else if (op->work.kind == OP_KERNEL && kernel_runs(op))
        kernel_land(op);
}

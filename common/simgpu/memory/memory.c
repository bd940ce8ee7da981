/* memory.c: allocations by address: the live ones, and those freed lately. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

#include "common/memory_page.h"
#include "memory.h"

RB_HEAD(allocation_tree, allocation);

static int compare_address(const struct allocation *a, const struct allocation *b)
{
    return a->lo < b->lo ? -1 : a->lo > b->lo;
}

RB_GENERATE(allocation_tree, allocation, by_address, compare_address)

static struct allocation_tree live = RB_INITIALIZER(&live), dead = RB_INITIALIZER(&dead);
/* the dead from old to new; those whose addresses were reused, while pending operations may mean
 * them */
static TAILQ_HEAD(allocation_list, allocation) dead_list = TAILQ_HEAD_INITIALIZER(dead_list),
                                               reused = TAILQ_HEAD_INITIALIZER(reused);
static int n_dead;
static uint64_t n_made;
static uint64_t shared_top;      /* memory_shared_top */
static struct history *pageable; /* memory_pageable */

enum { DEAD_MOST = 4096 };                           /* freed allocations that are remembered */
static const size_t poison_most = (size_t)256 << 20; /* larger allocations are not filled */

/* ---- who holds an address -------------------------------------------------------------------- */

/* The allocation of the tree with the highest start at or below p. */
static struct allocation *below(struct allocation_tree *tree, uint64_t p)
{
    struct allocation *best = NULL;
    for (struct allocation *a = RB_ROOT(tree); a;) {
        if (a->lo <= p) {
            best = a;
            a = RB_RIGHT(a, by_address);
        } else {
            a = RB_LEFT(a, by_address);
        }
    }
    return best;
}

static struct allocation *holder(struct allocation_tree *tree, const void *p)
{
    uint64_t at = (uint64_t)(uintptr_t)p;
    struct allocation *a = below(tree, at);
    return a && at < a->hi ? a : NULL;
}

struct allocation *memory_find(const void *p)
{
    return holder(&live, p);
}

struct allocation *memory_find_in(const void *p, size_t bytes)
{
    uint64_t lo = (uint64_t)(uintptr_t)p;
    struct allocation *a = below(&live, lo + bytes - 1);
    return a && a->hi > lo ? a : NULL;
}

bool memory_gap(uint64_t at, uint64_t *lo, uint64_t *hi)
{
    struct allocation *a = below(&live, at);
    const struct allocation *next =
        a ? RB_NEXT(allocation_tree, &live, a) : RB_MIN(allocation_tree, &live);
    *lo = a ? a->hi : 0;
    *hi = next ? next->lo : UINT64_MAX;
    return *lo <= at;
}

struct allocation *memory_find_freed(const void *p)
{
    return holder(&dead, p);
}

static struct allocation *reused_holder(const void *p, uint64_t id)
{
    struct allocation *a;
    TAILQ_FOREACH_REVERSE(a, &reused, allocation_list, by_end)
    {
        if (a->made <= id && memory_holds(a, p, 1))
            return a;
    }
    return NULL;
}

struct allocation *memory_find_for(const void *p, uint64_t id)
{
    struct allocation *a = memory_find(p);
    if (!a)
        a = memory_find_freed(p);
    return a && a->made <= id ? a : reused_holder(p, id);
}

void memory_assume_written(void)
{
    struct allocation *a;
    RB_FOREACH(a, allocation_tree, &live)
    {
        history_assume_written(a->history);
    }
}

bool memory_holds(const struct allocation *a, const void *p, size_t bytes)
{
    uint64_t at = (uint64_t)(uintptr_t)p;
    return at >= a->lo && at <= a->hi && bytes <= a->hi - at;
}

void memory_note_refusal(const void *p, size_t bytes, const char *argument)
{
    const uint64_t at = (uint64_t)(uintptr_t)p;
    const struct allocation *a = memory_find(p), *before = below(&live, at);
    if (!p)
        refusal_note(SIMGPU_REFUSED_NULL, argument, 0, 0, 0);
    else if (a)
        refusal_note(SIMGPU_REFUSED_TOO_LONG, argument, (int64_t)bytes, (int64_t)(at - a->lo),
                     (int64_t)(a->hi - a->lo));
    else if (memory_find_freed(p))
        refusal_note(SIMGPU_REFUSED_FREED, argument, 0, 0, 0);
    else if (!memory_is_device_address(p))
        refusal_note(SIMGPU_REFUSED_HOST, argument, 0, 0, 0);
    else if (before)
        refusal_note(SIMGPU_REFUSED_NO_MEMORY, argument, (int64_t)(at - before->hi),
                     (int64_t)before->serial, (int64_t)(before->hi - before->lo));
    else
        refusal_note(SIMGPU_REFUSED_NO_MEMORY, argument, 0, 0, 0);
}

bool memory_extent(size_t *bytes, size_t width, size_t rows, size_t pitch, size_t depth,
                   size_t slice)
{
    size_t before_row, before_slice;
    return !__builtin_mul_overflow(rows - 1, pitch, &before_row) &&
           !__builtin_mul_overflow(depth - 1, slice, &before_slice) &&
           !__builtin_add_overflow(before_row, before_slice, bytes) &&
           !__builtin_add_overflow(*bytes, width, bytes);
}

/* ---- the account ----------------------------------------------------------------------------- */

struct memory_used memory_used;

void memory_use(int64_t bytes)
{
    memory_used.now += bytes;
    if (memory_used.now > memory_used.most)
        memory_used.most = memory_used.now;
}

/* Memory of graphs: graph/backing.c. */
static void count(const struct allocation *a, int sign)
{
    if (a->kind == MEMORY_DEVICE || a->kind == MEMORY_POOL || a->kind == MEMORY_MANAGED ||
        a->kind == MEMORY_VARIABLE)
        memory_use(sign * (int64_t)(a->hi - a->lo));
}

/* ---- life and death -------------------------------------------------------------------------- */

static void forget_dead(struct allocation *a)
{
    RB_REMOVE(allocation_tree, &dead, a);
    TAILQ_REMOVE(&dead_list, a, by_end);
    n_dead--;
    a->until = late_latest();
    TAILQ_INSERT_TAIL(&reused, a, by_end);
}

/* Remembered allocations of addresses that are handed out anew. */
static void forget_overlapping(uint64_t lo, uint64_t hi)
{
    struct allocation *a;
    while ((a = below(&dead, hi - 1)) && a->hi > lo)
        forget_dead(a);
}

static void trim_dead(void)
{
    struct allocation *a;
    if (n_dead > DEAD_MOST)
        forget_dead(TAILQ_FIRST(&dead_list));
    while ((a = TAILQ_FIRST(&reused)) && late_is_over(a->until)) {
        TAILQ_REMOVE(&reused, a, by_end);
        history_free(a->history);
        free(a);
    }
}

uint64_t memory_latest(void)
{
    return n_made;
}

struct allocation *memory_add(void *p, size_t bytes, enum memory_kind kind, int device,
                              const char *call)
{
    struct allocation *a = needed(calloc(1, sizeof *a), "an allocation record");
    a->lo = (uint64_t)(uintptr_t)p;
    a->hi = a->lo + bytes;
    a->kind = kind;
    a->device = device;
    a->serial = kind == MEMORY_VARIABLE ? 0 : ++n_made;
    a->made = ops_opened();
    a->call = call;
    a->caller = call_place().at;
    bool has_values = kind == MEMORY_PINNED || kind == MEMORY_REGISTERED ||
                      kind == MEMORY_MANAGED || kind == MEMORY_VARIABLE || kind == MEMORY_SHARED;
    if (sim.checks) {
        const struct simgpu_memory m = memory_of(a);
        a->history = history_new(&m, has_values);
    }
    count(a, 1);
    forget_overlapping(a->lo, a->hi);
    RB_INSERT(allocation_tree, &live, a);
    if (memory_is_of_host(a) && a->hi > shared_top)
        shared_top = a->hi;
    return a;
}

bool memory_is_of_host(const struct allocation *a)
{
    return a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED || a->kind == MEMORY_MANAGED ||
           a->kind == MEMORY_VARIABLE;
}

uint64_t memory_shared_top(void)
{
    return shared_top;
}

struct history *memory_pageable(void)
{
    return pageable;
}

struct history *memory_pageable_for(uint64_t hi)
{
    const struct simgpu_memory all = {
        .bytes = SIMGPU_PAGEABLE_BYTES, .device = NO_DEVICE, .call = "pageable memory"};
    if (!pageable && sim.checks)
        pageable = history_new(&all, true);
    if (hi > shared_top)
        shared_top = hi;
    return pageable;
}

static enum simgpu_object object_of(const struct allocation *a)
{
    return a->kind == MEMORY_POOL                                     ? SIMGPU_OBJECT_POOL_MEMORY
           : a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED ? SIMGPU_OBJECT_PINNED
                                                                      : SIMGPU_OBJECT_MEMORY;
}

struct simgpu_memory memory_of(const struct allocation *a)
{
    struct simgpu_memory m = {0};
    if (a) {
        m.address = a->lo;
        m.bytes = a->hi - a->lo;
        m.serial = a->serial;
        m.device = a->device;
        m.object = object_of(a);
        snprintf(m.call, sizeof m.call, "%s", a->call);
    }
    return m;
}

void memory_remove(struct allocation *a)
{
    RB_REMOVE(allocation_tree, &live, a);
    count(a, -1);
    if (a->export_slot)
        shared_forget(a);
    if (!history_close(a->history)) {
        history_free(a->history);
        a->history = NULL;
    }
    a->is_freed = true;
    a->freed = ops_opened();
    TAILQ_INSERT_TAIL(&dead_list, a, by_end);
    RB_INSERT(allocation_tree, &dead, a);
    n_dead++;
    trim_dead();
}

void memory_poison(void *p, size_t bytes)
{
    if (!sim.compute || bytes > poison_most)
        return;
    memory_open();
    const wchar_t word = (wchar_t)((unsigned)MEMORY_POISON << 16 | MEMORY_POISON);
    wmemset(p, word, bytes / sizeof word);
    memcpy((char *)p + bytes / sizeof word * sizeof word, &word, bytes % sizeof word);
    memory_close();
}

void memory_forget(int device, void (*forget)(struct graph_memory *m))
{
    struct allocation *a, *next;
    for (a = RB_MIN(allocation_tree, &live); a; a = next) {
        next = RB_NEXT(allocation_tree, &live, a);
        if (a->device != device || a->kind == MEMORY_VARIABLE)
            continue;
        if (a->kind == MEMORY_DEVICE || a->kind == MEMORY_POOL) {
            memory_free_now(a);
        } else if (a->kind == MEMORY_GRAPH) {
            forget(a->graph_memory);
        } else if (a->kind == MEMORY_SHARED) {
            shared_unmap(shared_end(a));
        } else {
            if (a->kind == MEMORY_REGISTERED)
                memory_remove(a);
            else
                memory_give_of_host(a);
        }
    }
}

void memory_leaks(struct memory_leaks *out)
{
    struct allocation *a;
    *out = (struct memory_leaks){0};
    RB_FOREACH(a, allocation_tree, &live)
    {
        if (a->kind == MEMORY_VARIABLE || a->reserved)
            continue;
        if (!out->n || a->serial < out->first->serial)
            out->first = a;
        out->n++;
        out->bytes += a->hi - a->lo;
    }
}

/* ---- memory that the host may access --------------------------------------------------------- */

enum { LARGE_BYTES = 128 << 10 }; /* malloc does not take these from its heap, either */

/* Large blocks lie below those of malloc, so that host_record.h can tell them apart by one
 * comparison. They are on huge pages: page faults took most of their time. */
void *memory_take_of_host(size_t bytes)
{
    static uintptr_t next = (uintptr_t)1 << 45;
    const size_t huge = (size_t)2 << 20;
    void *p;
    if (bytes < LARGE_BYTES)
        return posix_memalign(&p, memory_page(), bytes) ? NULL : p;
    p = mmap((void *)next, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    next += (bytes + huge - 1) / huge * huge;
    madvise(p, memory_pages(bytes), MADV_HUGEPAGE);
    return p;
}

void memory_give_of_host(struct allocation *a)
{
    void *p = (void *)(uintptr_t)a->lo;
    const size_t bytes = a->hi - a->lo;
    memory_remove(a);
    if (bytes < LARGE_BYTES)
        free(p);
    else
        munmap(p, bytes);
}

/* ---- device memory --------------------------------------------------------------------------- */

void *memory_allocate(struct device *d, size_t bytes, const char *call)
{
    void *p = arena_take(d, bytes);
    if (!p)
        return NULL;
    memory_add(p, bytes, MEMORY_DEVICE, d->id, call);
    memory_poison(p, bytes);
    return p;
}

void memory_free_now(struct allocation *a)
{
    struct device *d = &devices[a->device];
    void *p = (void *)(uintptr_t)a->lo;
    size_t bytes = a->hi - a->lo;
    if (a->kind == MEMORY_POOL) {
        pool_free_unordered(a);
        return;
    }
    memory_remove(a);
    arena_give(d, p, bytes);
}

/*
 * memory.c: allocations by address: which are alive, which were freed lately, and the calls that
 * make and end them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

RB_HEAD(allocation_tree, allocation);

static int compare_address(const struct allocation *a, const struct allocation *b)
{
    return a->lo < b->lo ? -1 : a->lo > b->lo;
}

RB_GENERATE(allocation_tree, allocation, by_address, compare_address)

static struct allocation_tree live = RB_INITIALIZER(&live), dead = RB_INITIALIZER(&dead);
static struct allocation *oldest_dead, *newest_dead;
static int n_dead;
static uint64_t n_made;

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

struct allocation *memory_find_freed(const void *p)
{
    return holder(&dead, p);
}

bool memory_holds(const struct allocation *a, const void *p, size_t bytes)
{
    uint64_t at = (uint64_t)(uintptr_t)p;
    return at >= a->lo && at <= a->hi && bytes <= a->hi - at;
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

/* ---- life and death -------------------------------------------------------------------------- */

static void forget_dead(struct allocation *a)
{
    RB_REMOVE(allocation_tree, &dead, a);
    n_dead--;
    a->forgotten = true;
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
    while (oldest_dead && (oldest_dead->forgotten || n_dead > DEAD_MOST)) {
        struct allocation *a = oldest_dead;
        oldest_dead = a->next;
        if (!oldest_dead)
            newest_dead = NULL;
        if (!a->forgotten)
            forget_dead(a);
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
    struct allocation *a = calloc(1, sizeof *a);
    if (!a)
        fatal("out of memory for an allocation record");
    a->lo = (uint64_t)(uintptr_t)p;
    a->hi = a->lo + bytes;
    a->kind = kind;
    a->device = device;
    a->serial = ++n_made;
    a->call = call;
    bool of_host = kind == MEMORY_PINNED || kind == MEMORY_REGISTERED;
    if (sim.checks)
        a->history = history_new(a->lo, a->hi, of_host, call, a->serial);
    forget_overlapping(a->lo, a->hi);
    RB_INSERT(allocation_tree, &live, a);
    return a;
}

void memory_remove(struct allocation *a)
{
    RB_REMOVE(allocation_tree, &live, a);
    if (a->history)
        history_free(a->history);
    a->history = NULL;
    a->next = NULL;
    if (newest_dead)
        newest_dead->next = a;
    else
        oldest_dead = a;
    newest_dead = a;
    RB_INSERT(allocation_tree, &dead, a);
    n_dead++;
    trim_dead();
}

/* Fresh device memory holds the bytes 0xff: as float or double a NaN, as int -1. */
void memory_poison(void *p, size_t bytes)
{
    if (!sim.compute || bytes > poison_most)
        return;
    memory_open();
    memset(p, 0xff, bytes);
    memory_close();
}

void memory_forget(int device)
{
    struct allocation *a, *next;
    for (a = RB_MIN(allocation_tree, &live); a; a = next) {
        next = RB_NEXT(allocation_tree, &live, a);
        if (a->device != device)
            continue;
        if (a->kind == MEMORY_DEVICE || a->kind == MEMORY_POOL) {
            memory_free_now(a);
        } else if (a->kind == MEMORY_GRAPH) {
            graph_memory_forget(a->graph_memory);
        } else {
            void *p = (void *)(uintptr_t)a->lo;
            bool ours = a->kind == MEMORY_PINNED;
            memory_remove(a);
            if (ours)
                free(p);
        }
    }
    graph_backing_trim(device);
}

void memory_leaks(struct memory_leaks *out)
{
    struct allocation *a;
    *out = (struct memory_leaks){0};
    RB_FOREACH(a, allocation_tree, &live)
    {
        if (!out->n)
            out->first = a;
        out->n++;
        out->bytes += a->hi - a->lo;
    }
}

/* ---- device memory --------------------------------------------------------------------------- */

static cudaError_t take(void **out, size_t bytes, const char *call)
{
    if (!out)
        return cudaErrorInvalidValue;
    *out = NULL;
    if (bytes == 0)
        return cudaSuccess;
    cudaError_t e = capture_unsafe_call();
    if (e != cudaSuccess)
        return e;
    struct device *d = &sim.devices[thread_self()->device];
    void *p = arena_take(d, bytes);
    if (!p)
        return cudaErrorMemoryAllocation;
    memory_add(p, bytes, MEMORY_DEVICE, d->id, call);
    memory_poison(p, bytes);
    *out = p;
    return cudaSuccess;
}

EXPORT cudaError_t cudaMalloc(void **out, size_t bytes)
{
    cudaError_t e;
    if (!out)
        return api_refuse("cudaMalloc", cudaErrorInvalidValue);
    if (call_is_for_nothing(bytes == 0)) {
        *out = NULL;
        return cudaSuccess;
    }
    if (!api_enter(COST_MALLOC, "cudaMalloc", &e))
        return e;
    return api_leave(take(out, bytes, "cudaMalloc"));
}

enum { PITCH_ALIGNMENT = 512 }; /* of cudaMallocPitch, as seen on an H200 */

/* Rows of `width` bytes, each at an aligned address. More than can be counted is more than there
 * is. */
static cudaError_t take_rows(void **out, size_t *pitch, size_t width, size_t height, size_t depth,
                             const char *call)
{
    size_t bytes;
    *out = NULL;
    if (width > SIZE_MAX - PITCH_ALIGNMENT)
        return cudaErrorMemoryAllocation;
    size_t aligned = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    if (__builtin_mul_overflow(aligned, height, &bytes) ||
        __builtin_mul_overflow(bytes, depth, &bytes))
        return cudaErrorMemoryAllocation;
    *pitch = aligned;
    return take(out, bytes, call);
}

EXPORT cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
    cudaError_t e;
    if (!api_enter(COST_MALLOC, "cudaMallocPitch", &e))
        return e;
    if (!out || !pitch)
        return api_leave(cudaErrorInvalidValue);
    e = take_rows(out, pitch, width, height, 1, "cudaMallocPitch");
    if (height == 0)
        *pitch = 0;
    return api_leave(e);
}

EXPORT cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    cudaError_t e;
    if (!api_enter(COST_MALLOC, "cudaMalloc3D", &e))
        return e;
    if (!out)
        return api_leave(cudaErrorInvalidValue);
    *out = (struct cudaPitchedPtr){NULL, 0, extent.width, extent.height};
    return api_leave(take_rows(&out->ptr, &out->pitch, extent.width, extent.height, extent.depth,
                               "cudaMalloc3D"));
}

void memory_free_now(struct allocation *a)
{
    struct device *d = &sim.devices[a->device];
    void *p = (void *)(uintptr_t)a->lo;
    size_t bytes = a->hi - a->lo;
    if (a->kind == MEMORY_POOL) {
        mempool_free_unordered(a);
        return;
    }
    memory_remove(a);
    arena_give(d, p, bytes);
}

EXPORT cudaError_t cudaFree(void *p)
{
    cudaError_t e;
    if (!api_enter(COST_FREE, "cudaFree", &e))
        return e;
    e = capture_unsafe_call();
    if (e != cudaSuccess)
        return api_leave(e);
    if (!p)
        return api_leave(cudaSuccess);
    struct allocation *a = memory_find(p);
    if (a && a->kind == MEMORY_GRAPH)
        return api_leave(graph_memory_free(p));
    if (!a || a->lo != (uint64_t)(uintptr_t)p ||
        (a->kind != MEMORY_DEVICE && a->kind != MEMORY_POOL))
        return api_leave(cudaErrorInvalidValue);
    if (a->kind == MEMORY_DEVICE)
        device_wait_idle(&sim.devices[a->device]);
    memory_free_now(a);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaMemGetInfo", &e))
        return e;
    size_t total = (size_t)sim.profile.memory_bytes;
    if (total_bytes)
        *total_bytes = total;
    if (free_bytes)
        *free_bytes = total - (size_t)sim.devices[thread_self()->device].used_bytes;
    return api_leave(cudaSuccess);
}

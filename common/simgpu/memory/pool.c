/*
 * mempool.c: stream-ordered memory. A freed block stays in its pool and is handed out again to work
 * that is ordered after its free: in the same stream at once, elsewhere when the order of events or
 * of time allows it.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* A block that was given back to a pool. */
struct pool_block {
    void *p;
    size_t bytes;                /* rounded */
    const struct stream *stream; /* of the free; compared only */
    struct device *orphan_of;    /* its pool is gone: back to this device at the free */
    struct stamp freed;
    bool done; /* the stream has come to the free */
    int refs;  /* the pool's list, the free operation */
    struct pool_block *next;
};

struct mempool {
    struct device *device;
    uint64_t release_threshold;       /* bytes kept over a synchronise */
    uint64_t used, used_high;         /* bytes asked for and not freed */
    uint64_t reserved, reserved_high; /* taken from the device, in chunks */
    uint64_t in_blocks;               /* bytes of the blocks that are handed out or free */
    uint64_t max_bytes;               /* the pool may reserve no more; 0: no limit */
    int reuse[3]; /* the three reuse attributes, in the order of enum cudaMemPoolAttr */
    struct pool_block *blocks;         /* free ones, oldest first */
    unsigned char access[MAX_DEVICES]; /* of each device: enum cudaMemAccessFlags */
    int refs;                          /* the handle, its allocations */
    struct mempool *next;              /* all pools */
};

static struct mempool *pools;

/* ---- pools ----------------------------------------------------------------------------------- */

static struct mempool *pool_new(struct device *d)
{
    struct mempool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->device = d;
    pool->refs = 1;
    pool->access[d->id] = cudaMemAccessFlagsProtReadWrite;
    pool->reuse[0] = pool->reuse[1] = pool->reuse[2] = 1;
    pool->next = pools;
    pools = pool;
    handle_add(pool, HANDLE_POOL);
    return pool;
}

unsigned char *mempool_access(cudaMemPool_t handle, int *own_device)
{
    if (handle_type_of(handle) != HANDLE_POOL)
        return NULL;
    struct mempool *pool = (struct mempool *)handle;
    *own_device = pool->device->id;
    return pool->access;
}

static struct mempool *default_pool(struct device *d)
{
    if (!d->default_pool) {
        d->default_pool = pool_new(d);
        if (!d->default_pool)
            fatal("out of memory for the default memory pool");
    }
    return d->default_pool;
}

static struct mempool *current_pool(struct device *d)
{
    return d->pool ? d->pool : default_pool(d);
}

static struct mempool *pool_of(cudaMemPool_t handle)
{
    return handle_type_of(handle) == HANDLE_POOL ? (struct mempool *)handle : NULL;
}

static void block_put(struct pool_block *b)
{
    if (--b->refs > 0)
        return;
    order_drop(&b->freed);
    free(b);
}

/* As seen on an H200: a pool grows by 32 MiB. */
static const uint64_t chunk_bytes = (uint64_t)32 << 20;

/* What the pool takes from the device, or gives back to it, costs the thread whose call does it. */
static void count_reserved(struct mempool *pool)
{
    uint64_t before = pool->reserved;
    pool->reserved = (pool->in_blocks + chunk_bytes - 1) / chunk_bytes * chunk_bytes;
    if (pool->reserved > before)
        thread_self()->clock += us_to_ns(sim.profile.pool_grow_us);
    if (pool->reserved < before)
        thread_self()->clock += us_to_ns(sim.profile.pool_shrink_us);
    if (pool->reserved > pool->reserved_high)
        pool->reserved_high = pool->reserved;
}

/* Gives finished free blocks back to the device, oldest first, until no more than `keep` bytes are
 * reserved. */
static void trim(struct mempool *pool, uint64_t keep)
{
    struct pool_block **at = &pool->blocks;
    while (*at && pool->reserved > keep) {
        struct pool_block *b = *at;
        if (!b->done) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        pool->in_blocks -= b->bytes;
        count_reserved(pool);
        arena_give(pool->device, b->p, b->bytes);
        block_put(b);
    }
}

void mempool_trim_at_sync(void)
{
    for (struct mempool *pool = pools; pool; pool = pool->next)
        if (pool->reserved > pool->release_threshold && pool->blocks)
            trim(pool, pool->release_threshold);
}

static void pool_put(struct mempool *pool)
{
    if (--pool->refs > 0)
        return;
    trim(pool, 0);
    for (struct pool_block *b = pool->blocks, *next; b; b = next) {
        next = b->next;
        b->orphan_of = pool->device;
        block_put(b);
    }
    struct mempool **at = &pools;
    while (*at != pool)
        at = &(*at)->next;
    *at = pool->next;
    free(pool);
}

/* ---- allocation ------------------------------------------------------------------------------ */

static bool may_reuse(const struct pool_block *b, const struct stream *s)
{
    return b->done || b->stream == s || (sim.checks && order_before(&b->freed, &s->stamp));
}

/* *idle: no pending work may still use it. */
static void *take_block(struct mempool *pool, size_t bytes, const struct stream *s, bool *idle)
{
    *idle = true;
    for (struct pool_block **at = &pool->blocks; *at; at = &(*at)->next) {
        struct pool_block *b = *at;
        if (b->bytes != bytes || !may_reuse(b, s))
            continue;
        *at = b->next;
        void *p = b->p;
        *idle = b->done;
        block_put(b);
        return p;
    }
    if (pool->max_bytes && pool->in_blocks + bytes > pool->max_bytes)
        return NULL;
    void *p = arena_take(pool->device, bytes);
    if (p) {
        pool->in_blocks += bytes;
        count_reserved(pool);
    }
    return p;
}

static cudaError_t allocate(void **out, size_t bytes, struct mempool *pool, cudaStream_t stream)
{
    struct stream *s;
    if (!out)
        return cudaErrorInvalidValue;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess || (!s->capture && (e = capture_unsafe_call()) != cudaSuccess))
        return e;
    *out = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (s->capture)
        return capture_alloc(s, bytes, out);
    struct mempool *from = pool ? pool : current_pool(s->device);
    if ((double)bytes > sim.profile.memory_bytes)
        return cudaErrorMemoryAllocation;
    size_t rounded = arena_round(bytes);
    struct op *op = op_new(&(struct work){.kind = OP_MARKER, .name = "cudaMallocAsync"}, s);
    op_submit(op, NULL, NULL);
    bool idle;
    void *p = take_block(from, rounded, s, &idle);
    if (!p) {
        op_put(op);
        return cudaErrorMemoryAllocation;
    }
    from->used += bytes;
    from->refs++;
    if (from->used > from->used_high)
        from->used_high = from->used;
    struct allocation *a = memory_add(p, bytes, MEMORY_POOL, from->device->id, "cudaMallocAsync");
    a->pool = from;
    if (sim.checks) {
        struct simgpu_site site;
        site_of(op, &site);
        history_begin(a->history, &op->stamp, &site);
    }
    if (idle)
        memory_poison(p, bytes);
    op_put(op);
    *out = p;
    return cudaSuccess;
}

EXPORT cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_MALLOC_ASYNC, "cudaMallocAsync", &e))
        return e;
    return api_leave(allocate(out, bytes, NULL, stream));
}

EXPORT cudaError_t cudaMallocFromPoolAsync(void **out, size_t bytes, cudaMemPool_t handle,
                                           cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_MALLOC_ASYNC, "cudaMallocFromPoolAsync", &e))
        return e;
    struct mempool *pool = pool_of(handle);
    return api_leave(pool ? allocate(out, bytes, pool, stream) : cudaErrorInvalidValue);
}

/* ---- free ------------------------------------------------------------------------------------ */

void mempool_free_now(struct op *op)
{
    struct pool_block *b = op->work.block;
    b->done = true;
    if (b->orphan_of)
        arena_give(b->orphan_of, b->p, b->bytes);
    block_put(b);
}

/* The allocation is over; its block is the pool's. */
static void end_allocation(struct allocation *a)
{
    struct mempool *pool = a->pool;
    pool->used -= a->hi - a->lo;
    memory_remove(a);
    pool_put(pool);
}

void mempool_free_unordered(struct allocation *a)
{
    struct mempool *pool = a->pool;
    void *p = (void *)(uintptr_t)a->lo;
    size_t rounded = arena_round(a->hi - a->lo);
    pool->in_blocks -= rounded;
    count_reserved(pool);
    struct device *d = pool->device;
    struct simgpu_site site = {.name = "cudaFree", .stream = -1, .node = -1};
    if (sim.checks)
        history_end(a->history, &sim.host, &site);
    end_allocation(a);
    arena_give(d, p, rounded);
}

static cudaError_t release(void *p, cudaStream_t stream)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess || (!s->capture && (e = capture_unsafe_call()) != cudaSuccess))
        return e;
    if (!p)
        return cudaSuccess;
    if (s->capture)
        return capture_free(s, p);
    struct allocation *a = memory_find(p);
    if (a && a->kind == MEMORY_GRAPH)
        return graph_memory_free(p);
    if (!a || a->lo != (uint64_t)(uintptr_t)p ||
        (a->kind != MEMORY_POOL && a->kind != MEMORY_DEVICE))
        return cudaErrorInvalidValue;
    if (a->kind == MEMORY_DEVICE) {
        device_wait_idle(&sim.devices[a->device]);
        memory_free_now(a);
        return cudaSuccess;
    }
    struct pool_block *b = calloc(1, sizeof *b);
    if (!b)
        fatal("out of memory for a free block");
    *b = (struct pool_block){.p = p, .bytes = arena_round(a->hi - a->lo), .stream = s, .refs = 2};
    struct op *op = op_new(&(struct work){.kind = OP_FREE, .name = "cudaFreeAsync", .block = b}, s);
    op_submit(op, NULL, NULL);
    if (sim.checks) {
        struct simgpu_site site;
        site_of(op, &site);
        b->freed = order_copy(&op->stamp);
        history_end(a->history, &op->stamp, &site);
    }
    struct pool_block **end = &a->pool->blocks;
    while (*end)
        end = &(*end)->next;
    *end = b;
    end_allocation(a);
    op_put(op);
    return cudaSuccess;
}

EXPORT cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
    cudaError_t e;
    if (!api_enter(COST_FREE_ASYNC, "cudaFreeAsync", &e))
        return e;
    return api_leave(release(p, stream));
}

/* ---- the pool calls -------------------------------------------------------------------------- */

EXPORT cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaDeviceGetDefaultMemPool", &e))
        return e;
    if (!out)
        return api_leave(cudaErrorInvalidValue);
    if (device < 0 || device >= sim.n_devices)
        return api_leave(cudaErrorInvalidDevice);
    *out = (cudaMemPool_t)default_pool(&sim.devices[device]);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaDeviceGetMemPool", &e))
        return e;
    if (!out)
        return api_leave(cudaErrorInvalidValue);
    if (device < 0 || device >= sim.n_devices)
        return api_leave(cudaErrorInvalidValue);
    *out = (cudaMemPool_t)current_pool(&sim.devices[device]);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaDeviceSetMemPool", &e))
        return e;
    if ((e = capture_unsafe_call()) != cudaSuccess)
        return api_leave(e);
    struct mempool *pool = pool_of(handle);
    if (device < 0 || device >= sim.n_devices)
        return api_leave(cudaErrorInvalidDevice);
    if (!pool || pool->device->id != device)
        return api_leave(cudaErrorInvalidValue);
    sim.devices[device].pool = pool;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    cudaError_t e;
    if (!api_enter(COST_MALLOC, "cudaMemPoolCreate", &e))
        return e;
    if ((e = capture_unsafe_call()) != cudaSuccess)
        return api_leave(e);
    if (!out || !props || props->allocType != cudaMemAllocationTypePinned)
        return api_leave(cudaErrorInvalidValue);
    if (props->location.type != cudaMemLocationTypeDevice || props->location.id < 0 ||
        props->location.id >= sim.n_devices)
        return api_leave(cudaErrorInvalidValue);
    struct mempool *pool = pool_new(&sim.devices[props->location.id]);
    *out = (cudaMemPool_t)pool;
    if (pool)
        pool->max_bytes = props->maxSize;
    return api_leave(pool ? cudaSuccess : cudaErrorMemoryAllocation);
}

EXPORT cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle)
{
    cudaError_t e;
    if (!api_enter(COST_FREE, "cudaMemPoolDestroy", &e))
        return e;
    if ((e = capture_unsafe_call()) != cudaSuccess)
        return api_leave(e);
    struct mempool *pool = pool_of(handle);
    if (!pool || pool == pool->device->default_pool)
        return api_leave(cudaErrorInvalidValue);
    if (pool->device->pool == pool)
        pool->device->pool = NULL;
    handle_remove(pool);
    pool_put(pool);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep)
{
    cudaError_t e;
    if (!api_enter(COST_FREE, "cudaMemPoolTrimTo", &e))
        return e;
    if ((e = capture_unsafe_call()) != cudaSuccess)
        return api_leave(e);
    struct mempool *pool = pool_of(handle);
    if (!pool)
        return api_leave(cudaErrorInvalidValue);
    trim(pool, keep);
    return api_leave(cudaSuccess);
}

static uint64_t *counter(struct mempool *pool, enum cudaMemPoolAttr attribute)
{
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
        return &pool->release_threshold;
    case cudaMemPoolAttrReservedMemCurrent:
        return &pool->reserved;
    case cudaMemPoolAttrReservedMemHigh:
        return &pool->reserved_high;
    case cudaMemPoolAttrUsedMemCurrent:
        return &pool->used;
    case cudaMemPoolAttrUsedMemHigh:
        return &pool->used_high;
    default:
        return NULL;
    }
}

static bool is_reuse(enum cudaMemPoolAttr attribute)
{
    return attribute >= cudaMemPoolReuseFollowEventDependencies &&
           attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

EXPORT cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                           void *value)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaMemPoolGetAttribute", &e))
        return e;
    if ((e = capture_unsafe_call()) != cudaSuccess)
        return api_leave(e);
    struct mempool *pool = pool_of(handle);
    if (!pool || !value)
        return api_leave(cudaErrorInvalidValue);
    const uint64_t *count = counter(pool, attribute);
    if (count)
        memcpy(value, count, sizeof *count);
    else if (is_reuse(attribute))
        *(int *)value = pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
    else
        return api_leave(cudaErrorInvalidValue);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                           void *value)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaMemPoolSetAttribute", &e))
        return e;
    if ((e = capture_unsafe_call()) != cudaSuccess)
        return api_leave(e);
    struct mempool *pool = pool_of(handle);
    if (!pool || !value)
        return api_leave(cudaErrorInvalidValue);
    if (is_reuse(attribute)) {
        pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *(int *)value != 0;
        return api_leave(cudaSuccess);
    }
    uint64_t given;
    memcpy(&given, value, sizeof given);
    if (attribute == cudaMemPoolAttrReleaseThreshold)
        pool->release_threshold = given;
    else if (attribute == cudaMemPoolAttrReservedMemHigh && given == 0)
        pool->reserved_high = pool->reserved;
    else if (attribute == cudaMemPoolAttrUsedMemHigh && given == 0)
        pool->used_high = pool->used;
    else
        return api_leave(cudaErrorInvalidValue);
    return api_leave(cudaSuccess);
}

/* pool.c: stream-ordered memory. A freed block stays in its pool and is handed out again to work
 * that is ordered after its free: in the same stream at once, elsewhere when the order of events or
 * of time allows it. */
#include <stdlib.h>

#include "memory.h"

static struct mempool *pools;
static uint64_t n_pools; /* ever made */

/* ---- pools ----------------------------------------------------------------------------------- */

struct mempool *pool_of(cudaMemPool_t handle)
{
    return handle_type_of(handle) == HANDLE_POOL ? (struct mempool *)handle : NULL;
}

struct mempool *pool_new(struct device *d)
{
    struct mempool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->device = d;
    pool->refs = 1;
    pool->serial = ++n_pools;
    pool->access[d->id] = cudaMemAccessFlagsProtReadWrite;
    pool->reuse[0] = pool->reuse[1] = pool->reuse[2] = 1;
    pool->next = pools;
    pools = pool;
    handle_add(pool, HANDLE_POOL);
    return pool;
}

struct mempool *pool_default(struct device *d)
{
    if (!d->default_pool) {
        d->default_pool = pool_new(d);
        if (!d->default_pool)
            fatal("out of memory for the default memory pool");
    }
    return d->default_pool;
}

struct mempool *pool_current(struct device *d)
{
    return d->pool ? d->pool : pool_default(d);
}

static void block_put(struct pool_block *b)
{
    if (--b->refs > 0)
        return;
    epoch_drop(&b->freed);
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
        thread_self()->clock += cost_pool_grow();
    if (pool->reserved < before)
        thread_self()->clock += cost_pool_shrink();
    if (pool->reserved > pool->reserved_high)
        pool->reserved_high = pool->reserved;
}

void pool_trim(struct mempool *pool, uint64_t keep)
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

void pool_trim_at_sync(void)
{
    for (struct mempool *pool = pools; pool; pool = pool->next)
        if (pool->reserved > pool->release_threshold && pool->blocks)
            pool_trim(pool, pool->release_threshold);
}

void pool_put(struct mempool *pool)
{
    if (--pool->refs > 0)
        return;
    pool_trim(pool, 0);
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

/* It has been in use until now. */
static void count_freed(struct pool_block *b)
{
    memory_use(-b->used);
    b->used = 0;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool may_reuse(const struct pool_block *b, const struct stream *s, const struct epoch *after)
{
    return b->done || b->stream == s || (sim.checks && epoch_before(&b->freed, after));
}

/* The free block to use again, or NULL. */
static struct pool_block *take_block(struct mempool *pool, size_t bytes, const struct stream *s,
                                     const struct epoch *after)
{
    uint64_t draw = ops_opened();
    for (struct pool_block **at = &pool->blocks; *at; at = &(*at)->next) {
        struct pool_block *b = *at;
        if (b->bytes != bytes || !may_reuse(b, s, after) ||
            (!pool->max_bytes && freedom_other_way(FREEDOM_POOL_REUSE, draw++)))
            continue;
        *at = b->next;
        return b;
    }
    return NULL;
}

void *pool_take(struct mempool *pool, size_t bytes, const struct stream *s,
                const struct epoch *after, bool *idle)
{
    *idle = true;
    struct pool_block *b = take_block(pool, bytes, s, after);
    if (b) {
        void *p = b->p;
        count_freed(b);
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

static void free_done(struct op *op, ns_t now)
{
    struct pool_block *b = op->work.block;
    (void)now;
    count_freed(b);
    b->done = true;
    if (b->orphan_of)
        arena_give(b->orphan_of, b->p, b->bytes);
    if (b->import)
        shared_unmap(b->import);
    block_put(b);
}

const struct op_type pool_free_type = {.done = free_done};

static void end_allocation(struct allocation *a)
{
    struct mempool *pool = a->pool;
    pool->used -= a->hi - a->lo;
    memory_remove(a);
    pool_put(pool);
}

void pool_free_unordered(struct allocation *a)
{
    struct mempool *pool = a->pool;
    void *p = (void *)(uintptr_t)a->lo;
    size_t rounded = arena_round(a->hi - a->lo);
    pool->in_blocks -= rounded;
    count_reserved(pool);
    struct device *d = pool->device;
    struct simgpu_site site = {
        .name = "cudaFree", .stream = -1, .node = -1, .caller = call_place()};
    if (sim.checks) {
        epoch_advance(&host_epoch); /* what is pending does not come after this call */
        history_end(a->history, &host_epoch, &site);
    }
    end_allocation(a);
    arena_give(d, p, rounded);
}

struct pool_block *pool_block_of(const struct allocation *a, const struct stream *s)
{
    struct pool_block *b = needed(calloc(1, sizeof *b), "a free block");
    *b = (struct pool_block){
        .p = (void *)(uintptr_t)a->lo, .bytes = arena_round(a->hi - a->lo), .stream = s, .refs = 2};
    return b;
}

void pool_give(struct allocation *a, struct pool_block *b)
{
    if (a->kind == MEMORY_SHARED) {
        b->import = shared_end(a);
        b->refs--; /* no pool keeps it */
        return;
    }
    struct pool_block **end = &a->pool->blocks;
    while (*end)
        end = &(*end)->next;
    *end = b;
    b->used = b->done ? 0 : (int64_t)(a->hi - a->lo);
    end_allocation(a);
    memory_use(b->used);
}

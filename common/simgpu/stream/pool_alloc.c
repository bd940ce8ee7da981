/* pool_alloc.c: stream-ordered allocation. Memory begins and ends at operations of a stream. */
#include "stream.h"

cudaError_t stream_allocate(void **out, size_t bytes, struct mempool *from, struct stream *s)
{
    size_t rounded = arena_round(bytes);
    struct op *op = op_new(
        &(struct work){.kind = OP_MARKER, .name = "cudaMallocAsync", .caller = call_place()}, s);
    op->work.waits = stream_waits(s);
    op_submit(op, NULL, NULL);
    bool idle;
    void *p = pool_take(from, rounded, s, &s->epoch, &idle);
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
        history_begin(a->history, &op->epoch, &site);
    }
    if (idle)
        memory_poison(p, bytes);
    op_put(op);
    *out = p;
    return cudaSuccess;
}

void stream_free(struct allocation *a, struct stream *s)
{
    struct pool_block *b = pool_block_of(a, s);
    struct op *op = op_new(
        &(struct work){
            .kind = OP_FREE, .name = "cudaFreeAsync", .caller = call_place(), .block = b},
        s);
    op->work.waits = stream_waits(s);
    op_submit(op, NULL, NULL);
    if (sim.checks) {
        struct simgpu_site site;
        site_of(op, &site);
        b->freed = epoch_copy(&op->epoch);
        history_end(a->history, &op->epoch, &site);
    }
    pool_give(a, b);
    op_put(op);
}

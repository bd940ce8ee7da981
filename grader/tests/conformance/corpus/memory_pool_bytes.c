/* memory_pool_bytes.c: memory pools: bytes used and reserved. */
#include "../situation.h"

static void answer_reserved(cudaMemPool_t pool)
{
    uint64_t bytes = pool_value(pool, cudaMemPoolAttrReservedMemCurrent);
    answer_text("%llu MiB", (unsigned long long)bytes >> 20);
}

SITUATION("used bytes right after cudaFreeAsync after busy work; after synchronizing", "used: 0; 0")
{
    cudaMemPool_t pool = default_pool();
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(1 << 20, s);
    MUST(cudaStreamSynchronize(s));
    gate_shut(s);
    MUST(cudaFreeAsync(p, s));
    answer_used("", pool);
    gate_open();
    MUST(cudaStreamSynchronize(s));
    answer_used("", pool);
}

SITUATION("reserved bytes after cudaMallocAsync of 1 MiB; of 40 MiB more; after freeing and "
          "synchronizing; release threshold of UINT64_MAX: they stay after free and synchronize; "
          "cudaMemPoolTrimTo(0) gives them back; while memory is in use; cudaMemPoolTrimTo(NULL)",
          "bytes >> 20: 32 MiB; 64 MiB; 0 MiB; 32 MiB; 0 MiB; 32 MiB")
{
    cudaMemPool_t pool = default_pool();
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(1 << 20, s);
    answer_reserved(pool);
    void *q = async_bytes(40 << 20, s);
    answer_reserved(pool);
    MUST(cudaFreeAsync(p, s));
    MUST(cudaFreeAsync(q, s));
    MUST(cudaStreamSynchronize(s));
    answer_reserved(pool);
    uint64_t all = UINT64_MAX;
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    p = async_bytes(1 << 20, s);
    MUST(cudaFreeAsync(p, s));
    MUST(cudaStreamSynchronize(s));
    answer_reserved(pool);
    answer(cudaMemPoolTrimTo(pool, 0));
    answer_reserved(pool);
    async_bytes(1 << 20, s);
    MUST(cudaDeviceSynchronize());
    answer(cudaMemPoolTrimTo(pool, 0));
    answer_reserved(pool);
    gives(InvalidValue, cudaMemPoolTrimTo(NULL, 0));
}

SITUATION("cudaMemPoolDestroy while an allocation lives; the allocation is used, then freed")
{
    cudaMemPool_t mine = new_pool(0);
    void *p = NULL;
    answer(cudaMallocFromPoolAsync(&p, 4096, mine, 0));
    answer(cudaMemPoolDestroy(mine));
    answer(cudaMemset(p, 0, 4096));
    answer(cudaFreeAsync(p, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION("a pool with a maximum of 1 MiB: 1 MiB of it, 64 MiB of it")
{
    cudaMemPool_t pool = new_pool(1 << 20);
    void *p;
    answer(cudaMallocFromPoolAsync(&p, 1 << 20, pool, 0));
    gives(MemoryAllocation, cudaMallocFromPoolAsync(&p, 64 << 20, pool, 0));
    gives(MemoryAllocation, cudaGetLastError());
}

SITUATION("a pool's used and high-water bytes after 100 and 5000 bytes of it were allocated and "
          "one freed; high water set to 0; to 5",
          "answer_pool_attribute(cudaMemPoolAttrUsedMemCurrent): 5100; 100",
          "answer_pool_attribute(cudaMemPoolAttrUsedMemHigh): 5100; 100")
{
    cudaMemPool_t pool = new_pool(0);
    cudaStream_t s = new_stream(0);
    void *p, *q;
    unsigned long long v = 0;
    answer(cudaMallocFromPoolAsync(&p, 100, pool, s));
    answer(cudaMallocFromPoolAsync(&q, 5000, pool, s));
    MUST(cudaStreamSynchronize(s));
    answer_text("%llu", answer_pool_attribute(pool, cudaMemPoolAttrUsedMemCurrent));
    answer(cudaFreeAsync(q, s));
    MUST(cudaStreamSynchronize(s));
    answer_text("%llu", answer_pool_attribute(pool, cudaMemPoolAttrUsedMemCurrent));
    answer_text("%llu", answer_pool_attribute(pool, cudaMemPoolAttrUsedMemHigh));
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    answer_text("%llu", answer_pool_attribute(pool, cudaMemPoolAttrUsedMemHigh));
    v = 5;
    gives(InvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    gives(InvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &v));
}

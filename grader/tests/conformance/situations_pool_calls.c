/*
 * situations_pool_calls.c: stream-ordered allocation, pools and the memory of graphs.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"

static cudaMemPool_t new_pool(size_t max)
{
    cudaMemPool_t pool = NULL;
    struct cudaMemPoolProps p;
    memset(&p, 0, sizeof p);
    p.allocType = cudaMemAllocationTypePinned;
    p.location.type = cudaMemLocationTypeDevice;
    p.maxSize = max;
    MUST(cudaMemPoolCreate(&pool, &p));
    return pool;
}

static unsigned long long attribute(cudaMemPool_t pool, enum cudaMemPoolAttr a)
{
    unsigned long long v = 77;
    answer(cudaMemPoolGetAttribute(pool, a, &v));
    return v;
}

SITUATION(defaults,
          "a new pool's release threshold, used and reserved bytes; its three reuse policies")
{
    cudaMemPool_t pool = new_pool(0);
    int on = 7;
    answer_text("%llu", attribute(pool, cudaMemPoolAttrReleaseThreshold));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrUsedMemCurrent));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrReservedMemCurrent));
    for (int a = cudaMemPoolReuseFollowEventDependencies;
         a <= cudaMemPoolReuseAllowInternalDependencies; a++) {
        answer(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)a, &on));
        answer_text("%d", on);
    }
}

SITUATION(used, "a pool's used and high-water bytes after 100 and 5000 bytes of it were allocated "
                "and one freed; high water set to 0; to 5")
{
    cudaMemPool_t pool = new_pool(0);
    cudaStream_t s = new_stream(0);
    void *p, *q;
    unsigned long long v = 0;
    answer(cudaMallocFromPoolAsync(&p, 100, pool, s));
    answer(cudaMallocFromPoolAsync(&q, 5000, pool, s));
    MUST(cudaStreamSynchronize(s));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrUsedMemCurrent));
    answer(cudaFreeAsync(q, s));
    MUST(cudaStreamSynchronize(s));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrUsedMemCurrent));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrUsedMemHigh));
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrUsedMemHigh));
    v = 5;
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &v));
}

SITUATION(reserved, "a pool's reserved MiB after 1 byte, after its free and a synchronise; with "
                    "threshold 2^62; after cudaMemPoolTrimTo 0")
{
    cudaMemPool_t pool = new_pool(0);
    cudaStream_t s = new_stream(0);
    unsigned long long keep = 1ull << 62;
    void *p;
    answer(cudaMallocFromPoolAsync(&p, 1, pool, s));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrReservedMemCurrent) >> 20);
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrReservedMemCurrent) >> 20);
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    answer(cudaMallocFromPoolAsync(&p, 1, pool, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrReservedMemCurrent) >> 20);
    answer(cudaMemPoolTrimTo(pool, 0));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrReservedMemCurrent) >> 20);
}

SITUATION(
    alloc_sizes,
    "cudaMallocAsync of 0 bytes; of 1 PiB; of -1; cudaFreeAsync of NULL; of what it gave for 0")
{
    cudaStream_t s = new_stream(0);
    void *p = (void *)(uintptr_t)1;
    answer(cudaMallocAsync(&p, 0, s));
    answer_text("%s", p ? "a pointer" : "NULL");
    answer(cudaFreeAsync(p, s));
    answer(cudaMallocAsync(&p, 1ull << 50, s));
    answer(cudaMallocAsync(&p, SIZE_MAX, s));
    answer(cudaFreeAsync(NULL, s));
    answer(cudaMallocAsync(NULL, 64, s));
}

SITUATION(free_twice, "cudaFreeAsync twice; cudaFree of memory of cudaMallocAsync; twice; "
                      "cudaFreeAsync of memory of cudaMalloc")
{
    cudaStream_t s = new_stream(0);
    void *p, *q, *r;
    MUST(cudaMallocAsync(&p, 64, s));
    MUST(cudaMallocAsync(&q, 64, s));
    MUST(cudaMalloc(&r, 64));
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaFree(q));
    answer(cudaFree(q));
    answer(cudaFreeAsync(r, s));
    answer(cudaFreeAsync((char *)r + 8, s));
}

SITUATION(max_size, "a pool with a maximum of 1 MiB: 1 MiB of it, 64 MiB of it")
{
    cudaMemPool_t pool = new_pool(1 << 20);
    void *p;
    answer(cudaMallocFromPoolAsync(&p, 1 << 20, pool, 0));
    answer(cudaMallocFromPoolAsync(&p, 64 << 20, pool, 0));
    answer(cudaGetLastError());
}

SITUATION(destroy, "cudaMemPoolDestroy of the default pool; of a pool with an allocation; the "
                   "allocation is used and freed after; twice")
{
    cudaMemPool_t pool = new_pool(0), def = NULL;
    cudaStream_t s = new_stream(0);
    void *p;
    answer(cudaDeviceGetDefaultMemPool(&def, 0));
    answer(cudaMemPoolDestroy(def));
    MUST(cudaMallocFromPoolAsync(&p, 64, pool, s));
    answer(cudaMemPoolDestroy(pool));
    answer(cudaMemsetAsync(p, 1, 64, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(set_device_pool,
          "cudaDeviceSetMemPool to a new pool: cudaMallocAsync takes from it; "
          "cudaDeviceGetMemPool; destroyed: the current pool is the default again?")
{
    cudaMemPool_t pool = new_pool(0), got = NULL, def = NULL;
    void *p;
    MUST(cudaDeviceGetDefaultMemPool(&def, 0));
    answer(cudaDeviceGetMemPool(&got, 0));
    answer_text("%s", got == def ? "default" : "other");
    answer(cudaDeviceSetMemPool(0, pool));
    answer(cudaDeviceGetMemPool(&got, 0));
    answer_text("%s", got == pool ? "mine" : "other");
    answer(cudaMallocAsync(&p, 64, 0));
    answer_text("%llu", attribute(pool, cudaMemPoolAttrUsedMemCurrent));
    answer(cudaFreeAsync(p, 0));
    MUST(cudaDeviceSynchronize());
    answer(cudaMemPoolDestroy(pool));
    answer(cudaDeviceGetMemPool(&got, 0));
    answer_text("%s", got == def ? "default" : "other");
}

SITUATION(props_bad, "cudaMemPoolCreate with all zero properties; with location device 99; with "
                     "type Managed; with NULL")
{
    cudaMemPool_t pool = NULL;
    struct cudaMemPoolProps p;
    memset(&p, 0, sizeof p);
    answer(cudaMemPoolCreate(&pool, &p));
    p.allocType = cudaMemAllocationTypePinned;
    answer(cudaMemPoolCreate(&pool, &p));
    p.location.type = cudaMemLocationTypeDevice;
    p.location.id = 99;
    answer(cudaMemPoolCreate(&pool, &p));
    p.location.id = 0;
    p.maxSize = 1;
    answer(cudaMemPoolCreate(&pool, &p));
}

SITUATION(access, "cudaMemPoolGetAccess of device 0; of device 99; cudaMemPoolSetAccess of device "
                  "0 to none; to read")
{
    cudaMemPool_t pool = new_pool(0);
    enum cudaMemAccessFlags flags = (enum cudaMemAccessFlags)7;
    struct cudaMemLocation at = {.type = cudaMemLocationTypeDevice};
    struct cudaMemAccessDesc d = {.location = at, .flags = cudaMemAccessFlagsProtNone};
    answer(cudaMemPoolGetAccess(&flags, pool, &at));
    answer_text("%d", (int)flags);
    answer(cudaMemPoolSetAccess(pool, &d, 1));
    d.flags = cudaMemAccessFlagsProtRead;
    answer(cudaMemPoolSetAccess(pool, &d, 1));
    at.id = 99;
    answer(cudaMemPoolGetAccess(&flags, pool, &at));
}

SITUATION(stale_stream, "cudaMallocAsync in one stream, freed in another without order, allocated "
                        "again in the first: same address or not after a synchronise")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    void *p, *q;
    answer(cudaMallocAsync(&p, 64, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaMallocAsync(&q, 64, s));
    answer_text("%s", p == q ? "same" : "other");
    answer(cudaFreeAsync(q, s));
}

SITUATION(graph_memory, "cudaDeviceGetGraphMemAttribute of the four before any graph; setting "
                        "used-high to 0, to 5; of used-current; of device 99; trim")
{
    unsigned long long v;
    for (int a = 0; a < 4; a++) {
        v = 77;
        answer(cudaDeviceGetGraphMemAttribute(0, (enum cudaGraphMemAttributeType)a, &v));
        answer_text("%llu", v);
    }
    v = 0;
    answer(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &v));
    v = 5;
    answer(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &v));
    answer(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &v));
    answer(cudaDeviceGetGraphMemAttribute(99, cudaGraphMemAttrUsedMemCurrent, &v));
    answer(cudaDeviceGraphMemTrim(0));
    answer(cudaDeviceGraphMemTrim(99));
}

SITUATION(graph_footprint, "graph memory after instantiate, after a launch, after exec destroy, "
                           "after trim: used and reserved MiB of an 8 MiB allocation with its free")
{
    cudaGraph_t g = new_graph();
    void *p;
    cudaGraphNode_t a = add_alloc(g, NULL, 8 << 20, &p);
    add_free(g, a, p);
    cudaGraphExec_t x = new_exec(g);
    unsigned long long used, kept;
    for (int i = 0; i < 4; i++) {
        MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
        MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &kept));
        answer_text("%llu %llu", used >> 20, kept >> 20);
        if (i == 0)
            answer_run(x);
        else if (i == 1)
            answer(cudaGraphExecDestroy(x));
        else if (i == 2)
            answer(cudaDeviceGraphMemTrim(0));
    }
}

/*
 * situations_pools.c: stream-ordered allocation and its pools.
 */
#include <stdint.h>
#include <string.h>

#include "situations.h"

static cudaMemPool_t default_pool(void)
{
    cudaMemPool_t pool = NULL;
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    return pool;
}

static cudaMemPool_t new_pool(void)
{
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
    cudaMemPool_t pool = NULL;
    MUST(cudaMemPoolCreate(&pool, &props));
    return pool;
}

static void *async_bytes(size_t n, cudaStream_t s)
{
    void *p = NULL;
    MUST(cudaMallocAsync(&p, n, s));
    return p;
}

static uint64_t pool_value(cudaMemPool_t pool, enum cudaMemPoolAttr attribute)
{
    uint64_t v = 99;
    MUST(cudaMemPoolGetAttribute(pool, attribute, &v));
    return v;
}

static void answer_used(const char *whose, cudaMemPool_t pool)
{
    answer_text("%s%llu", whose,
                (unsigned long long)pool_value(pool, cudaMemPoolAttrUsedMemCurrent));
}

static void answer_reserved(cudaMemPool_t pool)
{
    uint64_t bytes = pool_value(pool, cudaMemPoolAttrReservedMemCurrent);
    answer_text("%llu MiB", (unsigned long long)bytes >> 20);
}

SITUATION(async_edges, "cudaMallocAsync: 0 bytes; NULL; 1 PiB; in 0")
{
    void *p = &p;
    cudaStream_t s = new_stream(0);
    answer(cudaMallocAsync(&p, 0, s));
    answer_text(p == NULL ? "NULL" : p == &p ? "untouched" : "other");
    answer(cudaMallocAsync(NULL, 64, s));
    answer(cudaMallocAsync(&p, (size_t)1 << 50, s));
    answer(cudaMallocAsync(&p, 64, 0));
}

SITUATION(async_free_bad,
          "cudaFreeAsync: NULL; malloc memory; pinned memory; a pointer inside an allocation")
{
    cudaStream_t s = new_stream(0);
    char *p = async_bytes(4096, s);
    answer(cudaFreeAsync(NULL, s));
    answer(cudaFreeAsync(pageable_bytes(64), s));
    answer(cudaFreeAsync(pinned_bytes(64), s));
    answer(cudaFreeAsync(p + 256, s));
    answer(cudaFreeAsync(p, s));
}

SITUATION(async_free_twice, "cudaFreeAsync twice; synchronise")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(4096, s);
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(async_free_twice_later, "cudaFreeAsync, synchronise, cudaFreeAsync; then cudaFree")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(4096, s);
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaFreeAsync(p, s));
    answer(cudaFree(p));
}

SITUATION(async_free_sync, "cudaFree of cudaMallocAsync memory; twice")
{
    void *p = async_bytes(4096, 0);
    answer(cudaFree(p));
    answer(cudaFree(p));
}

SITUATION(async_free_of_malloc, "cudaFreeAsync of cudaMalloc memory; then cudaFree of it")
{
    void *p = device_bytes(4096);
    cudaStream_t s = new_stream(0);
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaFree(p));
}

SITUATION(async_free_other_stream, "cudaFreeAsync in another stream than that of the allocation")
{
    cudaStream_t a = new_stream(0), b = new_stream(0);
    void *p = async_bytes(4096, a);
    MUST(cudaStreamSynchronize(a));
    answer(cudaFreeAsync(p, b));
    answer(cudaStreamSynchronize(b));
}

SITUATION(async_use, "cudaMallocAsync, memset, copy back, cudaFreeAsync in one stream")
{
    cudaStream_t s = new_stream(0);
    unsigned char *h = pinned_bytes(4096);
    void *p = async_bytes(4096, s);
    answer(cudaMemsetAsync(p, 6, 4096, s));
    answer(cudaMemcpyAsync(h, p, 4096, cudaMemcpyDeviceToHost, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d", h[4095]);
}

SITUATION(async_use_after_free, "cudaMemsetAsync and cudaMemcpyAsync of memory after its "
                                "cudaFreeAsync, same stream; after synchronising")
{
    cudaStream_t s = new_stream(0);
    unsigned char *h = pinned_bytes(4096);
    void *p = async_bytes(4096, s);
    MUST(cudaStreamSynchronize(s));
    MUST(cudaFreeAsync(p, s));
    answer(cudaMemsetAsync(p, 6, 4096, s));
    answer(cudaMemcpyAsync(h, p, 4096, cudaMemcpyDeviceToHost, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaMemsetAsync(p, 6, 4096, s));
}

SITUATION(async_past_end,
          "cudaMemsetAsync past the end of cudaMallocAsync memory of 100 bytes: 101; 4096; 64 MiB")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(100, s);
    answer(cudaMemsetAsync(p, 0, 101, s));
    answer(cudaMemsetAsync(p, 0, 4096, s));
    answer(cudaMemsetAsync(p, 0, 64 << 20, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(async_reuse, "malloc, free, malloc of the same size in one stream: same pointer?")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(1 << 20, s);
    MUST(cudaFreeAsync(p, s));
    answer_text(async_bytes(1 << 20, s) == p ? "same" : "differs");
}

SITUATION(async_no_reuse_busy,
          "free behind busy work in one stream, malloc in another: same pointer?")
{
    cudaStream_t a = new_stream(cudaStreamNonBlocking), b = new_stream(cudaStreamNonBlocking);
    void *p = async_bytes(1 << 20, a);
    MUST(cudaStreamSynchronize(a));
    gate_shut(a);
    MUST(cudaFreeAsync(p, a));
    answer_text(async_bytes(1 << 20, b) == p ? "same" : "differs");
    gate_open();
    MUST(cudaDeviceSynchronize());
}

SITUATION(async_reuse_event, "free behind busy work in one stream, another stream waits for an "
                             "event behind it, malloc there: same pointer?")
{
    cudaStream_t a = new_stream(cudaStreamNonBlocking), b = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    void *p = async_bytes(1 << 20, a);
    MUST(cudaStreamSynchronize(a));
    gate_shut(a);
    MUST(cudaFreeAsync(p, a));
    MUST(cudaEventRecord(e, a));
    MUST(cudaStreamWaitEvent(b, e, 0));
    answer_text(async_bytes(1 << 20, b) == p ? "same" : "differs");
    gate_open();
    MUST(cudaDeviceSynchronize());
}

SITUATION(async_busy, "cudaMallocAsync and cudaFreeAsync behind busy work: wait or return")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(64, s);
    MUST(cudaStreamSynchronize(s));
    gate_shut(s);
    gate_open_later(100);
    void *q = async_bytes(64, s);
    answer_text("%s", gate_waited());
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(q, s));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(async_free_sync_busy,
          "cudaFree of cudaMallocAsync memory while its stream is busy: waits or returns")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(4096, s);
    gate_shut(s);
    gate_open_later(100);
    answer(cudaFree(p));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(pool_defaults, "default pool: reuse flags; release threshold; reserved, high, used, high")
{
    for (int a = 1; a <= 8; a++) {
        union {
            int flag;
            uint64_t value;
        } v = {.value = 0};
        answer(cudaMemPoolGetAttribute(default_pool(), (enum cudaMemPoolAttr)a, &v));
        answer_text("%llu", a <= 3 ? (unsigned long long)v.flag : (unsigned long long)v.value);
    }
}

SITUATION(
    pool_used,
    "used bytes after cudaMallocAsync of 1; of 1000 more; after freeing both and synchronising")
{
    cudaMemPool_t pool = default_pool();
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(1, s);
    answer_used("", pool);
    void *q = async_bytes(1000, s);
    answer_used("", pool);
    MUST(cudaFreeAsync(p, s));
    MUST(cudaFreeAsync(q, s));
    MUST(cudaStreamSynchronize(s));
    answer_used("", pool);
    answer_text("high %llu", (unsigned long long)pool_value(pool, cudaMemPoolAttrUsedMemHigh));
}

SITUATION(pool_used_busy,
          "used bytes right after cudaFreeAsync behind busy work; after synchronising")
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

SITUATION(pool_reserved, "reserved bytes after cudaMallocAsync of 1 MiB; of 40 MiB more; after "
                         "freeing and synchronising")
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
}

SITUATION(pool_threshold, "release threshold of UINT64_MAX: reserved bytes stay after free and "
                          "synchronise; cudaMemPoolTrimTo(0) gives them back")
{
    cudaMemPool_t pool = default_pool();
    cudaStream_t s = new_stream(0);
    uint64_t all = UINT64_MAX;
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    void *p = async_bytes(1 << 20, s);
    MUST(cudaFreeAsync(p, s));
    MUST(cudaStreamSynchronize(s));
    answer_reserved(pool);
    answer(cudaMemPoolTrimTo(pool, 0));
    answer_reserved(pool);
}

SITUATION(pool_trim_used,
          "cudaMemPoolTrimTo(0) while memory is in use: reserved bytes; cudaMemPoolTrimTo(NULL)")
{
    cudaMemPool_t pool = default_pool();
    async_bytes(1 << 20, new_stream(0));
    MUST(cudaDeviceSynchronize());
    answer(cudaMemPoolTrimTo(pool, 0));
    answer_reserved(pool);
    answer(cudaMemPoolTrimTo(NULL, 0));
}

SITUATION(pool_attribute_bad, "pool attribute 99; NULL value; NULL pool; set used current; set "
                              "used high to 5; to 0; reserved high to 0")
{
    cudaMemPool_t pool = default_pool();
    uint64_t v = 5;
    answer(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)99, &v));
    answer(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, NULL));
    answer(cudaMemPoolGetAttribute(NULL, cudaMemPoolAttrUsedMemCurrent, &v));
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &v));
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    v = 0;
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &v));
}

SITUATION(pool_reuse_flag, "set the reuse flag for event dependencies to 0, get")
{
    cudaMemPool_t pool = default_pool();
    int v = 0;
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &v));
    v = 99;
    answer(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &v));
    answer_text("%d", v);
}

SITUATION(pool_of_device, "cudaDeviceGetMemPool is the default pool; of device 99; NULL; "
                          "cudaDeviceGetDefaultMemPool of 99; NULL")
{
    cudaMemPool_t pool = NULL;
    answer(cudaDeviceGetMemPool(&pool, 0));
    answer_text(pool == default_pool() ? "same" : "differs");
    answer(cudaDeviceGetMemPool(&pool, 99));
    answer(cudaDeviceGetMemPool(NULL, 0));
    answer(cudaDeviceGetDefaultMemPool(&pool, 99));
    answer(cudaDeviceGetDefaultMemPool(NULL, 0));
}

SITUATION(pool_set, "cudaDeviceSetMemPool, then get, allocate: whose bytes are used; set NULL")
{
    cudaMemPool_t mine = new_pool(), pool = NULL;
    answer(cudaDeviceSetMemPool(0, mine));
    answer(cudaDeviceGetMemPool(&pool, 0));
    answer_text(pool == mine ? "mine" : "other");
    async_bytes(1000, 0);
    answer_used("mine ", mine);
    answer_used("default ", default_pool());
    answer(cudaDeviceSetMemPool(0, NULL));
}

SITUATION(pool_create_bad, "cudaMemPoolCreate: NULL pool; NULL properties; all zero; device 99")
{
    cudaMemPool_t pool = NULL;
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
    answer(cudaMemPoolCreate(NULL, &props));
    answer(cudaMemPoolCreate(&pool, NULL));
    props.location.id = 99;
    answer(cudaMemPoolCreate(&pool, &props));
    memset(&props, 0, sizeof props);
    answer(cudaMemPoolCreate(&pool, &props));
}

SITUATION(pool_destroy, "cudaMemPoolDestroy of a pool; of the default pool; of NULL")
{
    answer(cudaMemPoolDestroy(new_pool()));
    answer(cudaMemPoolDestroy(default_pool()));
    answer(cudaMemPoolDestroy(NULL));
}

SITUATION(pool_destroy_current,
          "cudaMemPoolDestroy of the device's current pool: which is current then")
{
    cudaMemPool_t mine = new_pool(), pool = NULL;
    MUST(cudaDeviceSetMemPool(0, mine));
    answer(cudaMemPoolDestroy(mine));
    answer(cudaDeviceGetMemPool(&pool, 0));
    answer_text(pool == default_pool() ? "default" : "other");
}

SITUATION(pool_destroy_used,
          "cudaMemPoolDestroy while an allocation lives; the allocation is used, then freed")
{
    cudaMemPool_t mine = new_pool();
    void *p = NULL;
    answer(cudaMallocFromPoolAsync(&p, 4096, mine, 0));
    answer(cudaMemPoolDestroy(mine));
    answer(cudaMemset(p, 0, 4096));
    answer(cudaFreeAsync(p, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(pool_alloc, "cudaMallocFromPoolAsync; NULL pool; NULL pointer; 0 bytes; 1 PiB")
{
    cudaMemPool_t mine = new_pool();
    void *p = NULL;
    answer(cudaMallocFromPoolAsync(&p, 4096, mine, 0));
    answer_used("", mine);
    answer(cudaMallocFromPoolAsync(&p, 4096, NULL, 0));
    answer(cudaMallocFromPoolAsync(NULL, 4096, mine, 0));
    answer(cudaMallocFromPoolAsync(&p, 0, mine, 0));
    answer(cudaMallocFromPoolAsync(&p, (size_t)1 << 50, mine, 0));
}

SITUATION(pool_max_size, "a pool of at most 64 MiB: allocate 32 MiB; 64 MiB more")
{
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {.type = cudaMemLocationTypeDevice, .id = 0},
                                     .maxSize = 64 << 20};
    cudaMemPool_t pool = NULL;
    void *p = NULL;
    answer(cudaMemPoolCreate(&pool, &props));
    answer(cudaMallocFromPoolAsync(&p, 32 << 20, pool, 0));
    answer(cudaMallocFromPoolAsync(&p, 64 << 20, pool, 0));
}

SITUATION(pool_access,
          "cudaMemPoolGetAccess of device 0; set to none on its own device; of device 99")
{
    cudaMemPool_t pool = new_pool();
    struct cudaMemLocation here = {.type = cudaMemLocationTypeDevice, .id = 0};
    enum cudaMemAccessFlags flags = (enum cudaMemAccessFlags)99;
    answer(cudaMemPoolGetAccess(&flags, pool, &here));
    answer_text("%d", (int)flags);
    struct cudaMemAccessDesc desc = {.location = here, .flags = cudaMemAccessFlagsProtNone};
    answer(cudaMemPoolSetAccess(pool, &desc, 1));
    here.id = 99;
    answer(cudaMemPoolGetAccess(&flags, pool, &here));
}

/*
 * two_device_memory.c: allocations, pools and host memory with two devices.
 */
#include <stdint.h>
#include <string.h>

#include "../devices.h"
#include "../graphs.h"
#include "../launches.h"
#include "../pools.h"
#include "../situation_kernels.h"

static void attributes_of(const char *what, const void *p)
{
    struct cudaPointerAttributes a = {.type = (enum cudaMemoryType)99, .device = 99};
    cudaError_t e = cudaPointerGetAttributes(&a, p);
    answer_fact(what, "%s type %d device %d%s%s", error_text(e), (int)a.type, a.device,
                a.devicePointer == p ? " devicePointer same" : "",
                a.hostPointer == p ? " hostPointer same" : "");
}

SITUATION_ON(2, pointers_device,
             "two devices: cudaPointerGetAttributes of memory of each, of a pool of device 1, "
             "while either is current")
{
    void *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL), *r = pool_bytes_on(1, SMALL);
    for (int i = 0; i < 2; i++) {
        use_device(i);
        attributes_of("of 0", p);
        attributes_of("of 1", q);
        attributes_of("of a pool of 1", r);
    }
}

SITUATION_ON(
    2, pointers_host,
    "two devices: cudaPointerGetAttributes of pinned memory of device 1, of registered, managed, "
    "pageable memory, while 0 is current, while 1 is")
{
    char *r = pages(PAGE), *m = NULL;
    use_device(1);
    char *h = pinned_bytes(SMALL);
    MUST(cudaHostRegister(r, PAGE, 0));
    MUST(cudaMallocManaged((void **)&m, SMALL, cudaMemAttachGlobal));
    for (int i = 0; i < 2; i++) {
        use_device(i);
        attributes_of("pinned", h);
        attributes_of("registered", r);
        attributes_of("managed", m);
        attributes_of("pageable", &host_word);
    }
}

SITUATION_ON(2, pinned_used_by_other,
             "two devices: pinned memory allocated while 1 is current: device pointer and a "
             "kernel's write on 0")
{
    int *h, *d = NULL;
    use_device(1);
    h = pinned_bytes(SMALL);
    use_device(0);
    answer(cudaHostGetDevicePointer((void **)&d, h, 0));
    answer_fact("same", "%d", d == h);
    answer(launch_store(NULL, h, 5));
    answer(cudaDeviceSynchronize());
    answer_text("%d", h[0]);
    answer(cudaFreeHost(h));
}

SITUATION_ON(2, registered_twice,
             "two devices: host memory registered on device 0, registered again on device 1, "
             "unregistered there")
{
    char *p = pages(PAGE);
    answer(cudaHostRegister(p, PAGE, cudaHostRegisterPortable));
    use_device(1);
    answer(cudaHostRegister(p, PAGE, cudaHostRegisterDefault));
    answer(cudaHostUnregister(p));
    answer(cudaHostUnregister(p));
}

SITUATION_ON(
    2, memory_info_of_each,
    "two devices: does free memory of device 1 change by cudaMalloc on device 0; on device 1")
{
    size_t before, after0, after1, total;
    void *p;
    use_device(1);
    MUST(cudaFree(NULL));
    use_device(0);
    MUST(cudaFree(NULL));
    use_device(1);
    answer(cudaMemGetInfo(&before, &total));
    use_device(0);
    answer(cudaMalloc(&p, 64 << 20));
    use_device(1);
    answer(cudaMemGetInfo(&after0, &total));
    answer(cudaMalloc(&p, 64 << 20));
    answer(cudaMemGetInfo(&after1, &total));
    answer_fact("less", "%d %d", after0 < before, after1 < after0);
}

SITUATION_ON(
    2, free_of_other,
    "two devices: cudaFree, cudaFreeAsync of the other device's memory; of its pool's memory")
{
    void *p = bytes_on(1, SMALL), *q = bytes_on(1, SMALL), *r = pool_bytes_on(1, SMALL),
         *t = pool_bytes_on(1, SMALL), *u = pool_bytes_on(1, SMALL);
    answer(cudaFree(p));
    answer(cudaFreeAsync(q, nonblocking_stream()));
    answer(cudaFreeAsync(r, nonblocking_stream()));
    answer(cudaFreeAsync(t, stream_on(1)));
    answer(cudaFree(u));
    answer(cudaDeviceSynchronize());
}

SITUATION_ON(2, malloc_async_stream_of_other,
             "two devices: cudaMallocAsync in device 1's stream while 0 is current: whose memory; "
             "from device 0's pool")
{
    void *p = NULL, *q = NULL;
    cudaStream_t s = stream_on(1);
    answer(cudaMallocAsync(&p, SMALL, s));
    attributes_of("of the stream's", p);
    answer(cudaMallocFromPoolAsync(&q, SMALL, default_pool_on(0), s));
    attributes_of("of the pool's", q);
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(q, s));
    answer(cudaStreamSynchronize(s));
}

static void use_pool_memory(void *r)
{
    cudaStream_t s = stream_on(0);
    char *p = bytes_on(0, SMALL);
    use_device(0);
    answer(cudaMemcpyAsync(p, r, SMALL, cudaMemcpyDefault, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaMemsetAsync(r, 1, SMALL, s));
    answer(cudaStreamSynchronize(s));
    answer(launch_store(s, r, 7));
    answer(cudaStreamSynchronize(s));
}

SITUATION_ON(
    2, pool_use_without_access,
    "two devices: memory of device 1's pool: copy, memset, kernel on device 0, without peer access")
{
    use_pool_memory(pool_bytes_on(1, SMALL));
}

SITUATION_ON(
    2, pool_use_peer_access,
    "two devices: memory of device 1's pool: copy, memset, kernel on device 0, with peer access")
{
    enable_peers();
    use_pool_memory(pool_bytes_on(1, SMALL));
}

static struct cudaMemAccessDesc access_for(int device, enum cudaMemAccessFlags flags)
{
    return (struct cudaMemAccessDesc){.location = device_location(device), .flags = flags};
}

SITUATION_ON(2, pool_use_pool_access,
             "two devices: memory of device 1's pool: copy, memset, kernel on device 0, after "
             "cudaMemPoolSetAccess")
{
    struct cudaMemAccessDesc a = access_for(0, cudaMemAccessFlagsProtReadWrite);
    void *r = pool_bytes_on(1, SMALL);
    answer(cudaMemPoolSetAccess(default_pool_on(1), &a, 1));
    use_pool_memory(r);
}

SITUATION_ON(2, pool_access_flags,
             "two devices: access of device 0 to device 1's pool: get; set to read only; to read "
             "and write; get; to "
             "none; get; of device 1 to none; of device 99; by a list of both")
{
    cudaMemPool_t pool = default_pool_on(1);
    struct cudaMemLocation l0 = device_location(0), l1 = device_location(1);
    enum cudaMemAccessFlags f[4] = {9, 9, 9, 9};
    struct cudaMemAccessDesc list[2] = {access_for(1, cudaMemAccessFlagsProtReadWrite),
                                        access_for(0, cudaMemAccessFlagsProtReadWrite)};
    answer(cudaMemPoolGetAccess(&f[0], pool, &l0));
    answer(cudaMemPoolGetAccess(&f[1], pool, &l1));
    struct cudaMemAccessDesc a = access_for(0, cudaMemAccessFlagsProtRead);
    answer(cudaMemPoolSetAccess(pool, &a, 1));
    answer(cudaMemPoolSetAccess(pool, list, 2));
    answer(cudaMemPoolGetAccess(&f[2], pool, &l0));
    a = access_for(0, cudaMemAccessFlagsProtNone);
    answer(cudaMemPoolSetAccess(pool, &a, 1));
    answer(cudaMemPoolGetAccess(&f[3], pool, &l0));
    a = access_for(1, cudaMemAccessFlagsProtNone);
    answer(cudaMemPoolSetAccess(pool, &a, 1));
    a = access_for(99, cudaMemAccessFlagsProtReadWrite);
    answer(cudaMemPoolSetAccess(pool, &a, 1));
    answer_fact("flags", "%d %d %d %d", (int)f[0], (int)f[1], (int)f[2], (int)f[3]);
}

SITUATION_ON(2, pool_access_by_peer,
             "two devices: does cudaMemPoolGetAccess show peer access that was enabled")
{
    struct cudaMemLocation l = device_location(0);
    enum cudaMemAccessFlags f = 9;
    enable_peers();
    answer(cudaMemPoolGetAccess(&f, default_pool_on(1), &l));
    answer_text("%d", (int)f);
}

SITUATION_ON(2, pool_access_revoked,
             "two devices: a kernel of device 0 writes device 1's pool memory after access was "
             "given and taken back")
{
    struct cudaMemAccessDesc a = access_for(0, cudaMemAccessFlagsProtReadWrite);
    void *r = pool_bytes_on(1, SMALL);
    cudaStream_t s = stream_on(0);
    MUST(cudaMemPoolSetAccess(default_pool_on(1), &a, 1));
    answer(launch_store(s, r, 7));
    MUST(cudaStreamSynchronize(s));
    a = access_for(0, cudaMemAccessFlagsProtNone);
    answer(cudaMemPoolSetAccess(default_pool_on(1), &a, 1));
    answer(launch_store(s, r, 8));
    answer(cudaStreamSynchronize(s));
}

SITUATION_ON(2, pool_of_other_device,
             "two devices: cudaDeviceSetMemPool of device 0 to device 1's pool; "
             "cudaDeviceGetMemPool of 1; a new pool of "
             "device 1 as device 1's while 0 is current")
{
    cudaMemPool_t pool = NULL, own = NULL;
    struct cudaMemPoolProps p;
    memset(&p, 0, sizeof p);
    p.allocType = cudaMemAllocationTypePinned;
    p.location = device_location(1);
    answer(cudaDeviceSetMemPool(0, default_pool_on(1)));
    answer(cudaDeviceGetMemPool(&pool, 1));
    answer_fact("default", "%d", pool == default_pool_on(1));
    answer(cudaMemPoolCreate(&own, &p));
    answer(cudaDeviceSetMemPool(1, own));
    answer(cudaDeviceGetMemPool(&pool, 1));
    answer_fact("own", "%d", pool == own);
    p.location = device_location(99);
    answer(cudaMemPoolCreate(&own, &p));
}

SITUATION_ON(
    2, pool_used_of_each,
    "two devices: bytes used in each device's default pool after cudaMallocAsync on device 1")
{
    pool_bytes_on(1, SMALL);
    answer_used("0: ", default_pool_on(0));
    answer_used("1: ", default_pool_on(1));
}

SITUATION_ON(2, pool_free_then_reuse,
             "two devices: memory of device 1's pool freed in device 0's stream that waited: does "
             "device 1's next "
             "allocation get it")
{
    cudaStream_t a = stream_on(0), b = stream_on(1);
    void *p = NULL, *q = NULL;
    MUST(cudaMallocAsync(&p, LARGE, b));
    order_streams(stream_on(0), a);
    MUST(cudaStreamSynchronize(b));
    answer(cudaFreeAsync(p, a));
    MUST(cudaStreamSynchronize(a));
    answer(cudaMallocAsync(&q, LARGE, b));
    answer_fact("same", "%d", p == q);
}

SITUATION_ON(
    2, managed_both,
    "two devices: managed memory written by kernels of both, prefetched to 1, to 0, to the host")
{
    int *m = NULL;
    answer(cudaMallocManaged((void **)&m, PAGE, cudaMemAttachGlobal));
    answer(launch_store(NULL, m, 5));
    answer(cudaDeviceSynchronize());
    use_device(1);
    answer(launch_store(NULL, m + 1, 6));
    answer(cudaDeviceSynchronize());
    answer_fact("values", "%d %d", m[0], m[1]);
    answer(cudaMemPrefetchAsync(m, PAGE, device_location(1), 0, NULL));
    answer(cudaMemPrefetchAsync(m, PAGE, device_location(0), 0, NULL));
    answer(cudaMemPrefetchAsync(m, PAGE, device_location(1), 0, stream_on(0)));
    answer(cudaDeviceSynchronize());
}

SITUATION_ON(2, managed_advice,
             "two devices: preferred location and accessed-by of managed memory: device 1; 99; "
             "what is answered")
{
    int *m = NULL, where = 77, by[2] = {77, 77};
    MUST(cudaMallocManaged((void **)&m, PAGE, cudaMemAttachGlobal));
    answer(cudaMemAdvise(m, PAGE, cudaMemAdviseSetPreferredLocation, device_location(1)));
    answer(cudaMemAdvise(m, PAGE, cudaMemAdviseSetAccessedBy, device_location(1)));
    answer(cudaMemAdvise(m, PAGE, cudaMemAdviseSetPreferredLocation, device_location(99)));
    answer(cudaMemRangeGetAttribute(&where, sizeof where, cudaMemRangeAttributePreferredLocation, m,
                                    PAGE));
    answer(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, m, PAGE));
    answer_fact("location, accessed by", "%d %d %d", where, by[0], by[1]);
}

SITUATION_ON(2, malloc_after_peer,
             "two devices: cudaMallocHost, cudaMalloc, cudaMallocAsync on device 1 while device 0 "
             "has peer access; used by 0")
{
    void *p = NULL;
    enable_peer(0);
    use_device(1);
    answer(cudaMalloc(&p, SMALL));
    use_device(0);
    answer(cudaMemset(p, 1, SMALL));
    answer(cudaDeviceSynchronize());
    answer_text("%d", byte_on(1, p));
}

SITUATION_ON(2, limits_of_each,
             "two devices: a limit, flags and cache preference set on device 0: on device 1")
{
    size_t a = 0, b = 0;
    unsigned f = 0;
    MUST(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    MUST(cudaDeviceGetLimit(&a, cudaLimitStackSize));
    use_device(1);
    answer(cudaDeviceGetLimit(&b, cudaLimitStackSize));
    answer(cudaGetDeviceFlags(&f));
    answer_fact("stack, flags", "%zu %zu %u", a, b, f);
}

SITUATION_ON(2, set_device_flags,
             "two devices: cudaSetDeviceFlags(BlockingSync) on device 1; flags of 0, of 1; "
             "cudaInitDevice(1)")
{
    unsigned f[2] = {99, 99};
    use_device(1);
    answer(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    for (int i = 0; i < 2; i++) {
        use_device(i);
        answer(cudaGetDeviceFlags(&f[i]));
    }
    answer_fact("flags", "%u %u", f[0], f[1]);
    answer(cudaInitDevice(1, 0, 0));
    answer_text("%d", device_in_use());
    answer(cudaInitDevice(99, 0, 0));
}

SITUATION_ON(2, write_past_end_of_other,
             "two devices: a memset past the end of the other device's memory, with peer access; a "
             "copy to it from the host")
{
    char *q = bytes_on(1, SMALL), *h = pinned_bytes(LARGE);
    enable_peers();
    answer(cudaMemset(q, 1, LARGE));
    answer(cudaMemcpy(q, h, LARGE, cudaMemcpyHostToDevice));
    answer(cudaMemset(q, 1, SMALL));
}

SITUATION_ON(2, pool_copies_between,
             "two devices: cudaMemcpyAsync, cudaMemcpyPeerAsync between pools of both, in a stream "
             "of 0; with access "
             "of 0 to device 1's pool; and of 1 to device 0's")
{
    void *r[2] = {pool_bytes_on(0, SMALL), pool_bytes_on(1, SMALL)};
    cudaStream_t s = stream_on(0);
    for (int i = 0; i < 3; i++) {
        if (i > 0) {
            struct cudaMemAccessDesc a = access_for(i - 1, cudaMemAccessFlagsProtReadWrite);
            MUST(cudaMemPoolSetAccess(default_pool_on(2 - i), &a, 1));
        }
        answer(cudaMemcpyAsync(r[0], r[1], SMALL, cudaMemcpyDefault, s));
        answer(cudaMemcpyPeerAsync(r[0], 0, r[1], 1, SMALL, s));
        answer(cudaStreamSynchronize(s));
    }
}

SITUATION_ON(2, pool_copies_host,
             "two devices: memory of device 1's pool copied from and to the host in a stream of 0; "
             "in one of 1")
{
    void *r = pool_bytes_on(1, SMALL), *h = pinned_bytes(SMALL);
    cudaStream_t s = stream_on(0);
    answer(cudaMemcpyAsync(r, h, SMALL, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyAsync(h, r, SMALL, cudaMemcpyDeviceToHost, s));
    answer(cudaMemcpyAsync(r, h, SMALL, cudaMemcpyDefault, stream_on(1)));
    answer(cudaDeviceSynchronize());
}

SITUATION_ON(2, pool_peer_copy,
             "two devices: from device 1's pool to memory of 0: cudaMemcpyPeer, cudaMemcpy; back, "
             "with 0 current; 1")
{
    void *p = bytes_on(0, SMALL), *r = pool_bytes_on(1, SMALL);
    for (int i = 0; i < 2; i++) {
        use_device(i);
        answer(cudaMemcpyPeer(p, 0, r, 1, SMALL));
        answer(cudaMemcpy(p, r, SMALL, cudaMemcpyDefault));
        answer(cudaMemcpy(r, p, SMALL, cudaMemcpyDefault));
        answer(cudaDeviceSynchronize());
    }
}

SITUATION_ON(2, pointers_peer,
             "two devices: cudaPointerGetAttributes of device 1's memory, of its pool's, while 0 "
             "is current, with peer access")
{
    void *q = bytes_on(1, SMALL), *r = pool_bytes_on(1, SMALL);
    enable_peer(0);
    attributes_of("of 1", q);
    attributes_of("of a pool of 1", r);
}

SITUATION_ON(2, pool_settings_of_other,
             "two devices: an attribute of device 1's pool set and asked, the pool trimmed, while "
             "0 is current")
{
    uint64_t keep = 1 << 20, v = 7;
    answer(cudaMemPoolSetAttribute(default_pool_on(1), cudaMemPoolAttrReleaseThreshold, &keep));
    answer(cudaMemPoolGetAttribute(default_pool_on(1), cudaMemPoolAttrReleaseThreshold, &v));
    answer_text("%d", v == keep);
    answer(cudaMemPoolTrimTo(default_pool_on(1), 0));
}

SITUATION_ON(2, managed_copies,
             "two devices: managed memory set in a stream of 1, copied to each device's memory "
             "while 0 is current")
{
    char *m = NULL, *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    MUST(cudaMallocManaged((void **)&m, SMALL, cudaMemAttachGlobal));
    answer(cudaMemsetAsync(m, 3, SMALL, stream_on(1)));
    use_device(1);
    MUST(cudaDeviceSynchronize());
    use_device(0);
    answer(cudaMemcpy(p, m, SMALL, cudaMemcpyDefault));
    answer(cudaMemcpy(q, m, SMALL, cudaMemcpyDefault));
    answer_fact("bytes", "%d %d", byte_on(0, p), byte_on(1, q));
}

SITUATION_ON(2, graph_memory_freed_elsewhere,
             "two devices: memory that a graph allocated on device 1 and did not free: its device; "
             "cudaFree, "
             "cudaFreeAsync in a stream of 0")
{
    for (int i = 0; i < 2; i++) {
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n;
        struct cudaMemAllocNodeParams a = alloc_params(SMALL);
        struct cudaPointerAttributes of;
        a.poolProps.location.id = 1;
        MUST(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
        answer_run(new_exec(g));
        answer(cudaPointerGetAttributes(&of, a.dptr));
        answer_fact("device", "%d", of.device);
        answer(i ? cudaFreeAsync(a.dptr, stream_on(0)) : cudaFree(a.dptr));
        answer(cudaDeviceSynchronize());
    }
}

/* two_device_pools.c: memory pools with two devices. */
#include "../devices.h"
#include "../graphs.h"

static int device_of(const void *p)
{
    struct cudaPointerAttributes a;
    MUST(cudaPointerGetAttributes(&a, p));
    return a.device;
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

static struct cudaMemAccessDesc access_for(int device, enum cudaMemAccessFlags flags)
{
    return (struct cudaMemAccessDesc){.location = device_location(device), .flags = flags};
}

ON_TWO_DEVICES(
    "cudaMallocAsync in device 1's stream while 0 is current: whose memory; from device 0's pool")
{
    void *p = NULL, *q = NULL;
    cudaStream_t s = stream_on(1);
    answer(cudaMallocAsync(&p, SMALL, s));
    shows("1", "%d", device_of(p));
    answer(cudaMallocFromPoolAsync(&q, SMALL, default_pool_on(0), s));
    shows("0", "%d", device_of(q));
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(q, s));
    answer(cudaStreamSynchronize(s));
}

ROW_ON_TWO_DEVICES(
    use_pool_memory(pool_bytes_on(1, SMALL)),
    "memory of device 1's pool: copy, memset, kernel on device 0, without peer access",
    "cudaMemcpyAsync: InvalidValue", "cudaStreamSynchronize: Success; Success; IllegalAddress",
    "cudaMemsetAsync: InvalidValue")

ON_TWO_DEVICES("memory of device 1's pool: copy, memset, kernel on device 0, with peer access",
               "cudaMemcpyAsync: InvalidValue",
               "cudaStreamSynchronize: Success; Success; IllegalAddress",
               "cudaMemsetAsync: InvalidValue")
{
    enable_peers();
    use_pool_memory(pool_bytes_on(1, SMALL));
}

ON_TWO_DEVICES(
    "memory of device 1's pool: copy, memset, kernel on device 0, after cudaMemPoolSetAccess")
{
    struct cudaMemAccessDesc a = access_for(0, cudaMemAccessFlagsProtReadWrite);
    void *r = pool_bytes_on(1, SMALL);
    answer(cudaMemPoolSetAccess(default_pool_on(1), &a, 1));
    use_pool_memory(r);
}

ON_TWO_DEVICES("access of device 0 to device 1's pool: get; set to read only; to read and write; "
               "get; to none; get; of device 1 to none; of device 99; by a list of both; after "
               "peer access was enabled: get")
{
    cudaMemPool_t pool = default_pool_on(1);
    struct cudaMemLocation l0 = device_location(0), l1 = device_location(1);
    enum cudaMemAccessFlags f[4] = {9, 9, 9, 9};
    struct cudaMemAccessDesc list[2] = {access_for(1, cudaMemAccessFlagsProtReadWrite),
                                        access_for(0, cudaMemAccessFlagsProtReadWrite)};
    answer(cudaMemPoolGetAccess(&f[0], pool, &l0));
    answer(cudaMemPoolGetAccess(&f[1], pool, &l1));
    struct cudaMemAccessDesc a = access_for(0, cudaMemAccessFlagsProtRead);
    gives(NotSupported, cudaMemPoolSetAccess(pool, &a, 1));
    answer(cudaMemPoolSetAccess(pool, list, 2));
    answer(cudaMemPoolGetAccess(&f[2], pool, &l0));
    a = access_for(0, cudaMemAccessFlagsProtNone);
    answer(cudaMemPoolSetAccess(pool, &a, 1));
    answer(cudaMemPoolGetAccess(&f[3], pool, &l0));
    a = access_for(1, cudaMemAccessFlagsProtNone);
    gives(InvalidDevice, cudaMemPoolSetAccess(pool, &a, 1));
    a = access_for(99, cudaMemAccessFlagsProtReadWrite);
    gives(InvalidDevice, cudaMemPoolSetAccess(pool, &a, 1));
    fact("flags", "0 3 3 0", "%d %d %d %d", (int)f[0], (int)f[1], (int)f[2], (int)f[3]);
    enable_peers();
    answer(cudaMemPoolGetAccess(&f[0], pool, &l0));
    shows("0", "%d", (int)f[0]);
}

ON_TWO_DEVICES(
    "a kernel of device 0 writes device 1's pool memory after access was given and taken back")
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
    gives(IllegalAddress, cudaStreamSynchronize(s));
}

ON_TWO_DEVICES("cudaDeviceSetMemPool of device 0 to device 1's pool; cudaDeviceGetMemPool of 1; a "
               "new pool of device 1 as device 1's while 0 is current")
{
    cudaMemPool_t pool = NULL, own = NULL;
    struct cudaMemPoolProps p = {0};
    p.allocType = cudaMemAllocationTypePinned;
    p.location = device_location(1);
    gives(InvalidValue, cudaDeviceSetMemPool(0, default_pool_on(1)));
    answer(cudaDeviceGetMemPool(&pool, 1));
    fact("default", "1", "%d", pool == default_pool_on(1));
    answer(cudaMemPoolCreate(&own, &p));
    answer(cudaDeviceSetMemPool(1, own));
    answer(cudaDeviceGetMemPool(&pool, 1));
    fact("own", "1", "%d", pool == own);
    p.location = device_location(99);
    gives(InvalidValue, cudaMemPoolCreate(&own, &p));
}

ON_TWO_DEVICES("bytes used in each device's default pool after cudaMallocAsync on device 1",
               "used: 0: 0; 1: 64")
{
    pool_bytes_on(1, SMALL);
    answer_used("0: ", default_pool_on(0));
    answer_used("1: ", default_pool_on(1));
}

ON_TWO_DEVICES("memory of device 1's pool freed in device 0's stream that waited: does device 1's "
               "next allocation get it")
{
    cudaStream_t a = stream_on(0), b = stream_on(1);
    void *p = async_bytes(LARGE, b), *q = NULL;
    order_streams(stream_on(0), a);
    MUST(cudaStreamSynchronize(b));
    answer(cudaFreeAsync(p, a));
    MUST(cudaStreamSynchronize(a));
    answer(cudaMallocAsync(&q, LARGE, b));
    fact("same", "1", "%d", p == q);
}

ON_TWO_DEVICES("cudaMemcpyAsync, cudaMemcpyPeerAsync between pools of both, in a stream of 0; with "
               "access of 0 to device 1's pool; and of 1 to device 0's",
               "cudaMemcpyAsync: InvalidValue; Success; Success")
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

ON_TWO_DEVICES(
    "memory of device 1's pool copied from and to the host in a stream of 0; in one of 1")
{
    void *r = pool_bytes_on(1, SMALL), *h = pinned_bytes(SMALL);
    cudaStream_t s = stream_on(0);
    gives(InvalidValue, cudaMemcpyAsync(r, h, SMALL, cudaMemcpyHostToDevice, s));
    gives(InvalidValue, cudaMemcpyAsync(h, r, SMALL, cudaMemcpyDeviceToHost, s));
    gives(InvalidValue, cudaMemcpyAsync(r, h, SMALL, cudaMemcpyDefault, stream_on(1)));
    answer(cudaDeviceSynchronize());
}

ON_TWO_DEVICES(
    "from device 1's pool to memory of 0: cudaMemcpyPeer, cudaMemcpy; back, with 0 current; 1",
    "cudaMemcpy(p, r): InvalidValue; Success", "cudaMemcpy(r, p): InvalidValue; Success")
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

ON_TWO_DEVICES(
    "an attribute of device 1's pool set and asked, the pool trimmed, while 0 is current")
{
    uint64_t keep = 1 << 20, v = 7;
    answer(cudaMemPoolSetAttribute(default_pool_on(1), cudaMemPoolAttrReleaseThreshold, &keep));
    answer(cudaMemPoolGetAttribute(default_pool_on(1), cudaMemPoolAttrReleaseThreshold, &v));
    shows("1", "%d", v == keep);
    answer(cudaMemPoolTrimTo(default_pool_on(1), 0));
}

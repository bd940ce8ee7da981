/* memory_pools.c: memory pools: attributes, access, and the pool of the device. */
#include "../situation.h"

SITUATION("default pool: reuse flags; release threshold; reserved, high, used, high",
          "value: 1; 1; 1; 0; 0; 0; 0; 0")
{
    for (int a = 1; a <= 8; a++) {
        union {
            int flag;
            uint64_t value;
        } v = {.value = 0};
        answer(cudaMemPoolGetAttribute(default_pool(), (enum cudaMemPoolAttr)a, &v));
        answer_fact("value", "%llu",
                    a <= 3 ? (unsigned long long)v.flag : (unsigned long long)v.value);
    }
}

SITUATION("pool attribute 99; NULL value; NULL pool; set used current; set used high to 5; to 0; "
          "reserved high to 0; set the reuse flag for event dependencies to 0, get")
{
    cudaMemPool_t pool = default_pool();
    uint64_t v = 5;
    gives(InvalidValue, cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)99, &v));
    gives(InvalidValue, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, NULL));
    gives(InvalidValue, cudaMemPoolGetAttribute(NULL, cudaMemPoolAttrUsedMemCurrent, &v));
    gives(InvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &v));
    gives(InvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    v = 0;
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &v));
    int flag = 0;
    answer(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &flag));
    flag = 99;
    answer(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &flag));
    shows("0", "%d", flag);
}

SITUATION("cudaDeviceGetMemPool is the default pool; of device 99; NULL; "
          "cudaDeviceGetDefaultMemPool of 99; NULL; cudaMemGetDefaultMemPool and cudaMemGetMemPool "
          "of the device: the default pool; of device 99; cudaMemSetMemPool to it; "
          "cudaDeviceSetMemPool, then get, allocate: whose bytes are used; set NULL",
          "used: mine 1000; default 0")
{
    cudaMemPool_t pool = NULL;
    answer(cudaDeviceGetMemPool(&pool, 0));
    shows("same", pool == default_pool() ? "same" : "differs");
    gives(InvalidValue, cudaDeviceGetMemPool(&pool, 99));
    gives(InvalidValue, cudaDeviceGetMemPool(NULL, 0));
    gives(InvalidDevice, cudaDeviceGetDefaultMemPool(&pool, 99));
    gives(InvalidValue, cudaDeviceGetDefaultMemPool(NULL, 0));
    struct cudaMemLocation at = device_location(0), none = device_location(99);
    answer(cudaMemGetDefaultMemPool(&pool, &at, cudaMemAllocationTypePinned));
    shows("default", "%s", pool == default_pool() ? "default" : "other");
    answer(cudaMemGetMemPool(&pool, &at, cudaMemAllocationTypePinned));
    shows("default", "%s", pool == default_pool() ? "default" : "other");
    gives(InvalidValue, cudaMemGetDefaultMemPool(&pool, &none, cudaMemAllocationTypePinned));
    answer(cudaMemSetMemPool(&at, cudaMemAllocationTypePinned, default_pool()));
    cudaMemPool_t mine = new_pool(0);
    answer(cudaDeviceSetMemPool(0, mine));
    answer(cudaDeviceGetMemPool(&pool, 0));
    shows("mine", pool == mine ? "mine" : "other");
    async_bytes(1000, 0);
    answer_used("mine ", mine);
    answer_used("default ", default_pool());
    gives(InvalidValue, cudaDeviceSetMemPool(0, NULL));
}

SITUATION("cudaMemPoolCreate: NULL pool; NULL properties; device 99; no location; all zero; "
          "cudaMemPoolDestroy of a pool; of the default pool; of NULL; of the device's current "
          "pool: which is current then")
{
    cudaMemPool_t pool = NULL;
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
    gives(InvalidValue, cudaMemPoolCreate(NULL, &props));
    gives(InvalidValue, cudaMemPoolCreate(&pool, NULL));
    props.location.id = 99;
    gives(InvalidValue, cudaMemPoolCreate(&pool, &props));
    props.location = (struct cudaMemLocation){0};
    gives(InvalidValue, cudaMemPoolCreate(&pool, &props));
    memset(&props, 0, sizeof props);
    gives(InvalidValue, cudaMemPoolCreate(&pool, &props));
    answer(cudaMemPoolDestroy(new_pool(0)));
    gives(InvalidValue, cudaMemPoolDestroy(default_pool()));
    gives(InvalidValue, cudaMemPoolDestroy(NULL));
    cudaMemPool_t mine = new_pool(0);
    MUST(cudaDeviceSetMemPool(0, mine));
    answer(cudaMemPoolDestroy(mine));
    answer(cudaDeviceGetMemPool(&pool, 0));
    shows("default", pool == default_pool() ? "default" : "other");
}

SITUATION("cudaMallocFromPoolAsync; NULL pool; NULL pointer; 0 bytes; 1 PiB", "used: 4096")
{
    cudaMemPool_t mine = new_pool(0);
    void *p = NULL;
    answer(cudaMallocFromPoolAsync(&p, 4096, mine, 0));
    answer_used("", mine);
    gives(InvalidValue, cudaMallocFromPoolAsync(&p, 4096, NULL, 0));
    gives(InvalidValue, cudaMallocFromPoolAsync(NULL, 4096, mine, 0));
    answer(cudaMallocFromPoolAsync(&p, 0, mine, 0));
    gives(MemoryAllocation, cudaMallocFromPoolAsync(&p, (size_t)1 << 50, mine, 0));
}

SITUATION("cudaMemPoolGetAccess of device 0; set to none on its own device; of device 99")
{
    cudaMemPool_t pool = new_pool(0);
    struct cudaMemLocation here = {.type = cudaMemLocationTypeDevice, .id = 0};
    enum cudaMemAccessFlags flags = (enum cudaMemAccessFlags)99;
    answer(cudaMemPoolGetAccess(&flags, pool, &here));
    shows("3", "%d", (int)flags);
    struct cudaMemAccessDesc desc = {.location = here, .flags = cudaMemAccessFlagsProtNone};
    gives(InvalidDevice, cudaMemPoolSetAccess(pool, &desc, 1));
    here.id = 99;
    gives(InvalidValue, cudaMemPoolGetAccess(&flags, pool, &here));
}

SITUATION("cudaMemPoolExportToShareableHandle of a pool made without a handle type; "
          "cudaMemPoolExportPointer of memory of such a pool; of cudaMalloc")
{
    int fd = -7;
    cudaMemPool_t def = default_pool();
    struct cudaMemPoolPtrExportData data;
    void *p = async_bytes(64, 0);
    gives(InvalidValue,
          cudaMemPoolExportToShareableHandle(&fd, def, cudaMemHandleTypePosixFileDescriptor, 0));
    gives(InvalidValue, cudaMemPoolExportPointer(&data, p));
    gives(InvalidValue, cudaMemPoolExportPointer(&data, device_bytes(64)));
}

SITUATION("cudaMemPoolSetAccess of device 0 with flags 1, 2, 3, 4; of a host location; of none",
          CRASHES_ON_GPU,
          "cudaMemPoolSetAccess(&d, 1): NotSupported; InvalidValue; Success; InvalidValue")
{
    cudaMemPool_t pool = default_pool();
    struct cudaMemAccessDesc d = {.location = {.type = cudaMemLocationTypeDevice}};
    for (int f = 1; f < 5; f++) {
        d.flags = (enum cudaMemAccessFlags)f;
        answer(cudaMemPoolSetAccess(pool, &d, 1));
    }
    d.flags = cudaMemAccessFlagsProtReadWrite;
    d.location.type = cudaMemLocationTypeHost;
    gives(InvalidValue, cudaMemPoolSetAccess(pool, &d, 1));
    answer(cudaMemPoolSetAccess(pool, &d, 0));
    gives(InvalidValue, cudaMemPoolSetAccess(pool, NULL, 1));
}

/* two_device_memory.c: allocations, pools and host memory with two devices. */
#include "../devices.h"
#include "../graphs.h"

static void attributes_of(const char *what, const void *p)
{
    struct cudaPointerAttributes a = {.type = (enum cudaMemoryType)99, .device = 99};
    cudaError_t e = cudaPointerGetAttributes(&a, p);
    answer_fact(what, "%s type %d device %d%s%s", error_text(e), (int)a.type, a.device,
                a.devicePointer == p ? " devicePointer same" : "",
                a.hostPointer == p ? " hostPointer same" : "");
}

ON_TWO_DEVICES("cudaPointerGetAttributes of memory of each, of a pool of device 1, while either is "
               "current; of 1's while 0 is current, with peer access",
               "of 0: Success type 2 device 0 devicePointer same; Success type 2 device 0",
               "of 1: Success type 2 device 1; Success type 2 device 1 devicePointer same; Success "
               "type 2 device 1 devicePointer same",
               "of a pool of 1: Success type 2 device 1; Success type 2 device 1 devicePointer "
               "same; Success type 2 device 1")
{
    void *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL), *r = pool_bytes_on(1, SMALL);
    for (int i = 0; i < 2; i++) {
        use_device(i);
        attributes_of("of 0", p);
        attributes_of("of 1", q);
        attributes_of("of a pool of 1", r);
    }
    use_device(0);
    enable_peer(0);
    attributes_of("of 1", q);
    attributes_of("of a pool of 1", r);
}

ON_TWO_DEVICES("cudaPointerGetAttributes of pinned memory of device 1, of registered, managed, "
               "pageable memory, while 0 is current, while 1 is",
               "pinned: Success type 1 device 1 devicePointer same hostPointer same; Success type "
               "1 device 1 devicePointer same hostPointer same",
               "registered: Success type 1 device 1 devicePointer same hostPointer same; Success "
               "type 1 device 1 devicePointer same hostPointer same",
               "managed: Success type 3 device 1 devicePointer same hostPointer same; Success type "
               "3 device 1 devicePointer same hostPointer same",
               "pageable: Success type 0 device -2 hostPointer same; Success type 0 device -2 "
               "hostPointer same")
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

ON_TWO_DEVICES(
    "pinned memory allocated while 1 is current: device pointer and a kernel's write on 0")
{
    int *h, *d = NULL;
    use_device(1);
    h = pinned_bytes(SMALL);
    use_device(0);
    answer(cudaHostGetDevicePointer((void **)&d, h, 0));
    fact("same", "1", "%d", d == h);
    answer(launch_store(NULL, h, 5));
    answer(cudaDeviceSynchronize());
    shows("5", "%d", h[0]);
    answer(cudaFreeHost(h));
}

ON_TWO_DEVICES(
    "host memory registered on device 0, registered again on device 1, unregistered there")
{
    char *p = pages(PAGE);
    answer(cudaHostRegister(p, PAGE, cudaHostRegisterPortable));
    use_device(1);
    gives(HostMemoryAlreadyRegistered, cudaHostRegister(p, PAGE, cudaHostRegisterDefault));
    answer(cudaHostUnregister(p));
    gives(HostMemoryNotRegistered, cudaHostUnregister(p));
}

ON_TWO_DEVICES("does free memory of device 1 change by cudaMalloc on device 0; on device 1")
{
    size_t before, after0, after1, total;
    void *p;
    start_device(1);
    MUST(cudaFree(NULL));
    use_device(1);
    answer(cudaMemGetInfo(&before, &total));
    use_device(0);
    answer(cudaMalloc(&p, 64 << 20));
    use_device(1);
    answer(cudaMemGetInfo(&after0, &total));
    answer(cudaMalloc(&p, 64 << 20));
    answer(cudaMemGetInfo(&after1, &total));
    fact("less", "0 1", "%d %d", after0 < before, after1 < after0);
}

ON_TWO_DEVICES("cudaFree, cudaFreeAsync of the other device's memory; of its pool's memory")
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

ON_TWO_DEVICES("managed memory written by kernels of both, prefetched to 1, to 0, to the host")
{
    int *m = NULL;
    answer(cudaMallocManaged((void **)&m, PAGE, cudaMemAttachGlobal));
    answer(launch_store(NULL, m, 5));
    answer(cudaDeviceSynchronize());
    use_device(1);
    answer(launch_store(NULL, m + 1, 6));
    answer(cudaDeviceSynchronize());
    fact("values", "5 6", "%d %d", m[0], m[1]);
    answer(cudaMemPrefetchAsync(m, PAGE, device_location(1), 0, NULL));
    answer(cudaMemPrefetchAsync(m, PAGE, device_location(0), 0, NULL));
    answer(cudaMemPrefetchAsync(m, PAGE, device_location(1), 0, stream_on(0)));
    answer(cudaDeviceSynchronize());
}

ON_TWO_DEVICES(
    "preferred location and accessed-by of managed memory: device 1; 99; what is answered")
{
    int *m = NULL, where = 77, by[2] = {77, 77};
    MUST(cudaMallocManaged((void **)&m, PAGE, cudaMemAttachGlobal));
    answer(cudaMemAdvise(m, PAGE, cudaMemAdviseSetPreferredLocation, device_location(1)));
    answer(cudaMemAdvise(m, PAGE, cudaMemAdviseSetAccessedBy, device_location(1)));
    gives(InvalidValue,
          cudaMemAdvise(m, PAGE, cudaMemAdviseSetPreferredLocation, device_location(99)));
    answer(cudaMemRangeGetAttribute(&where, sizeof where, cudaMemRangeAttributePreferredLocation, m,
                                    PAGE));
    answer(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, m, PAGE));
    fact("location, accessed by", "1 1 -2", "%d %d %d", where, by[0], by[1]);
}

ON_TWO_DEVICES("cudaMallocHost, cudaMalloc, cudaMallocAsync on device 1 while device 0 has peer "
               "access; used by 0")
{
    void *p = NULL;
    enable_peer(0);
    use_device(1);
    answer(cudaMalloc(&p, SMALL));
    use_device(0);
    answer(cudaMemset(p, 1, SMALL));
    answer(cudaDeviceSynchronize());
    shows("1", "%d", byte_on(1, p));
}

ON_TWO_DEVICES("a limit, flags and cache preference set on device 0: on device 1")
{
    size_t a = 0, b = 0;
    unsigned f = 0;
    MUST(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    MUST(cudaDeviceGetLimit(&a, cudaLimitStackSize));
    use_device(1);
    answer(cudaDeviceGetLimit(&b, cudaLimitStackSize));
    answer(cudaGetDeviceFlags(&f));
    fact("stack, flags", "2048 1024 8", "%zu %zu %u", a, b, f);
}

ON_TWO_DEVICES("cudaSetDeviceFlags(BlockingSync) on device 1; flags of 0, of 1; cudaInitDevice(1)")
{
    unsigned f[2] = {99, 99};
    use_device(1);
    answer(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    for (int i = 0; i < 2; i++) {
        use_device(i);
        answer(cudaGetDeviceFlags(&f[i]));
    }
    fact("flags", "8 12", "%u %u", f[0], f[1]);
    answer(cudaInitDevice(1, 0, 0));
    shows("1", "%d", device_in_use());
    gives(InvalidDevice, cudaInitDevice(99, 0, 0));
}

ON_TWO_DEVICES("a memset past the end of the other device's memory, with peer access; a copy to it "
               "from the host")
{
    char *q = bytes_on(1, SMALL), *h = pinned_bytes(LARGE);
    enable_peers();
    gives(InvalidValue, cudaMemset(q, 1, LARGE));
    gives(InvalidValue, cudaMemcpy(q, h, LARGE, cudaMemcpyHostToDevice));
    answer(cudaMemset(q, 1, SMALL));
}

ON_TWO_DEVICES(
    "managed memory set in a stream of 1, copied to each device's memory while 0 is current")
{
    char *m = NULL, *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    MUST(cudaMallocManaged((void **)&m, SMALL, cudaMemAttachGlobal));
    answer(cudaMemsetAsync(m, 3, SMALL, stream_on(1)));
    use_device(1);
    MUST(cudaDeviceSynchronize());
    use_device(0);
    answer(cudaMemcpy(p, m, SMALL, cudaMemcpyDefault));
    answer(cudaMemcpy(q, m, SMALL, cudaMemcpyDefault));
    fact("bytes", "3 3", "%d %d", byte_on(0, p), byte_on(1, q));
}

ON_TWO_DEVICES("memory that a graph allocated on device 1 and did not free: its device; cudaFree, "
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
        fact("device", "1", "%d", of.device);
        answer(i ? cudaFreeAsync(a.dptr, stream_on(0)) : cudaFree(a.dptr));
        answer(cudaDeviceSynchronize());
    }
}

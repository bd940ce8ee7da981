/*
 * situations_device.c: devices, their attributes, limits and peers, versions.
 */
#include <string.h>

#include "situations.h"

SITUATION(device_count_null, "cudaGetDeviceCount(NULL)")
{
    answer(cudaGetDeviceCount(NULL));
}

SITUATION(set_device_99, "cudaSetDevice(99); peek; get last error; get last error")
{
    answer(cudaSetDevice(99));
    answer(cudaPeekAtLastError());
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}

SITUATION(set_device_negative, "cudaSetDevice(-1); get last error")
{
    answer(cudaSetDevice(-1));
    answer(cudaGetLastError());
}

SITUATION(device_kept, "cudaGetDevice after a failed cudaSetDevice")
{
    int d = -7;
    cudaSetDevice(99);
    answer(cudaGetDevice(&d));
    answer_text("device %d", d);
}

SITUATION(get_device_null, "cudaGetDevice(NULL)")
{
    answer(cudaGetDevice(NULL));
}

SITUATION(properties_bad, "cudaGetDeviceProperties: NULL; device 99; device -1")
{
    struct cudaDeviceProp prop;
    answer(cudaGetDeviceProperties(NULL, 0));
    answer(cudaGetDeviceProperties(&prop, 99));
    answer(cudaGetDeviceProperties(&prop, -1));
}

SITUATION(properties_agree, "cudaGetDeviceProperties agrees with cudaDeviceGetAttribute")
{
    struct cudaDeviceProp prop;
    int sms = 0, threads = 0, shared = 0, engines = 0;
    MUST(cudaGetDeviceProperties(&prop, 0));
    MUST(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    MUST(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0));
    MUST(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, 0));
    MUST(cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, 0));
    bool same = prop.multiProcessorCount == sms && prop.maxThreadsPerBlock == threads &&
                prop.sharedMemPerBlock == (size_t)shared && prop.asyncEngineCount == engines;
    answer_text(same ? "yes" : "no");
}

SITUATION(attribute_bad, "cudaDeviceGetAttribute: NULL; attribute 0; attribute 100000; device 99")
{
    int v = 0;
    answer(cudaDeviceGetAttribute(NULL, cudaDevAttrMaxThreadsPerBlock, 0));
    answer(cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)0, 0));
    answer(cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)100000, 0));
    answer(cudaDeviceGetAttribute(&v, cudaDevAttrMaxThreadsPerBlock, 99));
}

SITUATION(attribute_values, "attributes: concurrent kernels, unified addressing, memory pools, "
                            "host register, can map host memory")
{
    static const enum cudaDeviceAttr which[] = {
        cudaDevAttrConcurrentKernels, cudaDevAttrUnifiedAddressing, cudaDevAttrMemoryPoolsSupported,
        cudaDevAttrHostRegisterSupported, cudaDevAttrCanMapHostMemory};
    for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
        int v = -1;
        MUST(cudaDeviceGetAttribute(&v, which[i], 0));
        answer_text("%d", v);
    }
}

SITUATION(priority_range, "cudaDeviceGetStreamPriorityRange; with NULL for least; for both")
{
    int least = 99, greatest = 99;
    answer(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    answer_text("%d to %d", least, greatest);
    greatest = 99;
    answer(cudaDeviceGetStreamPriorityRange(NULL, &greatest));
    answer_text("%d", greatest);
    answer(cudaDeviceGetStreamPriorityRange(NULL, NULL));
}

SITUATION(limit_defaults, "cudaDeviceGetLimit: stack, printf, heap, sync depth, pending launches, "
                          "L2 fetch, persisting L2")
{
    for (int i = 0; i <= 6; i++) {
        size_t v = 99;
        answer(cudaDeviceGetLimit(&v, (enum cudaLimit)i));
        answer_text("%zu", v);
    }
}

SITUATION(limit_set, "cudaDeviceSetLimit(stack, 4096), then get")
{
    size_t v = 0;
    answer(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    answer(cudaDeviceGetLimit(&v, cudaLimitStackSize));
    answer_text("%zu", v);
}

SITUATION(limit_rounded,
          "cudaDeviceSetLimit(stack, 1000), then get; printf 1000, then get; heap 1000, then get")
{
    size_t v = 0;
    answer(cudaDeviceSetLimit(cudaLimitStackSize, 1000));
    MUST(cudaDeviceGetLimit(&v, cudaLimitStackSize));
    answer_text("%zu", v);
    answer(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1000));
    MUST(cudaDeviceGetLimit(&v, cudaLimitPrintfFifoSize));
    answer_text("%zu", v);
    answer(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1000));
    MUST(cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize));
    answer_text("%zu", v);
}

SITUATION(limit_bad,
          "cudaDeviceGetLimit: NULL; limit 99. cudaDeviceSetLimit: limit 99; stack of 1 TiB")
{
    size_t v = 0;
    answer(cudaDeviceGetLimit(NULL, cudaLimitStackSize));
    answer(cudaDeviceGetLimit(&v, (enum cudaLimit)99));
    answer(cudaDeviceSetLimit((enum cudaLimit)99, 1));
    answer(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
}

SITUATION(cache_config, "cudaDeviceGetCacheConfig; set PreferShared, get; set 99; get(NULL)")
{
    enum cudaFuncCache c = (enum cudaFuncCache)99;
    answer(cudaDeviceGetCacheConfig(&c));
    answer_text("%d", (int)c);
    answer(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    MUST(cudaDeviceGetCacheConfig(&c));
    answer_text("%d", (int)c);
    answer(cudaDeviceSetCacheConfig((enum cudaFuncCache)99));
    answer(cudaDeviceGetCacheConfig(NULL));
}

SITUATION(pci_bus_id,
          "cudaDeviceGetPCIBusId, its length, and back; 5 bytes of room; NULL; device 99")
{
    char id[64] = "";
    int d = -1;
    answer(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    answer_text("%zu characters", strlen(id));
    answer(cudaDeviceGetByPCIBusId(&d, id));
    answer_text("device %d", d);
    char small[8] = "";
    answer(cudaDeviceGetPCIBusId(small, 5, 0));
    answer_text("'%s'", small);
    answer(cudaDeviceGetPCIBusId(NULL, 13, 0));
    answer(cudaDeviceGetPCIBusId(id, sizeof id, 99));
}

SITUATION(by_pci_bus_id_bad,
          "cudaDeviceGetByPCIBusId: nonsense; a device that is not there; NULL text; NULL result")
{
    int d = -1;
    answer(cudaDeviceGetByPCIBusId(&d, "nonsense"));
    answer(cudaDeviceGetByPCIBusId(&d, "ffff:ee:1f.0"));
    answer(cudaDeviceGetByPCIBusId(&d, NULL));
    answer(cudaDeviceGetByPCIBusId(NULL, "0000:00:00.0"));
}

SITUATION(can_access_peer, "cudaDeviceCanAccessPeer: device 0 to 0; to 99; from 99; NULL")
{
    int can = 99;
    answer(cudaDeviceCanAccessPeer(&can, 0, 0));
    answer_text("%d", can);
    answer(cudaDeviceCanAccessPeer(&can, 0, 99));
    answer(cudaDeviceCanAccessPeer(&can, 99, 0));
    answer(cudaDeviceCanAccessPeer(NULL, 0, 0));
}

SITUATION(enable_peer, "cudaDeviceEnablePeerAccess: to itself; device 99; flags 1")
{
    answer(cudaDeviceEnablePeerAccess(0, 0));
    answer(cudaDeviceEnablePeerAccess(99, 0));
    answer(cudaDeviceEnablePeerAccess(0, 1));
}

SITUATION(disable_peer, "cudaDeviceDisablePeerAccess: of itself; of device 99")
{
    answer(cudaDeviceDisablePeerAccess(0));
    answer(cudaDeviceDisablePeerAccess(99));
}

SITUATION(p2p_attribute, "cudaDeviceGetP2PAttribute: device 0 to 0; attribute 99; device 99; NULL")
{
    int v = 99;
    answer(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 0));
    answer(cudaDeviceGetP2PAttribute(&v, (enum cudaDeviceP2PAttr)99, 0, 0));
    answer(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 99));
    answer(cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 0, 0));
}

SITUATION(
    device_flags,
    "cudaGetDeviceFlags before anything; after cudaFree(0); after cudaSetDeviceFlags(BlockingSync)")
{
    unsigned f = 99;
    answer(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
    MUST(cudaFree(NULL));
    MUST(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
    answer(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    MUST(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
}

SITUATION(device_flags_first, "cudaSetDeviceFlags(BlockingSync) before anything, then get")
{
    unsigned f = 99;
    answer(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    answer(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
}

SITUATION(device_flags_bad,
          "cudaSetDeviceFlags(0x1000); two schedules at once; cudaGetDeviceFlags(NULL)")
{
    answer(cudaSetDeviceFlags(0x1000));
    answer(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
    answer(cudaGetDeviceFlags(NULL));
}

SITUATION(versions, "cudaRuntimeGetVersion / 1000, cudaDriverGetVersion / 1000; both with NULL")
{
    int v = 0;
    answer(cudaRuntimeGetVersion(&v));
    answer_text("%d", v / 1000);
    answer(cudaDriverGetVersion(&v));
    answer_text("%d", v / 1000);
    answer(cudaRuntimeGetVersion(NULL));
    answer(cudaDriverGetVersion(NULL));
}

SITUATION(init_device,
          "cudaInitDevice(0, 0, 0); device 99; flags without the flag that says so; unknown flags")
{
    answer(cudaInitDevice(0, 0, 0));
    answer(cudaInitDevice(99, 0, 0));
    answer(cudaInitDevice(0, cudaDeviceScheduleBlockingSync, 0));
    answer(cudaInitDevice(0, 0x1000, cudaInitDeviceFlagsAreValid));
    answer(cudaInitDevice(0, 0, 0x80));
}

SITUATION(valid_devices, "cudaSetValidDevices: none; {0}; {99}; length 9; length -1")
{
    int zero = 0, ninety_nine = 99;
    answer(cudaSetValidDevices(NULL, 0));
    answer(cudaSetValidDevices(&zero, 1));
    answer(cudaSetValidDevices(&ninety_nine, 1));
    answer(cudaSetValidDevices(&zero, 9));
    answer(cudaSetValidDevices(&zero, -1));
}

SITUATION(choose_device, "cudaChooseDevice; NULL device; NULL properties")
{
    struct cudaDeviceProp prop;
    int d = -1;
    memset(&prop, 0, sizeof prop);
    answer(cudaChooseDevice(&d, &prop));
    answer_text("device %d", d);
    answer(cudaChooseDevice(NULL, &prop));
    answer(cudaChooseDevice(&d, NULL));
}

SITUATION(device_reset, "cudaDeviceReset twice; memory of before is gone")
{
    char *p = device_bytes(64), h[64];
    answer(cudaDeviceReset());
    answer(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    answer(cudaDeviceReset());
}

SITUATION(reset_stream, "cudaDeviceReset, then cudaStreamSynchronize on a stream of before")
{
    cudaStream_t s = new_stream(0);
    MUST(cudaDeviceReset());
    answer(cudaStreamSynchronize(s));
}

SITUATION(reset_keeps_error, "cudaSetDevice(99), cudaDeviceReset, get last error")
{
    cudaSetDevice(99);
    answer(cudaDeviceReset());
    answer(cudaGetLastError());
}

SITUATION(
    mem_get_info,
    "cudaMemGetInfo: free and total make sense; malloc of 64 MiB takes at least that; NULL, NULL")
{
    size_t before = 0, after = 0, total = 0;
    answer(cudaMemGetInfo(&before, &total));
    answer_text(before > 0 && before <= total ? "sense" : "nonsense");
    void *p = NULL;
    MUST(cudaMalloc(&p, 64 << 20));
    MUST(cudaMemGetInfo(&after, &total));
    answer_text(before - after >= 64 << 20 ? "taken" : "not taken");
    answer(cudaMemGetInfo(NULL, NULL));
    answer(cudaMemGetInfo(&before, NULL));
}

/* cuda_profiler_api.h is not in every toolkit. */
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

SITUATION(profiler_switch, "cudaProfilerStart; cudaProfilerStop")
{
    answer(cudaProfilerStart());
    answer(cudaProfilerStop());
}

SITUATION(attribute_more,
          "attributes of device 0: max blocks per SM, warp size, max pitch, texture alignment")
{
    static const enum cudaDeviceAttr which[] = {cudaDevAttrMaxBlocksPerMultiprocessor,
                                                cudaDevAttrWarpSize, cudaDevAttrMaxPitch,
                                                cudaDevAttrTextureAlignment};
    for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
        int v = -1;
        MUST(cudaDeviceGetAttribute(&v, which[i], 0));
        answer_text("%d", v);
    }
}

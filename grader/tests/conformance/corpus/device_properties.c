/* device_properties.c: attributes, limits and versions of the device. */
#include "../situation.h"

SITUATION("cudaGetDeviceProperties: NULL; device 99; device -1; cudaDeviceGetAttribute: NULL; "
          "attribute 0; attribute 100000; device 99")
{
    struct cudaDeviceProp prop;
    gives(InvalidValue, cudaGetDeviceProperties(NULL, 0));
    gives(InvalidDevice, cudaGetDeviceProperties(&prop, 99));
    gives(InvalidDevice, cudaGetDeviceProperties(&prop, -1));
    int v = 0;
    gives(InvalidValue, cudaDeviceGetAttribute(NULL, cudaDevAttrMaxThreadsPerBlock, 0));
    gives(InvalidValue, cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)0, 0));
    gives(InvalidValue, cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)100000, 0));
    gives(InvalidDevice, cudaDeviceGetAttribute(&v, cudaDevAttrMaxThreadsPerBlock, 99));
}

SITUATION("cudaGetDeviceProperties agrees with cudaDeviceGetAttribute")
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
    shows("yes", same ? "yes" : "no");
}

SITUATION("cudaDeviceGetStreamPriorityRange; with NULL for least; for both")
{
    int least = 99, greatest = 99;
    answer(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    shows("0 to -5", "%d to %d", least, greatest);
    greatest = 99;
    answer(cudaDeviceGetStreamPriorityRange(NULL, &greatest));
    shows("-5", "%d", greatest);
    answer(cudaDeviceGetStreamPriorityRange(NULL, NULL));
}

SITUATION(
    "cudaDeviceGetLimit: stack, printf, heap, sync depth, pending launches, L2 fetch, persisting "
    "L2",
    "cudaDeviceGetLimit: Success; Success; Success; UnsupportedLimit; Success; Success; Success",
    "v: 1024; 8650752; 8388608; 99; 2048; 64; 11796480")
{
    for (int i = 0; i <= 6; i++) {
        size_t v = 99;
        answer(cudaDeviceGetLimit(&v, (enum cudaLimit)i));
        answer_text("%zu", v);
    }
}

SITUATION("cudaDeviceSetLimit(stack, 4096), then get; stack 1000, then get; printf 1000, then get; "
          "heap 1000, then get; cudaDeviceGetLimit: NULL; limit 99. cudaDeviceSetLimit: limit 99; "
          "stack of 1 TiB")
{
    size_t v = 0;
    answer(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    answer(cudaDeviceGetLimit(&v, cudaLimitStackSize));
    shows("4096", "%zu", v);
    answer(cudaDeviceSetLimit(cudaLimitStackSize, 1000));
    MUST(cudaDeviceGetLimit(&v, cudaLimitStackSize));
    shows("1008", "%zu", v);
    answer(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1000));
    MUST(cudaDeviceGetLimit(&v, cudaLimitPrintfFifoSize));
    shows("524288", "%zu", v);
    answer(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1000));
    MUST(cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize));
    shows("4194304", "%zu", v);
    gives(InvalidValue, cudaDeviceGetLimit(NULL, cudaLimitStackSize));
    gives(InvalidValue, cudaDeviceGetLimit(&v, (enum cudaLimit)99));
    gives(InvalidValue, cudaDeviceSetLimit((enum cudaLimit)99, 1));
    gives(InvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
}

SITUATION("cudaDeviceGetCacheConfig; set PreferShared, get; set 99; get(NULL)")
{
    enum cudaFuncCache c = (enum cudaFuncCache)99;
    answer(cudaDeviceGetCacheConfig(&c));
    shows("0", "%d", (int)c);
    answer(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    MUST(cudaDeviceGetCacheConfig(&c));
    shows("1", "%d", (int)c);
    gives(InvalidValue, cudaDeviceSetCacheConfig((enum cudaFuncCache)99));
    gives(InvalidValue, cudaDeviceGetCacheConfig(NULL));
}

SITUATION("cudaDeviceGetPCIBusId, its length, and back; 5 bytes of room; NULL; device 99; "
          "cudaDeviceGetByPCIBusId: nonsense; a device that is not there; NULL text; NULL result")
{
    char id[64] = "";
    int d = -1;
    answer(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    shows("12 characters", "%zu characters", strlen(id));
    answer(cudaDeviceGetByPCIBusId(&d, id));
    shows("device 0", "device %d", d);
    char small[8] = "";
    gives(InvalidValue, cudaDeviceGetPCIBusId(small, 5, 0));
    shows("'0000'", "'%s'", small);
    gives(InvalidValue, cudaDeviceGetPCIBusId(NULL, 13, 0));
    gives(InvalidDevice, cudaDeviceGetPCIBusId(id, sizeof id, 99));
    gives(InvalidValue, cudaDeviceGetByPCIBusId(&d, "nonsense"));
    gives(InvalidDevice, cudaDeviceGetByPCIBusId(&d, "ffff:ee:1f.0"));
    gives(InvalidValue, cudaDeviceGetByPCIBusId(&d, NULL));
    gives(InvalidValue, cudaDeviceGetByPCIBusId(NULL, "0000:00:00.0"));
}

SITUATION("cudaDeviceGetP2PAttribute: device 0 to 0; attribute 99; device 99; NULL")
{
    int v = 99;
    gives(InvalidDevice, cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 0));
    gives(InvalidDevice, cudaDeviceGetP2PAttribute(&v, (enum cudaDeviceP2PAttr)99, 0, 0));
    gives(InvalidDevice, cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 99));
    gives(InvalidValue, cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 0, 0));
}

SITUATION("cudaRuntimeGetVersion / 1000, cudaDriverGetVersion / 1000; both with NULL")
{
    int v = 0;
    answer(cudaRuntimeGetVersion(&v));
    shows("13", "%d", v / 1000);
    answer(cudaDriverGetVersion(&v));
    shows("13", "%d", v / 1000);
    gives(InvalidValue, cudaRuntimeGetVersion(NULL));
    gives(InvalidValue, cudaDriverGetVersion(NULL));
}

SITUATION(
    "cudaMemGetInfo: free and total make sense; malloc of 64 MiB takes at least that; NULL, NULL")
{
    size_t before = 0, after = 0, total = 0;
    answer(cudaMemGetInfo(&before, &total));
    shows("sense", before > 0 && before <= total ? "sense" : "nonsense");
    void *p = NULL;
    MUST(cudaMalloc(&p, 64 << 20));
    MUST(cudaMemGetInfo(&after, &total));
    shows("taken", before - after >= 64 << 20 ? "taken" : "not taken");
    answer(cudaMemGetInfo(NULL, NULL));
    answer(cudaMemGetInfo(&before, NULL));
}

/* cuda_profiler_api.h is not in every toolkit. */
cudaError_t cudaProfilerStart(void);

cudaError_t cudaProfilerStop(void);

SITUATION("cudaProfilerStart; cudaProfilerStop")
{
    answer(cudaProfilerStart());
    answer(cudaProfilerStop());
}

SITUATION("cudaGetDriverEntryPointByVersion of cuInit; of no such function; of NULL; "
          "cudaDriverGetVersion; cudaRuntimeGetVersion",
          CRASHES_ON_GPU)
{
    void *f = NULL;
    int v = 0;
    enum cudaDriverEntryPointQueryResult r = (enum cudaDriverEntryPointQueryResult)9;
    answer(cudaGetDriverEntryPointByVersion("cuInit", &f, 13000, cudaEnableDefault, &r));
    shows("1 NULL", "%d %s", (int)r, f ? "a function" : "NULL");
    answer(cudaGetDriverEntryPointByVersion("cuNoSuch", &f, 13000, cudaEnableDefault, &r));
    shows("1", "%d", (int)r);
    gives(InvalidValue, cudaGetDriverEntryPointByVersion(NULL, &f, 13000, cudaEnableDefault, &r));
    answer(cudaRuntimeGetVersion(&v));
    fact("runtime, as the header", "1", "%d", v == CUDART_VERSION);
    answer(cudaDriverGetVersion(&v));
    fact("driver, at least as the header", "1", "%d", v >= CUDART_VERSION);
}

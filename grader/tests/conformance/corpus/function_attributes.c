/* function_attributes.c: attributes of kernels, and occupancy. */
#include "../graphs.h"

SITUATION("cudaFuncGetAttributes: static shared, const, local, max threads, max dynamic shared, "
          "carveout, cache mode; NULL result; NULL function; no such kernel; get last error")
{
    struct cudaFuncAttributes a;
    memset(&a, 0, sizeof a);
    answer(cudaFuncGetAttributes(&a, situation_shared()));
    fact("attributes", "4096 0 0 1024 45056 -1 0", "%zu %zu %zu %d %d %d %d", a.sharedSizeBytes,
         a.constSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes,
         a.preferredShmemCarveout, a.cacheModeCA);
    gives(InvalidValue, cudaFuncGetAttributes(NULL, situation_store()));
    gives(InvalidDeviceFunction, cudaFuncGetAttributes(&a, NULL));
    gives(InvalidResourceHandle, cudaFuncGetAttributes(&a, not_a_kernel()));
    gives(InvalidResourceHandle, cudaGetLastError());
}

SITUATION("cudaFuncSetAttribute: dynamic shared 64 KiB, then get; -1; carveout 50, get; 101; -1; "
          "-2; attribute 99; no such kernel")
{
    const void *f = situation_store();
    struct cudaFuncAttributes a;
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    MUST(cudaFuncGetAttributes(&a, f));
    shows("65536", "%d", a.maxDynamicSharedSizeBytes);
    gives(InvalidValue, cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    answer(cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    MUST(cudaFuncGetAttributes(&a, f));
    shows("50", "%d", a.preferredShmemCarveout);
    gives(InvalidValue,
          cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    answer(cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
    gives(InvalidValue,
          cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
    gives(InvalidValue, cudaFuncSetAttribute(f, (enum cudaFuncAttribute)99, 1));
    gives(InvalidResourceHandle,
          cudaFuncSetAttribute(not_a_kernel(), cudaFuncAttributePreferredSharedMemoryCarveout, 1));
}

SITUATION("a kernel with 4 KiB of static shared memory: dynamic limit 227 KiB; 223 KiB; launch "
          "with 45 KiB")
{
    const void *f = situation_shared();
    int *p = device_bytes(64);
    void *params[] = {&p};
    gives(InvalidValue, cudaLaunchKernel(f, dim(1, 1, 1), dim(32, 1, 1), params, 45 << 10, 0));
    gives(InvalidValue,
          cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 223 << 10));
    answer(cudaDeviceSynchronize());
}

SITUATION("cudaFuncSetCacheConfig: PreferShared; 99; no such kernel; NULL")
{
    answer(cudaFuncSetCacheConfig(situation_store(), cudaFuncCachePreferShared));
    gives(InvalidValue, cudaFuncSetCacheConfig(situation_store(), (enum cudaFuncCache)99));
    gives(InvalidResourceHandle, cudaFuncSetCacheConfig(not_a_kernel(), cudaFuncCachePreferShared));
    gives(InvalidDeviceFunction, cudaFuncSetCacheConfig(NULL, cudaFuncCachePreferShared));
}

SITUATION("cudaFuncGetName: is the kernel's name in it; NULL result; NULL function; no such "
          "kernel; cudaGetFuncBySymbol: valid; no such kernel; NULL result")
{
    const char *name = NULL;
    answer(cudaFuncGetName(&name, situation_store()));
    shows("yes", name && strstr(name, "store_value") ? "yes" : "no");
    gives(InvalidValue, cudaFuncGetName(NULL, situation_store()));
    gives(InvalidDeviceFunction, cudaFuncGetName(&name, NULL));
    gives(InvalidResourceHandle, cudaFuncGetName(&name, not_a_kernel()));
    cudaFunction_t f = NULL;
    answer(cudaGetFuncBySymbol(&f, situation_store()));
    gives(InvalidDeviceFunction, cudaGetFuncBySymbol(&f, not_a_kernel()));
    answer(cudaGetFuncBySymbol(NULL, situation_store()));
}

SITUATION("cudaFuncGetParamInfo of parameter 0, 1, 2",
          "cudaFuncGetParamInfo: Success; Success; InvalidValue",
          "offset, bytes: at 0, 8 bytes; at 8, 4 bytes")
{
    for (size_t i = 0; i < 3; i++) {
        size_t offset = 99, bytes = 99;
        cudaError_t e = cudaFuncGetParamInfo(situation_store(), i, &offset, &bytes);
        answer_error(NULL, "cudaFuncGetParamInfo", e);
        if (e == cudaSuccess)
            answer_text("at %zu, %zu bytes", offset, bytes);
    }
}

SITUATION("cudaOccupancyMaxActiveBlocksPerMultiprocessor of an almost empty kernel: 32; 64; 128; "
          "1000; 1024 threads; 32 threads with 200 KB",
          "n: 32; 32; 16; 2; 2")
{
    static const int threads[] = {32, 64, 128, 1000, 1024};
    int n = -1;
    for (int i = 0; i < 5; i++) {
        n = -1;
        MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), threads[i], 0));
        answer_text("%d", n);
    }
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), 32, 200 << 10));
    shows("0", "%d", n);
}

SITUATION(
    "occupancy of blocks of 32 threads with dynamic shared memory of 1000; 10,000; 40,000; 48 KiB; "
    "49 KiB bytes; of 0 threads; 1025; -1; NULL result; no such kernel; NULL kernel; flags 99",
    "n: 32; 20; 5; 4; 0")
{
    static const size_t bytes[] = {1000, 10000, 40000, 48 << 10, 49 << 10};
    for (int i = 0; i < 5; i++) {
        int n = -1;
        answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), 32, bytes[i]));
        answer_text("%d", n);
    }
    int n = -1;
    const void *f = situation_store();
    gives(InvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 0, 0));
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 1025, 0));
    shows("0", "%d", n);
    gives(InvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, -1, 0));
    gives(InvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, f, 32, 0));
    gives(InvalidResourceHandle,
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, not_a_kernel(), 32, 0));
    gives(InvalidDeviceFunction, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, NULL, 32, 0));
    gives(InvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, f, 32, 0, 99));
}

SITUATION("cudaOccupancyAvailableDynamicSMemPerBlock: 1, 4, 33 blocks of 32 threads",
          "cudaOccupancyAvailableDynamicSMemPerBlock: Success; Success; InvalidValue",
          "n: 49152; 49152; 0")
{
    static const int blocks[] = {1, 4, 33};
    for (int i = 0; i < 3; i++) {
        size_t n = 0;
        answer(cudaOccupancyAvailableDynamicSMemPerBlock(&n, situation_store(), blocks[i], 32));
        answer_text("%zu", n);
    }
}

SITUATION("cudaOccupancyMaxPotentialClusterSize of a kernel with blocks of 128; "
          "cudaOccupancyMaxActiveClusters for a cluster of 2; without a cluster")
{
    int n = 77;
    cudaLaunchAttribute a = {.id = cudaLaunchAttributeClusterDimension,
                             .val = {.clusterDim = {2, 1, 1}}};
    cudaLaunchConfig_t c = {
        .gridDim = {16, 1, 1}, .blockDim = {128, 1, 1}, .attrs = &a, .numAttrs = 1};
    answer(cudaOccupancyMaxActiveClusters(&n, situation_store(), &c));
    c.numAttrs = 0;
    answer(cudaOccupancyMaxPotentialClusterSize(&n, situation_store(), &c));
    shows("8", "%d", n);
    c.numAttrs = 1;
    int *p = device_bytes(64), value = 3;
    void *args[] = {&p, &value};
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    c.gridDim.x = 3;
    gives(InvalidClusterSize, cudaLaunchKernelExC(&c, situation_store(), args));
    a.val.clusterDim.x = 32;
    c.gridDim.x = 32;
    gives(InvalidClusterSize, cudaLaunchKernelExC(&c, situation_store(), args));
    answer(cudaDeviceSynchronize());
    shows("3", "%d", device_int(p));
}

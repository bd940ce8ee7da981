/*
 * situations_launches.c: launches that cannot be, function attributes, occupancy. The kernels are
 * in situations_kernels.cu.
 */
#include <string.h>

#include "situations.h"
#include "situations_kernels.h"

/* An address that no kernel was registered for. */
static const void *not_a_kernel(void)
{
    static const char here;
    return &here;
}

static cudaError_t launch(dim3 grid, dim3 block, size_t shared)
{
    static int *p;
    int value = 1;
    void *params[] = {&p, &value};
    if (!p)
        p = device_bytes(64);
    return cudaLaunchKernel(situation_store(), grid, block, params, shared, 0);
}

static dim3 d(unsigned x, unsigned y, unsigned z)
{
    return (dim3){x, y, z};
}

SITUATION(launch_unknown,
          "cudaLaunchKernel of a host function that is no kernel; of NULL; get last error")
{
    answer(cudaLaunchKernel(not_a_kernel(), d(1, 1, 1), d(1, 1, 1), NULL, 0, 0));
    answer(cudaLaunchKernel(NULL, d(1, 1, 1), d(1, 1, 1), NULL, 0, 0));
    answer(cudaGetLastError());
}

SITUATION(launch_zero, "a launch with grid x 0; grid y 0; block x 0; block z 0; get last error")
{
    answer(launch(d(0, 1, 1), d(1, 1, 1), 0));
    answer(launch(d(1, 0, 1), d(1, 1, 1), 0));
    answer(launch(d(1, 1, 1), d(0, 1, 1), 0));
    answer(launch(d(1, 1, 1), d(1, 1, 0), 0));
    answer(cudaGetLastError());
}

SITUATION(launch_block, "a launch with blocks of 1024; 1025; 32 x 33; x 2048; z 64; z 65 threads")
{
    answer(launch(d(1, 1, 1), d(1024, 1, 1), 0));
    answer(launch(d(1, 1, 1), d(1025, 1, 1), 0));
    answer(launch(d(1, 1, 1), d(32, 33, 1), 0));
    answer(launch(d(1, 1, 1), d(2048, 1, 1), 0));
    answer(launch(d(1, 1, 1), d(1, 1, 64), 0));
    answer(launch(d(1, 1, 1), d(1, 1, 65), 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_grid, "a launch with grid x 2^31; y 65535; y 65536; z 65536")
{
    answer(launch(d(1u << 31, 1, 1), d(1, 1, 1), 0));
    answer(launch(d(1, 65535, 1), d(1, 1, 1), 0));
    answer(launch(d(1, 65536, 1), d(1, 1, 1), 0));
    answer(launch(d(1, 1, 65536), d(1, 1, 1), 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_shared,
          "a launch with dynamic shared memory of 48 KiB; 48 KiB + 1; 227 KiB; 228 KiB; 1 GiB")
{
    answer(launch(d(1, 1, 1), d(1, 1, 1), 48 << 10));
    answer(launch(d(1, 1, 1), d(1, 1, 1), (48 << 10) + 1));
    answer(launch(d(1, 1, 1), d(1, 1, 1), 227 << 10));
    answer(launch(d(1, 1, 1), d(1, 1, 1), 228 << 10));
    answer(launch(d(1, 1, 1), d(1, 1, 1), 1 << 30));
    answer(cudaDeviceSynchronize());
}

SITUATION(
    launch_shared_opt_in,
    "max dynamic shared memory set to 227 KiB, to 227 KiB + 1; launches with 227 KiB; 227 KiB + 1")
{
    const void *f = situation_store();
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, (227 << 10) + 1));
    answer(launch(d(1, 1, 1), d(1, 1, 1), 227 << 10));
    answer(launch(d(1, 1, 1), d(1, 1, 1), (227 << 10) + 1));
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_destroyed, "a launch in a destroyed stream")
{
    void *p = NULL, *params[] = {&p, &p};
    answer(
        cudaLaunchKernel(situation_store(), d(1, 1, 1), d(1, 1, 1), params, 0, destroyed_stream()));
}

SITUATION(launch_null_params, "a launch with NULL for the list of parameters")
{
    answer(cudaLaunchKernel(situation_store(), d(1, 1, 1), d(1, 1, 1), NULL, 0, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_values, "a launch that stores 5: what a copy behind it brings")
{
    int *p = device_bytes(64), value = 5, got[2] = {-1, -1};
    void *params[] = {&p, &value};
    answer(cudaLaunchKernel(situation_store(), d(1, 1, 1), d(1, 1, 1), params, 0, 0));
    value = 6;
    answer(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    answer_text("%d %d", got[0], got[1]);
}

SITUATION(launch_ex, "cudaLaunchKernelExC: valid; NULL function; no such kernel; block 2048")
{
    int *p = device_bytes(64), value = 5;
    void *params[] = {&p, &value};
    cudaLaunchConfig_t c = {.gridDim = d(1, 1, 1), .blockDim = d(1, 1, 1)};
    answer(cudaLaunchKernelExC(&c, situation_store(), params));
    answer(cudaLaunchKernelExC(&c, NULL, params));
    answer(cudaLaunchKernelExC(&c, not_a_kernel(), params));
    c.blockDim = d(2048, 1, 1);
    answer(cudaLaunchKernelExC(&c, situation_store(), params));
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_cooperative, "cudaLaunchCooperativeKernel of 1 block; of 1,000,000 blocks")
{
    int *p = device_bytes(64), value = 5;
    void *params[] = {&p, &value};
    answer(cudaLaunchCooperativeKernel(situation_store(), d(1, 1, 1), d(1, 1, 1), params, 0, 0));
    answer(
        cudaLaunchCooperativeKernel(situation_store(), d(1000000, 1, 1), d(1, 1, 1), params, 0, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(func_attributes, "cudaFuncGetAttributes: static shared, const, local, max threads, max "
                           "dynamic shared, carveout, cache mode")
{
    struct cudaFuncAttributes a;
    memset(&a, 0, sizeof a);
    answer(cudaFuncGetAttributes(&a, situation_shared()));
    answer_text("%zu %zu %zu %d %d %d %d", a.sharedSizeBytes, a.constSizeBytes, a.localSizeBytes,
                a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout,
                a.cacheModeCA);
}

SITUATION(func_attributes_bad,
          "cudaFuncGetAttributes: NULL result; NULL function; no such kernel; get last error")
{
    struct cudaFuncAttributes a;
    answer(cudaFuncGetAttributes(NULL, situation_store()));
    answer(cudaFuncGetAttributes(&a, NULL));
    answer(cudaFuncGetAttributes(&a, not_a_kernel()));
    answer(cudaGetLastError());
}

SITUATION(func_set_attribute, "cudaFuncSetAttribute: dynamic shared 64 KiB, then get; -1; carveout "
                              "50, get; 101; -1; -2; attribute 99; no such kernel")
{
    const void *f = situation_store();
    struct cudaFuncAttributes a;
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    MUST(cudaFuncGetAttributes(&a, f));
    answer_text("%d", a.maxDynamicSharedSizeBytes);
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    answer(cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    MUST(cudaFuncGetAttributes(&a, f));
    answer_text("%d", a.preferredShmemCarveout);
    answer(cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    answer(cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
    answer(cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
    answer(cudaFuncSetAttribute(f, (enum cudaFuncAttribute)99, 1));
    answer(cudaFuncSetAttribute(not_a_kernel(), cudaFuncAttributePreferredSharedMemoryCarveout, 1));
}

SITUATION(func_set_attribute_static, "a kernel with 4 KiB of static shared memory: dynamic limit "
                                     "227 KiB; 223 KiB; launch with 45 KiB")
{
    const void *f = situation_shared();
    int *p = device_bytes(64);
    void *params[] = {&p};
    answer(cudaLaunchKernel(f, d(1, 1, 1), d(32, 1, 1), params, 45 << 10, 0));
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 223 << 10));
    answer(cudaDeviceSynchronize());
}

SITUATION(func_cache_config, "cudaFuncSetCacheConfig: PreferShared; 99; no such kernel; NULL")
{
    answer(cudaFuncSetCacheConfig(situation_store(), cudaFuncCachePreferShared));
    answer(cudaFuncSetCacheConfig(situation_store(), (enum cudaFuncCache)99));
    answer(cudaFuncSetCacheConfig(not_a_kernel(), cudaFuncCachePreferShared));
    answer(cudaFuncSetCacheConfig(NULL, cudaFuncCachePreferShared));
}

SITUATION(func_name,
          "cudaFuncGetName: is the kernel's name in it; NULL result; NULL function; no such kernel")
{
    const char *name = NULL;
    answer(cudaFuncGetName(&name, situation_store()));
    answer_text(name && strstr(name, "store_value") ? "yes" : "no");
    answer(cudaFuncGetName(NULL, situation_store()));
    answer(cudaFuncGetName(&name, NULL));
    answer(cudaFuncGetName(&name, not_a_kernel()));
}

SITUATION(func_by_symbol, "cudaGetFuncBySymbol: valid; no such kernel; NULL result")
{
    cudaFunction_t f = NULL;
    answer(cudaGetFuncBySymbol(&f, situation_store()));
    answer(cudaGetFuncBySymbol(&f, not_a_kernel()));
    answer(cudaGetFuncBySymbol(NULL, situation_store()));
}

#if CUDART_VERSION >= 12040
SITUATION(func_param_info, "cudaFuncGetParamInfo of parameter 0, 1, 2")
{
    for (size_t i = 0; i < 3; i++) {
        size_t offset = 99, bytes = 99;
        cudaError_t e = cudaFuncGetParamInfo(situation_store(), i, &offset, &bytes);
        answer(e);
        if (e == cudaSuccess)
            answer_text("at %zu, %zu bytes", offset, bytes);
    }
}
#endif

SITUATION(occupancy, "cudaOccupancyMaxActiveBlocksPerMultiprocessor of an almost empty kernel: 32; "
                     "64; 128; 1000; 1024 threads")
{
    static const int threads[] = {32, 64, 128, 1000, 1024};
    for (int i = 0; i < 5; i++) {
        int n = -1;
        MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), threads[i], 0));
        answer_text("%d", n);
    }
}

SITUATION(occupancy_shared, "occupancy of blocks of 32 threads with dynamic shared memory of 1000; "
                            "10,000; 40,000; 48 KiB; 49 KiB bytes")
{
    static const size_t bytes[] = {1000, 10000, 40000, 48 << 10, 49 << 10};
    for (int i = 0; i < 5; i++) {
        int n = -1;
        answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), 32, bytes[i]));
        answer_text("%d", n);
    }
}

SITUATION(occupancy_bad, "occupancy: 0 threads; 1025; -1; NULL result; no such kernel; flags 99")
{
    int n = -1;
    const void *f = situation_store();
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 0, 0));
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 1025, 0));
    answer_text("%d", n);
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, -1, 0));
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, f, 32, 0));
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, not_a_kernel(), 32, 0));
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, f, 32, 0, 99));
}

SITUATION(occupancy_dynamic,
          "cudaOccupancyAvailableDynamicSMemPerBlock: 1, 4, 33 blocks of 32 threads")
{
    static const int blocks[] = {1, 4, 33};
    for (int i = 0; i < 3; i++) {
        size_t n = 0;
        answer(cudaOccupancyAvailableDynamicSMemPerBlock(&n, situation_store(), blocks[i], 32));
        answer_text("%zu", n);
    }
}

SITUATION(kernel_order, "two launches in one stream store 1, then 2: which value is left")
{
    int *p = device_bytes(64), value = 1, got = 0;
    void *params[] = {&p, &value};
    cudaStream_t s = new_stream(0);
    MUST(cudaLaunchKernel(situation_store(), d(1, 1, 1), d(1, 1, 1), params, 0, s));
    value = 2;
    MUST(cudaLaunchKernel(situation_store(), d(1, 1, 1), d(1, 1, 1), params, 0, s));
    answer(cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost));
    answer_text("%d", got);
}

SITUATION(kernel_mapped, "a launch that stores 7 in pinned host memory")
{
    int *p = pinned_bytes(64), value = 7;
    void *params[] = {&p, &value};
    answer(cudaLaunchKernel(situation_store(), d(1, 1, 1), d(1, 1, 1), params, 0, 0));
    answer(cudaDeviceSynchronize());
    answer_text("%d", *p);
}

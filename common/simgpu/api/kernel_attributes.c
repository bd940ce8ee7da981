/* kernel_attributes.c: attributes of kernels, occupancy, handles and parameters. */
#include <string.h>

#include "api.h"

static cudaError_t occupancy(int *blocks, const void *function, int threads, size_t dynamic_bytes,
                             unsigned flags)
{
    const struct simgpu_kernel *k = kernel_find(function);
    if (!blocks || threads <= 0 || flags & ~(unsigned)cudaOccupancyDisableCachingOverride)
        return cudaErrorInvalidValue;
    if (!k)
        return kernel_missing(function);
    *blocks = occupancy_blocks(k, threads, dynamic_bytes);
    return cudaSuccess;
}

API_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
         (int *blocks, const void *function, int threads, size_t dynamic_bytes),
         occupancy(blocks, function, threads, dynamic_bytes, 0))
API_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
         (int *blocks, const void *function, int threads, size_t dynamic_bytes, unsigned flags),
         occupancy(blocks, function, threads, dynamic_bytes, flags))

EXPORT cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                             int blocks, int threads)
{
    API_ENTER(cudaOccupancyAvailableDynamicSMemPerBlock);
    const struct simgpu_kernel *k = kernel_find(function);
    API_REFUSE_IF(!bytes || blocks <= 0 || threads <= 0, cudaErrorInvalidValue);
    API_REFUSE_IF(!k, kernel_missing(function));
    bool fit = occupancy_dynamic_bytes(bytes, k, blocks, threads);
    return api_leave(fit ? cudaSuccess : cudaErrorInvalidValue);
}

/* The kernel's own bound, or the largest block that its registers leave room for, in whole warps.
 */
static int max_threads(const struct simgpu_kernel *k)
{
    int most = device_limit(cudaDevAttrMaxThreadsPerBlock),
        warp = device_limit(cudaDevAttrWarpSize);
    if (k->max_threads && k->max_threads < most)
        return k->max_threads;
    while (most > warp && occupancy_blocks(k, most, 0) == 0)
        most -= warp;
    return most;
}

EXPORT cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *function)
{
    API_ENTER(cudaFuncGetAttributes);
    const struct simgpu_kernel *k = kernel_find(function);
    API_REFUSE_IF(!out, cudaErrorInvalidValue);
    API_REFUSE_IF(!k, kernel_missing(function));
    memset(out, 0, sizeof *out);
    out->sharedSizeBytes = k->static_shared_bytes;
    out->numRegs = k->registers ? k->registers : DEFAULT_REGISTERS;
    out->maxThreadsPerBlock = max_threads(k);
    out->maxDynamicSharedSizeBytes = (int)kernel_max_dynamic_bytes(k);
    out->preferredShmemCarveout = kernel_settings(k)->carveout;
    out->ptxVersion = out->binaryVersion =
        10 * sim.profile.compute_major + sim.profile.compute_minor;
    return api_leave(cudaSuccess);
}

static cudaError_t set_attribute(const struct simgpu_kernel *k, enum cudaFuncAttribute attribute,
                                 int value)
{
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 ||
            (size_t)value + k->static_shared_bytes > (size_t)sim.profile.block_shared_bytes_optin)
            return cudaErrorInvalidValue;
        kernel_settings_to_change(k)->max_dynamic_bytes = value;
        return cudaSuccess;
    }
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < -1 || value > 100)
            return cudaErrorInvalidValue;
        kernel_settings_to_change(k)->carveout = value;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

EXPORT cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                        int value)
{
    API_ENTER(cudaFuncSetAttribute);
    const struct simgpu_kernel *k = kernel_find(function);
    return api_leave(k ? set_attribute(k, attribute, value) : kernel_missing(function));
}

/* Accepted as on any GPU since Volta; shared memory and L1 are not modelled as one. */
EXPORT cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache cache)
{
    API_ENTER(cudaFuncSetCacheConfig);
    API_REFUSE_IF(!kernel_find(function), kernel_missing(function));
    return api_leave((unsigned)cache > cudaFuncCachePreferEqual ? cudaErrorInvalidValue
                                                                : cudaSuccess);
}

/* As cudaDeviceSetSharedMemConfig: without effect. */
EXPORT cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig size)
{
    API_ENTER(cudaFuncSetSharedMemConfig);
    API_REFUSE_IF(!kernel_find(function), kernel_missing(function));
    return api_leave((unsigned)size > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                                     : cudaSuccess);
}

EXPORT cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    API_ENTER(cudaFuncGetName);
    const struct simgpu_kernel *k = kernel_find(function);
    API_REFUSE_IF(!name, cudaErrorInvalidValue);
    API_REFUSE_IF(!k, kernel_missing(function));
    *name = k->name;
    return api_leave(cudaSuccess);
}

/* A handle of a kernel is the address of its description; an H200 accepts a NULL result. */
static cudaError_t handle_of(void **out, const void *entry)
{
    const struct simgpu_kernel *k = kernel_find(entry);
    if (!k)
        return cudaErrorInvalidDeviceFunction;
    if (out)
        *out = (void *)(uintptr_t)k;
    return cudaSuccess;
}

API_CALL(cudaGetFuncBySymbol, (cudaFunction_t * function, const void *entry),
         handle_of((void **)function, entry))
API_CALL(cudaGetKernel, (cudaKernel_t * kernel, const void *entry),
         handle_of((void **)kernel, entry))

EXPORT cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset,
                                        size_t *bytes)
{
    API_ENTER(cudaFuncGetParamInfo);
    const struct simgpu_kernel *k = kernel_find(function);
    API_REFUSE_IF(!k, kernel_missing(function));
    API_REFUSE_IF(!offset || index >= (size_t)k->n_params, cudaErrorInvalidValue);
    *offset = kernel_param_offset(k, (int)index);
    if (bytes)
        *bytes = k->param_bytes[index];
    return api_leave(cudaSuccess);
}

#if CUDART_VERSION >= 13020
/* As documented, not asked of a GPU. */
EXPORT cudaError_t cudaFuncGetParamCount(const void *function, size_t *n)
{
    API_ENTER(cudaFuncGetParamCount);
    const struct simgpu_kernel *k = kernel_find(function);
    API_REFUSE_IF(!k, kernel_missing(function));
    API_REFUSE_IF(!n, cudaErrorInvalidValue);
    *n = (size_t)k->n_params;
    return api_leave(cudaSuccess);
}
#endif

/* How many clusters of that many blocks run at once; the parts that an SM count is divided into are
 * not modelled. */
static cudaError_t clusters(int *n, const void *function, const cudaLaunchConfig_t *config)
{
    const struct simgpu_kernel *k = kernel_find(function);
    unsigned blocks = 1;
    if (!n || !config || (config->numAttrs && !config->attrs))
        return cudaErrorInvalidValue;
    if (!k)
        return kernel_missing(function);
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (a->id == cudaLaunchAttributeClusterDimension)
            blocks = a->val.clusterDim.x * a->val.clusterDim.y * a->val.clusterDim.z;
    }
    if (blocks == 0 || blocks > CLUSTER_BLOCKS)
        return cudaErrorInvalidClusterSize;
    int threads = (int)(config->blockDim.x * config->blockDim.y * config->blockDim.z);
    *n =
        occupancy_blocks(k, threads, config->dynamicSmemBytes) * sim.profile.sm_count / (int)blocks;
    return cudaSuccess;
}

API_CALL(cudaOccupancyMaxActiveClusters,
         (int *n, const void *function, const cudaLaunchConfig_t *config),
         clusters(n, function, config))

EXPORT cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *function,
                                                        const cudaLaunchConfig_t *config)
{
    API_ENTER(cudaOccupancyMaxPotentialClusterSize);
    API_REFUSE_IF(!blocks || !config, cudaErrorInvalidValue);
    API_REFUSE_IF(!kernel_find(function), kernel_missing(function));
    *blocks = CLUSTER_BLOCKS;
    return api_leave(cudaSuccess);
}

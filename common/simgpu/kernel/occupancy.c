/*
 * attributes.c: attributes of kernels, how many blocks of one an SM holds, and whether a launch can
 * be at all.
 *
 * Occupancy is by the toolkit's own calculator (cuda_occupancy.h), with the device of the profile.
 */
#include <cuda_occupancy.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

enum { DEFAULT_REGISTERS = 32 };

/* What a program has set on one kernel; kernels it has not touched have none. */
struct kernel_settings {
    const struct simgpu_kernel *kernel;
    int max_dynamic_bytes; /* of shared memory; -1: the default */
    int carveout;          /* percent of the SM's memory preferred for shared memory; -1: none */
    struct kernel_settings *next;
};

static struct kernel_settings *all_settings;
static unsigned settings_version; /* counts the changes of any of them */

/* Occupancy found before. Programs launch the same few shapes again and again. */
struct known {
    const struct simgpu_kernel *kernel;
    int threads;
    size_t dynamic_bytes;
    unsigned version; /* of the settings */
    int blocks;
};

enum { N_KNOWN = 64 };
static struct known known[N_KNOWN];

/* What a launch is held against. */
struct limits {
    unsigned grid[3], block[3], threads;
    size_t shared_bytes; /* of a block that has not opted in to more */
};

static const struct kernel_settings *settings_of(const struct simgpu_kernel *k)
{
    static const struct kernel_settings none = {.max_dynamic_bytes = -1, .carveout = -1};
    for (const struct kernel_settings *s = all_settings; s; s = s->next)
        if (s->kernel == k)
            return s;
    return &none;
}

static struct kernel_settings *settings_to_change(const struct simgpu_kernel *k)
{
    struct kernel_settings *s = (struct kernel_settings *)settings_of(k);
    settings_version++;
    if (s->kernel)
        return s;
    s = malloc(sizeof *s);
    if (!s)
        fatal("out of memory for the attributes of %s", k->name);
    *s = (struct kernel_settings){
        .kernel = k, .max_dynamic_bytes = -1, .carveout = -1, .next = all_settings};
    return all_settings = s;
}

static int limit(int attribute)
{
    int value = 0;
    device_attribute(&value, attribute, 0);
    return value;
}

static const struct limits *limits(void)
{
    static struct limits l;
    if (l.threads)
        return &l;
    for (int i = 0; i < 3; i++) {
        l.grid[i] = (unsigned)limit(cudaDevAttrMaxGridDimX + i);
        l.block[i] = (unsigned)limit(cudaDevAttrMaxBlockDimX + i);
    }
    l.shared_bytes = (size_t)limit(cudaDevAttrMaxSharedMemoryPerBlock);
    l.threads = (unsigned)limit(cudaDevAttrMaxThreadsPerBlock);
    return &l;
}

/* The most dynamic shared memory that a launch of the kernel may ask for. */
static size_t max_dynamic_bytes(const struct simgpu_kernel *k)
{
    int set = settings_of(k)->max_dynamic_bytes;
    size_t whole = limits()->shared_bytes;
    if (set >= 0)
        return (size_t)set;
    return whole > k->static_shared_bytes ? whole - k->static_shared_bytes : 0;
}

cudaError_t kernel_missing(const void *entry)
{
    return entry ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
}

/* ---- occupancy ------------------------------------------------------------------------------- */

/* The calculator's three inputs. */
struct question {
    cudaOccDeviceProp device;
    cudaOccFuncAttributes kernel;
    cudaOccDeviceState state;
};

static struct question question_of(const struct simgpu_kernel *k)
{
    const struct profile *p = &sim.profile;
    struct question q;
    memset(&q, 0, sizeof q);
    q.device.computeMajor = p->compute_major;
    q.device.computeMinor = p->compute_minor;
    q.device.maxThreadsPerBlock = limit(cudaDevAttrMaxThreadsPerBlock);
    q.device.maxThreadsPerMultiprocessor = p->sm_threads;
    q.device.regsPerBlock = p->sm_registers;
    q.device.regsPerMultiprocessor = p->sm_registers;
    q.device.warpSize = limit(cudaDevAttrWarpSize);
    q.device.sharedMemPerBlock = (size_t)limit(cudaDevAttrMaxSharedMemoryPerBlock);
    q.device.sharedMemPerMultiprocessor = (size_t)p->sm_shared_bytes;
    q.device.numSms = p->sm_count;
    q.device.sharedMemPerBlockOptin = (size_t)p->block_shared_bytes_optin;
    q.device.reservedSharedMemPerBlock = (size_t)limit(cudaDevAttrReservedSharedMemoryPerBlock);
    q.kernel.maxThreadsPerBlock = q.device.maxThreadsPerBlock;
    q.kernel.numRegs = k->registers ? k->registers : DEFAULT_REGISTERS;
    q.kernel.sharedSizeBytes = k->static_shared_bytes;
    q.kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    q.kernel.maxDynamicSharedSizeBytes = max_dynamic_bytes(k);
    q.kernel.numBlockBarriers = 1;
    q.state.cacheConfig = CACHE_PREFER_NONE;
    q.state.carveoutConfig = settings_of(k)->carveout;
    return q;
}

/* 0 where the block cannot be. */
static int calculate(const struct simgpu_kernel *k, int threads, size_t dynamic_bytes)
{
    struct question q = question_of(k);
    cudaOccResult answer;
    if (threads > q.device.maxThreadsPerBlock || dynamic_bytes > q.kernel.maxDynamicSharedSizeBytes)
        return 0;
    cudaOccError e = cudaOccMaxActiveBlocksPerMultiprocessor(&answer, &q.device, &q.kernel,
                                                             &q.state, threads, dynamic_bytes);
    if (e == CUDA_OCC_ERROR_UNKNOWN_DEVICE) { /* newer than the calculator: by the rules of sm_90 */
        q.device.computeMajor = 9;
        q.device.computeMinor = 0;
        e = cudaOccMaxActiveBlocksPerMultiprocessor(&answer, &q.device, &q.kernel, &q.state,
                                                    threads, dynamic_bytes);
    }
    return e == CUDA_OCC_SUCCESS ? answer.activeBlocksPerMultiprocessor : 0;
}

static int blocks_per_sm(const struct simgpu_kernel *k, int threads, size_t dynamic_bytes)
{
    struct known *n =
        &known[((uintptr_t)k / 16 + (unsigned)threads / 32 + dynamic_bytes / 64) % N_KNOWN];
    if (n->kernel != k || n->threads != threads || n->dynamic_bytes != dynamic_bytes ||
        n->version != settings_version)
        *n = (struct known){k, threads, dynamic_bytes, settings_version,
                            calculate(k, threads, dynamic_bytes)};
    return n->blocks;
}

int occupancy_blocks_per_sm(const struct simgpu_kernel *k, const struct simgpu_launch *l)
{
    return blocks_per_sm(k, (int)(l->block.x * l->block.y * l->block.z), l->dynamic_shared_bytes);
}

static cudaError_t occupancy(int *blocks, const void *function, int threads, size_t dynamic_bytes,
                             unsigned flags)
{
    const struct simgpu_kernel *k = kernel_find(function);
    if (!blocks || threads <= 0 || flags & ~(unsigned)cudaOccupancyDisableCachingOverride)
        return cudaErrorInvalidValue;
    if (!k)
        return kernel_missing(function);
    *blocks = blocks_per_sm(k, threads, dynamic_bytes);
    return cudaSuccess;
}

EXPORT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                                 int threads, size_t dynamic_bytes)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaOccupancyMaxActiveBlocksPerMultiprocessor", &e))
        return e;
    return api_leave(occupancy(blocks, function, threads, dynamic_bytes, 0));
}

EXPORT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int threads, size_t dynamic_bytes, unsigned flags)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", &e))
        return e;
    return api_leave(occupancy(blocks, function, threads, dynamic_bytes, flags));
}

EXPORT cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                             int blocks, int threads)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaOccupancyAvailableDynamicSMemPerBlock", &e))
        return e;
    const struct simgpu_kernel *k = kernel_find(function);
    if (!bytes || blocks <= 0 || threads <= 0)
        return api_leave(cudaErrorInvalidValue);
    if (!k)
        return api_leave(kernel_missing(function));
    struct question q = question_of(k);
    if (cudaOccAvailableDynamicSMemPerBlock(bytes, &q.device, &q.kernel, &q.state, blocks,
                                            threads) != CUDA_OCC_SUCCESS)
        return api_leave(cudaErrorInvalidValue);
    return api_leave(cudaSuccess);
}

/* ---- can it be launched? --------------------------------------------------------------------- */

cudaError_t launch_check(const struct simgpu_kernel *k, const struct simgpu_launch *l)
{
    const struct limits *max = limits();
    const unsigned grid[3] = {l->grid.x, l->grid.y, l->grid.z};
    const unsigned block[3] = {l->block.x, l->block.y, l->block.z};
    for (int i = 0; i < 3; i++)
        if (grid[i] == 0 || grid[i] > max->grid[i] || block[i] == 0 || block[i] > max->block[i])
            return cudaErrorInvalidValue;
    if (block[0] * block[1] * block[2] > max->threads ||
        l->dynamic_shared_bytes > max_dynamic_bytes(k))
        return cudaErrorInvalidValue;
    return occupancy_blocks_per_sm(k, l) ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* The largest block that the kernel's registers leave room for, in whole warps. */
static int max_threads(const struct simgpu_kernel *k)
{
    int most = limit(cudaDevAttrMaxThreadsPerBlock), warp = limit(cudaDevAttrWarpSize);
    while (most > warp && blocks_per_sm(k, most, 0) == 0)
        most -= warp;
    return most;
}

EXPORT cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *function)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaFuncGetAttributes", &e))
        return e;
    const struct simgpu_kernel *k = kernel_find(function);
    if (!out)
        return api_leave(cudaErrorInvalidValue);
    if (!k)
        return api_leave(kernel_missing(function));
    memset(out, 0, sizeof *out);
    out->sharedSizeBytes = k->static_shared_bytes;
    out->numRegs = k->registers ? k->registers : DEFAULT_REGISTERS;
    out->maxThreadsPerBlock = max_threads(k);
    out->maxDynamicSharedSizeBytes = (int)max_dynamic_bytes(k);
    out->preferredShmemCarveout = settings_of(k)->carveout;
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
        settings_to_change(k)->max_dynamic_bytes = value;
        return cudaSuccess;
    }
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < -1 || value > 100)
            return cudaErrorInvalidValue;
        settings_to_change(k)->carveout = value;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

EXPORT cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                        int value)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaFuncSetAttribute", &e))
        return e;
    const struct simgpu_kernel *k = kernel_find(function);
    return api_leave(k ? set_attribute(k, attribute, value) : kernel_missing(function));
}

/* Accepted as on any GPU since Volta; shared memory and L1 are not modelled as one. */
EXPORT cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache cache)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaFuncSetCacheConfig", &e))
        return e;
    if (!kernel_find(function))
        return api_leave(kernel_missing(function));
    return api_leave((unsigned)cache > cudaFuncCachePreferEqual ? cudaErrorInvalidValue
                                                                : cudaSuccess);
}

EXPORT cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaFuncGetName", &e))
        return e;
    const struct simgpu_kernel *k = kernel_find(function);
    if (!name)
        return api_leave(cudaErrorInvalidValue);
    if (!k)
        return api_leave(kernel_missing(function));
    *name = k->name;
    return api_leave(cudaSuccess);
}

/* ---- handles and parameters ------------------------------------------------------------------ */

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

EXPORT cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *entry)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaGetFuncBySymbol", &e))
        return e;
    return api_leave(handle_of((void **)function, entry));
}

EXPORT cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *entry)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaGetKernel", &e))
        return e;
    return api_leave(handle_of((void **)kernel, entry));
}

/* The natural alignment of a parameter of so many bytes. */
static size_t alignment(size_t bytes)
{
    size_t lowest_bit = bytes & (~bytes + 1);
    return lowest_bit == 0 ? 1 : lowest_bit < 16 ? lowest_bit : 16;
}

size_t kernel_param_offset(const struct simgpu_kernel *k, int i)
{
    size_t at = 0;
    for (int n = 0;; n++) {
        size_t align = alignment(k->param_bytes[n]);
        at = (at + align - 1) / align * align;
        if (n == i)
            return at;
        at += k->param_bytes[n];
    }
}

#if CUDART_VERSION >= 12040
EXPORT cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset,
                                        size_t *bytes)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaFuncGetParamInfo", &e))
        return e;
    const struct simgpu_kernel *k = kernel_find(function);
    if (!k)
        return api_leave(kernel_missing(function));
    if (!offset || index >= (size_t)k->n_params)
        return api_leave(cudaErrorInvalidValue);
    *offset = kernel_param_offset(k, (int)index);
    if (bytes)
        *bytes = k->param_bytes[index];
    return api_leave(cudaSuccess);
}
#endif

/* ---- clusters -------------------------------------------------------------------------------- */

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
    *n = blocks_per_sm(k, threads, config->dynamicSmemBytes) * sim.profile.sm_count / (int)blocks;
    return cudaSuccess;
}

EXPORT cudaError_t cudaOccupancyMaxActiveClusters(int *n, const void *function,
                                                  const cudaLaunchConfig_t *config)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaOccupancyMaxActiveClusters", &e))
        return e;
    return api_leave(clusters(n, function, config));
}

EXPORT cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *function,
                                                        const cudaLaunchConfig_t *config)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaOccupancyMaxPotentialClusterSize", &e))
        return e;
    if (!blocks || !config)
        return api_leave(cudaErrorInvalidValue);
    if (!kernel_find(function))
        return api_leave(kernel_missing(function));
    *blocks = CLUSTER_BLOCKS;
    return api_leave(cudaSuccess);
}

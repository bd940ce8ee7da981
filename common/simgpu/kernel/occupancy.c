/* occupancy.c: the number of blocks of a kernel that an SM holds, and whether a launch is possible
 * at all.
 *
 * Occupancy comes from the toolkit's own calculator (cuda_occupancy.h), with the device of the
 * profile. */
#include <cuda_occupancy.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"

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

const struct kernel_settings *kernel_settings(const struct simgpu_kernel *k)
{
    static const struct kernel_settings none = {.max_dynamic_bytes = -1, .carveout = -1};
    for (const struct kernel_settings *s = all_settings; s; s = s->next)
        if (s->kernel == k)
            return s;
    return &none;
}

struct kernel_settings *kernel_settings_to_change(const struct simgpu_kernel *k)
{
    struct kernel_settings *s = (struct kernel_settings *)kernel_settings(k);
    settings_version++;
    if (s->kernel)
        return s;
    s = needed(malloc(sizeof *s), "the attributes of %s", k->name);
    *s = (struct kernel_settings){
        .kernel = k, .max_dynamic_bytes = -1, .carveout = -1, .next = all_settings};
    return all_settings = s;
}

static const struct limits *limits(void)
{
    static struct limits l;
    if (l.threads)
        return &l;
    for (int i = 0; i < 3; i++) {
        l.grid[i] = (unsigned)device_limit(cudaDevAttrMaxGridDimX + i);
        l.block[i] = (unsigned)device_limit(cudaDevAttrMaxBlockDimX + i);
    }
    l.shared_bytes = (size_t)device_limit(cudaDevAttrMaxSharedMemoryPerBlock);
    l.threads = (unsigned)device_limit(cudaDevAttrMaxThreadsPerBlock);
    return &l;
}

size_t kernel_max_dynamic_bytes(const struct simgpu_kernel *k)
{
    int set = kernel_settings(k)->max_dynamic_bytes;
    size_t whole = limits()->shared_bytes;
    if (set >= 0)
        return (size_t)set;
    return whole > k->static_shared_bytes ? whole - k->static_shared_bytes : 0;
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
    q.device.maxThreadsPerBlock = device_limit(cudaDevAttrMaxThreadsPerBlock);
    q.device.maxThreadsPerMultiprocessor = p->sm_threads;
    q.device.regsPerBlock = p->sm_registers;
    q.device.regsPerMultiprocessor = p->sm_registers;
    q.device.warpSize = device_limit(cudaDevAttrWarpSize);
    q.device.sharedMemPerBlock = (size_t)device_limit(cudaDevAttrMaxSharedMemoryPerBlock);
    q.device.sharedMemPerMultiprocessor = (size_t)p->sm_shared_bytes;
    q.device.numSms = p->sm_count;
    q.device.sharedMemPerBlockOptin = (size_t)p->block_shared_bytes_optin;
    q.device.reservedSharedMemPerBlock =
        (size_t)device_limit(cudaDevAttrReservedSharedMemoryPerBlock);
    q.kernel.maxThreadsPerBlock = q.device.maxThreadsPerBlock;
    q.kernel.numRegs = k->registers ? k->registers : DEFAULT_REGISTERS;
    q.kernel.sharedSizeBytes = k->static_shared_bytes;
    q.kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    q.kernel.maxDynamicSharedSizeBytes = kernel_max_dynamic_bytes(k);
    q.kernel.numBlockBarriers = 1;
    q.state.cacheConfig = CACHE_PREFER_NONE;
    q.state.carveoutConfig = kernel_settings(k)->carveout;
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

int occupancy_blocks(const struct simgpu_kernel *k, int threads, size_t dynamic_bytes)
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
    return occupancy_blocks(k, (int)(l->block.x * l->block.y * l->block.z),
                            l->dynamic_shared_bytes);
}

bool occupancy_dynamic_bytes(size_t *bytes, const struct simgpu_kernel *k, int blocks, int threads)
{
    struct question q = question_of(k);
    return cudaOccAvailableDynamicSMemPerBlock(bytes, &q.device, &q.kernel, &q.state, blocks,
                                               threads) == CUDA_OCC_SUCCESS;
}

/* ---- can it be launched? --------------------------------------------------------------------- */

cudaError_t launch_check(const struct simgpu_kernel *k, const struct simgpu_launch *l)
{
    const struct limits *max = limits();
    const unsigned grid[3] = {l->grid.x, l->grid.y, l->grid.z};
    const unsigned block[3] = {l->block.x, l->block.y, l->block.z};
    for (int i = 0; i < 3; i++)
        if (grid[i] == 0 || grid[i] > max->grid[i] || block[i] == 0 || block[i] > max->block[i]) {
            const bool is_grid = grid[i] == 0 || grid[i] > max->grid[i];
            const unsigned *d = is_grid ? grid : block;
            refusal_note(is_grid ? SIMGPU_REFUSED_GRID : SIMGPU_REFUSED_BLOCK, "", d[0], d[1],
                         d[2]);
            return cudaErrorInvalidValue;
        }
    if (block[0] * block[1] * block[2] > max->threads ||
        (k->max_threads && block[0] * block[1] * block[2] > (unsigned)k->max_threads) ||
        l->dynamic_shared_bytes > kernel_max_dynamic_bytes(k))
        return cudaErrorInvalidValue;
    return occupancy_blocks_per_sm(k, l) ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

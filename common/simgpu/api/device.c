/* device.c: the current device of a host thread, and the settings of a device: flags, limits, cache
 * preference. */
#include "api.h"

enum { N_LIMITS = 7 };

/* What a program may set on a device. */
struct settings {
    size_t limit[N_LIMITS];
    unsigned flags;
    enum cudaFuncCache cache;
};

#define H200_LIMITS                                                                                \
    {                                                                                              \
        1024, 8650752, 8388608, 0, 2048, 64, 11796480                                              \
    } /* stack, printf, heap, -, pending, L2, L2 */

static const struct settings defaults = {.limit = H200_LIMITS, .flags = cudaDeviceMapHost};
static struct settings settings[MAX_DEVICES];

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void set_defaults(void)
{
    for (int i = 0; i < MAX_DEVICES; i++)
        settings[i] = defaults;
}

static struct settings *current(void)
{
    pthread_once(&once, set_defaults);
    return &settings[thread_self()->device];
}

/* The error of a device number that may be bad. */
static cudaError_t device_error(int device)
{
    if (sim.n_devices == 0)
        return cudaErrorNoDevice;
    return device_exists(device) ? cudaSuccess : cudaErrorInvalidDevice;
}

/* ---- the current device ---------------------------------------------------------------------- */

EXPORT cudaError_t cudaGetDeviceCount(int *count)
{
    API_ENTER(cudaGetDeviceCount);
    API_REFUSE_IF(!count, cudaErrorInvalidValue);
    *count = sim.n_devices;
    return api_leave(sim.n_devices ? cudaSuccess : cudaErrorNoDevice);
}

EXPORT cudaError_t cudaSetDevice(int device)
{
    API_ENTER(cudaSetDevice);
    e = device_error(device);
    if (e == cudaSuccess)
        thread_self()->device = device;
    return api_leave(e);
}

EXPORT cudaError_t cudaGetDevice(int *device)
{
    API_ENTER_EARLY(cudaGetDevice, device ? NOT_EARLY : EARLY, cudaErrorInvalidValue);
    API_REFUSE_IF(sim.n_devices == 0, cudaErrorNoDevice);
    *device = thread_self()->device;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaSetValidDevices(int *devices, int n)
{
    API_ENTER(cudaSetValidDevices);
    API_REFUSE_IF(n < 0 || n > sim.n_devices || (n > 0 && !devices), cudaErrorInvalidValue);
    for (int i = 0; i < n; i++)
        if (!device_exists(devices[i]))
            return api_leave(cudaErrorInvalidDevice);
    if (n > 0)
        thread_self()->device = devices[0];
    return api_leave(cudaSuccess);
}

/* All devices are the same: any is the best match. */
EXPORT cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    API_ENTER(cudaChooseDevice);
    API_REFUSE_IF(!device || !wanted, cudaErrorInvalidValue);
    API_REFUSE_IF(sim.n_devices == 0, cudaErrorNoDevice);
    *device = 0;
    return api_leave(cudaSuccess);
}

/* ---- flags ----------------------------------------------------------------------------------- */

static bool flags_valid(unsigned flags)
{
    const unsigned sync_memops = 0x80, all = cudaDeviceScheduleMask | cudaDeviceMapHost |
                                             cudaDeviceLmemResizeToMax | sync_memops;
    unsigned schedule = flags & cudaDeviceScheduleMask;
    return !(flags & ~all) && (schedule & (schedule - 1)) == 0;
}

EXPORT cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    API_ENTER(cudaSetDeviceFlags);
    API_REFUSE_IF(!flags_valid(flags), cudaErrorInvalidValue);
    current()->flags = flags | cudaDeviceMapHost;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    API_ENTER(cudaGetDeviceFlags);
    API_REFUSE_IF(!flags, cudaErrorInvalidValue);
    *flags = current()->flags;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    enum { DEVICE_FLAGS_ARE_VALID = 1 };
    API_ENTER(cudaInitDevice);
    e = device_error(device);
    if (e == cudaSuccess && (flags & DEVICE_FLAGS_ARE_VALID)) {
        if (!flags_valid(device_flags))
            return api_leave(cudaErrorInvalidValue);
        pthread_once(&once, set_defaults);
        settings[device].flags = device_flags | cudaDeviceMapHost;
    }
    return api_leave(e);
}

/* ---- limits and cache preference ------------------------------------------------------------- */

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static size_t at_least(size_t n, size_t least)
{
    return n > least ? n : least;
}

/* Rounding as an H200 does it. */
static cudaError_t limit_set(size_t *limit, enum cudaLimit which, size_t value)
{
    enum { MAX_STACK = 512 << 10, PRINTF_UNIT = 256 << 10, HEAP_UNIT = 2 << 20, MAX_FETCH = 128 };
    int max_persisting = 0;
    switch (which) {
    case cudaLimitStackSize:
        if (value > MAX_STACK)
            return cudaErrorInvalidValue;
        value = round_up(value, 16);
        break;
    case cudaLimitPrintfFifoSize:
    case cudaLimitMallocHeapSize:
        if (value > (size_t)sim.profile.memory_bytes)
            return cudaErrorMemoryAllocation;
        value = which == cudaLimitPrintfFifoSize
                    ? at_least(round_up(value, PRINTF_UNIT), 2 * PRINTF_UNIT)
                    : at_least(round_up(value, HEAP_UNIT), 2 * HEAP_UNIT);
        break;
    case cudaLimitDevRuntimePendingLaunchCount:
        break;
    case cudaLimitMaxL2FetchGranularity:
        if (value > MAX_FETCH)
            return cudaErrorInvalidValue;
        break;
    case cudaLimitPersistingL2CacheSize:
        device_attribute(&max_persisting, cudaDevAttrMaxPersistingL2CacheSize, 0);
        if (value > (size_t)max_persisting)
            return cudaErrorInvalidValue;
        break;
    case cudaLimitDevRuntimeSyncDepth:
        return cudaErrorUnsupportedLimit;
    default:
        return cudaErrorInvalidValue;
    }
    limit[which] = value;
    return cudaSuccess;
}

API_CALL(cudaDeviceSetLimit, (enum cudaLimit which, size_t value),
         limit_set(current()->limit, which, value))

/* No line of the cache is persisting. */
API_CALL(cudaCtxResetPersistingL2Cache, (void), cudaSuccess)

EXPORT cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit which)
{
    API_ENTER(cudaDeviceGetLimit);
    API_REFUSE_IF(!value || (unsigned)which >= N_LIMITS, cudaErrorInvalidValue);
    API_REFUSE_IF(which == cudaLimitDevRuntimeSyncDepth, cudaErrorUnsupportedLimit);
    *value = current()->limit[which];
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cache)
{
    API_ENTER(cudaDeviceSetCacheConfig);
    API_REFUSE_IF((unsigned)cache > cudaFuncCachePreferEqual, cudaErrorInvalidValue);
    current()->cache = cache;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *cache)
{
    API_ENTER(cudaDeviceGetCacheConfig);
    API_REFUSE_IF(!cache, cudaErrorInvalidValue);
    *cache = current()->cache;
    return api_leave(cudaSuccess);
}

/* Accepted as on an H200, whose banks have four bytes whatever is set. */
API_CALL(cudaDeviceSetSharedMemConfig, (enum cudaSharedMemConfig size),
         (unsigned)size > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess)

EXPORT cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *size)
{
    API_ENTER(cudaDeviceGetSharedMemConfig);
    API_REFUSE_IF(!size, cudaErrorInvalidValue);
    *size = cudaSharedMemBankSizeFourByte;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    API_ENTER(cudaDeviceGetStreamPriorityRange);
    if (least)
        *least = 0;
    if (greatest)
        *greatest = PRIORITY_GREATEST;
    return api_leave(cudaSuccess);
}

/* ---- versions -------------------------------------------------------------------------------- */

static cudaError_t version(enum call_id call, int *version)
{
    API_ENTERED(api_enter(call, &e));
    API_REFUSE_IF(!version, cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaRuntimeGetVersion(int *out)
{
    return version(CALL_cudaRuntimeGetVersion, out);
}

EXPORT cudaError_t cudaDriverGetVersion(int *out)
{
    return version(CALL_cudaDriverGetVersion, out);
}

/* driver_entry.c: calls that concern no device in particular: driver entry points, the switch of
 * the profiler, channel formats. */
#include "api.h"

/* There is no driver below: no symbol of it is ever found. */
static cudaError_t driver_symbol(enum call_id call, const char *symbol, void **function,
                                 enum cudaDriverEntryPointQueryResult *status)
{
    API_ENTERED(api_enter(call, &e));
    API_REFUSE_IF(!symbol || !*symbol || !function, cudaErrorInvalidValue);
    *function = NULL;
    if (status)
        *status = cudaDriverEntryPointSymbolNotFound;
    return api_leave(status ? cudaSuccess : cudaErrorSymbolNotFound);
}

EXPORT cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function,
                                           unsigned long long flags,
                                           enum cudaDriverEntryPointQueryResult *status)
{
    (void)flags;
    return driver_symbol(CALL_cudaGetDriverEntryPoint, symbol, function, status);
}

#if CUDART_VERSION >= 12050
EXPORT cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                                    unsigned version, unsigned long long flags,
                                                    enum cudaDriverEntryPointQueryResult *status)
{
    (void)version;
    (void)flags;
    return driver_symbol(CALL_cudaGetDriverEntryPointByVersion, symbol, function, status);
}
#endif

/* Of the driver's interface (cuda.h): how programs of the runtime count its devices. A device has
 * the same number in both, and so have these errors. */
EXPORT int cuInit(unsigned flags)
{
    return flags == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

EXPORT int cuDeviceGetCount(int *n)
{
    return cudaGetDeviceCount(n);
}

EXPORT int cuDeviceGet(int *device, int number)
{
    thread_self();
    if (!device)
        return cudaErrorInvalidValue;
    if (!device_exists(number))
        return cudaErrorInvalidDevice;
    *device = number;
    return cudaSuccess;
}

/* Of cuda_profiler_api.h. They do nothing: simgpu_trace_begin and SIMGPU_TRACE switch traces. */
EXPORT cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

EXPORT cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}

EXPORT struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

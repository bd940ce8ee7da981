/*
 * entry.c: calls around the device rather than of it: driver entry points, the profiler's switch,
 * channel formats.
 */
#include "sim.h"

/* There is no driver below: no symbol of it is ever found. */
static cudaError_t driver_symbol(const char *name, const char *symbol, void **function,
                                 enum cudaDriverEntryPointQueryResult *status)
{
    cudaError_t e;
    if (!query_enter(name, &e))
        return e;
    if (!symbol || !*symbol || !function)
        return query_leave(cudaErrorInvalidValue);
    *function = NULL;
    if (status)
        *status = cudaDriverEntryPointSymbolNotFound;
    return query_leave(status ? cudaSuccess : cudaErrorSymbolNotFound);
}

EXPORT cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function,
                                           unsigned long long flags,
                                           enum cudaDriverEntryPointQueryResult *status)
{
    (void)flags;
    return driver_symbol("cudaGetDriverEntryPoint", symbol, function, status);
}

#if CUDART_VERSION >= 12050
EXPORT cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                                    unsigned version, unsigned long long flags,
                                                    enum cudaDriverEntryPointQueryResult *status)
{
    (void)version;
    (void)flags;
    return driver_symbol("cudaGetDriverEntryPointByVersion", symbol, function, status);
}
#endif

/* Of cuda_profiler_api.h. Nobody profiles: traces are switched by simgpu_trace_begin and
 * SIMGPU_TRACE. */
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

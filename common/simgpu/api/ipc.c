/*
 * ipc.c: handles by which another process would find memory or an event. A simulated device has no
 * other process, and the process that has a thing cannot open it.
 */
#include <string.h>

#include "api.h"

EXPORT cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *out, cudaEvent_t event)
{
    cudaError_t e;
    if (!api_enter(CALL_cudaIpcGetEventHandle, &e))
        return e;
    if (!out || !event)
        return api_leave(cudaErrorInvalidValue);
    const struct event *ev = event_of(event);
    if (!ev || !(ev->flags & cudaEventInterprocess))
        return api_leave(cudaErrorInvalidResourceHandle);
    memset(out, 0, sizeof *out);
    memcpy(out, &event, sizeof event);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *out, cudaIpcEventHandle_t handle)
{
    cudaError_t e;
    (void)handle;
    if (!api_enter(CALL_cudaIpcOpenEventHandle, &e))
        return e;
    return api_leave(out ? cudaErrorDeviceUninitialized : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *out, void *p)
{
    cudaError_t e;
    if (!api_enter(CALL_cudaIpcGetMemHandle, &e))
        return e;
    const struct allocation *a = memory_find(p);
    if (!out || !a || a->kind != MEMORY_DEVICE)
        return api_leave(cudaErrorInvalidValue);
    memset(out, 0, sizeof *out);
    memcpy(out, &a->serial, sizeof a->serial);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaIpcOpenMemHandle(void **out, cudaIpcMemHandle_t handle, unsigned flags)
{
    cudaError_t e;
    (void)handle;
    if (!api_enter(CALL_cudaIpcOpenMemHandle, &e))
        return e;
    if (!out || flags != cudaIpcMemLazyEnablePeerAccess)
        return api_leave(cudaErrorInvalidValue);
    return api_leave(cudaErrorDeviceUninitialized);
}

EXPORT cudaError_t cudaIpcCloseMemHandle(void *p)
{
    cudaError_t e;
    (void)p;
    if (!api_enter(CALL_cudaIpcCloseMemHandle, &e))
        return e;
    return api_leave(cudaErrorInvalidValue);
}

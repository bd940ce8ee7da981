/* ipc.c: memory and events that several processes share. */
#include <assert.h>
#include <string.h>

#include "api.h"

static_assert(sizeof(struct shared_handle) <= CUDA_IPC_HANDLE_SIZE, "a handle holds it");

static void put_handle(void *out, const struct shared_handle *h)
{
    memset(out, 0, CUDA_IPC_HANDLE_SIZE);
    memcpy(out, h, sizeof *h);
}

static struct shared_handle get_handle(const void *from)
{
    struct shared_handle h;
    memcpy(&h, from, sizeof h);
    return h;
}

EXPORT cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *out, cudaEvent_t event)
{
    API_ENTER(cudaIpcGetEventHandle);
    API_REFUSE_IF(!out || !event, cudaErrorInvalidValue);
    const struct event *ev = event_of(event);
    API_REFUSE_IF(!ev || !(ev->flags & cudaEventInterprocess) || ev->opened,
                  cudaErrorInvalidResourceHandle);
    const struct shared_handle h = shared_handle_of_event();
    put_handle(out, &h);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *out, cudaIpcEventHandle_t handle)
{
    const struct shared_handle h = get_handle(&handle);
    API_ENTER(cudaIpcOpenEventHandle);
    API_REFUSE_IF(!out, cudaErrorInvalidValue);
    e = shared_check_event(&h);
    if (e == cudaSuccess)
        e = event_create(out, cudaEventInterprocess | cudaEventDisableTiming);
    if (e == cudaSuccess)
        event_of(*out)->opened = true;
    return api_leave(e);
}

EXPORT cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *out, void *p)
{
    API_ENTER(cudaIpcGetMemHandle);
    struct allocation *a = memory_find(p);
    struct shared_handle h;
    API_REFUSE_IF(!out || !a || a->kind != MEMORY_DEVICE, cudaErrorInvalidValue);
    e = shared_export(a, &h);
    if (e == cudaSuccess)
        put_handle(out, &h);
    return api_leave(e);
}

EXPORT cudaError_t cudaIpcOpenMemHandle(void **out, cudaIpcMemHandle_t handle, unsigned flags)
{
    const struct shared_handle h = get_handle(&handle);
    API_ENTER(cudaIpcOpenMemHandle);
    return api_leave(!out || flags != cudaIpcMemLazyEnablePeerAccess ? cudaErrorInvalidValue
                                                                     : shared_open(&h, NULL, out));
}

EXPORT cudaError_t cudaIpcCloseMemHandle(void *p)
{
    API_ENTER(cudaIpcCloseMemHandle);
    struct allocation *a = memory_find(p);
    API_REFUSE_IF(!a || a->kind != MEMORY_SHARED || a->pool || a->lo != (uint64_t)(uintptr_t)p,
                  cudaErrorInvalidValue);
    host_wait_device(WAITS_FREE, &devices[a->device]);
    shared_close(a);
    return api_leave(cudaSuccess);
}

/* host_memory.c: host memory that the device knows: pinned (cudaMallocHost, cudaHostAlloc) and
 * registered. */
#include "api.h"

static const unsigned alloc_flags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
static const unsigned register_flags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;

static cudaError_t take(void **out, size_t bytes, unsigned flags, const char *call)
{
    cudaError_t e =
        flags & ~alloc_flags ? cudaErrorInvalidValue : memory_new(out, bytes, MEMORY_PINNED, call);
    if (e == cudaSuccess && *out)
        memory_find(*out)->flags = (flags & cudaHostAllocWriteCombined) | cudaHostAllocMapped;
    return e;
}

API_CALL(cudaMallocHost, (void **out, size_t bytes),
         take(out, bytes, cudaHostAllocDefault, "cudaMallocHost"))
API_CALL(cudaHostAlloc, (void **out, size_t bytes, unsigned flags),
         take(out, bytes, flags, "cudaHostAlloc"))

/* Work that names the memory may be pending on any device. */
static void wait_to_free(void)
{
    for (int i = 0; i < sim.n_devices; i++)
        host_wait_device(WAITS_FREE_PINNED, &devices[i]);
}

EXPORT cudaError_t cudaFreeHost(void *p)
{
    API_ENTER(cudaFreeHost);
    if (!p)
        return api_leave(cudaSuccess);
    struct allocation *a = memory_find(p);
    API_REFUSE_IF(!a || a->kind != MEMORY_PINNED || a->lo != (uint64_t)(uintptr_t)p,
                  cudaErrorInvalidValue);
    wait_to_free();
    memory_give_of_host(a);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    API_ENTER(cudaHostRegister);
    API_REFUSE_IF(!p || bytes == 0 || (flags & ~register_flags), cudaErrorInvalidValue);
    API_REFUSE_IF(bytes > UINTPTR_MAX - (uintptr_t)p, cudaErrorInvalidValue);
    const struct allocation *there = memory_find_in(p, bytes);
    API_REFUSE_IF(memory_is_device_address(p) || (there && there->kind != MEMORY_REGISTERED),
                  cudaErrorInvalidValue);
    API_REFUSE_IF(there, cudaErrorHostMemoryAlreadyRegistered);
    memory_add(p, bytes, MEMORY_REGISTERED, thread_self()->device, "cudaHostRegister")->flags =
        flags | cudaHostRegisterMapped;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaHostUnregister(void *p)
{
    API_ENTER(cudaHostUnregister);
    struct allocation *a = memory_find(p);
    API_REFUSE_IF(!p, cudaErrorInvalidValue);
    API_REFUSE_IF(!a, cudaErrorHostMemoryNotRegistered);
    API_REFUSE_IF(a->kind != MEMORY_REGISTERED || a->lo != (uint64_t)(uintptr_t)p,
                  cudaErrorInvalidValue);
    wait_to_free();
    memory_remove(a);
    return api_leave(cudaSuccess);
}

static struct allocation *host_allocation(const void *p)
{
    struct allocation *a = memory_find(p);
    return a && (a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED) ? a : NULL;
}

/* Host and device share one address space: the device's address of pinned memory is the host's. */
EXPORT cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    API_ENTER(cudaHostGetDevicePointer);
    API_REFUSE_IF(!device || flags != 0 || !host_allocation(host), cudaErrorInvalidValue);
    *device = host;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    API_ENTER(cudaHostGetFlags);
    struct allocation *a = host_allocation(host);
    API_REFUSE_IF(!flags || !a, cudaErrorInvalidValue);
    *flags = a->flags;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *p)
{
    API_ENTER(cudaPointerGetAttributes);
    API_REFUSE_IF(!out, cudaErrorInvalidValue);
    struct allocation *a = memory_find(p);
    *out = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -2};
    if (!a || !graph_memory_exists(p)) {
        out->hostPointer = (void *)(uintptr_t)p;
        return api_leave(cudaSuccess);
    }
    bool of_device = a->kind != MEMORY_PINNED && a->kind != MEMORY_REGISTERED;
    bool managed = a->kind == MEMORY_MANAGED;
    out->type = managed     ? cudaMemoryTypeManaged
                : of_device ? cudaMemoryTypeDevice
                            : cudaMemoryTypeHost;
    out->device = a->device == NO_DEVICE ? thread_self()->device : a->device;
    if (memory_reaches(a, thread_self()->device))
        out->devicePointer = (void *)(uintptr_t)p;
    out->hostPointer = of_device && !managed ? NULL : (void *)(uintptr_t)p;
    return api_leave(cudaSuccess);
}

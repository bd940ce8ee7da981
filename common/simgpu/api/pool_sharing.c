/* pool_sharing.c: pools whose memory other processes use. The pool goes to another process as a
 * file descriptor, which the program passes on, and each allocation as 64 bytes. */
#include <assert.h>
#include <string.h>

#include "api.h"

static_assert(sizeof(struct shared_handle) <= sizeof(struct cudaMemPoolPtrExportData),
              "the data of a pointer holds it");

EXPORT cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t exported,
                                                      enum cudaMemAllocationHandleType type,
                                                      unsigned flags)
{
    API_ENTER(cudaMemPoolExportToShareableHandle);
    const struct mempool *pool = pool_of(exported);
    API_REFUSE_IF(!handle || !pool || !pool->is_shareable || flags != 0 ||
                      type != cudaMemHandleTypePosixFileDescriptor,
                  cudaErrorInvalidValue);
    int file = shared_pool_export(pool);
    API_REFUSE_IF(file < 0, cudaErrorOperatingSystem);
    memcpy(handle, &file, sizeof file);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *out, void *handle,
                                                        enum cudaMemAllocationHandleType type,
                                                        unsigned flags)
{
    API_ENTER(cudaMemPoolImportFromShareableHandle);
    API_REFUSE_IF(!out || flags != 0 || type != cudaMemHandleTypePosixFileDescriptor,
                  cudaErrorInvalidValue);
    struct mempool *pool = shared_pool_import((int)(intptr_t)handle);
    *out = (cudaMemPool_t)pool;
    return api_leave(pool ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *p)
{
    API_ENTER(cudaMemPoolExportPointer);
    struct allocation *a = memory_find(p);
    API_REFUSE_IF(!data || !a || a->kind != MEMORY_POOL || !a->pool->is_shareable ||
                      a->lo != (uint64_t)(uintptr_t)p,
                  cudaErrorInvalidValue);
    struct shared_handle h;
    e = shared_export(a, &h);
    if (e == cudaSuccess)
        memcpy(data, &h, sizeof h);
    return api_leave(e);
}

EXPORT cudaError_t cudaMemPoolImportPointer(void **out, cudaMemPool_t imported,
                                            struct cudaMemPoolPtrExportData *data)
{
    API_ENTER(cudaMemPoolImportPointer);
    struct mempool *pool = pool_of(imported);
    API_REFUSE_IF(!out || !data || !pool || !pool->exporter, cudaErrorInvalidValue);
    struct shared_handle h;
    memcpy(&h, data, sizeof h);
    return api_leave(shared_open(&h, pool, out));
}

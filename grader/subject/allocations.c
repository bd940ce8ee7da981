/*
 * allocations.c: the device memory that this process holds. A GPU tells only how much is free,
 * which depends on all programs that use it. So the submission calls these functions, which call
 * the runtime's and count.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "bench.h"
#include "interpose.h"

static struct {
    pthread_mutex_t lock;
    struct allocation {
        void *at;
        size_t bytes;
        const void *caller;
    } * all;
    size_t n, room;
    double bytes;
} held = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Without memory for the list it stays as it is: a little less is counted. */
static cudaError_t took(cudaError_t error, void **at, size_t bytes, const void *caller)
{
    if (error || !*at)
        return error;
    pthread_mutex_lock(&held.lock);
    if (held.n == held.room) {
        const size_t room = held.room ? 2 * held.room : 64;
        struct allocation *all = realloc(held.all, room * sizeof *all);
        held.all = all ? all : held.all;
        held.room = all ? room : held.room;
    }
    if (held.n < held.room) {
        held.all[held.n++] = (struct allocation){*at, bytes, caller};
        held.bytes += (double)bytes;
    }
    pthread_mutex_unlock(&held.lock);
    return cudaSuccess;
}

static cudaError_t gave(cudaError_t error, void *at)
{
    if (error)
        return error;
    pthread_mutex_lock(&held.lock);
    for (size_t i = held.n; i-- > 0;)
        if (held.all[i].at == at) {
            held.bytes -= (double)held.all[i].bytes;
            held.all[i] = held.all[--held.n];
            break;
        }
    pthread_mutex_unlock(&held.lock);
    return cudaSuccess;
}

double bench_device_bytes(void)
{
    pthread_mutex_lock(&held.lock);
    const double bytes = held.bytes;
    pthread_mutex_unlock(&held.lock);
    return bytes;
}

bool bench_allocation_of(const void *p, size_t *bytes, const void **caller)
{
    bool found = false;
    if (pthread_mutex_trylock(&held.lock) != 0)
        return false;
    for (size_t i = 0; i < held.n && !found; i++) {
        const struct allocation *a = &held.all[i];
        found = (uintptr_t)p - (uintptr_t)a->at < a->bytes;
        *bytes = a->bytes;
        *caller = a->caller;
    }
    pthread_mutex_unlock(&held.lock);
    return found;
}

/* ---- the runtime's functions ----------------------------------------------------------------- */

cudaError_t cudaMalloc(void **at, size_t bytes)
{
    FIND_REAL(cudaMalloc);
    const cudaError_t error = real(at, bytes);
    return took(error, at, bytes, __builtin_return_address(0));
}

cudaError_t cudaMallocManaged(void **at, size_t bytes, unsigned flags)
{
    FIND_REAL(cudaMallocManaged);
    const cudaError_t error = real(at, bytes, flags);
    return took(error, at, bytes, __builtin_return_address(0));
}

cudaError_t cudaMallocPitch(void **at, size_t *pitch, size_t width, size_t height)
{
    FIND_REAL(cudaMallocPitch);
    const cudaError_t error = real(at, pitch, width, height);
    return error ? error : took(error, at, *pitch * height, __builtin_return_address(0));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    FIND_REAL(cudaMalloc3D);
    const cudaError_t error = real(out, extent);
    return error ? error
                 : took(error, &out->ptr, out->pitch * extent.height * extent.depth,
                        __builtin_return_address(0));
}

cudaError_t cudaMallocAsync(void **at, size_t bytes, cudaStream_t stream)
{
    FIND_REAL(cudaMallocAsync);
    const cudaError_t error = real(at, bytes, stream);
    return took(error, at, bytes, __builtin_return_address(0));
}

cudaError_t cudaMallocFromPoolAsync(void **at, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    FIND_REAL(cudaMallocFromPoolAsync);
    const cudaError_t error = real(at, bytes, pool, stream);
    return took(error, at, bytes, __builtin_return_address(0));
}

cudaError_t cudaFree(void *at)
{
    FIND_REAL(cudaFree);
    return gave(real(at), at);
}

cudaError_t cudaFreeAsync(void *at, cudaStream_t stream)
{
    FIND_REAL(cudaFreeAsync);
    return gave(real(at, stream), at);
}

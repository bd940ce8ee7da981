/* symbol.c: copies to and from the __device__ variables of a program. A variable of a simulated
 * device is an ordinary variable of the program. So these are copies between host addresses, in the
 * order of their stream. */
#include "api.h"

cudaError_t symbol_find(const void *symbol, size_t offset, size_t bytes, char **address)
{
    void *base;
    size_t size;
    if (!symbol || !variable_find(symbol, thread_self()->device, &base, &size))
        return cudaErrorInvalidSymbol;
    if (offset > size || bytes > size - offset)
        return cudaErrorInvalidValue;
    *address = (char *)base + offset;
    return cudaSuccess;
}

EXPORT cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    char *found;
    API_ENTER(cudaGetSymbolAddress);
    e = symbol_find(symbol, 0, 0, &found);
    if (e == cudaSuccess && !address)
        e = cudaErrorInvalidValue;
    if (e == cudaSuccess)
        *address = found;
    return api_leave(e);
}

EXPORT cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    void *base;
    size_t size;
    API_ENTER(cudaGetSymbolSize);
    API_REFUSE_IF(!symbol || !variable_find(symbol, thread_self()->device, &base, &size),
                  cudaErrorInvalidSymbol);
    API_REFUSE_IF(!bytes, cudaErrorInvalidValue);
    *bytes = size;
    return api_leave(cudaSuccess);
}

/* What cannot be, before the copy is made; *address is where in the variable. */
static cudaError_t check(enum call_id call, const void *symbol, size_t bytes, size_t offset,
                         enum cudaMemcpyKind kind, enum cudaMemcpyKind fitting, char **address)
{
    API_ENTERED(api_enter(call, &e));
    e = symbol_find(symbol, offset, bytes, address);
    if (e == cudaSuccess && kind != fitting && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        e = cudaErrorInvalidMemcpyDirection;
    return api_leave(e);
}

EXPORT cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes,
                                      size_t offset, enum cudaMemcpyKind kind)
{
    char *address;
    if (bytes == 0)
        return cudaSuccess;
    cudaError_t e = check(CALL_cudaMemcpyToSymbol, symbol, bytes, offset, kind,
                          cudaMemcpyHostToDevice, &address);
    return e != cudaSuccess ? e : cudaMemcpy(address, src, bytes, cudaMemcpyDefault);
}

EXPORT cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                        enum cudaMemcpyKind kind)
{
    char *address;
    if (bytes == 0)
        return cudaSuccess;
    cudaError_t e = check(CALL_cudaMemcpyFromSymbol, symbol, bytes, offset, kind,
                          cudaMemcpyDeviceToHost, &address);
    return e != cudaSuccess ? e : cudaMemcpy(dst, address, bytes, cudaMemcpyDefault);
}

/* In a capture, the node keeps the direction that was given. */
static cudaError_t copy_async(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    thread_self()->symbol_kind = 1 + (int)kind;
    cudaError_t e = cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, stream);
    thread_self()->symbol_kind = 0;
    return e;
}

EXPORT cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes,
                                           size_t offset, enum cudaMemcpyKind kind,
                                           cudaStream_t stream)
{
    char *address;
    if (bytes == 0)
        return cudaSuccess;
    cudaError_t e = check(CALL_cudaMemcpyToSymbolAsync, symbol, bytes, offset, kind,
                          cudaMemcpyHostToDevice, &address);
    return e != cudaSuccess ? e : copy_async(address, src, bytes, kind, stream);
}

EXPORT cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes,
                                             size_t offset, enum cudaMemcpyKind kind,
                                             cudaStream_t stream)
{
    char *address;
    if (bytes == 0)
        return cudaSuccess;
    cudaError_t e = check(CALL_cudaMemcpyFromSymbolAsync, symbol, bytes, offset, kind,
                          cudaMemcpyDeviceToHost, &address);
    return e != cudaSuccess ? e : copy_async(dst, address, bytes, kind, stream);
}

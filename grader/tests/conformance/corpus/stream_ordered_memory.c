/* stream_ordered_memory.c: cudaMallocAsync and cudaFreeAsync. */
#include "../graphs.h"

SITUATION("cudaMallocAsync: 0 bytes; NULL; 1 PiB; SIZE_MAX; in 0")
{
    void *p = &p;
    cudaStream_t s = new_stream(0);
    answer(cudaMallocAsync(&p, 0, s));
    shows("NULL", p == NULL ? "NULL" : p == &p ? "untouched" : "other");
    gives(InvalidValue, cudaMallocAsync(NULL, 64, s));
    gives(MemoryAllocation, cudaMallocAsync(&p, (size_t)1 << 50, s));
    gives(MemoryAllocation, cudaMallocAsync(&p, SIZE_MAX, s));
    answer(cudaMallocAsync(&p, 64, 0));
}

SITUATION("cudaFreeAsync: NULL; malloc memory; pinned memory; a pointer inside an allocation; "
          "twice; after synchronizing; then cudaFree; cudaFree of cudaMallocAsync memory; twice; "
          "cudaFreeAsync of cudaMalloc memory; then cudaFree of it; cudaFreeAsync in another "
          "stream than that of the allocation")
{
    cudaStream_t s = new_stream(0), other = new_stream(0);
    char *p = async_bytes(4096, s);
    answer(cudaFreeAsync(NULL, s));
    gives(InvalidValue, cudaFreeAsync(pageable_bytes(64), s));
    gives(InvalidValue, cudaFreeAsync(pinned_bytes(64), s));
    gives(InvalidValue, cudaFreeAsync(p + 256, s));
    answer(cudaFreeAsync(p, s));
    gives(InvalidValue, cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    gives(InvalidValue, cudaFreeAsync(p, s));
    gives(InvalidValue, cudaFree(p));
    p = async_bytes(4096, 0);
    answer(cudaFree(p));
    gives(InvalidValue, cudaFree(p));
    p = device_bytes(4096);
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    gives(InvalidValue, cudaFree(p));
    p = async_bytes(4096, s);
    MUST(cudaStreamSynchronize(s));
    answer(cudaFreeAsync(p, other));
    answer(cudaStreamSynchronize(other));
}

SITUATION(
    "cudaMemsetAsync and cudaMemcpyAsync of memory after its cudaFreeAsync, same stream; after "
    "synchronizing; cudaMemsetAsync past the end of memory of 100 bytes: 101; 4096; 64 MiB")
{
    cudaStream_t s = new_stream(0);
    unsigned char *h = pinned_bytes(4096);
    void *p = async_bytes(4096, s);
    MUST(cudaStreamSynchronize(s));
    MUST(cudaFreeAsync(p, s));
    gives(InvalidValue, cudaMemsetAsync(p, 6, 4096, s));
    gives(InvalidValue, cudaMemcpyAsync(h, p, 4096, cudaMemcpyDeviceToHost, s));
    answer(cudaStreamSynchronize(s));
    gives(InvalidValue, cudaMemsetAsync(p, 6, 4096, s));
    p = async_bytes(100, s);
    gives(InvalidValue, cudaMemsetAsync(p, 0, 101, s));
    gives(InvalidValue, cudaMemsetAsync(p, 0, 4096, s));
    gives(InvalidValue, cudaMemsetAsync(p, 0, 64 << 20, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION("malloc, free, malloc of the same size in one stream: same pointer?")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(1 << 20, s);
    MUST(cudaFreeAsync(p, s));
    shows("same", async_bytes(1 << 20, s) == p ? "same" : "differs");
}

SITUATION("free after busy work in one stream, malloc in another: same pointer?")
{
    cudaStream_t a = nonblocking_stream(), b = nonblocking_stream();
    void *p = async_bytes(1 << 20, a);
    MUST(cudaStreamSynchronize(a));
    gate_shut(a);
    MUST(cudaFreeAsync(p, a));
    shows("differs", async_bytes(1 << 20, b) == p ? "same" : "differs");
}

SITUATION("free after busy work in one stream, another stream waits for an event after it, malloc "
          "there: same pointer?")
{
    cudaStream_t a = nonblocking_stream(), b = nonblocking_stream();
    void *p = async_bytes(1 << 20, a);
    MUST(cudaStreamSynchronize(a));
    gate_shut(a);
    MUST(cudaFreeAsync(p, a));
    order_streams(a, b);
    shows("same", async_bytes(1 << 20, b) == p ? "same" : "differs");
}

SITUATION("cudaMallocAsync and cudaFreeAsync after busy work: wait or return")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(64, s);
    MUST(cudaStreamSynchronize(s));
    gate_shut(s);
    void *q = async_bytes(64, s);
    call_returns();
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(q, s));
    call_returns();
}

SITUATION("cudaFree of cudaMallocAsync memory while its stream is busy: waits or returns")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(4096, s);
    gate_shut(s);
    answer(cudaFree(p));
    call_returns();
}

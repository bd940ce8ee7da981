/*
 * stream_ordered_memory.c: cudaMallocAsync and cudaFreeAsync.
 */
#include <stdint.h>

#include "../situation.h"

SITUATION(async_edges, "cudaMallocAsync: 0 bytes; NULL; 1 PiB; in 0", "p == NULL: NULL",
          "cudaMallocAsync(NULL, 64, s): InvalidValue",
          "cudaMallocAsync(&p, 1 << 50, s): MemoryAllocation")
{
    void *p = &p;
    cudaStream_t s = new_stream(0);
    answer(cudaMallocAsync(&p, 0, s));
    answer_text(p == NULL ? "NULL" : p == &p ? "untouched" : "other");
    answer(cudaMallocAsync(NULL, 64, s));
    answer(cudaMallocAsync(&p, (size_t)1 << 50, s));
    answer(cudaMallocAsync(&p, 64, 0));
}

SITUATION(async_free_bad,
          "cudaFreeAsync: NULL; malloc memory; pinned memory; a pointer inside an allocation",
          "cudaFreeAsync(pageable_bytes(64)): InvalidValue",
          "cudaFreeAsync(pinned_bytes(64)): InvalidValue", "cudaFreeAsync(p + 256): InvalidValue")
{
    cudaStream_t s = new_stream(0);
    char *p = async_bytes(4096, s);
    answer(cudaFreeAsync(NULL, s));
    answer(cudaFreeAsync(pageable_bytes(64), s));
    answer(cudaFreeAsync(pinned_bytes(64), s));
    answer(cudaFreeAsync(p + 256, s));
    answer(cudaFreeAsync(p, s));
}

SITUATION(async_free_twice, "cudaFreeAsync twice; synchronize", "cudaFreeAsync #2: InvalidValue")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(4096, s);
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(async_free_twice_later, "cudaFreeAsync, synchronize, cudaFreeAsync; then cudaFree",
          "cudaFreeAsync #2: InvalidValue", "cudaFree: InvalidValue")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(4096, s);
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaFreeAsync(p, s));
    answer(cudaFree(p));
}

SITUATION(async_free_sync, "cudaFree of cudaMallocAsync memory; twice", "cudaFree #2: InvalidValue")
{
    void *p = async_bytes(4096, 0);
    answer(cudaFree(p));
    answer(cudaFree(p));
}

SITUATION(async_free_of_malloc, "cudaFreeAsync of cudaMalloc memory; then cudaFree of it",
          "cudaFree: InvalidValue")
{
    void *p = device_bytes(4096);
    cudaStream_t s = new_stream(0);
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaFree(p));
}

SITUATION(async_free_other_stream, "cudaFreeAsync in another stream than that of the allocation",
          SUCCEEDS)
{
    cudaStream_t a = new_stream(0), b = new_stream(0);
    void *p = async_bytes(4096, a);
    MUST(cudaStreamSynchronize(a));
    answer(cudaFreeAsync(p, b));
    answer(cudaStreamSynchronize(b));
}

SITUATION(async_use, "cudaMallocAsync, memset, copy back, cudaFreeAsync in one stream",
          "h[4095]: 6")
{
    cudaStream_t s = new_stream(0);
    unsigned char *h = pinned_bytes(4096);
    void *p = async_bytes(4096, s);
    answer(cudaMemsetAsync(p, 6, 4096, s));
    answer(cudaMemcpyAsync(h, p, 4096, cudaMemcpyDeviceToHost, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d", h[4095]);
}

SITUATION(async_use_after_free,
          "cudaMemsetAsync and cudaMemcpyAsync of memory after its "
          "cudaFreeAsync, same stream; after synchronizing",
          "cudaMemsetAsync: InvalidValue", "cudaMemcpyAsync: InvalidValue",
          "cudaMemsetAsync #2: InvalidValue")
{
    cudaStream_t s = new_stream(0);
    unsigned char *h = pinned_bytes(4096);
    void *p = async_bytes(4096, s);
    MUST(cudaStreamSynchronize(s));
    MUST(cudaFreeAsync(p, s));
    answer(cudaMemsetAsync(p, 6, 4096, s));
    answer(cudaMemcpyAsync(h, p, 4096, cudaMemcpyDeviceToHost, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaMemsetAsync(p, 6, 4096, s));
}

SITUATION(async_past_end,
          "cudaMemsetAsync past the end of cudaMallocAsync memory of 100 bytes: 101; 4096; 64 MiB",
          "cudaMemsetAsync(101): InvalidValue", "cudaMemsetAsync(4096): InvalidValue",
          "cudaMemsetAsync(64 << 20): InvalidValue")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(100, s);
    answer(cudaMemsetAsync(p, 0, 101, s));
    answer(cudaMemsetAsync(p, 0, 4096, s));
    answer(cudaMemsetAsync(p, 0, 64 << 20, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(async_reuse, "malloc, free, malloc of the same size in one stream: same pointer?",
          "async_bytes(1 << 20, s) == p: same")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(1 << 20, s);
    MUST(cudaFreeAsync(p, s));
    answer_text(async_bytes(1 << 20, s) == p ? "same" : "differs");
}

SITUATION(async_no_reuse_busy,
          "free after busy work in one stream, malloc in another: same pointer?",
          "async_bytes(1 << 20, b) == p: differs")
{
    cudaStream_t a = nonblocking_stream(), b = nonblocking_stream();
    void *p = async_bytes(1 << 20, a);
    MUST(cudaStreamSynchronize(a));
    gate_shut(a);
    MUST(cudaFreeAsync(p, a));
    answer_text(async_bytes(1 << 20, b) == p ? "same" : "differs");
    gate_open();
    MUST(cudaDeviceSynchronize());
}

SITUATION(async_reuse_event,
          "free after busy work in one stream, another stream waits for an "
          "event after it, malloc there: same pointer?",
          "async_bytes(1 << 20, b) == p: same")
{
    cudaStream_t a = nonblocking_stream(), b = nonblocking_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    void *p = async_bytes(1 << 20, a);
    MUST(cudaStreamSynchronize(a));
    gate_shut(a);
    MUST(cudaFreeAsync(p, a));
    MUST(cudaEventRecord(e, a));
    MUST(cudaStreamWaitEvent(b, e, 0));
    answer_text(async_bytes(1 << 20, b) == p ? "same" : "differs");
    gate_open();
    MUST(cudaDeviceSynchronize());
}

SITUATION(async_busy, "cudaMallocAsync and cudaFreeAsync after busy work: wait or return",
          "the call: returns", "the call #2: returns")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(64, s);
    MUST(cudaStreamSynchronize(s));
    gate_shut(s);
    void *q = async_bytes(64, s);
    answer_waited();
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(q, s));
    answer_waited();
    MUST(cudaDeviceSynchronize());
}

SITUATION(async_free_sync_busy,
          "cudaFree of cudaMallocAsync memory while its stream is busy: waits or returns",
          "the call: returns")
{
    cudaStream_t s = new_stream(0);
    void *p = async_bytes(4096, s);
    gate_shut(s);
    answer(cudaFree(p));
    answer_waited();
    MUST(cudaDeviceSynchronize());
}

SITUATION(
    alloc_sizes,
    "cudaMallocAsync of 0 bytes; of 1 PiB; of -1; cudaFreeAsync of NULL; of what it gave for 0",
    "p: NULL", "cudaMallocAsync(&p, 1ull << 50): MemoryAllocation",
    "cudaMallocAsync(&p, SIZE_MAX): MemoryAllocation", "cudaMallocAsync(NULL, 64): InvalidValue")
{
    cudaStream_t s = new_stream(0);
    void *p = (void *)(uintptr_t)1;
    answer(cudaMallocAsync(&p, 0, s));
    answer_text("%s", p ? "a pointer" : "NULL");
    answer(cudaFreeAsync(p, s));
    answer(cudaMallocAsync(&p, 1ull << 50, s));
    answer(cudaMallocAsync(&p, SIZE_MAX, s));
    answer(cudaFreeAsync(NULL, s));
    answer(cudaMallocAsync(NULL, 64, s));
}

SITUATION(free_twice,
          "cudaFreeAsync twice; cudaFree of memory of cudaMallocAsync; twice; "
          "cudaFreeAsync of memory of cudaMalloc",
          "cudaFreeAsync(p) #2: InvalidValue", "cudaFree #2: InvalidValue",
          "cudaFreeAsync(r + 8): InvalidValue")
{
    cudaStream_t s = new_stream(0);
    void *p, *q, *r;
    MUST(cudaMallocAsync(&p, 64, s));
    MUST(cudaMallocAsync(&q, 64, s));
    MUST(cudaMalloc(&r, 64));
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaFree(q));
    answer(cudaFree(q));
    answer(cudaFreeAsync(r, s));
    answer(cudaFreeAsync((char *)r + 8, s));
}

SITUATION(stale_stream,
          "cudaMallocAsync in one stream, freed in another without order, allocated "
          "again in the first: same address or not after a synchronize",
          "p == q: same")
{
    cudaStream_t s = nonblocking_stream();
    void *p, *q;
    answer(cudaMallocAsync(&p, 64, s));
    answer(cudaFreeAsync(p, s));
    answer(cudaMallocAsync(&q, 64, s));
    answer_text("%s", p == q ? "same" : "other");
    answer(cudaFreeAsync(q, s));
}

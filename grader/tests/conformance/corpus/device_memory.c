/*
 * device_memory.c: cudaMalloc and cudaFree.
 */
#include <stdint.h>

#include "../situation.h"

SITUATION(malloc_zero, "cudaMalloc(0)", "p: NULL")
{
    void *p = &host_word;
    answer(cudaMalloc(&p, 0));
    answer_text(p ? "not NULL" : "NULL");
}

SITUATION(malloc_null, "cudaMalloc(NULL, 16); cudaMalloc(NULL, 0)", "cudaMalloc(16): InvalidValue",
          "cudaMalloc(0): InvalidValue")
{
    answer(cudaMalloc(NULL, 16));
    answer(cudaMalloc(NULL, 0));
}

SITUATION(malloc_huge, "cudaMalloc of 1 PiB; of SIZE_MAX; what the pointer is afterwards",
          "cudaMalloc(1 << 50): MemoryAllocation", "p == &host_word: NULL",
          "cudaMalloc(SIZE_MAX): MemoryAllocation")
{
    void *p = &host_word;
    answer(cudaMalloc(&p, (size_t)1 << 50));
    answer_text(p == &host_word ? "untouched" : p ? "other" : "NULL");
    answer(cudaMalloc(&p, SIZE_MAX));
}

SITUATION(malloc_aligned, "cudaMalloc of 1 byte: alignment of at least 256; two of them differ",
          "addresses: aligned", "a != b: differ")
{
    void *a = device_bytes(1), *b = device_bytes(1);
    answer_fact("addresses", "%s",
                (uintptr_t)a % 256 == 0 && (uintptr_t)b % 256 == 0 ? "aligned" : "not aligned");
    answer_text(a != b ? "differ" : "same");
}

SITUATION(free_null, "cudaFree(NULL); cudaFreeHost(NULL)", SUCCEEDS)
{
    answer(cudaFree(NULL));
    answer(cudaFreeHost(NULL));
}

SITUATION(free_twice, "cudaFree twice; get last error", "cudaFree #2: InvalidValue",
          "cudaGetLastError: InvalidValue")
{
    void *p = device_bytes(16);
    answer(cudaFree(p));
    answer(cudaFree(p));
    answer(cudaGetLastError());
}

SITUATION(free_interior, "cudaFree of a pointer inside an allocation; then of the allocation",
          "cudaFree(p + 256): InvalidValue")
{
    char *p = device_bytes(1024);
    answer(cudaFree(p + 256));
    answer(cudaFree(p));
}

SITUATION(free_busy,
          "cudaFree while a blocking stream is busy; while a non-blocking one is: waits or returns",
          "the call: waits", "the call #2: waits")
{
    cudaStream_t s = new_stream(0), n = nonblocking_stream();
    void *p = device_bytes(1 << 20), *q = device_bytes(1 << 20);
    gate_shut(s);
    answer(cudaFree(p));
    answer_waited();
    MUST(cudaDeviceSynchronize());
    gate_shut(n);
    answer(cudaFree(q));
    answer_waited();
    MUST(cudaDeviceSynchronize());
}

SITUATION(malloc_busy, "cudaMalloc while a blocking stream is busy: waits or returns",
          "the call: returns")
{
    cudaStream_t s = new_stream(0);
    void *p = NULL;
    MUST(cudaMalloc(&p, 64));
    gate_shut(s);
    answer(cudaMalloc(&p, 64));
    answer_waited();
    MUST(cudaDeviceSynchronize());
}

/* device_memory.c: cudaMalloc and cudaFree. */
#include "../situation.h"

SITUATION("cudaMalloc(0); cudaMalloc(NULL, 16); cudaMalloc(NULL, 0); of 1 PiB; of SIZE_MAX; what "
          "the pointer is afterwards")
{
    void *p = &host_word;
    answer(cudaMalloc(&p, 0));
    shows("NULL", p ? "not NULL" : "NULL");
    gives(InvalidValue, cudaMalloc(NULL, 16));
    gives(InvalidValue, cudaMalloc(NULL, 0));
    p = &host_word;
    gives(MemoryAllocation, cudaMalloc(&p, (size_t)1 << 50));
    shows("NULL", p == &host_word ? "untouched" : p ? "other" : "NULL");
    gives(MemoryAllocation, cudaMalloc(&p, SIZE_MAX));
}

SITUATION("cudaMalloc of 1 byte: alignment of at least 256; two of them differ")
{
    void *a = device_bytes(1), *b = device_bytes(1);
    fact("addresses", "aligned", "%s",
         (uintptr_t)a % 256 == 0 && (uintptr_t)b % 256 == 0 ? "aligned" : "not aligned");
    shows("differ", a != b ? "differ" : "same");
}

SITUATION("cudaFree(NULL); cudaFreeHost(NULL); cudaFree of a pointer inside an allocation; then of "
          "the allocation")
{
    answer(cudaFree(NULL));
    answer(cudaFreeHost(NULL));
    char *p = device_bytes(1024);
    gives(InvalidValue, cudaFree(p + 256));
    answer(cudaFree(p));
}

SITUATION("cudaFree while a blocking stream is busy; while a non-blocking one is: waits or returns")
{
    cudaStream_t s = new_stream(0), n = nonblocking_stream();
    void *p = device_bytes(1 << 20), *q = device_bytes(1 << 20);
    gate_shut(s);
    answer(cudaFree(p));
    call_waits();
    MUST(cudaDeviceSynchronize());
    gate_shut(n);
    answer(cudaFree(q));
    call_waits();
}

SITUATION("cudaMalloc while a blocking stream is busy: waits or returns")
{
    cudaStream_t s = new_stream(0);
    void *p = NULL;
    MUST(cudaMalloc(&p, 64));
    gate_shut(s);
    answer(cudaMalloc(&p, 64));
    call_returns();
}

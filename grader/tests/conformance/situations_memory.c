/*
 * situations_memory.c: device, pinned, registered and host-mapped memory.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "situations.h"

static int host_word;

SITUATION(malloc_zero, "cudaMalloc(0)")
{
    void *p = &host_word;
    answer(cudaMalloc(&p, 0));
    answer_text(p ? "not NULL" : "NULL");
}

SITUATION(malloc_null, "cudaMalloc(NULL, 16); cudaMalloc(NULL, 0)")
{
    answer(cudaMalloc(NULL, 16));
    answer(cudaMalloc(NULL, 0));
}

SITUATION(malloc_huge, "cudaMalloc of 1 PiB; of SIZE_MAX; what the pointer is afterwards")
{
    void *p = &host_word;
    answer(cudaMalloc(&p, (size_t)1 << 50));
    answer_text(p == &host_word ? "untouched" : p ? "other" : "NULL");
    answer(cudaMalloc(&p, SIZE_MAX));
}

SITUATION(malloc_aligned, "cudaMalloc of 1 byte: alignment of at least 256; two of them differ")
{
    void *a = device_bytes(1), *b = device_bytes(1);
    answer_text((uintptr_t)a % 256 == 0 && (uintptr_t)b % 256 == 0 ? "aligned" : "not aligned");
    answer_text(a != b ? "differ" : "same");
}

SITUATION(free_null, "cudaFree(NULL); cudaFreeHost(NULL)")
{
    answer(cudaFree(NULL));
    answer(cudaFreeHost(NULL));
}

SITUATION(free_twice, "cudaFree twice; get last error")
{
    void *p = device_bytes(16);
    answer(cudaFree(p));
    answer(cudaFree(p));
    answer(cudaGetLastError());
}

SITUATION(free_interior, "cudaFree of a pointer inside an allocation; then of the allocation")
{
    char *p = device_bytes(1024);
    answer(cudaFree(p + 256));
    answer(cudaFree(p));
}

SITUATION(free_host_pointer,
          "cudaFree of malloc memory; of a variable; of pinned memory; of address 1")
{
    answer(cudaFree(pageable_bytes(64)));
    answer(cudaFree(&host_word));
    answer(cudaFree(pinned_bytes(64)));
    answer(cudaFree((void *)1));
}

SITUATION(free_host_wrong,
          "cudaFreeHost of malloc memory; of device memory; of a pointer inside pinned memory")
{
    char *p = pinned_bytes(8192);
    answer(cudaFreeHost(pageable_bytes(64)));
    answer(cudaFreeHost(device_bytes(64)));
    answer(cudaFreeHost(p + 4096));
    answer(cudaFreeHost(p));
}

SITUATION(free_host_twice, "cudaFreeHost twice")
{
    void *p = pinned_bytes(64);
    answer(cudaFreeHost(p));
    answer(cudaFreeHost(p));
}

SITUATION(malloc_host_zero, "cudaMallocHost(0); cudaHostAlloc(0)")
{
    void *p = &host_word;
    answer(cudaMallocHost(&p, 0));
    answer_text(p ? "not NULL" : "NULL");
    p = &host_word;
    answer(cudaHostAlloc(&p, 0, 0));
    answer_text(p ? "not NULL" : "NULL");
}

SITUATION(malloc_host_null, "cudaMallocHost(NULL, 16); cudaHostAlloc(NULL, 16, 0)")
{
    answer(cudaMallocHost(NULL, 16));
    answer(cudaHostAlloc(NULL, 16, 0));
}

SITUATION(malloc_host_huge, "cudaMallocHost of 1 PiB; get last error")
{
    void *p = NULL;
    answer(cudaMallocHost(&p, (size_t)1 << 50));
    answer(cudaGetLastError());
}

SITUATION(host_alloc_flags, "cudaHostAlloc with flags 0 to 7; 8; 99")
{
    for (unsigned f = 0; f <= 9; f++) {
        void *p = NULL;
        answer(cudaHostAlloc(&p, 4096, f == 9 ? 99 : f));
    }
}

SITUATION(host_flags, "cudaHostGetFlags of cudaMallocHost memory; of cudaHostAlloc with portable; "
                      "mapped; write-combined")
{
    unsigned f = 99;
    answer(cudaHostGetFlags(&f, pinned_bytes(64)));
    answer_text("%u", f);
    static const unsigned flags[] = {cudaHostAllocPortable, cudaHostAllocMapped,
                                     cudaHostAllocWriteCombined};
    for (int i = 0; i < 3; i++) {
        void *p = NULL;
        MUST(cudaHostAlloc(&p, 64, flags[i]));
        answer(cudaHostGetFlags(&f, p));
        answer_text("%u", f);
    }
}

SITUATION(host_flags_bad, "cudaHostGetFlags inside pinned memory; of malloc memory; of device "
                          "memory; of NULL; NULL result")
{
    unsigned f = 99;
    char *p = pinned_bytes(64);
    answer(cudaHostGetFlags(&f, p + 8));
    answer(cudaHostGetFlags(&f, pageable_bytes(64)));
    answer(cudaHostGetFlags(&f, device_bytes(64)));
    answer(cudaHostGetFlags(&f, NULL));
    answer(cudaHostGetFlags(NULL, p));
}

SITUATION(host_device_pointer,
          "cudaHostGetDevicePointer of pinned memory; inside it; is it the same pointer?")
{
    char *p = pinned_bytes(64);
    void *d = NULL;
    answer(cudaHostGetDevicePointer(&d, p, 0));
    answer_text(d == p ? "same" : "differs");
    answer(cudaHostGetDevicePointer(&d, p + 8, 0));
    answer_text(d == p + 8 ? "same" : "differs");
}

SITUATION(
    host_device_pointer_bad,
    "cudaHostGetDevicePointer: flags 1; malloc memory; device memory; NULL memory; NULL result")
{
    char *p = pinned_bytes(64);
    void *d = NULL;
    answer(cudaHostGetDevicePointer(&d, p, 1));
    answer(cudaHostGetDevicePointer(&d, pageable_bytes(64), 0));
    answer(cudaHostGetDevicePointer(&d, device_bytes(64), 0));
    answer(cudaHostGetDevicePointer(&d, NULL, 0));
    answer(cudaHostGetDevicePointer(NULL, p, 0));
}

static void *pages(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(p == MAP_FAILED ? cudaErrorMemoryAllocation : cudaSuccess, "mmap");
    memset(p, 1, n);
    return p;
}

SITUATION(register_twice, "cudaHostRegister of the same range twice; unregister; unregister again")
{
    void *p = pages(65536);
    answer(cudaHostRegister(p, 65536, 0));
    answer(cudaHostRegister(p, 65536, 0));
    answer(cudaHostUnregister(p));
    answer(cudaHostUnregister(p));
}

SITUATION(register_overlap,
          "cudaHostRegister of a range, then a part of it, then one that laps over its end")
{
    char *p = pages(65536);
    answer(cudaHostRegister(p, 32768, 0));
    answer(cudaHostRegister(p + 8192, 4096, 0));
    answer(cudaHostRegister(p + 16384, 32768, 0));
    answer(cudaHostRegister(p + 32768, 32768, 0));
}

SITUATION(register_bad,
          "cudaHostRegister: NULL; 0 bytes; flags 99; flags 16; device memory; pinned memory")
{
    void *p = pages(4096);
    answer(cudaHostRegister(NULL, 4096, 0));
    answer(cudaHostRegister(p, 0, 0));
    answer(cudaHostRegister(p, 4096, 99));
    answer(cudaHostRegister(p, 4096, 16));
    answer(cudaHostRegister(device_bytes(4096), 4096, 0));
    answer(cudaHostRegister(pinned_bytes(4096), 4096, 0));
}

SITUATION(register_flags, "cudaHostRegister with portable, mapped, both: cudaHostGetFlags of each")
{
    for (unsigned f = 1; f <= 3; f++) {
        char *p = pages(4096);
        unsigned got = 99;
        answer(cudaHostRegister(p, 4096, f));
        answer(cudaHostGetFlags(&got, p));
        answer_text("%u", got);
    }
}

SITUATION(register_unaligned,
          "cudaHostRegister of 100 bytes inside a page of malloc memory; the device pointer of it")
{
    char *p = pageable_bytes(65536);
    void *d = NULL;
    answer(cudaHostRegister(p + 333, 100, 0));
    answer(cudaHostGetDevicePointer(&d, p + 333, 0));
    answer_text(d == p + 333 ? "same" : "differs");
    answer(cudaHostUnregister(p + 333));
}

SITUATION(
    unregister_bad,
    "cudaHostUnregister: never registered; NULL; cudaMallocHost memory; inside a registered range")
{
    char *p = pages(65536);
    answer(cudaHostUnregister(p));
    answer(cudaHostUnregister(NULL));
    answer(cudaHostUnregister(pinned_bytes(4096)));
    MUST(cudaHostRegister(p, 65536, 0));
    answer(cudaHostUnregister(p + 4096));
}

SITUATION(free_host_registered, "cudaFreeHost of registered memory, then cudaHostUnregister of it")
{
    char *p = pages(65536);
    MUST(cudaHostRegister(p, 65536, 0));
    answer(cudaFreeHost(p));
    answer(cudaHostUnregister(p));
}

static void attributes_of(const void *p)
{
    struct cudaPointerAttributes a = {.type = (enum cudaMemoryType)99, .device = 99};
    cudaError_t e = cudaPointerGetAttributes(&a, p);
    answer(e);
    if (e == cudaSuccess)
        answer_text("type %d device %d%s%s", (int)a.type, a.device,
                    a.devicePointer == p ? " devicePointer same" : "",
                    a.hostPointer == p ? " hostPointer same" : "");
}

SITUATION(attributes_device, "cudaPointerGetAttributes of device memory; inside it")
{
    char *p = device_bytes(4096);
    attributes_of(p);
    attributes_of(p + 100);
}

SITUATION(attributes_pinned, "cudaPointerGetAttributes of pinned memory; inside it")
{
    char *p = pinned_bytes(4096);
    attributes_of(p);
    attributes_of(p + 100);
}

SITUATION(attributes_registered,
          "cudaPointerGetAttributes of registered memory; after unregistering it")
{
    char *p = pages(65536);
    MUST(cudaHostRegister(p, 65536, 0));
    attributes_of(p + 8);
    MUST(cudaHostUnregister(p));
    attributes_of(p + 8);
}

SITUATION(attributes_pageable,
          "cudaPointerGetAttributes of malloc memory; of a variable; get last error")
{
    attributes_of(pageable_bytes(64));
    attributes_of(&host_word);
    answer(cudaGetLastError());
}

SITUATION(attributes_freed, "cudaPointerGetAttributes of freed device memory")
{
    void *p = device_bytes(64 << 20);
    MUST(cudaFree(p));
    attributes_of(p);
}

SITUATION(attributes_null, "cudaPointerGetAttributes of NULL; with NULL attributes")
{
    struct cudaPointerAttributes a = {.type = (enum cudaMemoryType)99, .device = 99};
    cudaError_t e = cudaPointerGetAttributes(&a, NULL);
    answer(e);
    answer_text("type %d device %d", (int)a.type, a.device);
    answer(cudaPointerGetAttributes(NULL, device_bytes(64)));
}

SITUATION(attributes_async, "cudaPointerGetAttributes of cudaMallocAsync memory")
{
    void *p = NULL;
    MUST(cudaMallocAsync(&p, 4096, 0));
    attributes_of(p);
}

SITUATION(malloc_pitch, "cudaMallocPitch of 100 x 10; 513 x 10; pitches")
{
    void *p = NULL;
    size_t pitch = 0;
    answer(cudaMallocPitch(&p, &pitch, 100, 10));
    answer_text("%zu", pitch);
    answer(cudaMallocPitch(&p, &pitch, 513, 10));
    answer_text("%zu", pitch);
}

SITUATION(malloc_pitch_edges,
          "cudaMallocPitch of width 0; height 0; NULL pointer; NULL pitch; 1 PiB")
{
    void *p = &host_word;
    size_t pitch = 77;
    answer(cudaMallocPitch(&p, &pitch, 0, 10));
    answer_text("%s %zu", p == &host_word ? "untouched" : p ? "other" : "NULL", pitch);
    p = &host_word;
    answer(cudaMallocPitch(&p, &pitch, 100, 0));
    answer_text("%s %zu", p == &host_word ? "untouched" : p ? "other" : "NULL", pitch);
    answer(cudaMallocPitch(NULL, &pitch, 100, 10));
    answer(cudaMallocPitch(&p, NULL, 100, 10));
    answer(cudaMallocPitch(&p, &pitch, (size_t)1 << 30, 1 << 20));
}

SITUATION(malloc_3d, "cudaMalloc3D of 100 x 10 x 2: pitch, xsize, ysize; of 0 x 10 x 2; NULL")
{
    struct cudaPitchedPtr p = {0};
    answer(cudaMalloc3D(&p, extent(100, 10, 2)));
    answer_text("%zu %zu %zu", p.pitch, p.xsize, p.ysize);
    answer(cudaMalloc3D(&p, extent(0, 10, 2)));
    answer_text(p.ptr ? "not NULL" : "NULL");
    answer(cudaMalloc3D(NULL, extent(100, 10, 2)));
}

SITUATION(free_busy,
          "cudaFree while a blocking stream is busy; while a non-blocking one is: waits or returns")
{
    cudaStream_t s = new_stream(0), n = new_stream(cudaStreamNonBlocking);
    void *p = device_bytes(1 << 20), *q = device_bytes(1 << 20);
    gate_shut(s);
    gate_open_later(100);
    answer(cudaFree(p));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
    gate_shut(n);
    gate_open_later(100);
    answer(cudaFree(q));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(malloc_busy, "cudaMalloc while a blocking stream is busy: waits or returns")
{
    cudaStream_t s = new_stream(0);
    void *p = NULL;
    MUST(cudaMalloc(&p, 64));
    gate_shut(s);
    gate_open_later(100);
    answer(cudaMalloc(&p, 64));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(malloc_host_busy,
          "cudaMallocHost and cudaFreeHost while a stream is busy: wait or return")
{
    cudaStream_t s = new_stream(0);
    void *p = pinned_bytes(64), *q = NULL;
    gate_shut(s);
    gate_open_later(200);
    answer(cudaMallocHost(&q, 64));
    answer_text("%s", gate_waited());
    answer(cudaFreeHost(p));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(symbol_unknown,
          "cudaGetSymbolAddress of an unknown symbol; cudaGetSymbolSize; of NULL; NULL result")
{
    void *p = NULL;
    size_t n = 0;
    answer(cudaGetSymbolAddress(&p, &host_word));
    answer(cudaGetSymbolSize(&n, &host_word));
    answer(cudaGetSymbolAddress(&p, NULL));
    answer(cudaGetSymbolAddress(NULL, &host_word));
}

SITUATION(malloc_managed_bad, "cudaMallocManaged: 0 bytes; flags 0; NULL")
{
    void *p = NULL;
    answer(cudaMallocManaged(&p, 0, cudaMemAttachGlobal));
    answer(cudaMallocManaged(&p, 64, 0));
    answer(cudaMallocManaged(NULL, 64, cudaMemAttachGlobal));
}

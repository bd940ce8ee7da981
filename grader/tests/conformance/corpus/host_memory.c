/*
 * host_memory.c: pinned, registered and host-mapped memory.
 */
#include <stdlib.h>

#include "../situation.h"

SITUATION(free_host_pointer,
          "cudaFree of malloc memory; of a variable; of pinned memory; of address 1",
          "cudaFree(pageable_bytes(64)): InvalidValue", "cudaFree(&host_word): InvalidValue",
          "cudaFree(pinned_bytes(64)): InvalidValue", "cudaFree(1): InvalidValue")
{
    answer(cudaFree(pageable_bytes(64)));
    answer(cudaFree(&host_word));
    answer(cudaFree(pinned_bytes(64)));
    answer(cudaFree((void *)1));
}

SITUATION(free_host_wrong,
          "cudaFreeHost of malloc memory; of device memory; of a pointer inside pinned memory",
          "cudaFreeHost(pageable_bytes(64)): InvalidValue",
          "cudaFreeHost(device_bytes(64)): InvalidValue", "cudaFreeHost(p + 4096): InvalidValue")
{
    char *p = pinned_bytes(8192);
    answer(cudaFreeHost(pageable_bytes(64)));
    answer(cudaFreeHost(device_bytes(64)));
    answer(cudaFreeHost(p + 4096));
    answer(cudaFreeHost(p));
}

SITUATION(free_host_twice, "cudaFreeHost twice", "cudaFreeHost #2: InvalidValue")
{
    void *p = pinned_bytes(64);
    answer(cudaFreeHost(p));
    answer(cudaFreeHost(p));
}

SITUATION(malloc_host_zero, "cudaMallocHost(0); cudaHostAlloc(0)", "p: NULL", "p #2: NULL")
{
    void *p = &host_word;
    answer(cudaMallocHost(&p, 0));
    answer_text(p ? "not NULL" : "NULL");
    p = &host_word;
    answer(cudaHostAlloc(&p, 0, 0));
    answer_text(p ? "not NULL" : "NULL");
}

SITUATION(malloc_host_null, "cudaMallocHost(NULL, 16); cudaHostAlloc(NULL, 16, 0)",
          "cudaMallocHost: InvalidValue", "cudaHostAlloc: InvalidValue")
{
    answer(cudaMallocHost(NULL, 16));
    answer(cudaHostAlloc(NULL, 16, 0));
}

SITUATION(malloc_host_huge, "cudaMallocHost of 1 PiB; get last error",
          "cudaMallocHost: MemoryAllocation", "cudaGetLastError: MemoryAllocation")
{
    void *p = NULL;
    answer(cudaMallocHost(&p, (size_t)1 << 50));
    answer(cudaGetLastError());
}

SITUATION(host_alloc_flags, "cudaHostAlloc with flags 0 to 7; 8; 99",
          "cudaHostAlloc #9: InvalidValue", "cudaHostAlloc #10: InvalidValue")
{
    for (unsigned f = 0; f <= 9; f++) {
        void *p = NULL;
        answer(cudaHostAlloc(&p, 4096, f == 9 ? 99 : f));
    }
}

SITUATION(host_flags,
          "cudaHostGetFlags of cudaMallocHost memory; of cudaHostAlloc with portable; "
          "mapped; write-combined",
          "f: 2", "f #2: 2", "f #3: 2", "f #4: 6")
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

SITUATION(host_flags_bad,
          "cudaHostGetFlags inside pinned memory; of malloc memory; of device "
          "memory; of NULL; NULL result",
          "cudaHostGetFlags(&f, pageable_bytes(64)): InvalidValue",
          "cudaHostGetFlags(&f, device_bytes(64)): InvalidValue",
          "cudaHostGetFlags(&f, NULL): InvalidValue", "cudaHostGetFlags(NULL, p): InvalidValue")
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
          "cudaHostGetDevicePointer of pinned memory; inside it; is it the same pointer?",
          "d == p: same", "d == p + 8: same")
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
    "cudaHostGetDevicePointer: flags 1; malloc memory; device memory; NULL memory; NULL result",
    "cudaHostGetDevicePointer(&d, p, 1): InvalidValue",
    "cudaHostGetDevicePointer(&d, pageable_bytes(64), 0): InvalidValue",
    "cudaHostGetDevicePointer(&d, device_bytes(64), 0): InvalidValue",
    "cudaHostGetDevicePointer(&d, NULL, 0): InvalidValue",
    "cudaHostGetDevicePointer(NULL, p, 0): InvalidValue")
{
    char *p = pinned_bytes(64);
    void *d = NULL;
    answer(cudaHostGetDevicePointer(&d, p, 1));
    answer(cudaHostGetDevicePointer(&d, pageable_bytes(64), 0));
    answer(cudaHostGetDevicePointer(&d, device_bytes(64), 0));
    answer(cudaHostGetDevicePointer(&d, NULL, 0));
    answer(cudaHostGetDevicePointer(NULL, p, 0));
}

SITUATION(register_twice, "cudaHostRegister of the same range twice; unregister; unregister again",
          "cudaHostRegister #2: HostMemoryAlreadyRegistered",
          "cudaHostUnregister #2: HostMemoryNotRegistered")
{
    void *p = pages(65536);
    answer(cudaHostRegister(p, 65536, 0));
    answer(cudaHostRegister(p, 65536, 0));
    answer(cudaHostUnregister(p));
    answer(cudaHostUnregister(p));
}

SITUATION(register_overlap,
          "cudaHostRegister of a range, then a part of it, then one that laps over its end",
          "cudaHostRegister(p + 8192, 4096): HostMemoryAlreadyRegistered",
          "cudaHostRegister(p + 16384, 32768): HostMemoryAlreadyRegistered")
{
    char *p = pages(65536);
    answer(cudaHostRegister(p, 32768, 0));
    answer(cudaHostRegister(p + 8192, 4096, 0));
    answer(cudaHostRegister(p + 16384, 32768, 0));
    answer(cudaHostRegister(p + 32768, 32768, 0));
}

SITUATION(register_bad,
          "cudaHostRegister: NULL; 0 bytes; flags 99; flags 16; device memory; pinned memory",
          "cudaHostRegister(NULL, 4096, 0): InvalidValue",
          "cudaHostRegister(p, 0, 0): InvalidValue", "cudaHostRegister(p, 4096, 99): InvalidValue",
          "cudaHostRegister(p, 4096, 16): InvalidValue",
          "cudaHostRegister(device_bytes(4096), 4096, 0): InvalidValue",
          "cudaHostRegister(pinned_bytes(4096), 4096, 0): InvalidValue")
{
    void *p = pages(4096);
    answer(cudaHostRegister(NULL, 4096, 0));
    answer(cudaHostRegister(p, 0, 0));
    answer(cudaHostRegister(p, 4096, 99));
    answer(cudaHostRegister(p, 4096, 16));
    answer(cudaHostRegister(device_bytes(4096), 4096, 0));
    answer(cudaHostRegister(pinned_bytes(4096), 4096, 0));
}

SITUATION(register_flags, "cudaHostRegister with portable, mapped, both: cudaHostGetFlags of each",
          "got: 3", "got #2: 2", "got #3: 3")
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
          "cudaHostRegister of 100 bytes inside a page of malloc memory; the device pointer of it",
          "d == p + 333: same")
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
    "cudaHostUnregister: never registered; NULL; cudaMallocHost memory; inside a registered range",
    "cudaHostUnregister(p): HostMemoryNotRegistered", "cudaHostUnregister(NULL): InvalidValue",
    "cudaHostUnregister(pinned_bytes(4096)): InvalidValue",
    "cudaHostUnregister(p + 4096): InvalidValue")
{
    char *p = pages(65536);
    answer(cudaHostUnregister(p));
    answer(cudaHostUnregister(NULL));
    answer(cudaHostUnregister(pinned_bytes(4096)));
    MUST(cudaHostRegister(p, 65536, 0));
    answer(cudaHostUnregister(p + 4096));
}

SITUATION(free_host_registered, "cudaFreeHost of registered memory, then cudaHostUnregister of it",
          "cudaFreeHost: InvalidValue")
{
    char *p = pages(65536);
    MUST(cudaHostRegister(p, 65536, 0));
    answer(cudaFreeHost(p));
    answer(cudaHostUnregister(p));
}

SITUATION(malloc_host_busy,
          "cudaMallocHost and cudaFreeHost while a stream is busy: wait or return",
          "the call: returns", "the call #2: waits")
{
    cudaStream_t s = new_stream(0);
    void *p = pinned_bytes(64), *q = NULL;
    gate_shut(s);
    answer(cudaMallocHost(&q, 64));
    answer_waited();
    answer(cudaFreeHost(p));
    answer_waited();
    MUST(cudaDeviceSynchronize());
}

SITUATION(register_twice_more,
          "cudaHostRegister: twice; part of it; 0 bytes; NULL; flags 64; "
          "unregister twice; unregister an interior pointer",
          "cudaHostRegister(q, 16384, 0) #2: HostMemoryAlreadyRegistered",
          "cudaHostRegister(q + 4096, 4096, 0): HostMemoryAlreadyRegistered",
          "cudaHostUnregister(q + 4096): InvalidValue",
          "cudaHostUnregister(q) #2: HostMemoryNotRegistered",
          "cudaHostRegister(q, 0, 0): InvalidValue",
          "cudaHostRegister(NULL, 4096, 0): InvalidValue",
          "cudaHostRegister(q, 4096, 64): InvalidValue")
{
    char *q = aligned_alloc(4096, 16384);
    answer(cudaHostRegister(q, 16384, 0));
    answer(cudaHostRegister(q, 16384, 0));
    answer(cudaHostRegister(q + 4096, 4096, 0));
    answer(cudaHostUnregister(q + 4096));
    answer(cudaHostUnregister(q));
    answer(cudaHostUnregister(q));
    answer(cudaHostRegister(q, 0, 0));
    answer(cudaHostRegister(NULL, 4096, 0));
    answer(cudaHostRegister(q, 4096, 64));
}

SITUATION(register_pinned,
          "cudaHostRegister of memory of cudaMallocHost; cudaFreeHost of "
          "registered memory; cudaHostUnregister of memory of cudaMallocHost",
          "cudaHostRegister(p, 0): InvalidValue", "cudaHostUnregister(p): InvalidValue",
          "cudaFreeHost: InvalidValue")
{
    char *p = pinned_bytes(8192), *q = aligned_alloc(4096, 8192);
    answer(cudaHostRegister(p, 8192, 0));
    answer(cudaHostUnregister(p));
    answer(cudaHostRegister(q, 8192, cudaHostRegisterMapped));
    answer(cudaFreeHost(q));
    answer(cudaHostUnregister(q));
}

SITUATION(host_flags_more,
          "cudaHostGetFlags of cudaHostAlloc's memory with flags 0, portable, mapped, "
          "write-combined; of cudaMallocHost's; of pageable; of registered",
          "flags: 2", "flags #2: 2", "flags #3: 2", "flags #4: 6", "flags #5: 2",
          "cudaHostGetFlags(pageable_bytes(64)): InvalidValue", "flags #6: 3",
          "cudaHostAlloc: InvalidValue")
{
    unsigned flags;
    void *p;
    for (unsigned f = 0; f < 5; f = f ? 2 * f : 1) {
        MUST(cudaHostAlloc(&p, 64, f));
        flags = 99;
        answer(cudaHostGetFlags(&flags, p));
        answer_text("%u", flags);
    }
    answer(cudaHostGetFlags(&flags, pinned_bytes(64)));
    answer_text("%u", flags);
    answer(cudaHostGetFlags(&flags, pageable_bytes(64)));
    char *q = aligned_alloc(4096, 4096);
    MUST(cudaHostRegister(q, 4096, cudaHostRegisterPortable));
    answer(cudaHostGetFlags(&flags, q));
    answer_text("%u", flags);
    answer(cudaHostAlloc(&p, 64, 16));
}

SITUATION(host_device_pointer_more,
          "cudaHostGetDevicePointer of pinned, interior, pageable and device "
          "memory; with flags 1; equal to the host pointer?",
          "d == (void *)h: same", "d == (void *)(h + 8): same",
          "cudaHostGetDevicePointer(pageable_bytes(64), 0): InvalidValue",
          "cudaHostGetDevicePointer(p, 0): InvalidValue",
          "cudaHostGetDevicePointer(h, 1): InvalidValue")
{
    char *h = pinned_bytes(64), *p = device_bytes(64);
    void *d = NULL;
    answer(cudaHostGetDevicePointer(&d, h, 0));
    answer_text("%s", d == (void *)h ? "same" : "other");
    answer(cudaHostGetDevicePointer(&d, h + 8, 0));
    answer_text("%s", d == (void *)(h + 8) ? "same" : "other");
    answer(cudaHostGetDevicePointer(&d, pageable_bytes(64), 0));
    answer(cudaHostGetDevicePointer(&d, p, 0));
    answer(cudaHostGetDevicePointer(&d, h, 1));
}

/* host_memory.c: pinned, registered and host-mapped memory. */

#include "../situation.h"

SITUATION("cudaFree of malloc memory; of a variable; of pinned memory; of address 1")
{
    gives(InvalidValue, cudaFree(pageable_bytes(64)));
    gives(InvalidValue, cudaFree(&host_word));
    gives(InvalidValue, cudaFree(pinned_bytes(64)));
    gives(InvalidValue, cudaFree((void *)1));
}

SITUATION(
    "cudaFreeHost of malloc memory; of device memory; of a pointer inside pinned memory; twice")
{
    char *p = pinned_bytes(8192);
    gives(InvalidValue, cudaFreeHost(pageable_bytes(64)));
    gives(InvalidValue, cudaFreeHost(device_bytes(64)));
    gives(InvalidValue, cudaFreeHost(p + 4096));
    answer(cudaFreeHost(p));
    gives(InvalidValue, cudaFreeHost(p));
}

SITUATION("cudaMallocHost(0); cudaHostAlloc(0); cudaMallocHost(NULL, 16); cudaHostAlloc(NULL, 16, "
          "0); cudaMallocHost of 1 PiB; get last error")
{
    void *p = &host_word;
    answer(cudaMallocHost(&p, 0));
    shows("NULL", p ? "not NULL" : "NULL");
    p = &host_word;
    answer(cudaHostAlloc(&p, 0, 0));
    shows("NULL", p ? "not NULL" : "NULL");
    gives(InvalidValue, cudaMallocHost(NULL, 16));
    gives(InvalidValue, cudaHostAlloc(NULL, 16, 0));
    gives(MemoryAllocation, cudaMallocHost(&p, (size_t)1 << 50));
    gives(MemoryAllocation, cudaGetLastError());
}

SITUATION("cudaHostAlloc with flags 0 to 7; 8; 99",
          "cudaHostAlloc: Success; Success; Success; Success; Success; Success; Success; Success; "
          "InvalidValue; InvalidValue")
{
    for (unsigned f = 0; f <= 9; f++) {
        void *p = NULL;
        answer(cudaHostAlloc(&p, 4096, f == 9 ? 99 : f));
    }
}

SITUATION("cudaHostGetFlags of cudaMallocHost memory; of cudaHostAlloc with portable; mapped; "
          "write-combined; inside pinned memory; of malloc memory; of device memory; of NULL; NULL "
          "result",
          "f: 2; 2; 6")
{
    unsigned f = 99;
    answer(cudaHostGetFlags(&f, pinned_bytes(64)));
    shows("2", "%u", f);
    static const unsigned flags[] = {cudaHostAllocPortable, cudaHostAllocMapped,
                                     cudaHostAllocWriteCombined};
    for (int i = 0; i < 3; i++) {
        void *p = NULL;
        MUST(cudaHostAlloc(&p, 64, flags[i]));
        answer(cudaHostGetFlags(&f, p));
        answer_text("%u", f);
    }
    char *p = pinned_bytes(64);
    answer(cudaHostGetFlags(&f, p + 8));
    gives(InvalidValue, cudaHostGetFlags(&f, pageable_bytes(64)));
    gives(InvalidValue, cudaHostGetFlags(&f, device_bytes(64)));
    gives(InvalidValue, cudaHostGetFlags(&f, NULL));
    gives(InvalidValue, cudaHostGetFlags(NULL, p));
}

SITUATION("cudaHostGetDevicePointer of pinned memory; inside it; is it the same pointer?; flags 1; "
          "malloc memory; device memory; NULL memory; NULL result")
{
    char *p = pinned_bytes(64);
    void *d = NULL;
    answer(cudaHostGetDevicePointer(&d, p, 0));
    shows("same", d == p ? "same" : "differs");
    answer(cudaHostGetDevicePointer(&d, p + 8, 0));
    shows("same", d == p + 8 ? "same" : "differs");
    gives(InvalidValue, cudaHostGetDevicePointer(&d, p, 1));
    gives(InvalidValue, cudaHostGetDevicePointer(&d, pageable_bytes(64), 0));
    gives(InvalidValue, cudaHostGetDevicePointer(&d, device_bytes(64), 0));
    gives(InvalidValue, cudaHostGetDevicePointer(&d, NULL, 0));
    gives(InvalidValue, cudaHostGetDevicePointer(NULL, p, 0));
}

SITUATION("cudaHostRegister of the same range twice; unregister; unregister again; of a range, "
          "then a part of it, then one that laps over its end; NULL; 0 bytes; flags 99; flags 16; "
          "device memory; pinned memory")
{
    char *p = pages(65536);
    answer(cudaHostRegister(p, 65536, 0));
    gives(HostMemoryAlreadyRegistered, cudaHostRegister(p, 65536, 0));
    answer(cudaHostUnregister(p));
    gives(HostMemoryNotRegistered, cudaHostUnregister(p));
    answer(cudaHostRegister(p, 32768, 0));
    gives(HostMemoryAlreadyRegistered, cudaHostRegister(p + 8192, 4096, 0));
    gives(HostMemoryAlreadyRegistered, cudaHostRegister(p + 16384, 32768, 0));
    answer(cudaHostRegister(p + 32768, 32768, 0));
    p = pages(4096);
    gives(InvalidValue, cudaHostRegister(NULL, 4096, 0));
    gives(InvalidValue, cudaHostRegister(p, 0, 0));
    gives(InvalidValue, cudaHostRegister(p, 4096, 99));
    gives(InvalidValue, cudaHostRegister(p, 4096, 16));
    gives(InvalidValue, cudaHostRegister(device_bytes(4096), 4096, 0));
    gives(InvalidValue, cudaHostRegister(pinned_bytes(4096), 4096, 0));
}

SITUATION("cudaHostRegister with portable, mapped, both: cudaHostGetFlags of each", "got: 3; 2; 3")
{
    for (unsigned f = 1; f <= 3; f++) {
        char *p = pages(4096);
        unsigned got = 99;
        answer(cudaHostRegister(p, 4096, f));
        answer(cudaHostGetFlags(&got, p));
        answer_text("%u", got);
    }
}

SITUATION("cudaHostRegister of 100 bytes inside a page of malloc memory; the device pointer of it")
{
    char *p = pageable_bytes(65536);
    void *d = NULL;
    answer(cudaHostRegister(p + 333, 100, 0));
    answer(cudaHostGetDevicePointer(&d, p + 333, 0));
    shows("same", d == p + 333 ? "same" : "differs");
    answer(cudaHostUnregister(p + 333));
}

SITUATION("cudaHostUnregister: never registered; NULL; cudaMallocHost memory; inside a registered "
          "range; cudaFreeHost of that")
{
    char *p = pages(65536);
    gives(HostMemoryNotRegistered, cudaHostUnregister(p));
    gives(InvalidValue, cudaHostUnregister(NULL));
    gives(InvalidValue, cudaHostUnregister(pinned_bytes(4096)));
    MUST(cudaHostRegister(p, 65536, 0));
    gives(InvalidValue, cudaHostUnregister(p + 4096));
    gives(InvalidValue, cudaFreeHost(p));
}

SITUATION("cudaMallocHost and cudaFreeHost while a stream is busy: wait or return")
{
    cudaStream_t s = new_stream(0);
    void *p = pinned_bytes(64), *q = NULL;
    gate_shut(s);
    answer(cudaMallocHost(&q, 64));
    call_returns();
    answer(cudaFreeHost(p));
    call_waits();
}

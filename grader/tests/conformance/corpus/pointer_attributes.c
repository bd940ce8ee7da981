/* pointer_attributes.c: cudaPointerGetAttributes. */
#include "../situation.h"

static void attributes_of(const void *p)
{
    struct cudaPointerAttributes a = {.type = (enum cudaMemoryType)99, .device = 99};
    cudaError_t e = cudaPointerGetAttributes(&a, p);
    answer_error(NULL, "cudaPointerGetAttributes", e);
    if (e == cudaSuccess)
        answer_fact("attributes", "type %d device %d%s%s", (int)a.type, a.device,
                    a.devicePointer == p ? " devicePointer same" : "",
                    a.hostPointer == p ? " hostPointer same" : "");
}

SITUATION("cudaPointerGetAttributes of device memory; inside it; of pinned memory; inside it; of "
          "registered memory; after unregistering it; of malloc memory; of a variable; get last "
          "error; of cudaMallocAsync memory",
          "attributes: type 2 device 0 devicePointer same; type 2 device 0 devicePointer same; "
          "type 1 device 0 devicePointer same hostPointer same; type 1 device 0 devicePointer same "
          "hostPointer same; type 1 device 0 devicePointer same hostPointer same; type 0 device -2 "
          "hostPointer same; type 0 device -2 hostPointer same; type 0 device -2 hostPointer same; "
          "type 2 device 0 devicePointer same")
{
    char *p = device_bytes(4096);
    attributes_of(p);
    attributes_of(p + 100);
    p = pinned_bytes(4096);
    attributes_of(p);
    attributes_of(p + 100);
    p = pages(65536);
    MUST(cudaHostRegister(p, 65536, 0));
    attributes_of(p + 8);
    MUST(cudaHostUnregister(p));
    attributes_of(p + 8);
    attributes_of(pageable_bytes(64));
    attributes_of(&host_word);
    answer(cudaGetLastError());
    attributes_of(async_bytes(4096, 0));
}

SITUATION("cudaPointerGetAttributes of freed device memory",
          "attributes: type 0 device -2 hostPointer same")
{
    void *p = device_bytes(64 << 20);
    MUST(cudaFree(p));
    attributes_of(p);
}

SITUATION("cudaPointerGetAttributes of NULL; with NULL attributes")
{
    struct cudaPointerAttributes a = {.type = (enum cudaMemoryType)99, .device = 99};
    cudaError_t e = cudaPointerGetAttributes(&a, NULL);
    answer_error(NULL, "cudaPointerGetAttributes", e);
    fact("attributes", "type 0 device -2", "type %d device %d", (int)a.type, a.device);
    gives(InvalidValue, cudaPointerGetAttributes(NULL, device_bytes(64)));
}

SITUATION("cudaPointerGetAttributes of freed device memory; of freed pinned memory; of symbols' "
          "memory; of memory of a pool")
{
    struct cudaPointerAttributes a;
    void *p, *h, *symbol, *pooled;
    MUST(cudaMalloc(&p, 64));
    MUST(cudaFree(p));
    MUST(cudaMallocHost(&h, 64));
    MUST(cudaFreeHost(h));
    answer(cudaPointerGetAttributes(&a, p));
    shows("0", "%d", (int)a.type);
    answer(cudaPointerGetAttributes(&a, h));
    shows("0", "%d", (int)a.type);
    MUST(cudaGetSymbolAddress(&symbol, situation_numbers()));
    answer(cudaPointerGetAttributes(&a, symbol));
    shows("2", "%d", (int)a.type);
    MUST(cudaMallocAsync(&pooled, 64, 0));
    answer(cudaPointerGetAttributes(&a, pooled));
    shows("2", "%d", (int)a.type);
}

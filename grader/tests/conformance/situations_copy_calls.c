/*
 * situations_copy_calls.c: copies and memsets of every shape, and what a pointer is.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "situations.h"
#include "situations_kernels.h"

static int byte_at(const char *p)
{
    char c = 0;
    MUST(cudaMemcpy(&c, p, 1, cudaMemcpyDefault));
    return c;
}

SITUATION(memset_low_byte, "cudaMemset with the value 0x1234: the byte that lands; with -1")
{
    char *p = device_bytes(64);
    answer(cudaMemset(p, 0x1234, 64));
    answer_text("%#x", byte_at(p) & 0xff);
    answer(cudaMemset(p, -1, 64));
    answer_text("%#x", byte_at(p) & 0xff);
}

SITUATION(memset_null,
          "cudaMemset of NULL with 0 bytes, with 1 byte; of a bad pointer with 0 bytes")
{
    answer(cudaMemset(NULL, 0, 0));
    answer(cudaMemset(NULL, 0, 1));
    answer(cudaMemset((void *)(uintptr_t)0x1000, 0, 0));
    answer(cudaMemset((void *)(uintptr_t)0x1000, 0, 4));
    answer(cudaGetLastError());
}

SITUATION(memset_pinned, "cudaMemset of pinned memory, cudaMemsetAsync of pageable memory")
{
    cudaStream_t s = new_stream(0);
    char *p = pinned_bytes(64), *q = pageable_bytes(64);
    answer(cudaMemset(p, 5, 64));
    answer(cudaDeviceSynchronize());
    answer_text("%d", p[63]);
    answer(cudaMemsetAsync(q, 5, 64, s));
}

SITUATION(memset_2d,
          "cudaMemset2D: width over pitch, height 0, width 0, past the end; a row's gap stays")
{
    char *p = device_bytes(256);
    answer(cudaMemset2D(p, 16, 1, 32, 2));
    answer(cudaMemset2D(p, 16, 1, 8, 0));
    answer(cudaMemset2D(p, 16, 1, 0, 4));
    answer(cudaMemset2D(p, 64, 1, 64, 1 << 20));
    answer(cudaMemset2D(p, 16, 7, 8, 2));
    answer_text("%d %d %d", byte_at(p + 7), byte_at(p + 8), byte_at(p + 16));
}

SITUATION(memset_3d,
          "cudaMemset3D: slices of a pitched pointer; extent 0 in depth; width over pitch")
{
    struct cudaPitchedPtr p = {0};
    answer(cudaMalloc3D(&p, extent(8, 2, 2)));
    answer_text("pitch %s, %zu %zu", p.pitch >= 8 && p.pitch % 8 == 0 ? "multiple of 8" : "odd",
                p.xsize, p.ysize);
    answer(cudaMemset3D(p, 3, extent(8, 2, 2)));
    answer_text("%d", byte_at((char *)p.ptr + 3 * p.pitch));
    answer(cudaMemset3D(p, 3, extent(8, 2, 0)));
    answer(cudaMemset3D(p, 3, extent(p.pitch + 1, 2, 1)));
}

SITUATION(malloc_pitch, "cudaMallocPitch of 100 x 3: pitch; of 513 x 1: pitch; of 0 x 3; of 3 x 0")
{
    void *p = (void *)(uintptr_t)1;
    size_t pitch = 77;
    answer(cudaMallocPitch(&p, &pitch, 100, 3));
    answer_text("%zu", pitch);
    answer(cudaMallocPitch(&p, &pitch, 513, 1));
    answer_text("%zu", pitch);
    pitch = 77;
    answer(cudaMallocPitch(&p, &pitch, 0, 3));
    answer_text("%zu %s", pitch, p ? "a pointer" : "NULL");
    p = (void *)(uintptr_t)1;
    answer(cudaMallocPitch(&p, &pitch, 3, 0));
    answer_text("%zu %s", pitch, p ? "a pointer" : "NULL");
}

SITUATION(copy_2d, "cudaMemcpy2D: source pitch below width, destination pitch below width, width "
                   "0, height 0, past the end")
{
    char *p = device_bytes(256), *h = pinned_bytes(256);
    answer(cudaMemcpy2D(p, 16, h, 8, 12, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(p, 8, h, 16, 12, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(p, 8, h, 16, 0, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(p, 8, h, 16, 8, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(p, 1 << 20, h, 16, 8, 8, cudaMemcpyHostToDevice));
}

SITUATION(copy_2d_values, "cudaMemcpy2DAsync packs rows of pitch 16 into rows of pitch 4: bytes; "
                          "kind DeviceToDevice with pinned host")
{
    cudaStream_t s = new_stream(0);
    char *p = device_bytes(64), *h = pinned_bytes(64);
    for (int i = 0; i < 64; i++)
        h[i] = (char)i;
    answer(cudaMemcpy2DAsync(p, 4, h, 16, 4, 4, cudaMemcpyHostToDevice, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d %d %d %d", byte_at(p + 3), byte_at(p + 4), byte_at(p + 15), byte_at(p + 16));
    answer(cudaMemcpy2DAsync(p, 4, h, 16, 4, 4, cudaMemcpyDeviceToDevice, s));
    answer(cudaMemcpy2DAsync(p, 4, h, 16, 4, 4, (enum cudaMemcpyKind)7, s));
}

SITUATION(copy_3d,
          "cudaMemcpy3D with two sources; with no source; with kind 9; of extent 0; a good one")
{
    char *p = device_bytes(256), *h = pinned_bytes(256);
    struct cudaMemcpy3DParms c = {
        .dstPtr = pitched(p, 16, 16, 4), .extent = extent(8, 2, 2), .kind = cudaMemcpyDefault};
    answer(cudaMemcpy3D(&c));
    c.srcPtr = pitched(h, 16, 16, 4);
    answer(cudaMemcpy3D(&c));
    c.kind = (enum cudaMemcpyKind)9;
    answer(cudaMemcpy3D(&c));
    c.kind = cudaMemcpyHostToDevice;
    c.extent.depth = 0;
    answer(cudaMemcpy3D(&c));
    c.extent = extent(17, 1, 1);
    answer(cudaMemcpy3D(&c));
}

SITUATION(copy_3d_pos, "cudaMemcpy3D with positions: what lands where")
{
    char *p = device_bytes(256), *h = pinned_bytes(256);
    for (int i = 0; i < 256; i++)
        h[i] = (char)i;
    struct cudaMemcpy3DParms c = {.dstPtr = pitched(p, 16, 16, 4),
                                  .srcPtr = pitched(h, 8, 8, 4),
                                  .dstPos = {2, 1, 1},
                                  .srcPos = {1, 2, 1},
                                  .extent = extent(3, 2, 2),
                                  .kind = cudaMemcpyHostToDevice};
    answer(cudaMemcpy3D(&c));
    answer(cudaDeviceSynchronize());
    answer_text("%d %d %d", byte_at(p + 64 + 16 + 2), byte_at(p + 64 + 32 + 4),
                byte_at(p + 128 + 16 + 2));
}

SITUATION(copy_overlap, "cudaMemcpy of 0 bytes between NULL pointers; host to host; host to host "
                        "with kind DeviceToDevice on pageable memory; of kind -1 and 0 bytes")
{
    char a[8] = "abcdefg", b[8] = "";
    answer(cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault));
    answer(cudaMemcpy(b, a, 8, cudaMemcpyHostToHost));
    answer_text("%s", b);
    answer(cudaMemcpy(b, a, 8, cudaMemcpyDeviceToDevice));
    answer(cudaMemcpy(b, a, 0, (enum cudaMemcpyKind) - 1));
}

SITUATION(copy_pageable_kinds, "pageable to device with kind DeviceToHost; device to pageable with "
                               "HostToDevice; device to device with HostToHost; with HostToDevice")
{
    char *p = device_bytes(64), *q = device_bytes(64), *h = pageable_bytes(64);
    answer(cudaMemcpy(p, h, 64, cudaMemcpyDeviceToHost));
    answer(cudaMemcpy(h, p, 64, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(p, q, 64, cudaMemcpyHostToHost));
    answer(cudaMemcpy(p, q, 64, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(p, q, 64, cudaMemcpyDeviceToHost));
}

SITUATION(attributes_kinds, "cudaPointerGetAttributes type of device, interior, pinned, pageable "
                            "and freed memory, NULL, a kernel's argument on the stack")
{
    struct cudaPointerAttributes a;
    char *p = device_bytes(256), *h = pinned_bytes(64), *q = pageable_bytes(64);
    const void *asked[] = {p, p + 100, h, q, NULL};
    for (int i = 0; i < 5; i++) {
        answer(cudaPointerGetAttributes(&a, asked[i]));
        answer_text("%d %d %s %s", (int)a.type, a.device, a.devicePointer ? "d" : "-",
                    a.hostPointer ? "h" : "-");
    }
    answer(cudaPointerGetAttributes(NULL, p));
}

SITUATION(attributes_freed, "cudaPointerGetAttributes of freed device memory; of freed pinned "
                            "memory; of symbols' memory; of memory of a pool")
{
    struct cudaPointerAttributes a;
    void *p, *h, *symbol, *pooled;
    MUST(cudaMalloc(&p, 64));
    MUST(cudaFree(p));
    MUST(cudaMallocHost(&h, 64));
    MUST(cudaFreeHost(h));
    answer(cudaPointerGetAttributes(&a, p));
    answer_text("%d", (int)a.type);
    answer(cudaPointerGetAttributes(&a, h));
    answer_text("%d", (int)a.type);
    MUST(cudaGetSymbolAddress(&symbol, situation_numbers()));
    answer(cudaPointerGetAttributes(&a, symbol));
    answer_text("%d", (int)a.type);
    MUST(cudaMallocAsync(&pooled, 64, 0));
    answer(cudaPointerGetAttributes(&a, pooled));
    answer_text("%d", (int)a.type);
}

SITUATION(register_twice, "cudaHostRegister: twice; part of it; 0 bytes; NULL; flags 64; "
                          "unregister twice; unregister an interior pointer")
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

SITUATION(register_pinned, "cudaHostRegister of memory of cudaMallocHost; cudaFreeHost of "
                           "registered memory; cudaHostUnregister of memory of cudaMallocHost")
{
    char *p = pinned_bytes(8192), *q = aligned_alloc(4096, 8192);
    answer(cudaHostRegister(p, 8192, 0));
    answer(cudaHostUnregister(p));
    answer(cudaHostRegister(q, 8192, cudaHostRegisterMapped));
    answer(cudaFreeHost(q));
    answer(cudaHostUnregister(q));
}

SITUATION(host_flags, "cudaHostGetFlags of cudaHostAlloc's memory with flags 0, portable, mapped, "
                      "write-combined; of cudaMallocHost's; of pageable; of registered")
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

SITUATION(host_device_pointer, "cudaHostGetDevicePointer of pinned, interior, pageable and device "
                               "memory; with flags 1; equal to the host pointer?")
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

SITUATION(symbol_copies, "cudaMemcpyToSymbol past the end; with offset; DeviceToHost; "
                         "cudaGetSymbolSize; of a pointer that is no symbol")
{
    int values[17] = {1, 2, 3};
    size_t n = 0;
    answer(cudaMemcpyToSymbol(situation_numbers(), values, 68, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpyToSymbol(situation_numbers(), values, 8, 60, cudaMemcpyHostToDevice));
    answer(cudaMemcpyToSymbol(situation_numbers(), values, 8, 8, cudaMemcpyHostToDevice));
    answer(cudaMemcpyToSymbol(situation_numbers(), values, 8, 8, cudaMemcpyDeviceToHost));
    values[0] = 0;
    answer(cudaMemcpyFromSymbol(values, situation_numbers(), 4, 12, cudaMemcpyDeviceToHost));
    answer_text("%d", values[0]);
    answer(cudaGetSymbolSize(&n, situation_numbers()));
    answer_text("%zu", n);
    answer(cudaGetSymbolSize(&n, values));
    answer(cudaGetLastError());
}

SITUATION(batch_copy,
          "cudaMemcpyBatchAsync of two copies: values; with 0 copies; on NULL; with no attributes")
{
    cudaStream_t s = new_stream(0);
    char *p = device_bytes(64), *h = pinned_bytes(64);
    memset(h, 4, 64);
    void *dsts[] = {p, p + 32};
    const void *srcs[] = {h, h + 32};
    size_t sizes[] = {16, 32}, first = 0;
    struct cudaMemcpyAttributes a = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &a, &first, 1, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d %d %d", byte_at(p), byte_at(p + 16), byte_at(p + 63));
    answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 0, &a, &first, 1, s));
    answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &a, &first, 1, NULL));
    answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, NULL, NULL, 0, s));
}

SITUATION(peer_self, "cudaMemcpyPeerAsync from device 0 to device 0; with device 99; "
                     "cudaDeviceCanAccessPeer(0, 0); EnablePeerAccess(0); DisablePeerAccess(0)")
{
    char *p = device_bytes(64), *q = device_bytes(64);
    int can = 7;
    answer(cudaMemset(q, 6, 64));
    answer(cudaMemcpyPeerAsync(p, 0, q, 0, 64, 0));
    answer_text("%d", byte_at(p));
    answer(cudaMemcpyPeer(p, 99, q, 0, 64));
    answer(cudaDeviceCanAccessPeer(&can, 0, 0));
    answer_text("%d", can);
    answer(cudaDeviceEnablePeerAccess(0, 0));
    answer(cudaDeviceDisablePeerAccess(0));
    answer(cudaGetLastError());
}

/*
 * situations_copies.c: what copies accept, and what they refuse.
 */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "situations.h"

enum { N = 4096 };

SITUATION(copy_round_trip, "cudaMemcpy to the device and back, pageable")
{
    char *d = device_bytes(N), *a = pageable_bytes(N), *b = pageable_bytes(N);
    memset(a, 7, N);
    answer(cudaMemcpy(d, a, N, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(b, d, N, cudaMemcpyDeviceToHost));
    answer_text(memcmp(a, b, N) == 0 ? "same bytes" : "other bytes");
}

SITUATION(copy_default, "cudaMemcpyDefault: pageable to device; device to device; device to "
                        "pageable; pageable to pageable")
{
    char *d = device_bytes(N), *e = device_bytes(N), *a = pageable_bytes(N), *b = pageable_bytes(N);
    memset(a, 7, N);
    answer(cudaMemcpy(d, a, N, cudaMemcpyDefault));
    answer(cudaMemcpy(e, d, N, cudaMemcpyDefault));
    answer(cudaMemcpy(b, e, N, cudaMemcpyDefault));
    answer_text(memcmp(a, b, N) == 0 ? "same bytes" : "other bytes");
    memset(b, 0, N);
    answer(cudaMemcpy(b, a, N, cudaMemcpyDefault));
    answer_text(memcmp(a, b, N) == 0 ? "same bytes" : "other bytes");
}

SITUATION(copy_kind_range, "cudaMemcpy with kind 99; -1; 5; the same with 0 bytes")
{
    char *d = device_bytes(N), *a = pageable_bytes(N);
    answer(cudaMemcpy(d, a, N, (enum cudaMemcpyKind)99));
    answer(cudaMemcpy(d, a, N, (enum cudaMemcpyKind) - 1));
    answer(cudaMemcpy(d, a, N, (enum cudaMemcpyKind)5));
    answer(cudaMemcpy(d, a, 0, (enum cudaMemcpyKind)99));
}

SITUATION(copy_async_kind_range, "cudaMemcpyAsync with kind 99; with 0 bytes and kind 99")
{
    char *d = device_bytes(N), *a = pinned_bytes(N);
    cudaStream_t s = new_stream(0);
    answer(cudaMemcpyAsync(d, a, N, (enum cudaMemcpyKind)99, s));
    answer(cudaMemcpyAsync(d, a, 0, (enum cudaMemcpyKind)99, s));
}

/* Each of the five kinds in turn. */
static void all_kinds(void *to, const void *from)
{
    for (int kind = 0; kind <= 4; kind++)
        answer(cudaMemcpy(to, from, 64, (enum cudaMemcpyKind)kind));
}

SITUATION(copy_kinds_pinned_to_device, "cudaMemcpy pinned to device, as HostToHost, HostToDevice, "
                                       "DeviceToHost, DeviceToDevice, Default")
{
    all_kinds(device_bytes(N), pinned_bytes(N));
}

SITUATION(copy_kinds_device_to_pinned, "cudaMemcpy device to pinned, as each of the five kinds")
{
    void *d = device_bytes(N);
    all_kinds(pinned_bytes(N), d);
}

SITUATION(copy_kinds_pageable_to_device, "cudaMemcpy pageable to device, as each of the five kinds")
{
    all_kinds(device_bytes(N), pageable_bytes(N));
}

SITUATION(copy_kinds_device_to_pageable, "cudaMemcpy device to pageable, as each of the five kinds")
{
    void *d = device_bytes(N);
    all_kinds(pageable_bytes(N), d);
}

SITUATION(copy_kinds_device_to_device, "cudaMemcpy device to device, as each of the five kinds")
{
    void *d = device_bytes(N);
    all_kinds(device_bytes(N), d);
}

SITUATION(copy_kinds_pageable_to_pageable,
          "cudaMemcpy pageable to pageable, as each of the five kinds")
{
    void *a = pageable_bytes(N);
    all_kinds(pageable_bytes(N), a);
}

SITUATION(copy_kinds_pinned_to_pinned, "cudaMemcpy pinned to pinned, as each of the five kinds")
{
    void *a = pinned_bytes(N);
    all_kinds(pinned_bytes(N), a);
}

SITUATION(copy_async_kinds, "cudaMemcpyAsync pageable to device, as each of the five kinds")
{
    char *d = device_bytes(N), *a = pageable_bytes(N);
    cudaStream_t s = new_stream(0);
    for (int kind = 0; kind <= 4; kind++)
        answer(cudaMemcpyAsync(d, a, 64, (enum cudaMemcpyKind)kind, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(copy_nothing, "copy and memset of 0 bytes, valid pointers; NULL pointers")
{
    char *d = device_bytes(N), *a = pageable_bytes(N);
    answer(cudaMemcpy(d, a, 0, cudaMemcpyHostToDevice));
    answer(cudaMemset(d, 0, 0));
    answer(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    answer(cudaMemset(NULL, 0, 0));
    answer(cudaMemcpyAsync(NULL, NULL, 0, cudaMemcpyHostToDevice, 0));
    answer(cudaMemsetAsync(NULL, 0, 0, 0));
}

SITUATION(copy_null, "cudaMemcpy to NULL; from NULL on the host; from NULL on the device; async to "
                     "NULL; async from NULL")
{
    char *d = device_bytes(N), *a = pinned_bytes(N);
    answer(cudaMemcpy(NULL, a, N, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(d, NULL, N, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(a, NULL, N, cudaMemcpyDeviceToHost));
    answer(cudaMemcpyAsync(NULL, a, N, cudaMemcpyHostToDevice, 0));
    answer(cudaMemcpyAsync(d, NULL, N, cudaMemcpyHostToDevice, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(copy_default_null, "cudaMemcpyDefault to NULL; from NULL; NULL to NULL")
{
    char *d = device_bytes(N);
    answer(cudaMemcpy(NULL, d, N, cudaMemcpyDefault));
    answer(cudaMemcpy(d, NULL, N, cudaMemcpyDefault));
    answer(cudaMemcpy(NULL, NULL, N, cudaMemcpyDefault));
}

enum { BIG = 4 << 20 };

SITUATION(copy_past_end_to, "cudaMemcpy that ends past the end of the device destination; async")
{
    char *d = device_bytes(BIG), *a = pinned_bytes(BIG + 64);
    answer(cudaMemcpy(d, a, BIG + 1, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(d + 64, a, BIG, cudaMemcpyHostToDevice));
    answer(cudaMemcpyAsync(d, a, BIG + 1, cudaMemcpyHostToDevice, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(
    copy_past_end_from,
    "cudaMemcpy that ends past the end of the device source; device to device; get last error")
{
    char *d = device_bytes(BIG), *e = device_bytes(2 * BIG), *a = pinned_bytes(BIG + 64);
    answer(cudaMemcpy(a, d + 64, BIG, cudaMemcpyDeviceToHost));
    answer(cudaMemcpy(e, d, BIG + 1, cudaMemcpyDeviceToDevice));
    answer(cudaGetLastError());
}

SITUATION(copy_past_end_small, "cudaMemcpy of 101 bytes to an allocation of 100; memset of 101")
{
    char *d = device_bytes(100), *a = pinned_bytes(101);
    answer(cudaMemcpy(d, a, 101, cudaMemcpyHostToDevice));
    answer(cudaMemset(d, 0, 101));
}

SITUATION(copy_past_end_pinned,
          "cudaMemcpy to the device that reads past the end of pinned memory of 4 MiB; async")
{
    char *d = device_bytes(2 * BIG), *a = pinned_bytes(BIG);
    answer(cudaMemcpy(d, a + BIG / 2, BIG, cudaMemcpyHostToDevice));
    answer(cudaMemcpyAsync(d, a + BIG / 2, BIG, cudaMemcpyHostToDevice, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(copy_past_end_registered, "cudaMemcpyAsync to the device from a range of which only the "
                                    "first half is registered; the second half")
{
    char *d = device_bytes(BIG), *a = pageable_bytes(2 * BIG);
    a += 4096 - (uintptr_t)a % 4096;
    MUST(cudaHostRegister(a, BIG / 2, 0));
    answer(cudaMemcpyAsync(d, a, BIG, cudaMemcpyHostToDevice, 0));
    answer(cudaMemcpyAsync(d, a + BIG / 4, BIG / 2, cudaMemcpyHostToDevice, 0));
    answer(cudaMemcpyAsync(d, a + BIG / 2, BIG / 2, cudaMemcpyHostToDevice, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(copy_freed, "cudaMemcpy to freed memory; from it; memset of it")
{
    char *d = device_bytes(BIG), *a = pageable_bytes(N);
    MUST(cudaFree(d));
    answer(cudaMemcpy(d, a, N, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(a, d, N, cudaMemcpyDeviceToHost));
    answer(cudaMemset(d, 0, N));
}

SITUATION(copy_stray,
          "cudaMemcpy DeviceToHost from address 0x10; HostToDevice to a host variable's address")
{
    char *a = pageable_bytes(N), *b = pageable_bytes(N);
    answer(cudaMemcpy(a, (void *)0x10, 64, cudaMemcpyDeviceToHost));
    answer(cudaMemcpy(b, a, 64, cudaMemcpyHostToDevice));
}

SITUATION(copy_overlap, "cudaMemcpy device to device onto itself; overlapping by half")
{
    char *d = device_bytes(N);
    answer(cudaMemcpy(d, d, N, cudaMemcpyDeviceToDevice));
    answer(cudaMemcpy(d + N / 4, d, N / 2, cudaMemcpyDeviceToDevice));
    answer(cudaDeviceSynchronize());
}

SITUATION(copy_interior, "cudaMemcpy to the middle of an allocation lands there and nowhere else")
{
    unsigned char *d = device_bytes(N), *a = pageable_bytes(N);
    memset(a, 9, N);
    answer(cudaMemcpy(d + 100, a, 10, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(a, d, N, cudaMemcpyDeviceToHost));
    answer_text("%d %d %d %d", a[99], a[100], a[109], a[110]);
}

SITUATION(copy_2d, "cudaMemcpy2D of 3 rows of 5 bytes, pitches 8 and 16: the bytes land right")
{
    unsigned char *d = device_bytes(64), a[24], b[64];
    for (int i = 0; i < 24; i++)
        a[i] = (unsigned char)(i + 1);
    answer(cudaMemcpy2D(d, 16, a, 8, 5, 3, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(b, d, 64, cudaMemcpyDeviceToHost));
    answer_text("%d %d %d %d %d %d", b[0], b[4], b[5], b[16], b[36], b[48]);
}

SITUATION(copy_2d_pitch, "cudaMemcpy2D: width > dpitch; width > spitch; async width > dpitch; "
                         "pitch 0; pitch above the limit")
{
    char *d = device_bytes(N), *a = pinned_bytes(N);
    answer(cudaMemcpy2D(d, 16, a, 64, 32, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d, 64, a, 16, 32, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2DAsync(d, 16, a, 64, 32, 2, cudaMemcpyHostToDevice, 0));
    answer(cudaMemcpy2D(d, 0, a, 0, 32, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d, (size_t)INT_MAX + 1, a, 64, 32, 1, cudaMemcpyHostToDevice));
}

SITUATION(copy_2d_nothing,
          "cudaMemcpy2D: width 0; height 0; width 0 with NULL; height 0 with width > pitch")
{
    char *d = device_bytes(N), *a = pinned_bytes(N);
    answer(cudaMemcpy2D(d, 64, a, 64, 0, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d, 64, a, 64, 32, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(NULL, 64, NULL, 64, 0, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d, 16, a, 16, 32, 0, cudaMemcpyHostToDevice));
}

SITUATION(
    copy_2d_bad,
    "cudaMemcpy2D: kind 99; NULL to; NULL from; past the end; last row ends exactly at the end")
{
    char *d = device_bytes(BIG), *a = pinned_bytes(BIG);
    answer(cudaMemcpy2D(d, 64, a, 64, 32, 2, (enum cudaMemcpyKind)99));
    answer(cudaMemcpy2D(NULL, 64, a, 64, 32, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d, 64, NULL, 64, 32, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d, 4096, a, 32, 32, BIG / 4096 + 1, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d + 4064, 4096, a, 32, 32, BIG / 4096, cudaMemcpyHostToDevice));
}

static struct cudaMemcpy3DParms box(void *to, void *from, size_t w, size_t h, size_t depth)
{
    struct cudaMemcpy3DParms p = {0};
    p.dstPtr = pitched(to, 64, 64, 8);
    p.srcPtr = pitched(from, 32, 32, 8);
    p.extent = extent(w, h, depth);
    p.kind = cudaMemcpyHostToDevice;
    return p;
}

SITUATION(copy_3d, "cudaMemcpy3D of 5 x 3 x 2; the bytes land right")
{
    unsigned char *d = device_bytes(1024), a[512], b[1024];
    for (int i = 0; i < 512; i++)
        a[i] = (unsigned char)i;
    struct cudaMemcpy3DParms p = box(d, a, 5, 3, 2);
    answer(cudaMemcpy3D(&p));
    answer(cudaMemcpy(b, d, 1024, cudaMemcpyDeviceToHost));
    answer_text("%d %d %d %d %d", b[4], b[5], b[64], b[132], b[512 + 64 + 4]);
}

SITUATION(copy_3d_bad, "cudaMemcpy3D: NULL; all zero; width > pitch; depth 0; kind 99; NULL to")
{
    unsigned char *d = device_bytes(1024), *a = pinned_bytes(1024);
    struct cudaMemcpy3DParms p = {0};
    answer(cudaMemcpy3D(NULL));
    answer(cudaMemcpy3D(&p));
    p = box(d, a, 40, 2, 2);
    answer(cudaMemcpy3D(&p));
    p = box(d, a, 5, 3, 0);
    answer(cudaMemcpy3D(&p));
    p = box(d, a, 5, 3, 2);
    p.kind = (enum cudaMemcpyKind)99;
    answer(cudaMemcpy3D(&p));
    p = box(NULL, a, 5, 3, 2);
    answer(cudaMemcpy3D(&p));
}

SITUATION(copy_peer, "cudaMemcpyPeer 0 to 0; to device 99; from device -1; of 0 bytes; async; NULL")
{
    char *d = device_bytes(N), *e = device_bytes(N);
    answer(cudaMemcpyPeer(d, 0, e, 0, N));
    answer(cudaMemcpyPeer(d, 99, e, 0, N));
    answer(cudaMemcpyPeer(d, 0, e, -1, N));
    answer(cudaMemcpyPeer(d, 0, e, 0, 0));
    answer(cudaMemcpyPeerAsync(d, 0, e, 0, N, new_stream(0)));
    answer(cudaMemcpyPeer(NULL, 0, e, 0, N));
    answer(cudaDeviceSynchronize());
}

SITUATION(copy_symbol_unknown,
          "cudaMemcpyToSymbol and FromSymbol of an unknown symbol; of NULL; of 0 bytes")
{
    char *a = pageable_bytes(64);
    static int not_a_symbol;
    answer(cudaMemcpyToSymbol(&not_a_symbol, a, 4, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpyFromSymbol(a, &not_a_symbol, 4, 0, cudaMemcpyDeviceToHost));
    answer(cudaMemcpyToSymbol(NULL, a, 4, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpyToSymbol(&not_a_symbol, a, 0, 0, cudaMemcpyHostToDevice));
}

SITUATION(copy_sync_modes, "while a blocking stream is busy, cudaMemcpy pinned to device; device "
                           "to pinned; device to device: waits or returns")
{
    char *d = device_bytes(N), *e = device_bytes(N), *a = pinned_bytes(N);
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    gate_open_later(100);
    answer(cudaMemcpy(d, a, N, cudaMemcpyHostToDevice));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
    gate_shut(s);
    gate_open_later(100);
    answer(cudaMemcpy(a, d, N, cudaMemcpyDeviceToHost));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
    gate_shut(s);
    gate_open_later(100);
    answer(cudaMemcpy(e, d, N, cudaMemcpyDeviceToDevice));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(copy_sync_pageable, "while a blocking stream is busy, cudaMemcpy of 4 KiB from pageable "
                              "memory; of 4 MiB: waits or returns")
{
    char *d = device_bytes(BIG), *a = pageable_bytes(BIG);
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    gate_open_later(100);
    answer(cudaMemcpy(d, a, N, cudaMemcpyHostToDevice));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
    gate_shut(s);
    gate_open_later(100);
    answer(cudaMemcpy(d, a, BIG, cudaMemcpyHostToDevice));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

/* A copy behind a gate in its stream: does the call wait for it? */
static void behind_gate(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    gate_open_later(100);
    answer(cudaMemcpyAsync(to, from, n, kind, s));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(copy_async_waits, "cudaMemcpyAsync behind busy work: pinned to device; device to pinned; "
                            "device to device; pinned to pinned")
{
    char *d = device_bytes(N), *e = device_bytes(N), *a = pinned_bytes(N), *b = pinned_bytes(N);
    behind_gate(d, a, N, cudaMemcpyHostToDevice);
    behind_gate(a, d, N, cudaMemcpyDeviceToHost);
    behind_gate(e, d, N, cudaMemcpyDeviceToDevice);
    behind_gate(b, a, N, cudaMemcpyHostToHost);
}

SITUATION(copy_async_waits_pageable,
          "cudaMemcpyAsync behind busy work, pageable to device: 4 KiB; 64 KiB; 128 KiB; 4 MiB")
{
    char *d = device_bytes(BIG), *a = pageable_bytes(BIG);
    behind_gate(d, a, N, cudaMemcpyHostToDevice);
    behind_gate(d, a, 64 << 10, cudaMemcpyHostToDevice);
    behind_gate(d, a, 128 << 10, cudaMemcpyHostToDevice);
    behind_gate(d, a, BIG, cudaMemcpyHostToDevice);
}

SITUATION(
    copy_async_waits_back,
    "cudaMemcpyAsync behind busy work: device to pageable, 4 KiB; 4 MiB; pageable to pageable")
{
    char *d = device_bytes(BIG), *a = pageable_bytes(BIG), *b = pageable_bytes(N);
    behind_gate(a, d, N, cudaMemcpyDeviceToHost);
    behind_gate(a, d, BIG, cudaMemcpyDeviceToHost);
    behind_gate(b, a, N, cudaMemcpyHostToHost);
}

/* The source changes after the call, before the copy's turn in the stream: which bytes arrive? */
static void late_change(unsigned char *a, size_t n)
{
    unsigned char *d = device_bytes(n), got = 0;
    cudaStream_t s = new_stream(0);
    memset(a, 1, n);
    gate_shut(s);
    MUST(cudaMemcpyAsync(d, a, n, cudaMemcpyHostToDevice, s));
    bool waited = gate_passed();
    memset(a, 2, n);
    gate_open();
    MUST(cudaStreamSynchronize(s));
    MUST(cudaMemcpy(&got, d + n - 1, 1, cudaMemcpyDeviceToHost));
    answer_text("%s%s", got == 1 ? "bytes of the call" : "bytes of its turn",
                waited ? ", waited" : "");
}

SITUATION(copy_late_change_pinned,
          "the source of cudaMemcpyAsync changes before its turn: pinned; pageable 4 KiB; 48 KiB")
{
    late_change(pinned_bytes(N), N);
    late_change(pageable_bytes(N), N);
    late_change(pageable_bytes(48 << 10), 48 << 10);
}

SITUATION(copy_from_constant, "cudaMemcpy from a string constant to the device and back")
{
    char *d = device_bytes(N), got[8];
    answer(cudaMemcpy(d, "streams", 8, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(got, d, 8, cudaMemcpyDeviceToHost));
    answer_text("%s", got);
}

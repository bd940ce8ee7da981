/* copy_2d_3d.c: copies in two and three dimensions. */
#include <limits.h>

#include "../situation.h"

SITUATION("cudaMemcpy2D of 3 rows of 5 bytes, pitches 8 and 16: the bytes land right")
{
    unsigned char *d = device_bytes(64), a[24], b[64];
    for (int i = 0; i < 24; i++)
        a[i] = (unsigned char)(i + 1);
    answer(cudaMemcpy2D(d, 16, a, 8, 5, 3, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(b, d, 64, cudaMemcpyDeviceToHost));
    fact("bytes 0, 4, 5, 16, 36, 48", "1 5 0 9 21 0", "%d %d %d %d %d %d", b[0], b[4], b[5], b[16],
         b[36], b[48]);
}

SITUATION("cudaMemcpy2D: width > dpitch; width > spitch; async width > dpitch; pitch 0; pitch "
          "above the limit")
{
    char *d = device_bytes(PAGE), *a = pinned_bytes(PAGE);
    gives(InvalidPitchValue, cudaMemcpy2D(d, 16, a, 64, 32, 2, cudaMemcpyHostToDevice));
    gives(InvalidPitchValue, cudaMemcpy2D(d, 64, a, 16, 32, 2, cudaMemcpyHostToDevice));
    gives(InvalidPitchValue, cudaMemcpy2DAsync(d, 16, a, 64, 32, 2, cudaMemcpyHostToDevice, 0));
    gives(InvalidPitchValue, cudaMemcpy2D(d, 0, a, 0, 32, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d, (size_t)INT_MAX + 1, a, 64, 32, 1, cudaMemcpyHostToDevice));
}

SITUATION("cudaMemcpy2D: width 0; height 0; width 0 with NULL; height 0 with width > pitch")
{
    char *d = device_bytes(PAGE), *a = pinned_bytes(PAGE);
    answer(cudaMemcpy2D(d, 64, a, 64, 0, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d, 64, a, 64, 32, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(NULL, 64, NULL, 64, 0, 2, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d, 16, a, 16, 32, 0, cudaMemcpyHostToDevice));
}

SITUATION(
    "cudaMemcpy2D: kind 99; NULL to; NULL from; past the end; last row ends exactly at the end")
{
    char *d = device_bytes(LARGE), *a = pinned_bytes(LARGE);
    gives(InvalidMemcpyDirection, cudaMemcpy2D(d, 64, a, 64, 32, 2, (enum cudaMemcpyKind)99));
    gives(InvalidValue, cudaMemcpy2D(NULL, 64, a, 64, 32, 2, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaMemcpy2D(d, 64, NULL, 64, 32, 2, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaMemcpy2D(d, 4096, a, 32, 32, LARGE / 4096 + 1, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2D(d + 4064, 4096, a, 32, 32, LARGE / 4096, cudaMemcpyHostToDevice));
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

SITUATION("cudaMemcpy3D: NULL; all zero; width > pitch; depth 0; kind 99; NULL to")
{
    unsigned char *d = device_bytes(1024), *a = pinned_bytes(1024);
    struct cudaMemcpy3DParms p = {0};
    gives(InvalidValue, cudaMemcpy3D(NULL));
    answer(cudaMemcpy3D(&p));
    p = box(d, a, 40, 2, 2);
    gives(InvalidPitchValue, cudaMemcpy3D(&p));
    p = box(d, a, 5, 3, 0);
    answer(cudaMemcpy3D(&p));
    p = box(d, a, 5, 3, 2);
    p.kind = (enum cudaMemcpyKind)99;
    gives(InvalidMemcpyDirection, cudaMemcpy3D(&p));
    p = box(NULL, a, 5, 3, 2);
    gives(InvalidValue, cudaMemcpy3D(&p));
}

SITUATION("cudaMemcpy2DAsync packs rows of pitch 16 into rows of pitch 4: bytes; kind "
          "DeviceToDevice with pinned host")
{
    cudaStream_t s = new_stream(0);
    char *p = device_bytes(64), *h = pinned_bytes(64);
    for (int i = 0; i < 64; i++)
        h[i] = (char)i;
    answer(cudaMemcpy2DAsync(p, 4, h, 16, 4, 4, cudaMemcpyHostToDevice, s));
    answer(cudaStreamSynchronize(s));
    fact("bytes 3, 4, 15, 16", "3 16 51 0", "%d %d %d %d", byte_at(p + 3), byte_at(p + 4),
         byte_at(p + 15), byte_at(p + 16));
    answer(cudaMemcpy2DAsync(p, 4, h, 16, 4, 4, cudaMemcpyDeviceToDevice, s));
    gives(InvalidMemcpyDirection, cudaMemcpy2DAsync(p, 4, h, 16, 4, 4, (enum cudaMemcpyKind)7, s));
}

SITUATION("cudaMemcpy3D with no source; a good one; width > pitch")
{
    char *p = device_bytes(256), *h = pinned_bytes(256);
    struct cudaMemcpy3DParms c = {
        .dstPtr = pitched(p, 16, 16, 4), .extent = extent(8, 2, 2), .kind = cudaMemcpyDefault};
    gives(InvalidValue, cudaMemcpy3D(&c));
    c.srcPtr = pitched(h, 16, 16, 4);
    answer(cudaMemcpy3D(&c));
    c.kind = cudaMemcpyHostToDevice;
    c.extent = extent(17, 1, 1);
    gives(InvalidValue, cudaMemcpy3D(&c));
}

SITUATION("cudaMemcpy3D with positions: what lands where")
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
    fact("bytes 82, 100, 146", "49 59 81", "%d %d %d", byte_at(p + 64 + 16 + 2),
         byte_at(p + 64 + 32 + 4), byte_at(p + 128 + 16 + 2));
}

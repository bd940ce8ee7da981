/* memset.c: cudaMemset in one, two and three dimensions. */
#include <limits.h>

#include "../situation.h"

enum { N = 4096, BIG = 4 << 20 };

SITUATION("cudaMemset with value 0x1ff: the byte it leaves; the byte after it")
{
    unsigned char *d = device_bytes(N), b[64];
    answer(cudaMemset(d, 0x1ff, 32));
    answer(cudaMemcpy(b, d, 64, cudaMemcpyDeviceToHost));
    shows("255 0", "%d %d", b[31], b[32]);
}

SITUATION("cudaMemset of NULL; async of NULL; of malloc memory; async of malloc memory; of NULL "
          "with 0 bytes; of a bad pointer with 0 bytes; with 4; get last error")
{
    gives(InvalidValue, cudaMemset(NULL, 0, 64));
    gives(InvalidValue, cudaMemsetAsync(NULL, 0, 64, 0));
    gives(InvalidValue, cudaMemset(pageable_bytes(64), 0, 64));
    gives(InvalidValue, cudaMemsetAsync(pageable_bytes(64), 0, 64, 0));
    answer(cudaMemset(NULL, 0, 0));
    answer(cudaMemset((void *)(uintptr_t)0x1000, 0, 0));
    gives(InvalidValue, cudaMemset((void *)(uintptr_t)0x1000, 0, 4));
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("cudaMemset of pinned memory; the byte it leaves")
{
    unsigned char *p = pinned_bytes(64);
    answer(cudaMemset(p, 5, 64));
    answer(cudaDeviceSynchronize());
    shows("5", "%d", p[63]);
}

SITUATION(
    "cudaMemset past the end; async past the end; starting past the end; async of freed memory")
{
    char *d = device_bytes(BIG);
    gives(InvalidValue, cudaMemset(d, 0, BIG + 1));
    gives(InvalidValue, cudaMemsetAsync(d + 1, 0, BIG, 0));
    gives(InvalidValue, cudaMemset(d + BIG, 0, 1));
    answer(cudaDeviceSynchronize());
    MUST(cudaFree(d));
    gives(InvalidValue, cudaMemsetAsync(d, 0, 64, new_stream(0)));
}

SITUATION("cudaMemset2D of 3 rows of 5 bytes, pitch 16: the bytes it leaves")
{
    unsigned char *d = device_bytes(64), b[64];
    answer(cudaMemset2D(d, 16, 7, 5, 3));
    answer(cudaMemcpy(b, d, 64, cudaMemcpyDeviceToHost));
    fact("bytes 0, 4, 5, 16, 36, 48", "7 7 0 7 7 0", "%d %d %d %d %d %d", b[0], b[4], b[5], b[16],
         b[36], b[48]);
}

SITUATION("cudaMemset2D: width > pitch; pitch 0; NULL; past the end; malloc memory; pitch above "
          "the limit; width 0; height 0; one row wider than the pitch; last row ends at the end; "
          "NULL and 0; async: valid; width > pitch; NULL")
{
    char *d = device_bytes(BIG);
    gives(InvalidValue, cudaMemset2D(d, 16, 0, 32, 2));
    gives(InvalidValue, cudaMemset2D(d, 0, 0, 32, 2));
    gives(InvalidValue, cudaMemset2D(NULL, 64, 0, 32, 2));
    gives(InvalidValue, cudaMemset2D(d, 4096, 0, 32, BIG / 4096 + 1));
    gives(InvalidValue, cudaMemset2D(pageable_bytes(N), 64, 0, 32, 2));
    answer(cudaMemset2D(d, (size_t)INT_MAX + 1, 0, 32, 1));
    answer(cudaMemset2D(d, 64, 0, 0, 2));
    answer(cudaMemset2D(d, 64, 0, 32, 0));
    answer(cudaMemset2D(d, 16, 0, 32, 1));
    answer(cudaMemset2D(d + 4064, 4096, 0, 32, BIG / 4096));
    answer(cudaMemset2D(NULL, 64, 0, 0, 0));
    cudaStream_t s = new_stream(0);
    answer(cudaMemset2DAsync(d, 64, 0, 32, 2, s));
    gives(InvalidValue, cudaMemset2DAsync(d, 16, 0, 32, 2, s));
    gives(InvalidValue, cudaMemset2DAsync(NULL, 64, 0, 32, 2, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION("cudaMemset3D of 5 x 3 x 2: the bytes it leaves; depth 0; width > pitch; NULL")
{
    unsigned char *d = device_bytes(1024), b[1024];
    struct cudaPitchedPtr p = pitched(d, 64, 64, 8), n = pitched(NULL, 64, 64, 8);
    answer(cudaMemset3D(p, 7, extent(5, 3, 2)));
    answer(cudaMemcpy(b, d, 1024, cudaMemcpyDeviceToHost));
    fact("bytes 4, 5, 132, 512, 704", "7 0 7 7 0", "%d %d %d %d %d", b[4], b[5], b[132], b[512],
         b[512 + 192]);
    answer(cudaMemset3D(p, 7, extent(5, 3, 0)));
    gives(InvalidValue, cudaMemset3D(p, 7, extent(65, 3, 2)));
    gives(InvalidValue, cudaMemset3D(n, 7, extent(5, 3, 2)));
}

SITUATION("cudaMemset of device memory while a blocking stream is busy; of pinned memory: waits or "
          "returns")
{
    char *d = device_bytes(N), *p = pinned_bytes(N);
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    answer(cudaMemset(d, 0, N));
    call_returns();
    MUST(cudaDeviceSynchronize());
    gate_shut(s);
    answer(cudaMemset(p, 0, N));
    call_waits();
}

SITUATION("cudaMemset3D: slices of a pitched pointer; extent 0 in depth; width over pitch")
{
    struct cudaPitchedPtr p = {0};
    answer(cudaMalloc3D(&p, extent(8, 2, 2)));
    fact("pitched pointer", "pitch multiple of 8, 8 2", "pitch %s, %zu %zu",
         p.pitch >= 8 && p.pitch % 8 == 0 ? "multiple of 8" : "odd", p.xsize, p.ysize);
    answer(cudaMemset3D(p, 3, extent(8, 2, 2)));
    shows("3", "%d", byte_at((char *)p.ptr + 3 * p.pitch));
    answer(cudaMemset3D(p, 3, extent(8, 2, 0)));
    gives(InvalidValue, cudaMemset3D(p, 3, extent(p.pitch + 1, 2, 1)));
}

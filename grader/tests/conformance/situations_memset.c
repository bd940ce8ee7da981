/*
 * situations_memset.c: memset in one, two and three dimensions.
 */
#include <limits.h>
#include <string.h>

#include "situations.h"

enum { N = 4096, BIG = 4 << 20 };

SITUATION(memset_value, "cudaMemset with value 0x1ff: the byte it leaves; the byte behind it")
{
    unsigned char *d = device_bytes(N), b[64];
    answer(cudaMemset(d, 0x1ff, 32));
    answer(cudaMemcpy(b, d, 64, cudaMemcpyDeviceToHost));
    answer_text("%d %d", b[31], b[32]);
}

SITUATION(memset_null,
          "cudaMemset of NULL; async of NULL; of malloc memory; async of malloc memory")
{
    answer(cudaMemset(NULL, 0, 64));
    answer(cudaMemsetAsync(NULL, 0, 64, 0));
    answer(cudaMemset(pageable_bytes(64), 0, 64));
    answer(cudaMemsetAsync(pageable_bytes(64), 0, 64, 0));
}

SITUATION(memset_pinned, "cudaMemset of pinned memory; the byte it leaves")
{
    unsigned char *p = pinned_bytes(64);
    answer(cudaMemset(p, 5, 64));
    answer(cudaDeviceSynchronize());
    answer_text("%d", p[63]);
}

SITUATION(memset_past_end, "cudaMemset past the end; async past the end; starting past the end")
{
    char *d = device_bytes(BIG);
    answer(cudaMemset(d, 0, BIG + 1));
    answer(cudaMemsetAsync(d + 1, 0, BIG, 0));
    answer(cudaMemset(d + BIG, 0, 1));
    answer(cudaDeviceSynchronize());
}

SITUATION(memset_2d, "cudaMemset2D of 3 rows of 5 bytes, pitch 16: the bytes it leaves")
{
    unsigned char *d = device_bytes(64), b[64];
    answer(cudaMemset2D(d, 16, 7, 5, 3));
    answer(cudaMemcpy(b, d, 64, cudaMemcpyDeviceToHost));
    answer_text("%d %d %d %d %d %d", b[0], b[4], b[5], b[16], b[36], b[48]);
}

SITUATION(memset_2d_bad, "cudaMemset2D: width > pitch; pitch 0; NULL; past the end; malloc memory; "
                         "pitch above the limit")
{
    char *d = device_bytes(BIG);
    answer(cudaMemset2D(d, 16, 0, 32, 2));
    answer(cudaMemset2D(d, 0, 0, 32, 2));
    answer(cudaMemset2D(NULL, 64, 0, 32, 2));
    answer(cudaMemset2D(d, 4096, 0, 32, BIG / 4096 + 1));
    answer(cudaMemset2D(pageable_bytes(N), 64, 0, 32, 2));
    answer(cudaMemset2D(d, (size_t)INT_MAX + 1, 0, 32, 1));
}

SITUATION(memset_2d_edges, "cudaMemset2D: width 0; height 0; one row wider than the pitch; last "
                           "row ends at the end; NULL and 0")
{
    char *d = device_bytes(BIG);
    answer(cudaMemset2D(d, 64, 0, 0, 2));
    answer(cudaMemset2D(d, 64, 0, 32, 0));
    answer(cudaMemset2D(d, 16, 0, 32, 1));
    answer(cudaMemset2D(d + 4064, 4096, 0, 32, BIG / 4096));
    answer(cudaMemset2D(NULL, 64, 0, 0, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(memset_2d_async, "cudaMemset2DAsync: valid; width > pitch; NULL")
{
    char *d = device_bytes(N);
    cudaStream_t s = new_stream(0);
    answer(cudaMemset2DAsync(d, 64, 0, 32, 2, s));
    answer(cudaMemset2DAsync(d, 16, 0, 32, 2, s));
    answer(cudaMemset2DAsync(NULL, 64, 0, 32, 2, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(memset_3d, "cudaMemset3D of 5 x 3 x 2: the bytes it leaves; depth 0; width > pitch; NULL")
{
    unsigned char *d = device_bytes(1024), b[1024];
    struct cudaPitchedPtr p = pitched(d, 64, 64, 8), n = pitched(NULL, 64, 64, 8);
    answer(cudaMemset3D(p, 7, extent(5, 3, 2)));
    answer(cudaMemcpy(b, d, 1024, cudaMemcpyDeviceToHost));
    answer_text("%d %d %d %d %d", b[4], b[5], b[132], b[512], b[512 + 192]);
    answer(cudaMemset3D(p, 7, extent(5, 3, 0)));
    answer(cudaMemset3D(p, 7, extent(65, 3, 2)));
    answer(cudaMemset3D(n, 7, extent(5, 3, 2)));
}

SITUATION(memset_busy, "cudaMemset of device memory while a blocking stream is busy; of pinned "
                       "memory: waits or returns")
{
    char *d = device_bytes(N), *p = pinned_bytes(N);
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    gate_open_later(100);
    answer(cudaMemset(d, 0, N));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
    gate_shut(s);
    gate_open_later(100);
    answer(cudaMemset(p, 0, N));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(memset_freed, "cudaMemsetAsync of freed memory")
{
    void *d = device_bytes(BIG);
    MUST(cudaFree(d));
    answer(cudaMemsetAsync(d, 0, 64, new_stream(0)));
}

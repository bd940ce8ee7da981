/* load.c: computes on the first GPU for half a minute, with nothing in between. What the audit runs
 * beside gradings, again and again (LOAD=compute). */
#include <cuda_runtime_api.h>

#include "common/check.h"
#include "common/clock.h"
#include "kernels/kernels.h"

enum { N = 1024, AT_ONCE = 16 };

static const double seconds = 30;

int main(void)
{
    float *a;
    const double until_us = clock_now_us() + seconds * 1e6;
    CHECK(cudaMalloc((void **)&a, 3 * sizeof(float) * N * N));
    CHECK(cudaMemset(a, 0, 3 * sizeof(float) * N * N));
    while (clock_now_us() < until_us) {
        for (int i = 0; i < AT_ONCE; i++)
            CHECK(launch_matmul(a, a + N * N, a + 2 * N * N, N, NULL));
        CHECK(cudaDeviceSynchronize());
    }
    return 0;
}

/* subject_bench.c: what adapters measure themselves. */
#include "subject_bench.h"

#include <stdlib.h>

#include "../common/check.h"
#include "../common/clock.h"

enum { LOAD_BYTES = 4 << 20, WARM_UPS = 2, ROUNDS = 7 };

void bench_pending(struct subject *s)
{
    double from_us = clock_now_us();
    cudaDeviceSynchronize();
    subject_value(s, "pending_us", clock_now_us() - from_us);
}

double bench_device_bytes(void)
{
    size_t free_bytes = 0, total_bytes = 0;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    return (double)(total_bytes - free_bytes);
}

/* ---- background copies ------------------------------------------------------------------------------- */

cudaError_t bench_load_create(struct bench_load *load, int copies)
{
    *load = (struct bench_load){.copies = copies};
    if (copies == 0)
        return cudaSuccess;
    TRY(cudaMalloc(&load->device, LOAD_BYTES));
    TRY(cudaMemset(load->device, 0, LOAD_BYTES));
    TRY(cudaMallocHost(&load->host, LOAD_BYTES));
    TRY(cudaStreamCreateWithFlags(&load->stream, cudaStreamNonBlocking));
    return cudaDeviceSynchronize();
}

cudaError_t bench_load_start(struct bench_load *load)
{
    for (int i = 0; i < load->copies; i++)
        TRY(cudaMemcpyAsync(load->host, load->device, LOAD_BYTES, cudaMemcpyDeviceToHost, load->stream));
    return cudaSuccess;
}

cudaError_t bench_load_destroy(struct bench_load *load)
{
    if (load->copies == 0)
        return cudaSuccess;
    TRY(cudaStreamSynchronize(load->stream));
    TRY(cudaStreamDestroy(load->stream));
    TRY(cudaFreeHost(load->host));
    return cudaFree(load->device);
}

/* ---- times ------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

cudaError_t bench_time_us(cudaError_t (*round)(void *), void *argument, double *time_us)
{
    int warm_ups = clock_is_virtual() ? 0 : WARM_UPS, rounds = clock_is_virtual() ? 1 : ROUNDS;
    double times[ROUNDS];
    for (int i = -warm_ups; i < rounds; i++) {
        double from_us = clock_now_us();
        TRY(round(argument));
        if (i >= 0)
            times[i] = clock_now_us() - from_us;
    }
    qsort(times, (size_t)rounds, sizeof times[0], by_size);
    *time_us = times[rounds / 2];
    return cudaSuccess;
}

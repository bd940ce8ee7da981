/*
 * myth.h: shared by the programs of labs/MYTHS.md, labs/MORE.md and labs/FREEING.md. Each prints
 * results that are the same on every device: error codes, orders, ratios with wide margins; never a
 * time. A program that this device cannot show prints one line with the reason, and ends with
 * MYTH_SKIPPED.
 */
#ifndef MYTH_H
#define MYTH_H

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "clock.h"
#include "kernels.h"

enum { BUSY_US = 5000, MYTH_SKIPPED = 77 };

static inline const char *yes(int is_so)
{
    return is_so ? "yes" : "no";
}

/* A non-blocking stream: it has no order with the default stream. */
static inline cudaStream_t new_stream(void)
{
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

/* When the device is idle: enqueues a kernel that lasts BUSY_US. */
static inline void keep_busy(cudaStream_t stream)
{
    CHECK(cudaDeviceSynchronize());
    CHECK(launch_delay(BUSY_US, stream));
}

/* Does the call return only when the kernel of keep_busy has completed? */
#define WAITED(call)                                                                               \
    (myth_from_us = clock_now_us(), CHECK(call), clock_now_us() - myth_from_us > BUSY_US / 2)
static double myth_from_us __attribute__((unused));

static inline int myth_by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* us = how long the statements take: the median of 15 iterations, or of so many, after a warm-up.
 */
#define MEASURE(us, ...) MEASURE_TIMES(15, us, __VA_ARGS__)
#define MEASURE_TIMES(iterations, us, ...)                                                         \
    do {                                                                                           \
        enum { ROUNDS_ = iterations };                                                             \
        double times_[ROUNDS_];                                                                    \
        for (int round_ = -1; round_ < ROUNDS_; round_++) {                                        \
            double from_us_ = clock_now_us();                                                      \
            __VA_ARGS__;                                                                           \
            if (round_ >= 0)                                                                       \
                times_[round_] = clock_now_us() - from_us_;                                        \
        }                                                                                          \
        qsort(times_, ROUNDS_, sizeof times_[0], myth_by_size);                                    \
        us = times_[ROUNDS_ / 2];                                                                  \
    } while (0)

#endif

/*
 * check.h: no CUDA call goes unchecked.
 *
 *     TRY(cudaMalloc(...));    in a function that returns cudaError_t: on an error, return it to
 * the caller CHECK(cudaMalloc(...));  in a program: on an error, say which call failed, where and
 * why, and exit with 1
 *
 * A call that queues work reports what is wrong with the call. What goes wrong later, on the
 * device, is reported by the next call that meets it, so the call named is not always the one to
 * blame.
 */
#ifndef CHECK_H
#define CHECK_H

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t try_error_ = (call);                                                           \
        if (try_error_ != cudaSuccess)                                                             \
            return try_error_;                                                                     \
    } while (0)

#define CHECK(call) check_call((call), #call, __FILE__, __LINE__)

static inline void check_call(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s\n    gave %s: %s\n", file, line, call, cudaGetErrorName(error),
            cudaGetErrorString(error));
    exit(1);
}

#endif

/* check.h: checks the result of every CUDA call.
 *
 *     TRY(cudaMalloc(...));      in a function that returns cudaError_t
 *
 * returns the error to the caller if the call fails.
 *
 *     CHECK(cudaMalloc(...));    in a program
 *
 * prints the call that failed, its line and the error, and ends the program with status 1.
 *
 * A call that enqueues work returns errors in its arguments. If the work fails later, on the
 * device, a later call returns the error. So the call that failed is not always the cause. */
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
    fprintf(stderr, "%s:%d: %s\n    returned %s: %s\n", file, line, call, cudaGetErrorName(error),
            cudaGetErrorString(error));
    exit(1);
}

#endif

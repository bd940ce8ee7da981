/* check.cuh: what the programs that test simcc share. They are ordinary CUDA; nvcc compiles them.
 */
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

template <typename T> void check(T result, const char *call, const char *file, int line)
{
    if (result == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(result));
    exit(1);
}

#define OK(call) check((call), #call, __FILE__, __LINE__)
#define EXPECT(condition)                                                                          \
    check((condition) ? cudaSuccess : cudaErrorUnknown, #condition, __FILE__, __LINE__)

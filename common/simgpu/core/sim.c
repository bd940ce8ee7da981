/*
 * sim.c: the state that all layers share.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "core.h"

struct sim sim = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_int sticky = cudaSuccess;

void fatal(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("simgpu: the simulated device cannot go on: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

void context_fail(cudaError_t e)
{
    atomic_store(&sticky, (int)e);
}

cudaError_t context_error(void)
{
    return (cudaError_t)atomic_load(&sticky);
}

bool device_exists(int device)
{
    return device >= 0 && device < sim.n_devices;
}

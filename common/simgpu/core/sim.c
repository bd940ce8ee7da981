/* sim.c: the state that all layers share. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "core.h"

struct sim sim = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_int sticky[MAX_DEVICES]; /* of each device; cudaSuccess is 0 */

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

void *needed(void *memory, const char *what, ...)
{
    char words[256];
    va_list args;
    if (memory)
        return memory;
    va_start(args, what);
    vsnprintf(words, sizeof words, what, args);
    va_end(args);
    fatal("out of memory for %s", words);
}

void context_fail(cudaError_t e)
{
    for (int i = 0; i < MAX_DEVICES; i++)
        atomic_store(&sticky[i], (int)e);
}

void context_lose(int device, cudaError_t e)
{
    atomic_store(&sticky[device], (int)e);
}

cudaError_t context_error(void)
{
    return (cudaError_t)atomic_load(&sticky[thread_self()->device]);
}

bool device_exists(int device)
{
    return device >= 0 && device < sim.n_devices;
}

/* sim.c: the state that all layers share. */
#include <stdatomic.h>

#include "core.h"

struct sim sim = {.lock = PTHREAD_MUTEX_INITIALIZER};
EXPORT struct simgpu_host simgpu_host;

static atomic_int sticky[MAX_DEVICES]; /* of each device; cudaSuccess is 0 */

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

/* host_loop.h: the same work as the submission's, by a loop on the host; for lab 07's adapter. */
#ifndef HOST_LOOP_H
#define HOST_LOOP_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "kernels/handlers.h"

/* In device memory, as a run begins. */
struct host_work {
    bool packets; /* else iterations */
    int iterations, n;
    float alpha, *x, *y;
    int *iterations_left;
    struct ring *ring;
    struct argument_slot *arguments;
    const cudaGraph_t *handlers;
};

/* Waits for its end. The first one makes what all of them need. */
cudaError_t host_loop_run(const struct host_work *work);
cudaError_t host_loop_destroy(void);

#endif

/* host_work.h: what the adapter of lab 07 does beside the submission. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "kernels/handlers.h"
#include "labs/lab07_device_launch/lab.h"

/* adapter_busy.c: keeps a graph of the submission's running, by a launch from the device. */

/* Returns when a tenth of the `us` microseconds that the graph takes have passed. */
cudaError_t busy_begin(cudaGraphExec_t exec, float us);

/* Waits until the graph is complete, and frees what busy_begin made. */
cudaError_t busy_end(void);

/* adapter_host_loop.c: the same work as the submission's, by a loop on the host. */

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

/*
 * adapter_busy.h: keeps a graph of the submission's running, by a launch from the device.
 */
#ifndef LAB07_ADAPTER_BUSY_H
#define LAB07_ADAPTER_BUSY_H

#include "labs/lab07_device_launch/lab.h"

/* Returns when a tenth of the `us` microseconds that the graph takes have passed. */
cudaError_t busy_begin(cudaGraphExec_t exec, float us);

/* Waits until the graph is complete, and frees what busy_begin made. */
cudaError_t busy_end(void);

#endif

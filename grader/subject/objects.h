/* objects.h: the streams, events and pools that this process has created, and the memory that it
 * has allocated, with the submission's own in the heap. A GPU does not tell what a program leaks;
 * the simulated device does, but for the heap. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "simgpu.h"

/* What is left of one kind: how many, their bytes, and where the first was created. */
struct objects_left {
    size_t n, bytes;
    const void *caller;
};

/* The call has stored the handle or address of what it created at `created`, or destroyed the
   object, unless it failed. Both return the error. */
cudaError_t object_created(cudaError_t error, enum simgpu_object kind, const void *created,
                           size_t bytes, const void *caller);
cudaError_t object_destroyed(cudaError_t error, const void *object);

struct objects_left objects_left(enum simgpu_object kind);

/* Bytes of device memory now. *most, if not NULL: at most; `anew`: counted anew from now on. */
double objects_bytes(double *most, bool anew);

/* From now on, `watch` is called after each creation of a stream. */
void subject_watch_streams(void (*watch)(cudaError_t error, const cudaStream_t *stream));

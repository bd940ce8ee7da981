/*
 * refused.h: why the runtime refused to add a node or to instantiate a graph, as the adapter sees
 * it and the suite explains it.
 */
#ifndef LAB08_REFUSED_H
#define LAB08_REFUSED_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "labs/lab08/causes.h"

/* Why the latest cudaGraphAddNode failed with this error; n floats are `bytes`. */
enum lab08_cause refused_instantiation(cudaError_t error, size_t bytes);

#endif

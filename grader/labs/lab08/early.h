/*
 * early.h: how long a launch of lab08_early's graph takes, and of the same with an ordinary edge.
 */
#ifndef LAB08_EARLY_H
#define LAB08_EARLY_H

#include <cuda_runtime_api.h>

/* The graph, and how often it is launched in this stream before the wait. */
struct early {
    cudaGraph_t graph;
    cudaStream_t stream;
    int repeats;
};

cudaError_t time_edges(const struct early *early, double *early_us, double *ordinary_us);

#endif

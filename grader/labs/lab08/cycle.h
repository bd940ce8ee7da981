/*
 * cycle.h: a graph of the adapter's that has a cycle: it can be drawn, and not instantiated.
 */
#ifndef LAB08_CYCLE_H
#define LAB08_CYCLE_H

#include <cuda_runtime_api.h>

#include "subject/subject.h"

cudaError_t build_cycle(cudaGraph_t *graph);

/* Calls lab08_draw, and reports whether the file holds a drawing. */
int draw(struct subject *s, cudaGraph_t graph);

/* Calls lab08_instantiate, and reports what it did about the cycle. */
int instantiate_cycle(struct subject *s, cudaGraph_t graph);

#endif

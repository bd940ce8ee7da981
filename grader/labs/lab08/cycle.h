/*
 * cycle.h: the adapter's own graph of lab 08, which cannot be instantiated: a - b - c, and c - b.
 */
#ifndef LAB08_CYCLE_H
#define LAB08_CYCLE_H

#include <cuda_runtime_api.h>

#include "subject/subject.h"

cudaError_t cycle_build(cudaGraph_t *graph);

/* Has lab08_draw draw the graph; notes if that is no DOT. */
int cycle_draw(struct subject *s, cudaGraph_t graph);

/* Has lab08_instantiate refuse the graph; notes what is wrong in what it says and leaves. */
int cycle_instantiate(struct subject *s, cudaGraph_t graph);

#endif

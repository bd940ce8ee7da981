/*
 * instantiations.h: how a submission instantiates its graphs, which the executable graph does not
 * tell afterwards.
 */
#ifndef SUBJECT_INSTANTIATIONS_H
#define SUBJECT_INSTANTIATIONS_H

#include <cuda_runtime_api.h>

/* What a call returned; exec: NULL after an error. */
typedef void subject_instantiated(cudaError_t error, cudaGraphExec_t exec, cudaGraph_t graph,
                                  unsigned long long flags);

/* From now on, `watch` is called after each instantiation, by whatever function. */
void subject_watch_instantiations(subject_instantiated *watch);

#endif

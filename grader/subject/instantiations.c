/*
 * instantiations.c: the submission calls these; they call the runtime's own.
 */
#include "instantiations.h"

#include "interpose.h"

static subject_instantiated *watching;

void subject_watch_instantiations(subject_instantiated *watch)
{
    watching = watch;
}

static cudaError_t report(cudaError_t error, const cudaGraphExec_t *exec, cudaGraph_t graph,
                          unsigned long long flags)
{
    if (watching)
        watching(error, error ? NULL : *exec, graph, flags);
    return error;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    FIND_REAL(cudaGraphInstantiate);
    return report(real(exec, graph, flags), exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params)
{
    FIND_REAL(cudaGraphInstantiateWithParams);
    return report(real(exec, graph, params), exec, graph, params->flags);
}

/* adapter_early.c: the two times of struct early. */
#include "graphs.h"

#include "common/check.h"
#include "subject/bench.h"

struct launches {
    const struct early *early;
    cudaGraphExec_t exec;
};

static cudaError_t launch_repeatedly(void *launches)
{
    const struct launches *l = launches;
    for (int i = 0; i < l->early->repeats; i++)
        TRY(cudaGraphLaunch(l->exec, l->early->stream));
    return cudaStreamSynchronize(l->early->stream);
}

/* *us: one launch. */
static cudaError_t time_launch(const struct early *early, cudaGraph_t graph, double *us)
{
    struct launches l = {.early = early};
    TRY(cudaGraphInstantiate(&l.exec, graph, 0));
    TRY(bench_time_us(launch_repeatedly, &l, us));
    *us /= early->repeats;
    return cudaGraphExecDestroy(l.exec);
}

cudaError_t time_edges(const struct early *early, double *early_us, double *ordinary_us)
{
    cudaGraph_t graph;
    cudaGraphNode_t from, to;
    cudaGraphEdgeData data;
    size_t one = 1;
    TRY(time_launch(early, early->graph, early_us));
    TRY(cudaGraphClone(&graph, early->graph));
    TRY(cudaGraphGetEdges(graph, &from, &to, &data, &one));
    TRY(cudaGraphRemoveDependencies(graph, &from, &to, &data, 1));
    TRY(cudaGraphAddDependencies(graph, &from, &to, NULL, 1));
    TRY(time_launch(early, graph, ordinary_us));
    return cudaGraphDestroy(graph);
}

/* host_node.c: stands between a host node and the submission's function, see host_node.h. */
#include "host_node.h"

#include <stdbool.h>

#include "common/check.h"
#include "interpose.h"

enum { MOST_NODES = 64 };

static struct subject_host_node watched;

/* A function with the parameters of a stream callback gets NULL for the last one, not what is in
   its register by chance. */
typedef void with_more_parameters(void *data, void *second, void *third);

/* The submission's function runs in this thread; it has called one of the two functions below,
   which leave no error. */
static _Thread_local bool is_inside, has_asked;

/* Defines such a function. */
#define NOTED(name)                                                                                \
    cudaError_t name(void)                                                                         \
    {                                                                                              \
        FIND_REAL(name);                                                                           \
        has_asked |= is_inside;                                                                    \
        return real();                                                                             \
    }
NOTED(cudaGetLastError)
NOTED(cudaPeekAtLastError)

static void CUDART_CB watch(void *data)
{
    cudaGetLastError();
    const bool clear = cudaPeekAtLastError() == cudaSuccess;
    is_inside = true;
    ((with_more_parameters *)(void (*)(void))watched.host.fn)(data, NULL, NULL);
    is_inside = false;
    watched.refused += has_asked || (clear && cudaPeekAtLastError() != cudaSuccess);
    has_asked = false;
}

cudaError_t subject_watch_host_node(cudaGraph_t graph, cudaGraphExec_t exec)
{
    cudaGraphNode_t nodes[MOST_NODES];
    size_t n = MOST_NODES;
    watched = (struct subject_host_node){.refused = 0};
    TRY(cudaGraphGetNodes(graph, nodes, &n));
    for (size_t i = 0; i < n && i < MOST_NODES; i++) {
        enum cudaGraphNodeType type;
        TRY(cudaGraphNodeGetType(nodes[i], &type));
        if (type != cudaGraphNodeTypeHost)
            continue;
        TRY(cudaGraphHostNodeGetParams(nodes[i], &watched.host));
        struct cudaHostNodeParams p = {watch, watched.host.userData};
        return cudaGraphExecHostNodeSetParams(exec, nodes[i], &p);
    }
    return cudaSuccess;
}

const struct subject_host_node *subject_host_node(void)
{
    return &watched;
}

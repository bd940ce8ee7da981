/* body_graph.c: which conditional nodes there are, and what their bodies are.
 *
 * CUDA 13.0 has no call that asks a conditional node for its kind or its bodies; only the call that
 * makes it says so. So the subject has a cudaGraphAddNode of its own before the runtime's. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "interpose.h"

/* One conditional node that was made; a later one with the same handle replaces it. */
struct made {
    struct subject_conditional node;
    struct made *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct made *all;

static void remember(cudaGraphNode_t node, const struct cudaConditionalNodeParams *p)
{
    const size_t bytes = p->size * sizeof(cudaGraph_t);
    struct made *m = calloc(1, sizeof *m);
    cudaGraph_t *bodies = malloc(bytes + 1);
    if (!m || !bodies) {
        free(m);
        free(bodies);
        return;
    }
    memcpy(bodies, p->phGraph_out, bytes);
    m->node = (struct subject_conditional){node, p->handle, p->type, p->size, bodies};
    pthread_mutex_lock(&lock);
    m->next = all;
    all = m;
    pthread_mutex_unlock(&lock);
}

const struct subject_conditional *subject_conditional(cudaGraphNode_t node)
{
    pthread_mutex_lock(&lock);
    const struct made *m = all;
    while (m && m->node.node != node)
        m = m->next;
    pthread_mutex_unlock(&lock);
    return m ? &m->node : NULL;
}

const struct subject_conditional *subject_conditional_of(cudaGraphConditionalHandle handle)
{
    pthread_mutex_lock(&lock);
    const struct made *m = all;
    while (m && m->node.handle != handle)
        m = m->next;
    pthread_mutex_unlock(&lock);
    return m ? &m->node : NULL;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *data,
                             size_t n_dependencies, struct cudaGraphNodeParams *params)
{
    FIND_REAL(cudaGraphAddNode);
    cudaError_t e = real(node, graph, dependencies, data, n_dependencies, params);
    if (e == cudaSuccess && params->type == cudaGraphNodeTypeConditional)
        remember(*node, &params->conditional);
    return e;
}

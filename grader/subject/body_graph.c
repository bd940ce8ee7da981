/*
 * body_graph.c: which conditional nodes there are, and what their bodies are; which node was
 * refused.
 *
 * CUDA 13.0 has no call that asks a conditional node for its kind or its bodies; only the call that
 * makes it says so. So the subject has a cudaGraphAddNode of its own in front of the runtime's.
 */
#include <pthread.h>
#include <stdbool.h>
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
static struct subject_refused refused;
static bool is_refused;

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

const struct subject_refused *subject_refused_node(void)
{
    return is_refused ? &refused : NULL;
}

/* Is one of the nodes not in the graph? */
static bool lacks_one(cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t n)
{
    size_t n_all = 0, n_found = 0;
    if (n == 0 || !nodes || cudaGraphGetNodes(graph, NULL, &n_all) != cudaSuccess)
        return false;
    cudaGraphNode_t *all = calloc(n_all + 1, sizeof *all);
    if (all && cudaGraphGetNodes(graph, all, &n_all) == cudaSuccess)
        for (size_t i = 0; i < n; i++) {
            size_t k = 0;
            while (k < n_all && all[k] != nodes[i])
                k++;
            n_found += k < n_all;
        }
    free(all);
    return n_found < n;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *data,
                             size_t n_dependencies, struct cudaGraphNodeParams *params)
{
    FIND_REAL(cudaGraphAddNode);
    cudaError_t e = real(node, graph, dependencies, data, n_dependencies, params);
    if (e == cudaSuccess && params->type == cudaGraphNodeTypeConditional)
        remember(*node, &params->conditional);
    const bool failed = e != cudaSuccess && params;
    /* the graph that is to get a child may be gone: it is not asked */
    const bool lacks = failed && params->type != cudaGraphNodeTypeGraph &&
                       lacks_one(graph, dependencies, n_dependencies);
    pthread_mutex_lock(&lock);
    is_refused = failed;
    if (failed)
        refused = (struct subject_refused){e, *params, lacks};
    pthread_mutex_unlock(&lock);
    return e;
}

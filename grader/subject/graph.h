/* graph.h: what adapters do about the graphs of a submission. */
#pragma once

#include <cuda_runtime_api.h>

#include "subject.h"

/* For subject_lab.graph: reads the graph with the runtime's own questions and leaves its nodes and
 * edges for judge_graph, as query/graph.h has them; those of child graphs and of the bodies of
 * conditional nodes, too. `whose` names it in messages ("lab->graph").
 * 0, or nonzero where it cannot. */
int subject_graph(struct subject *s, cudaGraph_t graph, const char *whose);

/* The same, of the graph that subject_lab.shown gives, if that is lab->graph. */
int subject_shown_graph(struct subject *s);

/* subject_returned of a function that captures: the report says which rule of capture such an error
   is about. A function that succeeds and leaves a stream capturing fails, too. */
int subject_captured(struct subject *s, const char *function, cudaError_t error);

/* A conditional node that the submission made, body_graph.c; NULL where it is none. */
struct subject_conditional {
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    enum cudaGraphConditionalNodeType type;
    size_t n_bodies;
    cudaGraph_t *bodies;
};
const struct subject_conditional *subject_conditional(cudaGraphNode_t node);

/* The last one with this handle, or NULL. */
const struct subject_conditional *subject_conditional_of(cudaGraphConditionalHandle handle);

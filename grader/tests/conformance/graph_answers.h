/* graph_answers.h: what a graph looks like, and what becomes of it, as parts of an answer. */
#pragma once

#include "situation.h"

size_t node_count(cudaGraph_t g);
cudaGraphNode_t nth_node(cudaGraph_t g, size_t n);
/* The node's place in cudaGraphGetNodes; "NULL", or "other" if it is not there. */
const char *place_text(cudaGraph_t g, cudaGraphNode_t n);
const char *type_text(enum cudaGraphNodeType type);

/* "3 nodes, 2 edges, 1 roots" */
#define shape_is(expected, g) (note_reached(), answer_shape_as(expected, "shape(" #g ")", g))
void answer_shape_as(const char *expected, const char *source, cudaGraph_t g);
/* "memset memcpy": the types of all nodes as cudaGraphGetNodes lists them */
#define types_are(expected, g) (note_reached(), answer_types_as(expected, "types(" #g ")", g))
#define answer_types(g) types_are(NULL, g)
void answer_types_as(const char *expected, const char *source, cudaGraph_t g);
/* "0>1 0>2": all edges, nodes by their place in cudaGraphGetNodes */
#define edges_are(expected, g) (note_reached(), answer_edges_as(expected, "edges(" #g ")", g))
void answer_edges_as(const char *expected, const char *source, cudaGraph_t g);

/* Instantiates with parameters: the error, the result, the error node, and whether there is an
 * exec. */
#define instantiate_with_gives(...) (note_reached(), answer_instantiate_with_as(__VA_ARGS__))
void answer_instantiate_with_as(const char *error, const char *result, cudaGraph_t g,
                                unsigned long long flags, cudaStream_t upload);
/* Updates the exec: "Success 0 NULL NULL": error, result, error node and error from node. Was it
 * updated? */
#define update_gives(expected, x, to)                                                              \
    (note_reached(), answer_update_as(expected, "cudaGraphExecUpdate(" #x ", " #to ")", x, to))
bool answer_update_as(const char *expected, const char *source, cudaGraphExec_t x, cudaGraph_t to);
/* The same for a new exec of `from`. */
#define update_from_gives(expected, from, to)                                                      \
    (note_reached(),                                                                               \
     answer_update_as(expected, "cudaGraphExecUpdate(" #from ", " #to ")", new_exec(from), to))
/* Launches it in a new stream and waits: the two errors, or one if both are the same. */
#define run_gives(expected, x) (note_reached(), answer_run_as(expected, "run(" #x ")", x))
#define answer_run(x) run_gives(NULL, x)
void answer_run_as(const char *expected, const char *source, cudaGraphExec_t x);

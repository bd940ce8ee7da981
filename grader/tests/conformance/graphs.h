/* graphs.h: graphs that situations are made of.
 *
 * Nodes are added after one other node, or after nothing (NULL). Whatever only prepares a situation
 * must succeed. */
#pragma once

#include "captures.h"
#include "graph_answers.h"

cudaGraph_t new_graph(void);
cudaGraphExec_t new_exec(cudaGraph_t g);
cudaGraph_t destroyed_graph(void);
cudaGraphExec_t destroyed_exec(void);

cudaGraphNode_t add_empty(cudaGraph_t g, cudaGraphNode_t after);
cudaGraphNode_t add_memset(cudaGraph_t g, cudaGraphNode_t after, void *p, int value);
cudaGraphNode_t add_copy(cudaGraph_t g, cudaGraphNode_t after, void *to, const void *from);
/* A kernel of one thread. */
cudaGraphNode_t add_kernel(cudaGraph_t g, cudaGraphNode_t after, const void *func, void **args);
cudaGraphNode_t add_store(cudaGraph_t g, cudaGraphNode_t after, int *to, int value);
cudaGraphNode_t add_letter(cudaGraph_t g, cudaGraphNode_t after, char letter);
cudaGraphNode_t add_record(cudaGraph_t g, cudaGraphNode_t after, cudaEvent_t e);
cudaGraphNode_t add_wait(cudaGraph_t g, cudaGraphNode_t after, cudaEvent_t e);
cudaGraphNode_t add_child(cudaGraph_t g, cudaGraphNode_t after, cudaGraph_t child);
cudaGraphNode_t add_alloc(cudaGraph_t g, cudaGraphNode_t after, size_t bytes, void **p);
cudaGraphNode_t add_free(cudaGraph_t g, cudaGraphNode_t after, void *p);
/* The gate of gate.h, which is shut, before anything else. */
cudaGraphNode_t add_gate(cudaGraph_t g);
void add_edge(cudaGraph_t g, cudaGraphNode_t from, cudaGraphNode_t to);

/* Parameters of such nodes; those of kernels stay valid until the fourth further call. */
struct cudaMemsetParams memset_params(void *p, int value, size_t bytes);
struct cudaMemcpy3DParms copy_params(void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind);
struct cudaKernelNodeParams store_params(int *to, int value);
struct cudaGraphNodeParams store_node_params(int *to, int value);
struct cudaMemAllocNodeParams alloc_params(size_t bytes);
struct cudaHostNodeParams letter_params(char letter);

/* A graph of one kind of node each: "kernel", "memcpy" (to the device), "memset", "host", … */
cudaGraph_t graph_of_one(const char *kind, cudaGraphNode_t *node);

/* The node of such a graph. */
cudaGraphNode_t node_of(const char *kind);

/* Three memsets a, b, c with the edges that the string names: "ab bc". */
cudaGraph_t three_memsets(const char *edges);
/* A chain of host nodes that write the letters. */
cudaGraph_t letters_graph(const char *text);
/* A graph that allocates, sets and, if `frees`, frees. */
cudaGraph_t allocating_graph(void **p, bool frees);

extern const cudaGraphEdgeData programmatic_edge; /* from port 1 */

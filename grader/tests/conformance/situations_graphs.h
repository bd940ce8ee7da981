/*
 * situations_graphs.h: what situations of captures and graphs are made of.
 *
 * Nodes are added after one other node, or after nothing (NULL). Whatever only prepares a situation
 * must succeed; the functions called answer_… add to the answer.
 */
#ifndef SITUATIONS_GRAPHS_H
#define SITUATIONS_GRAPHS_H

#include "situations.h"

enum { SMALL = 64 }; /* bytes of the memsets and copies made here */

cudaGraph_t new_graph(void);
cudaGraphExec_t new_exec(cudaGraph_t g);
cudaGraph_t destroyed_graph(void);
cudaGraphExec_t destroyed_exec(void);
cudaGraphNode_t destroyed_node(void);

cudaGraphNode_t add_empty(cudaGraph_t g, cudaGraphNode_t after);
cudaGraphNode_t add_memset(cudaGraph_t g, cudaGraphNode_t after, void *p, int value);
cudaGraphNode_t add_copy(cudaGraph_t g, cudaGraphNode_t after, void *to, const void *from);
cudaGraphNode_t add_store(cudaGraph_t g, cudaGraphNode_t after, int *to, int value);
cudaGraphNode_t add_letter(cudaGraph_t g, cudaGraphNode_t after, char letter);
cudaGraphNode_t add_record(cudaGraph_t g, cudaGraphNode_t after, cudaEvent_t e);
cudaGraphNode_t add_wait(cudaGraph_t g, cudaGraphNode_t after, cudaEvent_t e);
cudaGraphNode_t add_child(cudaGraph_t g, cudaGraphNode_t after, cudaGraph_t child);
cudaGraphNode_t add_alloc(cudaGraph_t g, cudaGraphNode_t after, size_t bytes, void **p);
cudaGraphNode_t add_free(cudaGraph_t g, cudaGraphNode_t after, void *p);
void add_edge(cudaGraph_t g, cudaGraphNode_t from, cudaGraphNode_t to);

/* Parameters of such nodes; those of kernels stay valid until the fourth further call. */
struct cudaMemsetParams memset_params(void *p, int value, size_t bytes);
struct cudaMemcpy3DParms copy_params(void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind);
struct cudaKernelNodeParams store_params(int *to, int value);
struct cudaMemAllocNodeParams alloc_params(size_t bytes);
struct cudaHostNodeParams letter_params(char letter);

/* A graph of one kind of node each: "kernel", "memcpy" (to the device), "memset", "host", … */
cudaGraph_t graph_of_one(const char *kind, cudaGraphNode_t *node);

/* Begins a capture in the stream, with one memset already in it. */
void begin_capture(cudaStream_t s, enum cudaStreamCaptureMode mode);
/* A graph of n memsets captured one after the other. */
cudaGraph_t captured_memsets(int n);
/* `to` goes on after what `from` was given so far: a fork, or a join. */
void order_streams(cudaStream_t from, cudaStream_t to);

/* "3 nodes, 2 edges, 1 roots" */
void answer_shape(cudaGraph_t g);
/* "memset memcpy": the types of all nodes as cudaGraphGetNodes lists them */
void answer_types(cudaGraph_t g);
/* "0>1 0>2": all edges, nodes by their place in cudaGraphGetNodes */
void answer_edges(cudaGraph_t g);
/* "status 1": of the stream's capture */
void answer_status(cudaStream_t s);
/* Ends the capture: its error and the number of nodes, or NULL if there is no graph. */
cudaGraph_t answer_end(cudaStream_t s);
/* Launches it in a new stream and waits: the two errors, or one if both are the same. */
void answer_run(cudaGraphExec_t x);

const char *type_text(enum cudaGraphNodeType type);
/* The node's place in cudaGraphGetNodes; "NULL", or "other" if it is not there. */
const char *place_text(cudaGraph_t g, cudaGraphNode_t n);
size_t node_count(cudaGraph_t g);
cudaGraphNode_t nth_node(cudaGraph_t g, size_t n);

/* The int or byte that device memory begins with. */
int device_int(const void *p);
int device_byte(const void *p);
void set_device_int(void *p, int value);
/* Runs f in a thread of its own and waits for it. */
void in_thread(void (*f)(void *arg), void *arg);

#endif

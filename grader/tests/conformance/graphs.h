/*
 * graphs.h: what situations of captures and graphs are made of.
 *
 * Nodes are added after one other node, or after nothing (NULL). Whatever only prepares a situation
 * must succeed; the functions called answer_… add to the answer.
 */
#ifndef GRAPHS_H
#define GRAPHS_H

#include "situation.h"

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
#define answer_shape(g) answer_shape_as("shape(" #g ")", g)
void answer_shape_as(const char *source, cudaGraph_t g);
/* "memset memcpy": the types of all nodes as cudaGraphGetNodes lists them */
#define answer_types(g) answer_types_as("types(" #g ")", g)
void answer_types_as(const char *source, cudaGraph_t g);
/* "0>1 0>2": all edges, nodes by their place in cudaGraphGetNodes */
#define answer_edges(g) answer_edges_as("edges(" #g ")", g)
void answer_edges_as(const char *source, cudaGraph_t g);
const char *status_text(enum cudaStreamCaptureStatus status);
/* "active": the status of the stream's capture, or the error of cudaStreamIsCapturing */
#define answer_status(s) answer_status_as("status(" #s ")", s)
void answer_status_as(const char *source, cudaStream_t s);
/* Ends the capture: its error, and the number of nodes of the graph captured, or NULL. */
#define answer_end(s) answer_end_as("cudaStreamEndCapture(" #s ")", "captured(" #s ")", s)
cudaGraph_t answer_end_as(const char *end, const char *graph, cudaStream_t s);
/* Launches it in a new stream and waits: the two errors, or one if both are the same. */
#define answer_run(x) answer_run_as("run(" #x ")", x)
void answer_run_as(const char *source, cudaGraphExec_t x);

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

/* Global, ThreadLocal, Relaxed. */
extern const enum cudaStreamCaptureMode capture_modes[3];
/* Begins a Global capture to the graph, after the node (NULL: after nothing). */
cudaError_t begin_capture_to(cudaStream_t s, cudaGraph_t g, cudaGraphNode_t after);
/* What cudaStreamGetCaptureInfo fills in; before, each member is 99. */
struct capture_info {
    enum cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t graph;
    const cudaGraphNode_t *nodes;
    const cudaGraphEdgeData *data;
    size_t n;
};

extern const struct capture_info capture_info_untouched;
cudaError_t capture_info_of(cudaStream_t s, struct capture_info *i);
/* Answers cudaStreamGetCaptureInfo's error, and returns the graph. */
cudaGraph_t answer_graph_of_capture(cudaStream_t s, size_t *n, unsigned long long *id);
/* Updates the exec: "Success 0 NULL NULL": error, result, error node and error from node. Was it
 * updated? */
#define answer_update(x, to) answer_update_as("cudaGraphExecUpdate(" #x ", " #to ")", x, to)
bool answer_update_as(const char *source, cudaGraphExec_t x, cudaGraph_t to);
/* The same for a new exec of `from`. */
#define answer_update_from(from, to)                                                               \
    answer_update_as("cudaGraphExecUpdate(" #from ", " #to ")", new_exec(from), to)
/* Three memsets a, b, c with the edges that the string names: "ab bc". */
cudaGraph_t three_memsets(const char *edges);
/* Instantiates with parameters: the error, the result, the error node, and whether there is an
 * exec. */
void answer_instantiate_with(cudaGraph_t g, unsigned long long flags, cudaStream_t upload);
/* A chain of host nodes that write the letters. */
cudaGraph_t letters_graph(const char *text);
/* A graph that allocates, sets and (if asked) frees. */
cudaGraph_t allocating_graph(void **p, bool frees);
extern const cudaGraphEdgeData programmatic_edge; /* from port 1 */
#endif

/* context_calls.h: nearly every call of the runtime, each made once: which still work after a
 * kernel's fault, and which in a host function? */
#pragma once

#include "graphs.h"

/* What the calls work with. */
struct fixture {
    cudaGraph_t graph, other;
    cudaGraphNode_t kernel, empty, memset, host, alloc;
    cudaGraphExec_t exec;
    cudaStream_t stream, capturing;
    cudaEvent_t event;
    int *memory;
    void *pinned, *allocated;
    cudaUserObject_t object;
};

extern struct fixture fixture;
void fixture_prepare(void);

/* The calls, and the words for them in the question of a row. */
#define ADD_NODES "add an empty, kernel, memset, memcpy, host, record, wait, child node; last error"
void answer_add_nodes(void);
#define ADD_OTHER_NODES                                                                            \
    "add an alloc, a free node; a conditional handle; a generic empty node; a copy to a symbol"
void answer_add_other_nodes(void);
#define GRAPH_CALLS                                                                                \
    "nodes, roots, edges, type, dependencies, add, remove an edge, clone, find, DOT, destroy a "   \
    "node; nodes of NULL; last error"
void answer_graph_calls(void);
#define SET_NODES                                                                                  \
    "parameters of a kernel, a memset, a host node: get and set each; an attribute: get and set"
void answer_set_nodes(void);
#define EXEC_CALLS                                                                                 \
    "update, exec parameters of a kernel, of a host node, get enabled, set enabled, flags, "       \
    "upload, launch, instantiate, destroy"
void answer_exec_calls(void);
#define STREAM_CALLS                                                                               \
    "is capturing, capture info, flags, priority, id, device, attribute, begin capture, end, "     \
    "exchange mode"
void answer_stream_calls(void);
#define EVENT_CALLS                                                                                \
    "event create, query, synchronize, elapsed time, wait; record of NULL, query of NULL, "        \
    "destroy of NULL; destroy"
void answer_event_calls(void);
#define MEMORY_CALLS                                                                               \
    "pointer attributes, memory info, host flags, device pointer, cudaMallocAsync, copy and "      \
    "memset of 0 bytes, pool, graph memory, trim, cudaMalloc of 0"
void answer_memory_calls(void);
#define OTHER_CALLS                                                                                \
    "user object create, retain by a graph, release, release by a graph; function attributes, "    \
    "occupancy, symbol address, size, limit, priorities, peer; host function"
void answer_other_calls(void);
#define BAD_HANDLES                                                                                \
    "graph create; into NULL; destroy NULL; exec destroy NULL; launch NULL; instantiate NULL; "    \
    "event synchronize NULL; wait NULL; stream destroy NULL; malloc into NULL; free NULL; copy "   \
    "NULL"
void answer_bad_handles(void);

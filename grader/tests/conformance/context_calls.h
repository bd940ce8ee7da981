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

void answer_add_nodes(void);
void answer_add_other_nodes(void);
void answer_graph_calls(void);
void answer_set_nodes(void);
void answer_exec_calls(void);
void answer_stream_calls(void);
void answer_event_calls(void);
void answer_memory_calls(void);
void answer_other_calls(void);
void answer_bad_handles(void);

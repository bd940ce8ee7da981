/* graph_handle.c: graphs and nodes by the handles of the program. */
#include "graph.h"

struct graph *graph_of(cudaGraph_t handle)
{
    return handle_type_of(handle) == HANDLE_GRAPH ? (struct graph *)handle : NULL;
}

struct node *node_of(cudaGraphNode_t handle)
{
    return handle_type_of(handle) == HANDLE_NODE ? (struct node *)handle : NULL;
}

struct node *node_given(cudaGraphNode_t handle)
{
    struct node *n = node_of(handle);
    if (!n && !handle_was_alive(handle))
        refusal_note_handle(handle, "node");
    return n;
}

/* graph_handle.c: graphs and nodes by the handles of the program.
 *
 * Graphs are not thread-safe. Calls of two threads that name one graph overlap for certain if one
 * of them waits for the device while the other begins. */
#include "graph.h"

/* A call of another thread has named the graph since this call waits: so the two overlap. */
static void find_two_threads(const struct graph *g)
{
    struct simgpu_finding f = {.kind = SIMGPU_UNDEFINED,
                               .what = SIMGPU_WHAT_GRAPH_IN_TWO_THREADS,
                               .next = SIMGPU_NEXT_ONE_THREAD_AT_A_TIME,
                               .first = {.name = "cudaGraph_t", .stream = -1, .node = -1}};
    f.second = f.first;
    f.first.caller = g->used.caller;
    f.second.caller = call_place();
    finding_add(&f);
}

struct graph *graph_of(cudaGraph_t handle)
{
    if (handle_type_of(handle) != HANDLE_GRAPH)
        return NULL;
    struct graph *g = (struct graph *)handle;
    const struct thread_state *t = thread_self();
    if (g->used.thread != t->id && g->used.call > t->came_in && sim.checks)
        find_two_threads(g);
    g->used.thread = t->id;
    g->used.call = sim.n_calls;
    g->used.caller = call_place();
    return g;
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

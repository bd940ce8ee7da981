/*
 * Lab 09: a cache of executable graphs. See lab.h and README.md.
 */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "lab.h"

struct entry {
    struct lab09_shape shape;
    float *workspace;     /* 2 n floats */
    cudaGraphExec_t exec; /* NULL if the capture failed: then there is only the workspace */
    cudaEvent_t done;     /* recorded after the last use of the workspace */
    long used;            /* number of the last request that used the entry; 0: the entry is free */
};

struct lab09_state {
    cudaStream_t capture;  /* for captures and uploads */
    struct entry *entries; /* max_execs of them */
    int floats;            /* of all workspaces together */
    long now;              /* number of requests so far */
};

/* ---- break-even ------------------------------------------------------------------------------ */

int lab09_break_even(const struct lab09_times *times)
{
    /* YOUR STEP 1: the smallest k >= 1 for which once_us and k graph launches together take no
       longer than k requests with stream launches. (fmax and ceil are in math.h.) */
    (void)times;
    return -1;
}

/* ---- capture and instantiate ----------------------------------------------------------------- */

/* Captures the graph of an entry. If the capture fails, *graph is NULL and the result is
   cudaSuccess. */
static cudaError_t capture(struct lab09 *lab, const struct entry *e, cudaGraph_t *graph)
{
    /*
     * YOUR STEP 2: capture the work of lab->enqueue in the stream lab->state->capture. Which mode
     * allows the calls of other threads, and still refuses unsafe calls of this thread? Write no
     * TRY between begin and end: it returns, and the capture stays open.
     *
     * YOUR STEP 10: lab->enqueue or cudaStreamEndCapture may fail. Always end the capture. After a
     * failure destroy the graph if there is one, set *graph to NULL, clear the error with
     * cudaGetLastError, and return cudaSuccess.
     */
    (void)lab;
    (void)e;
    (void)graph;
    return cudaErrorNotYetImplemented;
}

/* Creates the executable graph of `graph`: updates `spare` if possible, otherwise instantiates.
   `spare` is an evicted executable graph, or NULL. */
static cudaError_t update_or_instantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                         cudaGraphExec_t spare)
{
    /* YOUR STEP 7: cudaGraphExecUpdate(spare, …) takes less time than an instantiation. It can fail
       (lab 06): then clear the error, destroy spare and instantiate. These lines are correct, but
       never update: */
    if (spare)
        TRY(cudaGraphExecDestroy(spare));
    return cudaGraphInstantiate(exec, graph, 0);
}

/* Creates the executable graph of an entry. If the capture fails, e->exec stays NULL. */
static cudaError_t fill(struct lab09 *lab, struct entry *e, cudaGraphExec_t spare)
{
    cudaGraph_t graph = NULL;

    TRY(capture(lab, e, &graph));
    if (!graph)
        return spare ? cudaGraphExecDestroy(spare) : cudaSuccess;
    TRY(update_or_instantiate(&e->exec, graph, spare));
    return cudaGraphDestroy(graph);
}

/* ---- the cache ------------------------------------------------------------------------------- */

/* The entry of this shape, or NULL. */
static struct entry *find(struct lab09 *lab, struct lab09_shape shape)
{
    /* YOUR STEP 5: find an entry that is in use (`used` is not 0) and has this shape. A free entry
       keeps the shape of its last use. Which members belong to the key? */
    (void)lab;
    (void)shape;
    return NULL;
}

static struct entry *free_entry(struct lab09_state *state, int n_entries)
{
    for (int i = 0; i < n_entries; i++)
        if (!state->entries[i].used)
            return &state->entries[i];
    return NULL;
}

/* The entry to evict first. At least one is in use. */
static struct entry *victim(struct lab09 *lab)
{
    struct entry *first = NULL;

    for (int i = 0; i < lab->max_execs; i++) {
        struct entry *e = &lab->state->entries[i];
        /* YOUR STEP 6: find the least recently used entry. These lines find any entry in use: */
        if (e->used)
            first = e;
    }
    return first;
}

/* Evicts an entry and frees its workspace. Returns its executable graph in *exec, for an update. */
static cudaError_t evict(struct lab09 *lab, struct entry *e, cudaGraphExec_t *exec)
{
    /* YOUR STEP 8: the next allocation may get this memory. Which work must be complete before? */
    lab->release(e->workspace);
    lab->state->floats -= 2 * e->shape.n;
    *exec = e->exec;
    e->exec = NULL;
    e->used = 0;
    return cudaSuccess;
}

/* Evicts entries until the shape fits into the budget. Returns in *spare an evicted executable
   graph that has as many nodes as a graph of this shape, or NULL. */
static cudaError_t make_room(struct lab09 *lab, struct lab09_shape shape, cudaGraphExec_t *spare)
{
    struct lab09_state *state = lab->state;

    *spare = NULL;
    while (!free_entry(state, lab->max_execs) || state->floats + 2 * shape.n > lab->max_floats) {
        cudaGraphExec_t exec;
        struct entry *e = victim(lab);
        TRY(evict(lab, e, &exec));
        if (exec && !*spare && e->shape.n_steps == shape.n_steps)
            *spare = exec;
        else if (exec)
            TRY(cudaGraphExecDestroy(exec));
    }
    return cudaSuccess;
}

/* Returns the entry of a shape: an existing one, or a new one. (*entry)->exec is NULL if the
   capture failed. */
static cudaError_t entry_for(struct lab09 *lab, struct lab09_shape shape, struct entry **entry)
{
    struct lab09_state *state = lab->state;
    struct entry *e = find(lab, shape);
    cudaGraphExec_t spare = NULL;

    if (!e) {
        TRY(make_room(lab, shape, &spare));
        e = free_entry(state, lab->max_execs);
        e->shape = shape;
        e->workspace = lab->allocate(2 * shape.n);
        if (!e->workspace)
            return cudaErrorMemoryAllocation;
        state->floats += 2 * shape.n;
    }
    e->used = ++state->now;
    *entry = e;
    return e->exec ? cudaSuccess : fill(lab, e, spare);
}

/* ---- the service ----------------------------------------------------------------------------- */

cudaError_t lab09_setup(struct lab09 *lab)
{
    struct lab09_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    state->entries = calloc((size_t)lab->max_execs, sizeof *state->entries);
    if (!state->entries)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < lab->max_execs; i++)
        TRY(cudaEventCreateWithFlags(&state->entries[i].done, cudaEventDisableTiming));
    return cudaStreamCreateWithFlags(&state->capture, cudaStreamNonBlocking);
}

cudaError_t lab09_warm(struct lab09 *lab, const struct lab09_shape *shapes, int n_shapes)
{
    struct entry *e;

    for (int i = 0; i < n_shapes; i++) {
        TRY(entry_for(lab, shapes[i], &e));
        /* YOUR STEP 9: upload e->exec, so that the first request need not. Which work must be
           complete when this function returns? */
    }
    return cudaSuccess;
}

cudaError_t lab09_serve(struct lab09 *lab, const struct lab09_request *request)
{
    const struct lab09_shape shape = request->shape;
    cudaStream_t stream = request->stream;
    struct entry *e;

    TRY(entry_for(lab, shape, &e));
    const size_t bytes = (size_t)shape.n * sizeof(float);
    const float *result = shape.n_steps % 2 ? e->workspace + shape.n : e->workspace;
    /*
     * YOUR STEP 3: copy request->in to e->workspace, launch e->exec, copy the result to
     * request->out.
     *
     * YOUR STEP 8: a request in another stream may still use the workspace. Let this stream wait
     * for e->done first, and record e->done last.
     *
     * YOUR STEP 10: e->exec is NULL if the capture failed. Then call lab->enqueue in this stream
     * instead of launching.
     */
    (void)stream;
    (void)bytes;
    (void)result;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab09_wait(struct lab09 *lab, cudaStream_t stream)
{
    (void)lab;
    /* YOUR STEP 4: wait for this stream only. */
    (void)stream;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab09_teardown(struct lab09 *lab)
{
    struct lab09_state *state = lab->state;

    for (int i = 0; i < lab->max_execs; i++) {
        struct entry *e = &state->entries[i];
        if (e->exec)
            TRY(cudaGraphExecDestroy(e->exec));
        if (e->used)
            lab->release(e->workspace);
        TRY(cudaEventDestroy(e->done));
    }
    TRY(cudaStreamDestroy(state->capture));
    free(state->entries);
    free(state);
    return cudaSuccess;
}

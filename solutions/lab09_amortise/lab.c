/*
 * Lab 09: a cache of executable graphs for a service that runs for hours. See lab.h and README.md.
 */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "lab.h"

struct entry {
    struct lab09_shape shape;
    float *workspace;     /* 2 n floats */
    cudaGraphExec_t exec; /* NULL: it could not be captured yet */
    cudaEvent_t done;     /* recorded after the last request that used the workspace */
    long used;            /* when, in requests; 0: this entry is free */
};

struct lab09_state {
    cudaStream_t capture;  /* serves to capture and to upload */
    struct entry *entries; /* max_execs of them */
    int floats;            /* of all workspaces together */
    long now;              /* requests so far */
};

/* ---- does a graph pay? ----------------------------------------------------------------------- */

int lab09_break_even(const struct lab09_times *times)
{
#ifdef SOLUTION
    double gain_us = times->stream_us - times->graph_us;
    if (gain_us <= 0)
        return 0;
    return (int)fmax(1, ceil(times->once_us / gain_us));
#else
    /* YOUR STEP 1: the smallest k >= 1 for which k graph launches and all that comes before them
       take no longer than k requests with stream launches. (fmax and ceil are in math.h.) */
    (void)times;
    return -1;
#endif
}

/* ---- making an executable graph -------------------------------------------------------------- */

/* The graph of an entry. NULL if it cannot be captured now; that is no error. */
static cudaError_t capture(struct lab09 *lab, const struct entry *e, cudaGraph_t *graph)
{
#ifdef SOLUTION
    cudaStream_t stream = lab->state->capture;
    cudaError_t enqueued, ended;

    TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    enqueued = lab->enqueue(e->workspace, e->shape, stream);
    ended = cudaStreamEndCapture(stream, graph); /* after a failure, too */
    if (enqueued == cudaSuccess && ended == cudaSuccess)
        return cudaSuccess;
    if (ended == cudaSuccess)
        TRY(cudaGraphDestroy(*graph));
    *graph = NULL;
    cudaGetLastError(); /* the request is served in another way: nobody shall find this error */
    return cudaSuccess;
#else
    /*
     * YOUR STEP 2: capture what lab->enqueue enqueues, in the stream lab->state->capture. Which
     * mode lets other threads go on, and still refuses what this thread must not do?
     *
     * YOUR STEP 10: lab->enqueue or cudaStreamEndCapture fails. End the capture all the same, set
     * *graph to NULL, leave no error for cudaGetLastError, and return cudaSuccess.
     */
    (void)lab;
    (void)e;
    (void)graph;
    return cudaErrorNotYetImplemented;
#endif
}

/* Makes *spare the executable graph of `graph` if it is one of as many nodes; else instantiates. */
static cudaError_t make_exec(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphExec_t spare)
{
#ifdef SOLUTION
    if (spare && cudaGraphExecUpdate(spare, graph, NULL) == cudaSuccess) {
        *exec = spare;
        return cudaSuccess;
    }
    if (spare) {
        cudaGetLastError();
        TRY(cudaGraphExecDestroy(spare));
    }
    return cudaGraphInstantiate(exec, graph, 0);
#else
    /* YOUR STEP 7: cudaGraphExecUpdate(spare, …) costs less than an instantiation. It can fail
       (lab 06): then destroy spare and instantiate. This is correct, but does not use it: */
    if (spare)
        TRY(cudaGraphExecDestroy(spare));
    return cudaGraphInstantiate(exec, graph, 0);
#endif
}

/* Makes the executable graph of an entry, if it can be captured. */
static cudaError_t fill(struct lab09 *lab, struct entry *e, cudaGraphExec_t spare)
{
    cudaGraph_t graph = NULL;

    TRY(capture(lab, e, &graph));
    if (!graph)
        return spare ? cudaGraphExecDestroy(spare) : cudaSuccess;
    TRY(make_exec(&e->exec, graph, spare));
    return cudaGraphDestroy(graph);
}

/* ---- the cache ------------------------------------------------------------------------------- */

/* The entry of this shape, or NULL. */
static struct entry *find(struct lab09 *lab, struct lab09_shape shape)
{
#ifdef SOLUTION
    for (int i = 0; i < lab->max_execs; i++) {
        struct entry *e = &lab->state->entries[i];
        if (e->used && e->shape.n == shape.n && e->shape.n_steps == shape.n_steps)
            return e;
    }
    return NULL;
#else
    /* YOUR STEP 5: look for an entry that is in use and has this shape. What belongs to the key,
       and what does not? */
    (void)lab;
    (void)shape;
    return NULL;
#endif
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
#ifdef SOLUTION
        if (e->used && (!first || e->used < first->used))
            first = e;
#else
        /* YOUR STEP 6: the least recently used entry, in place of any. */
        if (e->used)
            first = e;
#endif
    }
    return first;
}

/* Empties an entry. Its executable graph is *exec from then on: it may be of use. */
static cudaError_t evict(struct lab09 *lab, struct entry *e, cudaGraphExec_t *exec)
{
#ifdef SOLUTION
    TRY(cudaEventSynchronize(e->done)); /* the workspace may still be in use */
#else
    /* YOUR STEP 8: the next allocation may get this workspace. When may that be? */
#endif
    lab->release(e->workspace);
    lab->state->floats -= 2 * e->shape.n;
    *exec = e->exec;
    e->exec = NULL;
    e->used = 0;
    return cudaSuccess;
}

/* Evicts until there is room for the shape. *spare: an evicted executable graph that has as many
   nodes as one of this shape, or NULL. */
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

/* The entry of a shape: found, or made. */
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
#ifdef SOLUTION
        if (e->exec)
            TRY(cudaGraphUpload(e->exec, lab->state->capture));
    }
    return cudaStreamSynchronize(lab->state->capture);
#else
        /* YOUR STEP 9: upload it now, so that the first request need not. When may you return? */
    }
    return cudaSuccess;
#endif
}

cudaError_t lab09_serve(struct lab09 *lab, const struct lab09_request *request)
{
    const struct lab09_shape shape = request->shape;
    cudaStream_t stream = request->stream;
    struct entry *e;

    TRY(entry_for(lab, shape, &e));
    const size_t bytes = (size_t)shape.n * sizeof(float);
    const float *result = shape.n_steps % 2 ? e->workspace + shape.n : e->workspace;
#ifdef SOLUTION
    TRY(cudaStreamWaitEvent(stream, e->done, 0)); /* one request at a time uses the workspace */
    TRY(cudaMemcpyAsync(e->workspace, request->in, bytes, cudaMemcpyHostToDevice, stream));
    if (e->exec)
        TRY(cudaGraphLaunch(e->exec, stream));
    else
        TRY(lab->enqueue(e->workspace, shape, stream));
    TRY(cudaMemcpyAsync(request->out, result, bytes, cudaMemcpyDeviceToHost, stream));
    return cudaEventRecord(e->done, stream);
#else
    /*
     * YOUR STEP 3: copy request->in to e->workspace, launch e->exec, copy the result to
     * request->out.
     *
     * YOUR STEP 8: a request in another stream may still use the workspace. Let this stream wait
     * for e->done first, and record e->done last.
     *
     * YOUR STEP 10: if e->exec is NULL, enqueue the work in the stream instead.
     */
    (void)stream;
    (void)bytes;
    (void)result;
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab09_wait(struct lab09 *lab, cudaStream_t stream)
{
    (void)lab;
#ifdef SOLUTION
    return cudaStreamSynchronize(stream);
#else
    /* YOUR STEP 4: wait for this stream, and for nothing else. */
    (void)stream;
    return cudaErrorNotYetImplemented;
#endif
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

/*
 * Lab 10, host code: builds the graph, and launches it once per call. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

struct lab10_state {
    int count; /* n x n */
    cudaStream_t stream;
    float *b;         /* device memory, like all pointers below */
    float *single[2]; /* x in float, before and after a sweep, alternating */
    double *wide[2];  /* the same in double; the result is in wide[0] */
    struct lab10_control *control;
    cudaGraphExec_t exec;
};

/* The handles of one precision's conditional nodes. A handle belongs to one node. */
struct handles {
    cudaGraphConditionalHandle loop, check;
};

static cudaError_t allocate(struct lab10 *lab)
{
    struct lab10_state *state = lab->state;
    TRY(cudaMalloc((void **)&state->b, state->count * sizeof(float)));
    for (int i = 0; i < 2; i++) {
        TRY(cudaMalloc((void **)&state->single[i], state->count * sizeof(float)));
        TRY(cudaMalloc((void **)&state->wide[i], state->count * sizeof(double)));
    }
    return cudaMalloc((void **)&state->control, sizeof *state->control);
}

/* ---- pieces of the graph --------------------------------------------------------------------- */

/* Operations enqueued from now on become nodes of the graph, which may be a body. */
static cudaError_t begin(struct lab10_state *state, cudaGraph_t graph)
{
    return cudaStreamBeginCaptureToGraph(state->stream, graph, NULL, NULL, 0,
                                         cudaStreamCaptureModeThreadLocal);
}

static cudaError_t end(struct lab10_state *state)
{
    cudaGraph_t graph; /* the argument of begin */
    return cudaStreamEndCapture(state->stream, &graph);
}

/*
 * Adds a conditional node to the graph that the stream captures. The node depends on the last
 * captured work, and the next captured work depends on the node. Returns its `n_bodies` bodies,
 * which are empty graphs.
 */
static cudaError_t add_conditional(struct lab10_state *state, cudaGraphConditionalHandle handle,
                                   enum cudaGraphConditionalNodeType type, unsigned n_bodies,
                                   cudaGraph_t *bodies)
{
#ifdef SOLUTION
    enum cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    const cudaGraphNode_t *frontier;
    size_t n_frontier;
    cudaGraphNode_t node;
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeConditional};

    TRY(cudaStreamGetCaptureInfo(state->stream, &status, NULL, &graph, &frontier, NULL,
                                 &n_frontier));
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = n_bodies;
    TRY(cudaGraphAddNode(&node, graph, frontier, NULL, n_frontier, &params));
    for (unsigned i = 0; i < n_bodies; i++)
        bodies[i] = params.conditional.phGraph_out[i];
    return cudaStreamUpdateCaptureDependencies(state->stream, &node, NULL, 1,
                                               cudaStreamSetCaptureDependencies);
#else
    /*
     * YOUR STEP 4: cudaStreamGetCaptureInfo returns the graph being captured and the nodes that
     * its next node would depend on. Add the node (cudaGraphAddNode). Copy its n_bodies bodies from
     * params.conditional.phGraph_out to `bodies`. Make the node the dependency of the next captured
     * work (cudaStreamUpdateCaptureDependencies).
     */
    (void)state;
    (void)handle;
    (void)type;
    (void)n_bodies;
    (void)bodies;
    return cudaErrorNotYetImplemented;
#endif
}

/* x = 0, in the buffer in which each iteration begins and ends. */
static cudaError_t enqueue_clear(struct lab10_state *state, enum lab10_precision precision)
{
    if (precision == LAB10_FLOAT)
        return cudaMemsetAsync(state->single[0], 0, state->count * sizeof(float), state->stream);
    return cudaMemsetAsync(state->wide[0], 0, state->count * sizeof(double), state->stream);
}

/* Sweep number k of an iteration: from one buffer to the other. */
static cudaError_t enqueue_sweep(struct lab10 *lab, enum lab10_precision precision, int k)
{
    struct lab10_state *state = lab->state;
    const int from = k % 2, to = 1 - from;

    if (precision == LAB10_FLOAT)
        return launch_jacobi(state->single[to], state->single[from], state->b, lab->shift, lab->n,
                             state->stream);
    return launch_jacobi_double(state->wide[to], state->wide[from], state->b, lab->shift, lab->n,
                                state->stream);
}

/* *largest, 0 before, becomes the largest change that the last sweep made to `count` elements of x,
   from number `first` on. */
static cudaError_t enqueue_change(struct lab10_state *state, enum lab10_precision precision,
                                  float *largest, int first, int count)
{
    if (precision == LAB10_FLOAT)
        return launch_change(largest, state->single[0] + first, state->single[1] + first, count,
                             state->stream);
    return launch_change_double(largest, state->wide[0] + first, state->wide[1] + first, count,
                                state->stream);
}

static cudaError_t enqueue_probe(struct lab10 *lab, enum lab10_precision precision)
{
    return enqueue_change(lab->state, precision, &lab->state->control->probe, lab->n / 2 * lab->n,
                          lab->n);
}

static cudaError_t enqueue_check(struct lab10 *lab, enum lab10_precision precision)
{
    float *change = &lab->state->control->change;
    TRY(cudaMemsetAsync(change, 0, sizeof *change, lab->state->stream));
    return enqueue_change(lab->state, precision, change, 0, lab->state->count);
}

/* ---- the graph: the functions that fill a body, the innermost body first --------------------- */

/* The body of the IF. */
static cudaError_t fill_check(struct lab10 *lab, enum lab10_precision precision,
                              const struct handles *handles, cudaGraph_t body)
{
    struct lab10_state *state = lab->state;

    TRY(begin(state, body));
#ifdef SOLUTION
    TRY(enqueue_check(lab, precision));
    TRY(lab10_launch_decide(state->control, lab->tolerance, handles->loop, state->stream));
#else
    /* YOUR STEP 5: which operations does the body of the IF have? */
    (void)enqueue_check;
    (void)precision;
    (void)handles;
    TRY(cudaErrorNotYetImplemented);
#endif
    return end(state);
}

/* The body of the WHILE. */
static cudaError_t fill_iteration(struct lab10 *lab, enum lab10_precision precision,
                                  const struct handles *handles, cudaGraph_t body)
{
    struct lab10_state *state = lab->state;
    cudaGraph_t check = NULL;

    TRY(begin(state, body));
#ifdef SOLUTION
    for (int k = 0; k < lab->sweeps; k++)
        TRY(enqueue_sweep(lab, precision, k));
    TRY(enqueue_probe(lab, precision));
    TRY(lab10_launch_step(state->control, lab->tolerance, lab->max_iterations, handles->check,
                          handles->loop, state->stream));
    TRY(add_conditional(state, handles->check, cudaGraphCondTypeIf, 1, &check));
#else
    /* YOUR STEP 6: which operations does the body of the WHILE have? Its last node is the IF. */
    (void)enqueue_sweep;
    (void)enqueue_probe;
    TRY(cudaErrorNotYetImplemented);
#endif
    TRY(end(state));
    return fill_check(lab, precision, handles, check);
}

/* The body of the SWITCH for one precision. */
static cudaError_t fill_variant(struct lab10 *lab, enum lab10_precision precision, cudaGraph_t body)
{
    struct lab10_state *state = lab->state;
    struct handles handles = {0};
    cudaGraph_t iteration = NULL;

#ifdef SOLUTION
    TRY(cudaGraphConditionalHandleCreate(&handles.loop, lab->graph, 1, cudaGraphCondAssignDefault));
    TRY(cudaGraphConditionalHandleCreate(&handles.check, lab->graph, 0,
                                         cudaGraphCondAssignDefault));
#else
    /* YOUR STEP 7: two handles of lab->graph. Which value must the loop have when a launch begins?
     */
    TRY(cudaErrorNotYetImplemented);
#endif
    TRY(begin(state, body));
    TRY(enqueue_clear(state, precision));
    TRY(add_conditional(state, handles.loop, cudaGraphCondTypeWhile, 1, &iteration));
    if (precision == LAB10_FLOAT)
        TRY(launch_widen(state->wide[0], state->single[0], state->count, state->stream));
    TRY(end(state));
    return fill_iteration(lab, precision, &handles, iteration);
}

static cudaError_t create_graph(struct lab10 *lab)
{
    struct lab10_state *state = lab->state;
    cudaGraphConditionalHandle variant = 0;
    cudaGraph_t bodies[2] = {NULL, NULL};

    TRY(cudaGraphCreate(&lab->graph, 0));
#ifdef SOLUTION
    TRY(cudaGraphConditionalHandleCreate(&variant, lab->graph, 0, 0)); /* plan sets it */
#else
    /* YOUR STEP 8: the handle of the SWITCH. Does it need a default? */
    TRY(cudaErrorNotYetImplemented);
#endif
    TRY(begin(state, lab->graph));
    TRY(cudaMemsetAsync(state->control, 0, sizeof *state->control, state->stream));
    TRY(cudaMemcpyAsync(state->b, lab->b, state->count * sizeof(float), cudaMemcpyHostToDevice,
                        state->stream));
    TRY(launch_largest(&state->control->largest, state->b, state->count, state->stream));
    TRY(lab10_launch_plan(state->control, lab->tolerance, variant, state->stream));
    TRY(add_conditional(state, variant, cudaGraphCondTypeSwitch, 2, bodies));
    TRY(cudaMemcpyAsync(lab->x, state->wide[0], state->count * sizeof(double),
                        cudaMemcpyDeviceToHost, state->stream));
    TRY(cudaMemcpyAsync(lab->report, state->control, sizeof *lab->report, cudaMemcpyDeviceToHost,
                        state->stream));
    TRY(end(state));
    TRY(fill_variant(lab, LAB10_FLOAT, bodies[LAB10_FLOAT]));
    return fill_variant(lab, LAB10_DOUBLE, bodies[LAB10_DOUBLE]);
}

/* ---- the contract ---------------------------------------------------------------------------- */

cudaError_t lab10_setup(struct lab10 *lab)
{
    struct lab10_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    state->count = lab->n * lab->n;
    TRY(allocate(lab));
    TRY(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    TRY(create_graph(lab));
    return cudaGraphInstantiate(&state->exec, lab->graph, 0);
}

cudaError_t lab10_solve(struct lab10 *lab)
{
#ifdef SOLUTION
    TRY(cudaGraphLaunch(lab->state->exec, lab->state->stream));
    return cudaStreamSynchronize(lab->state->stream);
#else
    /* YOUR STEP 9: launch the graph once, and wait. */
    (void)lab;
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab10_teardown(struct lab10 *lab)
{
    struct lab10_state *state = lab->state;

    TRY(cudaGraphExecDestroy(state->exec));
    TRY(cudaGraphDestroy(lab->graph));
    TRY(cudaStreamDestroy(state->stream));
    TRY(cudaFree(state->control));
    for (int i = 0; i < 2; i++) {
        TRY(cudaFree(state->wide[i]));
        TRY(cudaFree(state->single[i]));
    }
    TRY(cudaFree(state->b));
    free(state);
    return cudaSuccess;
}

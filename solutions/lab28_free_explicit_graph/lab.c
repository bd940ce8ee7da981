/*
 * Lab 28: a graph from a list of operations. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

#ifdef SOLUTION
/*
 * An operation comes after
 *
 *     the last writer of its input             it reads that value
 *     the last writer of its output            the later value must remain
 *     all readers of its output since then     they need the value that it overwrites
 *
 * Two operations that only read the same buffer need no order.
 */
struct buffer {
    cudaGraphNode_t writer;   /* the last one; NULL: none yet */
    cudaGraphNode_t *readers; /* since then; room for all operations */
    int n_readers;
};

struct lab28_state {
    struct buffer *buffers;
    cudaGraphNode_t *dependencies; /* of the next node; room for all operations and two more */
};

static cudaError_t add_kernel(struct lab28 *lab, const struct lab28_op *op,
                              const cudaGraphNode_t *dependencies, size_t n_dependencies,
                              cudaGraphNode_t *node)
{
    float *out = lab->buffers[op->out];
    const float *in = lab->buffers[op->in];
    int steps = op->steps, n = lab->n;
    void *produce_args[] = {&out, &in, &steps, &n}, *consume_args[] = {&out, &in, &n};
    const int is_produce = op->kind == LAB28_PRODUCE;
    const unsigned threads = 256;
    struct cudaKernelNodeParams params = {
        .func = (void *)(is_produce ? kernel_produce() : kernel_consume()),
        .gridDim = {((unsigned)lab->n + threads - 1) / threads, 1, 1},
        .blockDim = {threads, 1, 1},
        .kernelParams = is_produce ? produce_args : consume_args};
    return cudaGraphAddKernelNode(node, lab->graph, dependencies, n_dependencies, &params);
}

/* A node may be the last writer of both buffers, or a reader and a writer: it is named once. */
static size_t add_dependency(cudaGraphNode_t *dependencies, size_t n, cudaGraphNode_t node)
{
    for (size_t i = 0; i < n; i++)
        if (dependencies[i] == node)
            return n;
    dependencies[n] = node;
    return n + 1;
}

static cudaError_t add_op(struct lab28 *lab, const struct lab28_op *op)
{
    struct lab28_state *state = lab->state;
    struct buffer *in = &state->buffers[op->in], *out = &state->buffers[op->out];
    cudaGraphNode_t node;
    size_t n = 0;
    if (in->writer)
        n = add_dependency(state->dependencies, n, in->writer);
    if (out->writer)
        n = add_dependency(state->dependencies, n, out->writer);
    for (int i = 0; i < out->n_readers; i++)
        n = add_dependency(state->dependencies, n, out->readers[i]);
    TRY(add_kernel(lab, op, state->dependencies, n, &node));
    in->readers[in->n_readers++] = node;
    out->writer = node;
    out->n_readers = 0;
    return cudaSuccess;
}

cudaError_t lab28_setup(struct lab28 *lab)
{
    struct lab28_state *state = lab->state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    state->buffers = calloc(lab->n_buffers, sizeof *state->buffers);
    state->dependencies = calloc(lab->n_ops + 2, sizeof(cudaGraphNode_t));
    if (!state->buffers || !state->dependencies)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < lab->n_buffers; i++) {
        state->buffers[i].readers = calloc(lab->n_ops, sizeof(cudaGraphNode_t));
        if (!state->buffers[i].readers)
            return cudaErrorMemoryAllocation;
    }
    TRY(cudaGraphCreate(&lab->graph, 0));
    for (int i = 0; i < lab->n_ops; i++)
        TRY(add_op(lab, &lab->ops[i]));
    return cudaSuccess;
}

cudaError_t lab28_teardown(struct lab28 *lab)
{
    struct lab28_state *state = lab->state;
    TRY(cudaGraphDestroy(lab->graph));
    for (int i = 0; i < lab->n_buffers; i++)
        free(state->buffers[i].readers);
    free(state->dependencies);
    free(state->buffers);
    free(state);
    return cudaSuccess;
}
#else
/*
 * The program of this file is right, and slow: its graph is a chain in program order. Change it, or
 * replace it.
 */
cudaError_t lab28_setup(struct lab28 *lab)
{
    cudaStream_t stream;
    TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < lab->n_ops; i++) {
        const struct lab28_op *op = &lab->ops[i];
        float *out = lab->buffers[op->out];
        const float *in = lab->buffers[op->in];
        if (op->kind == LAB28_PRODUCE)
            TRY(launch_produce(out, in, op->steps, lab->n, stream));
        else
            TRY(launch_consume(out, in, lab->n, stream));
    }
    TRY(cudaStreamEndCapture(stream, &lab->graph));
    return cudaStreamDestroy(stream);
}

cudaError_t lab28_teardown(struct lab28 *lab)
{
    return cudaGraphDestroy(lab->graph);
}
#endif

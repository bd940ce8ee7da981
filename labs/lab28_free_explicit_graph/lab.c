/*
 * Lab 28: a graph from a list of operations. See lab.h and README.md.
 */
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

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

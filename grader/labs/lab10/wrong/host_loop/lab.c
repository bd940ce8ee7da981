/*
 * Wrong: the host chooses the precision, launches every round as a graph, and looks at its probe.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

struct lab10_state {
    int count;
    cudaStream_t stream;
    float *b, *single[2], *change;
    double *wide[2];
    float *seen;              /* pinned */
    cudaGraphExec_t round[2]; /* of each precision */
};

/* The largest change of `count` x from number `first` on is brought to the host. */
static cudaError_t queue_look(struct lab10_state *s, int precision, int first, int count)
{
    TRY(cudaMemsetAsync(s->change, 0, sizeof *s->change, s->stream));
    if (precision == LAB10_FLOAT)
        TRY(launch_change(s->change, s->single[0] + first, s->single[1] + first, count, s->stream));
    else
        TRY(launch_change_double(s->change, s->wide[0] + first, s->wide[1] + first, count,
                                 s->stream));
    return cudaMemcpyAsync(s->seen, s->change, sizeof *s->seen, cudaMemcpyDeviceToHost, s->stream);
}

static cudaError_t queue_round(struct lab10 *lab, int precision)
{
    struct lab10_state *s = lab->state;
    for (int k = 0; k < lab->sweeps; k++) {
        const int from = k % 2, to = 1 - from;
        if (precision == LAB10_FLOAT)
            TRY(launch_jacobi(s->single[to], s->single[from], s->b, lab->shift, lab->n, s->stream));
        else
            TRY(launch_jacobi_double(s->wide[to], s->wide[from], s->b, lab->shift, lab->n,
                                     s->stream));
    }
    return queue_look(s, precision, lab->n / 2 * lab->n, lab->n);
}

cudaError_t lab10_setup(struct lab10 *lab)
{
    struct lab10_state *s = calloc(1, sizeof *s);
    if (!s)
        return cudaErrorMemoryAllocation;
    lab->state = s;
    s->count = lab->n * lab->n;
    TRY(cudaMalloc((void **)&s->b, s->count * sizeof(float)));
    TRY(cudaMalloc((void **)&s->change, sizeof *s->change));
    TRY(cudaMallocHost((void **)&s->seen, sizeof *s->seen));
    for (int i = 0; i < 2; i++) {
        TRY(cudaMalloc((void **)&s->single[i], s->count * sizeof(float)));
        TRY(cudaMalloc((void **)&s->wide[i], s->count * sizeof(double)));
    }
    TRY(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking));
    for (int precision = 0; precision < 2; precision++) {
        if (lab->graph)
            TRY(cudaGraphDestroy(lab->graph));
        TRY(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal));
        TRY(queue_round(lab, precision));
        TRY(cudaStreamEndCapture(s->stream, &lab->graph));
        TRY(cudaGraphInstantiate(&s->round[precision], lab->graph, 0));
    }
    return cudaSuccess;
}

static int choose_precision(const struct lab10 *lab)
{
    float largest = 0;
    for (int i = 0; i < lab->state->count; i++)
        largest = fmaxf(largest, fabsf(lab->b[i]));
    return lab->tolerance < LAB10_FLOAT_LIMIT * largest ? LAB10_DOUBLE : LAB10_FLOAT;
}

static cudaError_t iterate(struct lab10 *lab)
{
    struct lab10_state *s = lab->state;
    struct lab10_control *report = lab->report;
    for (bool done = false; !done;) {
        TRY(cudaGraphLaunch(s->round[report->precision], s->stream));
        TRY(cudaStreamSynchronize(s->stream));
        done = ++report->rounds == lab->max_rounds;
        if (*s->seen > lab->tolerance)
            continue;
        TRY(queue_look(s, report->precision, 0, s->count));
        TRY(cudaStreamSynchronize(s->stream));
        report->checks++;
        report->change = *s->seen;
        done = done || report->change <= lab->tolerance;
    }
    return cudaSuccess;
}

cudaError_t lab10_solve(struct lab10 *lab)
{
    struct lab10_state *s = lab->state;
    memset(lab->report, 0, sizeof *lab->report);
    lab->report->precision = choose_precision(lab);
    TRY(cudaMemcpyAsync(s->b, lab->b, s->count * sizeof(float), cudaMemcpyHostToDevice, s->stream));
    TRY(cudaMemsetAsync(s->single[0], 0, s->count * sizeof(float), s->stream));
    TRY(cudaMemsetAsync(s->wide[0], 0, s->count * sizeof(double), s->stream));
    TRY(iterate(lab));
    if (lab->report->precision == LAB10_FLOAT)
        TRY(launch_widen(s->wide[0], s->single[0], s->count, s->stream));
    TRY(cudaMemcpyAsync(lab->x, s->wide[0], s->count * sizeof(double), cudaMemcpyDeviceToHost,
                        s->stream));
    return cudaStreamSynchronize(s->stream);
}

cudaError_t lab10_teardown(struct lab10 *lab)
{
    struct lab10_state *s = lab->state;
    TRY(cudaGraphDestroy(lab->graph));
    for (int i = 0; i < 2; i++) {
        TRY(cudaGraphExecDestroy(s->round[i]));
        TRY(cudaFree(s->single[i]));
        TRY(cudaFree(s->wide[i]));
    }
    TRY(cudaStreamDestroy(s->stream));
    TRY(cudaFreeHost(s->seen));
    TRY(cudaFree(s->change));
    TRY(cudaFree(s->b));
    free(s);
    return cudaSuccess;
}

/* decoders.h: for the adapters of labs 11 and 13. */
#pragma once

#include "common/check.h"
#include "kernels/decode.h"
#include "kernels/kernels.h"
#include "subject/bench.h"

/* Scratch memory is divided among x, q, … in this order. */
static inline bool is_scratch_small(const struct decode_step *step)
{
    const struct decode_scratch *s = &step->scratch;
    return s->q > s->x && s->q - s->x < (ptrdiff_t)step->n_rows * decode_width(&step->model);
}

struct reading {
    unsigned *sum;
    const struct decode_model *model;
    cudaStream_t stream;
};

static inline cudaError_t read_weights(void *reading)
{
    const struct reading *r = reading;
    TRY(launch_read(r->sum, (const unsigned *)r->model->weights, decode_weights(r->model) / 2,
                    r->stream));
    return cudaStreamSynchronize(r->stream);
}

/* How long it takes to read all weights: no step is shorter. */
static inline cudaError_t time_reading(const struct decode_model *model, double *us)
{
    struct reading r = {.model = model};
    TRY(cudaStreamCreateWithFlags(&r.stream, cudaStreamNonBlocking));
    TRY(cudaMalloc((void **)&r.sum, sizeof *r.sum));
    TRY(cudaMemset(r.sum, 0, sizeof *r.sum));
    TRY(bench_time_us(read_weights, &r, us));
    TRY(cudaFree(r.sum));
    return cudaStreamDestroy(r.stream);
}

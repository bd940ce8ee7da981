/* adapter_streams.c: the pipeline with stream launches, see streams.h. */
#include "common/check.h"
#include "kernels/kernels.h"
#include "streams.h"

static size_t layer_floats(const struct streams *p)
{
    return (size_t)p->n * (size_t)p->n;
}

static int first_row(const struct streams *p, int i)
{
    return (int)((long)i * p->rows / p->n_micro);
}

static cudaError_t create_slot(const struct streams *p, struct streams_slot *slot)
{
    int most_rows = (p->rows + p->n_micro - 1) / p->n_micro;
    size_t bytes = (size_t)most_rows * (size_t)p->n * sizeof(float);
    TRY(cudaMalloc((void **)&slot->x, bytes));
    TRY(cudaMalloc((void **)&slot->y, bytes));
    TRY(cudaEventCreateWithFlags(&slot->received, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&slot->computed, cudaEventDisableTiming));
    return cudaEventCreateWithFlags(&slot->sent, cudaEventDisableTiming);
}

static cudaError_t create_stage(struct streams *p, int s)
{
    struct streams_stage *stage = &p->stages[s];
    int first = s * p->n_layers / p->n_devices, can = 0;
    stage->n_layers = (s + 1) * p->n_layers / p->n_devices - first;
    size_t bytes = (size_t)stage->n_layers * layer_floats(p) * sizeof(float);
    TRY(cudaSetDevice(s));
    if (s + 1 < p->n_devices)
        TRY(cudaDeviceCanAccessPeer(&can, s, s + 1));
    if (can)
        TRY(cudaDeviceEnablePeerAccess(s + 1, 0));
    TRY(cudaMalloc((void **)&stage->w, bytes));
    TRY(cudaMemcpy(stage->w, p->w + (size_t)first * layer_floats(p), bytes,
                   cudaMemcpyHostToDevice));
    TRY(cudaStreamCreateWithFlags(&stage->in, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&stage->compute, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&stage->out, cudaStreamNonBlocking));
    for (int i = 0; i < p->n_buffers; i++)
        TRY(create_slot(p, &stage->slots[i]));
    return cudaDeviceSynchronize(); /* the weights are pageable: their copy may still be running */
}

cudaError_t streams_create(struct streams *p)
{
    if (p->n_devices > MOST_DEVICES || p->n_buffers > MOST_SLOTS)
        return cudaErrorInvalidValue;
    for (int s = 0; s < p->n_devices; s++)
        TRY(create_stage(p, s));
    return cudaSetDevice(0);
}

static cudaError_t destroy_stage(struct streams *p, int s)
{
    struct streams_stage *stage = &p->stages[s];
    int can = 0;
    TRY(cudaSetDevice(s));
    for (int i = 0; i < p->n_buffers; i++) {
        struct streams_slot *slot = &stage->slots[i];
        TRY(cudaEventDestroy(slot->received));
        TRY(cudaEventDestroy(slot->computed));
        TRY(cudaEventDestroy(slot->sent));
        TRY(cudaFree(slot->x));
        TRY(cudaFree(slot->y));
    }
    TRY(cudaStreamDestroy(stage->in));
    TRY(cudaStreamDestroy(stage->compute));
    TRY(cudaStreamDestroy(stage->out));
    if (s + 1 < p->n_devices)
        TRY(cudaDeviceCanAccessPeer(&can, s, s + 1));
    if (can)
        TRY(cudaDeviceDisablePeerAccess(s + 1));
    return cudaFree(stage->w);
}

cudaError_t streams_destroy(struct streams *p)
{
    for (int s = 0; s < p->n_devices; s++)
        TRY(destroy_stage(p, s));
    return cudaSetDevice(0);
}

/* ---- work ------------------------------------------------------------------------------------ */

static float *result_of(const struct streams_stage *stage, const struct streams_slot *slot)
{
    return stage->n_layers % 2 == 0 ? slot->x : slot->y;
}

static cudaError_t compute(const struct streams *p, const struct streams_stage *stage, int i)
{
    const struct streams_slot *slot = &stage->slots[i % p->n_buffers];
    float *buffers[2] = {slot->x, slot->y};
    for (int k = 0; k < stage->n_layers; k++)
        TRY(launch_dense(buffers[(k + 1) % 2], buffers[k % 2],
                         stage->w + (size_t)k * layer_floats(p),
                         first_row(p, i + 1) - first_row(p, i), p->n, stage->compute));
    return cudaSuccess;
}

/* Micro-batch i: into stage s, through it, and out of it. */
static cudaError_t pass(struct streams *p, int s, int i)
{
    struct streams_stage *stage = &p->stages[s];
    int at = i % p->n_buffers;
    struct streams_slot *slot = &stage->slots[at],
                        *next = &p->stages[s + 1 < p->n_devices ? s + 1 : s].slots[at];
    size_t first = (size_t)first_row(p, i) * (size_t)p->n;
    size_t bytes =
        (size_t)first_row(p, i + 1) * (size_t)p->n * sizeof(float) - first * sizeof(float);
    TRY(cudaSetDevice(s));
    if (s == 0) {
        TRY(cudaStreamWaitEvent(stage->in, slot->sent, 0));
        TRY(cudaMemcpyAsync(slot->x, p->x + first, bytes, cudaMemcpyHostToDevice, stage->in));
        TRY(cudaEventRecord(slot->received, stage->in));
    }
    TRY(cudaStreamWaitEvent(stage->compute, s ? p->stages[s - 1].slots[at].sent : slot->received,
                            0));
    TRY(compute(p, stage, i));
    TRY(cudaEventRecord(slot->computed, stage->compute));
    TRY(cudaStreamWaitEvent(stage->out, slot->computed, 0));
    if (s + 1 == p->n_devices) {
        TRY(cudaMemcpyAsync(p->y + first, result_of(stage, slot), bytes, cudaMemcpyDeviceToHost,
                            stage->out));
    } else {
        TRY(cudaStreamWaitEvent(stage->out, next->sent, 0));
        TRY(cudaMemcpyAsync(next->x, result_of(stage, slot), bytes, cudaMemcpyDeviceToDevice,
                            stage->out));
    }
    return cudaEventRecord(slot->sent, stage->out);
}

cudaError_t streams_run(void *streams)
{
    struct streams *p = streams;
    for (int i = 0; i < p->n_micro; i++)
        for (int s = 0; s < p->n_devices; s++)
            TRY(pass(p, s, i));
    TRY(cudaSetDevice(0));
    return cudaStreamSynchronize(p->stages[p->n_devices - 1].out);
}

cudaError_t streams_first_stage(void *streams)
{
    struct streams *p = streams;
    TRY(cudaSetDevice(0));
    for (int i = 0; i < p->n_micro; i++)
        TRY(compute(p, &p->stages[0], i));
    return cudaStreamSynchronize(p->stages[0].compute);
}

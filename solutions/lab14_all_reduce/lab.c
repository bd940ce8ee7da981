/*
 * Lab 14: tensor parallelism over several GPUs, with an all-reduce, in one graph. See lab.h and
 * README.md.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "kernels.h"
#include "lab.h"

/* A layer uses one of them, the next layer the other one. */
enum { SETS = 2 };

/* All of these belong to the device. */
struct device {
    int m;              /* number of its columns of a, and of its rows of b */
    float *a, *b;       /* its weights of all layers: n x m, and m x n */
    float *h;           /* rows x m: between up and down */
    float *parts[SETS]; /* n_devices messages: number q comes from device q */
    cudaStream_t stream;
    cudaEvent_t sent; /* recorded in `stream`, after the copies to the other devices */
};

struct lab14_state {
    struct device devices[LAB14_MOST_DEVICES];
    enum lab14_algorithm algorithm;
    cudaGraphExec_t exec;
};

/* A part of something that is split over the devices. */
struct part {
    size_t first, count;
};

static struct part part_of(const struct lab14 *lab, size_t total, int d)
{
    const size_t n = (size_t)lab->n_devices, from = (size_t)d * total / n;
    return (struct part){from, (size_t)(d + 1) * total / n - from};
}

/* Floats of a message. */
static size_t message(const struct lab14 *lab)
{
    return (size_t)lab->rows * (size_t)lab->n;
}

/* Where device d has the partial sum of device q in layer k. */
static float *slot(const struct lab14 *lab, int k, int d, int q)
{
    return lab->state->devices[d].parts[k % SETS] + (size_t)q * message(lab);
}

enum lab14_algorithm lab14_choose(int n_devices, size_t bytes, double exchange_us, double gbps)
{
#ifdef SOLUTION
    const double others = n_devices - 1, message_us = (double)bytes / (gbps * 1e3),
                 one_us = exchange_us + others * message_us,
                 two_us = 2 * (exchange_us + others * message_us / n_devices);

    return n_devices > 1 && two_us < one_us ? LAB14_TWO_SHOT : LAB14_ONE_SHOT;
#else
    /* YOUR STEP 1: the time of one exchange of messages, and of two exchanges of parts. The times
       are in lab.h. */
    (void)n_devices;
    (void)bytes;
    (void)exchange_us;
    (void)gbps;
    return LAB14_CHOOSE;
#endif
}

/* ---- peer access ----------------------------------------------------------------------------- */

#ifdef SOLUTION
/* Enables or disables the access of device d to the memory of device q, if possible. */
static cudaError_t set_peer_access(int d, int q, bool on)
{
    int possible = 0;

    TRY(cudaDeviceCanAccessPeer(&possible, d, q));
    if (!possible)
        return cudaSuccess;
    TRY(cudaSetDevice(d));
    return on ? cudaDeviceEnablePeerAccess(q, 0) : cudaDeviceDisablePeerAccess(q);
}

#endif
static cudaError_t set_all_peer_access(const struct lab14 *lab, bool on)
{
#ifdef SOLUTION
    for (int d = 0; d < lab->n_devices; d++)
        for (int q = 0; q < lab->n_devices; q++)
            if (q != d)
                TRY(set_peer_access(d, q, on));
    return cudaSetDevice(0);
#else
    /* YOUR STEP 2: as in lab 12, but each device needs access to each other device. At the end make
       device 0 current. */
    (void)lab;
    (void)on;
    return cudaErrorNotYetImplemented;
#endif
}

/* ---- devices --------------------------------------------------------------------------------- */

static cudaError_t create_device(const struct lab14 *lab, int d)
{
    struct device *device = &lab->state->devices[d];
    const size_t message_bytes = message(lab) * sizeof(float);

    TRY(cudaSetDevice(d));
    for (int i = 0; i < SETS; i++)
        TRY(cudaMalloc((void **)&device->parts[i], (size_t)lab->n_devices * message_bytes));
    TRY(cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&device->sent, cudaEventDisableTiming));
#ifdef SOLUTION
    const struct part part = part_of(lab, (size_t)lab->m, d);
    const size_t n = (size_t)lab->n, m = (size_t)lab->m, layers = (size_t)lab->n_layers,
                 row = part.count * sizeof(float), weights = layers * n * row;

    device->m = (int)part.count;
    TRY(cudaMalloc((void **)&device->a, weights));
    TRY(cudaMalloc((void **)&device->b, weights));
    TRY(cudaMalloc((void **)&device->h, (size_t)lab->rows * row));
    /* columns: a piece of each row of all matrices */
    TRY(cudaMemcpy2D(device->a, row, lab->a + part.first, m * sizeof(float), row, layers * n,
                     cudaMemcpyHostToDevice));
    /* rows: one piece of each matrix */
    TRY(cudaMemcpy2D(device->b, row * n, lab->b + part.first * n, m * n * sizeof(float), row * n,
                     layers, cudaMemcpyHostToDevice));
    TRY(cudaDeviceSynchronize()); /* lab->a and b are pageable: the copies may still be running */
    return cudaSetDevice(0);
#else
    /* YOUR STEP 3: set m, the number of columns in part d of lab->m columns. Allocate a, b and h.
       Copy the weights of all layers: the columns of a (cudaMemcpy2D), the rows of b. At the end
       make device 0 current. */
    (void)part_of;
    return cudaErrorNotYetImplemented;
#endif
}

static cudaError_t destroy_device(const struct lab14 *lab, int d)
{
    struct device *device = &lab->state->devices[d];

    TRY(cudaEventDestroy(device->sent));
    TRY(cudaStreamDestroy(device->stream));
    TRY(cudaFree(device->h));
    TRY(cudaFree(device->b));
    TRY(cudaFree(device->a));
    for (int i = 0; i < SETS; i++)
        TRY(cudaFree(device->parts[i]));
    return cudaSuccess;
}

/* ---- a layer --------------------------------------------------------------------------------- */

/* The input of layer k on device d. The result of each layer is in y. */
static const float *input_of(const struct lab14 *lab, int k, int d)
{
    return k == 0 ? lab->x[d] : lab->y[d];
}

/* Enqueues the two products of layer k on device d. They leave a partial sum in its own slot. */
static cudaError_t enqueue_products(const struct lab14 *lab, int k, int d)
{
#ifdef SOLUTION
    struct device *device = &lab->state->devices[d];
    const size_t weights = (size_t)lab->n * (size_t)device->m;

    TRY(cudaSetDevice(d));
    TRY(launch_mlp_up(device->h, input_of(lab, k, d), device->a + (size_t)k * weights, lab->rows,
                      lab->n, device->m, device->stream));
    return launch_mlp_down(slot(lab, k, d, d), device->h, device->b + (size_t)k * weights,
                           lab->rows, device->m, lab->n, device->stream);
#else
    /* YOUR STEP 4: make device d current. Launch up, from input_of to h, and down, from h to
       slot(lab, k, d, d). The weights of layer k begin after those of k layers. */
    (void)lab;
    (void)k;
    (void)d;
    (void)input_of;
    (void)slot;
    return cudaErrorNotYetImplemented;
#endif
}

#ifdef SOLUTION
/* Device d copies a part of its memory to the same part of another device's memory. */
static cudaError_t enqueue_copy(const struct lab14 *lab, int d, float *to, const float *from,
                                struct part part)
{
    return cudaMemcpyAsync(to + part.first, from + part.first, part.count * sizeof(float),
                           cudaMemcpyDeviceToDevice, lab->state->devices[d].stream);
}

/* The devices other than d, i = 1, 2, ...: each device begins with another one, so no two send to
   the same device at the same time. */
static int other(const struct lab14 *lab, int d, int i)
{
    return (d + i) % lab->n_devices;
}

static cudaError_t record_sent(const struct lab14 *lab, int d)
{
    return cudaEventRecord(lab->state->devices[d].sent, lab->state->devices[d].stream);
}

/* Device d waits for what all other devices have sent. */
static cudaError_t wait_for_others(const struct lab14 *lab, int d)
{
    for (int i = 1; i < lab->n_devices; i++)
        TRY(cudaStreamWaitEvent(lab->state->devices[d].stream,
                                lab->state->devices[other(lab, d, i)].sent, 0));
    return cudaSuccess;
}

/* Device d adds all partial sums to its part of the input of layer k. */
static cudaError_t enqueue_sum(const struct lab14 *lab, int k, int d, struct part part)
{
    TRY(cudaSetDevice(d));
    return launch_sum_parts(lab->y[d] + part.first, input_of(lab, k, d) + part.first,
                            slot(lab, k, d, 0) + part.first, message(lab), lab->n_devices,
                            (int)part.count, lab->state->devices[d].stream);
}

#endif
/* All partial sums of layer k go to all devices, and each device adds all of them. */
static cudaError_t enqueue_one_shot(const struct lab14 *lab, int k)
{
#ifdef SOLUTION
    const struct part whole = {0, message(lab)};

    for (int d = 0; d < lab->n_devices; d++) {
        for (int i = 1; i < lab->n_devices; i++)
            TRY(enqueue_copy(lab, d, slot(lab, k, other(lab, d, i), d), slot(lab, k, d, d), whole));
        TRY(record_sent(lab, d));
    }
    for (int d = 0; d < lab->n_devices; d++) {
        TRY(wait_for_others(lab, d));
        TRY(enqueue_sum(lab, k, d, whole));
    }
    return cudaSuccess;
#else
    /* YOUR STEP 5: each device d copies slot(lab, k, d, d) to slot(lab, k, q, d) of each other
       device q, and records `sent`. Then each device waits for `sent` of all others, and adds all
       slots to its input with launch_sum_parts. */
    (void)lab;
    (void)k;
    return cudaErrorNotYetImplemented;
#endif
}

/* Each device adds one part of the message, and sends the result to all others. */
static cudaError_t enqueue_two_shot(const struct lab14 *lab, int k)
{
#ifdef SOLUTION
    const size_t count = message(lab);

    for (int d = 0; d < lab->n_devices; d++) { /* reduce-scatter */
        for (int i = 1; i < lab->n_devices; i++) {
            const int q = other(lab, d, i);
            TRY(enqueue_copy(lab, d, slot(lab, k, q, d), slot(lab, k, d, d),
                             part_of(lab, count, q)));
        }
        TRY(record_sent(lab, d));
    }
    for (int d = 0; d < lab->n_devices; d++) {
        TRY(wait_for_others(lab, d));
        TRY(enqueue_sum(lab, k, d, part_of(lab, count, d)));
    }
    for (int d = 0; d < lab->n_devices; d++) { /* all-gather */
        for (int i = 1; i < lab->n_devices; i++)
            TRY(enqueue_copy(lab, d, lab->y[other(lab, d, i)], lab->y[d], part_of(lab, count, d)));
        TRY(record_sent(lab, d));
    }
    for (int d = 0; d < lab->n_devices; d++)
        TRY(wait_for_others(lab, d));
    return cudaSuccess;
#else
    /* YOUR STEP 6: reduce-scatter: each device d copies part q of its partial sum to device q, for
       each other device q, and records `sent`. Each device waits for `sent` of all others, and adds
       part d. All-gather: each device copies part d of y to all others, records `sent`, and waits
       for all others. Finish each phase for all devices before you enqueue the next one. */
    (void)lab;
    (void)k;
    return cudaErrorNotYetImplemented;
#endif
}

/* ---- the step -------------------------------------------------------------------------------- */

static cudaError_t capture(struct lab14 *lab)
{
    cudaStream_t origin = lab->state->devices[0].stream;

    TRY(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
#ifdef SOLUTION
    TRY(record_sent(lab, 0)); /* the fork */
    for (int d = 1; d < lab->n_devices; d++)
        TRY(cudaStreamWaitEvent(lab->state->devices[d].stream, lab->state->devices[0].sent, 0));
    for (int k = 0; k < lab->n_layers; k++) {
        for (int d = 0; d < lab->n_devices; d++)
            TRY(enqueue_products(lab, k, d));
        TRY(lab->state->algorithm == LAB14_TWO_SHOT ? enqueue_two_shot(lab, k)
                                                    : enqueue_one_shot(lab, k));
    }
    for (int d = 1; d < lab->n_devices; d++)
        TRY(record_sent(lab, d)); /* after all its work */
    TRY(wait_for_others(lab, 0)); /* the join */
    TRY(cudaSetDevice(0));
#else
    /* YOUR STEP 7: fork the streams of all other devices from the origin, the stream of device 0.
       Enqueue all layers: the products of all devices, then the all-reduce that state->algorithm
       names. Join all streams. At the end make device 0 current. Replace these three calls, which
       only find the first step that is not written. */
    TRY(enqueue_products(lab, 0, 0));
    TRY(enqueue_two_shot(lab, 0));
    TRY(enqueue_one_shot(lab, 0));
#endif
    return cudaStreamEndCapture(origin, &lab->graph);
}

/* ---- setup, run, teardown -------------------------------------------------------------------- */

cudaError_t lab14_setup(struct lab14 *lab)
{
    struct lab14_state *state = calloc(1, sizeof *state);
    if (!state)
        return cudaErrorMemoryAllocation;
    lab->state = state;
    state->algorithm = lab->algorithm;
    if (state->algorithm == LAB14_CHOOSE)
        state->algorithm =
            lab14_choose(lab->n_devices, message(lab) * sizeof(float), lab->exchange_us, lab->gbps);
    TRY(set_all_peer_access(lab, true));
    for (int d = 0; d < lab->n_devices; d++)
        TRY(create_device(lab, d));
    TRY(capture(lab));
    return cudaGraphInstantiate(&state->exec, lab->graph, 0);
}

cudaError_t lab14_run(struct lab14 *lab)
{
#ifdef SOLUTION
    TRY(cudaGraphLaunch(lab->state->exec, lab->state->devices[0].stream));
    return cudaStreamSynchronize(lab->state->devices[0].stream);
#else
    /* YOUR STEP 8: launch the graph into the origin, and wait. */
    (void)lab;
    return cudaErrorNotYetImplemented;
#endif
}

cudaError_t lab14_teardown(struct lab14 *lab)
{
    struct lab14_state *state = lab->state;

    TRY(cudaGraphExecDestroy(state->exec));
    TRY(cudaGraphDestroy(lab->graph));
    for (int d = 0; d < lab->n_devices; d++)
        TRY(destroy_device(lab, d));
    TRY(set_all_peer_access(lab, false));
    free(state);
    return cudaSuccess;
}

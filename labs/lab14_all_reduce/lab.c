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
    /* YOUR STEP 1: the time of one exchange of messages, and of two exchanges of parts. The times
       are in lab.h. */
    (void)n_devices;
    (void)bytes;
    (void)exchange_us;
    (void)gbps;
    return LAB14_CHOOSE;
}

/* ---- peer access ----------------------------------------------------------------------------- */

static cudaError_t set_all_peer_access(const struct lab14 *lab, bool on)
{
    /* YOUR STEP 2: as in lab 12, but each device needs access to each other device. At the end make
       device 0 current. */
    (void)lab;
    (void)on;
    return cudaErrorNotYetImplemented;
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
    /* YOUR STEP 3: set m, the number of columns in part d of lab->m columns. Allocate a, b and h.
       Copy the weights of all layers: the columns of a (cudaMemcpy2D), the rows of b. At the end
       make device 0 current. */
    (void)part_of;
    return cudaErrorNotYetImplemented;
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
    /* YOUR STEP 4: make device d current. Launch up, from input_of to h, and down, from h to
       slot(lab, k, d, d). The weights of layer k begin after those of k layers. */
    (void)lab;
    (void)k;
    (void)d;
    (void)input_of;
    (void)slot;
    return cudaErrorNotYetImplemented;
}

/* All partial sums of layer k go to all devices, and each device adds all of them. */
static cudaError_t enqueue_one_shot(const struct lab14 *lab, int k)
{
    /* YOUR STEP 5: each device d copies slot(lab, k, d, d) to slot(lab, k, q, d) of each other
       device q, and records `sent`. Then each device waits for `sent` of all others, and adds all
       slots to its input with launch_sum_parts. */
    (void)lab;
    (void)k;
    return cudaErrorNotYetImplemented;
}

/* Each device adds one part of the message, and sends the result to all others. */
static cudaError_t enqueue_two_shot(const struct lab14 *lab, int k)
{
    /* YOUR STEP 6: reduce-scatter: each device d copies part q of its partial sum to device q, for
       each other device q, and records `sent`. Each device waits for `sent` of all others, and adds
       part d. All-gather: each device copies part d of y to all others, records `sent`, and waits
       for all others. Finish each phase for all devices before you enqueue the next one. */
    (void)lab;
    (void)k;
    return cudaErrorNotYetImplemented;
}

/* ---- the step -------------------------------------------------------------------------------- */

static cudaError_t capture(struct lab14 *lab)
{
    cudaStream_t origin = lab->state->devices[0].stream;

    TRY(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
    /* YOUR STEP 7: fork the streams of all other devices from the origin, the stream of device 0.
       Enqueue all layers: the products of all devices, then the all-reduce that state->algorithm
       names. Join all streams. At the end make device 0 current. Replace these three calls, which
       only find the first step that is not written. */
    TRY(enqueue_products(lab, 0, 0));
    TRY(enqueue_two_shot(lab, 0));
    TRY(enqueue_one_shot(lab, 0));
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
    /* YOUR STEP 8: launch the graph into the origin, and wait. */
    (void)lab;
    return cudaErrorNotYetImplemented;
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

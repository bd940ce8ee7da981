/* adapter_host_loop.c: what lab 07's device does by itself, done by a loop on the host. */
#include "host_work.h"

#include "common/check.h"
#include "kernels/kernels.h"

static struct by_host {
    cudaStream_t stream, streams[PACKET_TYPES];
    cudaGraphExec_t handlers[PACKET_TYPES];
    struct ring *ring;     /* pinned */
    struct packet *packet; /* pinned, one for each type */
    int *iterations_left;  /* pinned */
} by_host;

static cudaError_t by_host_create(const struct host_work *work)
{
    TRY(cudaStreamCreateWithFlags(&by_host.stream, cudaStreamNonBlocking));
    TRY(cudaMallocHost((void **)&by_host.ring, sizeof *by_host.ring));
    TRY(cudaMallocHost((void **)&by_host.packet, PACKET_TYPES * sizeof *by_host.packet));
    TRY(cudaMallocHost((void **)&by_host.iterations_left, sizeof *by_host.iterations_left));
    for (int t = 0; t < PACKET_TYPES; t++) {
        TRY(cudaStreamCreateWithFlags(&by_host.streams[t], cudaStreamNonBlocking));
        TRY(cudaGraphInstantiate(&by_host.handlers[t], work->handlers[t], 0));
        TRY(cudaGraphUpload(by_host.handlers[t], by_host.streams[t]));
    }
    return cudaDeviceSynchronize();
}

cudaError_t host_loop_destroy(void)
{
    if (!by_host.stream)
        return cudaSuccess;
    for (int t = 0; t < PACKET_TYPES; t++) {
        TRY(cudaGraphExecDestroy(by_host.handlers[t]));
        TRY(cudaStreamDestroy(by_host.streams[t]));
    }
    TRY(cudaFreeHost(by_host.iterations_left));
    TRY(cudaFreeHost(by_host.packet));
    TRY(cudaFreeHost(by_host.ring));
    TRY(cudaStreamDestroy(by_host.stream));
    by_host = (struct by_host){0};
    return cudaSuccess;
}

/* Packets from `taken` on, as many as may be handled at the same time; how many in *n. */
static cudaError_t handle_some(const struct host_work *work, unsigned taken, unsigned *n)
{
    unsigned busy = 0;
    for (*n = 0; taken + *n != by_host.ring->put; ++*n) {
        const struct packet *packet = &by_host.ring->slots[(taken + *n) % RING_SLOTS];
        const int type = packet->type;
        if ((busy & 1u << type) || (packet->in_order && busy))
            break;
        by_host.packet[type] = *packet;
        TRY(cudaMemcpyAsync(&work->arguments[type].packet, &by_host.packet[type], sizeof *packet,
                            cudaMemcpyHostToDevice, by_host.streams[type]));
        TRY(cudaGraphLaunch(by_host.handlers[type], by_host.streams[type]));
        busy |= 1u << type;
        if (packet->in_order) {
            ++*n;
            break;
        }
    }
    for (int t = 0; t < PACKET_TYPES; t++)
        if (busy & 1u << t)
            TRY(cudaStreamSynchronize(by_host.streams[t]));
    return cudaSuccess;
}

static cudaError_t by_host_packets(const struct host_work *work)
{
    unsigned taken = 0, n = 1;
    while (n) {
        TRY(cudaMemcpyAsync(by_host.ring, work->ring, sizeof *by_host.ring, cudaMemcpyDeviceToHost,
                            by_host.stream));
        TRY(cudaStreamSynchronize(by_host.stream));
        TRY(handle_some(work, taken, &n));
        taken += n;
    }
    return cudaSuccess;
}

/* The host looks after each iteration whether there is another one. */
static cudaError_t by_host_rounds(const struct host_work *work)
{
    for (int i = 0; i < work->iterations; i++) {
        TRY(launch_saxpy(work->y, work->x, work->alpha, work->n, by_host.stream));
        TRY(cudaMemcpyAsync(by_host.iterations_left, work->iterations_left, sizeof(int),
                            cudaMemcpyDeviceToHost, by_host.stream));
        TRY(cudaStreamSynchronize(by_host.stream));
    }
    return cudaSuccess;
}

cudaError_t host_loop_run(const struct host_work *work)
{
    if (!by_host.stream)
        TRY(by_host_create(work));
    return work->packets ? by_host_packets(work) : by_host_rounds(work);
}

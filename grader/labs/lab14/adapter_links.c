/* adapter_links.c: what exchanges and products take on these devices, see links.h. */
#include "links.h"

#include <stdbool.h>

#include "common/check.h"
#include "kernels/kernels.h"
#include "subject/bench.h"

/* Bytes of a message that is nearly empty, and of two whose bytes decide. */
enum { SMALL = 4096, LARGE = 8 << 20, LARGEST = 24 << 20 };

static struct {
    int n;
    cudaStream_t streams[LAB14_MOST_DEVICES];
    cudaEvent_t events[LAB14_MOST_DEVICES];
    char *from[LAB14_MOST_DEVICES], *to[LAB14_MOST_DEVICES];
    cudaGraphExec_t exec;
} links;

/* ---- a graph, and its time ------------------------------------------------------------------- */

static cudaError_t launch(void *unused)
{
    (void)unused;
    TRY(cudaGraphLaunch(links.exec, links.streams[0]));
    return cudaStreamSynchronize(links.streams[0]);
}

/* Ends the capture that began in the first stream. */
static cudaError_t time_captured(double *time_us)
{
    TRY(bench_end_capture(links.streams[0], &links.exec));
    TRY(launch(NULL));
    TRY(bench_time_us(launch, NULL, time_us));
    return cudaGraphExecDestroy(links.exec);
}

/* ---- exchanges ------------------------------------------------------------------------------- */

static cudaError_t set_access(bool on)
{
    int can = 0;
    for (int d = 0; d < links.n; d++)
        for (int q = 0; q < links.n; q++) {
            if (q == d)
                continue;
            TRY(cudaDeviceCanAccessPeer(&can, d, q));
            TRY(cudaSetDevice(d));
            if (can)
                TRY(on ? cudaDeviceEnablePeerAccess(q, 0) : cudaDeviceDisablePeerAccess(q));
        }
    return cudaSetDevice(0);
}

static cudaError_t create(void)
{
    for (int d = 0; d < links.n; d++) {
        TRY(cudaSetDevice(d));
        TRY(cudaMalloc((void **)&links.from[d], LARGEST));
        TRY(cudaMalloc((void **)&links.to[d], LARGEST));
        TRY(cudaMemset(links.from[d], 0, LARGEST));
        TRY(cudaDeviceSynchronize());
        TRY(cudaStreamCreateWithFlags(&links.streams[d], cudaStreamNonBlocking));
        TRY(cudaEventCreateWithFlags(&links.events[d], cudaEventDisableTiming));
    }
    return set_access(true);
}

static cudaError_t destroy(void)
{
    for (int d = 0; d < links.n; d++) {
        TRY(cudaEventDestroy(links.events[d]));
        TRY(cudaStreamDestroy(links.streams[d]));
        TRY(cudaFree(links.to[d]));
        TRY(cudaFree(links.from[d]));
    }
    return set_access(false);
}

static cudaError_t record_all(void)
{
    for (int d = 0; d < links.n; d++)
        TRY(cudaEventRecord(links.events[d], links.streams[d]));
    return cudaSuccess;
}

static cudaError_t wait_for_all(int d)
{
    for (int q = 0; q < links.n; q++)
        if (q != d)
            TRY(cudaStreamWaitEvent(links.streams[d], links.events[q], 0));
    return cudaSuccess;
}

/* A kernel and its copies to so many other devices, on device d. */
static cudaError_t send(int d, int receivers, size_t bytes)
{
    TRY(cudaSetDevice(d));
    TRY(launch_empty(1, links.streams[d]));
    for (int i = 1; i <= receivers; i++)
        TRY(cudaMemcpyAsync(links.to[(d + i) % links.n] + (size_t)(i - 1) * SMALL, links.from[d],
                            bytes, cudaMemcpyDeviceToDevice, links.streams[d]));
    return cudaSuccess;
}

/* `count` exchanges in sequence. */
static cudaError_t time_exchanges(int count, int receivers, size_t bytes, double *time_us)
{
    TRY(cudaStreamBeginCapture(links.streams[0], cudaStreamCaptureModeThreadLocal));
    TRY(cudaEventRecord(links.events[0], links.streams[0]));
    for (int d = 1; d < links.n; d++)
        TRY(cudaStreamWaitEvent(links.streams[d], links.events[0], 0));
    for (int i = 0; i < count; i++) {
        for (int d = 0; d < links.n; d++)
            TRY(send(d, receivers, bytes));
        TRY(record_all());
        for (int d = 0; d < links.n; d++)
            TRY(wait_for_all(d));
    }
    TRY(record_all());
    TRY(wait_for_all(0));
    TRY(cudaSetDevice(0));
    return time_captured(time_us);
}

/* One more exchange. */
static cudaError_t time_one(int receivers, size_t bytes, double *time_us)
{
    enum { MORE = 4 };
    double one_us, all_us;
    TRY(time_exchanges(1, receivers, bytes, &one_us));
    TRY(time_exchanges(1 + MORE, receivers, bytes, &all_us));
    *time_us = (all_us - one_us) / MORE;
    return cudaSuccess;
}

/* Of the rate, with one receiver for each device: the host takes so long to launch an exchange of
   all devices that bytes pass meanwhile. */
cudaError_t links_measure(int n_devices, double *exchange_us, double *gbps)
{
    double small_us, large_us, largest_us;
    links.n = n_devices;
    *exchange_us = 0;
    *gbps = 1;
    if (n_devices < 2)
        return cudaSuccess;
    TRY(create());
    TRY(time_one(n_devices - 1, SMALL, &small_us));
    TRY(time_one(1, LARGE, &large_us));
    TRY(time_one(1, LARGEST, &largest_us));
    TRY(destroy());
    *gbps = (double)(LARGEST - LARGE) / (largest_us - large_us) / 1e3;
    *exchange_us = small_us - (double)SMALL * (n_devices - 1) / (*gbps * 1e3);
    return cudaSuccess;
}

/* ---- products -------------------------------------------------------------------------------- */

cudaError_t links_products(const struct lab14 *lab, double *time_us)
{
    const int m = lab->m / lab->n_devices;
    const size_t weights = (size_t)lab->n * (size_t)m, hidden = (size_t)lab->rows * (size_t)m,
                 count = (size_t)lab->rows * (size_t)lab->n;
    float *memory;
    TRY(cudaMalloc((void **)&memory, (weights + hidden + count) * sizeof(float)));
    TRY(cudaMemset(memory, 0, (weights + hidden + count) * sizeof(float)));
    TRY(cudaDeviceSynchronize());
    TRY(cudaStreamCreateWithFlags(&links.streams[0], cudaStreamNonBlocking));
    TRY(cudaStreamBeginCapture(links.streams[0], cudaStreamCaptureModeThreadLocal));
    for (int k = 0; k < lab->n_layers; k++) {
        TRY(launch_mlp_up(memory + weights, lab->x[0], memory, lab->rows, lab->n, m,
                          links.streams[0]));
        TRY(launch_mlp_down(memory + weights + hidden, memory + weights, memory, lab->rows, m,
                            lab->n, links.streams[0]));
    }
    TRY(time_captured(time_us));
    TRY(cudaStreamDestroy(links.streams[0]));
    return cudaFree(memory);
}

/* batches.c: the four methods. */
#include "batches.h"

#include <string.h>

#include "bench.h"

const char *const batches_names[BATCHES_METHODS] = {"sync", "streams", "serial", "forkjoin"};

static struct {
    int n;
    size_t bytes;                      /* of one matrix */
    float *in[BATCHES], *out[BATCHES]; /* pinned: a and b of a batch, its c */
    float *a[BATCH_STREAMS], *b[BATCH_STREAMS], *c[BATCH_STREAMS]; /* on the device */
    cudaStream_t streams[BATCH_STREAMS];
    cudaEvent_t forked, joined[BATCH_STREAMS];
    cudaGraphExec_t serial, forkjoin;
} m;

static void copy_in(int batch, int set, cudaStream_t s)
{
    CHECK(cudaMemcpyAsync(m.a[set], m.in[batch], m.bytes, cudaMemcpyHostToDevice, s));
    CHECK(cudaMemcpyAsync(m.b[set], m.in[batch] + m.n * m.n, m.bytes, cudaMemcpyHostToDevice, s));
}

static void compute(int set, cudaStream_t s)
{
    CHECK(launch_matmul(m.c[set], m.a[set], m.b[set], m.n, s));
}

static void copy_out(int batch, int set, cudaStream_t s)
{
    CHECK(cudaMemcpyAsync(m.out[batch], m.c[set], m.bytes, cudaMemcpyDeviceToHost, s));
}

static void one_batch(int batch, int set, cudaStream_t s)
{
    copy_in(batch, set, s);
    compute(set, s);
    copy_out(batch, set, s);
}

static void over_streams(void)
{
    for (int i = 0; i < BATCHES; i++)
        one_batch(i, i % BATCH_STREAMS, m.streams[i % BATCH_STREAMS]);
}

static void wait_all(void)
{
    for (int s = 0; s < BATCH_STREAMS; s++)
        CHECK(cudaStreamSynchronize(m.streams[s]));
}

static void capture_both(void)
{
    bench_capture(m.streams[0]);
    one_batch(0, 0, m.streams[0]);
    m.serial = bench_captured(m.streams[0]);

    bench_capture(m.streams[0]);
    CHECK(cudaEventRecord(m.forked, m.streams[0]));
    for (int s = 1; s < BATCH_STREAMS; s++)
        CHECK(cudaStreamWaitEvent(m.streams[s], m.forked, 0));
    over_streams();
    for (int s = 1; s < BATCH_STREAMS; s++) {
        CHECK(cudaEventRecord(m.joined[s], m.streams[s]));
        CHECK(cudaStreamWaitEvent(m.streams[0], m.joined[s], 0));
    }
    m.forkjoin = bench_captured(m.streams[0]);
}

void batches_begin(int n)
{
    memset(&m, 0, sizeof m);
    m.n = n;
    m.bytes = sizeof(float) * (size_t)n * (size_t)n;
    for (int i = 0; i < BATCHES; i++) {
        CHECK(cudaMallocHost((void **)&m.in[i], 2 * m.bytes));
        CHECK(cudaMallocHost((void **)&m.out[i], m.bytes));
        memset(m.in[i], 0, 2 * m.bytes);
    }
    CHECK(cudaEventCreateWithFlags(&m.forked, cudaEventDisableTiming));
    for (int s = 0; s < BATCH_STREAMS; s++) {
        CHECK(cudaMalloc((void **)&m.a[s], m.bytes));
        CHECK(cudaMalloc((void **)&m.b[s], m.bytes));
        CHECK(cudaMalloc((void **)&m.c[s], m.bytes));
        CHECK(cudaStreamCreateWithFlags(&m.streams[s], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&m.joined[s], cudaEventDisableTiming));
    }
    capture_both();
}

void batches_end(void)
{
    CHECK(cudaGraphExecDestroy(m.serial));
    CHECK(cudaGraphExecDestroy(m.forkjoin));
    CHECK(cudaEventDestroy(m.forked));
    for (int s = 0; s < BATCH_STREAMS; s++) {
        CHECK(cudaEventDestroy(m.joined[s]));
        CHECK(cudaStreamDestroy(m.streams[s]));
        CHECK(cudaFree(m.a[s]));
        CHECK(cudaFree(m.b[s]));
        CHECK(cudaFree(m.c[s]));
    }
    for (int i = 0; i < BATCHES; i++) {
        CHECK(cudaFreeHost(m.in[i]));
        CHECK(cudaFreeHost(m.out[i]));
    }
}

static void run_sync(void)
{
    for (int i = 0; i < BATCHES; i++) {
        CHECK(cudaMemcpy(m.a[0], m.in[i], m.bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(m.b[0], m.in[i] + m.n * m.n, m.bytes, cudaMemcpyHostToDevice));
        compute(0, cudaStreamLegacy);
        CHECK(cudaMemcpy(m.out[i], m.c[0], m.bytes, cudaMemcpyDeviceToHost));
    }
}

/* The graph names the buffers of one batch. A program that passes every batch through them must
 * wait for a launch before it touches them again, so each is waited for here. */
static void run_serial(void)
{
    for (int i = 0; i < BATCHES; i++) {
        CHECK(cudaGraphLaunch(m.serial, m.streams[0]));
        CHECK(cudaStreamSynchronize(m.streams[0]));
    }
}

void batches_run(enum batches_method method)
{
    switch (method) {
    case BATCHES_SYNC:
        run_sync();
        break;
    case BATCHES_STREAMS:
        over_streams();
        wait_all();
        break;
    case BATCHES_SERIAL:
        run_serial();
        break;
    default:
        CHECK(cudaGraphLaunch(m.forkjoin, m.streams[0]));
        CHECK(cudaStreamSynchronize(m.streams[0]));
    }
}

void batches_stage(enum batches_stage stage)
{
    for (int i = 0; i < BATCHES; i++) {
        if (stage == BATCHES_H2D)
            copy_in(i, 0, m.streams[0]);
        else if (stage == BATCHES_COMPUTE)
            compute(0, m.streams[0]);
        else
            copy_out(i, 0, m.streams[0]);
    }
    wait_all();
}

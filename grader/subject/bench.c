/* bench.c: what adapters measure themselves. */
#include "bench.h"

#include "common/check.h"
#include "common/clock.h"
#include "common/simgpu/simgpu.h"
#include "common/sort.h"
#include "objects.h"

#pragma weak simgpu_unwaited_stream
#pragma weak simgpu_has_slept
#pragma weak simgpu_free_computing
#pragma weak simgpu_memory_most
#pragma weak simgpu_memory_now

enum { LOAD_BYTES = 4 << 20, LEAST_CALLS = 7, MOST_CALLS = 255 };

static const double warm_up_us = 5000, measure_us = 20000; /* on a GPU; one call at least */

/* The first stream that was not waited for since the last report. */
static struct {
    int stream; /* -1: there is none */
    uint32_t created;
} unwaited = {.stream = -1};

void bench_returned(void)
{
    if (unwaited.stream < 0 && simgpu_unwaited_stream)
        unwaited.stream = simgpu_unwaited_stream(&unwaited.created);
}

void bench_unwaited(struct subject *s)
{
    bench_returned();
    subject_report(s, HAS_SLEPT, simgpu_has_slept ? simgpu_has_slept() : 0);
    subject_report(s, UNWAITED_STREAM, unwaited.stream);
    subject_report(s, UNWAITED_CREATED, unwaited.created);
    unwaited.stream = -1;
    unwaited.created = 0;
}

/* Reports how long the device was still busy. The adapter's own code is no computing of the
 * submission's. */
static void report_pending(struct subject *s, int n_devices)
{
    bench_unwaited(s);
    if (simgpu_free_computing)
        simgpu_free_computing(1);
    const double from_us = clock_now_us();
    for (int i = 0; i < n_devices; i++) {
        if (n_devices > 1)
            cudaSetDevice(i);
        cudaDeviceSynchronize();
    }
    subject_report(s, PENDING_US, clock_now_us() - from_us);
    if (simgpu_free_computing)
        simgpu_free_computing(0);
}

void bench_pending(struct subject *s)
{
    report_pending(s, !subject_unaided(s));
}

void bench_pending_on(struct subject *s, int n_devices)
{
    report_pending(s, subject_unaided(s) ? 0 : n_devices);
    cudaSetDevice(0);
}

/* ---- memory and devices ---------------------------------------------------------------------- */

/* Of the whole process, now and at most. A GPU's allocation nodes are in pieces of 32 MiB, which
 * stay reserved. */
static double bytes_now(void)
{
    return simgpu_memory_now ? (double)simgpu_memory_now() : objects_bytes(NULL, false);
}

static double bytes_most(bool anew)
{
    double most = 0;
    unsigned long long of_nodes = 0;
    if (simgpu_memory_most)
        return (double)simgpu_memory_most(anew);
    objects_bytes(&most, anew);
    if (cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &of_nodes) !=
        cudaSuccess)
        of_nodes = 0;
    return most + (double)of_nodes;
}

static double bytes_before, lent_bytes;

void bench_begin(void)
{
    bytes_before = bytes_now();
    lent_bytes = 0;
    bytes_most(true);
}

void bench_before_setup(void)
{
    lent_bytes = bytes_now() - bytes_before;
    bytes_most(true);
}

double bench_own_bytes(void)
{
    return bytes_most(false) - lent_bytes;
}

int bench_devices(int asked, int most)
{
    int n = 1;
    if (cudaGetDeviceCount(&n) != cudaSuccess || n < 1)
        n = 1;
    if (asked > 0 && asked < most)
        most = asked;
    return n < most ? n : most;
}

/* ---- background copies ----------------------------------------------------------------------- */

static struct {
    int copies;
    void *device, *host;
    cudaStream_t stream;
} load;

static cudaError_t create_load(void)
{
    TRY(cudaMalloc(&load.device, LOAD_BYTES));
    TRY(cudaMemset(load.device, 0, LOAD_BYTES));
    TRY(cudaMallocHost(&load.host, LOAD_BYTES));
    TRY(cudaStreamCreateWithFlags(&load.stream, cudaStreamNonBlocking));
    return cudaDeviceSynchronize();
}

int bench_load_create(struct subject *s, int copies)
{
    load.copies = copies;
    if (copies == 0 || create_load() == cudaSuccess)
        return 0;
    return subject_failed(s, "the grader could not allocate memory for its own copies");
}

void bench_load_start(void)
{
    for (int i = 0; i < load.copies; i++)
        cudaMemcpyAsync(load.host, load.device, LOAD_BYTES, cudaMemcpyDeviceToHost, load.stream);
}

void bench_load_destroy(void)
{
    if (load.copies == 0)
        return;
    load.copies = 0;
    cudaStreamSynchronize(load.stream);
    cudaStreamDestroy(load.stream);
    cudaFreeHost(load.host);
    cudaFree(load.device);
}

/* ---- times ----------------------------------------------------------------------------------- */

static cudaError_t time_one(cudaError_t (*work)(void *), void *argument, double *time_us)
{
    double from_us = clock_now_us();
    TRY(work(argument));
    *time_us = clock_now_us() - from_us;
    return cudaSuccess;
}

cudaError_t bench_time_us(cudaError_t (*work)(void *), void *argument, double *time_us)
{
    double times[MOST_CALLS], from_us = clock_now_us();
    int n = 0;
    if (clock_is_virtual())
        return time_one(work, argument, time_us);
    do
        TRY(work(argument));
    while (clock_now_us() - from_us < warm_up_us);
    from_us = clock_now_us();
    while (n < LEAST_CALLS || (n < MOST_CALLS && clock_now_us() - from_us < measure_us))
        TRY(time_one(work, argument, &times[n++]));
    sort_numbers(times, n);
    *time_us = times[n / 2];
    return cudaSuccess;
}

cudaError_t bench_end_capture(cudaStream_t stream, cudaGraphExec_t *exec)
{
    cudaGraph_t graph;
    TRY(cudaStreamEndCapture(stream, &graph));
    TRY(cudaGraphInstantiate(exec, graph, 0));
    TRY(cudaGraphDestroy(graph));
    TRY(cudaGraphUpload(*exec, stream));
    return cudaStreamSynchronize(stream);
}

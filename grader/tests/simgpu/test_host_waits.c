/* test_host_waits.c: each row of stream/host_waits.def: which earlier work the call waits for by
 * the clock, and which work race detection takes for done after it. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim_graphs.h"

enum { BYTES = 4096, STAGING_BYTES = 2 << 20, BIG = 1 << 30 };

/* ---- the rows -------------------------------------------------------------------------------- */

enum { CLOCK_GOES_ON, CLOCK_STAGED, CLOCK_DONE, CLOCK_IDLE };
enum { ORDER_NOTHING, ORDER_EARLIER, ORDER_DONE, ORDER_IDLE };

enum {
#define HOST_WAIT(row, ...) row,
#include "common/simgpu/stream/host_waits.def"
#undef HOST_WAIT
    ROWS
};

static const struct {
    const char *name;
    int clock, order;
} rows[] = {
#define HOST_WAIT(row, clock, order, ...) [row] = {#row, CLOCK_##clock, ORDER_##order},
#include "common/simgpu/stream/host_waits.def"
#undef HOST_WAIT
};

/* ---- the calls ------------------------------------------------------------------------------- */

static char *device, *device_2, *far, *pinned, *pinned_2, *managed, *big, *registered;
static char pageable[STAGING_BYTES + 1], pageable_2[BYTES];
static cudaStream_t in;    /* of the call; 0: the legacy stream */
static cudaStream_t other; /* non-blocking */

/* Ended by the call. */
static void *block;
static char *nothing; /* no memory of the call */
static cudaEvent_t event;

static void own_stream(void)
{
    in = stream(cudaStreamNonBlocking);
}

static void make_block(void)
{
    OK(cudaMalloc(&block, BYTES));
}

static void make_managed(void)
{
    OK(cudaMallocManaged(&block, BYTES, cudaMemAttachGlobal));
}

static void make_pool_block(void)
{
    own_stream();
    OK(cudaMallocAsync(&block, BYTES, in));
    OK(cudaStreamSynchronize(in));
}

static void make_pinned(void)
{
    OK(cudaMallocHost(&block, BYTES));
    OK(cudaHostRegister(registered, BYTES, 0));
}

static void make_graph_block(void)
{
    own_stream();
    OK(cudaStreamBeginCapture(in, cudaStreamCaptureModeRelaxed));
    OK(cudaMallocAsync(&block, BYTES, in));
    run_exec(new_exec(end_capture(in)), in);
}

static void make_event(void)
{
    own_stream();
    OK(cudaEventCreate(&event));
}

static cudaError_t copy_batch(void)
{
    void *to[] = {pinned_2};
    const void *from[] = {pinned};
    size_t bytes[] = {BYTES}, first[] = {0};
    struct cudaMemcpyAttributes a = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    return cudaMemcpyBatchAsync(to, from, bytes, 1, &a, first, 1, in);
}

static cudaError_t destroy_event(void)
{
    cudaError_t e = cudaEventRecord(event, in);
    return e ? e : cudaEventDestroy(event);
}

static cudaError_t free_pinned(void)
{
    cudaError_t e = cudaFreeHost(block);
    return e ? e : cudaHostUnregister(registered);
}

/* The calls. A copy or memset uses memory that a memset in another stream may overwrite. */
#define CALLS(CALL)                                                                                \
    CALL(PAGEABLE_H2D, NULL, device, cudaMemcpy(device, pageable, BYTES, cudaMemcpyHostToDevice))  \
    CALL(PAGEABLE_H2D_ASYNC, NULL, device,                                                         \
         cudaMemcpyAsync(device, pageable, BYTES, cudaMemcpyHostToDevice, 0))                      \
    CALL(PINNED_H2D, NULL, device, cudaMemcpy(device, pinned, BYTES, cudaMemcpyHostToDevice))      \
    CALL(PINNED_H2D_ASYNC, NULL, device,                                                           \
         cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, 0))                        \
    CALL(PAGEABLE_D2H, NULL, device, cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost))  \
    CALL(PAGEABLE_D2H_ASYNC, NULL, device,                                                         \
         cudaMemcpyAsync(pageable, device, BYTES, cudaMemcpyDeviceToHost, 0))                      \
    CALL(PINNED_D2H, NULL, pinned, cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost))      \
    CALL(PINNED_D2H_ASYNC, NULL, pinned,                                                           \
         cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, 0))                        \
    CALL(H2H, NULL, pinned, cudaMemcpyAsync(pinned, pageable_2, BYTES, cudaMemcpyHostToHost, 0))   \
    CALL(H2H_BATCH, own_stream, pinned_2, copy_batch())                                            \
    CALL(D2D, NULL, device, cudaMemcpy(device, device_2, BYTES, cudaMemcpyDeviceToDevice))         \
    CALL(PEER, NULL, device, cudaMemcpyPeer(device, 0, far, 1, BYTES))                             \
    CALL(MEMSET, NULL, device, cudaMemset(device, 1, BYTES))                                       \
    CALL(MEMSET_PINNED, NULL, pinned, cudaMemset(pinned, 1, BYTES))                                \
    CALL(MEMSET_MANAGED, NULL, managed, cudaMemset(managed, 1, BYTES))                             \
    CALL(MEMSET_ASYNC, NULL, managed, cudaMemsetAsync(managed, 1, BYTES, 0))                       \
    CALL(FREE, make_block, nothing, cudaFree(block))                                               \
    CALL(FREE_MANAGED, make_managed, nothing, cudaFree(block))                                     \
    CALL(FREE_POOL, make_pool_block, nothing, cudaFree(block))                                     \
    CALL(FREE_GRAPH, make_graph_block, nothing, cudaFree(block))                                   \
    CALL(FREE_ASYNC, make_pool_block, nothing, cudaFreeAsync(block, in))                           \
    CALL(FREE_ASYNC_DEVICE, make_block, nothing, cudaFreeAsync(block, 0))                          \
    CALL(FREE_PINNED, make_pinned, nothing, free_pinned())                                         \
    CALL(EVENT_DESTROY, make_event, nothing, destroy_event())                                      \
    CALL(STREAM_DESTROY, own_stream, nothing, cudaStreamDestroy(in))

#define MAKE_CALL(row, make, memory, call)                                                         \
    static void call_##row(void)                                                                   \
    {                                                                                              \
        OK(call);                                                                                  \
    }
CALLS(MAKE_CALL)

static const struct {
    void (*make)(void);
    void (*call)(void);
    char **memory;
} calls[ROWS] = {
#define CALL_ROW(row, make, memory, call) [row] = {make, call_##row, &memory},
    CALLS(CALL_ROW)};

/* ---- what they wait for ---------------------------------------------------------------------- */

static void setup(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    setenv("SIMGPU_COMPUTE", "0", 1);
    setenv("SIMGPU_DEVICES", "2", 1);
    OK(cudaSetDevice(1));
    far = zeros(BYTES);
    OK(cudaSetDevice(0));
    device = zeros(BYTES);
    device_2 = zeros(BYTES);
    big = zeros(BIG);
    OK(cudaMallocHost((void **)&pinned, BYTES));
    OK(cudaMallocHost((void **)&pinned_2, BYTES));
    OK(cudaMallocManaged((void **)&managed, BYTES, cudaMemAttachGlobal));
    registered = aligned_alloc(BYTES, BYTES);
    other = stream(cudaStreamNonBlocking);
}

TestSuite(host_waits, .init = setup);

/* All is quiet, and what the call ends exists. */
static void begin(int row)
{
    in = NULL;
    if (calls[row].make)
        calls[row].make();
    for (int d = 1; d >= 0; d--) {
        OK(cudaSetDevice(d));
        OK(cudaDeviceSynchronize());
    }
    simgpu_findings_clear();
}

/* Long work, enqueued before the call. */
static void work(cudaStream_t s)
{
    OK(cudaMemsetAsync(big, 0, BIG, s));
}

static int64_t work_ns(void)
{
    int64_t before = simgpu_now_ns();
    work(other);
    OK(cudaStreamSynchronize(other));
    return simgpu_now_ns() - before;
}

/* The call, after work in s. Did the call wait for the work? And is work that is enqueued now in
 * another stream ordered after it? */
static void after_work(int row, cudaStream_t s, bool waits, bool orders)
{
    const int64_t least = work_ns() * 9 / 10;
    work(s);
    const int64_t before = simgpu_now_ns();
    calls[row].call();
    const bool waited = simgpu_now_ns() - before > least;
    cr_expect_eq(waited, waits, "%s: the call waits: %d", rows[row].name, waited);
    OK(cudaMemsetAsync(big, 1, BYTES, other));
    const bool ordered = simgpu_findings(NULL, 0) == 0;
    cr_expect_eq(ordered, orders, "%s: earlier work is ordered: %d", rows[row].name, ordered);
}

Test(host_waits, work_of_the_same_stream)
{
    for (int row = 0; row < ROWS; row++) {
        begin(row);
        after_work(row, in, rows[row].clock >= CLOCK_DONE, rows[row].order != ORDER_NOTHING);
    }
}

Test(host_waits, work_of_a_non_blocking_stream)
{
    cudaStream_t third = stream(cudaStreamNonBlocking);
    for (int row = 0; row < ROWS; row++) {
        begin(row);
        after_work(row, third, rows[row].clock == CLOCK_IDLE, rows[row].order == ORDER_IDLE);
    }
}

Test(host_waits, the_operation_of_the_call)
{
    for (int row = 0; row < ROWS; row++) {
        if (!*calls[row].memory)
            continue;
        begin(row);
        calls[row].call();
        OK(cudaMemsetAsync(*calls[row].memory, 2, BYTES, other));
        const bool ordered = simgpu_findings(NULL, 0) == 0;
        cr_expect_eq(ordered, rows[row].order >= ORDER_DONE, "%s: its operation is ordered: %d",
                     rows[row].name, ordered);
    }
}

Test(host_waits, an_asynchronous_copy_waits_if_the_staging_buffers_are_too_small)
{
    const int64_t least = work_ns() * 9 / 10;
    for (int more = 0; more < 2; more++) {
        work(0);
        const int64_t before = simgpu_now_ns();
        OK(cudaMemcpyAsync(big, pageable, (size_t)STAGING_BYTES + more, cudaMemcpyHostToDevice, 0));
        const int64_t took = simgpu_now_ns() - before;
        cr_expect_eq(took > least, more, "%d ns, the work takes %d", (int)took, (int)least);
        OK(cudaDeviceSynchronize());
    }
}

/* ---- the finding ----------------------------------------------------------------------------- */

Test(host_waits, a_synchronous_copy_from_pageable_memory_has_advice_of_its_own)
{
    OK(cudaMemcpy(device, pageable, BYTES, cudaMemcpyHostToDevice));
    OK(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, other));
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.next, SIMGPU_NEXT_COPY_IN_STREAM);
    cr_expect(strstr(finding_text(&f), "rarely visible for small copies"), "%s", finding_text(&f));
}

Test(host_waits, remedies)
{
    OK(cudaMemcpy(device, pageable, BYTES, cudaMemcpyHostToDevice));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, other));
    OK(cudaMemcpyAsync(device, pageable, BYTES, cudaMemcpyHostToDevice, other));
    OK(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, other));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(device, pageable, BYTES, cudaMemcpyHostToDevice));
    OK(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream(0)));
    OK(cudaMemcpy(device, pinned_2, BYTES, cudaMemcpyHostToDevice));
    OK(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, other));
    expect_findings(0);
}

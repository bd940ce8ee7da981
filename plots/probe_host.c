/* probe_host.c: host time of API calls: how long the program is inside them. */
#include "probe.h"

#include <stdio.h>
#include <stdlib.h>

static void nothing(void *unused)
{
    (void)unused;
}

static void CUDART_CB nothing_cb(cudaStream_t s, cudaError_t e, void *unused)
{
    (void)s;
    (void)e;
    (void)unused;
}

static void report(const char *key, double us, const char *note)
{
    probe_row(key, us, "us", note);
}

static void queries(void)
{
    double us;
    int device;
    HOST_COST(us, 500, , cudaGetDevice(&device), );
    report("host.query.cudaGetDevice", us, "");
    HOST_COST(us, 500, , cudaPeekAtLastError(), );
    report("host.query.cudaPeekAtLastError", us, "");
    HOST_COST(us, 500, , cudaGetLastError(), );
    report("host.query.cudaGetLastError", us, "");
    HOST_COST(us, 500, , cudaSetDevice(0), );
    report("host.query.cudaSetDevice", us, "same device again");
    HOST_COST(us, 200, , cudaDeviceGetAttribute(&device, cudaDevAttrMultiProcessorCount, 0), );
    report("host.query.cudaDeviceGetAttribute", us, "");
    struct cudaPointerAttributes a;
    HOST_COST(us, 200, , cudaPointerGetAttributes(&a, T.dev), );
    report("host.query.cudaPointerGetAttributes", us, "");
    struct cudaDeviceProp p;
    HOST_COST(us, 50, , cudaGetDeviceProperties(&p, 0), );
    report("host.query.cudaGetDeviceProperties", us, "");
    size_t free_bytes, all_bytes;
    HOST_COST(us, 50, , cudaMemGetInfo(&free_bytes, &all_bytes), );
    report("host.query.cudaMemGetInfo", us, "");
}

static void memory(void)
{
    static const size_t sizes[] = {256, 4096, 1 << 20, 64 << 20};
    for (int i = 0; i < 4; i++) {
        void *p = NULL;
        double us;
        long n = (long)sizes[i];
        HOST_COST(us, 60, , cudaMalloc(&p, sizes[i]), cudaFree(p));
        probe_row_n("host.malloc", n, us, "us", "nothing of that size kept free");
        HOST_COST(us, 60, OK(cudaMalloc(&p, sizes[i])), cudaFree(p), );
        probe_row_n("host.free", n, us, "us", "");
        HOST_COST(us, 20, , cudaMallocHost(&p, sizes[i]), cudaFreeHost(p));
        probe_row_n("host.malloc_host", n, us, "us", "");
        HOST_COST(us, 20, OK(cudaMallocHost(&p, sizes[i])), cudaFreeHost(p), );
        probe_row_n("host.free_host", n, us, "us", "");
        HOST_COST(us, 20, , cudaHostRegister(T.pageable, sizes[i], 0),
                  cudaHostUnregister(T.pageable));
        probe_row_n("host.host_register", n, us, "us", "pages touched before");
        HOST_COST(us, 20, OK(cudaHostRegister(T.pageable, sizes[i], 0)),
                  cudaHostUnregister(T.pageable), );
        probe_row_n("host.host_unregister", n, us, "us", "");
        OK(cudaMallocAsync(&p, sizes[i], T.s[0]));
        OK(cudaFreeAsync(p, T.s[0]));
        HOST_COST(us, 100, , cudaMallocAsync(&p, sizes[i], T.s[0]), cudaFreeAsync(p, T.s[0]));
        probe_row_n("host.malloc_async", n, us, "us", "warm pool; no synchronise between");
        HOST_COST(us, 100, OK(cudaMallocAsync(&p, sizes[i], T.s[0])), cudaFreeAsync(p, T.s[0]), );
        probe_row_n("host.free_async", n, us, "us", "");
        OK(cudaStreamSynchronize(T.s[0]));
        HOST_COST(us, 50, , cudaMallocAsync(&p, sizes[i], T.s[0]),
                  (cudaFreeAsync(p, T.s[0]), cudaStreamSynchronize(T.s[0])));
        probe_row_n("host.malloc_async_after_sync", n, us, "us",
                    "the pool gave its memory back at the synchronise");
    }
}

static void streams_and_events(void)
{
    double us;
    cudaStream_t s = NULL;
    cudaEvent_t e = NULL;
    HOST_COST(us, 60, , cudaStreamCreate(&s), cudaStreamDestroy(s));
    report("host.stream_create", us, "cudaStreamCreate");
    HOST_COST(us, 60, , cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaStreamDestroy(s));
    report("host.stream_create.nonblocking", us, "");
    HOST_COST(us, 60, OK(cudaStreamCreate(&s)), cudaStreamDestroy(s), );
    report("host.stream_destroy", us, "idle stream");
    HOST_COST(us, 300, , cudaStreamQuery(T.s[0]), );
    report("host.stream_query.idle", us, "");
    HOST_COST(us, 300, , cudaEventCreateWithFlags(&e, cudaEventDisableTiming), cudaEventDestroy(e));
    report("host.event_create", us, "timing disabled");
    HOST_COST(us, 300, , cudaEventCreate(&e), cudaEventDestroy(e));
    report("host.event_create.timing", us, "");
    HOST_COST(us, 300, OK(cudaEventCreate(&e)), cudaEventDestroy(e), );
    report("host.event_destroy", us, "");
    HOST_COST(us, 300, , cudaEventRecord(T.ev[0], T.s[0]), );
    report("host.event_record", us, "timing disabled; records one after the other");
    HOST_COST(us, 300, , cudaEventRecord(T.e0, T.s[0]), );
    report("host.event_record.timing", us, "records one after the other");
    HOST_COST(us, 300, OK(cudaStreamSynchronize(T.s[0])), cudaEventRecord(T.e0, T.s[0]), );
    report("host.event_record.timing_idle", us, "idle stream");
    OK(cudaStreamSynchronize(T.s[0]));
    HOST_COST(us, 300, , cudaEventQuery(T.ev[0]), );
    report("host.event_query.ready", us, "");
    HOST_COST(us, 300, , cudaEventSynchronize(T.ev[0]), );
    report("host.sync.cudaEventSynchronize", us, "event is done");
    HOST_COST(us, 300, , cudaStreamWaitEvent(T.s[1], T.ev[0], 0), );
    report("host.stream_wait.done", us, "event is done");
    HOST_COST(us, 300, , cudaStreamSynchronize(T.s[0]), );
    report("host.sync.cudaStreamSynchronize", us, "nothing pending");
    HOST_COST(us, 300, , cudaDeviceSynchronize(), );
    report("host.sync.cudaDeviceSynchronize", us, "nothing pending");
    float ms;
    OK(cudaEventRecord(T.e0, T.s[0]));
    OK(cudaEventRecord(T.e1, T.s[0]));
    OK(cudaStreamSynchronize(T.s[0]));
    HOST_COST(us, 300, , cudaEventElapsedTime(&ms, T.e0, T.e1), );
    report("host.event_elapsed", us, "");
}

/* The calls that answer cudaErrorNotReady are timed by hand: OK would end the program. */
static void not_ready(void)
{
    struct samples s = {0}, e = {0};
    OK(launch_delay(20000, T.s[0]));
    OK(cudaEventRecord(T.ev[0], T.s[0]));
    for (int i = 0; i < 200; i++) {
        double t0 = clock_now_us();
        cudaError_t a = cudaStreamQuery(T.s[0]);
        double t1 = clock_now_us();
        cudaError_t b = cudaEventQuery(T.ev[0]);
        double t2 = clock_now_us();
        if (a != cudaErrorNotReady || b != cudaErrorNotReady)
            break;
        samples_add(&s, t1 - t0 - probe_clock_us);
        samples_add(&e, t2 - t1 - probe_clock_us);
    }
    OK(cudaDeviceSynchronize());
    report("host.stream_query.busy", samples_median(&s), "answers cudaErrorNotReady");
    report("host.event_query.not_ready", samples_median(&e), "answers cudaErrorNotReady");
}

static void launches(void)
{
    double us;
    HOST_COST(us, 300, OK(cudaStreamSynchronize(T.s[0])), launch_empty(1, T.s[0]), );
    report("host.launch.idle", us, "idle stream");
    HOST_COST(us, 300, , launch_empty(1, T.s[0]), );
    report("host.launch.running", us, "one after the other");
    OK(cudaDeviceSynchronize());
    OK(launch_delay(20000, T.s[0]));
    HOST_COST(us, 300, , launch_empty(1, T.s[0]), );
    OK(cudaDeviceSynchronize());
    report("host.launch.busy", us, "stream behind a long kernel");
    OK(launch_delay(20000, T.s[0]));
    HOST_COST(us, 200, OK(launch_empty(1, T.s[1])), launch_empty(1, T.s[0]), );
    OK(cudaDeviceSynchronize());
    report("host.launch.alternating", us, "two streams in turn; this one behind a long kernel");
    int next = 0;
    HOST_COST(us, 400, , launch_empty(1, T.s[next++ % PROBE_STREAMS]), );
    OK(cudaDeviceSynchronize());
    report("host.launch.8_streams", us, "eight streams in turn");
    HOST_COST(us, 200, OK(cudaStreamSynchronize(T.blocking)), launch_empty(1, T.blocking), );
    report("host.launch.blocking_stream", us, "idle blocking stream");
    HOST_COST(us, 200, OK(cudaStreamSynchronize(NULL)), launch_empty(1, NULL), );
    report("host.launch.legacy", us, "idle legacy stream; other streams idle");
    HOST_COST(us, 100, OK(cudaDeviceSynchronize()), cudaLaunchHostFunc(T.s[0], nothing, NULL), );
    report("host.host_func.idle", us, "cudaLaunchHostFunc; idle stream");
    OK(cudaDeviceSynchronize());
    OK(launch_delay(20000, T.s[0]));
    HOST_COST(us, 100, , cudaLaunchHostFunc(T.s[0], nothing, NULL), );
    OK(cudaDeviceSynchronize());
    report("host.host_func.busy", us, "cudaLaunchHostFunc; stream behind a long kernel");
    HOST_COST(us, 100, OK(cudaDeviceSynchronize()),
              cudaStreamAddCallback(T.s[0], nothing_cb, NULL, 0), );
    OK(cudaDeviceSynchronize());
    report("host.host_func.callback", us, "cudaStreamAddCallback; idle stream");
}

/* Event calls on a stream that cannot get to them. */
static void busy_events(void)
{
    double us;
    OK(launch_delay(20000, T.s[0]));
    HOST_COST(us, 200, , cudaEventRecord(T.ev[1], T.s[0]), );
    report("host.event_record.busy", us, "timing disabled; stream behind a long kernel");
    HOST_COST(us, 200, , cudaEventRecord(T.e0, T.s[0]), );
    report("host.event_record.timing_busy", us, "stream behind a long kernel");
    HOST_COST(us, 200, , cudaStreamWaitEvent(T.s[1], T.ev[1], 0), );
    report("host.stream_wait.pending", us, "event is pending");
    OK(cudaDeviceSynchronize());
    OK(launch_delay(20000, T.s[0]));
    HOST_COST(us, 150, OK(launch_empty(1, T.s[0])), cudaEventRecord(T.ev[1], T.s[0]), );
    report("host.event_record.after_launch", us, "launch and record in turn; behind a long kernel");
    HOST_COST(us, 100, OK(cudaEventRecord(T.ev[1], T.s[0])),
              cudaStreamWaitEvent(T.s[1], T.ev[1], 0), );
    report("host.stream_wait.after_record", us, "record and wait in turn; behind a long kernel");
    OK(cudaDeviceSynchronize());
}

/* Whole round trips: call, work, synchronise. */
static void round_trips(void)
{
    double us;
    HOST_COST(us, 300, OK(launch_empty(1, T.s[0])), cudaStreamSynchronize(T.s[0]), );
    report("trip.launch_then_sync", us, "time in the synchronise alone after a launch");
    HOST_COST(us, 300, , (launch_empty(1, T.s[0]), cudaStreamSynchronize(T.s[0])), );
    report("trip.launch", us, "launch of an empty kernel and stream synchronise");
    HOST_COST(us, 300, , (launch_empty(1, T.s[0]), cudaDeviceSynchronize()), );
    report("trip.launch_device_sync", us, "the same with cudaDeviceSynchronize");
    HOST_COST(us, 300, ,
              (launch_empty(1, T.s[0]), cudaEventRecord(T.ev[0], T.s[0]),
               cudaEventSynchronize(T.ev[0])), );
    report("trip.launch_event_sync", us, "launch; record; event synchronise");
    HOST_COST(us, 300, , (cudaEventRecord(T.ev[0], T.s[0]), cudaStreamSynchronize(T.s[0])), );
    report("trip.event_record", us, "record and stream synchronise");
    HOST_COST(us, 300, , (cudaMemsetAsync(T.dev, 0, 4, T.s[0]), cudaStreamSynchronize(T.s[0])), );
    report("trip.memset_4", us, "memset of 4 bytes and stream synchronise");
    HOST_COST(us, 100, ,
              (cudaLaunchHostFunc(T.s[0], nothing, NULL), cudaStreamSynchronize(T.s[0])), );
    report("trip.host_func", us, "host function and stream synchronise");
    HOST_COST(us, 100, , (launch_delay(100, T.s[0]), cudaStreamSynchronize(T.s[0])), );
    report("trip.delay_100", us, "kernel of 100 us and stream synchronise");
    HOST_COST(us, 100, , (launch_delay(1000, T.s[0]), cudaStreamSynchronize(T.s[0])), );
    report("trip.delay_1000", us, "kernel of 1000 us and stream synchronise");
}

/* When a kernel really starts: it writes to pinned memory, on which the host spins. */
static void start_latency(void)
{
    struct samples seen = {0}, rest = {0}, store = {0};
    volatile unsigned *flag = (volatile unsigned *)T.pinned2;
    if (clock_is_virtual())
        return;
    for (unsigned i = 1; i <= 300; i++) {
        *flag = 0;
        double t0 = clock_now_us();
        OK(launch_signal((unsigned *)T.pinned2, i, T.s[0]));
        double launched = clock_now_us();
        while (*flag != i)
            ;
        double t1 = clock_now_us();
        OK(cudaStreamSynchronize(T.s[0]));
        double t2 = clock_now_us();
        samples_add(&seen, t1 - t0);
        samples_add(&store, t1 - launched);
        samples_add(&rest, t2 - t1);
    }
    report("latency.launch_to_flag", samples_median(&seen),
           "from before the launch call to the kernel's store seen");
    report("latency.launched_to_flag", samples_median(&store),
           "from the launch's return to the kernel's store seen");
    report("latency.flag_to_sync", samples_median(&rest),
           "from there to the return of the synchronise");
}

static double host_func_us[2];

static void note_time(void *begin_or_end)
{
    host_func_us[begin_or_end != NULL] = clock_now_us();
}

/* A host function between two kernels that write to pinned memory: how long it waits for the first,
 * and the next for it. */
static void host_func_latency(void)
{
    struct samples before = {0}, after = {0}, between = {0};
    volatile unsigned *flag = (volatile unsigned *)T.pinned2;
    if (clock_is_virtual())
        return;
    for (unsigned i = 1; i <= 100; i++) {
        flag[0] = flag[1] = 0;
        OK(launch_delay(200, T.s[0]));
        OK(launch_signal((unsigned *)T.pinned2, i, T.s[0]));
        OK(cudaLaunchHostFunc(T.s[0], note_time, NULL));
        OK(cudaLaunchHostFunc(T.s[0], note_time, T.dev));
        OK(launch_signal((unsigned *)T.pinned2 + 1, i, T.s[0]));
        while (flag[0] != i)
            ;
        double first = clock_now_us();
        while (flag[1] != i)
            ;
        double second = clock_now_us();
        OK(cudaStreamSynchronize(T.s[0]));
        samples_add(&before, host_func_us[0] - first);
        samples_add(&between, host_func_us[1] - host_func_us[0]);
        samples_add(&after, second - host_func_us[1]);
    }
    report("latency.kernel_to_host_func", samples_median(&before),
           "from a kernel's store seen to the host function");
    report("latency.host_func_to_host_func", samples_median(&between), "next in the same stream");
    report("latency.host_func_to_kernel", samples_median(&after),
           "from the host function to the next kernel's store seen");
}

void probe_host(void)
{
    queries();
    memory();
    streams_and_events();
    not_ready();
    launches();
    busy_events();
    round_trips();
    start_latency();
    host_func_latency();
}

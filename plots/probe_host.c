/* probe_host.c: host time of API calls: how long the program is inside them. */
#include "probe.h"

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

static void queries(void)
{
    int device;
    HOST_ROW("", 500, , cudaGetDevice(&device), , "host.query.cudaGetDevice");
    HOST_ROW("", 500, , cudaPeekAtLastError(), , "host.query.cudaPeekAtLastError");
    HOST_ROW("", 500, , cudaGetLastError(), , "host.query.cudaGetLastError");
    HOST_ROW("same device again", 500, , cudaSetDevice(0), , "host.query.cudaSetDevice");
    HOST_ROW("", 200, , cudaDeviceGetAttribute(&device, cudaDevAttrMultiProcessorCount, 0), ,
             "host.query.cudaDeviceGetAttribute");
    struct cudaPointerAttributes a;
    HOST_ROW("", 200, , cudaPointerGetAttributes(&a, T.dev), ,
             "host.query.cudaPointerGetAttributes");
    struct cudaDeviceProp p;
    HOST_ROW("", 50, , cudaGetDeviceProperties(&p, 0), , "host.query.cudaGetDeviceProperties");
    size_t free_bytes, all_bytes;
    HOST_ROW("", 50, , cudaMemGetInfo(&free_bytes, &all_bytes), , "host.query.cudaMemGetInfo");
}

static void memory(void)
{
    static const size_t sizes[] = {256, 4096, 1 << 20, 64 << 20};
    for (int i = 0; i < 4; i++) {
        void *p = NULL;
        long n = (long)sizes[i];
        HOST_ROW("nothing of that size kept free", 60, , cudaMalloc(&p, sizes[i]), cudaFree(p),
                 "host.malloc.%ld", n);
        HOST_ROW("", 60, OK(cudaMalloc(&p, sizes[i])), cudaFree(p), , "host.free.%ld", n);
        HOST_ROW("", 20, , cudaMallocHost(&p, sizes[i]), cudaFreeHost(p), "host.malloc_host.%ld",
                 n);
        HOST_ROW("", 20, OK(cudaMallocHost(&p, sizes[i])), cudaFreeHost(p), , "host.free_host.%ld",
                 n);
        HOST_ROW("pages touched before", 20, , cudaHostRegister(T.pageable, sizes[i], 0),
                 cudaHostUnregister(T.pageable), "host.host_register.%ld", n);
        HOST_ROW("", 20, OK(cudaHostRegister(T.pageable, sizes[i], 0)),
                 cudaHostUnregister(T.pageable), , "host.host_unregister.%ld", n);
        OK(cudaMallocAsync(&p, sizes[i], T.s[0]));
        OK(cudaFreeAsync(p, T.s[0]));
        HOST_ROW("warm pool; no synchronise between", 100, , cudaMallocAsync(&p, sizes[i], T.s[0]),
                 cudaFreeAsync(p, T.s[0]), "host.malloc_async.%ld", n);
        HOST_ROW("", 100, OK(cudaMallocAsync(&p, sizes[i], T.s[0])), cudaFreeAsync(p, T.s[0]), ,
                 "host.free_async.%ld", n);
        OK(cudaStreamSynchronize(T.s[0]));
        HOST_ROW("the pool gave its memory back at the synchronise", 50, ,
                 cudaMallocAsync(&p, sizes[i], T.s[0]),
                 (cudaFreeAsync(p, T.s[0]), cudaStreamSynchronize(T.s[0])),
                 "host.malloc_async_after_sync.%ld", n);
    }
}

static void streams_and_events(void)
{
    cudaStream_t s = NULL;
    cudaEvent_t e = NULL;
    HOST_ROW("cudaStreamCreate", 60, , cudaStreamCreate(&s), cudaStreamDestroy(s),
             "host.stream_create");
    HOST_ROW("", 60, , cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaStreamDestroy(s),
             "host.stream_create.nonblocking");
    HOST_ROW("idle stream", 60, OK(cudaStreamCreate(&s)), cudaStreamDestroy(s), ,
             "host.stream_destroy");
    HOST_ROW("", 300, , cudaStreamQuery(T.s[0]), , "host.stream_query.idle");
    HOST_ROW("timing disabled", 300, , cudaEventCreateWithFlags(&e, cudaEventDisableTiming),
             cudaEventDestroy(e), "host.event_create");
    HOST_ROW("", 300, , cudaEventCreate(&e), cudaEventDestroy(e), "host.event_create.timing");
    HOST_ROW("", 300, OK(cudaEventCreate(&e)), cudaEventDestroy(e), , "host.event_destroy");
    HOST_ROW("timing disabled; records one after the other", 300, ,
             cudaEventRecord(T.ev[0], T.s[0]), , "host.event_record");
    HOST_ROW("records one after the other", 300, , cudaEventRecord(T.e0, T.s[0]), ,
             "host.event_record.timing");
    HOST_ROW("idle stream", 300, OK(cudaStreamSynchronize(T.s[0])), cudaEventRecord(T.e0, T.s[0]), ,
             "host.event_record.timing_idle");
    OK(cudaStreamSynchronize(T.s[0]));
    HOST_ROW("", 300, , cudaEventQuery(T.ev[0]), , "host.event_query.ready");
    HOST_ROW("event is done", 300, , cudaEventSynchronize(T.ev[0]), ,
             "host.sync.cudaEventSynchronize");
    HOST_ROW("event is done", 300, , cudaStreamWaitEvent(T.s[1], T.ev[0], 0), ,
             "host.stream_wait.done");
    HOST_ROW("nothing pending", 300, , cudaStreamSynchronize(T.s[0]), ,
             "host.sync.cudaStreamSynchronize");
    HOST_ROW("nothing pending", 300, , cudaDeviceSynchronize(), ,
             "host.sync.cudaDeviceSynchronize");
    float ms;
    OK(cudaEventRecord(T.e0, T.s[0]));
    OK(cudaEventRecord(T.e1, T.s[0]));
    OK(cudaStreamSynchronize(T.s[0]));
    HOST_ROW("", 300, , cudaEventElapsedTime(&ms, T.e0, T.e1), , "host.event_elapsed");
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
    probe_us(samples_median(&s), "answers cudaErrorNotReady", "host.stream_query.busy");
    probe_us(samples_median(&e), "answers cudaErrorNotReady", "host.event_query.not_ready");
}

static void launches(void)
{
    HOST_ROW("idle stream", 300, OK(cudaStreamSynchronize(T.s[0])), launch_empty(1, T.s[0]), ,
             "host.launch.idle");
    HOST_ROW("one after the other", 300, , launch_empty(1, T.s[0]), , "host.launch.running");
    OK(cudaDeviceSynchronize());
    OK(launch_delay(20000, T.s[0]));
    HOST_ROW("stream behind a long kernel", 300, , launch_empty(1, T.s[0]), , "host.launch.busy");
    OK(cudaDeviceSynchronize());
    OK(launch_delay(20000, T.s[0]));
    HOST_ROW("two streams in turn; this one behind a long kernel", 200, OK(launch_empty(1, T.s[1])),
             launch_empty(1, T.s[0]), , "host.launch.alternating");
    OK(cudaDeviceSynchronize());
    int next = 0;
    HOST_ROW("eight streams in turn", 400, , launch_empty(1, T.s[next++ % PROBE_STREAMS]), ,
             "host.launch.8_streams");
    OK(cudaDeviceSynchronize());
    HOST_ROW("idle blocking stream", 200, OK(cudaStreamSynchronize(T.blocking)),
             launch_empty(1, T.blocking), , "host.launch.blocking_stream");
    HOST_ROW("idle legacy stream; other streams idle", 200, OK(cudaStreamSynchronize(NULL)),
             launch_empty(1, NULL), , "host.launch.legacy");
    HOST_ROW("cudaLaunchHostFunc; idle stream", 100, OK(cudaDeviceSynchronize()),
             cudaLaunchHostFunc(T.s[0], nothing, NULL), , "host.host_func.idle");
    OK(cudaDeviceSynchronize());
    OK(launch_delay(20000, T.s[0]));
    HOST_ROW("cudaLaunchHostFunc; stream behind a long kernel", 100, ,
             cudaLaunchHostFunc(T.s[0], nothing, NULL), , "host.host_func.busy");
    OK(cudaDeviceSynchronize());
    HOST_ROW("cudaStreamAddCallback; idle stream", 100, OK(cudaDeviceSynchronize()),
             cudaStreamAddCallback(T.s[0], nothing_cb, NULL, 0), , "host.host_func.callback");
    OK(cudaDeviceSynchronize());
}

/* Event calls on a stream that cannot get to them. */
static void busy_events(void)
{
    OK(launch_delay(20000, T.s[0]));
    HOST_ROW("timing disabled; stream behind a long kernel", 200, ,
             cudaEventRecord(T.ev[1], T.s[0]), , "host.event_record.busy");
    HOST_ROW("stream behind a long kernel", 200, , cudaEventRecord(T.e0, T.s[0]), ,
             "host.event_record.timing_busy");
    HOST_ROW("event is pending", 200, , cudaStreamWaitEvent(T.s[1], T.ev[1], 0), ,
             "host.stream_wait.pending");
    OK(cudaDeviceSynchronize());
    OK(launch_delay(20000, T.s[0]));
    HOST_ROW("launch and record in turn; behind a long kernel", 150, OK(launch_empty(1, T.s[0])),
             cudaEventRecord(T.ev[1], T.s[0]), , "host.event_record.after_launch");
    HOST_ROW("record and wait in turn; behind a long kernel", 100,
             OK(cudaEventRecord(T.ev[1], T.s[0])), cudaStreamWaitEvent(T.s[1], T.ev[1], 0), ,
             "host.stream_wait.after_record");
    OK(cudaDeviceSynchronize());
}

/* Whole round trips: call, work, synchronise. */
static void round_trips(void)
{
    HOST_ROW("time in the synchronise alone after a launch", 300, OK(launch_empty(1, T.s[0])),
             cudaStreamSynchronize(T.s[0]), , "trip.launch_then_sync");
    HOST_ROW("launch of an empty kernel and stream synchronise", 300, ,
             (launch_empty(1, T.s[0]), cudaStreamSynchronize(T.s[0])), , "trip.launch");
    HOST_ROW("the same with cudaDeviceSynchronize", 300, ,
             (launch_empty(1, T.s[0]), cudaDeviceSynchronize()), , "trip.launch_device_sync");
    HOST_ROW(
        "launch; record; event synchronise", 300, ,
        (launch_empty(1, T.s[0]), cudaEventRecord(T.ev[0], T.s[0]), cudaEventSynchronize(T.ev[0])),
        , "trip.launch_event_sync");
    HOST_ROW("record and stream synchronise", 300, ,
             (cudaEventRecord(T.ev[0], T.s[0]), cudaStreamSynchronize(T.s[0])), ,
             "trip.event_record");
    HOST_ROW("memset of 4 bytes and stream synchronise", 300, ,
             (cudaMemsetAsync(T.dev, 0, 4, T.s[0]), cudaStreamSynchronize(T.s[0])), ,
             "trip.memset_4");
    HOST_ROW("host function and stream synchronise", 100, ,
             (cudaLaunchHostFunc(T.s[0], nothing, NULL), cudaStreamSynchronize(T.s[0])), ,
             "trip.host_func");
    HOST_ROW("kernel of 100 us and stream synchronise", 100, ,
             (launch_delay(100, T.s[0]), cudaStreamSynchronize(T.s[0])), , "trip.delay_100");
    HOST_ROW("kernel of 1000 us and stream synchronise", 100, ,
             (launch_delay(1000, T.s[0]), cudaStreamSynchronize(T.s[0])), , "trip.delay_1000");
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
    probe_us(samples_median(&seen), "from before the launch call to the kernel's store seen",
             "latency.launch_to_flag");
    probe_us(samples_median(&store), "from the launch's return to the kernel's store seen",
             "latency.launched_to_flag");
    probe_us(samples_median(&rest), "from there to the return of the synchronise",
             "latency.flag_to_sync");
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
    probe_us(samples_median(&before), "from a kernel's store seen to the host function",
             "latency.kernel_to_host_func");
    probe_us(samples_median(&between), "next in the same stream", "latency.host_func_to_host_func");
    probe_us(samples_median(&after), "from the host function to the next kernel's store seen",
             "latency.host_func_to_kernel");
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

/* two_device_captures.c: captures that reach streams of another device. */
#include "../context_calls.h"
#include "../devices.h"

/* Device 0's stream begins to capture, and device 1's joins it. */
static struct device_pair forked_pair(void)
{
    struct device_pair x = device_pair();
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    MUST(launch_store(x.s[0], x.p[0], 3));
    MUST(cudaEventRecord(x.e[0], x.s[0]));
    MUST(cudaStreamWaitEvent(x.s[1], x.e[0], 0));
    return x;
}

static cudaGraph_t joined(struct device_pair *x)
{
    MUST(cudaEventRecord(x->e[1], x->s[1]));
    MUST(cudaStreamWaitEvent(x->s[0], x->e[1], 0));
    return end_capture(x->s[0]);
}

ON_TWO_DEVICES("in a capture, device 1's stream while 0 is current: memset of 1's memory, of 0's, "
               "host function")
{
    struct device_pair x = forked_pair();
    answer(cudaMemsetAsync(x.p[1], 0, SMALL, x.s[1]));
    answer(cudaLaunchHostFunc(x.s[1], write_letter, (void *)'h'));
    status_is("active", x.s[0]);
    answer(cudaMemsetAsync(x.p[0], 0, SMALL, x.s[1]));
    status_is("active", x.s[0]);
}

ON_TWO_DEVICES("the other device's memory without peer access: a memset captured; a kernel that "
               "writes it captured, replayed")
{
    struct device_pair x = device_pair();
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    answer(cudaMemsetAsync(x.p[1], 7, SMALL, x.s[0]));
    status_is("active", x.s[0]);
    captured("1 nodes", x.s[0]);
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    answer(launch_store(x.s[0], x.p[1], 7));
    cudaGraph_t g = captured("1 nodes", x.s[0]);
    run_gives("Success then IllegalAddress", new_exec(g));
    gives(IllegalAddress, cudaGetLastError());
}

ON_TWO_DEVICES("device 1's stream joined a capture and is not joined back: with work; without",
               "cudaStreamEndCapture: StreamCaptureUnjoined; Success", "captured: NULL; 1 nodes")
{
    for (int i = 0; i < 2; i++) {
        struct device_pair x = forked_pair();
        if (i == 0)
            MUST(cudaMemsetAsync(x.p[1], 0, SMALL, x.s[1]));
        answer_end(x.s[0]);
        status_is("none", x.s[1]);
    }
}

ON_TWO_DEVICES("in a capture device 0's event is recorded in device 1's stream; the capture then")
{
    struct device_pair x = forked_pair();
    gives(InvalidResourceHandle, cudaEventRecord(x.e[0], x.s[1]));
    status_is("active", x.s[0]);
    captured("1 nodes", x.s[0]);
}

ON_TWO_DEVICES("in a capture device 0's event is recorded externally in device 1's stream; device "
               "1's event; external waits for both")
{
    struct device_pair x = forked_pair();
    cudaEvent_t e0 = event_on(0), e1 = event_on(1);
    answer(cudaEventRecordWithFlags(e1, x.s[1], cudaEventRecordExternal));
    answer(cudaStreamWaitEvent(x.s[1], e0, cudaEventWaitExternal));
    answer(cudaStreamWaitEvent(x.s[1], e1, cudaEventWaitExternal));
    answer(cudaEventRecordWithFlags(e0, x.s[1], cudaEventRecordExternal));
    status_is("active", x.s[0]);
}

ON_TWO_DEVICES("device 1 is current while device 0's stream begins and ends its capture; while its "
               "graph is instantiated, launched")
{
    struct device_pair x = device_pair();
    cudaGraph_t g = NULL;
    cudaGraphExec_t exec = NULL;
    use_device(1);
    answer(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(x.p[0], x.p[0] + 4, 8, cudaMemcpyDefault, x.s[0]));
    answer(cudaMemcpyAsync(x.p[1], x.p[1] + 4, 8, cudaMemcpyDefault, x.s[0]));
    answer(cudaStreamEndCapture(x.s[0], &g));
    answer(cudaGraphInstantiate(&exec, g, 0));
    answer(cudaGraphLaunch(exec, x.s[0]));
    answer(cudaGraphLaunch(exec, x.s[1]));
    answer(cudaStreamSynchronize(x.s[0]));
    answer(cudaStreamSynchronize(x.s[1]));
}

ON_TWO_DEVICES(
    "while device 0's blocking stream captures, work in device 1's legacy stream; in device 0's")
{
    struct device_pair x = device_pair();
    cudaStream_t s = new_stream(0);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    use_device(1);
    answer(cudaMemsetAsync(x.p[1], 0, SMALL, NULL));
    status_is("active", s);
    use_device(0);
    gives(StreamCaptureImplicit, cudaMemsetAsync(x.p[0], 0, SMALL, NULL));
    status_is("invalidated", s);
}

ON_TWO_DEVICES(
    "device 1's blocking stream joined device 0's capture: work in device 1's legacy stream")
{
    struct device_pair x = device_pair();
    cudaStream_t b = blocking_stream_on(1);
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeRelaxed));
    MUST(cudaEventRecord(x.e[0], x.s[0]));
    MUST(cudaStreamWaitEvent(b, x.e[0], 0));
    answer(cudaMemsetAsync(x.p[0], 0, SMALL, NULL));
    status_is("active", x.s[0]);
    use_device(1);
    gives(StreamCaptureImplicit, cudaMemsetAsync(x.p[1], 0, SMALL, NULL));
    status_is("invalidated", x.s[0]);
}

ON_TWO_DEVICES("during device 0's Global capture, with device 1 current: cudaMalloc; a Relaxed "
               "one: cudaDeviceSynchronize; cudaMalloc")
{
    struct device_pair x = device_pair();
    void *p;
    begin_capture(x.s[0], cudaStreamCaptureModeGlobal);
    use_device(1);
    gives(StreamCaptureUnsupported, cudaMalloc(&p, 64));
    is_invalidated(x.s[0]);
    use_device(0);
    begin_capture(x.s[0], cudaStreamCaptureModeRelaxed);
    use_device(1);
    answer(cudaMalloc(&p, 64));
    answer(cudaStreamSynchronize(x.s[1]));
    status_is("active", x.s[0]);
    answer(cudaDeviceSynchronize());
    status_is("active", x.s[0]);
}

ON_TWO_DEVICES(
    "device 1's stream joined device 0's Relaxed capture: cudaDeviceSynchronize of device 1")
{
    struct device_pair x = device_pair();
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeRelaxed));
    MUST(cudaEventRecord(x.e[0], x.s[0]));
    MUST(cudaStreamWaitEvent(x.s[1], x.e[0], 0));
    use_device(1);
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    status_is("invalidated", x.s[0]);
    gives(StreamCaptureUnsupported, cudaStreamSynchronize(x.s[1]));
    status_is("invalidated", x.s[0]);
}

ON_TWO_DEVICES("a capture on each device; one waits for the other's event")
{
    struct device_pair x = device_pair();
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    answer(cudaStreamBeginCapture(x.s[1], cudaStreamCaptureModeGlobal));
    MUST(cudaEventRecord(x.e[0], x.s[0]));
    gives(StreamCaptureMerge, cudaStreamWaitEvent(x.s[1], x.e[0], 0));
    status_is("invalidated", x.s[0]);
    status_is("invalidated", x.s[1]);
}

ON_TWO_DEVICES("cudaStreamEndCapture of device 1's stream that joined device 0's capture")
{
    struct device_pair x = forked_pair();
    end_gives(StreamCaptureUnmatched, "NULL", x.s[1]);
    is_invalidated(x.s[0]);
}

ON_TWO_DEVICES(
    "in a capture, cudaMallocAsync in device 1's stream, used there and by a copy, freed")
{
    struct device_pair x = forked_pair();
    void *p = NULL;
    answer(cudaMallocAsync(&p, SMALL, x.s[1]));
    answer(cudaMemsetAsync(p, 6, SMALL, x.s[1]));
    gives(InvalidValue, cudaMemcpyAsync(x.p[0], p, SMALL, cudaMemcpyDefault, x.s[1]));
    answer(cudaFreeAsync(p, x.s[1]));
    cudaGraph_t g = joined(&x);
    types_are("kernel alloc memset free", g);
    answer_run(new_exec(g));
    fact("byte", "3", "%d", byte_on(0, x.p[0]));
}

ON_TWO_DEVICES("in a capture, memory of cudaMallocAsync on device 1 is written by a kernel of "
               "device 0, with peer access")
{
    enable_peers();
    struct device_pair x = device_pair();
    void *p = NULL;
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    MUST(cudaEventRecord(x.e[0], x.s[0]));
    MUST(cudaStreamWaitEvent(x.s[1], x.e[0], 0));
    answer(cudaMallocAsync(&p, SMALL, x.s[1]));
    MUST(cudaEventRecord(x.e[1], x.s[1]));
    MUST(cudaStreamWaitEvent(x.s[0], x.e[1], 0));
    answer(launch_store(x.s[0], p, 5));
    answer(cudaFreeAsync(p, x.s[0]));
    cudaGraph_t g = captured("3 nodes", x.s[0]);
    run_gives("Success then IllegalAddress", new_exec(g));
}

ON_TWO_DEVICES(
    "a graph over both devices launched in device 1's stream while 0 is current; while 1 is")
{
    struct device_pair x = forked_pair();
    use_device(1);
    MUST(launch_store(x.s[1], x.p[1], 4));
    use_device(0);
    cudaGraph_t g = joined(&x);
    cudaGraphExec_t exec = new_exec(g);
    answer(cudaGraphLaunch(exec, x.s[1]));
    use_device(1);
    answer(cudaGraphLaunch(exec, x.s[1]));
    answer(cudaGraphUpload(exec, x.s[1]));
    answer(cudaGraphUpload(exec, x.s[0]));
    answer(cudaStreamSynchronize(x.s[1]));
    use_device(0);
    fact("values", "3 4", "%d %d", device_int(x.p[0]), byte_on(1, x.p[1]));
}

ON_TWO_DEVICES("cudaStreamBeginCaptureToGraph in device 1's stream after nodes of device 0")
{
    struct device_pair x = device_pair();
    cudaGraph_t g = new_graph(), same = NULL;
    cudaGraphNode_t n = add_store(g, NULL, x.p[0], 1);
    answer(cudaStreamBeginCaptureToGraph(x.s[1], g, &n, NULL, 1, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(x.p[1], x.p[0], 4, cudaMemcpyDefault, x.s[1]));
    answer(cudaStreamEndCapture(x.s[1], &same));
    edges_are("0>1", g);
    answer_run(new_exec(g));
    fact("byte", "1", "%d", byte_on(1, x.p[1]));
}

ON_TWO_DEVICES(
    "device 0 is current: device 1's stream begins the capture, device 0's joins; a kernel in each")
{
    struct device_pair x = device_pair();
    cudaGraph_t g = NULL;
    answer(cudaStreamBeginCapture(x.s[1], cudaStreamCaptureModeGlobal));
    answer(launch_store(x.s[1], x.p[1], 8));
    answer(cudaEventRecord(x.e[1], x.s[1]));
    answer(cudaStreamWaitEvent(x.s[0], x.e[1], 0));
    answer(launch_store(x.s[0], x.p[0], 9));
    answer(cudaEventRecord(x.e[0], x.s[0]));
    answer(cudaStreamWaitEvent(x.s[1], x.e[0], 0));
    answer(cudaStreamEndCapture(x.s[1], &g));
    answer_run(new_exec(g));
    fact("values", "9 8", "%d %d", device_int(x.p[0]), byte_on(1, x.p[1]));
}

ON_TWO_DEVICES("cudaMemPrefetchAsync to device 1 in a capture of device 0's stream")
{
    struct device_pair x = device_pair();
    void *m = NULL;
    MUST(cudaMallocManaged(&m, PAGE, cudaMemAttachGlobal));
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    gives(StreamCaptureUnsupported, cudaMemPrefetchAsync(m, PAGE, device_location(1), 0, x.s[0]));
    status_is("invalidated", x.s[0]);
}

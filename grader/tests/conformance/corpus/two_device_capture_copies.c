/* two_device_capture_copies.c: copies between devices in captures, and peer access that comes and
 * goes between capture and launch. */
#include "../context_calls.h"
#include "../devices.h"

static void peer_call_in_capture(void)
{
    struct device_pair x = device_pair();
    begin_capture(x.s[0], cudaStreamCaptureModeRelaxed);
    answer(cudaMemcpyPeerAsync(x.p[0], 0, x.p[1], 1, SMALL, x.s[0]));
    answer_status(x.s[0]);
    answer_end(x.s[0]);
    answer(cudaGetLastError());
}

ROW_ON_TWO_DEVICES(peer_call_in_capture(),
                   "cudaMemcpyPeerAsync between them in a Relaxed capture, without peer access",
                   "cudaMemcpyPeerAsync: StreamCaptureUnsupported", "status: invalidated",
                   "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL",
                   "cudaGetLastError: StreamCaptureInvalidated")

ON_TWO_DEVICES("cudaMemcpyPeerAsync within device 1 in a capture of device 0's stream")
{
    struct device_pair x = device_pair();
    begin_capture(x.s[0], cudaStreamCaptureModeGlobal);
    gives(StreamCaptureUnsupported, cudaMemcpyPeerAsync(x.p[1], 1, x.p[1] + 4, 1, 16, x.s[0]));
    status_is("invalidated", x.s[0]);
    gives(InvalidDevice, cudaMemcpyPeerAsync(x.p[1], 1, x.p[1] + 4, 99, 16, x.s[0]));
    end_gives(StreamCaptureInvalidated, "NULL", x.s[0]);
}

ON_TWO_DEVICES("cudaMemcpyPeer, cudaMemcpy between them during a Global capture of a non-blocking "
               "stream; of a blocking one",
               "cudaMemcpyPeer: Success; StreamCaptureImplicit",
               "status: active; active; invalidated; invalidated",
               "cudaMemcpy: Success; StreamCaptureImplicit",
               "cudaStreamEndCapture: Success; StreamCaptureInvalidated", "captured: 1 nodes; NULL")
{
    for (int i = 0; i < 2; i++) {
        struct device_pair x = device_pair();
        cudaStream_t s = new_stream(i ? 0 : cudaStreamNonBlocking);
        begin_capture(s, cudaStreamCaptureModeGlobal);
        answer(cudaMemcpyPeer(x.p[0], 0, x.p[1], 1, SMALL));
        answer_status(s);
        answer(cudaMemcpy(x.p[0], x.p[1], SMALL, cudaMemcpyDefault));
        answer_status(s);
        answer_end(s);
    }
}

static void copy_captured(const char *value)
{
    struct device_pair x = device_pair();
    MUST(cudaMemset(x.p[0], 7, SMALL));
    MUST(cudaDeviceSynchronize());
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(x.p[1], x.p[0], SMALL, cudaMemcpyDeviceToDevice, x.s[0]));
    cudaGraph_t g = answer_end(x.s[0]);
    answer_types(g);
    answer_run(new_exec(g));
    answer_fact(value, "%d", byte_on(1, x.p[1]));
}

ROW_ON_TWO_DEVICES(copy_captured("copied"),
                   "cudaMemcpyAsync between them captured and replayed, without peer access",
                   "captured: 1 nodes", "types: memcpy", "copied: 7")

ON_TWO_DEVICES("cudaMemcpyAsync between them captured and replayed, with peer access",
               "captured: 1 nodes", "types: memcpy", "copied: 7")
{
    enable_peers();
    copy_captured("copied");
}

ON_TWO_DEVICES(
    "in a capture, device 0's stream copies from the host to device 1, device 1 to the host; "
    "pageable memory to device 1; cudaMemcpy2DAsync and cudaMemcpy3DAsync between them")
{
    struct device_pair x = device_pair();
    int *h = pinned_bytes(SMALL);
    h[0] = 9;
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(x.p[1], h, 4, cudaMemcpyHostToDevice, x.s[0]));
    answer(cudaMemcpyAsync(h + 1, x.p[1], 4, cudaMemcpyDeviceToHost, x.s[0]));
    cudaGraph_t g = captured("2 nodes", x.s[0]);
    answer_run(new_exec(g));
    fact("host", "9", "%d", h[1]);
    h = pageable_bytes(SMALL);
    h[0] = 4;
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(x.p[1], h, 4, cudaMemcpyHostToDevice, x.s[0]));
    g = captured("1 nodes", x.s[0]);
    answer_run(new_exec(g));
    fact("byte", "4", "%d", byte_on(1, x.p[1]));
    struct cudaMemcpy3DParms m =
        copy_3d_params(pitched(x.p[0], 16, 16, 4), pitched(x.p[1], 16, 16, 4), extent(16, 2, 1),
                       cudaMemcpyDeviceToDevice);
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    answer(cudaMemcpy2DAsync(x.p[0], 16, x.p[1], 16, 8, 4, cudaMemcpyDeviceToDevice, x.s[0]));
    answer(cudaMemcpy3DAsync(&m, x.s[0]));
    g = captured("2 nodes", x.s[0]);
    types_are("memcpy memcpy", g);
    answer_run(new_exec(g));
}

ON_TWO_DEVICES(
    "a memset of the other device's memory captured with peer access; disabled; instantiated")
{
    struct device_pair x = device_pair();
    cudaGraphExec_t exec = NULL;
    enable_peers();
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    MUST(cudaMemsetAsync(x.p[1], 3, SMALL, x.s[0]));
    cudaGraph_t g = end_capture(x.s[0]);
    MUST(cudaDeviceDisablePeerAccess(1));
    gives(InvalidValue, cudaGraphInstantiate(&exec, g, 0));
}

ON_TWO_DEVICES("captured without peer access, then enabled: a kernel that writes the other "
               "device's memory: instantiated before, after")
{
    struct device_pair x = device_pair();
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    MUST(launch_store(x.s[0], x.p[1], 7));
    cudaGraph_t g = end_capture(x.s[0]);
    cudaGraphExec_t before = new_exec(g);
    enable_peers();
    answer_run(before);
    answer_run(new_exec(g));
    fact("byte", "7", "%d", byte_on(1, x.p[1]));
}

ON_TWO_DEVICES(
    "cudaMemcpyAsync from 0 to 1 captured in device 1's stream without peer access, launched there")
{
    struct device_pair x = device_pair();
    MUST(cudaMemset(x.p[0], 7, SMALL));
    MUST(cudaDeviceSynchronize());
    use_device(1);
    MUST(cudaStreamBeginCapture(x.s[1], cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(x.p[1], x.p[0], SMALL, cudaMemcpyDeviceToDevice, x.s[1]));
    cudaGraph_t g = end_capture(x.s[1]);
    answer(cudaGraphLaunch(new_exec(g), x.s[1]));
    answer(cudaStreamSynchronize(x.s[1]));
    fact("copied", "7", "%d", byte_on(1, x.p[1]));
}

/* Of a graph captured and instantiated with peer access, which then is disabled. */
static void launch_without_access(bool copies)
{
    struct device_pair x = device_pair();
    enable_peers();
    MUST(cudaMemset(x.p[0], 3, SMALL));
    MUST(cudaDeviceSynchronize());
    MUST(cudaStreamBeginCapture(x.s[0], cudaStreamCaptureModeGlobal));
    if (copies)
        MUST(cudaMemcpyAsync(x.p[1], x.p[0], SMALL, cudaMemcpyDefault, x.s[0]));
    else
        MUST(cudaMemsetAsync(x.p[1], 3, SMALL, x.s[0]));
    cudaGraph_t g = end_capture(x.s[0]);
    cudaGraphExec_t exec = new_exec(g);
    MUST(cudaDeviceDisablePeerAccess(1));
    use_device(1);
    MUST(cudaDeviceDisablePeerAccess(0));
    use_device(0);
    answer(cudaGraphLaunch(exec, x.s[0]));
    answer(cudaStreamSynchronize(x.s[0]));
    answer(cudaGetLastError());
}

ROW_ON_TWO_DEVICES(
    launch_without_access(true),
    "a copy between them captured and instantiated with peer access; disabled; launched",
    "cudaStreamSynchronize: LaunchFailure", "cudaGetLastError: LaunchFailure")
ROW_ON_TWO_DEVICES(launch_without_access(false),
                   "a memset of the other device's memory captured and instantiated with peer "
                   "access; disabled; launched",
                   "cudaStreamSynchronize: LaunchFailure", "cudaGetLastError: LaunchFailure")

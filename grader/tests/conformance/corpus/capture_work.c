/* capture_work.c: what captured work becomes, and when its arguments are read. */
#include "../graphs.h"

SITUATION("begin and end a capture of cudaStreamPerThread; a memset in it; cudaMemcpy in a Relaxed "
          "one; end")
{
    char *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    answer(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal));
    captured("0 nodes", cudaStreamPerThread);
    begin_capture(cudaStreamPerThread, cudaStreamCaptureModeGlobal);
    captured("1 nodes", cudaStreamPerThread);
    begin_capture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed);
    gives(StreamCaptureImplicit, cudaMemcpy(p, h, SMALL, cudaMemcpyHostToDevice));
    is_invalidated(cudaStreamPerThread);
}

SITUATION("captured work does not run until the graph is launched, and again at each launch")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(SMALL);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMemsetAsync(p, 7, SMALL, s));
    cudaGraph_t g = end_capture(s);
    MUST(cudaStreamSynchronize(s));
    shows("0", "%d", device_byte(p));
    cudaGraphExec_t x = new_exec(g);
    shows("0", "%d", device_byte(p));
    answer_run(x);
    shows("7", "%d", device_byte(p));
    set_device_int(p, 0);
    answer_run(x);
    shows("7", "%d", device_byte(p));
}

SITUATION(
    "a captured copy from pinned memory; from pageable memory: the source is read at each launch",
    "device_int(p), device_int(q): 10 11; 20 21")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(SMALL), *q = device_bytes(SMALL);
    int *pinned = pinned_bytes(SMALL), *pageable = pageable_bytes(SMALL);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(p, pinned, SMALL, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyAsync(q, pageable, SMALL, cudaMemcpyHostToDevice, s));
    cudaGraph_t g = end_capture(s);
    cudaGraphExec_t x = new_exec(g);
    for (int i = 1; i < 3; i++) {
        *pinned = 10 * i;
        *pageable = 10 * i + 1;
        answer_run(x);
        answer_text("%d %d", device_int(p), device_int(q));
    }
}

SITUATION("a captured copy to pinned; to pageable memory; pageable to pageable: types, and what is "
          "there after a launch")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(SMALL);
    int *pinned = pinned_bytes(SMALL), *a = pageable_bytes(SMALL), *b = pageable_bytes(SMALL);
    set_device_int(p, 4);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemcpyAsync(pinned, p, SMALL, cudaMemcpyDeviceToHost, s));
    answer(cudaMemcpyAsync(a, p, SMALL, cudaMemcpyDeviceToHost, s));
    answer(cudaMemcpyAsync(b, a, SMALL, cudaMemcpyHostToHost, s));
    cudaGraph_t g = end_capture(s);
    types_are("memcpy memcpy memcpy", g);
    shows("0 0 0", "%d %d %d", *pinned, *a, *b);
    answer_run(new_exec(g));
    shows("4 4 4", "%d %d %d", *pinned, *a, *b);
}

SITUATION("in a capture: a kernel, copies 1-D, 2-D, 3-D and device to device, memsets 1-D, 2-D and "
          "3-D, a host function: the types of the nodes")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(4096), value = 1;
    char *h = pinned_bytes(4096);
    void *args[] = {&p, &value};
    struct cudaMemcpy3DParms c = copy_3d_params(pitched(p, 64, 64, 8), pitched(h, 64, 64, 8),
                                                extent(8, 2, 2), cudaMemcpyHostToDevice);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(launch_one(situation_store(), args, s));
    MUST(cudaMemcpyAsync(p, h, SMALL, cudaMemcpyHostToDevice, s));
    MUST(cudaMemcpy2DAsync(p, 64, h, 64, 8, 2, cudaMemcpyHostToDevice, s));
    MUST(cudaMemcpy3DAsync(&c, s));
    MUST(cudaMemcpyAsync(p, p + 512, SMALL, cudaMemcpyDeviceToDevice, s));
    MUST(cudaMemsetAsync(p, 0, SMALL, s));
    MUST(cudaMemset2DAsync(p, 64, 0, 8, 2, s));
    MUST(cudaMemset3DAsync(c.dstPtr, 0, c.extent, s));
    MUST(cudaLaunchHostFunc(s, write_letter, NULL));
    cudaGraph_t g = captured("10 nodes", s);
    types_are("kernel memcpy memcpy memcpy memcpy memset memset memset memset host", g);
    shape_is("10 nodes, 9 edges, 1 roots", g);
    answer_run(new_exec(g));
}

static void CUDART_CB callback(cudaStream_t s, cudaError_t e, void *unused)
{
    (void)s;
    (void)e;
    (void)unused;
}

SITUATION("cudaStreamAddCallback in a capture; status; end")
{
    cudaStream_t s = capturing(cudaStreamCaptureModeRelaxed);
    gives(StreamCaptureUnsupported, cudaStreamAddCallback(s, callback, NULL, 0));
    is_invalidated(s);
}

SITUATION("cudaStreamPerThread joins a capture, works, is joined: nodes, edges")
{
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    order_streams(s, cudaStreamPerThread);
    status_is("active", cudaStreamPerThread);
    some_work(cudaStreamPerThread);
    order_streams(cudaStreamPerThread, s);
    edges_are("0>1", captured("2 nodes", s));
    status_is("none", cudaStreamPerThread);
}

SITUATION("captured 2-D copy, 3-D memset, 2-D memset of one row, symbol copy: types")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(1024), *q = device_bytes(1024);
    static int values[4];
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer(cudaMemcpy2DAsync(p, 32, q, 16, 8, 4, cudaMemcpyDefault, s));
    answer(cudaMemset3DAsync(pitched(p, 16, 16, 4), 1, extent(8, 2, 2), s));
    answer(cudaMemset2DAsync(p, 32, 1, 8, 1, s));
    answer(cudaMemcpyToSymbolAsync(situation_numbers(), values, 16, 0, cudaMemcpyHostToDevice, s));
    types_are("memcpy memset memset memset memcpy", captured("5 nodes", s));
}

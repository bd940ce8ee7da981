/* capture_unsafe_calls.c: several unsafe calls in one capture, and its status after each. */
#include <stdlib.h>

#include "../graphs.h"

SITUATION("cudaHostRegister and cudaHostUnregister in a Global capture; status; in a Relaxed one",
          "cudaHostRegister: StreamCaptureUnsupported; Success",
          "cudaHostUnregister: StreamCaptureUnsupported; Success", "status: invalidated; active",
          "cudaStreamEndCapture: StreamCaptureInvalidated; Success", "captured: NULL; 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    void *p = aligned_alloc(4096, 4096);
    for (int i = 0; i < 2; i++) {
        begin_capture(s, i ? cudaStreamCaptureModeRelaxed : cudaStreamCaptureModeGlobal);
        answer(cudaHostRegister(p, 4096, 0));
        answer(cudaHostUnregister(p));
        answer_status(s);
        answer_end(s);
    }
}

SITUATION("cudaEventDestroy of an event recorded in the capture, in a Global capture; "
          "cudaStreamDestroy of another stream; cudaGraphDestroy of another graph; status")
{
    cudaEvent_t e = new_event(0);
    cudaGraph_t g = captured_memsets(1);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventDestroy(e));
    answer(cudaStreamDestroy(t));
    answer(cudaGraphDestroy(g));
    status_is("active", s);
    captured("1 nodes", s);
}

SITUATION("cudaGraphExecDestroy and cudaGraphExecKernelNodeSetParams in a Global capture: status "
          "after each")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 2);
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    status_is("active", s);
    gives(StreamCaptureUnsupported, cudaGraphExecDestroy(x));
    is_invalidated(s);
}

SITUATION("cudaFuncSetAttribute and cudaFuncSetCacheConfig in a Global capture; occupancy; "
          "cudaDeviceSetLimit; status after each")
{
    int n;
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    answer(
        cudaFuncSetAttribute(situation_store(), cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    status_is("active", s);
    answer(cudaFuncSetCacheConfig(situation_store(), cudaFuncCachePreferL1));
    answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, situation_store(), 32, 0));
    status_is("active", s);
    gives(StreamCaptureUnsupported, cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    status_is("invalidated", s);
}

SITUATION("a blocking stream captures: work in another blocking stream; in a non-blocking one; "
          "cudaMallocAsync in another; status")
{
    cudaStream_t s = new_stream(0), t = new_stream(0), u = nonblocking_stream();
    void *p;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    some_work(t);
    some_work(u);
    gives(StreamCaptureUnsupported, cudaMallocAsync(&p, 64, t));
    gives(StreamCaptureUnsupported, cudaFreeAsync(p, t));
    is_invalidated(s);
    answer(cudaDeviceSynchronize());
}

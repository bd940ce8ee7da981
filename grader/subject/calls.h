/* calls.h: the calls of the runtime that adapters look at.
 *
 * The submission's calls of these functions, and the grader's own in this process, come to calls.c.
 * It reports them to the adapter (subject_lab's before_call), calls the runtime's function, and
 * reports what that returned (after_call). Any thread may make a call. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

enum subject_function {
    CALL_cudaLaunchKernel, /* kernel, arguments, stream */
    CALL_cudaLaunchKernelExC,
    CALL_cudaMemcpy, /* to, from, bytes */
    CALL_cudaMemcpyAsync,
    CALL_cudaEventRecord, /* event, stream */
    CALL_cudaEventRecordWithFlags,
    CALL_cudaStreamWaitEvent,
    CALL_cudaStreamSynchronize, /* stream */
    CALL_cudaStreamQuery,
    CALL_cudaEventSynchronize,
    CALL_cudaEventQuery,
    CALL_cudaStreamBeginCapture, /* stream */
    CALL_cudaStreamBeginCaptureToGraph,
    CALL_cudaStreamEndCapture,         /* stream, captured */
    CALL_cudaGraphInstantiate,         /* graph, flags, made */
    CALL_cudaGraphUpload,              /* exec, stream */
    CALL_cudaGraphLaunch,              /* exec, stream; on the simulated device, of kernels too */
    CALL_cudaGraphDestroy,             /* graph */
    CALL_cudaGraphExecDestroy,         /* exec */
    CALL_cudaGraphKernelNodeGetParams, /* params */
    CALL_cudaGraphExecKernelNodeSetParams,
    CALL_cudaGraphConditionalHandleCreate /* graph, value, flags, handle */
};

/* A call; arguments that its function does not have are 0. */
struct subject_call {
    enum subject_function function;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    const void *kernel;
    void **arguments;
    const void *to, *from;
    size_t bytes;
    const struct cudaKernelNodeParams *params;
    unsigned long long flags;
    unsigned value;

    /* after_call: what the call has made, unless it failed */
    const cudaGraph_t *captured;
    const cudaGraphExec_t *made;
    const cudaGraphConditionalHandle *handle;

    cudaError_t error; /* after_call: what the runtime returned */
    bool is_skipped;   /* before_call sets it: the runtime's function is not called, and the call
                          returns `error` */
};

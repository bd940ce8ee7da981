/* error_state.c: the last error, and names and texts of errors. */
#include <pthread.h>

#include "../graphs.h"

SITUATION("a failed call, a successful call, get last error, get last error")
{
    void *p = NULL;
    gives(InvalidValue, cudaMalloc(NULL, 16));
    answer(cudaMalloc(&p, 16));
    gives(InvalidValue, cudaGetLastError());
    answer(cudaGetLastError());
}

SITUATION("two different failed calls, get last error")
{
    gives(InvalidDevice, cudaSetDevice(99));
    gives(InvalidValue, cudaMalloc(NULL, 16));
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("a failed call, peek, peek, get last error, peek")
{
    cudaMalloc(NULL, 16);
    gives(InvalidValue, cudaPeekAtLastError());
    gives(InvalidValue, cudaPeekAtLastError());
    gives(InvalidValue, cudaGetLastError());
    answer(cudaPeekAtLastError());
}

static void *last_error_there(void *code)
{
    *(cudaError_t *)code = cudaGetLastError();
    return NULL;
}

SITUATION("a failed call, get last error in another thread, in this one")
{
    pthread_t other;
    cudaError_t there = cudaErrorUnknown;
    cudaMalloc(NULL, 16);
    pthread_create(&other, NULL, last_error_there, &there);
    pthread_join(other, NULL);
    answer_error(NULL, "in the thread", there);
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("cudaEventElapsedTime before the end event, get last error")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t from = new_event(0), to = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(from, s));
    gate_shut(s);
    MUST(cudaEventRecord(to, s));
    gives(NotReady, cudaEventElapsedTime(&ms, from, to));
    answer(cudaGetLastError());
}

SITUATION("cudaMalloc(NULL), cudaStreamQuery of a busy stream, get last error")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    gives(InvalidValue, cudaMalloc(NULL, 16));
    gives(NotReady, cudaStreamQuery(s));
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("cudaMalloc of 1 PiB; peek; get last error; get last error; cudaMalloc of 16 bytes")
{
    void *p = NULL;
    gives(MemoryAllocation, cudaMalloc(&p, (size_t)1 << 50));
    gives(MemoryAllocation, cudaPeekAtLastError());
    gives(MemoryAllocation, cudaGetLastError());
    answer(cudaGetLastError());
    answer(cudaMalloc(&p, 16));
}

SITUATION("cudaFree twice, cudaDeviceSynchronize, get last error")
{
    void *p = device_bytes(16);
    answer(cudaFree(p));
    gives(InvalidValue, cudaFree(p));
    answer(cudaDeviceSynchronize());
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("cudaGetErrorName and cudaGetErrorString leave the last error alone")
{
    cudaMalloc(NULL, 16);
    cudaGetErrorName(cudaErrorInvalidDevice);
    cudaGetErrorString(cudaErrorInvalidDevice);
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("names of 0, 1, 2, 600, 700, 901, 999",
          "cudaGetErrorName: cudaSuccess; cudaErrorInvalidValue; cudaErrorMemoryAllocation; "
          "cudaErrorNotReady; cudaErrorIllegalAddress; cudaErrorStreamCaptureInvalidated; "
          "cudaErrorUnknown")
{
    static const int codes[] = {0, 1, 2, 600, 700, 901, 999};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        answer_text("%s", cudaGetErrorName((cudaError_t)codes[i]));
}

SITUATION("texts of 0, 1, 2, 35, 100, 101, 400, 600, 700, 801, 900",
          "cudaGetErrorString: no error; invalid argument; out of memory; CUDA driver version is "
          "insufficient for CUDA runtime version; no CUDA-capable device is detected; invalid "
          "device ordinal; invalid resource handle; device not ready; an illegal memory access was "
          "encountered; operation not supported; operation not permitted when stream is capturing")
{
    static const int codes[] = {0, 1, 2, 35, 100, 101, 400, 600, 700, 801, 900};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        answer_text("%s", cudaGetErrorString((cudaError_t)codes[i]));
}

SITUATION("name and text of -1 and of 12345")
{
    shows("unrecognized error code", "%s", cudaGetErrorName((cudaError_t)-1));
    shows("unrecognized error code", "%s", cudaGetErrorString((cudaError_t)-1));
    shows("unrecognized error code", "%s", cudaGetErrorName((cudaError_t)12345));
    shows("unrecognized error code", "%s", cudaGetErrorString((cudaError_t)12345));
}

SITUATION("a failed call, then cudaDeviceSynchronize and cudaStreamSynchronize(0)")
{
    cudaMalloc(NULL, 16);
    answer(cudaDeviceSynchronize());
    answer(cudaStreamSynchronize(0));
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("an error in another thread: cudaGetLastError here; there")
{
    void *p;
    gives(MemoryAllocation, cudaMalloc(&p, 1ull << 50));
    gives(MemoryAllocation, cudaPeekAtLastError());
    gives(InvalidValue, cudaMemset(NULL, 1, 4));
    gives(InvalidValue, cudaPeekAtLastError());
    answer(cudaMemGetInfo(NULL, NULL));
    gives(InvalidValue, cudaGetLastError());
    answer(cudaGetLastError());
}

static void bad_call(void *p)
{
    answer(cudaMemset(p, 1, 4));
    answer(cudaPeekAtLastError());
}

SITUATION("a failing call in another thread: that thread's last error, this thread's",
          "cudaMemset: InvalidValue", "cudaPeekAtLastError: InvalidValue")
{
    MUST(cudaFree(NULL));
    in_thread(bad_call, NULL);
    answer(cudaGetLastError());
}

SITUATION("cudaGetErrorName and cudaGetErrorString of 0, 1, 900, 901, 98, 12345; of -1",
          "name, text: cudaSuccess: no error; cudaErrorInvalidValue: invalid argument; "
          "cudaErrorStreamCaptureUnsupported: operation not permitted when stream is capturing; "
          "cudaErrorStreamCaptureInvalidated: operation failed due to a previous error during "
          "capture; cudaErrorInvalidDeviceFunction: invalid device function; unrecognized error "
          "code: unrecognized error code; unrecognized error code: unrecognized error code")
{
    static const int codes[] = {0, 1, 900, 901, 98, 12345, -1};
    for (int i = 0; i < 7; i++)
        answer_fact("name, text", "%s: %s", cudaGetErrorName((cudaError_t)codes[i]),
                    cudaGetErrorString((cudaError_t)codes[i]));
}

SITUATION("cudaGraphInstantiate of a cycle: last error; a failed update: last error; "
          "cudaGraphGetEdges lossy: last error")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    cudaGraphExec_t x, y;
    cudaGraphExecUpdateResultInfo info;
    add_edge(g, b, a);
    gives(InvalidValue, cudaGraphInstantiate(&x, g, 0));
    gives(InvalidValue, cudaGetLastError());
    add_empty(h, NULL);
    y = new_exec(new_graph());
    gives(GraphExecUpdateFailure, cudaGraphExecUpdate(y, h, &info));
    gives(GraphExecUpdateFailure, cudaGetLastError());
}

/* host_functions.c: host functions and stream callbacks. */
#include <pthread.h>
#include <stdatomic.h>

#include "../situation.h"

/* What a function run by the device saw. */
static struct {
    pthread_t thread;
    cudaError_t status, malloc, query, device, peek, last, sync, event;
    cudaStream_t stream;
    void *data;
    atomic_int runs;
} seen;

static void CUDART_CB note(void *data)
{
    seen.thread = pthread_self();
    seen.data = data;
    atomic_fetch_add(&seen.runs, 1);
}

static void CUDART_CB note_callback(cudaStream_t s, cudaError_t status, void *data)
{
    seen.stream = s;
    seen.status = status;
    note(data);
}

SITUATION("cudaLaunchHostFunc(NULL function); cudaStreamAddCallback(NULL function); with flags 1; "
          "99; cudaLaunchHostFunc: it ran once after synchronising, with its data, in another "
          "thread; in 0; in cudaStreamLegacy; in cudaStreamPerThread: runs; cudaStreamAddCallback: "
          "status, stream and data it is given; in 0: the stream it receives")
{
    cudaStream_t s = new_stream(0);
    gives(InvalidValue, cudaLaunchHostFunc(s, NULL, NULL));
    gives(InvalidValue, cudaStreamAddCallback(s, NULL, NULL, 0));
    gives(InvalidValue, cudaStreamAddCallback(s, note_callback, NULL, 1));
    gives(InvalidValue, cudaStreamAddCallback(s, note_callback, NULL, 99));
    answer(cudaStreamSynchronize(s));
    shows("0 runs", "%d runs", seen.runs);
    answer(cudaLaunchHostFunc(s, note, &seen));
    answer(cudaStreamSynchronize(s));
    shows("1 run", "%d run", seen.runs);
    shows("its data", seen.data == &seen ? "its data" : "other data");
    fact("seen.thread", "another thread", "%s",
         pthread_equal(seen.thread, pthread_self()) ? "this thread" : "another thread");
    answer(cudaLaunchHostFunc(0, note, NULL));
    answer(cudaLaunchHostFunc(cudaStreamLegacy, note, NULL));
    answer(cudaLaunchHostFunc(cudaStreamPerThread, note, NULL));
    answer(cudaDeviceSynchronize());
    shows("4 runs", "%d runs", seen.runs);
    seen.status = cudaErrorUnknown;
    answer(cudaStreamAddCallback(s, note_callback, &seen, 0));
    answer(cudaStreamSynchronize(s));
    answer(seen.status);
    shows("its stream", seen.stream == s ? "its stream" : "another stream");
    shows("its data", seen.data == &seen ? "its data" : "other data");
    seen.stream = cudaStreamPerThread;
    answer(cudaStreamAddCallback(0, note_callback, NULL, 0));
    answer(cudaDeviceSynchronize());
    shows("0", seen.stream == 0                  ? "0"
               : seen.stream == cudaStreamLegacy ? "cudaStreamLegacy"
                                                 : "another");
}

static void CUDART_CB call_cuda(void *unused)
{
    void *p = NULL;
    int d = -1;
    (void)unused;
    seen.malloc = cudaMalloc(&p, 64);
    seen.peek = cudaPeekAtLastError();
    seen.query = cudaStreamQuery(0);
    seen.device = cudaGetDevice(&d);
    seen.sync = cudaDeviceSynchronize();
    seen.last = cudaGetLastError();
}

static void CUDART_CB call_cuda_callback(cudaStream_t s, cudaError_t status, void *data)
{
    (void)s;
    (void)status;
    call_cuda(data);
}

SITUATION("CUDA calls in a host function: malloc, peek, stream query, get device, synchronize, "
          "last error; outside: last error; in a callback: malloc, stream query, synchronize")
{
    cudaStream_t s = new_stream(0);
    MUST(cudaLaunchHostFunc(s, call_cuda, NULL));
    answer(cudaStreamSynchronize(s));
    gives(NotPermitted, seen.malloc);
    gives(NotPermitted, seen.peek);
    gives(NotPermitted, seen.query);
    gives(NotPermitted, seen.device);
    gives(NotPermitted, seen.sync);
    gives(NotPermitted, seen.last);
    answer(cudaGetLastError());
    memset(&seen, 0, sizeof seen);
    MUST(cudaStreamAddCallback(s, call_cuda_callback, NULL, 0));
    answer(cudaStreamSynchronize(s));
    gives(NotPermitted, seen.malloc);
    gives(NotPermitted, seen.query);
    gives(NotPermitted, seen.sync);
}

static void CUDART_CB nap(void *unused)
{
    (void)unused;
    let_pass(50000);
    atomic_fetch_add(&seen.runs, 1);
}

SITUATION("work after a host function waits for it to return")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    MUST(cudaLaunchHostFunc(s, nap, NULL));
    MUST(cudaEventRecord(e, s));
    gives(NotReady, cudaEventQuery(e));
    answer(cudaEventSynchronize(e));
    shows("1 run", "%d run", seen.runs);
}

SITUATION("a host function sees what the copy before it wrote")
{
    static int *got, saw;
    int *d = device_bytes(sizeof *d), five = 5;
    cudaStream_t s = new_stream(0);
    got = pinned_bytes(sizeof *got);
    MUST(cudaMemcpy(d, &five, sizeof five, cudaMemcpyHostToDevice));
    MUST(cudaMemcpyAsync(got, d, sizeof *got, cudaMemcpyDeviceToHost, s));
    MUST(cudaLaunchHostFunc(s, note, NULL));
    answer(cudaStreamSynchronize(s));
    saw = *got;
    fact("saw, runs", "5, 1 run", "%d, %d run", saw, seen.runs);
}

SITUATION("a host function in one stream while one in another stream is still running")
{
    gate_shut(nonblocking_stream());
    cudaStream_t s = nonblocking_stream();
    MUST(cudaLaunchHostFunc(s, note, NULL));
    shows("waits", "%s", done_soon(s));
    gate_open();
    MUST(cudaDeviceSynchronize());
    shows("1 run", "%d run", seen.runs);
}

/* stream_order.c: what waits for what: the default streams and streams of one's own. */
#include <pthread.h>

#include "../situation.h"

/* Work in `second` given after gated work in `first`: does it wait? */
static void second_waits(cudaStream_t first, cudaStream_t second)
{
    gate_shut(first);
    some_work(second);
    answer_text("%s", done_soon(second));
    gate_open();
    MUST(cudaDeviceSynchronize());
    answer_text("%s", done_soon(second));
}

ROW(second_waits(new_stream(0), 0), "work in 0 after work in a blocking stream",
    "done_soon: waits; done")
ROW(second_waits(nonblocking_stream(), 0), "work in 0 after work in a non-blocking stream",
    "done_soon: done; done")
ROW(second_waits(0, new_stream(0)), "work in a blocking stream after work in 0",
    "done_soon: waits; done")
ROW(second_waits(0, nonblocking_stream()), "work in a non-blocking stream after work in 0",
    "done_soon: done; done")
ROW(second_waits(0, cudaStreamPerThread), "work in cudaStreamPerThread after work in 0",
    "done_soon: waits; done")
ROW(second_waits(cudaStreamPerThread, cudaStreamLegacy),
    "work in cudaStreamLegacy after work in cudaStreamPerThread", "done_soon: waits; done")
ROW(second_waits(new_stream(0), cudaStreamPerThread),
    "work in cudaStreamPerThread after work in a blocking stream", "done_soon: done; done")
ROW(second_waits(new_stream(0), new_stream(0)),
    "work in a blocking stream after work in another one", "done_soon: done; done")
ROW(second_waits(0, cudaStreamLegacy), "work in cudaStreamLegacy after work in 0",
    "done_soon: waits; done")

SITUATION("work in a blocking stream, in 0, in another blocking stream: order")
{
    cudaStream_t a = new_stream(0), b = new_stream(0);
    gate_shut(a);
    log_letter(a, 'A');
    log_letter(0, '0');
    log_letter(b, 'B');
    MUST(cudaDeviceSynchronize());
    shows("'A0B'", "'%s'", host_log());
}

SITUATION("work in a non-blocking stream is not held by 0, which waits for a blocking one")
{
    cudaStream_t a = new_stream(0), n = nonblocking_stream();
    gate_shut(a);
    some_work(0);
    some_work(n);
    shows("done", "%s", done_soon(n));
}

SITUATION("a stream waits for an event in 0, after work in a blocking stream: order")
{
    cudaStream_t a = new_stream(0), n = nonblocking_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(a);
    log_letter(a, 'A');
    MUST(cudaEventRecord(e, 0));
    MUST(cudaStreamWaitEvent(n, e, 0));
    log_letter(n, 'N');
    MUST(cudaDeviceSynchronize());
    shows("'AN'", "'%s'", host_log());
}

SITUATION("cudaStreamWaitEvent in 0: work in a blocking stream enqueued later waits too")
{
    cudaStream_t n = nonblocking_stream(), b = new_stream(0);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(n);
    log_letter(n, 'N');
    MUST(cudaEventRecord(e, n));
    MUST(cudaStreamWaitEvent(0, e, 0));
    log_letter(b, 'B');
    MUST(cudaDeviceSynchronize());
    shows("'NB'", "'%s'", host_log());
}

SITUATION("one stream waits for events of two others, one of them done, one after busy work")
{
    cudaStream_t a = nonblocking_stream(), b = nonblocking_stream(), c = nonblocking_stream();
    cudaEvent_t ea = new_event(0), eb = new_event(0);
    gate_shut(a);
    MUST(cudaEventRecord(ea, a));
    some_work(b);
    MUST(cudaEventRecord(eb, b));
    MUST(cudaStreamWaitEvent(c, eb, 0));
    MUST(cudaStreamWaitEvent(c, ea, 0));
    some_work(c);
    answer(cudaEventSynchronize(eb));
    shows("waits", "%s", done_soon(c));
    gate_open();
    answer(cudaStreamSynchronize(c));
    call_waits();
}

static void *per_thread_work(void *unused)
{
    some_work(cudaStreamPerThread);
    MUST(cudaStreamSynchronize(cudaStreamPerThread));
    return unused;
}

SITUATION("cudaStreamPerThread of two threads: the second does not wait for the first")
{
    pthread_t other;
    gate_shut(cudaStreamPerThread);
    pthread_create(&other, NULL, per_thread_work, NULL);
    pthread_join(other, NULL);
    call_returns();
}

static void *sync_there(void *code)
{
    *(cudaError_t *)code = cudaDeviceSynchronize();
    return NULL;
}

SITUATION("cudaDeviceSynchronize in another thread waits for this thread's work")
{
    pthread_t other;
    cudaError_t code = cudaErrorUnknown;
    gate_shut(new_stream(0));
    pthread_create(&other, NULL, sync_there, &code);
    pthread_join(other, NULL);
    answer_error(NULL, "in the thread", code);
    call_waits();
}

SITUATION(
    "copies in one stream: to the device, device to device, and back, with no synchronize between")
{
    enum { N = 1 << 16 };
    char *d = device_bytes(N), *e = device_bytes(N), *a = pinned_bytes(N), *b = pinned_bytes(N);
    cudaStream_t s = nonblocking_stream();
    memset(a, 3, N);
    answer(cudaMemcpyAsync(d, a, N, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyAsync(e, d, N, cudaMemcpyDeviceToDevice, s));
    answer(cudaMemsetAsync(e, 4, N / 2, s));
    answer(cudaMemcpyAsync(b, e, N, cudaMemcpyDeviceToHost, s));
    answer(cudaStreamSynchronize(s));
    shows("4 3", "%d %d", b[0], b[N - 1]);
}

SITUATION("the destination of a copy after busy work, before it and after it")
{
    enum { N = 4096 };
    char *d = device_bytes(N), *b = pinned_bytes(N);
    cudaStream_t s = new_stream(0);
    MUST(cudaMemset(d, 3, N));
    MUST(cudaDeviceSynchronize());
    gate_shut(s);
    MUST(cudaMemcpyAsync(b, d, N, cudaMemcpyDeviceToHost, s));
    shows("0", "%d", b[0]);
    gate_open();
    MUST(cudaStreamSynchronize(s));
    shows("3", "%d", b[0]);
}

SITUATION("cudaStreamPerThread twice in one thread: a gate in it holds up a later memset in it")
{
    gate_shut(cudaStreamPerThread);
    some_work(cudaStreamPerThread);
    gives(NotReady, cudaStreamQuery(cudaStreamPerThread));
    gate_open();
    answer(cudaStreamSynchronize(cudaStreamPerThread));
    answer(cudaStreamQuery(cudaStreamPerThread));
}

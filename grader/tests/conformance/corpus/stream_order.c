/* stream_order.c: what waits for what: the default streams and streams of one's own. */
#include <pthread.h>

#include "../graphs.h"

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
    gate_shut(a);
    log_letter(a, 'A');
    order_streams(0, n);
    log_letter(n, 'N');
    MUST(cudaDeviceSynchronize());
    shows("'AN'", "'%s'", host_log());
}

SITUATION("cudaStreamWaitEvent in 0: work in a blocking stream enqueued later waits too")
{
    cudaStream_t n = nonblocking_stream(), b = new_stream(0);
    gate_shut(n);
    log_letter(n, 'N');
    order_streams(n, 0);
    log_letter(b, 'B');
    MUST(cudaDeviceSynchronize());
    shows("'NB'", "'%s'", host_log());
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

SITUATION("cudaStreamPerThread twice in one thread: a gate in it holds up a later memset in it")
{
    gate_shut(cudaStreamPerThread);
    some_work(cudaStreamPerThread);
    gives(NotReady, cudaStreamQuery(cudaStreamPerThread));
    gate_open();
    answer(cudaStreamSynchronize(cudaStreamPerThread));
    answer(cudaStreamQuery(cudaStreamPerThread));
}

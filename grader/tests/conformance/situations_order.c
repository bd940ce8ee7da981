/*
 * situations_order.c: what waits for what: the legacy and the per-thread default stream, and
 * streams of one's own.
 */
#include <pthread.h>
#include <string.h>

#include "situations.h"

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

SITUATION(order_legacy_blocking, "work in 0 after work in a blocking stream")
{
    second_waits(new_stream(0), 0);
}

SITUATION(order_legacy_non_blocking, "work in 0 after work in a non-blocking stream")
{
    second_waits(new_stream(cudaStreamNonBlocking), 0);
}

SITUATION(order_blocking_legacy, "work in a blocking stream after work in 0")
{
    second_waits(0, new_stream(0));
}

SITUATION(order_non_blocking_legacy, "work in a non-blocking stream after work in 0")
{
    second_waits(0, new_stream(cudaStreamNonBlocking));
}

SITUATION(order_per_thread_legacy, "work in cudaStreamPerThread after work in 0")
{
    second_waits(0, cudaStreamPerThread);
}

SITUATION(order_legacy_per_thread, "work in cudaStreamLegacy after work in cudaStreamPerThread")
{
    second_waits(cudaStreamPerThread, cudaStreamLegacy);
}

SITUATION(order_per_thread_blocking, "work in cudaStreamPerThread after work in a blocking stream")
{
    second_waits(new_stream(0), cudaStreamPerThread);
}

SITUATION(order_blocking_blocking, "work in a blocking stream after work in another one")
{
    second_waits(new_stream(0), new_stream(0));
}

SITUATION(order_legacy_handle, "work in cudaStreamLegacy after work in 0")
{
    second_waits(0, cudaStreamLegacy);
}

SITUATION(order_through_legacy,
          "work in a blocking stream, in 0, in another blocking stream: order")
{
    cudaStream_t a = new_stream(0), b = new_stream(0);
    gate_shut(a);
    log_letter(a, 'A');
    log_letter(0, '0');
    log_letter(b, 'B');
    gate_open_later(150);
    MUST(cudaDeviceSynchronize());
    answer_text("'%s'", log_text());
}

SITUATION(order_around_legacy,
          "work in a non-blocking stream is not held by 0, which waits for a blocking one")
{
    cudaStream_t a = new_stream(0), n = new_stream(cudaStreamNonBlocking);
    gate_shut(a);
    some_work(0);
    some_work(n);
    answer_text("%s", done_soon(n));
    gate_open();
    MUST(cudaDeviceSynchronize());
}

SITUATION(order_legacy_event,
          "a stream waits for an event in 0, behind work in a blocking stream: order")
{
    cudaStream_t a = new_stream(0), n = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(a);
    log_letter(a, 'A');
    MUST(cudaEventRecord(e, 0));
    MUST(cudaStreamWaitEvent(n, e, 0));
    log_letter(n, 'N');
    gate_open_later(150);
    MUST(cudaDeviceSynchronize());
    answer_text("'%s'", log_text());
}

SITUATION(order_wait_in_legacy,
          "cudaStreamWaitEvent in 0: work in a blocking stream given later waits too")
{
    cudaStream_t n = new_stream(cudaStreamNonBlocking), b = new_stream(0);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(n);
    log_letter(n, 'N');
    MUST(cudaEventRecord(e, n));
    MUST(cudaStreamWaitEvent(0, e, 0));
    log_letter(b, 'B');
    gate_open_later(150);
    MUST(cudaDeviceSynchronize());
    answer_text("'%s'", log_text());
}

SITUATION(order_chain, "three non-blocking streams, each waiting for the one before: order")
{
    cudaStream_t s[3];
    cudaEvent_t e[3];
    for (int i = 0; i < 3; i++) {
        s[i] = new_stream(cudaStreamNonBlocking);
        e[i] = new_event(cudaEventDisableTiming);
    }
    gate_shut(s[0]);
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            MUST(cudaStreamWaitEvent(s[i], e[i - 1], 0));
        log_letter(s[i], (char)('A' + i));
        MUST(cudaEventRecord(e[i], s[i]));
    }
    gate_open_later(150);
    answer(cudaEventSynchronize(e[2]));
    answer_text("'%s'", log_text());
}

SITUATION(order_join,
          "one stream waits for events of two others, one of them done, one behind busy work")
{
    cudaStream_t a = new_stream(cudaStreamNonBlocking), b = new_stream(cudaStreamNonBlocking),
                 c = new_stream(cudaStreamNonBlocking);
    cudaEvent_t ea = new_event(0), eb = new_event(0);
    gate_shut(a);
    MUST(cudaEventRecord(ea, a));
    some_work(b);
    MUST(cudaEventRecord(eb, b));
    MUST(cudaStreamWaitEvent(c, eb, 0));
    MUST(cudaStreamWaitEvent(c, ea, 0));
    some_work(c);
    answer(cudaEventSynchronize(eb));
    answer_text("%s", done_soon(c));
    gate_open();
    answer(cudaStreamSynchronize(c));
    answer_text("%s", gate_waited());
}

static void *per_thread_work(void *unused)
{
    some_work(cudaStreamPerThread);
    MUST(cudaStreamSynchronize(cudaStreamPerThread));
    return unused;
}

SITUATION(order_threads,
          "cudaStreamPerThread of two threads: the second does not wait for the first")
{
    pthread_t other;
    gate_shut(cudaStreamPerThread);
    gate_open_later(200);
    pthread_create(&other, NULL, per_thread_work, NULL);
    pthread_join(other, NULL);
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

static void *sync_there(void *code)
{
    *(cudaError_t *)code = cudaDeviceSynchronize();
    return NULL;
}

SITUATION(order_sync_thread, "cudaDeviceSynchronize in another thread waits for this thread's work")
{
    pthread_t other;
    cudaError_t code = cudaErrorUnknown;
    gate_shut(new_stream(0));
    gate_open_later(100);
    pthread_create(&other, NULL, sync_there, &code);
    pthread_join(other, NULL);
    answer(code);
    answer_text("%s", gate_waited());
}

SITUATION(
    order_copies,
    "copies in one stream: to the device, device to device, and back, with no synchronise between")
{
    enum { N = 1 << 16 };
    char *d = device_bytes(N), *e = device_bytes(N), *a = pinned_bytes(N), *b = pinned_bytes(N);
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    memset(a, 3, N);
    answer(cudaMemcpyAsync(d, a, N, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyAsync(e, d, N, cudaMemcpyDeviceToDevice, s));
    answer(cudaMemsetAsync(e, 4, N / 2, s));
    answer(cudaMemcpyAsync(b, e, N, cudaMemcpyDeviceToHost, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d %d", b[0], b[N - 1]);
}

SITUATION(order_copy_early, "the destination of a copy behind busy work, before it and after it")
{
    enum { N = 4096 };
    char *d = device_bytes(N), *b = pinned_bytes(N);
    cudaStream_t s = new_stream(0);
    MUST(cudaMemset(d, 3, N));
    MUST(cudaDeviceSynchronize());
    gate_shut(s);
    MUST(cudaMemcpyAsync(b, d, N, cudaMemcpyDeviceToHost, s));
    answer_text("%d", b[0]);
    gate_open();
    MUST(cudaStreamSynchronize(s));
    answer_text("%d", b[0]);
}

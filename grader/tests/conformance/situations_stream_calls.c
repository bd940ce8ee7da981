/*
 * situations_stream_calls.c: attributes, handles and callbacks of streams, and launches of kernels.
 */
#include <string.h>
#include <stdint.h>
#include <unistd.h>

#include "situations.h"
#include "situations_kernels.h"

static int flags_of(cudaStream_t s)
{
    unsigned flags = 99;
    answer(cudaStreamGetFlags(s, &flags));
    return (int)flags;
}

static int priority_of(cudaStream_t s)
{
    int priority = 99;
    answer(cudaStreamGetPriority(s, &priority));
    return priority;
}

SITUATION(flags_of_special, "cudaStreamGetFlags of NULL, cudaStreamLegacy and cudaStreamPerThread")
{
    answer_text("%d", flags_of(NULL));
    answer_text("%d", flags_of(cudaStreamLegacy));
    answer_text("%d", flags_of(cudaStreamPerThread));
}

SITUATION(priority_of_special,
          "cudaStreamGetPriority of NULL, cudaStreamLegacy and cudaStreamPerThread")
{
    answer_text("%d", priority_of(NULL));
    answer_text("%d", priority_of(cudaStreamLegacy));
    answer_text("%d", priority_of(cudaStreamPerThread));
}

SITUATION(priority_clamped,
          "cudaStreamCreateWithPriority with -100, 100, -3 and 1: what cudaStreamGetPriority says")
{
    static const int asked[] = {-100, 100, -3, 1};
    for (int i = 0; i < 4; i++) {
        cudaStream_t s = NULL;
        answer(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, asked[i]));
        answer_text("%d", priority_of(s));
    }
}

SITUATION(
    flags_bad,
    "cudaStreamCreateWithFlags with 2, 3, 0x80000000; WithPriority with flags 4; with NULL out")
{
    cudaStream_t s = NULL;
    answer(cudaStreamCreateWithFlags(&s, 2));
    answer(cudaStreamCreateWithFlags(&s, 3));
    answer(cudaStreamCreateWithFlags(&s, 0x80000000u));
    answer(cudaStreamCreateWithPriority(&s, 4, 0));
    answer(cudaStreamCreate(NULL));
    answer(cudaStreamCreateWithPriority(NULL, 0, 0));
}

SITUATION(ids_differ, "cudaStreamGetId: two streams, NULL against cudaStreamLegacy, legacy against "
                      "per-thread: equal or not")
{
    unsigned long long a = 0, b = 0, zero = 0, legacy = 0, own = 0;
    answer(cudaStreamGetId(new_stream(0), &a));
    answer(cudaStreamGetId(new_stream(0), &b));
    answer(cudaStreamGetId(NULL, &zero));
    answer(cudaStreamGetId(cudaStreamLegacy, &legacy));
    answer(cudaStreamGetId(cudaStreamPerThread, &own));
    answer_text("%s %s %s", a == b ? "same" : "other", zero == legacy ? "same" : "other",
                legacy == own ? "same" : "other");
}

SITUATION(id_null, "cudaStreamGetId with a NULL out; cudaStreamGetFlags and GetPriority and "
                   "GetDevice with a NULL out")
{
    cudaStream_t s = new_stream(0);
    answer(cudaStreamGetId(s, NULL));
    answer(cudaStreamGetFlags(s, NULL));
    answer(cudaStreamGetPriority(s, NULL));
    answer(cudaStreamGetDevice(s, NULL));
}

SITUATION(device_of, "cudaStreamGetDevice of a stream, of NULL, of cudaStreamPerThread")
{
    int d = 99;
    answer(cudaStreamGetDevice(new_stream(0), &d));
    answer_text("%d", d);
    d = 99;
    answer(cudaStreamGetDevice(NULL, &d));
    answer_text("%d", d);
    d = 99;
    answer(cudaStreamGetDevice(cudaStreamPerThread, &d));
    answer_text("%d", d);
}

SITUATION(
    destroy_special,
    "cudaStreamDestroy of NULL, cudaStreamLegacy, cudaStreamPerThread; work on each afterwards")
{
    answer(cudaStreamDestroy(NULL));
    answer(cudaStreamDestroy(cudaStreamLegacy));
    answer(cudaStreamDestroy(cudaStreamPerThread));
    char *p = device_bytes(64);
    answer(cudaMemsetAsync(p, 1, 64, NULL));
    answer(cudaMemsetAsync(p, 1, 64, cudaStreamPerThread));
    answer(cudaDeviceSynchronize());
}

SITUATION(query_busy,
          "cudaStreamQuery of a busy stream, then cudaGetLastError, then of an idle one")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), idle = new_stream(cudaStreamNonBlocking);
    gate_shut(s);
    answer(cudaStreamQuery(s));
    answer(cudaGetLastError());
    answer(cudaStreamQuery(idle));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer(cudaStreamQuery(s));
}

SITUATION(query_legacy_busy,
          "cudaStreamQuery of NULL while a blocking stream is busy, while a non-blocking one is")
{
    cudaStream_t s = new_stream(0), t = new_stream(cudaStreamNonBlocking);
    gate_shut(s);
    answer(cudaStreamQuery(NULL));
    gate_open();
    answer(cudaDeviceSynchronize());
    gate_shut(t);
    answer(cudaStreamQuery(NULL));
    gate_open();
}

SITUATION(sync_legacy_busy, "cudaStreamSynchronize(NULL) while a blocking stream is busy: waits? "
                            "cudaStreamSynchronize(cudaStreamPerThread)?")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    answer(cudaStreamSynchronize(cudaStreamPerThread));
    answer_text("%s", gate_waited());
    gate_open_later(150);
    answer(cudaStreamSynchronize(NULL));
    answer_text("%s", gate_waited());
}

SITUATION(per_thread_order, "work on cudaStreamPerThread after work on NULL: waits? on NULL after "
                            "work on cudaStreamPerThread?")
{
    gate_shut(NULL);
    some_work(cudaStreamPerThread);
    answer_text("%s", done_soon(cudaStreamPerThread));
    gate_open();
    MUST(cudaDeviceSynchronize());
    gate_shut(cudaStreamPerThread);
    some_work(NULL);
    answer_text("%s", done_soon(NULL));
    gate_open();
}

SITUATION(destroy_pending, "cudaStreamDestroy with work pending: returns; the work is still done")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    gate_shut(s);
    log_letter(s, 'x');
    answer(cudaStreamDestroy(s));
    answer_text("%s", gate_waited());
    gate_open();
    answer(cudaDeviceSynchronize());
    answer_text("'%s'", log_text());
}

static void CUDART_CB told(cudaStream_t s, cudaError_t status, void *seen)
{
    (void)s;
    *(cudaError_t *)seen = status;
}

SITUATION(
    callback_status,
    "cudaStreamAddCallback: the status the callback is given; with flags 1; with a NULL function")
{
    cudaStream_t s = new_stream(0);
    cudaError_t seen = cudaErrorUnknown;
    answer(cudaStreamAddCallback(s, told, &seen, 0));
    answer(cudaStreamSynchronize(s));
    answer(seen);
    answer(cudaStreamAddCallback(s, told, &seen, 1));
    answer(cudaStreamAddCallback(s, NULL, &seen, 0));
}

static void CUDART_CB tries_calls(void *seen)
{
    cudaError_t *e = seen;
    void *p;
    e[0] = cudaStreamQuery(NULL);
    e[1] = cudaMalloc(&p, 64);
    e[2] = cudaGetLastError();
    e[3] = cudaEventQuery(NULL);
}

SITUATION(calls_in_host_function,
          "inside a host function: cudaStreamQuery, cudaMalloc, cudaGetLastError, "
          "cudaEventQuery(NULL); afterwards cudaGetLastError outside")
{
    cudaError_t e[4];
    cudaStream_t s = new_stream(0);
    answer(cudaLaunchHostFunc(s, tries_calls, e));
    answer(cudaStreamSynchronize(s));
    for (int i = 0; i < 4; i++)
        answer(e[i]);
    answer(cudaGetLastError());
}

SITUATION(host_function_order,
          "host functions on two streams, the second waits for an event of the first: order")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    gate_shut(s);
    log_letter(s, 'a');
    MUST(cudaEventRecord(e, s));
    MUST(cudaStreamWaitEvent(t, e, 0));
    log_letter(t, 'b');
    log_letter(s, 'c');
    gate_open();
    MUST(cudaStreamSynchronize(t));
    answer_text("%c before %c", log_text()[0], 'b');
    MUST(cudaDeviceSynchronize());
    answer_text("%d letters", (int)strlen(log_text()));
}

SITUATION(
    attr_priority,
    "cudaStreamGetAttribute priority of a stream made with -2; set to -4 and get; set to 3 and get")
{
    cudaStream_t s = NULL;
    cudaStreamAttrValue v = {0};
    MUST(cudaStreamCreateWithPriority(&s, 0, -2));
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
    v.priority = -4;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &v));
    v.priority = 99;
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
    v.priority = 3;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &v));
    answer_text("%d", priority_of(s));
}

SITUATION(
    attr_sync_policy,
    "stream attribute synchronization policy: default; set to blocking sync and get; set to 99")
{
    cudaStream_t s = new_stream(0);
    cudaStreamAttrValue v = {0};
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
    answer_text("%d", (int)v.syncPolicy);
    v.syncPolicy = cudaSyncPolicyBlockingSync;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
    memset(&v, 0, sizeof v);
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
    answer_text("%d", (int)v.syncPolicy);
    v.syncPolicy = (enum cudaSynchronizationPolicy)99;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
}

SITUATION(
    attr_wrong,
    "stream attributes that streams do not have: cooperative, cluster dimension, 99; a NULL value")
{
    cudaStream_t s = new_stream(0);
    cudaStreamAttrValue v = {0};
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributeCooperative, &v));
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributeCooperative, &v));
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributeClusterDimension, &v));
    answer(cudaStreamGetAttribute(s, (cudaStreamAttrID)99, &v));
}

SITUATION(attr_copy,
          "cudaStreamCopyAttributes takes priority and policy along; onto itself; from NULL")
{
    cudaStream_t from = NULL, to = new_stream(0);
    cudaStreamAttrValue v = {0};
    MUST(cudaStreamCreateWithPriority(&from, cudaStreamNonBlocking, -3));
    v.syncPolicy = cudaSyncPolicyYield;
    MUST(cudaStreamSetAttribute(from, cudaLaunchAttributeSynchronizationPolicy, &v));
    answer(cudaStreamCopyAttributes(to, from));
    answer_text("%d", priority_of(to));
    memset(&v, 0, sizeof v);
    answer(cudaStreamGetAttribute(to, cudaLaunchAttributeSynchronizationPolicy, &v));
    answer_text("%d", (int)v.syncPolicy);
    answer_text("%d", flags_of(to));
    answer(cudaStreamCopyAttributes(to, to));
    answer(cudaStreamCopyAttributes(to, NULL));
}

SITUATION(attr_domain, "memory synchronisation domain of a stream: default; set remote and get")
{
    cudaStream_t s = new_stream(0);
    cudaStreamAttrValue v = {0};
    v.memSyncDomain = (cudaLaunchMemSyncDomain)7;
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributeMemSyncDomain, &v));
    answer_text("%d", (int)v.memSyncDomain);
    v.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributeMemSyncDomain, &v));
    v.memSyncDomain = (cudaLaunchMemSyncDomain)7;
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributeMemSyncDomain, &v));
    answer_text("%d", (int)v.memSyncDomain);
}

SITUATION(same_handle_threads,
          "cudaStreamPerThread twice in one thread: a gate in it holds up a later memset in it")
{
    gate_shut(cudaStreamPerThread);
    some_work(cudaStreamPerThread);
    answer(cudaStreamQuery(cudaStreamPerThread));
    gate_open();
    answer(cudaStreamSynchronize(cudaStreamPerThread));
    answer(cudaStreamQuery(cudaStreamPerThread));
}

SITUATION(device_sync_all,
          "cudaDeviceSynchronize waits for a non-blocking stream, and for cudaStreamPerThread")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    gate_shut(s);
    gate_open_later(150);
    answer(cudaDeviceSynchronize());
    answer_text("%s", gate_waited());
    gate_shut(cudaStreamPerThread);
    gate_open_later(150);
    answer(cudaDeviceSynchronize());
    answer_text("%s", gate_waited());
}

SITUATION(launch_bad, "cudaLaunchKernel with a block of 1025, of 0, of 1x1x65; a grid of 65536 in "
                      "y; 300 KB of shared memory; last error after each")
{
    int *p = device_bytes(64), value = 1;
    void *args[] = {&p, &value};
    const void *f = situation_store();
    answer(cudaLaunchKernel(f, (dim3){1, 1, 1}, (dim3){1025, 1, 1}, args, 0, 0));
    answer(cudaGetLastError());
    answer(cudaLaunchKernel(f, (dim3){1, 1, 1}, (dim3){0, 1, 1}, args, 0, 0));
    answer(cudaLaunchKernel(f, (dim3){1, 1, 1}, (dim3){1, 1, 65}, args, 0, 0));
    answer(cudaLaunchKernel(f, (dim3){1, 65536, 1}, (dim3){1, 1, 1}, args, 0, 0));
    answer(cudaLaunchKernel(f, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 300 << 10, 0));
    answer(cudaPeekAtLastError());
    answer(cudaLaunchKernel(f, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, 0));
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}

SITUATION(launch_no_function,
          "cudaLaunchKernel of NULL, of a host function's address; then cudaGetLastError")
{
    int *p = device_bytes(64), value = 1;
    void *args[] = {&p, &value};
    answer(cudaLaunchKernel(NULL, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, 0));
    answer(cudaLaunchKernel((const void *)(uintptr_t)write_letter, (dim3){1, 1, 1}, (dim3){1, 1, 1},
                            args, 0, 0));
    answer(cudaGetLastError());
    answer(cudaLaunchKernel(situation_store(), (dim3){2, 2, 2}, (dim3){4, 4, 4}, args, 0, 0));
    answer(cudaDeviceSynchronize());
}

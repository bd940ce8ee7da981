/*
 * situations_streams.c: creating, asking, waiting for and destroying streams.
 */
#include <stdint.h>

#include "situations.h"

SITUATION(stream_create_null, "cudaStreamCreate(NULL); WithFlags(NULL); WithPriority(NULL)")
{
    answer(cudaStreamCreate(NULL));
    answer(cudaStreamCreateWithFlags(NULL, cudaStreamNonBlocking));
    answer(cudaStreamCreateWithPriority(NULL, cudaStreamDefault, 0));
}

SITUATION(stream_create_flags,
          "cudaStreamCreateWithFlags with flags 2; 99; WithPriority with flags 99")
{
    cudaStream_t s = NULL;
    answer(cudaStreamCreateWithFlags(&s, 2));
    answer(cudaStreamCreateWithFlags(&s, 99));
    answer(cudaStreamCreateWithPriority(&s, 99, 0));
}

SITUATION(stream_flags, "cudaStreamGetFlags of a blocking stream; non-blocking; 0; "
                        "cudaStreamLegacy; cudaStreamPerThread; NULL result")
{
    cudaStream_t which[] = {new_stream(0), new_stream(cudaStreamNonBlocking), 0, cudaStreamLegacy,
                            cudaStreamPerThread};
    for (int i = 0; i < 5; i++) {
        unsigned f = 99;
        answer(cudaStreamGetFlags(which[i], &f));
        answer_text("%u", f);
    }
    answer(cudaStreamGetFlags(which[0], NULL));
}

SITUATION(stream_priorities, "cudaStreamGetPriority after asking for 0, -1, -5, -100, 100")
{
    static const int asked[] = {0, -1, -5, -100, 100};
    for (int i = 0; i < 5; i++) {
        cudaStream_t s = NULL;
        int p = 99;
        MUST(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, asked[i]));
        MUST(cudaStreamGetPriority(s, &p));
        answer_text("%d", p);
    }
}

SITUATION(stream_priority_default, "cudaStreamGetPriority of 0; cudaStreamLegacy; "
                                   "cudaStreamPerThread; a plain stream; NULL result")
{
    cudaStream_t which[] = {0, cudaStreamLegacy, cudaStreamPerThread, new_stream(0)};
    for (int i = 0; i < 4; i++) {
        int p = 99;
        answer(cudaStreamGetPriority(which[i], &p));
        answer_text("%d", p);
    }
    answer(cudaStreamGetPriority(which[3], NULL));
}

SITUATION(stream_ids,
          "cudaStreamGetId: 0 and cudaStreamLegacy; cudaStreamPerThread; two streams; NULL result")
{
    unsigned long long zero = 0, legacy = 0, thread = 0, a = 0, b = 0;
    answer(cudaStreamGetId(0, &zero));
    answer(cudaStreamGetId(cudaStreamLegacy, &legacy));
    answer(cudaStreamGetId(cudaStreamPerThread, &thread));
    answer(cudaStreamGetId(new_stream(0), &a));
    answer(cudaStreamGetId(new_stream(0), &b));
    answer_text(zero == legacy ? "legacy same" : "legacy differs");
    answer_text(a != b && a != zero && thread != zero && thread != a ? "others differ"
                                                                     : "others same");
    answer(cudaStreamGetId(0, NULL));
}

SITUATION(stream_device, "cudaStreamGetDevice of a stream; of 0")
{
    int d = -1;
    answer(cudaStreamGetDevice(new_stream(0), &d));
    answer_text("device %d", d);
    d = -1;
    answer(cudaStreamGetDevice(0, &d));
    answer_text("device %d", d);
}

SITUATION(stream_destroy_default, "cudaStreamDestroy(0); cudaStreamLegacy; cudaStreamPerThread")
{
    answer(cudaStreamDestroy(0));
    answer(cudaStreamDestroy(cudaStreamLegacy));
    answer(cudaStreamDestroy(cudaStreamPerThread));
}

SITUATION(stream_destroy_twice, "cudaStreamDestroy twice")
{
    answer(cudaStreamDestroy(destroyed_stream()));
}

SITUATION(stream_query_destroyed, "cudaStreamQuery of a destroyed stream")
{
    answer(cudaStreamQuery(destroyed_stream()));
}

SITUATION(stream_sync_destroyed, "cudaStreamSynchronize of a destroyed stream")
{
    answer(cudaStreamSynchronize(destroyed_stream()));
}

SITUATION(stream_flags_destroyed, "cudaStreamGetFlags of a destroyed stream")
{
    unsigned f = 99;
    answer(cudaStreamGetFlags(destroyed_stream(), &f));
}

SITUATION(stream_memset_destroyed, "cudaMemsetAsync in a destroyed stream")
{
    void *p = device_bytes(64);
    answer(cudaMemsetAsync(p, 0, 64, destroyed_stream()));
}

SITUATION(stream_memcpy_destroyed, "cudaMemcpyAsync in a destroyed stream")
{
    void *p = device_bytes(64);
    answer(cudaMemcpyAsync(p, pinned_bytes(64), 64, cudaMemcpyHostToDevice, destroyed_stream()));
}

SITUATION(stream_record_destroyed, "cudaEventRecord in a destroyed stream")
{
    answer(cudaEventRecord(new_event(0), destroyed_stream()));
}

SITUATION(stream_wait_destroyed, "cudaStreamWaitEvent of a destroyed stream")
{
    answer(cudaStreamWaitEvent(destroyed_stream(), new_event(0), 0));
}

SITUATION(stream_host_destroyed, "cudaLaunchHostFunc in a destroyed stream")
{
    cudaStream_t s = destroyed_stream();
    answer(cudaLaunchHostFunc(s, (cudaHostFn_t)(uintptr_t)log_text, NULL));
}

SITUATION(stream_query_idle, "cudaStreamQuery of a new stream; of 0; of cudaStreamPerThread")
{
    answer(cudaStreamQuery(new_stream(0)));
    answer(cudaStreamQuery(0));
    answer(cudaStreamQuery(cudaStreamPerThread));
}

SITUATION(stream_query_busy, "cudaStreamQuery of a busy stream, then synchronise, then query")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    answer(cudaStreamQuery(s));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer(cudaStreamQuery(s));
}

SITUATION(stream_query_other, "cudaStreamQuery of an idle stream while another one is busy")
{
    cudaStream_t busy = new_stream(0), idle = new_stream(0);
    gate_shut(busy);
    answer(cudaStreamQuery(idle));
    gate_open();
    MUST(cudaDeviceSynchronize());
}

SITUATION(stream_query_legacy,
          "cudaStreamQuery(0) while a blocking stream is busy; a non-blocking one")
{
    cudaStream_t s = new_stream(0), n = new_stream(cudaStreamNonBlocking);
    gate_shut(s);
    answer(cudaStreamQuery(0));
    gate_open();
    MUST(cudaDeviceSynchronize());
    gate_shut(n);
    answer(cudaStreamQuery(0));
    gate_open();
    MUST(cudaDeviceSynchronize());
}

SITUATION(stream_sync_legacy,
          "cudaStreamSynchronize(0) while a blocking stream is busy; a non-blocking one")
{
    cudaStream_t s = new_stream(0), n = new_stream(cudaStreamNonBlocking);
    gate_shut(s);
    gate_open_later(100);
    answer(cudaStreamSynchronize(0));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
    gate_shut(n);
    gate_open_later(100);
    answer(cudaStreamSynchronize(0));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(stream_sync_per_thread,
          "cudaStreamSynchronize(cudaStreamPerThread) while a blocking stream is busy")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    gate_open_later(100);
    answer(cudaStreamSynchronize(cudaStreamPerThread));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(stream_sync_other, "cudaStreamSynchronize of an idle stream while another one is busy")
{
    cudaStream_t s = new_stream(0), idle = new_stream(0);
    gate_shut(s);
    gate_open_later(100);
    answer(cudaStreamSynchronize(idle));
    answer_text("%s", gate_waited());
    MUST(cudaDeviceSynchronize());
}

SITUATION(device_sync_all, "cudaDeviceSynchronize while a non-blocking stream is busy")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    gate_shut(s);
    gate_open_later(100);
    answer(cudaDeviceSynchronize());
    answer_text("%s", gate_waited());
}

SITUATION(stream_destroy_busy, "cudaStreamDestroy of a busy stream: it returns or waits; is the "
                               "work done after cudaDeviceSynchronize?")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    log_letter(s, 'A');
    gate_open_later(100);
    answer(cudaStreamDestroy(s));
    answer_text("%s", gate_waited());
    answer(cudaDeviceSynchronize());
    answer_text("'%s'", log_text());
}

SITUATION(stream_capture_none,
          "cudaStreamIsCapturing of a stream; of 0; of cudaStreamPerThread; NULL result")
{
    enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)99;
    answer(cudaStreamIsCapturing(new_stream(0), &status));
    answer_text("%d", (int)status);
    answer(cudaStreamIsCapturing(0, &status));
    answer(cudaStreamIsCapturing(cudaStreamPerThread, &status));
    answer_text("%d", (int)status);
    answer(cudaStreamIsCapturing(0, NULL));
}

static cudaError_t capture_info(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id)
{
#if CUDART_VERSION >= 13000
    return cudaStreamGetCaptureInfo(s, status, id, NULL, NULL, NULL, NULL);
#else
    return cudaStreamGetCaptureInfo_v2(s, status, id, NULL, NULL, NULL);
#endif
}

SITUATION(stream_capture_info_none,
          "cudaStreamGetCaptureInfo when nothing is captured: of a stream; of 0; NULL status")
{
    enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)99;
    unsigned long long id = 99;
    answer(capture_info(new_stream(0), &status, &id));
    answer_text("%d", (int)status);
    answer(capture_info(0, &status, &id));
    answer(capture_info(0, NULL, &id));
}

SITUATION(stream_end_capture_none, "cudaStreamEndCapture with no capture; of 0; NULL graph")
{
    cudaGraph_t g = NULL;
    cudaStream_t s = new_stream(0);
    answer(cudaStreamEndCapture(s, &g));
    answer(cudaStreamEndCapture(0, &g));
    answer(cudaStreamEndCapture(s, NULL));
}

SITUATION(stream_exchange_mode, "cudaThreadExchangeStreamCaptureMode: first, second")
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    answer(cudaThreadExchangeStreamCaptureMode(&mode));
    answer_text("%d", (int)mode);
    answer(cudaThreadExchangeStreamCaptureMode(&mode));
    answer_text("%d", (int)mode);
}

SITUATION(
    stream_attribute_priority,
    "cudaStreamGetAttribute(priority) of a stream of priority -3; set it to -1, get; attribute 99")
{
    cudaStream_t s = NULL;
    cudaLaunchAttributeValue v = {.priority = 99};
    MUST(cudaStreamCreateWithPriority(&s, 0, -3));
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
    v.priority = -1;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &v));
    v.priority = 99;
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
    answer(cudaStreamGetAttribute(s, (cudaLaunchAttributeID)99, &v));
}

SITUATION(stream_attribute_sync,
          "cudaStreamGetAttribute(synchronization policy); set to yield, get")
{
    cudaStream_t s = new_stream(0);
    cudaLaunchAttributeValue v = {.syncPolicy = (enum cudaSynchronizationPolicy)99};
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
    answer_text("%d", (int)v.syncPolicy);
    v.syncPolicy = cudaSyncPolicyYield;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
    v.syncPolicy = (enum cudaSynchronizationPolicy)99;
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
    answer_text("%d", (int)v.syncPolicy);
}

SITUATION(stream_copy_attributes, "cudaStreamCopyAttributes from one stream to another")
{
    cudaStream_t a = new_stream(0), b = new_stream(0);
    answer(cudaStreamCopyAttributes(b, a));
}

SITUATION(stream_many, "300 streams, created and destroyed")
{
    cudaStream_t s[300];
    for (int i = 0; i < 300; i++)
        MUST(cudaStreamCreate(&s[i]));
    for (int i = 0; i < 300; i++)
        MUST(cudaStreamDestroy(s[i]));
    answer(cudaDeviceSynchronize());
}

SITUATION(stream_attach, "cudaStreamAttachMemAsync of malloc memory; of device memory; of NULL")
{
    cudaStream_t s = new_stream(0);
    answer(cudaStreamAttachMemAsync(s, pageable_bytes(64), 0, cudaMemAttachSingle));
    answer(cudaStreamAttachMemAsync(s, device_bytes(64), 0, cudaMemAttachSingle));
    answer(cudaStreamAttachMemAsync(s, NULL, 0, cudaMemAttachSingle));
}

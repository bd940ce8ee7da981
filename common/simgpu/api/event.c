/* event.c: events: record, wait, query, elapsed time. */
#include <stdlib.h>

#include "api.h"

cudaError_t event_create(cudaEvent_t *out, unsigned flags)
{
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!out || !refusal_knows(flags, known))
        return cudaErrorInvalidValue;
    if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming))
        return cudaErrorInvalidValue;
    struct event *ev = calloc(1, sizeof *ev);
    if (!ev)
        return cudaErrorMemoryAllocation;
    ev->flags = flags;
    ev->device = thread_self()->device;
    ev->refs = 1;
    handle_add(ev, HANDLE_EVENT);
    *out = (cudaEvent_t)ev;
    return cudaSuccess;
}

API_CALL(cudaEventCreate, (cudaEvent_t * event), event_create(event, cudaEventDefault))
API_CALL(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags),
         event_create(event, flags))

EXPORT cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    API_ENTER_EARLY(cudaEventDestroy, event ? NOT_EARLY : EARLY_IF_LOST,
                    cudaErrorInvalidResourceHandle);
    struct event *ev = event_of(event);
    API_REFUSE_IF(!ev, cudaErrorInvalidResourceHandle);
    host_wait_device(WAITS_EVENT_DESTROY, &devices[ev->device]);
    handle_remove(ev);
    event_put(ev);
    return api_leave(cudaSuccess);
}

cudaError_t event_record(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    struct event *ev = event_of(event);
    struct stream *s;
    TRY(stream_for_work(stream, &s));
    if (!ev)
        return cudaErrorInvalidResourceHandle;
    if (!refusal_knows(flags, cudaEventRecordExternal))
        return cudaErrorInvalidValue;
    bool external = flags & cudaEventRecordExternal;
    if (external && !s->capture)
        return cudaErrorIllegalState;
    if (ev->device != s->device->id && !external)
        return cudaErrorInvalidResourceHandle;
    struct work w = event_record_work(ev);
    if (s->capture && !external && ev->flags & cudaEventInterprocess) /* the capture continues */
        return cudaErrorStreamCaptureUnsupported;
    if (s->capture && !external) {
        capture_record(ev, s);
        return cudaSuccess;
    }
    ev->refs++;
    if (s->capture)
        return work_submit(&w, s);
    struct op *op = op_new(&w, s);
    event_set_record(ev, op);
    op_submit(op, NULL, NULL);
    event_set_epoch(ev, op);
    op_put(op);
    if (ev->op && ev->flags & cudaEventInterprocess && !thread_self()->in_host_func)
        op_wait(ev->op); /* other processes have other clocks: for them it is done at once */
    return cudaSuccess;
}

/* The record at the start of the kernel, beside the stream: what follows there does not wait for
 * it.
 */
static void record_at_start(struct event *ev, struct stream *s, struct op *kernel)
{
    struct work w = event_record_work(ev);
    ev->refs++;
    struct op *op = op_new(&w, s);
    event_set_record(ev, op);
    op_enter(op);
    op_after_early(op, kernel, AFTER_START, false);
    op_close(op);
    op_put(op);
}

cudaError_t event_record_started(cudaEvent_t event, cudaStream_t stream, struct stream *s)
{
    struct event *ev = event_of(event);
    struct op *kernel = s->tail;
    cudaError_t e = cudaSuccess;
    if (!ev || !kernel || ev->device != s->device->id || ev->flags & cudaEventInterprocess)
        return event_record(event, stream, 0);
    op_get(kernel);
    if (freedom_other_way(FREEDOM_LAUNCH_COMPLETION, kernel->id))
        record_at_start(ev, s, kernel);
    else
        e = event_record(event, stream, 0);
    if (e == cudaSuccess)
        event_set_epoch_beside(ev, kernel);
    op_put(kernel);
    return e;
}

/* Recording a time costs the host more than recording an order. */
static cudaError_t record_api(cudaEvent_t event, cudaStream_t stream, unsigned flags,
                              enum call_id call)
{
    API_ENTERED(api_enter(call, &e));
    const struct event *ev = event_of(event);
    if (ev && !(ev->flags & cudaEventDisableTiming))
        call_charge(COST_EVENT_RECORD_TIMING);
    return api_leave(event_record(event, stream, flags));
}

EXPORT cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return record_api(event, stream, cudaEventRecordDefault, CALL_cudaEventRecord);
}

EXPORT cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    return record_api(event, stream, flags, CALL_cudaEventRecordWithFlags);
}

static cudaError_t wait(cudaStream_t stream, struct event *ev, unsigned flags)
{
    bool external = flags & cudaEventWaitExternal;
    struct stream *s;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess)
        return e;
    if (!ev) {
        if (s->capture)
            capture_invalidate(s->capture);
        return cudaErrorInvalidResourceHandle;
    }
    if (!refusal_knows(flags, cudaEventWaitExternal))
        return cudaErrorInvalidValue;
    TRY(capture_refuses_void_event(s, ev));
    if (external && !s->capture)
        return cudaErrorIllegalState;
    if (external) {
        ev->refs++;
        return work_submit(
            &(struct work){
                .kind = OP_EVENT_WAIT, .name = "event wait", .caller = call_place(), .event = ev},
            s);
    }
    if (s->capture || ev->capture) {
        e = capture_wait(s, ev);
        if (e == cudaSuccess)
            event_note_wait(ev, s);
        return e;
    }
    event_note_wait(ev, s);
    if (ev->recorded) {
        struct op *op = op_new(
            &(struct work){.kind = OP_EVENT_WAIT, .name = "event wait", .caller = call_place()}, s);
        sim_run_until(thread_self()->clock);
        if (ev->op)
            op_submit(op, ev->op, &ev->epoch);
        else
            op_note(op, &ev->epoch);
        op_put(op);
    }
    return cudaSuccess;
}

API_CALL(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
         wait(stream, event_of(event), flags))

/* What has happened by now has happened; a host function is itself what would be waited for. */
static void settle(void)
{
    if (!thread_self()->in_host_func)
        sim_run_until(thread_self()->clock);
}

/* The caller learns that the event is complete: later actions of the host come after it. */
static void know(const struct event *ev)
{
    if (sim.checks && ev->epoch.seq && !thread_self()->in_host_func)
        host_waited(&ev->epoch);
    memory_host_waited();
    host_access_waited();
}

/* Enters a call that asks whether an event is complete. False: the call is over. */
static bool ask(enum call_id call, cudaEvent_t event, struct event **ev, cudaError_t *e)
{
    if (!api_enter_early(call, event ? NOT_EARLY : EARLY, cudaErrorInvalidResourceHandle, e))
        return false;
    *ev = event_of(event);
    *e = *ev ? capture_refuses_event_query(*ev) : cudaErrorInvalidResourceHandle;
    if (!*e)
        return true;
    *e = api_leave(*e);
    return false;
}

EXPORT cudaError_t cudaEventQuery(cudaEvent_t event)
{
    cudaError_t e;
    struct event *ev;
    if (!ask(CALL_cudaEventQuery, event, &ev, &e))
        return e;
    settle();
    if (ev->op)
        return api_leave_not_ready();
    know(ev);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t e;
    struct event *ev;
    if (!ask(CALL_cudaEventSynchronize, event, &ev, &e))
        return e;
    if (ev->op && thread_self()->in_host_func) /* it could wait for work that comes after itself */
        return api_leave(cudaErrorNotPermitted);
    if (ev->op)
        op_wait(ev->op);
    else
        know(ev);
    return api_leave(cudaSuccess);
}

static cudaError_t has_time(const struct event *ev)
{
    if (ev->capture)
        return capture_refuses_event_time(ev);
    return ev->recorded && !(ev->flags & cudaEventDisableTiming) ? cudaSuccess
                                                                 : cudaErrorInvalidResourceHandle;
}

EXPORT cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    API_ENTER(cudaEventElapsedTime);
    struct event *a = event_of(start), *b = event_of(end);
    API_REFUSE_IF(!ms, cudaErrorInvalidValue);
    API_REFUSE_IF(!a || !b, cudaErrorInvalidResourceHandle);
    API_TRY(has_time(a));
    API_TRY(has_time(b));
    API_REFUSE_IF(a->device != b->device, cudaErrorInvalidResourceHandle);
    settle();
    API_REFUSE_IF(a->op || b->op, cudaErrorNotReady);
    know(a);
    know(b);
    *ms = (float)((double)(b->time_ns - a->time_ns) / 1e6);
    return api_leave(cudaSuccess);
}

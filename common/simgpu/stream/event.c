/*
 * event.c: marks in streams. A record is an operation of its stream; a wait is an operation of
 * another stream that has the record before it.
 */
#include <math.h>
#include <stdlib.h>

#include "graph.h"

struct event *event_of(cudaEvent_t handle)
{
    return handle_type_of(handle) == HANDLE_EVENT ? (struct event *)handle : NULL;
}

void event_put(struct event *ev)
{
    if (--ev->refs > 0)
        return;
    capture_forget_event(ev);
    order_drop(&ev->stamp);
    free(ev);
}

/* The record `op` is done; a later record of the same event may already be on its way. */
void event_happened(struct event *ev, struct op *op)
{
    if (ev->op != op)
        return;
    ev->op = NULL;
    ev->time_ns = op->end_ns;
    op_put(op);
}

static cudaError_t create(cudaEvent_t *out, unsigned flags)
{
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!out || (flags & ~known))
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

EXPORT cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    cudaError_t e;
    if (!api_enter(COST_EVENT_CREATE, "cudaEventCreate", &e))
        return e;
    return api_leave(create(event, cudaEventDefault));
}

EXPORT cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    cudaError_t e;
    if (!api_enter(COST_EVENT_CREATE, "cudaEventCreateWithFlags", &e))
        return e;
    return api_leave(create(event, flags));
}

EXPORT cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    cudaError_t e;
    if (call_is_for_nothing(!event))
        return api_refuse("cudaEventDestroy", cudaErrorInvalidResourceHandle);
    if (!api_enter(COST_EVENT_DESTROY, "cudaEventDestroy", &e))
        return e;
    struct event *ev = event_of(event);
    if (!ev)
        return api_leave(cudaErrorInvalidResourceHandle);
    handle_remove(ev);
    ev->destroyed = true;
    event_put(ev);
    return api_leave(cudaSuccess);
}

static void forget(void *p, void *arg)
{
    struct event *ev = p;
    if (ev->device != *(int *)arg)
        return;
    handle_remove(ev);
    event_put(ev);
}

void event_forget(int device)
{
    handle_each(HANDLE_EVENT, forget, &device);
}

/* ---- record and wait ------------------------------------------------------------------------- */

static void set_record(struct event *ev, struct op *op)
{
    capture_forget_event(ev);
    if (ev->op)
        op_put(ev->op);
    ev->op = op;
    op_get(op);
    ev->recorded = true;
    ev->stream_id = op->stream->id;
}

static void set_stamp(struct event *ev, const struct op *op)
{
    if (!sim.checks)
        return;
    order_drop(&ev->stamp);
    ev->stamp = order_copy(&op->stamp);
}

void event_record_node(struct event *ev, struct op *op)
{
    set_record(ev, op);
    set_stamp(ev, op);
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    struct event *ev = event_of(event);
    struct stream *s;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess)
        return e;
    if (!ev)
        return cudaErrorInvalidResourceHandle;
    if (flags & ~(unsigned)cudaEventRecordExternal)
        return cudaErrorInvalidValue;
    bool external = flags & cudaEventRecordExternal;
    if (external && !s->capture)
        return cudaErrorIllegalState;
    if (ev->device != s->device->id)
        return cudaErrorInvalidResourceHandle;
    struct work w = {.kind = OP_EVENT_RECORD, .name = "event record", .event = ev};
    if (s->capture && !external && ev->flags & cudaEventInterprocess) /* and the capture goes on */
        return cudaErrorStreamCaptureUnsupported;
    if (s->capture && !external) {
        capture_record(ev, s);
        return cudaSuccess;
    }
    ev->refs++;
    if (s->capture)
        return work_submit(&w, s);
    struct op *op = op_new(&w, s);
    set_record(ev, op);
    op_submit(op, NULL, NULL);
    set_stamp(ev, op);
    op_put(op);
    return cudaSuccess;
}

cudaError_t launch_event_error(cudaEvent_t event, int flags, const struct stream *s)
{
    const struct event *ev = event_of(event);
    if (!ev)
        return cudaErrorInvalidResourceHandle;
    if (!(ev->flags & cudaEventDisableTiming) || ev->flags & cudaEventInterprocess)
        return cudaErrorNotSupported;
    if (flags & cudaEventRecordExternal)
        return s->capture ? cudaErrorNotSupported : cudaErrorIllegalState;
    return flags ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t launch_event_record(cudaEvent_t event, cudaStream_t stream, struct stream *s,
                                struct node *kernel, cudaGraphEdgeData data)
{
    if (!s->capture)
        return record(event, stream, 0);
    struct event *ev = event_of(event);
    capture_record(ev, s);
    frontier_set(&ev->frontier, &(struct frontier){.nodes = &kernel, .data = &data, .n = 1});
    return cudaSuccess;
}

/* Recording a time costs the host more than recording an order. */
static cudaError_t record_api(cudaEvent_t event, cudaStream_t stream, unsigned flags,
                              const char *name)
{
    cudaError_t e;
    if (!api_enter(COST_EVENT_RECORD, name, &e))
        return e;
    const struct event *ev = event_of(event);
    if (ev && !(ev->flags & cudaEventDisableTiming))
        api_charge(COST_EVENT_RECORD_TIMING);
    return api_leave(record(event, stream, flags));
}

EXPORT cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return record_api(event, stream, cudaEventRecordDefault, "cudaEventRecord");
}

EXPORT cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    return record_api(event, stream, flags, "cudaEventRecordWithFlags");
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
    if (flags & ~(unsigned)cudaEventWaitExternal)
        return cudaErrorInvalidValue;
    if ((e = capture_refuses_void_event(s, ev)) != cudaSuccess)
        return e;
    if (external && !s->capture)
        return cudaErrorIllegalState;
    if (external) {
        ev->refs++;
        return work_submit(&(struct work){.kind = OP_EVENT_WAIT, .name = "event wait", .event = ev},
                           s);
    }
    if (s->capture || ev->capture)
        return capture_wait(s, ev);
    if (ev->recorded) {
        struct op *op = op_new(&(struct work){.kind = OP_EVENT_WAIT, .name = "event wait"}, s);
        history_advance(thread_self()->clock);
        if (ev->op)
            op_submit(op, ev->op, &ev->stamp);
        else
            op_note(op, &ev->stamp);
        op_put(op);
    }
    return cudaSuccess;
}

EXPORT cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    cudaError_t e;
    if (!api_enter(COST_STREAM_WAIT, "cudaStreamWaitEvent", &e))
        return e;
    return api_leave(wait(stream, event_of(event), flags));
}

/* ---- questions and waiting ------------------------------------------------------------------- */

/* What has happened by now has happened; a host function is itself what would be waited for. */
static void settle(void)
{
    if (!thread_self()->in_host_func)
        hostfn_settle();
}

/* The caller is told that it has happened: what the host does from now on comes after it. */
static void know(const struct event *ev)
{
    if (sim.checks && ev->stamp.seq && !thread_self()->in_host_func)
        order_join(&sim.host, &ev->stamp);
}

EXPORT cudaError_t cudaEventQuery(cudaEvent_t event)
{
    cudaError_t e;
    if (!event)
        return api_refuse("cudaEventQuery", cudaErrorInvalidResourceHandle);
    if (!api_enter(COST_EVENT_QUERY, "cudaEventQuery", &e))
        return e;
    struct event *ev = event_of(event);
    if (!ev)
        return api_leave(cudaErrorInvalidResourceHandle);
    e = capture_refuses_event_query(ev);
    if (e != cudaSuccess)
        return api_leave(e);
    settle();
    if (ev->op)
        return api_leave(cudaErrorNotReady);
    know(ev);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t e;
    if (!event)
        return api_refuse("cudaEventSynchronize", cudaErrorInvalidResourceHandle);
    if (!api_enter(COST_SYNC, "cudaEventSynchronize", &e))
        return e;
    struct event *ev = event_of(event);
    if (!ev)
        return api_leave(cudaErrorInvalidResourceHandle);
    e = capture_refuses_event_query(ev);
    if (e != cudaSuccess)
        return api_leave(e);
    if (ev->op && thread_self()->in_host_func) /* it would wait for what may be behind itself */
        return api_leave(cudaErrorNotPermitted);
    if (ev->op)
        op_wait(ev->op);
    else
        know(ev);
    return api_leave(cudaSuccess);
}

/* A GPU's event timestamps tick once every 32 ns; a difference is given in milliseconds. */
static float elapsed_ms(const struct event *start, const struct event *end)
{
    return (float)((double)(end->time_ns - start->time_ns) / 1e6);
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
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaEventElapsedTime", &e))
        return e;
    struct event *a = event_of(start), *b = event_of(end);
    if (!ms)
        return api_leave(cudaErrorInvalidValue);
    if (!a || !b)
        return api_leave(cudaErrorInvalidResourceHandle);
    if ((e = has_time(a)) != cudaSuccess || (e = has_time(b)) != cudaSuccess)
        return api_leave(e);
    if (a->device != b->device)
        return api_leave(cudaErrorInvalidResourceHandle);
    settle();
    if (a->op || b->op)
        return api_leave(cudaErrorNotReady);
    know(a);
    know(b);
    *ms = elapsed_ms(a, b);
    return api_leave(cudaSuccess);
}

/* capture_events.c: events in captures. A recorded event keeps the stream's frontier. A wait for it
 * takes another stream into the capture (a fork) or orders two of its streams (a join). An event
 * recorded in one capture means nothing in another, nor outside. */
#include "graph.h"

static void leave_capture(struct event *ev)
{
    if (!ev->capture)
        return;
    capture_put(ev->capture);
    ev->capture = NULL;
    ev->leave_capture = NULL;
    frontier_clear(&ev->frontier);
}

void capture_record(struct event *ev, struct stream *s)
{
    call_charge(COST_CAPTURE_MARK);
    leave_capture(ev);
    ev->capture = s->capture;
    ev->leave_capture = leave_capture;
    ev->capture->refs++;
    event_note_record(ev, s->id, call_place());
    frontier_set(&ev->frontier, &s->frontier);
}

/* The stream's capture, if it has one, ends with this wait. */
static cudaError_t refuse(struct stream *s, cudaError_t e)
{
    if (s->capture)
        capture_invalidate(s->capture);
    return e;
}

/* The capture that recorded it has ended, or is invalidated. */
static bool capture_event_is_void(const struct event *ev)
{
    return ev->capture && (ev->capture->ended || ev->capture->invalidated);
}

cudaError_t capture_refuses_void_event(struct stream *s, const struct event *ev)
{
    return capture_event_is_void(ev) ? refuse(s, cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t capture_wait(struct stream *s, struct event *ev)
{
    struct capture *theirs = ev->capture, *ours = s->capture;
    call_charge(COST_CAPTURE_MARK);
    if (!theirs)
        return ev->recorded ? refuse(s, cudaErrorStreamCaptureIsolation) : cudaSuccess;
    if (s->legacy) {
        capture_invalidate(theirs);
        return cudaErrorStreamCaptureImplicit;
    }
    if (!ours) {
        capture_enter(s, theirs, &ev->frontier);
        return cudaSuccess;
    }
    if (ours != theirs) {
        capture_invalidate(theirs);
        return refuse(s, cudaErrorStreamCaptureMerge);
    }
    frontier_unite(&s->frontier, &ev->frontier);
    return cudaSuccess;
}

cudaError_t capture_refuses_event_time(const struct event *ev)
{
    if (!ev->capture)
        return cudaSuccess;
    return capture_event_is_void(ev) ? cudaErrorInvalidValue : cudaErrorCapturedEvent;
}

cudaError_t capture_refuses_event_query(struct event *ev)
{
    cudaError_t e = capture_refuses_event_time(ev);
    if (e == cudaErrorCapturedEvent)
        capture_invalidate(ev->capture);
    return e != cudaSuccess ? e : capture_unsafe_call();
}

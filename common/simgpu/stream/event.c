/* event.c: events. A record is an operation of its stream; a wait is an operation of another
 * stream, with the record as a predecessor. */
#include <stdlib.h>

#include "stream.h"

struct event *event_of(cudaEvent_t handle)
{
    if (handle_type_of(handle) == HANDLE_EVENT)
        return (struct event *)handle;
    refusal_note_handle(handle, "event");
    return NULL;
}

void event_put(struct event *ev)
{
    if (--ev->refs > 0)
        return;
    if (ev->leave_capture)
        ev->leave_capture(ev);
    epoch_drop(&ev->epoch);
    free(ev);
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

/* The number of the stream in which this thread enqueued work last; -1: in none. */
static __thread int worked_in = -1;

void event_note_record(struct event *ev, int stream, struct simgpu_caller at)
{
    ev->stream_id = stream;
    ev->recorded_at = at;
    ev->is_elsewhere = worked_in >= 0 && worked_in != stream;
}

void event_set_record(struct event *ev, struct op *op)
{
    if (ev->leave_capture)
        ev->leave_capture(ev);
    if (ev->op)
        op_put(ev->op);
    ev->op = op;
    op_get(op);
    ev->recorded = true;
    event_note_record(ev, op->stream_id, op->work.caller);
}

void event_note_wait(const struct event *ev, struct stream *s)
{
    const bool is_recorded = ev->recorded || ev->capture,
               is_legacy = is_recorded && ev->stream_id == 0;
    if (!sim.checks || (is_legacy && sim.n_devices > 1)) /* each device has a stream 0 */
        return;
    s->waits = waits_and(s->has_worked ? waits_without(s->waits) : s->waits,
                         &(struct simgpu_wait){.waited = call_place(),
                                               .recorded = ev->recorded_at,
                                               .stream = is_recorded ? ev->stream_id : -1,
                                               .is_elsewhere = ev->is_elsewhere});
    s->has_worked = false;
}

uint16_t stream_waits(struct stream *s)
{
    worked_in = s->id;
    s->has_worked = true;
    return s->waits;
}

void event_set_epoch(struct event *ev, const struct op *op)
{
    if (!sim.checks)
        return;
    epoch_drop(&ev->epoch);
    ev->epoch = epoch_copy(&op->epoch);
}

void event_set_epoch_beside(struct event *ev, const struct op *op)
{
    if (!sim.checks)
        return;
    const struct epoch *const after[] = {&host_epoch};
    epoch_drop(&ev->epoch);
    ev->epoch = epoch_new(clock_id_after(&host_epoch), after, 1);
    epoch_join_beside(&ev->epoch, &op->epoch);
    clock_id_free(ev->epoch.clock_id);
}

/* A later record of the same event may already be on its way. */
static void record_done(struct op *op, ns_t now)
{
    struct event *ev = op->work.event;
    if (ev->op != op)
        return;
    ev->op = NULL;
    ev->time_ns = now;
    op_put(op);
}

static void hold(struct work *w)
{
    if (w->event)
        w->event->refs++;
}

static void drop(struct work *w)
{
    if (w->event)
        event_put(w->event);
}

const struct op_type event_record_type = {.done = record_done, .hold = hold, .drop = drop};
const struct op_type event_wait_type = {.hold = hold, .drop = drop};

struct work event_record_work(struct event *ev)
{
    bool timed = !(ev->flags & cudaEventDisableTiming);
    return (struct work){.kind = OP_EVENT_RECORD,
                         .name = "event record",
                         .caller = call_place(),
                         .event = ev,
                         .mark_ns = timed ? cost_event_record() : 0};
}

/* adapter_events.c: the calls of a submission about streams and events, see events.h. */
#include "events.h"

#include <stdio.h>
#include <string.h>

#include "labs/lab05/causes.h"
#include "subject/objects.h"

enum { MOST_STREAMS = 64, MOST_EVENTS = 256 };

struct stream_calls {
    cudaStream_t stream;
    bool is_joined;         /* the origin waits for an event that it recorded last */
    cudaEvent_t unrecorded; /* that it waited for before any record of it; NULL: it has recorded an
                               event since */
};

struct event_calls {
    cudaEvent_t event;
    int records;
    cudaStream_t recorder;  /* the stream of its last record */
    bool is_captured;       /* its last record was in a stream that captured */
    bool is_before;         /* its last record came before any capture began */
    bool is_awaited;        /* a stream has waited for it since its last record */
    cudaStream_t waiter;    /* the stream that waited for it last */
    bool is_awaited_first;  /* something waited for it before its first record */
    bool is_recorded_again; /* it was recorded twice, and nothing had waited for the first record */
    bool is_elsewhere;      /* it was recorded in another stream than the one that waited for it */
    bool origin_has_awaited; /* the origin has waited for it */
};

static struct {
    enum { GRADER, SETUP, RUN } caller;
    int begins, begins_in_run; /* of captures */
    cudaStream_t origin;
    int n_expected_streams, n_streams, n_events;
    struct stream_calls streams[MOST_STREAMS]; /* in order of their creation */
    struct event_calls events[MOST_EVENTS];
    struct event_calls *last_awaited;
    int busy_streams;
    int others_recorded;      /* records of another event than the one that the stream awaited */
    cudaStream_t with_memset; /* not the origin: its last node is a memset */
    enum lab05_cause refused; /* why a graph could not be instantiated */
} journal;

/* The graph is there or not. */
static void note_instantiation(cudaError_t error, cudaGraph_t graph)
{
    size_t n;
    if (error != cudaErrorInvalidValue)
        journal.refused = LAB05_NOT_KNOWN;
    else if (!graph)
        journal.refused = LAB05_GRAPH_NOT_STORED;
    else if (cudaGraphGetNodes(graph, NULL, &n) == cudaSuccess)
        journal.refused = LAB05_TOO_MANY_BYTES;
}

static void note_created(cudaError_t error, const cudaStream_t *stream)
{
    if (journal.caller == SETUP && error == cudaSuccess && journal.n_streams < MOST_STREAMS)
        journal.streams[journal.n_streams++] = (struct stream_calls){.stream = *stream};
}

void events_of_setup(int n_streams)
{
    memset(&journal, 0, sizeof journal);
    subject_watch_streams(note_created);
    journal.caller = SETUP;
    journal.n_expected_streams = n_streams;
}

void events_of_run(void)
{
    journal.caller = RUN;
}

void events_of_grader(void)
{
    journal.caller = GRADER;
}

/* ---- the calls ------------------------------------------------------------------------------- */

static bool is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    return stream && cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusActive;
}

/* NULL: there is no room for it. */
static struct event_calls *find_event(cudaEvent_t event)
{
    int i = 0;
    while (i < journal.n_events && journal.events[i].event != event)
        i++;
    if (i == MOST_EVENTS)
        return NULL;
    if (i == journal.n_events)
        journal.events[journal.n_events++] = (struct event_calls){.event = event};
    return &journal.events[i];
}

/* NULL: not one of those that were created in setup. */
static struct stream_calls *find_stream(cudaStream_t stream)
{
    for (int i = 0; i < journal.n_streams; i++)
        if (journal.streams[i].stream == stream)
            return &journal.streams[i];
    return NULL;
}

static void note_record(cudaEvent_t event, cudaStream_t stream)
{
    struct event_calls *e = journal.caller == SETUP ? find_event(event) : NULL;
    struct stream_calls *s = find_stream(stream);
    if (!e)
        return;
    if (s && s->unrecorded) {
        const struct event_calls *awaited = find_event(s->unrecorded);
        journal.others_recorded += awaited && awaited != e && awaited->records == 0;
        s->unrecorded = NULL;
    }
    e->is_recorded_again |= e->records > 0 && !e->is_awaited;
    e->is_elsewhere |= e->is_awaited_first && stream != e->waiter;
    e->records++;
    e->recorder = stream;
    e->is_captured = is_captured(stream);
    e->is_before = journal.begins == 0;
    e->is_awaited = false;
}

static void note_wait(cudaStream_t stream, cudaEvent_t event)
{
    struct event_calls *e = journal.caller == SETUP ? find_event(event) : NULL;
    journal.last_awaited = e;
    if (!e)
        return;
    struct stream_calls *s = find_stream(stream);
    if (s && e->records == 0)
        s->unrecorded = event;
    e->is_awaited = true;
    e->is_awaited_first |= e->records == 0;
    e->waiter = stream;
    if (!journal.origin || stream != journal.origin)
        return;
    e->origin_has_awaited = true;
    for (int i = 0; i < journal.n_streams; i++)
        journal.streams[i].is_joined |= e->records > 0 && journal.streams[i].stream == e->recorder;
}

/* Is one of the last nodes of the stream a memset, or anything but a memset? */
static bool has_last(cudaStream_t stream, bool is_memset)
{
    enum cudaStreamCaptureStatus status;
    enum cudaGraphNodeType type;
    const cudaGraphNode_t *last;
    size_t n;
    bool found = false;
    if (!is_captured(stream) ||
        cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, &last, NULL, &n) != cudaSuccess)
        return false;
    for (size_t i = 0; i < n; i++)
        found |= cudaGraphNodeGetType(last[i], &type) == cudaSuccess &&
                 (type == cudaGraphNodeTypeMemset) == is_memset;
    return found;
}

/* Only those that are part of the capture stay in question. */
static void note_end(void)
{
    journal.busy_streams = 0;
    for (int i = 0; i < journal.n_streams && journal.caller == SETUP; i++) {
        struct stream_calls *s = &journal.streams[i];
        const bool is_origin = s->stream == journal.origin;
        if (!is_origin && s->is_joined && has_last(s->stream, true))
            journal.with_memset = s->stream;
        s->is_joined |= is_origin || !is_captured(s->stream);
        journal.busy_streams += !is_origin && has_last(s->stream, false);
    }
}

void events_before_call(struct subject_call *call)
{
    switch (call->function) {
    case CALL_cudaEventRecord:
    case CALL_cudaEventRecordWithFlags:
        note_record(call->event, call->stream);
        return;
    case CALL_cudaStreamWaitEvent:
        note_wait(call->stream, call->event);
        return;
    case CALL_cudaStreamBeginCapture:
        journal.begins += journal.caller == SETUP;
        journal.begins_in_run += journal.caller == RUN;
        if (journal.caller == SETUP)
            journal.origin = call->stream;
        return;
    case CALL_cudaStreamEndCapture:
        note_end();
        return;
    default:
        return;
    }
}

void events_after_call(const struct subject_call *call)
{
    if (call->function == CALL_cudaGraphInstantiate)
        note_instantiation(call->error, call->graph);
}

/* ---- what they mean -------------------------------------------------------------------------- */

/* As lab.c calls it, if it creates no streams but those of its array. */
static const char *name_of(cudaStream_t stream)
{
    static char name[32];
    for (int i = 0; i < journal.n_streams && journal.n_streams == journal.n_expected_streams; i++)
        if (journal.streams[i].stream == stream) {
            snprintf(name, sizeof name, "streams[%d]", i);
            return name;
        }
    return "a stream";
}

/* NULL: all are joined. */
static cudaStream_t first_unjoined(void)
{
    for (int i = 0; i < journal.n_streams; i++)
        if (!journal.streams[i].is_joined)
            return journal.streams[i].stream;
    return NULL;
}

static bool is_recorded_again(void)
{
    for (int i = 0; i < journal.n_events; i++)
        if (journal.events[i].is_recorded_again && journal.events[i].origin_has_awaited)
            return true;
    return false;
}

/* What the error says of the streams of the capture; *stream: the one that it is about. */
static enum lab05_cause cause_of(cudaError_t error, cudaStream_t *stream)
{
    const struct event_calls *e = journal.last_awaited;
    *stream = NULL;
    if (error != cudaSuccess && journal.begins_in_run > 0)
        return LAB05_CAPTURES_IN_RUN;
    if (error == cudaErrorInvalidValue)
        return journal.refused;
    if (error == cudaErrorStreamCaptureUnjoined) {
        *stream = first_unjoined();
        if (is_recorded_again())
            return LAB05_EVENT_RECORDED_AGAIN;
        if (*stream || !journal.with_memset)
            return LAB05_NEVER_JOINED;
        *stream = journal.with_memset;
        return LAB05_STATUS_IN_OTHER_STREAM;
    }
    if (error != cudaErrorStreamCaptureIsolation || !e || e->is_captured)
        return LAB05_NOT_KNOWN;
    *stream = e->is_before ? NULL : e->recorder;
    return e->is_before ? LAB05_EVENT_RECORDED_BEFORE : LAB05_NOT_FORKED;
}

void events_note_cause(struct subject *s, cudaError_t error)
{
    cudaStream_t stream;
    char expected[96] = "";
    const enum lab05_cause cause = cause_of(error, &stream);
    if (stream)
        snprintf(expected, sizeof expected,
                 "%s is forked from the origin, and joined after its last work", name_of(stream));
    if (cause)
        subject_note(s, cause, expected, "%s", cudaGetErrorName(error));
}

void events_note_sets(struct subject *s)
{
    if (journal.others_recorded > 0)
        subject_note(s, LAB05_OTHER_SET_AWAITED, NULL, NULL);
    for (const struct event_calls *e = journal.events; e < journal.events + journal.n_events; e++) {
        if (e->is_awaited_first && e->records == 0)
            subject_note(s, LAB05_SET_EVENT_NEVER_RECORDED, NULL, NULL);
        if (e->is_elsewhere)
            subject_note(s, LAB05_SET_EVENT_RECORDED_ELSEWHERE, NULL, NULL);
    }
}

int events_busy_streams(void)
{
    return journal.busy_streams;
}

/* adapter_events.c: the calls of a submission about streams and events, see events.h. */
#include "events.h"

#include <stdio.h>
#include <string.h>

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

static void note_begin(cudaStream_t stream)
{
    journal.begins += journal.caller == SETUP;
    journal.begins_in_run += journal.caller == RUN;
    if (journal.caller == SETUP)
        journal.origin = stream;
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
        note_begin(call->stream);
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

/* What the error says of the streams of the capture. */
static enum lab05_cause cause_of(cudaError_t error)
{
    const struct event_calls *e = journal.last_awaited;
    if (journal.begins_in_run > 0)
        return LAB05_CAPTURES_IN_RUN;
    if (error == cudaErrorInvalidValue)
        return journal.refused;
    if (error == cudaErrorStreamCaptureUnjoined)
        return is_recorded_again()                                ? LAB05_RECORDED_AGAIN
               : !first_unjoined() && journal.with_memset != NULL ? LAB05_MEMSET_AFTER_JOIN
                                                                  : LAB05_NOT_JOINED;
    if (error != cudaErrorStreamCaptureIsolation || !e || e->is_captured)
        return LAB05_NOT_KNOWN;
    return e->is_before ? LAB05_RECORDED_BEFORE : LAB05_NOT_FORKED;
}

enum lab05_cause events_cause(cudaError_t error, const char **words)
{
    static const char *const formats[] = {
        [LAB05_NOT_KNOWN] = "",
        [LAB05_CAPTURES_IN_RUN] = "each run captures the work again",
        [LAB05_RECORDED_BEFORE] = "the event was last recorded before cudaStreamBeginCapture",
        [LAB05_NOT_FORKED] =
            "%s recorded the event, and is not part of the capture: it was never forked, so its "
            "work has run, once",
        [LAB05_NOT_JOINED] = "%s was forked and never joined: the origin waits for no event that "
                             "was recorded after its last work",
        [LAB05_MEMSET_AFTER_JOIN] = "the last node of %s is a memset, which was enqueued after the "
                                    "event that the origin waits for",
        [LAB05_RECORDED_AGAIN] =
            "%s was never joined: the event that it recorded was recorded again in another stream "
            "before the origin waited for it",
        [LAB05_GRAPH_NOT_STORED] = "lab->graph is NULL, so there is nothing to instantiate",
        [LAB05_TOO_MANY_BYTES] =
            "a copy or a memset of the graph has more bytes than there are at its address, or an "
            "address of another kind of memory"};
    static char text[256];
    const enum lab05_cause cause = cause_of(error);
    const cudaStream_t stream = cause == LAB05_NOT_FORKED          ? journal.last_awaited->recorder
                                : cause == LAB05_MEMSET_AFTER_JOIN ? journal.with_memset
                                                                   : first_unjoined();
    snprintf(text, sizeof text, formats[cause], name_of(stream));
    *words = text;
    return cause;
}

int events_never_recorded(void)
{
    int n = 0;
    for (int i = 0; i < journal.n_events; i++)
        n += journal.events[i].is_awaited_first && journal.events[i].records == 0;
    return n;
}

int events_others_recorded(void)
{
    return journal.others_recorded;
}

int events_recorded_elsewhere(void)
{
    int n = 0;
    for (int i = 0; i < journal.n_events; i++)
        n += journal.events[i].is_elsewhere;
    return n;
}

int events_busy_streams(void)
{
    return journal.busy_streams;
}

/*
 * events.h: the streams and events of a submission's capture, by its calls: a graph does not tell
 * them. From them the adapter knows why a capture failed, and the suite why a graph is wrong.
 */
#ifndef LAB05_EVENTS_H
#define LAB05_EVENTS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include "subject/calls.h"

/* Why the submission returned an error. */
enum lab05_cause {
    LAB05_NOT_KNOWN,
    LAB05_CAPTURES_IN_RUN,
    LAB05_RECORDED_BEFORE, /* an event, before the capture began */
    LAB05_NOT_FORKED,      /* the stream that recorded an event */
    LAB05_NOT_JOINED,
    LAB05_MEMSET_AFTER_JOIN, /* in the stream that was joined */
    LAB05_RECORDED_AGAIN,    /* an event, before the origin waited for it */
    LAB05_GRAPH_NOT_STORED,
    LAB05_TOO_MANY_BYTES
};

/* For SUBJECT_LAB. */
void events_before_call(struct subject_call *call);
void events_after_call(const struct subject_call *call);

/* The calls after this are those of lab05_setup, which creates so many streams. */
void events_of_setup(int n_streams);

/* The calls after this are those of lab05_run. */
void events_of_run(void);

/* The calls after this are the grader's own. */
void events_of_grader(void);

/* Why the present capture failed with this error. *words: what happened, as the end of a sentence;
   valid until the next call. LAB05_NOT_KNOWN: no words. */
enum lab05_cause events_cause(cudaError_t error, const char **words);

/* Of the setup: events that a stream waited for, and that nothing ever recorded; events that
   another stream recorded than the one that had waited for them before; streams besides the origin
   that had captured work when the capture ended. */
int events_never_recorded(void);
int events_recorded_elsewhere(void);
/* How often a stream awaited an event before any record of it, and then recorded another one. */
int events_others_recorded(void);
int events_busy_streams(void);

#endif

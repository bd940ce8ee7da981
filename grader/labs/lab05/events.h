/* events.h: the streams and events of a submission's capture, by its calls: a graph does not tell
 * them. From them the adapter knows why a capture failed, and why a graph is wrong. */
#pragma once

#include <cuda_runtime_api.h>
#include "subject/calls.h"
#include "subject/subject.h"

/* For SUBJECT_LAB. */
void events_before_call(struct subject_call *call);
void events_after_call(const struct subject_call *call);

/* The calls after this are those of lab05_setup, which creates so many streams. */
void events_of_setup(int n_streams);

/* The calls after this are those of lab05_run. */
void events_of_run(void);

/* The calls after this are the grader's own. */
void events_of_grader(void);

/* Notes why the present capture failed with this error. */
void events_note_cause(struct subject *s, cudaError_t error);

/* Notes what is wrong with events of the setup: a stream waited for one, and nothing ever recorded
   it, or another stream did, or the stream itself recorded another one. */
void events_note_sets(struct subject *s);

/* Streams besides the origin that had captured work when the capture ended. */
int events_busy_streams(void);

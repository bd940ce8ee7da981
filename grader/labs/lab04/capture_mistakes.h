/*
 * capture_mistakes.h: what learners do wrong in lab 04's eight captures.
 */
#ifndef LAB04_CAPTURE_MISTAKES_H
#define LAB04_CAPTURE_MISTAKES_H

#include "judge/judge.h"
#include "labs/lab04/mistakes.h"
#include "session/session.h"

/* Which capture is looked at, and what it called, as the adapter counted it. */
struct capture_calls {
    int number; /* 1 to 8; 0: none */
    bool failed;
    bool both_streams; /* both had work in the capture */
    bool ends_other;   /* the other one had the kernel and the copy back */
    bool fills_x;      /* a copy in the graph writes x */
    double begins, ends, origin_begins, early_records, stray_records, other_waits, origin_waits,
        host_waits;
};

/* After judge_start: keeps what the adapter reported of this capture. */
const struct capture_calls *capture_calls_of(const struct judge *j, int number);

/* For mistake_of: why the capture failed. NULL: not known. */
const char *capture_mistake_of(const struct session_event *e);

/* Why work of the other stream is not in the graph; NULL: it was in the capture. */
const char *capture_not_forked(void);

#endif

/*
 * capture_mistakes.h: what learners do wrong in lab 04's eight captures.
 */
#ifndef LAB04_CAPTURE_MISTAKES_H
#define LAB04_CAPTURE_MISTAKES_H

#include "judge/judge.h"
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
const struct judge_mistake *capture_mistake_of(const struct session_event *e);

/* Why work of the other stream is not in the graph; NULL: it was in the capture. */
const struct judge_mistake *capture_not_forked(void);

/* What its graph shows. */
extern const struct judge_mistake capture_wait, capture_query, capture_two_captures,
    capture_not_captured, capture_no_memory_node, capture_memory_not_used, capture_never_freed,
    capture_freed_before_kernel, capture_fork_removed, capture_join_before_copy,
    capture_fork_after_copy, capture_join_after_kernel, capture_order_lost, capture_work_moved,
    capture_no_host_function, capture_two_host_functions, capture_counts_elsewhere,
    capture_host_calls_cuda, capture_other_nodes, capture_other_memory;

#endif

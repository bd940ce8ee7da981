/*
 * mistakes.h: what learners do wrong in lab 06.
 */
#ifndef LAB06_MISTAKES_H
#define LAB06_MISTAKES_H

#include "judge/judge.h"
#include "session/session.h"

/* For JUDGE_LAB. */
const struct judge_mistake *lab06_mistake_of(const struct session_event *e);

/* of all three workloads */
extern const struct judge_mistake lab06_no_final_wait, lab06_reinstantiates, lab06_uploads,
    lab06_work_beside_graph, lab06_launches;

/* everything changes */
extern const struct judge_mistake lab06_no_graph, lab06_not_updated, lab06_update_ignored,
    lab06_updated_after_launch, lab06_stale_error, lab06_too_many_graphs;

/* one number changes */
extern const struct judge_mistake lab06_captures_for_one, lab06_sets_graph, lab06_weight_not_set,
    lab06_sets_many, lab06_set_after_launch, lab06_first_not_set, lab06_zero_not_set,
    lab06_weight_without_effect, lab06_not_a_float;

/* a branch is on or off */
extern const struct judge_mistake lab06_other_kernels, lab06_serial_branch, lab06_fork_before_copy,
    lab06_branch_waits, lab06_no_join, lab06_recaptures, lab06_copy_disabled, lab06_correct_left_on,
    lab06_always_computed, lab06_apply_left_on, lab06_branch_missing, lab06_many_execs,
    lab06_switched_inverted, lab06_switched_after_launch, lab06_first_not_switched,
    lab06_never_switched, lab06_never_enabled;

#endif

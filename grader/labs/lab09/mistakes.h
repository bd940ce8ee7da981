/*
 * mistakes.h: the mistakes of lab 09.
 */
#ifndef LAB09_MISTAKES_H
#define LAB09_MISTAKES_H

#include "judge/judge.h"
#include "session/session.h"

extern const struct judge_mistake lab09_no_wait, lab09_waits_for_all, lab09_other_bytes,
    lab09_not_copied,
    /* of the prediction */
    lab09_prediction_without_once, lab09_prediction_rounds_down, lab09_prediction_without_tie,
    lab09_prediction_below_one, lab09_prediction_never, lab09_prediction_in_integers,
    lab09_wrong_prediction,
    /* of the lookup */
    lab09_no_graph, lab09_captured_nothing, lab09_captured_twice, lab09_other_stream,
    lab09_legacy_stream, lab09_other_half, lab09_never_found, lab09_key_has_address,
    lab09_key_lacks_n_steps, lab09_key_lacks_n,
    /* of a hit */
    lab09_host_waits, lab09_synchronous_copy, lab09_instantiates_on_hit, lab09_no_launch_on_hit,
    lab09_launches_twice, lab09_creates_on_hit, lab09_launches_other_graph,
    /* of evictions and the budget */
    lab09_captured_again, lab09_evicts_most_recent, lab09_hit_is_no_use, lab09_evicts_wrong_entry,
    lab09_keeps_wrong_entry, lab09_evicts_too_many, lab09_keeps_workspace, lab09_uses_evicted_entry,
    lab09_eviction_waits_for_all, lab09_miss_waits, lab09_update_lost, lab09_too_many_entries,
    lab09_too_many_floats, lab09_released_twice, lab09_exec_not_destroyed, lab09_never_updates,
    lab09_update_error_left, lab09_update_failure_ignored, lab09_spare_not_destroyed,
    /* of a workspace in use */
    lab09_evicted_in_flight, lab09_done_too_early, lab09_endless_eviction, lab09_locks_out_clients,
    lab09_workspace_shared,
    /* of lab09_warm */
    lab09_warms_nothing, lab09_uploads_unfinished, lab09_not_uploaded, lab09_uploads_again,
    lab09_uploads_some, lab09_warms_some,
    /* of captures */
    lab09_global_mode, lab09_device_sync_in_wait, lab09_capture_fails, lab09_relaxed_mode,
    lab09_not_served, lab09_incomplete_graph, lab09_stale_error, lab09_gives_up;

/* Why the submission did that. */
const struct judge_mistake *lab09_mistake_of(const struct session_event *e);

#endif

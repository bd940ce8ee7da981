/*
 * mistakes.h: the mistakes of lab 08 that are not one node or edge of a drawing (drawn.c).
 */
#ifndef LAB08_MISTAKES_H
#define LAB08_MISTAKES_H

#include "judge/judge.h"
#include "session/session.h"

extern const struct judge_mistake
    /* of the nodes */
    lab08_memset_width,
    lab08_copy_size, lab08_edge_with_data, lab08_waits_for_other_event, lab08_records_other_event,
    /* of priorities */
    lab08_other_priority, lab08_priority_of_all, lab08_priority_ignored,
    /* of temporary memory */
    lab08_permanent_buffers, lab08_never_freed, lab08_alloc_size, lab08_consume_swapped,
    lab08_copies_in_elsewhere, lab08_copies_other_back, lab08_frees_swapped,
    /* of child graphs */
    lab08_library_not_captured, lab08_captured_nothing, lab08_one_child, lab08_same_weight,
    lab08_weights_swapped,
    /* of host nodes */
    lab08_other_data, lab08_data_given_away, lab08_data_freed_early, lab08_data_never_freed,
    lab08_data_freed_twice, lab08_frees_other_data, lab08_host_calls_cuda, lab08_host_not_run,
    lab08_wrong_mean,
    /* of the kernel that starts early */
    lab08_ordinary_edge, lab08_edge_waits_for_trigger, lab08_edge_without_type,
    lab08_reads_too_early, lab08_waits_before_weights,
    /* of lab08_instantiate and lab08_draw */
    lab08_other_device, lab08_error_not_returned, lab08_other_error, lab08_names_no_node,
    lab08_exec_not_null, lab08_stale_error, lab08_not_drawn,
    /* of arguments */
    lab08_grid_rounded_down, lab08_idle_blocks, lab08_alpha_of_join, lab08_alpha_of_scale,
    lab08_x_added_twice, lab08_x_not_added, lab08_u_not_added, lab08_weights_by_row;

/* Why the submission did that. */
const struct judge_mistake *lab08_mistake_of(const struct session_event *e);

#endif

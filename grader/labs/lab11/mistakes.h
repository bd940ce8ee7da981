/*
 * mistakes.h: the mistakes that learners make in lab 11, and which one an event shows.
 */
#ifndef LAB11_MISTAKES_H
#define LAB11_MISTAKES_H

#include "judge/judge.h"
#include "session/session.h"

struct lab11_mistakes {
    /* a step and its first state */
    struct judge_mistake handle_of_stream, step_kernels, other_steps, layer_argument,
        launcher_refused, graph_by_stream, small_scratch;
    struct judge_mistake copied_early, state_not_copied, part_copied, padding_past_end, padded,
        not_filled, first_token, first_position, first_length, first_slot, first_progress;
    /* reading */
    struct judge_mistake read_too_early, reads_nothing, reads_some_steps;
    /* graphs */
    struct judge_mistake no_graphs, not_captured, no_exec, not_uploaded, no_graph_launch,
        kernels_beside_graph, launches_per_step, copies_in_graph, prefill_in_graph, steps_in_graph,
        made_while_decoding, allocates_while_decoding, made_for_batch, allocates_for_batch,
        cache_moved;
    /* buckets */
    struct judge_mistake no_bucket, bucket_without_graph, wrong_bucket, rounds_down, no_fallback,
        rows_left_over, small_piece_first, scratch_kept, released_twice;
    /* the host */
    struct judge_mistake host_decides, host_waits, copies_between_steps;
    /* edges */
    struct judge_mistake full_edges, first_kernel_early, never_waits, waits_first, other_stream,
        legacy_stream;
    /* a WHILE node */
    struct judge_mistake loop_on_host, loop_never_starts, loop_length, loop_ends_early,
        loop_goes_on, loop_of_step, loop_in_graphs, loop_never_ends;
};

extern const struct lab11_mistakes lab11_mistakes;

/* For JUDGE_LAB. */
const struct judge_mistake *lab11_mistake_of(const struct session_event *e);

/* If the submission fails the running check in this way from now on, it is for this mistake. */
void lab11_suspect(enum session_cause cause, const struct judge_mistake *mistake);

/* What the adapter found out with LAB11_WATCHED; NULL: nothing is wrong. Says what was actual and
   expected. */
const struct judge_mistake *lab11_watched_mistake(const struct judge *j);

#endif

/*
 * mistakes.h: the mistakes that learners make in lab 12, and which one an event or a graph shows.
 */
#ifndef LAB12_MISTAKES_H
#define LAB12_MISTAKES_H

#include "judge/judge.h"
#include "query/graph.h"

struct lab12_mistakes {
    /* devices */
    struct judge_mistake peer_access_left, no_peer_access, no_next_device, no_such_device,
        own_access, not_enabled, created_elsewhere, not_created, destroyed_twice, stream_missing,
        memory_elsewhere, launched_elsewhere, peer_call, device_unused, stage_elsewhere,
        layers_split, origin_elsewhere;
    /* memory */
    struct judge_mistake wrong_memory, too_many_rows, host_weights, freed_early, launch_refused,
        weights_refused, weights_missing, weights_not_awaited, wrong_buffer, sends_nothing,
        layer_lost, other_weights, weights_shifted, slot_too_small, too_much_memory;
    /* copies of x and to y */
    struct judge_mistake input_rows, input_twice, output_rows, output_twice, rows_lost;
    /* a capture that fails */
    struct judge_mistake not_joined, waits_for_computed, sent_too_early, computed_too_early,
        last_stage_missing, pipeline_unwritten, stream_not_captured, input_not_captured,
        received_not_awaited, computed_not_awaited, sent_not_awaited;
    /* order */
    struct judge_mistake not_in_graph, copy_not_awaited, result_not_awaited, slot_not_free,
        next_slot_not_free, stage_by_stage, one_at_a_time, one_slot, send_in_compute;
    /* a run */
    struct judge_mistake no_final_wait, waits_for_edge, enabled_in_run, made_in_run,
        no_graph_launch, many_graphs, work_beside_graph;
    /* the number of micro-batches */
    struct judge_mistake too_few_micro_batches, too_many_micro_batches;
};

extern const struct lab12_mistakes lab12_mistakes;

/* For JUDGE_LAB. */
const struct judge_mistake *lab12_mistake_of(const struct session_event *e);

/* Why a graph with these copies and layers leaves a wrong y, and which rows it copies more than
   once; NULL: not known, none. `floats`: of x, and of y. */
const struct judge_mistake *lab12_mistake_of_results(const struct dag *g, size_t floats,
                                                     size_t n_layers);
const struct judge_mistake *lab12_mistake_of_repeats(const struct dag *g, size_t floats);

/* What keeps the stages of a pipeline from running side by side, by its graph; NULL: not known. */
const struct judge_mistake *lab12_mistake_of_graph(const struct dag *g, int n_devices);

/* Races from now on are for this mistake; NULL: for the one that their operations show. */
void lab12_suspect(const struct judge_mistake *mistake);

#endif

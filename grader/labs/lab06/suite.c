/* suite.c: the suite of lab 06, from top to bottom what a submission must do. */
#include "expected.h"
#include "exchange.h"
#include "judge/judge.h"
#include "labs/lab06/mistakes.h"
#include "query/graph.h"
#include "query/trace.h"
#include "session/session.h"

JUDGE_LAB(.name = "lab06", .title = "graphs that change: update, one node, a branch on or off",
          .rules = &lab06_rules);

/* ---- results and order ----------------------------------------------------------------------- */

/* The wait comes first: results that are not there yet look wrong in any way. */
static void expect_done_and_right(struct judged *j)
{
    judge_expect_done(j, "no_final_wait");
    judge_forget();
    judge_verify(j, lab06_verify);
}

/* Of new graphs, by a submission that is known to wait: only the first run instantiates. */
static void expect_first_run_right(struct judged *j, const struct judge_scenario *scenario)
{
    judge_run_next(j, scenario);
    judge_verify(j, lab06_verify);
}

JUDGE_CHECK(lab06, results, 15, "Every call of all three workloads has the right result.")
{
    static const struct judge_scenario *const scenarios[] = {&lab06_items,       &lab06_odd_items,
                                                             &lab06_longer,      &lab06_weights,
                                                             &lab06_odd_weights, &lab06_branches,
                                                             &lab06_odd_branches},
                                              *const turns[] = {&lab06_item_turns,
                                                                &lab06_weight_turns,
                                                                &lab06_branch_turns};
    struct judged *j = judge_start(JUDGE_SUBMISSION, scenarios[0]);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        judge_prepare(j, scenarios[i]);
        expect_done_and_right(j);
        expect_done_and_right(j);
        expect_first_run_right(j, scenarios[i]);
        judge_run_unaided(j, NULL);
    }
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++)
        expect_first_run_right(j, turns[i]);
}

JUDGE_CHECK(lab06, race_free, 10, "No race, no uninitialized read, no leak.")
{
    static const struct judge_scenario *const scenarios[] = {&lab06_longer, &lab06_weights,
                                                             &lab06_branches_called};
    judge_needs_findings();
    struct judged *j = judge_start(JUDGE_SUBMISSION, &lab06_longer);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        judge_run_next(j, scenarios[i]);
        judge_run(j);
        judge_run_unaided(j, NULL);
    }
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab06, graphs, 10, "Each call is one launch of a graph, and nothing else.")
{
    static const struct judge_scenario *const scenarios[] = {&lab06_items, &lab06_weights,
                                                             &lab06_branches_called};
    struct judged *j = NULL;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        j = judge_turn_to(j, scenarios[i]);
        calls_expect_launches(j, calls_trace(j));
        judge_verify(j, lab06_verify);
    }
}

/* ---- everything changes ---------------------------------------------------------------------- */

JUDGE_CHECK(lab06, all_updated, 10, "lab06_all updates one executable graph.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &lab06_items);
    const struct trace *t = calls_trace(j);
    const size_t updates = trace_calls(t, "cudaGraphExecUpdate"), sets = calls_set_nodes(t);
    judge_expect_that(trace_calls(t, "cudaGraphLaunch") > 0, "no_graph_launch");
    calls_expect_no_instantiation(j, t);
    judge_actual("%zu launches, %zu updates, %zu parameters set singly",
                 trace_calls(t, "cudaGraphLaunch"), updates, sets);
    judge_expected("an update before each launch");
    judge_expect_that(updates + sets > 0, "not_updated");
    judge_expect_that(!calls_set_after_launch(t), "updated_after_launch");
    judge_forget();
    judge_verify(j, lab06_verify);
    judge_note("%zu calls: %zu updates, %zu parameters set singly, no instantiation",
               judge_numbers(j)->calls, updates, sets);
}

static void expect_shape_noticed(struct judged *j)
{
    /* in the middle of a run; at its beginning, since the one before it ended otherwise */
    const size_t changes = 2;
    const struct trace *t = calls_trace(j);
    const size_t instantiations = trace_calls(t, "cudaGraphInstantiate*"),
                 updates = trace_calls(t, "cudaGraphExecUpdate");
    judge_measured((double)instantiations, (double)changes, "instantiations");
    judge_actual("%zu instantiations, %zu updates", instantiations, updates);
    judge_expected("%zu instantiations at most: so often does the number of kernels change",
                   changes);
    judge_expect_that(instantiations > 0 || updates == 0 || lab06_is_right(j), "update_ignored");
    judge_verify(j, lab06_verify);
    calls_expect_launches(j, t);
    judge_expect_that(instantiations <= changes, "too_many_graphs");
    judge_forget();
    judge_expect_nothing_noted();
}

JUDGE_CHECK(lab06, all_shape, 10,
            "Only a failed update leads to another instantiation, other errors are returned.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &lab06_longer);
    expect_shape_noticed(j);
    judge_prepare(j, &lab06_shorter);
    expect_shape_noticed(j);
    judge_expect_error(&lab06_shorter);
}

/* ---- one number changes ---------------------------------------------------------------------- */

JUDGE_CHECK(lab06, one_node, 10, "lab06_one changes the one node, and nothing else.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &lab06_weights);
    const struct trace *t = calls_trace(j);
    const size_t calls = judge_numbers(j)->calls, sets = calls_set_nodes(t),
                 graph_sets = trace_calls(t, "cudaGraphKernelNodeSetParams") +
                              trace_calls(t, "cudaGraphMemcpyNodeSetParams*") +
                              trace_calls(t, "cudaGraphNodeSetParams");
    calls_expect_no_instantiation(j, t);
    judge_expect_that(trace_calls(t, "cudaStreamBeginCapture*") == 0 &&
                          trace_calls(t, "cudaGraphExecUpdate") == 0,
                      "captures_for_one_number");
    judge_actual("%zu calls: parameters of the executable graph set %zu times, of the graph %zu",
                 calls, sets, graph_sets);
    judge_expected("once a call, of the executable graph");
    judge_measured((double)sets, (double)calls, "changes");
    judge_ask_trace(t);
    judge_expect_that(sets >= calls, "weight_not_set");
    judge_asks("sets_many_nodes");
    judge_expect(sets == calls,
                 "lab06_one sets %zu nodes in each call, though one number of one node changes.",
                 (sets + calls - 1) / calls);
    judge_expect_that(!calls_set_after_launch(t), "set_after_launch");
    judge_forget();
    if (judge_value(j, weights_passed) == (double)calls)
        judge_fact("all_weights_passed");
    judge_verify(j, lab06_verify);
    judge_expect_nothing_noted();
}

/* ---- a branch is on or off ------------------------------------------------------------------- */

/* Which nodes wait for which others, each of the one kind for each of the other; or none for none.
   `fact`: it is otherwise. */
static const struct {
    const char *fact, *later_kind, *later, *kind, *name;
    bool waits;
} orders[] = {{"serial_branch", "kernel", "consume*", "kernel", "produce*", false},
              {"fork_before_copy", "kernel", "produce*", "h2d", NULL, true},
              {"fork_before_copy", "kernel", "consume*", "h2d", NULL, true},
              {"branch_waits", "kernel", "produce*", "kernel", "consume*", false},
              {"no_join", "kernel", "saxpy*", "kernel", "produce*", true},
              {"no_join", "kernel", "saxpy*", "kernel", "consume*", true},
              {"copied_back_early", "d2h", NULL, "kernel", "saxpy*", true}};

static bool are_ordered(const struct dag *g, size_t order)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->n_nodes; k++)
            if (dag_is(&g->nodes[i], orders[order].later_kind, orders[order].later) &&
                dag_is(&g->nodes[k], orders[order].kind, orders[order].name) &&
                dag_waits(g, &g->nodes[i], &g->nodes[k]) != orders[order].waits)
                return false;
    return true;
}

JUDGE_CHECK(lab06, branch_shape, 5, "The graph of lab06_branch has a branch.")
{
    static const struct judge_shape shape = {.nodes = "12: 8 x smooth, correct, apply, 2 copies",
                                             .edges = "12",
                                             .roots = "1",
                                             .sinks = "1",
                                             .width = "2",
                                             .path = "11"};
    struct judged *j = judge_run_first(&lab06_one_branch);
    struct dag *g = judge_graph(j);
    judge_show_graph(j, &shape);
    judge_expect_that(dag_count(g, "h2d", NULL) == 1 && dag_count(g, "d2h", NULL) == 1 &&
                          dag_count(g, "kernel", "consume*") == judge_numbers(j)->n_smooth &&
                          dag_count(g, "kernel", "produce*") == 1 &&
                          dag_count(g, "kernel", "saxpy*") == 1,
                      "other_nodes");
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        judge_expect_that(are_ordered(g, i), orders[i].fact);
    if (dag_take_times(g, judge_trace(j)))
        judge_show_graph(j, &shape);
}

JUDGE_CHECK(lab06, branch_off, 10, "lab06_branch switches both nodes of the branch.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &lab06_branches_called);
    const struct trace *t = calls_trace(j);
    const size_t calls = judge_numbers(j)->calls, corrected = 3,
                 correct = trace_count(t, "sm", "produce*"), apply = trace_count(t, "sm", "saxpy*"),
                 switches = trace_calls(t, "cudaGraphNodeSetEnabled");
    judge_show_timeline(j);
    calls_expect_no_instantiation(j, t);
    judge_expect_that(trace_calls(t, "cudaStreamBeginCapture*") == 0 &&
                          trace_calls(t, "cudaGraphExecUpdate") == 0,
                      "recaptures_branch");
    judge_actual("%zu calls, of which %zu corrected: correct ran %zu times, apply %zu times; "
                 "switched %zu times",
                 calls, corrected, correct, apply, switches);
    judge_measured((double)correct, (double)corrected, "kernels");
    judge_ask_trace(t);
    judge_expect_that(correct == corrected && apply == corrected && switches > 0 &&
                          trace_count(t, "h2d", NULL) >= calls &&
                          trace_count(t, "d2h", NULL) >= calls,
                      "not_switched");
    judge_forget();
    judge_verify(j, lab06_verify);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The calls that are timed are those that the other checks ask for. */
static void look_at_calls(const struct judged *j, const struct trace *t)
{
    calls_expect_no_instantiation(j, t);
    calls_expect_launches(j, t);
}

static void judge_calls(const struct judge_scenario *scenario, double at_most, const char *slow,
                        const char *step)
{
    struct judge_scenario timed = *scenario;
    timed.verify = lab06_verify;
    struct judged *j = judge_start(JUDGE_SUBMISSION, &timed),
                  *reference = judge_start(JUDGE_REFERENCE, &timed);
    const double calls = (double)judge_numbers(j)->calls;
    judge_run(j); /* makes the executable graphs */
    judge_run(reference);
    judge_next("%s", step);
    struct judge_times times = judge_expect_time(&(struct judge_race){.submission = j,
                                                                      .reference = reference,
                                                                      .at_most = at_most,
                                                                      .look = look_at_calls,
                                                                      .slow = slow});
    if (judge_numbers(j)->workload != LAB06_BRANCH) {
        judge_floor(reference); /* only now: the submission's process has not done what that does */
        const double stream_us = judge_value(reference, stream_us);
        judge_note("%.1f us a call, the reference %.1f; launched into a stream it is %.1f: %.2f "
                   "times as long",
                   times.time_us / calls, times.reference_us / calls, stream_us,
                   stream_us * calls / times.time_us);
    } else
        judge_note("%.1f us a call, the reference %.1f", times.time_us / calls,
                   times.reference_us / calls);
}

JUDGE_CHECK(lab06, all_time, 10, "100 new parameters: at most 1.2 times the reference's time.")
{
    judge_calls(&lab06_many_items, 1.20,
                "lab06_all takes longer than capturing, updating and launching.",
                "remove from lab06_all what is neither capture, update, launch nor wait");
}

JUDGE_CHECK(lab06, one_time, 5, "One new number: at most 1.12 times the reference's time.")
{
    judge_calls(&lab06_many_weights, 1.12,
                "lab06_one takes longer than setting one node and launching.",
                "move everything that does not change to the first call");
}

JUDGE_CHECK(lab06, branch_time, 5, "Branch on or off: at most 1.12 times the reference's time.")
{
    judge_calls(&lab06_many_branches, 1.12,
                "lab06_branch takes longer than it must: the correction does not overlap with the "
                "smoothing, or it runs in calls that do not want it.",
                "look at the timeline of branch_off: when does `correct` run?");
}

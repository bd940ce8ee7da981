/*
 * suite.c: the suite of lab 06, from top to bottom what a submission must do.
 */
#include "exchange.h"
#include "query/graph.h"
#include "judge/judge.h"
#include "expected_results.h"
#include "mistake_of.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab06", .title = "graphs that change: update, one node, a branch on or off",
          .rules = &lab06_rules, .fact_of = lab06_mistake_of);

/* ---- scenarios ------------------------------------------------------------------------------- */

static void make(struct judge_scenario *s)
{
    const struct numbers *n = s->numbers;
    const bool items = n->workload == LAB06_ALL;
    const size_t count = (size_t)n->n * n->calls * (items ? 2 : 1),
                 steps = n->n_steps > n->other_steps ? n->n_steps : n->other_steps;
    s->buffers[0] = (struct judge_buffer){"in",           JUDGE_INPUT,  count,
                                          .pinned = true, .low = 0.05f, .high = 0.95f};
    s->buffers[1] = (struct judge_buffer){"weights", JUDGE_INPUT, n->calls * (items ? steps : 1),
                                          .low = -0.1f, .high = 0.1f};
    s->buffers[2] = (struct judge_buffer){
        "out", JUDGE_OUTPUT, count, .pinned = true,
        .made_by = n->workload == LAB06_BRANCH ? "consume or saxpy" : "saxpy"};
    s->fill = n->workload == LAB06_ONE ? lab06_fill_weights : NULL;
}

/* Checks have their say first, and have the results verified afterwards. */
#define SCENARIO(words_, ...)                                                                      \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__, .strength = 0.25),                   \
        .drawn = JUDGE_DRAWN(n), .make = make                                                      \
    }
/* The lab's other functions are not called. */
#define ITEMS .workload = LAB06_ALL, .n_smooth = 1, .correct_steps = 1
#define WEIGHTS .workload = LAB06_ONE, .correct_steps = 1
#define BRANCHES .workload = LAB06_BRANCH

enum { FEW_STEPS = 6 };

static const struct judge_scenario items =
    SCENARIO("10 items of 20 kernels", ITEMS, .n = 4096, .calls = 10, .n_steps = 20);
static const struct judge_scenario odd_items =
    SCENARIO("5 items of 33 kernels", ITEMS, .n = 1000, .calls = 5, .n_steps = 33);
static const struct judge_scenario longer =
    SCENARIO("4 items of 20 kernels, then 4 of 28", ITEMS, .n = 4096, .calls = 8, .n_steps = 20,
             .other_steps = 28, .other_from = 4);
static const struct judge_scenario shorter =
    SCENARIO("3 items of 32 kernels, then 5 of 7", ITEMS, .n = 4096, .calls = 8, .n_steps = 32,
             .other_steps = 7, .other_from = 3);
static const struct judge_scenario weights =
    SCENARIO("12 calls, 20 smoothing kernels", WEIGHTS, .n = 4096, .calls = 12, .n_smooth = 20);
static const struct judge_scenario odd_weights =
    SCENARIO("5 calls, 7 smoothing kernels", WEIGHTS, .n = 1000, .calls = 5, .n_smooth = 7);
static const struct judge_scenario branches =
    SCENARIO("15 calls, 12 smoothing kernels, 8 calls corrected", BRANCHES, .n = 4096, .calls = 15,
             .n_smooth = 12, .correct_steps = FEW_STEPS,
             .corrected = {0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1});
static const struct judge_scenario odd_branches =
    SCENARIO("7 calls, 1 smoothing kernel, 4 calls corrected", BRANCHES, .n = 1000, .calls = 7,
             .n_smooth = 1, .correct_steps = FEW_STEPS, .corrected = {0, 1, 0, 1, 1, 1, 0});
static const struct judge_scenario item_turns = SCENARIO(
    "2 items, lab06_one before each", ITEMS, .n = 512, .calls = 2, .in_turns = true, .n_steps = 5);
static const struct judge_scenario weight_turns =
    SCENARIO("3 calls of lab06_one, lab06_branch before each", .workload = LAB06_ONE, .n = 512,
             .calls = 3, .in_turns = true, .n_smooth = 3, .correct_steps = FEW_STEPS);
static const struct judge_scenario branch_turns =
    SCENARIO("3 calls of lab06_branch, lab06_one before each", BRANCHES, .n = 512, .calls = 3,
             .in_turns = true, .n_smooth = 3, .correct_steps = FEW_STEPS, .corrected = {0, 1, 0});
static const struct judge_scenario branches_called =
    SCENARIO("6 calls, 8 smoothing kernels, 3 calls with a long correction", BRANCHES, .n = 512,
             .calls = 6, .n_smooth = 8, .correct_steps = 3000, .corrected = {0, 1, 1, 0, 1, 0});
static const struct judge_scenario one_branch =
    SCENARIO("1 call, corrected, 8 smoothing kernels", BRANCHES, .n = 512, .calls = 1,
             .n_smooth = 8, .correct_steps = 3000, .corrected = {1});
static const struct judge_scenario many_items =
    SCENARIO("10 items of 100 kernels", ITEMS, .n = 512, .calls = 10, .n_steps = 100);
static const struct judge_scenario many_weights =
    SCENARIO("10 calls, 100 smoothing kernels", WEIGHTS, .n = 512, .calls = 10, .n_smooth = 100);
/* One block of threads, whatever is drawn: two would take half as long for the correction. */
static const struct judge_scenario many_branches = SCENARIO(
    "8 calls, 100 smoothing kernels, 4 calls with a longer correction", BRANCHES, .n = 240,
    .calls = 8, .n_smooth = 100, .correct_steps = 40000, .corrected = {0, 1, 0, 1, 0, 1, 1, 0});

/* ---- what was called ------------------------------------------------------------------------- */

/* How often, in a run after the first, in which everything has been instantiated. */
struct calls {
    size_t launches, instantiations, captures, updates;
    size_t exec_sets, graph_sets; /* parameters of a node: of the executable graph, of the graph */
    size_t switches;
};

static struct calls calls_in(const struct trace *t)
{
    static const char *const exec_sets[] = {
        "cudaGraphExecKernelNodeSetParams",     "cudaGraphExecMemcpyNodeSetParams*",
        "cudaGraphExecMemsetNodeSetParams",     "cudaGraphExecHostNodeSetParams",
        "cudaGraphExecChildGraphNodeSetParams", "cudaGraphExecNodeSetParams"};
    static const char *const graph_sets[] = {
        "cudaGraphKernelNodeSetParams", "cudaGraphMemcpyNodeSetParams*", "cudaGraphNodeSetParams"};
    struct calls c = {.launches = trace_calls(t, "cudaGraphLaunch"),
                      .instantiations = trace_calls(t, "cudaGraphInstantiate*"),
                      .captures = trace_calls(t, "cudaStreamBeginCapture*"),
                      .updates = trace_calls(t, "cudaGraphExecUpdate"),
                      .switches = trace_calls(t, "cudaGraphNodeSetEnabled")};
    for (size_t i = 0; i < sizeof exec_sets / sizeof exec_sets[0]; i++)
        c.exec_sets += trace_calls(t, exec_sets[i]);
    for (size_t i = 0; i < sizeof graph_sets / sizeof graph_sets[0]; i++)
        c.graph_sets += trace_calls(t, graph_sets[i]);
    return c;
}

static struct calls trace_second(struct judge *j, const struct trace **trace)
{
    judge_run(j);
    const struct trace *t = judge_trace(j);
    if (trace)
        *trace = t;
    return calls_in(t);
}

static bool is_set_after_launch(const struct trace *t)
{
    const struct trace_row *set = trace_first(t, "api", "cudaGraphExec*"),
                           *launch = trace_first(t, "api", "cudaGraphLaunch");
    return set && launch && set->start_us > launch->start_us;
}

static void expect_no_instantiation(const struct calls *c, const char *function)
{
    judge_measured((double)c->instantiations, 0, "instantiations");
    judge_actual("%zu instantiations in a run whose graphs had all been launched before",
                 c->instantiations);
    judge_asks("instantiates_each_call");
    judge_expect(c->instantiations == 0,
                 "%s instantiates in each call. That costs more than launching every kernel by "
                 "itself.",
                 function);
    judge_forget();
}

/* ---- results and order ----------------------------------------------------------------------- */

/* The wait comes first: results that are not there yet look wrong in any way. */
static void expect_done_and_right(struct judge *j)
{
    judge_expect_done(j, "no_final_wait");
    judge_forget();
    judge_verify(j, lab06_verify);
}

/* Of new graphs, by a submission that is known to wait: only the first run instantiates. */
static void expect_first_run_right(struct judge *j, const struct judge_scenario *scenario)
{
    judge_prepare(j, scenario);
    judge_run(j);
    judge_verify(j, lab06_verify);
}

static void expect_right_in_turns(struct judge *j)
{
    static const struct judge_scenario *const scenarios[] = {&item_turns, &weight_turns,
                                                             &branch_turns};
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        judge_prepare(j, scenarios[i]);
        judge_run(j);
        judge_verify(j, lab06_verify);
    }
}

JUDGE_CHECK(lab06, results, 15, "Every call of all three workloads has the right result.")
{
    static const struct judge_scenario *const scenarios[] = {
        &items, &odd_items, &longer, &weights, &odd_weights, &branches, &odd_branches};
    struct judge *j = judge_start(JUDGE_SUBMISSION, scenarios[0]);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        judge_prepare(j, scenarios[i]);
        expect_done_and_right(j);
        expect_done_and_right(j);
        expect_first_run_right(j, scenarios[i]);
        judge_run_unaided(j, NULL);
    }
    expect_right_in_turns(j);
}

JUDGE_CHECK(lab06, race_free, 10, "No race, no uninitialized read, no leak.")
{
    static const struct judge_scenario *const scenarios[] = {&longer, &weights, &branches_called};
    struct judge *j = judge_start(JUDGE_SUBMISSION, &longer);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        judge_prepare(j, scenarios[i]);
        judge_run(j);
        judge_run(j);
        judge_run_unaided(j, NULL);
    }
    judge_expect_no_findings(j);
}

static void expect_launches(const struct judge *j, const struct trace *t, const char *function)
{
    const struct calls c = calls_in(t);
    size_t outside = 0, calls = judge_numbers(j)->calls;
    for (size_t i = 0; i < t->n_rows; i++)
        outside += !trace_is(&t->rows[i], "api", NULL) && t->rows[i].node < 0;
    judge_actual("%zu calls of %s: %zu graph launches, %zu kernels and copies outside of graphs",
                 calls, function, c.launches, outside);
    judge_expected("%zu graph launches and nothing else", calls);
    judge_asks("uploads_each_call");
    judge_expect(trace_calls(t, "cudaGraphUpload*") == 0, "%s uploads the executable graph again.",
                 function);
    judge_asks("work_beside_graph");
    judge_expect(outside == 0,
                 "%s enqueues work beside its graph. Each such copy or kernel costs a call of the "
                 "host.",
                 function);
    judge_asks("launches_per_call");
    judge_expect(c.launches == calls, "%s launches %s graph in a call. One is enough.", function,
                 c.launches > calls ? "more than one" : "no");
    judge_forget();
}

static void expect_one_launch_a_call(struct judge *j, const char *function)
{
    const struct trace *t;
    trace_second(j, &t);
    expect_launches(j, t, function);
    judge_verify(j, lab06_verify);
}

JUDGE_CHECK(lab06, graphs, 10, "Each call is one launch of a graph, and nothing else.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &items);
    expect_one_launch_a_call(j, "lab06_all");
    judge_prepare(j, &weights);
    expect_one_launch_a_call(j, "lab06_one");
    judge_prepare(j, &branches_called);
    expect_one_launch_a_call(j, "lab06_branch");
}

/* ---- everything changes ---------------------------------------------------------------------- */

JUDGE_CHECK(lab06, all_updated, 10, "lab06_all updates one executable graph.")
{
    const struct trace *t;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &items);
    struct calls c = trace_second(j, &t);
    if (c.launches == 0)
        judge_fail_that("no_graph_launch");
    expect_no_instantiation(&c, "lab06_all");
    judge_actual("%zu launches, %zu updates, %zu parameters set singly", c.launches, c.updates,
                 c.exec_sets);
    judge_expected("an update before each launch");
    if (c.updates + c.exec_sets == 0)
        judge_fail_that("not_updated");
    if (is_set_after_launch(t))
        judge_fail_that("updated_after_launch");
    judge_forget();
    judge_verify(j, lab06_verify);
    judge_note("%zu calls: %zu updates, %zu parameters set singly, no instantiation",
               judge_numbers(j)->calls, c.updates, c.exec_sets);
}

static void expect_shape_noticed(struct judge *j)
{
    const size_t changes =
        2; /* in the middle of a run; at its beginning, since the one before it ended otherwise */
    struct calls c = trace_second(j, NULL);
    bool right = lab06_is_right(j);
    judge_measured((double)c.instantiations, (double)changes, "instantiations");
    judge_actual("%zu instantiations, %zu updates", c.instantiations, c.updates);
    judge_expected("%zu instantiations at most: so often does the number of kernels change",
                   changes);
    if (!right && c.instantiations == 0 && c.updates > 0)
        judge_fail_that("update_ignored");
    if (!right)
        judge_verify(j, lab06_verify);
    if (c.instantiations > changes)
        judge_fail_that("too_many_graphs");
    judge_forget();
    judge_expect_that(judge_value(j, stale_error) == 0, "stale_error");
}

JUDGE_CHECK(lab06, all_shape, 10, "A failed update is noticed, and only then instantiated again.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &longer);
    expect_shape_noticed(j);
    judge_prepare(j, &shorter);
    expect_shape_noticed(j);
}

/* ---- one number changes ---------------------------------------------------------------------- */

static void expect_arguments_in_place(const struct judge *j)
{
    static const char *const names[LAB06_ARGUMENTS] = {"y", "x", "alpha", "n"};
    const int exchanged = (int)judge_value(j, exchanged) - 1;
    if (exchanged < 0)
        return;
    const int at = exchanged / LAB06_ARGUMENTS, argument = exchanged % LAB06_ARGUMENTS;
    judge_actual("kernelParams[%d] points at the captured %s", at, names[argument]);
    judge_expected("%s", names[at]);
    judge_fail_that("argument_exchanged");
}

JUDGE_CHECK(lab06, one_node, 10, "lab06_one changes the one node, and nothing else.")
{
    const struct trace *t;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &weights);
    const size_t calls = judge_numbers(j)->calls;
    struct calls c = trace_second(j, &t);
    expect_no_instantiation(&c, "lab06_one");
    if (c.captures > 0 || c.updates > 0)
        judge_fail_that("captures_for_one_number");
    judge_actual(
        "%zu calls: parameters of the executable graph set %zu times, of the graph %zu times",
        calls, c.exec_sets, c.graph_sets);
    judge_expected("once a call, of the executable graph");
    judge_measured((double)c.exec_sets, (double)calls, "changes");
    if (c.exec_sets < calls)
        judge_fail_that(c.exec_sets == 0 && c.graph_sets > 0 ? "sets_the_graph" : "weight_not_set");
    judge_asks("sets_many_nodes");
    judge_expect(c.exec_sets == calls,
                 "lab06_one sets %zu nodes in each call, though one number of one node changes.",
                 (c.exec_sets + calls - 1) / calls);
    if (is_set_after_launch(t))
        judge_fail_that("set_after_launch");
    expect_arguments_in_place(j);
    if (lab06_is_frozen(j))
        judge_fail_that(judge_value(j, weights_passed) == (double)calls ? "blend_elsewhere"
                                                                        : "weight_without_effect");
    judge_forget();
    judge_expect_that(judge_value(j, array_overwritten) == 0, "node_array_overwritten");
    judge_verify(j, lab06_verify);
}

/* ---- a branch is on or off ------------------------------------------------------------------- */

/* Does any node of the one kernel wait for one of the other? */
static bool waits(const struct dag *g, const char *later, const char *earlier)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->n_nodes; k++)
            if (dag_is(&g->nodes[i], "kernel", later) && dag_is(&g->nodes[k], "kernel", earlier) &&
                dag_waits(g, &g->nodes[i], &g->nodes[k]))
                return true;
    return false;
}

/* Does each node of the one kind wait for each one of the other? */
static bool all_wait(const struct dag *g, const char *later_type, const char *later,
                     const char *type, const char *kernel)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->n_nodes; k++)
            if (dag_is(&g->nodes[i], later_type, later) && dag_is(&g->nodes[k], type, kernel) &&
                !dag_waits(g, &g->nodes[i], &g->nodes[k]))
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
    struct judge *j = judge_start(JUDGE_SUBMISSION, &one_branch);
    const size_t smooth = judge_numbers(j)->n_smooth;
    judge_run(j);
    struct dag *g = judge_graph(j);
    judge_show_graph(j, &shape);
    judge_asks("other_kernels");
    judge_expect(dag_count(g, "kernel", "consume*") == smooth &&
                     dag_count(g, "kernel", "produce*") == 1 &&
                     dag_count(g, "kernel", "saxpy*") == 1,
                 "The graph does not have the kernels of the contract: n_smooth of consume, one of "
                 "produce, one of saxpy.");
    judge_expect(dag_count(g, "h2d", NULL) == 1 && dag_count(g, "d2h", NULL) == 1,
                 "The graph does not have the copies of the contract: one in, one back.");
    judge_forget();
    if (waits(g, "consume*", "produce*"))
        judge_fail_that("serial_branch");
    if (!all_wait(g, "kernel", "produce*", "h2d", NULL) ||
        !all_wait(g, "kernel", "consume*", "h2d", NULL))
        judge_fail_that("fork_before_copy");
    if (waits(g, "produce*", "consume*"))
        judge_fail_that("branch_waits");
    if (!waits(g, "saxpy*", "produce*") || !waits(g, "saxpy*", "consume*"))
        judge_fail_that("no_join");
    if (!all_wait(g, "d2h", NULL, "kernel", "saxpy*"))
        judge_fail_that("copied_back_early");
    if (dag_take_times(g, judge_trace(j)))
        judge_show_graph(j, &shape);
}

JUDGE_CHECK(lab06, branch_off, 10, "lab06_branch switches both nodes of the branch.")
{
    const struct trace *t;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &branches_called);
    const size_t calls = judge_numbers(j)->calls, corrected = 3;
    struct calls c = trace_second(j, &t);
    const size_t correct = trace_count(t, "sm", "produce*"), apply = trace_count(t, "sm", "saxpy*");
    judge_show_timeline(j);
    expect_no_instantiation(&c, "lab06_branch");
    if (c.captures > 0 || c.updates > 0)
        judge_fail_that("recaptures_branch");
    judge_actual("%zu calls, of which %zu corrected: correct ran %zu times, apply %zu times; "
                 "switched %zu times",
                 calls, corrected, correct, apply, c.switches);
    judge_measured((double)correct, (double)corrected, "kernels");
    if (correct > corrected && apply > corrected)
        judge_fail_that(c.switches == 0 ? "always_computed" : "never_switched");
    if (trace_count(t, "h2d", NULL) < calls)
        judge_fail_that("copy_disabled");
    if (correct > corrected)
        judge_fail_that("correct_left_on");
    if (apply > corrected)
        judge_fail_that("apply_left_on");
    if (correct == 0 && apply == 0 && c.switches > 0)
        judge_fail_that("never_enabled");
    if (correct < corrected || apply < corrected)
        judge_fail_that("branch_missing");
    if (c.switches == 0)
        judge_fail_that("many_execs");
    judge_forget();
    judge_verify(j, lab06_verify);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The calls that are timed are those that the other checks ask for. */
static void look_at_calls(const struct judge *j, const struct trace *t)
{
    static const char *const functions[] = {
        [LAB06_ALL] = "lab06_all", [LAB06_ONE] = "lab06_one", [LAB06_BRANCH] = "lab06_branch"};
    const char *function = functions[judge_numbers(j)->workload];
    const struct calls c = calls_in(t);
    expect_no_instantiation(&c, function);
    expect_launches(j, t, function);
}

static void judge_calls(const struct judge_scenario *scenario, double at_most, const char *slow,
                        const char *step)
{
    struct judge_scenario timed = *scenario;
    timed.verify = lab06_verify;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &timed),
                 *reference = judge_start(JUDGE_REFERENCE, &timed);
    const double calls = (double)judge_numbers(j)->calls;
    const bool has_stream = judge_numbers(j)->workload != LAB06_BRANCH;
    judge_run(j); /* makes the executable graphs */
    judge_run(reference);
    judge_next("%s", step);
    struct judge_times times = judge_expect_time(&(struct judge_race){.submission = j,
                                                                      .reference = reference,
                                                                      .at_most = at_most,
                                                                      .look = look_at_calls,
                                                                      .slow = slow});
    if (has_stream) {
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
    judge_calls(&many_items, 1.20, "lab06_all takes longer than capturing, updating and launching.",
                "remove from lab06_all what is neither capture, update, launch nor wait");
}

JUDGE_CHECK(lab06, one_time, 5, "One new number: at most 1.12 times the reference's time.")
{
    judge_calls(&many_weights, 1.12, "lab06_one takes longer than setting one node and launching.",
                "move everything that does not change to the first call");
}

JUDGE_CHECK(lab06, branch_time, 5, "Branch on or off: at most 1.12 times the reference's time.")
{
    judge_calls(&many_branches, 1.12,
                "lab06_branch takes longer than it must: the correction does not overlap with the "
                "smoothing, or it runs in calls that do not want it.",
                "look at the timeline of branch_off: when does `correct` run?");
}

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
          .mistake_of = lab06_mistake_of);

/* ---- scenarios ------------------------------------------------------------------------------- */

#define SCENARIO(words_, workload_, n_, calls_, turns_, made_by_, in_, weights_, verify_, ...)     \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = {{"workload", workload_},                                                       \
                    {"n", n_},                                                                     \
                    {"calls", calls_},                                                             \
                    {"in_turns", turns_},                                                          \
                    __VA_ARGS__},                                                                  \
        .buffers = {{"in", JUDGE_INPUT, (in_), .pinned = true, .grows = 1, .low = 0.05f,           \
                     .high = 0.95f},                                                               \
                    {"weights", JUDGE_INPUT, (weights_), .low = -0.1f, .high = 0.1f},              \
                    {"out", JUDGE_OUTPUT, (in_), .pinned = true, .grows = 1,                       \
                     .made_by = made_by_}},                                                        \
        .drawn = "n", .spread = (n_) / 16,                                                         \
        .fill = (workload_) == LAB06_ONE ? lab06_fill_weights : NULL, .verify = verify_            \
    }
#define ITEMS(words_, n_, calls_, turns_, steps_, other_, from_, verify_)                          \
    SCENARIO(words_, LAB06_ALL, n_, calls_, turns_, "saxpy", (size_t)2 * (n_) * (calls_),          \
             (size_t)(calls_) * ((steps_) > (other_) ? (steps_) : (other_)), verify_,              \
             {"n_steps", steps_}, {"other_steps", other_}, {"other_from", from_}, {"n_smooth", 1}, \
             {"correct_steps", 1}, {"strength_percent", 1}, {"pattern", 0})
#define SMOOTH(words_, workload_, n_, calls_, turns_, smooth_, correct_, pattern_, verify_)        \
    SCENARIO(words_, workload_, n_, calls_, turns_,                                                \
             (workload_) == LAB06_ONE ? "saxpy" : "consume or saxpy", (size_t)(n_) * (calls_),     \
             (size_t)(calls_), verify_, {"n_smooth", smooth_}, {"correct_steps", correct_},        \
             {"strength_percent", 25}, {"pattern", pattern_}, {"n_steps", 1}, {"other_steps", 1},  \
             {"other_from", 0})

/* Bit i: is call i corrected? Not the first, and never all calls or none in a row. */
enum { PATTERN = 0x5a6c, FEW_STEPS = 6 };

/* IN_TURNS: before each call another of the three functions is called. */
enum { ALONE, IN_TURNS };

/* Those without verify are for checks that have their say first, and have the results verified
 * afterwards. */
static const struct judge_scenario items =
    ITEMS("10 items of 20 kernels", 4096, 10, ALONE, 20, 20, 10, NULL);
static const struct judge_scenario odd_items =
    ITEMS("5 items of 33 kernels", 1000, 5, ALONE, 33, 33, 5, NULL);
static const struct judge_scenario longer =
    ITEMS("4 items of 20 kernels, then 4 of 28", 4096, 8, ALONE, 20, 28, 4, NULL);
static const struct judge_scenario shorter =
    ITEMS("3 items of 32 kernels, then 5 of 7", 4096, 8, ALONE, 32, 7, 3, NULL);
static const struct judge_scenario weights =
    SMOOTH("12 calls, 20 smoothing kernels", LAB06_ONE, 4096, 12, ALONE, 20, 1, 0, NULL);
static const struct judge_scenario odd_weights =
    SMOOTH("5 calls, 7 smoothing kernels", LAB06_ONE, 1000, 5, ALONE, 7, 1, 0, NULL);
static const struct judge_scenario branches =
    SMOOTH("15 calls, 12 smoothing kernels, 8 calls corrected", LAB06_BRANCH, 4096, 15, ALONE, 12,
           FEW_STEPS, PATTERN, NULL);
static const struct judge_scenario odd_branches =
    SMOOTH("7 calls, 1 smoothing kernel, 4 calls corrected", LAB06_BRANCH, 1000, 7, ALONE, 1,
           FEW_STEPS, 0x3a, NULL);
static const struct judge_scenario item_turns =
    ITEMS("2 items, lab06_one before each", 512, 2, IN_TURNS, 5, 5, 2, NULL);
static const struct judge_scenario weight_turns =
    SMOOTH("3 calls of lab06_one, lab06_branch before each", LAB06_ONE, 512, 3, IN_TURNS, 3,
           FEW_STEPS, 0, NULL);
static const struct judge_scenario branch_turns =
    SMOOTH("3 calls of lab06_branch, lab06_one before each", LAB06_BRANCH, 512, 3, IN_TURNS, 3,
           FEW_STEPS, 2, NULL);
static const struct judge_scenario branches_called =
    SMOOTH("6 calls, 8 smoothing kernels, 3 calls with a long correction", LAB06_BRANCH, 512, 6,
           ALONE, 8, 3000, 0x16, NULL);
static const struct judge_scenario one_branch =
    SMOOTH("1 call, corrected, 8 smoothing kernels", LAB06_BRANCH, 512, 1, ALONE, 8, 3000, 1, NULL);
static const struct judge_scenario many_items =
    ITEMS("10 items of 100 kernels", 512, 10, ALONE, 100, 100, 10, lab06_verify);
static const struct judge_scenario many_weights =
    SMOOTH("10 calls, 100 smoothing kernels", LAB06_ONE, 512, 10, ALONE, 100, 1, 0, lab06_verify);
/* One block of threads, whatever is drawn: two would take half as long for the correction. */
static const struct judge_scenario many_branches =
    SMOOTH("8 calls, 100 smoothing kernels, 4 calls with a longer correction", LAB06_BRANCH, 240, 8,
           ALONE, 100, 40000, 0x6a, lab06_verify);

static size_t number(const struct judge *j, const char *name)
{
    return (size_t)judge_number(j, name);
}

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
    judge_blame(&lab06_instantiates_each_call);
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
    judge_expect_done(j, &lab06_no_final_wait);
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
    size_t outside = 0, calls = number(j, "calls");
    for (size_t i = 0; i < t->n_rows; i++)
        outside += !trace_is(&t->rows[i], "api", NULL) && t->rows[i].node < 0;
    judge_actual("%zu calls of %s: %zu graph launches, %zu kernels and copies outside of graphs",
                 calls, function, c.launches, outside);
    judge_expected("%zu graph launches and nothing else", calls);
    judge_blame(&lab06_uploads_each_call);
    judge_expect(trace_calls(t, "cudaGraphUpload*") == 0, "%s uploads the executable graph again.",
                 function);
    judge_blame(&lab06_work_beside_graph);
    judge_expect(outside == 0,
                 "%s enqueues work beside its graph. Each such copy or kernel costs a call of the "
                 "host.",
                 function);
    judge_blame(&lab06_launches_per_call);
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
        judge_fail_for(&lab06_no_graph_launch);
    expect_no_instantiation(&c, "lab06_all");
    judge_actual("%zu launches, %zu updates, %zu parameters set singly", c.launches, c.updates,
                 c.exec_sets);
    judge_expected("an update before each launch");
    if (c.updates + c.exec_sets == 0)
        judge_fail_for(&lab06_not_updated);
    if (is_set_after_launch(t))
        judge_fail_for(&lab06_updated_after_launch);
    judge_forget();
    judge_verify(j, lab06_verify);
    judge_note("%zu calls: %zu updates, %zu parameters set singly, no instantiation",
               number(j, "calls"), c.updates, c.exec_sets);
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
        judge_fail_for(&lab06_update_ignored);
    if (!right)
        judge_verify(j, lab06_verify);
    if (c.instantiations > changes)
        judge_fail_for(&lab06_too_many_graphs);
    judge_forget();
    judge_expect_for(judge_value(j, stale_error) == 0, &lab06_stale_error);
}

JUDGE_CHECK(lab06, all_shape, 10, "A failed update is noticed, and only then instantiated again.")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &longer);
    expect_shape_noticed(j);
    judge_prepare(j, &shorter);
    expect_shape_noticed(j);
}

/* ---- one number changes ---------------------------------------------------------------------- */

JUDGE_CHECK(lab06, one_node, 10, "lab06_one changes the one node, and nothing else.")
{
    const struct trace *t;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &weights);
    const size_t calls = number(j, "calls");
    struct calls c = trace_second(j, &t);
    expect_no_instantiation(&c, "lab06_one");
    if (c.captures > 0 || c.updates > 0)
        judge_fail_for(&lab06_captures_for_one_number);
    judge_actual(
        "%zu calls: parameters of the executable graph set %zu times, of the graph %zu times",
        calls, c.exec_sets, c.graph_sets);
    judge_expected("once a call, of the executable graph");
    judge_measured((double)c.exec_sets, (double)calls, "changes");
    if (c.exec_sets < calls)
        judge_fail_for(c.exec_sets == 0 && c.graph_sets > 0 ? &lab06_sets_the_graph
                                                            : &lab06_weight_not_set);
    judge_blame(&lab06_sets_many_nodes);
    judge_expect(c.exec_sets == calls,
                 "lab06_one sets %zu nodes in each call, though one number of one node changes.",
                 (c.exec_sets + calls - 1) / calls);
    if (is_set_after_launch(t))
        judge_fail_for(&lab06_set_after_launch);
    if (lab06_is_frozen(j))
        judge_fail_for(&lab06_weight_without_effect);
    judge_forget();
    judge_expect_for(judge_value(j, array_overwritten) == 0, &lab06_node_array_overwritten);
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

static bool waits_for_copy(const struct dag *g, const char *kernel)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->n_nodes; k++)
            if (dag_is(&g->nodes[i], "kernel", kernel) && dag_is(&g->nodes[k], "h2d", NULL) &&
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
    const size_t smooth = number(j, "n_smooth");
    judge_run(j);
    struct dag *g = judge_graph(j);
    judge_show_graph(j, &shape);
    judge_blame(&lab06_other_kernels);
    judge_expect(dag_count(g, "kernel", "consume*") == smooth &&
                     dag_count(g, "kernel", "produce*") == 1 &&
                     dag_count(g, "kernel", "saxpy*") == 1,
                 "The graph does not have the kernels of the contract: n_smooth of consume, one of "
                 "produce, one of saxpy.");
    judge_expect(dag_count(g, "h2d", NULL) == 1 && dag_count(g, "d2h", NULL) == 1,
                 "The graph does not have the copies of the contract: one in, one back.");
    judge_forget();
    if (waits(g, "consume*", "produce*"))
        judge_fail_for(&lab06_serial_branch);
    if (!waits_for_copy(g, "produce*") || !waits_for_copy(g, "consume*"))
        judge_fail_for(&lab06_fork_before_copy);
    if (waits(g, "produce*", "consume*"))
        judge_fail_for(&lab06_branch_waits);
    if (!waits(g, "saxpy*", "produce*") || !waits(g, "saxpy*", "consume*"))
        judge_fail_for(&lab06_no_join);
    if (dag_take_times(g, judge_trace(j)))
        judge_show_graph(j, &shape);
}

JUDGE_CHECK(lab06, branch_off, 10, "lab06_branch switches both nodes of the branch.")
{
    const struct trace *t;
    struct judge *j = judge_start(JUDGE_SUBMISSION, &branches_called);
    const size_t calls = number(j, "calls"), corrected = 3;
    struct calls c = trace_second(j, &t);
    const size_t correct = trace_count(t, "sm", "produce*"), apply = trace_count(t, "sm", "saxpy*");
    judge_show_timeline(j);
    expect_no_instantiation(&c, "lab06_branch");
    if (c.captures > 0 || c.updates > 0)
        judge_fail_for(&lab06_recaptures_branch);
    judge_actual("%zu calls, of which %zu corrected: correct ran %zu times, apply %zu times; "
                 "switched %zu times",
                 calls, corrected, correct, apply, c.switches);
    judge_measured((double)correct, (double)corrected, "kernels");
    if (correct > corrected && apply > corrected)
        judge_fail_for(c.switches == 0 ? &lab06_always_computed : &lab06_never_switched);
    if (trace_count(t, "h2d", NULL) < calls)
        judge_fail_for(&lab06_copy_disabled);
    if (correct > corrected)
        judge_fail_for(&lab06_correct_left_on);
    if (apply > corrected)
        judge_fail_for(&lab06_apply_left_on);
    if (correct == 0 && apply == 0 && c.switches > 0)
        judge_fail_for(&lab06_never_enabled);
    if (correct < corrected || apply < corrected)
        judge_fail_for(&lab06_branch_missing);
    if (c.switches == 0)
        judge_fail_for(&lab06_many_execs);
    judge_forget();
    judge_verify(j, lab06_verify);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The calls that are timed are those that the other checks ask for. */
static void look_at_calls(const struct judge *j, const struct trace *t)
{
    static const char *const functions[] = {
        [LAB06_ALL] = "lab06_all", [LAB06_ONE] = "lab06_one", [LAB06_BRANCH] = "lab06_branch"};
    const char *function = functions[judge_number(j, "workload")];
    const struct calls c = calls_in(t);
    expect_no_instantiation(&c, function);
    expect_launches(j, t, function);
}

static void judge_calls(const struct judge_scenario *scenario, double at_most, const char *slow,
                        const char *step)
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, scenario),
                 *reference = judge_start(JUDGE_REFERENCE, scenario);
    const double calls = (double)judge_number(j, "calls");
    const bool has_stream = judge_number(j, "workload") != LAB06_BRANCH;
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

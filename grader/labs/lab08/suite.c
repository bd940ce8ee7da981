/* suite.c: the suite of lab 08, from top to bottom what a submission must do. */
#include <string.h>

#include "exchange.h"
#include "expected_results.h"
#include "judge/judge.h"
#include "labs/drawn.h"
#include "labs/lab08/mistakes.h"

/* Kernels start early on devices of compute capability 9.0. */
static const struct judge_need needs[] = {{"early_results", .capability = 90},
                                          {"early_time", .capability = 90}};

JUDGE_LAB(.name = "lab08", .needs = needs, .n_needs = 2,
          .title = "graphs built node by node: memory, events, host work, child graphs",
          .rules = &lab08_rules);

/* ---- scenarios ------------------------------------------------------------------------------- */

/* What a run leaves in `out` was computed by this kernel. */
static const char *const made_by[] = {[LAB08_BRANCHES] = "saxpy",
                                      [LAB08_TEMPORARY] = "consume",
                                      [LAB08_LIBRARY] = "saxpy",
                                      [LAB08_SUMMARY] = "consume",
                                      [LAB08_CYCLE] = NULL};

static void make(struct judge_scenario *s)
{
    const struct numbers *n = s->numbers;
    const size_t count = (size_t)n->n * n->launches;
    const bool early = n->task == LAB08_EARLY;
    s->buffers[0] = (struct judge_buffer){"in", JUDGE_INPUT, count, .low = 0.05f, .high = 0.95f};
    s->buffers[1] = (struct judge_buffer){.name = "out",
                                          .direction = JUDGE_OUTPUT,
                                          .count = early ? count : count + 1, /* the mean */
                                          .made_by = made_by[n->task]};
    if (early)
        s->buffers[2] = (struct judge_buffer){"weights",      JUDGE_INPUT, count * n->rows,
                                              .pinned = true, .low = -1,   .high = 1};
}

#define EXACTLY(words_, verify_, ...)                                                              \
    .name = words_, .make = make, .verify = verify_,                                               \
    .numbers = JUDGE_NUMBERS(.strength = 0.25, .weight = {0.3, -0.2}, .repeats = 1, __VA_ARGS__)
#define SCENARIO(...)                                                                              \
    {                                                                                              \
        EXACTLY(__VA_ARGS__), .drawn = JUDGE_DRAWN(n)                                              \
    }
#define EARLY(words_, rows_, ...)                                                                  \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = JUDGE_NUMBERS(.task = LAB08_EARLY, .launches = 1, .steps = 2000, .rows = rows_, \
                                 __VA_ARGS__),                                                     \
        .make = make                                                                               \
    }

static const struct judge_scenario branches =
    SCENARIO("branches of about 4096 floats, 2 launches", lab08_verify, .task = LAB08_BRANCHES,
             .n = 4096, .launches = 2, .steps = 6);
static const struct judge_scenario odd_branches =
    SCENARIO("branches of about 1000 floats, uploaded, 3 launches", lab08_verify,
             .task = LAB08_BRANCHES, .n = 1000, .launches = 3, .upload = true, .steps = 6);
static const struct judge_scenario whole_blocks = {EXACTLY("branches of 1024 floats, 1 launch",
                                                           lab08_verify, .task = LAB08_BRANCHES,
                                                           .n = 1024, .launches = 1, .steps = 6)};
static const struct judge_scenario temporary =
    SCENARIO("temporary memory, about 4096 floats, 3 launches", lab08_verify,
             .task = LAB08_TEMPORARY, .look = LAB08_LOOK_DEVICE, .n = 4096, .launches = 3);
static const struct judge_scenario uploaded =
    SCENARIO("temporary memory, about 1000 floats, uploaded, 2 launches", lab08_verify,
             .task = LAB08_TEMPORARY, .n = 1000, .launches = 2, .upload = true);
static const struct judge_scenario library =
    SCENARIO("two child graphs, about 4096 floats, 2 launches", lab08_verify, .task = LAB08_LIBRARY,
             .n = 4096, .launches = 2, .steps = 1);
#define SUMMARY(look_)                                                                             \
    SCENARIO("summary of about 4096 floats, 2 launches", NULL, .task = LAB08_SUMMARY,              \
             .look = look_, .n = 4096, .launches = 2)
static const struct judge_scenario life_of_data = SUMMARY(LAB08_LOOK_LIFE);
static const struct judge_scenario calls_of_host = SUMMARY(LAB08_LOOK_CALLS);
#define ONE_LAUNCH(look_)                                                                          \
    SCENARIO("branches of about 256 floats, 1 launch", NULL, .task = LAB08_BRANCHES,               \
             .look = look_, .n = 256, .launches = 1, .steps = 1)
static const struct judge_scenario events_of_branches = ONE_LAUNCH(LAB08_LOOK_EVENTS);
static const struct judge_scenario priority_of_branches = ONE_LAUNCH(LAB08_LOOK_PRIORITY);
static const struct judge_scenario drawing =
    SCENARIO("the drawing of a graph", NULL, .task = LAB08_DRAW, .n = 64, .launches = 1);
static const struct judge_scenario cycle =
    SCENARIO("a graph with a cycle", NULL, .task = LAB08_CYCLE, .n = 64, .launches = 1);
static const struct judge_scenario unused =
    SCENARIO("a graph with an unused conditional handle", NULL, .task = LAB08_UNUSED, .n = 64,
             .launches = 1);
static const struct judge_scenario timed =
    SCENARIO("temporary memory, about 512 floats, 20 launches", lab08_verify,
             .task = LAB08_TEMPORARY, .n = 512, .launches = 20);
static const struct judge_scenario early =
    EARLY("a kernel that starts early, 1024 floats, 128 rows", 128, .look = LAB08_LOOK_WEIGH,
          .n = 1024, .repeats = 1);
static const struct judge_scenario port_of_early =
    EARLY("a kernel that starts early, 1024 floats, 128 rows", 128, .look = LAB08_LOOK_PORT,
          .n = 1024, .repeats = 1);
static const struct judge_scenario odd_early =
    EARLY("a kernel that starts early, 1000 floats, 67 rows", 67, .look = LAB08_LOOK_WEIGH,
          .n = 1000, .repeats = 1);
/* On a GPU; then on the simulated device: virtual time is exact, and each launch of weigh is
   computed. */
static const struct judge_scenario timed_early[] = {
    EARLY("a kernel that starts early, 1024 floats, 128 rows, 30 launches", 128,
          .look = LAB08_LOOK_PORT | LAB08_LOOK_WEIGH, .n = 1024, .repeats = 30),
    EARLY("a kernel that starts early, 1024 floats, 128 rows, 4 launches", 128,
          .look = LAB08_LOOK_PORT | LAB08_LOOK_WEIGH, .n = 1024, .repeats = 4)};

/* ---- the drawings ---------------------------------------------------------------------------- */

/* A function that adds nodes was given the wrong type, kernel or addresses. */
static void of_other_kind(const struct drawn_node *node)
{
    if (strcmp(node->kind, "wait") == 0)
        judge_next("set the type of the node in add_wait: it waits for an event");
    else if (strcmp(node->kind, "record") == 0)
        judge_next("set the type of the node in add_record: it records an event");
    else if (strcmp(node->kind, "h2d") == 0)
        judge_next("pass the addresses of the copy [%s] to add_copy in this order: the device's "
                   "array, then the host's",
                   node->shown);
    else if (strcmp(node->kind, "d2h") == 0)
        judge_next("pass the addresses of the copy [%s] to add_copy in this order: the host's "
                   "array, then the device's",
                   node->shown);
    else
        judge_next("pass the kernel %s to add_kernel for the node [%s]", node->name, node->shown);
}

#define DRAWING(name_, ...)                                                                        \
    {                                                                                              \
        .name = #name_, .function = "lab08_" #name_, .of_other_kind = of_other_kind, __VA_ARGS__   \
    }

#define NODE DRAWN_NODE
static const struct drawn branches_drawn =
    DRAWING(branches,
            .shape = {.nodes = "8",
                      .edges = "8",
                      .roots = "2: wait ready, memset",
                      .sinks = "1: record done",
                      .width = "2",
                      .path = "6"},
            .nodes = DRAWN_NODES(NODE("wait", "-", "wait ready"), NODE("h2d", "-", "H2D x"),
                                 NODE("memset", "-", "memset sum = 0"),
                                 NODE("kernel", "produce", "produce u"),
                                 NODE("kernel", "saxpy", "saxpy: sum += s x"),
                                 NODE("kernel", "saxpy", "saxpy: sum += u"),
                                 NODE("d2h", "-", "D2H"), NODE("record", "-", "record done")),
            .edges = DRAWN_EDGES({0, 1}, {1, 3}, {1, 4}, {2, 4}, {3, 5}, {4, 5}, {5, 6}, {6, 7}));

static const struct drawn temporary_drawn =
    DRAWING(temporary,
            .nodes = DRAWN_NODES(NODE("alloc", "-", "alloc a"), NODE("alloc", "-", "alloc b"),
                                 NODE("h2d", "-", "H2D a"), NODE("kernel", "consume", "consume b"),
                                 NODE("d2h", "-", "D2H b"), NODE("free", "-", "free a"),
                                 NODE("free", "-", "free b")),
            .edges = DRAWN_EDGES({0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 6}));

static const struct drawn library_drawn = DRAWING(
    library,
    .nodes = DRAWN_NODES(NODE("h2d", "-", "H2D x"), NODE("child", "-", "child: library, weight 0"),
                         NODE("child", "-", "child: library, weight 1"), NODE("d2h", "-", "D2H x")),
    .edges = DRAWN_EDGES({0, 1}, {1, 2}, {2, 3}));

static const struct drawn summary_drawn =
    DRAWING(summary,
            .nodes = DRAWN_NODES(NODE("h2d", "-", "H2D x"), NODE("kernel", "consume", "consume y"),
                                 NODE("d2h", "-", "D2H values"),
                                 NODE("host", "-", "host: the mean of values")),
            .edges = DRAWN_EDGES({0, 1}, {1, 2}, {2, 3}));

static const struct drawn early_drawn =
    DRAWING(early, .add_edge = "add one edge, from produce to weigh",
            .nodes = DRAWN_NODES(NODE("kernel", "produce", "produce u"),
                                 NODE("kernel", "weigh", "weigh out")),
            .edges = DRAWN_EDGES({0, 1}));

/* ---- branches -------------------------------------------------------------------------------- */

JUDGE_CHECK(lab08, branches_drawn, 5, "lab08_branches builds the graph that lab.h draws.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &branches);
    const size_t bytes = (size_t)judge_numbers(j)->n * sizeof(float);
    const struct dag *g = judge_graph(j);
    drawn_expect(j, g, &branches_drawn);
    for (size_t i = 0; i < g->n_nodes; i++)
        judge_expect_that(
            (!dag_is(&g->nodes[i], "h2d", NULL) && !dag_is(&g->nodes[i], "d2h", NULL)) ||
                g->nodes[i].bytes == bytes,
            "copy_size");
    const struct dag_node *clear = dag_first(g, "memset", NULL);
    judge_actual("%zu bytes become %ld", (size_t)clear->bytes, clear->value);
    judge_expected("%zu bytes, which are n floats, become 0", bytes);
    judge_expect_that(clear->bytes == bytes && clear->value == 0, "memset_width");
}

JUDGE_CHECK(lab08, branches_results, 10, "Every launch of lab08_branches has the right result.")
{
    struct judged *j = judge_run_first(&branches);
    judge_run(j);
    judge_run_next(j, &odd_branches);
    judge_run_next(j, &whole_blocks);
}

/* Its run: the adapter notes what is wrong in what the scenario says to look at. */
static void expect_nothing_wrong(const struct judge_scenario *scenario)
{
    judge_run(judge_start(JUDGE_SUBMISSION, scenario));
    judge_expect_nothing_noted();
}

JUDGE_CHECK(lab08, events, 5, "lab08_branches waits for `ready` and records `done`.")
{
    expect_nothing_wrong(&events_of_branches);
}

JUDGE_CHECK(lab08, priority, 5, "The produce node alone has the priority, and the graph uses it.")
{
    judge_needs_step(5);
    expect_nothing_wrong(&priority_of_branches);
}

/* ---- temporary memory ------------------------------------------------------------------------ */

static void expect_all_freed(const struct dag *g)
{
    const size_t allocs = dag_count(g, "alloc", NULL), frees = dag_count(g, "free", NULL);
    judge_actual("%zu alloc nodes, %zu free nodes", allocs, frees);
    judge_expected("2 of both");
    judge_expect_that(frees >= allocs, "never_freed");
    judge_forget();
}

JUDGE_CHECK(lab08, temporary_drawn, 5, "lab08_temporary builds the graph that lab.h draws.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &temporary);
    const size_t bytes = (size_t)judge_numbers(j)->n * sizeof(float);
    const struct dag *g = judge_graph(j);
    judge_expect_that(dag_count(g, "alloc", NULL) > 0, "permanent_buffers");
    expect_all_freed(g);
    drawn_expect(j, g, &temporary_drawn);
    for (size_t i = 0; i < g->n_nodes; i++)
        judge_expect_that(!dag_is(&g->nodes[i], "alloc", NULL) || g->nodes[i].bytes == bytes,
                          "alloc_size");
}

JUDGE_CHECK(lab08, temporary_results, 10,
            "The graph of lab08_temporary can be relaunched many times.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &temporary);
    expect_all_freed(judge_graph(j));
    judge_run(j);
    judge_run(j);
    judge_run_next(j, &uploaded);
    judge_run(j);
}

JUDGE_CHECK(lab08, temporary_time, 5, "20 launches take at most 1.15 times the reference's time.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &timed),
                  *reference = judge_start(JUDGE_REFERENCE, &timed);
    const double launches = (double)judge_numbers(j)->launches;
    expect_all_freed(judge_graph(j));
    judge_floor(reference);
    const double stream_us = judge_value(reference, stream_us);
    judge_run(j);
    judge_run(reference);
    judge_next("remove the nodes that lab.h does not draw");
    struct judge_times times = judge_expect_time(&(struct judge_race){
        .submission = j,
        .reference = reference,
        .at_most = 1.15,
        .slow = "A launch of lab08_temporary's graph takes longer than it has to."});
    judge_note(
        "%.1f us per launch; with stream-ordered allocation (cudaMallocAsync, cudaFreeAsync) "
        "%.1f us: %.2f times as long",
        times.time_us / launches, stream_us, stream_us * launches / times.time_us);
}

/* ---- library --------------------------------------------------------------------------------- */

/* Kernels with this name (NULL: any) in a child graph. */
static size_t kernels_inside(const struct dag_node *child, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < child->n_inside; i++)
        n += dag_count_all(&child->inside[i], "kernel", name);
    return n;
}

/* The library enqueues one kernel produce and one kernel saxpy in each call. */
static void expect_one_call(const struct dag_node *child, size_t number)
{
    const size_t kernels = kernels_inside(child, NULL);
    judge_actual("child graph %zu has %zu kernels", number, kernels);
    judge_expected("2 child graphs, each with the 2 kernels of one call");
    judge_expect_that(kernels > 0, "captured_nothing");
    judge_expect_that(kernels == 2 && kernels_inside(child, "produce") == 1 &&
                          kernels_inside(child, "saxpy") == 1,
                      "one_child");
}

JUDGE_CHECK(lab08, library_drawn, 5, "lab08_library adds the library's work as two child graphs.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &library);
    const struct dag *g = judge_graph(j);
    const size_t children = dag_count(g, "child", NULL), kernels = dag_count(g, "kernel", NULL);
    judge_actual("%zu child graphs, %zu kernel nodes outside of them", children, kernels);
    judge_expected("2 child graphs, and no kernel node outside of them");
    judge_expect_that(kernels == 0, "library_not_captured");
    size_t number = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        if (dag_is(&g->nodes[i], "child", NULL))
            expect_one_call(&g->nodes[i], ++number);
    judge_forget();
    drawn_expect(j, g, &library_drawn);
}

JUDGE_CHECK(lab08, library_results, 5, "Each child graph works with its own weight.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &library);
    judge_expect_nothing_noted();
    judge_run(j);
    judge_run(j);
}

/* ---- summary --------------------------------------------------------------------------------- */

JUDGE_CHECK(lab08, summary_drawn, 5, "lab08_summary builds the graph that lab.h draws.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &life_of_data);
    drawn_expect(j, judge_graph(j), &summary_drawn);
}

JUDGE_CHECK(lab08, host_data, 5, "The data of the host node lives as long as the graph needs it.")
{
    expect_nothing_wrong(&life_of_data);
}

JUDGE_CHECK(lab08, host_function, 5, "The host function computes the mean and calls no CUDA.")
{
    struct judged *j = judge_run_first(&calls_of_host);
    judge_expect_nothing_noted();
    lab08_verify(j);
    for (int i = 0; i < 2; i++) { /* another mean may be as large, once */
        judge_run(j);
        lab08_verify(j);
    }
}

/* ---- a kernel that starts early -------------------------------------------------------------- */

JUDGE_CHECK(lab08, early_drawn, 5, "lab08_early has one programmatic edge.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &port_of_early);
    drawn_expect(j, judge_graph(j), &early_drawn);
    judge_run(j);
    judge_expect_nothing_noted();
}

/* weigh computes zeros of what produce has not written yet. */
static bool has_zeros(const struct judged *j)
{
    for (long i = 0; i < judge_numbers(j)->n; i++)
        if (judge_buffer(j, "out")[i] == 0)
            return true;
    return false;
}

/* Runs, if the device starts kernels early. */
static struct judge_run run_early(struct judged *j)
{
    const struct judge_run run = judge_run(j);
    judge_expect_nothing_noted();
    if (judge_device_is_simulated()) /* right values by luck are not right */
        judge_expect_order(j);
    judge_expect_that(!has_zeros(j), "reads_too_early");
    lab08_verify(j);
    return run;
}

JUDGE_CHECK(lab08, early_results, 5, "weigh reads u once it is complete.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &early);
    run_early(j);
    run_early(j);
    judge_prepare(j, &odd_early);
    run_early(j);
}

JUDGE_CHECK(lab08, early_time, 5, "30 launches take at most 1.08 times the reference's time.")
{
    const struct judge_scenario *timed = &timed_early[judge_device_is_simulated()];
    struct judged *j = judge_start(JUDGE_SUBMISSION, timed),
                  *reference = judge_start(JUDGE_REFERENCE, timed);
    judge_floor(reference);
    const double early_us = judge_value(reference, early_us),
                 ordinary_us = judge_value(reference, ordinary_us);
    run_early(j);
    run_early(reference);
    judge_next("add up the weights as the reference does: in blocks of 256 threads, with one load "
               "per row, and neighboring threads load neighboring floats");
    judge_expect_time(&(struct judge_race){
        .submission = j,
        .reference = reference,
        .at_most = 1.08,
        .slow = "A launch of lab08_early's graph takes longer than it has to."});
    judge_note("a launch of the reference's graph: %.1f us; with an ordinary edge %.1f us, %.2f "
               "times as long",
               early_us, ordinary_us, ordinary_us / early_us);
}

/* ---- any graph ------------------------------------------------------------------------------- */

/* Findings say more than wrong values. */
static const struct judge_scenario unordered[] = {
    SCENARIO("branches of about 4096 floats, 2 launches", NULL, .task = LAB08_BRANCHES, .n = 4096,
             .launches = 2, .steps = 6),
    SCENARIO("temporary memory, about 4096 floats, 2 launches", NULL, .task = LAB08_TEMPORARY,
             .n = 4096, .launches = 2),
    SCENARIO("two child graphs, about 4096 floats, 2 launches", NULL, .task = LAB08_LIBRARY,
             .n = 4096, .launches = 2, .steps = 1),
    SCENARIO("summary of about 4096 floats, 2 launches", NULL, .task = LAB08_SUMMARY, .n = 4096,
             .launches = 2),
    EARLY("a kernel that starts early, 1024 floats, 128 rows", 128, .n = 1024, .repeats = 1)};

JUDGE_CHECK(lab08, race_free, 5, "No race, no use after a free node, no leak. Errors are returned.")
{
    judge_needs_findings();
    struct judged *j = NULL;
    for (size_t i = 0; i < sizeof unordered / sizeof unordered[0]; i++) {
        j = judge_turn_to(j, &unordered[i]);
        const enum lab08_task task = judge_numbers(j)->task;
        if (task == LAB08_TEMPORARY)
            expect_all_freed(judge_graph(j));
        judge_run(j);
        judge_run(j);
        if (task == LAB08_EARLY)
            judge_expect_nothing_noted();
        const bool is_early = task == LAB08_EARLY && has_zeros(j); /* recorded or not */
        judge_expect_no_findings(j);                               /* of this scenario */
        judge_expect_that(!is_early, "reads_too_early");
        if (task != LAB08_EARLY) /* has few calls of its own, and each costs a process */
            judge_expect_error(&unordered[i]);
    }
}

JUDGE_CHECK(lab08, instantiate, 5, "lab08_instantiate names the node to blame.")
{
    expect_nothing_wrong(&cycle);
    if (judge_device_is_simulated()) /* an older driver has no such handles */
        expect_nothing_wrong(&unused);
}

JUDGE_CHECK(lab08, draw, 5, "lab08_draw writes the graph in the DOT language.")
{
    expect_nothing_wrong(&drawing);
}

/* Is the programmatic edge worth nothing? */
static void diagnose_early_time(void)
{
    const double most = 0.5; /* of what it is worth to the reference */
    const struct judge_scenario *timed = &timed_early[judge_device_is_simulated()];
    struct judged *j = judge_start(JUDGE_SUBMISSION, timed),
                  *reference = judge_start(JUDGE_REFERENCE, timed);
    judge_floor(reference);
    const double worth_us = judge_numbers(j)->repeats * (judge_value(reference, ordinary_us) -
                                                         judge_value(reference, early_us));
    run_early(j);
    run_early(reference);
    judge_expect_that(judge_value(j, weigh_threads) == judge_value(reference, weigh_threads),
                      "other_block");
    const double lost_us = run_early(j).time_us - run_early(reference).time_us;
    judge_expect_that(lost_us < most * worth_us || lost_us > (2 - most) * worth_us,
                      "waits_before_weights");
}

JUDGE_DIAGNOSIS(lab08)
{
    if (judge_is_unexplained("early_time"))
        diagnose_early_time();
}

/*
 * suite.c: the suite of lab 08, from top to bottom what a submission must do.
 */
#include "drawn.h"
#include "expected_results.h"
#include "graphs.h"
#include "judge/judge.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab08",
          .title = "graphs built node by node: memory, events, host work, child graphs");

/* ---- scenarios ------------------------------------------------------------------------------- */

#define SCENARIO(words_, task_, made_by_, n_, launches_, upload_, steps_, verify_)                 \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = {{"task", task_},                                                               \
                    {"n", n_},                                                                     \
                    {"launches", launches_},                                                       \
                    {"upload", upload_},                                                           \
                    {"steps", steps_},                                                             \
                    {"strength_percent", 25},                                                      \
                    {"weight_percent", 50},                                                        \
                    {"other_percent", -30},                                                        \
                    {"rows", 0},                                                                   \
                    {"repeats", 1}},                                                               \
        .buffers = {{"in", JUDGE_INPUT, (size_t)(n_) * (launches_), .grows = 1, .low = 0.05f,      \
                     .high = 0.95f},                                                               \
                    {"out", JUDGE_OUTPUT, (size_t)(n_) * (launches_) + 1, .grows = 1,              \
                     .made_by = made_by_}},                                                        \
        .drawn = "n", .spread = (n_) / 16, .verify = verify_                                       \
    }

#define EARLY(words_, n_, repeats_, steps_)                                                        \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = {{"task", LAB08_EARLY}, {"n", n_},      {"launches", 1},      {"upload", 0},    \
                    {"steps", steps_},     {"rows", ROWS}, {"repeats", repeats_}},                 \
        .buffers = {                                                                               \
            {"in", JUDGE_INPUT, (size_t)(n_), .low = 0.05f, .high = 0.95f},                        \
            {"weights", JUDGE_INPUT, (size_t)(n_)*ROWS, .low = -1, .high = 1, .pinned = true},     \
            {"out", JUDGE_OUTPUT, (size_t)(n_)}},                                                  \
    }

enum { ROWS = 128 }; /* of the weights */

static const struct judge_scenario branches =
    SCENARIO("branches, 2 launches", LAB08_BRANCHES, "saxpy", 4096, 2, 0, 6, lab08_verify);
static const struct judge_scenario odd_branches =
    SCENARIO("fewer floats, 3 launches", LAB08_BRANCHES, "saxpy", 1000, 3, 1, 6, lab08_verify);
static const struct judge_scenario temporary = SCENARIO(
    "temporary memory, 3 launches", LAB08_TEMPORARY, "consume", 4096, 3, 0, 1, lab08_verify);
static const struct judge_scenario uploaded =
    SCENARIO("temporary memory, uploaded, 2 launches", LAB08_TEMPORARY, "consume", 1000, 2, 1, 1,
             lab08_verify);
static const struct judge_scenario library =
    SCENARIO("two child graphs, 2 launches", LAB08_LIBRARY, "saxpy", 4096, 2, 0, 1, lab08_verify);
static const struct judge_scenario summary =
    SCENARIO("summary, 2 launches", LAB08_SUMMARY, "consume", 4096, 2, 0, 1, NULL);
static const struct judge_scenario one_launch =
    SCENARIO("branches, 1 launch", LAB08_BRANCHES, "saxpy", 256, 1, 0, 1, NULL);
static const struct judge_scenario drawing =
    SCENARIO("the drawing of a graph", LAB08_DRAW, NULL, 64, 1, 0, 1, NULL);
static const struct judge_scenario cycle =
    SCENARIO("a graph with a cycle", LAB08_CYCLE, NULL, 64, 1, 0, 1, NULL);
static const struct judge_scenario timed = SCENARIO(
    "temporary memory, 20 launches", LAB08_TEMPORARY, "consume", 512, 20, 0, 1, lab08_verify);
static const struct judge_scenario early = EARLY("a kernel that starts early", 1024, 1, 2000);
static const struct judge_scenario odd_early =
    EARLY("a kernel that starts early, 1000 floats", 1000, 1, 2000);
/* Virtual time is exact, and each launch of weigh is computed. */
static const struct judge_scenario timed_early =
    EARLY("a kernel that starts early, 30 launches", 1024, 30, 2000);
static const struct judge_scenario simulated_early =
    EARLY("a kernel that starts early, 4 launches", 1024, 4, 2000);

/* ---- the drawings ---------------------------------------------------------------------------- */

static const struct drawn branches_drawn = {
    .function = "lab08_branches",
    .nodes = {{"wait", "-", "wait ready"},
              {"h2d", "-", "H2D x"},
              {"memset", "-", "memset sum = 0"},
              {"kernel", "produce", "produce u"},
              {"kernel", "saxpy", "saxpy: sum += s x"},
              {"kernel", "saxpy", "saxpy: sum += u"},
              {"d2h", "-", "D2H"},
              {"record", "-", "record done"}},
    .edges = {{0, 1}, {1, 3}, {1, 4}, {2, 4}, {3, 5}, {4, 5}, {5, 6}, {6, 7}}};

static const struct drawn temporary_drawn = {
    .function = "lab08_temporary",
    .nodes = {{"alloc", "-", "alloc a"},
              {"alloc", "-", "alloc b"},
              {"h2d", "-", "H2D a"},
              {"kernel", "consume", "consume b"},
              {"d2h", "-", "D2H b"},
              {"free", "-", "free a"},
              {"free", "-", "free b"}},
    .edges = {{0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 6}}};

static const struct drawn library_drawn = {.function = "lab08_library",
                                           .nodes = {{"h2d", "-", "H2D x"},
                                                     {"child", "-", "child: library, weight 0"},
                                                     {"child", "-", "child: library, weight 1"},
                                                     {"d2h", "-", "D2H x"}},
                                           .edges = {{0, 1}, {1, 2}, {2, 3}}};

static const struct drawn summary_drawn = {.function = "lab08_summary",
                                           .nodes = {{"h2d", "-", "H2D x"},
                                                     {"kernel", "consume", "consume y"},
                                                     {"d2h", "-", "D2H values"},
                                                     {"host", "-", "host: the mean of values"}},
                                           .edges = {{0, 1}, {1, 2}, {2, 3}}};

static const struct drawn early_drawn = {
    .function = "lab08_early",
    .add_edge = "call cudaGraphAddDependencies with from = produce and to = weigh, once",
    .nodes = {{"kernel", "produce", "produce u"}, {"kernel", "weigh", "weigh out"}},
    .edges = {{0, 1}}};

/* ---- branches -------------------------------------------------------------------------------- */

JUDGE_CHECK(lab08, branches_drawn, 5, "lab08_branches builds the graph that lab.h draws")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &branches);
    const size_t bytes = (size_t)judge_number(j, "n") * sizeof(float);
    const struct dag *g = judge_graph(j);
    judge_show_graph(j, &(struct judge_shape){.nodes = "8",
                                              .edges = "8",
                                              .roots = "2: wait ready, memset",
                                              .sinks = "1: record done",
                                              .width = "2",
                                              .path = "6"});
    drawn_expect(g, &branches_drawn);
    const struct dag_node *clear = dag_first(g, "memset", NULL);
    judge_actual("%zu bytes", (size_t)clear->bytes);
    judge_expected("%zu bytes: n floats", bytes);
    judge_next("with elementSize = sizeof(float), width is n");
    judge_expect(clear->bytes == bytes && clear->value == 0,
                 "lab08_branches: the memset node does not set n floats to 0. Its width counts "
                 "elements of elementSize bytes; copies count bytes");
}

JUDGE_CHECK(lab08, branches_results, 10, "every launch of lab08_branches has the right result")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &branches);
    judge_next("does the graph wait for `ready` before it copies, and record `done` after it?");
    judge_run(j);
    judge_run(j);
    judge_prepare(j, &odd_branches);
    judge_run(j);
    judge_next("NULL for the data of edges");
    judge_expect(judge_value(j, "marked_edges") == 0,
                 "lab08_branches: an edge carries data. From the port of a kernel's launch, the "
                 "second node can start before the first is complete");
}

JUDGE_CHECK(lab08, events, 5, "lab08_branches waits for `ready` and records `done`")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &one_launch);
    judge_run(j);
    judge_next("params.eventWait.event = ready");
    judge_expect(judge_value(j, "waits_ready") == 1,
                 "the event wait node waits for another event than `ready`: the copy can start "
                 "before its input is complete");
    judge_next("params.eventRecord.event = done");
    judge_expect(judge_value(j, "records_done") == 1,
                 "the event record node records another event than `done`: a stream that waits "
                 "for `done` does not wait for this graph");
}

JUDGE_CHECK(lab08, priority, 5, "the produce node alone has the priority, and the graph uses it")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &one_launch);
    judge_run(j);
    const double wanted = judge_value(j, "wanted_priority"), actual = judge_value(j, "priority");
    judge_actual("priority %.0f of produce, %.0f of the others", actual,
                 judge_value(j, "other_priority"));
    judge_expected("%.0f of produce, 0 of the others (lower numbers mean greater priority)",
                   wanted);
    judge_next("cudaGraphKernelNodeSetAttribute(produce, cudaLaunchAttributePriority, &value) with "
               "value.priority = b->priority");
    judge_expect(actual == wanted,
                 "the produce node does not have b->priority. A lower number is a greater "
                 "priority");
    judge_expect(judge_value(j, "other_priority") == 0,
                 "other kernel nodes have a priority, too: then none has precedence");
    judge_actual("the produce node has priority %.0f; the executable graph ignores it", actual);
    judge_expected("the executable graph uses the nodes' priorities");
    judge_next("set params.flags to cudaGraphInstantiateFlagUseNodePriority");
    judge_expect(judge_value(j, "by_node") == 1,
                 "lab08_instantiate ignores the priorities of nodes: without a flag, all nodes "
                 "have the priority of the stream that the graph is launched in");
}

/* ---- temporary memory ------------------------------------------------------------------------ */

static void expect_all_freed(const struct dag *g)
{
    const size_t allocs = dag_count(g, "alloc", NULL), frees = dag_count(g, "free", NULL);
    judge_next("add a free node for each array, after the last node that uses the array");
    judge_expect(frees >= allocs,
                 "lab08_temporary: %zu alloc nodes, %zu free nodes. An array that no node frees "
                 "stays allocated, and the next launch cannot allocate it again",
                 allocs, frees);
    judge_forget();
}

JUDGE_CHECK(lab08, temporary_drawn, 5, "lab08_temporary builds the graph that lab.h draws")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &temporary);
    const size_t bytes = (size_t)judge_number(j, "n") * sizeof(float);
    const struct dag *g = judge_graph(j);
    expect_all_freed(g);
    drawn_expect(g, &temporary_drawn);
    for (size_t i = 0; i < g->n_nodes; i++)
        judge_expect(!dag_is(&g->nodes[i], "alloc", NULL) || g->nodes[i].bytes == bytes,
                     "lab08_temporary: an alloc node does not allocate n floats. bytesize counts "
                     "bytes");
}

JUDGE_CHECK(lab08, temporary_results, 10,
            "the graph of lab08_temporary can be launched again and again")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &temporary);
    expect_all_freed(judge_graph(j));
    judge_next("each alloc node needs a free node that waits for all users of its array");
    judge_run(j);
    judge_run(j);
    judge_prepare(j, &uploaded);
    judge_run(j);
    judge_run(j);
}

JUDGE_CHECK(lab08, temporary_time, 5, "temporary memory costs no more than the reference's")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &timed),
                 *reference = judge_start(JUDGE_REFERENCE, &timed);
    const double launches = (double)judge_number(j, "launches");
    expect_all_freed(judge_graph(j));
    judge_floor(reference);
    const double stream_us = judge_value(reference, "stream_us");
    judge_run(j);
    judge_run(reference);
    judge_next("the graph needs the nodes that lab.h draws, and no others");
    struct judge_times times = judge_expect_time(&(struct judge_race){
        .submission = j,
        .reference = reference,
        .at_most = 1.15,
        .slow = "a launch of lab08_temporary's graph takes longer than it has to: which node does "
                "it have that lab.h does not draw?"});
    judge_note(
        "%.1f us per launch; with stream-ordered allocation (cudaMallocAsync, cudaFreeAsync) "
        "%.1f us: %.2f times as long",
        times.time_us / launches, stream_us, stream_us * launches / times.time_us);
}

/* ---- library --------------------------------------------------------------------------------- */

JUDGE_CHECK(lab08, library_drawn, 5, "lab08_library adds the library's work as two child graphs")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &library);
    const struct dag *g = judge_graph(j);
    judge_next(
        "cudaStreamEndCapture gives a graph; a node of type cudaGraphNodeTypeGraph takes it");
    judge_expect(dag_count(g, "child", NULL) > 0 || dag_count(g, "kernel", NULL) == 0,
                 "lab08_library: the graph has kernel nodes of its own, but no child graph");
    drawn_expect(g, &library_drawn);
    judge_expect(dag_count_all(g, "kernel", NULL) == 4,
                 "lab08_library: the child graphs hold %zu kernels, the library enqueues 2 each "
                 "time: capture one call of it for each child graph",
                 dag_count_all(g, "kernel", NULL));
}

JUDGE_CHECK(lab08, library_results, 5, "each child graph works with its own weight")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &library);
    judge_run(j);
    judge_run(j);
}

/* ---- summary --------------------------------------------------------------------------------- */

JUDGE_CHECK(lab08, summary_drawn, 5, "lab08_summary builds the graph that lab.h draws")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &summary);
    drawn_expect(judge_graph(j), &summary_drawn);
}

static void expect_owned(const struct judge *j)
{
    judge_next("params.host.userData = data, which `take` returned");
    judge_expect(judge_value(j, "is_owned") == 1,
                 "the host node's data is not what `take` returned: if it is a local variable, it "
                 "is gone when the function returns");
}

JUDGE_CHECK(lab08, host_data, 5, "the data of the host node lives as long as the graph needs it")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &summary);
    judge_run(j);
    expect_owned(j);
    judge_next("cudaUserObjectCreate(&object, data, s->give, 1, cudaUserObjectNoDestructorSync), "
               "then cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove)");
    judge_expect(judge_value(j, "given_by_build") == 0,
                 "lab08_summary gives the data away before it returns: the host function would "
                 "read memory that is freed");
    judge_expect(judge_value(j, "given_early") == 0,
                 "the data is freed when the graph is destroyed, while an executable graph still "
                 "needs it");
    judge_expect(judge_value(j, "given") != 0,
                 "the data is never freed: after the last executable graph is gone, someone still "
                 "holds a reference to the user object. cudaUserObjectCreate gave it to you: move "
                 "it to the graph, or release it");
    judge_expect(judge_value(j, "given") == 1, "the data is freed more than once");
}

JUDGE_CHECK(lab08, host_function, 5, "the host function computes the mean and calls no CUDA")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &summary);
    judge_run(j);
    expect_owned(j);
    judge_next("let nodes do it: a copy before the host node, a kernel after it");
    judge_expect(judge_value(j, "refused") == 0,
                 "the host function calls the CUDA runtime, which refuses that "
                 "(cudaErrorNotPermitted): a host function must not call CUDA");
    judge_actual("%.0f calls in %ld launches", judge_value(j, "calls"),
                 judge_number(j, "launches"));
    judge_expect(judge_value(j, "calls") == (double)judge_number(j, "launches"),
                 "the host function does not run once per launch");
    lab08_verify(j);
}

/* ---- a kernel that starts early -------------------------------------------------------------- */

static void next_edge(void)
{
    judge_next("cudaGraphEdgeData data = {.from_port = cudaGraphKernelNodePortLaunchCompletion, "
               ".type = cudaGraphDependencyTypeProgrammatic}");
}

/* An edge that lets weigh start early lets it wait, too. */
static void expect_typed_edge(const struct judge *j)
{
    const bool starts_early =
        judge_value(j, "from_end") == 0 && judge_value(j, "from_trigger") == 0;
    next_edge();
    judge_expect(!starts_early || judge_value(j, "programmatic") == 1,
                 "lab08_early: the edge has no programmatic type. So the second kernel starts "
                 "early, and cudaGridDependencySynchronize waits for nothing");
}

/* Of the graph that was run last. */
static void expect_early_edge(const struct judge *j)
{
    next_edge();
    judge_expect(judge_value(j, "from_end") == 0,
                 "lab08_early: the edge is an ordinary one. The second kernel starts when the "
                 "first is complete");
    judge_expect(judge_value(j, "from_trigger") == 0,
                 "lab08_early: the edge waits for cudaTriggerProgrammaticLaunchCompletion, which "
                 "produce does not call. So it waits for the end of produce");
    expect_typed_edge(j);
}

JUDGE_CHECK(lab08, early_drawn, 5, "lab08_early has one programmatic edge")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &early);
    drawn_expect(judge_graph(j), &early_drawn);
    judge_run(j);
    expect_early_edge(j);
}

/* Runs, if the device starts kernels early. */
static void run_early(struct judge *j)
{
    bool zeros = true;
    judge_run(j);
    if (judge_value(j, "compute_major") < 9)
        judge_skip("programmatic edges need compute capability 9.0 or newer");
    expect_typed_edge(j);
    for (long i = 0; i < judge_number(j, "n"); i++)
        zeros = zeros && judge_buffer(j, "out")[i] == 0;
    judge_next("call cudaGridDependencySynchronize in weigh before it reads u");
    judge_expect(!zeros, "weigh reads u before produce has written it: the kernel starts while "
                         "produce still runs");
    lab08_verify(j);
}

JUDGE_CHECK(lab08, early_results, 5, "weigh reads u once it is complete")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &early);
    run_early(j);
    run_early(j);
    judge_prepare(j, &odd_early);
    run_early(j);
}

JUDGE_CHECK(lab08, early_time, 5, "weigh adds up the weights while produce still runs")
{
    const struct judge_scenario *timed =
        judge_device_is_simulated() ? &simulated_early : &timed_early;
    struct judge *j = judge_start(JUDGE_SUBMISSION, timed),
                 *reference = judge_start(JUDGE_REFERENCE, timed);
    judge_floor(reference);
    const double early_us = judge_value(reference, "early_us"),
                 ordinary_us = judge_value(reference, "ordinary_us");
    if (judge_value(reference, "compute_major") < 9)
        judge_skip("programmatic edges need compute capability 9.0 or newer");
    run_early(j);
    expect_early_edge(j);
    run_early(reference);
    judge_next("first add up the weights, then call cudaGridDependencySynchronize, then read u");
    judge_expect_time(&(struct judge_race){
        .submission = j,
        .reference = reference,
        .at_most = 1.08,
        .slow = "a launch of lab08_early's graph takes longer than it has to: does weigh wait "
                "before it has added up the weights, or for the end of produce?"});
    judge_note("a launch of the reference's graph: %.1f us; with an ordinary edge %.1f us, %.2f "
               "times as long",
               early_us, ordinary_us, ordinary_us / early_us);
}

/* ---- any graph ------------------------------------------------------------------------------- */

JUDGE_CHECK(lab08, race_free, 5, "no race, no use after a free node, nothing leaked")
{
    static const struct judge_scenario scenarios[] = {
        SCENARIO("branches, 2 launches", LAB08_BRANCHES, "saxpy", 4096, 2, 0, 6, NULL),
        SCENARIO("temporary memory, 2 launches", LAB08_TEMPORARY, "consume", 4096, 2, 0, 1, NULL),
        SCENARIO("two child graphs, 2 launches", LAB08_LIBRARY, "saxpy", 4096, 2, 0, 1, NULL),
        SCENARIO("summary, 2 launches", LAB08_SUMMARY, "consume", 4096, 2, 0, 1, NULL),
        EARLY("a kernel that starts early", 1024, 1, 2000)};
    struct judge *j = judge_start(JUDGE_SUBMISSION, &scenarios[0]);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        judge_prepare(j, &scenarios[i]);
        if (judge_number(j, "task") == LAB08_TEMPORARY)
            expect_all_freed(judge_graph(j));
        judge_run(j);
        judge_run(j);
    }
    expect_typed_edge(j);
    judge_next(
        "which edge is missing: from the node that writes to the one that reads, or from the "
        "last user of an array to its free node?");
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab08, instantiate, 5, "lab08_instantiate names the node to blame")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &cycle);
    judge_run(j);
    judge_next("return the error of cudaGraphInstantiateWithParams");
    judge_expect(judge_value(j, "refused") == 1,
                 "lab08_instantiate returns cudaSuccess for a graph with a cycle");
    judge_next("call cudaGraphInstantiateWithParams, and copy params.errNode_out to *node before "
               "you return");
    judge_expect(judge_value(j, "named") == 1,
                 "lab08_instantiate: *node %s, although the runtime named a node of the cycle",
                 judge_value(j, "no_node") == 1 ? "is NULL" : "is not in the cycle");
    judge_next("set *exec to NULL before you return the error");
    judge_expect(judge_value(j, "no_exec") == 1,
                 "lab08_instantiate leaves something in *exec though it failed");
    judge_next("call cudaGetLastError once, after the error has been taken care of");
    judge_expect(judge_value(j, "last_error") == 0,
                 "lab08_instantiate leaves a stale error: the caller's next cudaGetLastError finds "
                 "it and blames another call");
}

JUDGE_CHECK(lab08, draw, 5, "lab08_draw writes the graph in the DOT language")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, &drawing);
    judge_next("cudaGraphDebugDotPrint, with the path that lab08_draw is given");
    judge_run(j);
    judge_expect(judge_value(j, "is_dot") == 1,
                 "lab08_draw wrote no drawing to the file that it was given");
}

/* captures.c: which rule of capture, instantiation or replay a submission broke. */
#include "captures.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <string.h>

#include "query/trace.h"

#define HOST_WAITS_FOR_EVENT                                                                       \
    {                                                                                              \
        .name = "host_waits_for_event",                                                            \
        .words = "cudaEventSynchronize lets the host wait, and nothing runs during a capture.",    \
        .next = "call cudaStreamWaitEvent instead: the stream waits, which becomes an edge"        \
    }

/* The report knows what these errors mean (report/error.c): here they get a name. The first that
 * applies. */
static const struct {
    cudaError_t error;
    const char *call; /* NULL: whichever */
    struct judge_mistake mistake;
} rules[] = {
    {cudaErrorStreamCaptureUnsupported, "cudaDeviceSynchronize", {.name = "waits_in_capture"}},
    {cudaErrorStreamCaptureUnsupported, "cudaStreamSynchronize", {.name = "waits_in_capture"}},
    {cudaErrorStreamCaptureUnsupported, "cudaEventSynchronize", HOST_WAITS_FOR_EVENT},
    {cudaErrorCapturedEvent, "cudaEventSynchronize", HOST_WAITS_FOR_EVENT},
    {cudaErrorStreamCaptureUnsupported, "cudaStreamQuery", {.name = "queries_in_capture"}},
    {cudaErrorStreamCaptureUnsupported, "cudaMalloc", {.name = "allocates_in_capture"}},
    {cudaErrorStreamCaptureUnsupported, "cudaFree", {.name = "frees_in_capture"}},
    {cudaErrorStreamCaptureUnsupported,
     "cudaGraphInstantiate",
     {.name = "instantiates_in_capture"}},
    {cudaErrorStreamCaptureImplicit, NULL, {.name = "legacy_stream_in_capture"}},
    {cudaErrorStreamCaptureUnjoined, NULL, {.name = "never_joined"}},
    {cudaErrorStreamCaptureUnmatched, NULL, {.name = "ends_in_other_stream"}},
    {cudaErrorStreamCaptureIsolation, NULL, {.name = "event_not_captured"}},
    {cudaErrorStreamCaptureInvalidated, NULL, {.name = "error_ignored"}},
    {cudaErrorCapturedEvent, NULL, {.name = "captured_event_awaited"}},
    {cudaErrorIllegalState, "cudaStreamEndCapture", {.name = "not_capturing"}},
    {cudaErrorInvalidValue, "cudaGraphInstantiate", {.name = "no_graph"}},
    {cudaErrorInvalidValue, "cudaGraphLaunch", {.name = "not_instantiated"}},
    {cudaErrorInvalidResourceHandle, NULL, {.name = "handle_not_created"}},
};

static const struct judge_mistake
    left_open = {.name = "capture_left_open",
                 .words = "The function returned while a stream was still capturing.",
                 .next = "end each capture with cudaStreamEndCapture of its origin"},
    not_kept = {.name = "graph_not_kept",
                .words = "The captured graph is not where the lab's struct should have it: the "
                         "handle there is NULL.",
                .next = "pass the address of that handle to cudaStreamEndCapture, and leave it set "
                        "until teardown",
                .explains = "freed_twice"},
    destroyed = {.name = "graph_destroyed",
                 .words = "The captured graph was destroyed before teardown. The grader inspects "
                          "it until then.",
                 .next = "move cudaGraphDestroy of this graph to teardown",
                 .explains = "freed_twice"},
    freed_twice = {.name = "freed_twice",
                   .words = "Teardown frees something that does not exist. It was freed before, or "
                            "its handle was read from memory that was freed before.",
                   .next = "free each object once, and the struct that holds the handles last"};

bool captures_is(const struct session_event *e, int error, const char *call)
{
    const struct wire_error *found = &e->failure.error;
    return e->cause == CAUSE_FAILED && found->code == error &&
           (!call || (found->origin == WIRE_ORIGIN_CALL && strcmp(found->call, call) == 0));
}

/* Teardown gets only what setup made: another error can hardly be. */
static bool is_freed_twice(const struct session_event *e)
{
    return e->request == WIRE_TEARDOWN &&
           (e->cause == CAUSE_ENDED || captures_is(e, cudaErrorInvalidValue, NULL) ||
            captures_is(e, cudaErrorInvalidResourceHandle, NULL));
}

const struct judge_mistake *captures_mistake_of(const struct session_event *e)
{
    if (is_freed_twice(e))
        return &freed_twice;
    if (e->cause != CAUSE_FAILED)
        return NULL;
    if (e->failure.reason == WIRE_STILL_CAPTURING)
        return &left_open;
    if (e->failure.reason == WIRE_GRAPH_NULL)
        return &not_kept;
    if (e->failure.reason == WIRE_GRAPH_DEAD)
        return &destroyed;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (captures_is(e, rules[i].error, rules[i].call))
            return &rules[i].mistake;
    return NULL;
}

const struct judge_mistake *captures_graph_left(const struct session_event *e)
{
    static const struct judge_mistake left = {
        .name = "graph_not_destroyed",
        .next =
            "call cudaGraphDestroy(lab->graph) in teardown: the grader inspects the graph until "
            "then"};
    const bool is_leak = e->cause == CAUSE_FINDING && e->finding.kind == SIMGPU_LEAK;
    return is_leak && strcmp(e->finding.first.name, "graph") == 0 ? &left : NULL;
}

/* ---- a run that is to launch a graph, and nothing else --------------------------------------- */

/* Checks of labs 04 and 05, and what their other checks see of it. */
#define RUNS                                                                                       \
    "results complete clean race_free replayed time one_launch beats_lab04 as_fast_as_lab03 "      \
    "status status_not_done other_graph not_copied_back work_left_out inputs_not_read "            \
    "no_final_wait"

const struct judge_mistake captures_in_run = {
    "captures_in_run", NULL, "capture and instantiate once, in setup; the run launches and waits",
    RUNS " graph_not_kept"};

static const struct judge_mistake
    reinstantiates = {"instantiates_in_run", NULL,
                      "instantiate once, in setup; the run launches and waits", RUNS},
    changes = {"changes_graph", NULL, "launch the executable graph as it is", RUNS},
    launches_nothing = {"launches_nothing", NULL,
                        "call cudaGraphLaunch with the executable graph of setup", RUNS},
    no_graph_launch = {"no_graph_launch", NULL, "replace these calls by one cudaGraphLaunch", RUNS},
    many_launches = {"many_launches", NULL, "launch the graph once, and remove the other launches",
                     RUNS},
    creates_in_run = {"creates_in_run", NULL,
                      "allocate and create in setup, free and destroy in teardown", RUNS},
    work_beside_graph = {"work_beside_graph", NULL,
                         "remove these calls: the operations belong in the graph", RUNS};

static void expect(bool right, const struct judge_mistake *mistake, const char *function,
                   const char *words)
{
    if (right)
        return;
    judge_blame(mistake);
    judge_fail("%s %s", function, words);
}

void captures_expect_instantiated(size_t instantiations, const char *function)
{
    expect(instantiations == 0, &reinstantiates, function,
           "instantiates the graph. Instantiation is the expensive step, and belongs in setup.");
}

void captures_expect_launches(const struct trace *t, size_t expected, const char *function)
{
    const size_t launches = trace_calls(t, "cudaGraphLaunch*"),
                 direct = trace_calls(t, "cudaLaunchKernel*") + trace_calls(t, "cudaMemcpy*") +
                          trace_calls(t, "cudaMemset*") + trace_calls(t, "cudaLaunchHostFunc*"),
                 created = trace_creations(t, INFINITY),
                 begins = trace_calls(t, "cudaStreamBeginCapture*"),
                 instantiations = trace_calls(t, "cudaGraphInstantiate*"),
                 others = trace_calls(t, "cudaGraphExec*") + trace_calls(t, "cudaGraphUpload*");
    judge_measured((double)launches, (double)expected, "launches");
    judge_actual("%zu captures, %zu instantiations, %zu launches of a graph, %zu other operations, "
                 "%zu allocations and new objects",
                 begins, instantiations, launches, direct, created);
    judge_expected("%zu %s of a graph, and nothing else", expected,
                   expected == 1 ? "launch" : "launches");
    expect(begins == 0, &captures_in_run, function,
           "captures the work. That takes as long as enqueuing it, and a graph is there to be "
           "relaunched.");
    captures_expect_instantiated(instantiations, function);
    expect(others == 0, &changes, function,
           "changes the executable graph, or uploads it, before the launch. Nothing in it is "
           "different.");
    expect(launches > 0 || direct > 0, &launches_nothing, function, "launches nothing.");
    expect(launches > 0, &no_graph_launch, function,
           "launches no graph: it enqueues copies and kernels itself.");
    expect(launches <= expected, &many_launches, function,
           "launches a graph more than once. One launch holds all of the work.");
    expect(direct == 0, &work_beside_graph, function,
           "enqueues copies, kernels, memsets or host functions beside the graph.");
    expect(created == 0, &creates_in_run, function,
           "allocates memory, or creates a stream or an event, in each call.");
}

/* captures.c: which rule of capture, instantiation or replay a submission broke. */
#include "captures.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <string.h>

#include "judge/mistakes.h"
#include "query/trace.h"

/* The report knows what these errors mean (report/error.c): here they get a name. The first that
 * applies. */
static const struct {
    cudaError_t error;
    const char *call; /* NULL: whichever */
    const struct judge_mistake *mistake;
} rules[] = {
    {cudaErrorStreamCaptureUnsupported, "cudaDeviceSynchronize", &judge_waits_in_capture},
    {cudaErrorStreamCaptureUnsupported, "cudaStreamSynchronize", &judge_waits_in_capture},
    {cudaErrorStreamCaptureUnsupported, "cudaEventSynchronize", &judge_host_waits_for_event},
    {cudaErrorCapturedEvent, "cudaEventSynchronize", &judge_host_waits_for_event},
    {cudaErrorStreamCaptureUnsupported, "cudaStreamQuery", &judge_queries_in_capture},
    {cudaErrorStreamCaptureUnsupported, "cudaMalloc", &judge_allocates_in_capture},
    {cudaErrorStreamCaptureUnsupported, "cudaGraphInstantiate", &judge_instantiates_in_capture},
    {cudaErrorStreamCaptureImplicit, NULL, &judge_legacy_stream_in_capture},
    {cudaErrorStreamCaptureUnjoined, NULL, &judge_never_joined},
    {cudaErrorStreamCaptureUnmatched, NULL, &judge_ends_in_other_stream},
    {cudaErrorStreamCaptureInvalidated, NULL, &judge_error_ignored},
    {cudaErrorCapturedEvent, NULL, &judge_captured_event_awaited},
    {cudaErrorIllegalState, "cudaStreamEndCapture", &judge_not_capturing},
    {cudaErrorInvalidValue, "cudaGraphInstantiate", &judge_no_graph},
    {cudaErrorInvalidValue, "cudaGraphLaunch", &judge_not_instantiated},
};

bool captures_is(const struct session_event *e, int error, const char *call)
{
    const struct wire_error *found = &e->failure.error;
    return e->cause == CAUSE_FAILED && found->code == error &&
           (!call || (found->origin == WIRE_ORIGIN_CALL && strcmp(found->call, call) == 0));
}

const struct judge_mistake *captures_mistake_of(const struct session_event *e)
{
    if (e->cause != CAUSE_FAILED)
        return NULL;
    if (e->failure.reason == WIRE_STILL_CAPTURING)
        return &judge_capture_left_open;
    if (e->failure.reason == WIRE_GRAPH_NULL)
        return &judge_graph_not_kept;
    if (e->failure.reason == WIRE_GRAPH_DEAD)
        return &judge_graph_destroyed;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (captures_is(e, rules[i].error, rules[i].call))
            return rules[i].mistake;
    return NULL;
}

const struct judge_mistake *captures_graph_left(const struct session_event *e)
{
    const bool is_leak = e->cause == CAUSE_FINDING && e->finding.kind == SIMGPU_LEAK;
    return is_leak && e->finding.object == SIMGPU_OBJECT_GRAPH ? &judge_graph_not_destroyed : NULL;
}

/* ---- a run that is to launch a graph, and nothing else --------------------------------------- */

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
    expect(instantiations == 0, &judge_instantiates_in_run, function,
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
    expect(begins == 0, &judge_captures_in_run, function,
           "captures the work. That takes as long as enqueuing it, and a graph is there to be "
           "relaunched.");
    captures_expect_instantiated(instantiations, function);
    expect(others == 0, &judge_changes_graph, function,
           "changes the executable graph, or uploads it, before the launch. Nothing in it is "
           "different.");
    expect(launches > 0 || direct > 0, &judge_launches_nothing, function, "launches nothing.");
    expect(launches > 0, &judge_no_graph_launch, function,
           "launches no graph: it enqueues copies and kernels itself.");
    expect(launches <= expected, &judge_many_launches, function,
           "launches a graph more than once. One launch holds all of the work.");
    expect(direct == 0, &judge_work_beside_graph, function,
           "enqueues copies, kernels, memsets or host functions beside the graph.");
    expect(created == 0, &judge_creates_in_run, function,
           "allocates memory, or creates a stream or an event, in each call.");
}

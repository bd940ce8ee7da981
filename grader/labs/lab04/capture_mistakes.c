/* capture_mistakes.c: what learners do wrong in lab 04's eight captures. */
#include "capture_mistakes.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include "exchange.h"
#include "labs/captures.h"
#include "query/graph.h"

/* ---- calls that failed ----------------------------------------------------------------------- */

/* The first that applies. A GPU names no call: there the first with that error. */
static const struct {
    int number; /* of the capture */
    cudaError_t error;
    const char *call; /* NULL: whichever */
    const char *mistake;
} rules[] = {
    {1, cudaErrorStreamCaptureUnsupported, "cudaMalloc", "malloc_in_capture"},
    {1, cudaErrorStreamCaptureUnsupported, "cudaFree", "free_in_capture"},
    {1, cudaErrorStreamCaptureUnsupported, "cudaMallocAsync", "allocates_elsewhere"},
    {1, cudaErrorStreamCaptureUnsupported, "cudaFreeAsync", "allocates_elsewhere"},
    {2, cudaErrorStreamCaptureUnsupported, NULL, "wait_in_capture"},
    {2, cudaErrorCapturedEvent, NULL, "wait_in_capture"},
    {3, cudaErrorStreamCaptureImplicit, "cudaMemcpy", "synchronous_copy"},
    {3, cudaErrorStreamCaptureImplicit, NULL, "legacy_copy"},
    {4, cudaErrorStreamCaptureUnsupported, NULL, "host_joins"},
    {4, cudaErrorCapturedEvent, NULL, "host_joins"},
    {6, cudaErrorCapturedEvent, "cudaEventSynchronize", "wait_in_capture"},
    {6, cudaErrorStreamCaptureUnsupported, "cudaStreamSynchronize", "wait_in_capture"},
    {6, cudaErrorStreamCaptureUnsupported, "cudaDeviceSynchronize", "wait_in_capture"},
    {6, cudaErrorStreamCaptureInvalidated, NULL, "query_in_capture"},
    {6, cudaErrorCapturedEvent, NULL, "query_in_capture"},
    {6, cudaErrorStreamCaptureUnsupported, NULL, "query_in_capture"},
    {7, cudaErrorStreamCaptureUnsupported, NULL, "host_joins"},
    {7, cudaErrorCapturedEvent, NULL, "host_joins"},
    {7, cudaErrorStreamCaptureUnmatched, NULL, "ends_in_other_stream"},
    {7, cudaErrorStreamCaptureUnjoined, NULL, "last_work_not_joined"},
    {8, cudaErrorStreamCaptureUnsupported, "cudaStreamAddCallback", "callback_in_capture"},
};

/* ---- which of them --------------------------------------------------------------------------- */

static struct capture_calls calls;

const struct capture_calls *capture_calls_of(const struct judge *j, int number)
{
    calls = (struct capture_calls){.number = number,
                                   .failed = judge_value(j, returned) != 0,
                                   .both_streams = judge_value(j, both_streams) != 0,
                                   .ends_other = judge_value(j, ends_other) != 0,
                                   .fills_x = judge_value(j, fills_x) != 0,
                                   .begins = judge_value(j, begins),
                                   .ends = judge_value(j, ends),
                                   .origin_begins = judge_value(j, origin_begins),
                                   .early_records = judge_value(j, early_records),
                                   .stray_records = judge_value(j, stray_records),
                                   .other_waits = judge_value(j, other_waits),
                                   .origin_waits = judge_value(j, origin_waits),
                                   .host_waits = judge_value(j, host_waits)};
    return &calls;
}

const char *capture_not_forked(void)
{
    const bool has_fork = calls.number == 4 || calls.number == 5 || calls.number == 7;
    if (!has_fork || calls.both_streams)
        return NULL;
    if (calls.begins > 0 && calls.origin_begins == 0)
        return "begins_in_other_stream";
    if (calls.other_waits == 0)
        return "fork_not_awaited";
    if (calls.early_records > 0)
        return "fork_before_capture";
    return calls.stray_records > 0 ? "fork_outside" : NULL;
}

static const char *by_rules(const struct session_event *e)
{
    const bool is_named = e->failure.error.origin == WIRE_ORIGIN_CALL;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].number == calls.number &&
            captures_is(e, rules[i].error, is_named ? rules[i].call : NULL))
            return rules[i].mistake;
    return NULL;
}

/* Capture 1. */
static const char *cannot_free(void)
{
    const struct dag *g = judge_failed_capture();
    if (calls.ends > 0)
        return "frees_after_end";
    if (!g || dag_count(g, "alloc", NULL) == 0)
        return "allocated_before";
    return dag_count(g, "free", NULL) > 0 ? "frees_again" : NULL;
}

/* What it did with the objects that it made. */
static const char *of_lifetime(const struct session_event *e)
{
    if (e->cause == CAUSE_FINDING && e->finding.kind == SIMGPU_LEAK)
        return "leaked_in_capture";
    if (e->cause == CAUSE_FAILED && e->failure.reason == WIRE_GRAPH_NULL)
        return "capture_not_returned";
    return e->cause == CAUSE_FAILED && e->failure.reason == WIRE_GRAPH_DEAD ? "capture_destroyed"
                                                                            : NULL;
}

const char *capture_mistake_of(const struct session_event *e)
{
    if (calls.number == 8 && e->cause == CAUSE_ENDED && e->request == WIRE_GO)
        return "host_function_crashed";
    if (calls.number == 1 && (captures_is(e, cudaErrorInvalidValue, "cudaFreeAsync") ||
                              captures_is(e, cudaErrorInvalidValue, "cudaFree")))
        return cannot_free();
    if (calls.number == 4 && captures_is(e, cudaErrorStreamCaptureUnjoined, NULL))
        return calls.origin_waits > 0 ? "joined_too_early" : "never_joined";
    if (captures_is(e, cudaErrorStreamCaptureIsolation, NULL) && capture_not_forked())
        return capture_not_forked();
    const char *m = calls.number ? of_lifetime(e) : NULL;
    return m ? m : by_rules(e);
}

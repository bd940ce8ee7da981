/* captures.c: which rule of capture, instantiation or replay a submission broke. */
#include "captures.h"

#include <cuda_runtime_api.h>
#include <string.h>

/* The report knows what these errors mean (report/error.c): here they get a name. The first that
 * applies. */
static const struct {
    cudaError_t error;
    const char *call; /* NULL: whichever */
    struct judge_mistake mistake;
} rules[] = {
    {cudaErrorStreamCaptureUnsupported, "cudaDeviceSynchronize", {.name = "waits_in_capture"}},
    {cudaErrorStreamCaptureUnsupported, "cudaStreamSynchronize", {.name = "waits_in_capture"}},
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

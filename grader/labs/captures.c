/* captures.c: which rule of capture, instantiation or replay a submission broke. */
#include "captures.h"

#include <cuda_runtime_api.h>
#include <string.h>

static const struct judge_mistake
    wait = {.name = "waits_in_capture",
            .words = "The host waits during a capture. Nothing runs during a capture, so there is "
                     "nothing to wait for.",
            .next = "remove the wait from the captured code: stream order and events order the "
                    "nodes"},
    query = {.name = "queries_in_capture",
             .words = "The host queries a stream or an event during a capture. Nothing runs during "
                      "a capture, so the answer would never change.",
             .next = "remove the query from the captured code: stream order and events order the "
                     "nodes"},
    allocation = {.name = "allocates_in_capture",
                  .words = "Memory is allocated or freed during a capture. Such a call acts "
                           "immediately and cannot become a node.",
                  .next = "allocate before cudaStreamBeginCapture, and free in teardown"},
    instantiation = {.name = "instantiates_in_capture",
                     .words = "cudaGraphInstantiate was called before the capture ended.",
                     .next = "call cudaStreamEndCapture first: it returns the graph"},
    legacy = {.name = "legacy_stream_in_capture",
              .words = "A copy without Async, or work in stream 0, was enqueued during a capture. "
                       "It is work in the legacy default stream, which cannot be captured.",
              .next = "use the asynchronous call and pass it the capturing stream"},
    unjoined = {.name = "never_joined",
                .words = "A forked stream was not joined: the origin does not wait for an event "
                         "that was recorded after that stream's last operation.",
                .next = "for each forked stream: record an event after its last operation, and let "
                        "the origin wait for it before the event is recorded again"},
    unmatched = {.name = "ends_in_other_stream",
                 .words = "The capture was ended in another stream than the one in which it began.",
                 .next = "pass the same stream to cudaStreamBeginCapture and "
                         "cudaStreamEndCapture"},
    isolation = {.name = "event_not_captured",
                 .words = "During the capture, a stream waits for an event that was recorded "
                          "outside of the capture.",
                 .next = "record the event after cudaStreamBeginCapture, in a stream that is "
                         "already part of the capture"},
    invalidated = {.name = "error_ignored",
                   .words = "An earlier call invalidated the capture, and its error was not "
                            "checked.",
                   .next = "put TRY() around every call between cudaStreamBeginCapture and "
                           "cudaStreamEndCapture: the first error names the cause"},
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
    no_graph = {.name = "no_graph",
                .words = "cudaGraphInstantiate got no graph.",
                .next = "end the capture first, and instantiate the graph that "
                        "cudaStreamEndCapture returned"},
    no_exec = {.name = "not_instantiated",
               .words = "cudaGraphLaunch got no executable graph: it was never instantiated, or it "
                        "is destroyed.",
               .next =
                   "call cudaGraphInstantiate before the first launch, and cudaGraphExecDestroy "
                   "only after the last"},
    no_handle = {.name = "handle_not_created",
                 .words = "The call got a stream or an event that was never created, or is "
                          "destroyed.",
                 .next = "find the handle of this call that nothing was assigned to: a create call "
                         "that is missing, or an index beyond the array"},
    freed_twice = {.name = "freed_twice",
                   .words = "Teardown frees something that does not exist. It was freed before, or "
                            "its handle was read from memory that was freed before.",
                   .next = "free each object once, and the struct that holds the handles last"};

/* The first that applies. */
static const struct {
    cudaError_t error;
    const char *call; /* NULL: whichever */
    const struct judge_mistake *mistake;
} rules[] = {
    {cudaErrorStreamCaptureUnsupported, "cudaDeviceSynchronize", &wait},
    {cudaErrorStreamCaptureUnsupported, "cudaStreamSynchronize", &wait},
    {cudaErrorCapturedEvent, "cudaEventSynchronize", &wait},
    {cudaErrorStreamCaptureUnsupported, "cudaStreamQuery", &query},
    {cudaErrorCapturedEvent, NULL, &query},
    {cudaErrorStreamCaptureUnsupported, "cudaMalloc", &allocation},
    {cudaErrorStreamCaptureUnsupported, "cudaMallocHost", &allocation},
    {cudaErrorStreamCaptureUnsupported, "cudaFree", &allocation},
    {cudaErrorStreamCaptureUnsupported, "cudaGraphInstantiate", &instantiation},
    {cudaErrorStreamCaptureImplicit, NULL, &legacy},
    {cudaErrorStreamCaptureUnjoined, NULL, &unjoined},
    {cudaErrorStreamCaptureUnmatched, NULL, &unmatched},
    {cudaErrorStreamCaptureIsolation, NULL, &isolation},
    {cudaErrorStreamCaptureInvalidated, NULL, &invalidated},
    {cudaErrorInvalidValue, "cudaGraphInstantiate", &no_graph},
    {cudaErrorInvalidValue, "cudaGraphLaunch", &no_exec},
    {cudaErrorInvalidResourceHandle, NULL, &no_handle},
};

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
            return rules[i].mistake;
    return NULL;
}

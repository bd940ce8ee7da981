/* capture_mistakes.c: what learners do wrong in lab 04's eight captures. */
#include "capture_mistakes.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include "labs/captures.h"
#include "query/graph.h"

/* ---- calls that failed ----------------------------------------------------------------------- */

const struct judge_mistake
    capture_wait =
        {.name = "wait_in_capture",
         .words = "The capture waits for the device. Nothing runs during a capture, so there is "
                  "nothing to wait for.",
         .next = "remove the wait: the order of the stream already orders the nodes"},
    capture_query = {
        .name = "query_in_capture",
        .words = "The capture asks whether an event or a stream is complete. Nothing runs "
                 "before the launch, and the question invalidates the capture.",
        .next = "remove the query and its loop: the order of the stream already puts the "
                "inputs first"};

static const struct judge_mistake
    malloc_in_capture = {.name = "malloc_in_capture",
                         .words = "cudaMalloc allocates immediately. A graph could not repeat that "
                                  "in each launch, so a capture refuses the call.",
                         .next =
                             "replace cudaMalloc by the allocation that becomes a node: see the "
                             "table in part 2 of the handout"},
    free_in_capture = {.name = "free_in_capture",
                       .words = "cudaFree frees immediately. A graph could not repeat that in each "
                                "launch, so a capture refuses the call.",
                       .next = "replace cudaFree by cudaFreeAsync(scratch, p->origin)"},
    allocates_elsewhere =
        {.name = "allocates_elsewhere",
         .words = "cudaMallocAsync or cudaFreeAsync names a stream that is not capturing.",
         .next = "allocate and free in p->origin, the stream that captures"},
    frees_after_end = {.name = "frees_after_end",
                       .words = "The call that frees the memory came after the capture had ended. "
                                "Memory that a graph allocates exists only while the graph runs.",
                       .next = "call cudaFreeAsync before cudaStreamEndCapture, after the kernel"},
    frees_again = {.name = "frees_again",
                   .words = "The graph frees this memory already: cudaFreeAsync was called twice.",
                   .next = "call cudaFreeAsync once, after the kernel"},
    allocated_before = {.name = "allocated_before",
                        .words = "The memory was allocated before the capture began. A graph can "
                                 "free only memory that it has allocated.",
                        .next = "move cudaMallocAsync after cudaStreamBeginCapture"},
    synchronous_copy = {.name = "synchronous_copy",
                        .words = "cudaMemcpy is work in the legacy default stream. That stream "
                                 "waits for the capturing stream, and a graph cannot hold such a "
                                 "wait.",
                        .next = "make the copy asynchronous, in the capturing stream"},
    legacy_copy = {.name = "legacy_copy",
                   .words = "Work was enqueued in stream 0, the legacy default stream. That stream "
                            "waits for the capturing stream, and a graph cannot hold such a wait.",
                   .next = "pass p->origin as the stream of that call"},
    never_joined = {.name = "never_joined",
                    .words = "p->other was forked and never joined: nothing in p->origin waits for "
                             "its work, so the graph would have no end.",
                    .next = "join p->other before the kernel, which needs y: see \"Other streams\" "
                            "in part 2 of the handout"},
    joined_too_early =
        {.name = "joined_too_early",
         .words = "p->origin waits for an event that does not cover the last work of "
                  "p->other: the event was recorded before that work, in another stream, or "
                  "never.",
         .next = "record p->join in p->other directly after its last operation, and "
                 "before p->origin waits for it"},
    fork_before_capture = {.name = "fork_before_capture",
                           .words =
                               "The fork was recorded before the capture began, so p->other is "
                               "not part of the capture. Its work ran immediately.",
                           .next = "record the fork in p->origin where it is part of the capture"},
    host_joins = {.name = "host_joins",
                  .words = "The host waits for the work of p->other. Nothing runs during a "
                           "capture. A join is a dependency between streams.",
                  .next = "replace the wait by a record of p->join in p->other and a "
                          "cudaStreamWaitEvent of p->origin"},
    begins_in_other = {.name = "begins_in_other_stream",
                       .words = "The capture began in p->other, so p->origin is not part of it.",
                       .next = "begin the capture in p->origin, and end it there"},
    fork_outside = {.name = "fork_outside",
                    .words =
                        "The fork was recorded in a stream that is not part of the capture, so "
                        "p->other does not join the capture by waiting for it.",
                    .next = "record the fork in p->origin, after cudaStreamBeginCapture"},
    fork_not_awaited = {.name = "fork_not_awaited",
                        .words = "p->other does not wait for the fork, so it is not part of the "
                                 "capture. Its work ran immediately.",
                        .next = "let p->other wait for the fork before its first operation"},
    ends_in_other = {.name = "ends_in_other_stream",
                     .words = "The capture was ended in p->other, which only joined it. A capture "
                              "ends in its origin, wherever the last work is.",
                     .next = "join p->other to p->origin first, then end the capture in p->origin"},
    last_work_not_joined = {.name = "last_work_not_joined",
                            .words =
                                "The capture ended before p->origin had joined p->other, whose "
                                "work is the last of the graph.",
                            .next = "record p->join in p->other after copy_out, let p->origin wait "
                                    "for it, then end the capture"},
    callback = {.name = "callback_in_capture",
                .words = "cudaStreamAddCallback is older than graphs and cannot be captured.",
                .next = "replace it by the call that becomes a host node: see the table in part 2 "
                        "of the handout"},
    host_function_crashed = {.name = "host_function_crashed",
                             .words =
                                 "A replay crashed in the host function. It gets one argument, "
                                 "the pointer that cudaLaunchHostFunc was called with.",
                             .next = "declare it as void count_replay(void *replays), without a "
                                     "cast, and pass p->replays to cudaLaunchHostFunc"},
    graph_not_stored = {.name = "graph_not_kept",
                        .words = "The function returned cudaSuccess and no graph.",
                        .next = "pass graph, the function's argument, to cudaStreamEndCapture"},
    graph_destroyed = {.name = "graph_destroyed",
                       .words = "The function destroyed the graph that it returns.",
                       .next = "remove cudaGraphDestroy: the caller destroys the graph"},
    leaked = {.name = "leaked_in_capture",
              .next = "destroy it in the same function, or use the streams and events of p"};

/* The first that applies. A GPU names no call: there the first with that error. */
static const struct {
    int number; /* of the capture */
    cudaError_t error;
    const char *call; /* NULL: whichever */
    const struct judge_mistake *mistake;
} rules[] = {
    {1, cudaErrorStreamCaptureUnsupported, "cudaMalloc", &malloc_in_capture},
    {1, cudaErrorStreamCaptureUnsupported, "cudaFree", &free_in_capture},
    {1, cudaErrorStreamCaptureUnsupported, "cudaMallocAsync", &allocates_elsewhere},
    {1, cudaErrorStreamCaptureUnsupported, "cudaFreeAsync", &allocates_elsewhere},
    {2, cudaErrorStreamCaptureUnsupported, NULL, &capture_wait},
    {2, cudaErrorCapturedEvent, NULL, &capture_wait},
    {3, cudaErrorStreamCaptureImplicit, "cudaMemcpy", &synchronous_copy},
    {3, cudaErrorStreamCaptureImplicit, NULL, &legacy_copy},
    {4, cudaErrorStreamCaptureUnsupported, NULL, &host_joins},
    {4, cudaErrorCapturedEvent, NULL, &host_joins},
    {6, cudaErrorCapturedEvent, "cudaEventSynchronize", &capture_wait},
    {6, cudaErrorStreamCaptureUnsupported, "cudaStreamSynchronize", &capture_wait},
    {6, cudaErrorStreamCaptureUnsupported, "cudaDeviceSynchronize", &capture_wait},
    {6, cudaErrorStreamCaptureInvalidated, NULL, &capture_query},
    {6, cudaErrorCapturedEvent, NULL, &capture_query},
    {6, cudaErrorStreamCaptureUnsupported, NULL, &capture_query},
    {7, cudaErrorStreamCaptureUnsupported, NULL, &host_joins},
    {7, cudaErrorCapturedEvent, NULL, &host_joins},
    {7, cudaErrorStreamCaptureUnmatched, NULL, &ends_in_other},
    {7, cudaErrorStreamCaptureUnjoined, NULL, &last_work_not_joined},
    {8, cudaErrorStreamCaptureUnsupported, "cudaStreamAddCallback", &callback},
};

/* ---- graphs that are not what they should be ------------------------------------------------- */

const struct judge_mistake
    capture_two_captures = {.name = "two_captures",
                            .words = "The work was captured in two captures, and only the second "
                                     "graph was kept.",
                            .next = "remove the end and the second begin: one capture holds all of "
                                    "the work"},
    capture_not_captured = {.name = "not_captured",
                            .next = "enqueue it between begin and end, in a stream that is part of "
                                    "the capture"},
    capture_no_memory_node = {.name = "no_memory_node",
                              .words = "The graph has no allocation node: the kernel reads memory "
                                       "of the caller, or memory that was allocated outside of the "
                                       "graph. Capture 1 must allocate its own.",
                              .next = "allocate with cudaMallocAsync in p->origin, after "
                                      "cudaStreamBeginCapture"},
    capture_memory_not_used =
        {.name = "graph_memory_not_used",
         .words = "The graph allocates memory, but the copy in writes p->x, which belongs to the "
                  "caller. Capture 1 must use its own memory.",
         .next = "pass scratch instead of p->x to copy_in and to add_twice"},
    capture_never_freed = {.name = "never_freed_in_graph",
                           .words = "The graph allocates memory and does not free it, so it can be "
                                    "launched only once.",
                           .next = "call cudaFreeAsync(scratch, p->origin) after the kernel"},
    capture_freed_before_kernel = {.name = "freed_before_kernel",
                                   .words =
                                       "cudaFreeAsync comes before the kernel in the stream, so "
                                       "each replay frees the memory and then reads it.",
                                   .next = "move cudaFreeAsync after the kernel"},
    capture_fork_removed = {.name = "fork_removed",
                            .words = "The fork was removed instead of fixed: y = 0 cannot run "
                                     "concurrently with the copy in.",
                            .next = "leave y = 0 in p->other, and fix its fork and its join"},
    capture_join_before_copy = {.name = "join_before_copy",
                                .words = "p->origin joins p->other before the copy in, so the copy "
                                         "in waits for y = 0.",
                                .next = "move the join of p->origin to directly before the kernel"},
    capture_fork_after_copy = {.name = "fork_after_copy",
                               .words =
                                   "The fork was recorded after the copy in, so y = 0 waits for "
                                   "the copy in.",
                               .next = "record the fork before the copy in"},
    capture_join_after_kernel = {.name = "join_after_kernel",
                                 .words = "The kernel does not wait for y = 0: p->origin joins "
                                          "p->other after the kernel.",
                                 .next =
                                     "move the join of p->origin to directly before the kernel"},
    capture_order_lost = {.name = "order_lost",
                          .next = "enqueue both in the same stream in this order, or connect their "
                                  "streams by an event"},
    capture_work_moved = {.name = "work_moved",
                          .words =
                              "The work of p->other was moved to p->origin. The mistake was the "
                              "stream in which the capture ends.",
                          .next =
                              "move the work back to p->other, join it to p->origin, and end the "
                              "capture in p->origin"},
    capture_other_memory = {.name = "other_host_memory",
                            .words =
                                "The copy in reads host memory other than p->in. A graph "
                                "stores the address, and each replay reads what is there then.",
                            .next = "copy from p->in itself: the caller changes its contents"},
    capture_other_nodes = {.name = "other_nodes",
                           .words = "The graph holds more than the operations of this capture.",
                           .next = "remove the other operations from the capture"},
    capture_no_host_function = {.name = "no_host_function",
                                .words =
                                    "No host function is in the graph: it was called directly, "
                                    "enqueued in another stream, or enqueued after the end.",
                                .next = "call cudaLaunchHostFunc for p->origin before "
                                        "cudaStreamEndCapture"},
    capture_two_host_functions = {.name = "two_host_functions",
                                  .words = "The graph has more than one host function. One counts "
                                           "the replays.",
                                  .next = "enqueue the host function once"},
    capture_host_calls_cuda = {.name = "host_calls_cuda",
                               .words = "The host function calls the CUDA runtime, which refuses "
                                        "that (cudaErrorNotPermitted).",
                               .next =
                                   "remove the CUDA call from the host function: it only counts"},
    capture_counts_elsewhere = {.name = "counts_elsewhere",
                                .words =
                                    "The host function ran, but *p->replays did not grow by 1. "
                                    "A local variable no longer exists when a replay runs.",
                                .next = "pass p->replays itself as the last argument of "
                                        "cudaLaunchHostFunc, and add 1 to the int at that "
                                        "address"};

/* ---- which of them --------------------------------------------------------------------------- */

static struct capture_calls calls;

const struct capture_calls *capture_calls_of(const struct judge *j, int number)
{
    calls = (struct capture_calls){.number = number,
                                   .failed = judge_value(j, "returned") != 0,
                                   .both_streams = judge_value(j, "both_streams") != 0,
                                   .ends_other = judge_value(j, "ends_other") != 0,
                                   .fills_x = judge_value(j, "fills_x") != 0,
                                   .begins = judge_value(j, "begins"),
                                   .ends = judge_value(j, "ends"),
                                   .origin_begins = judge_value(j, "origin_begins"),
                                   .early_records = judge_value(j, "early_records"),
                                   .stray_records = judge_value(j, "stray_records"),
                                   .other_waits = judge_value(j, "other_waits"),
                                   .origin_waits = judge_value(j, "origin_waits"),
                                   .host_waits = judge_value(j, "host_waits")};
    return &calls;
}

const struct judge_mistake *capture_not_forked(void)
{
    const bool has_fork = calls.number == 4 || calls.number == 5 || calls.number == 7;
    if (!has_fork || calls.both_streams)
        return NULL;
    if (calls.begins > 0 && calls.origin_begins == 0)
        return &begins_in_other;
    if (calls.other_waits == 0)
        return &fork_not_awaited;
    if (calls.early_records > 0)
        return &fork_before_capture;
    return calls.stray_records > 0 ? &fork_outside : NULL;
}

static const struct judge_mistake *by_rules(const struct session_event *e)
{
    const bool is_named = e->failure.error.origin == WIRE_ORIGIN_CALL;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].number == calls.number &&
            captures_is(e, rules[i].error, is_named ? rules[i].call : NULL))
            return rules[i].mistake;
    return NULL;
}

/* Capture 1. */
static const struct judge_mistake *cannot_free(void)
{
    const struct dag *g = judge_failed_capture();
    if (calls.ends > 0)
        return &frees_after_end;
    if (!g || dag_count(g, "alloc", NULL) == 0)
        return &allocated_before;
    return dag_count(g, "free", NULL) > 0 ? &frees_again : NULL;
}

/* What it did with the objects that it made. */
static const struct judge_mistake *of_lifetime(const struct session_event *e)
{
    if (e->cause == CAUSE_FINDING && e->finding.kind == SIMGPU_LEAK)
        return &leaked;
    if (e->cause == CAUSE_FAILED && e->failure.reason == WIRE_GRAPH_NULL)
        return &graph_not_stored;
    return e->cause == CAUSE_FAILED && e->failure.reason == WIRE_GRAPH_DEAD ? &graph_destroyed
                                                                            : NULL;
}

const struct judge_mistake *capture_mistake_of(const struct session_event *e)
{
    if (calls.number == 8 && e->cause == CAUSE_ENDED && e->request == WIRE_GO)
        return &host_function_crashed;
    if (calls.number == 1 && (captures_is(e, cudaErrorInvalidValue, "cudaFreeAsync") ||
                              captures_is(e, cudaErrorInvalidValue, "cudaFree")))
        return cannot_free();
    if (calls.number == 4 && captures_is(e, cudaErrorStreamCaptureUnjoined, NULL))
        return calls.origin_waits > 0 ? &joined_too_early : &never_joined;
    if (captures_is(e, cudaErrorStreamCaptureIsolation, NULL) && capture_not_forked())
        return capture_not_forked();
    const struct judge_mistake *m = calls.number ? of_lifetime(e) : NULL;
    return m ? m : by_rules(e);
}

/* mistakes.c: the mistakes of lab 09, each with its next step. */
#include "mistakes.h"

#include <cuda_runtime_api.h>
#include <string.h>

const struct judge_mistake lab09_no_wait = {
    "no_wait", "lab09_wait returned while requests of its stream were still running.",
    "call cudaStreamSynchronize(stream) in lab09_wait", "not_copied_back"};
const struct judge_mistake lab09_waits_for_all = {
    "waits_for_all",
    "lab09_wait waits for work of other streams: a client with a short request waits for another "
    "client's long one.",
    "wait in lab09_wait for the given stream only: cudaStreamSynchronize(stream)", NULL};
#define COPY_MISTAKES                                                                              \
    "results evictions budget updates in_flight warm threads fallback not_copied_in "              \
    "not_copied_back not_computed other_inputs"
const struct judge_mistake
    lab09_other_bytes = {"other_bytes",
                         "A copy of a request has another number of bytes than its n floats.",
                         "copy n * sizeof(float) bytes in, and as many out", COPY_MISTAKES},
    lab09_not_copied = {
        "not_copied",
        "A hit leaves out a copy. The input may be new although its address is not, "
        "and the last graph launch has overwritten the workspace.",
        "copy in and copy out in each request, on a hit, too", COPY_MISTAKES};

/* ---- the prediction -------------------------------------------------------------------------- */

#define COSTS "find the smallest k for which once_us + k * graph_us is at most k * stream_us"

const struct judge_mistake
    lab09_prediction_without_once =
        {"prediction_without_once",
         "once_us changes nothing: the prediction leaves out what capture, instantiation and "
         "upload cost.",
         COSTS, NULL},
    lab09_prediction_rounds_down =
        {"prediction_rounds_down",
         "The prediction is too low: after so many launches the graph has not yet earned all of "
         "once_us.",
         "the next whole number above once_us / (stream_us - graph_us): ceil", NULL},
    lab09_prediction_without_tie =
        {"prediction_without_tie",
         "The prediction is one launch too late if both totals are equal: a tie counts.",
         "ceil(once_us / (stream_us - graph_us)), and add nothing to it", NULL},
    lab09_prediction_below_one =
        {"prediction_below_one",
         "A graph that pays at once pays from launch 1 on. The prediction is less than 1.",
         "return at least 1 if the graph ever pays", NULL},
    lab09_prediction_never =
        {"prediction_never",
         "If graph_us is not less than stream_us, the graph never pays. The prediction says that "
         "it does.",
         "return 0 if stream_us - graph_us is not greater than 0", NULL},
    lab09_prediction_in_integers =
        {"prediction_in_integers",
         "The prediction is right for whole microseconds, and wrong for fractions.",
         "compute with double, and convert the result of ceil to int", NULL},
    lab09_wrong_prediction = {
        "wrong_prediction", "The prediction is wrong for three times that are given.", COSTS, NULL};

const struct judge_mistake lab09_other_half = {
    "other_half", "out is what the input is after n_steps - 1 steps.",
    "copy from workspace + n if n_steps % 2 is 1, else from workspace", "updates warm threads"};

/* ---- the lookup ------------------------------------------------------------------------------ */

#define KEY "compare both members of the shape in find, n and n_steps, and nothing else"

const struct judge_mistake
    lab09_no_graph = {"no_graph", "lab09_serve makes no graph: it captures nothing.",
                      "capture what lab->enqueue enqueues, instantiate it, and launch that",
                      "evictions budget updates in_flight warm threads fallback"},
    lab09_captured_nothing =
        {"captured_nothing",
         "The graphs that are launched hold no work of lab->enqueue: it was enqueued in a stream "
         "that does not capture.",
         "pass the stream of cudaStreamBeginCapture to lab->enqueue",
         "results evictions budget updates in_flight warm threads fallback not_computed"},
    lab09_captured_twice = {"captured_twice",
                            "One capture calls lab->enqueue more than once: the graph has its work "
                            "several times.",
                            "call lab->enqueue once between begin and end of the capture",
                            "results updates in_flight warm threads fallback"},
    lab09_never_found =
        {"never_found",
         "A shape that is in the cache is captured again: the lookup never finds it.", KEY,
         "evictions budget updates in_flight warm fallback gives_up"},
    lab09_key_has_address =
        {"key_has_address",
         "A shape that is in the cache is captured again if the input is at another address: the "
         "address is no part of the key.",
         KEY, "evictions budget updates in_flight warm fallback gives_up"},
    lab09_key_lacks_n_steps = {"key_lacks_n_steps",
                               "Two shapes with the same n share one executable graph: n_steps is "
                               "missing in the key.",
                               KEY, "results evictions budget updates in_flight warm threads"},
    lab09_key_lacks_n = {
        "key_lacks_n",
        "Two shapes with the same n_steps share one executable graph: n is "
        "missing in the key.",
        KEY, "results evictions budget updates in_flight warm threads not_computed other_inputs"};

/* What follows if one request is in two streams. */
#define STREAM_MISTAKES                                                                            \
    "results hits evictions updates in_flight warm threads fallback host_waits "                   \
    "eviction_waits_for_all evicted_in_flight workspace_shared not_copied_in not_copied_back "     \
    "not_computed other_inputs capture_fails"

/* ---- a hit ----------------------------------------------------------------------------------- */

const struct judge_mistake
    lab09_host_waits =
        {"host_waits",
         "lab09_serve makes the host wait for device work: the next client waits, too.",
         "let the stream wait, with cudaStreamWaitEvent in lab09_serve, and not the host",
         "evictions warm eviction_waits_for_all waits_for_all"},
    lab09_synchronous_copy = {"synchronous_copy",
                              "cudaMemcpy makes the host wait for device work, and copies in the "
                              "legacy default stream.",
                              "replace cudaMemcpy by cudaMemcpyAsync in the stream of the request",
                              STREAM_MISTAKES},
    lab09_legacy_stream = {"legacy_stream",
                           "Work of a request is in the legacy default stream, which has no order "
                           "with the streams of the clients: they are non-blocking.",
                           "pass request->stream to both copies and to cudaGraphLaunch",
                           STREAM_MISTAKES},
    lab09_other_stream = {"other_stream",
                          "A copy or the graph launch of a request is in another stream than the "
                          "rest, and nothing orders them.",
                          "pass request->stream to both copies and to cudaGraphLaunch",
                          STREAM_MISTAKES},
    lab09_instantiates_on_hit =
        {"instantiates_on_hit",
         "Requests whose shapes are all in the cache instantiate or update executable graphs.",
         "keep the executable graph in its entry, and launch it on a hit", "updates warm"},
    lab09_no_launch_on_hit = {"no_launch_on_hit",
                              "Requests whose shapes are all in the cache launch no graph.",
                              "launch e->exec with cudaGraphLaunch in the stream of the request",
                              "warm"},
    lab09_launches_twice = {"launches_twice",
                            "A request on a hit does the work of its shape more than once.",
                            "launch e->exec once, and call lab->enqueue only if e->exec is NULL",
                            "results evictions updates in_flight warm threads fallback"},
    lab09_creates_on_hit = {"creates_on_hit",
                            "Requests whose shapes are all in the cache create events or streams, "
                            "or allocate memory.",
                            "create them in lab09_setup or with the entry, and use them again",
                            NULL},
    lab09_launches_other_graph = {
        "launches_other_graph", "Graphs are launched that were not captured from lab->enqueue.",
        "instantiate the graph that lab->enqueue was captured into, and launch that", NULL};

/* ---- evictions and the budget ---------------------------------------------------------------- */

#define LEAST_RECENTLY_USED                                                                        \
    "evict the entry with the smallest `used` until the new shape fits, and no entry more"

const struct judge_mistake
    lab09_captured_again = {"captured_again",
                            "A shape is captured again although no other one needed its room.", KEY,
                            "budget updates in_flight warm"},
    lab09_evicts_most_recent = {"evicts_most_recent",
                                "The entry that was used last is evicted: it is the one that is "
                                "most likely to be used again.",
                                LEAST_RECENTLY_USED, "updates in_flight"},
    lab09_hit_is_no_use = {"hit_is_no_use",
                           "The oldest entry is evicted although it was used since: a hit must "
                           "count as a use.",
                           "set `used` of the entry on a hit, too, and evict the entry with the "
                           "smallest `used`",
                           "updates in_flight"},
    lab09_evicts_wrong_entry = {"evicts_wrong_entry",
                                "A shape that should still be in the cache was evicted.",
                                LEAST_RECENTLY_USED, "updates in_flight"},
    lab09_keeps_wrong_entry = {"keeps_wrong_entry",
                               "A shape that should have been evicted is still in the cache.",
                               LEAST_RECENTLY_USED, "updates in_flight"},
    lab09_evicts_too_many = {"evicts_too_many",
                             "More entries are evicted than the budget asks for.",
                             LEAST_RECENTLY_USED, "updates in_flight"},
    lab09_keeps_workspace = {"keeps_workspace",
                             "A workspace stays allocated that the budget has no room for.",
                             LEAST_RECENTLY_USED,
                             "updates in_flight too_many_entries too_many_floats"},
    lab09_uses_evicted_entry = {"uses_evicted_entry",
                                "A request used an entry that had been evicted: its workspace was "
                                "released.",
                                "skip entries whose `used` is 0 in find",
                                "updates in_flight evicted_in_flight"},
    lab09_miss_waits = {"miss_waits",
                        "lab09_serve waits for the device when it serves a shape for the first "
                        "time. Nothing has to be complete for that: no entry is evicted.",
                        "remove the wait: only an eviction waits, for the event of its entry",
                        "waits_for_all"},
    lab09_eviction_waits_for_all =
        {"eviction_waits_for_all",
         "lab09_serve makes the host wait for device work of other entries when it evicts one: the "
         "next client waits, too.",
         "wait in evict for the event of the evicted entry: cudaEventSynchronize(e->done)",
         "waits_for_all"},
    lab09_too_many_entries = {"too_many_entries",
                              "The cache grows beyond max_execs entries: a service that runs for "
                              "hours runs out of memory.",
                              "evict before you allocate and instantiate, until the new shape fits",
                              NULL},
    lab09_too_many_floats = {"too_many_floats",
                             "The workspaces exceed max_floats: large shapes need more than one "
                             "eviction.",
                             "evict before you allocate and instantiate, until the new shape fits",
                             NULL},
    lab09_released_twice = {"released_twice",
                            "lab->release got a pointer that is not a workspace in use.",
                            "call lab->release once for each workspace, when its entry is evicted",
                            NULL},
    lab09_exec_not_destroyed =
        {"exec_not_destroyed", "More than max_execs executable graphs exist at the same time.",
         "call cudaGraphExecDestroy for an evicted executable graph, unless an update reuses it",
         "leak"},
    lab09_never_updates = {
        "never_updates",
        "More is instantiated than needed: an update of an evicted executable graph with as many "
        "nodes costs a fraction.",
        "call cudaGraphExecUpdate for the spare executable graph, and instantiate only if that "
        "fails",
        NULL};

const struct judge_mistake
    lab09_update_error_left =
        {"update_error_left",
         "lab09_serve succeeds and does not clear the error of an update that failed: the next "
         "cudaGetLastError, in any other code, finds it.",
         "call cudaGetLastError once after cudaGraphExecUpdate has failed", NULL},
    lab09_update_failure_ignored =
        {"update_failure_ignored",
         "An update failed, and the executable graph was launched with the values of its old "
         "shape.",
         "if cudaGraphExecUpdate does not return cudaSuccess, destroy the spare executable graph "
         "and instantiate",
         NULL},
    lab09_update_lost = {"update_lost",
                         "An updated executable graph is not kept in the new entry. Nothing "
                         "launches or destroys it, and the shape is served with stream launches.",
                         "update_or_instantiate: set *exec to the spare one if its update succeeds",
                         "evicts_wrong_entry updates leak exec_not_destroyed never_updates"},
    lab09_spare_not_destroyed =
        {"spare_not_destroyed",
         "More than max_execs executable graphs exist at the same time after updates that failed.",
         "call cudaGraphExecDestroy for the spare one if its update fails, then instantiate",
         "leak"},
    lab09_endless_eviction = {
        "endless_eviction",
        "lab09_serve does not return: it evicts an entry that is not in use, again and again, and "
        "never finds room.",
        "let victim skip entries whose `used` is 0", "endless"};

/* ---- a workspace in use ---------------------------------------------------------------------- */

const struct judge_mistake
    lab09_evicted_in_flight =
        {"evicted_in_flight",
         "An entry was evicted while a request still used it: the next entry overwrote its "
         "workspace.",
         "wait in evict before lab->release: cudaEventSynchronize(e->done). Each request records "
         "e->done in its own stream",
         NULL},
    lab09_done_too_early =
        {"done_too_early",
         "e->done is not recorded after the copy out, which is the last use of the workspace.",
         "record e->done as the last call of lab09_serve, after the copy out", NULL},
    lab09_workspace_shared = {
        "workspace_shared",
        "Two clients used one workspace at the same time: nothing orders their streams.",
        "call cudaStreamWaitEvent(stream, e->done, 0) before the copy in", NULL};

/* ---- lab09_warm ------------------------------------------------------------------------------ */

const struct judge_mistake
    lab09_warms_nothing = {"warms_nothing",
                           "lab09_warm makes no graph: the first request captures.",
                           "call entry_for for each shape in lab09_warm", NULL},
    lab09_uploads_unfinished = {"uploads_unfinished",
                                "lab09_warm returns while its uploads are still running.",
                                "call cudaStreamSynchronize for the stream of the uploads at the "
                                "end of lab09_warm",
                                NULL},
    lab09_not_uploaded = {"not_uploaded",
                          "The first request pays for the upload: lab09_warm left it to the first "
                          "launch.",
                          "call cudaGraphUpload in lab09_warm for each executable graph, and wait "
                          "for the uploads",
                          NULL},
    lab09_warms_some = {"warms_some", "lab09_warm leaves out a shape: its first request captures.",
                        "call entry_for for each of the n_shapes shapes in lab09_warm", NULL},
    lab09_uploads_some = {"uploads_some", "lab09_warm uploads only some of its executable graphs.",
                          "call cudaGraphUpload in the loop over the shapes, for each e->exec",
                          NULL},
    lab09_uploads_again = {"uploads_again",
                           "Executable graphs that are uploaded are uploaded again.",
                           "call cudaGraphUpload once for each executable graph, in lab09_warm, "
                           "and not in lab09_serve",
                           NULL};

/* ---- captures -------------------------------------------------------------------------------- */

const struct judge_mistake
    lab09_global_mode =
        {"global_mode",
         "Other threads cannot allocate or wait during the capture: global mode makes their calls "
         "fail, and each of these breaks the capture.",
         "begin the capture with cudaStreamCaptureModeThreadLocal", "capture_fails"},
    lab09_device_sync_in_wait =
        {"device_sync_in_wait",
         "lab09_wait fails in another thread during the capture, and breaks the capture: it "
         "synchronizes the device or the capturing stream, which no capture mode permits.",
         "call cudaStreamSynchronize of the one stream in lab09_wait", "capture_fails"},
    lab09_capture_fails = {"capture_fails",
                           "A capture fails although every thread keeps the rules.",
                           "call nothing between begin and end of the capture but lab->enqueue",
                           NULL},
    lab09_relaxed_mode = {"relaxed_mode",
                          "Relaxed mode let this thread allocate and free memory during its own "
                          "capture: a graph would use the memory after it was freed.",
                          "begin the capture with cudaStreamCaptureModeThreadLocal", "fallback"},
    lab09_locks_out_clients =
        {"locks_out_clients",
         "lab09_wait does not return during a capture: it waits for a lock that lab09_serve holds.",
         "hold no lock in lab09_wait: it needs nothing of the cache", "endless"},
    lab09_not_served = {"not_served",
                        "A capture failed, and the request was not enqueued in another way.",
                        "call lab->enqueue in the stream of the request if e->exec is NULL",
                        "threads not_computed"},
    lab09_incomplete_graph =
        {"incomplete_graph",
         "lab->enqueue returned an error during the capture, and the graph was launched all the "
         "same: it lacks the work.",
         "keep the graph only if lab->enqueue and cudaStreamEndCapture both return cudaSuccess",
         "not_computed"},
    lab09_stale_error =
        {"stale_error",
         "lab09_serve succeeds and does not clear the error of its capture: the next "
         "cudaGetLastError, in any other code, finds it.",
         "call cudaGetLastError once after the failed capture", NULL},
    lab09_gives_up = {
        "gives_up",
        "After one failed capture the shape is never captured again: the service stays slow for "
        "hours.",
        "try again at the next request of the shape: what broke the capture may be over", NULL};

static const struct judge_mistake
    capture_error_returned =
        {"capture_error_returned",
         "lab09_serve fails because its capture failed. The request can be served without a graph.",
         "end the capture, set *graph to NULL and return cudaSuccess; then call lab->enqueue in "
         "the stream of the request",
         NULL},
    update_error_returned =
        {"update_error_returned",
         "lab09_serve fails because an update failed. An update may fail: the new graph can have "
         "other nodes.",
         "write no TRY around cudaGraphExecUpdate. If it fails, destroy the spare executable graph "
         "and instantiate",
         NULL},
    warms_without_graph =
        {"warms_without_graph",
         "lab09_warm fails because a capture failed. The shape then has no executable graph to "
         "upload.",
         "upload only if e->exec is not NULL: lab09_serve will serve the shape with stream "
         "launches",
         NULL},
    launches_nothing = {
        "launches_nothing",
        "lab09_serve launches an executable graph that does not exist: it was not instantiated, "
        "it is destroyed, or its capture failed.",
        "call lab->enqueue in the stream of the request if e->exec is NULL, and destroy no "
        "executable graph of an entry in use",
        NULL};

/* ---- what a submission did ------------------------------------------------------------------- */

const struct judge_mistake *lab09_mistake_of(const struct session_event *e)
{
    const struct wire_error *error = &e->failure.error;
    const bool is_null = error->code == cudaErrorInvalidValue;
    if (e->cause == CAUSE_FAILED && strcmp(e->failure.what, "lab09_warm") == 0)
        return is_null ? &warms_without_graph : NULL;
    if (e->cause != CAUSE_FAILED || strcmp(e->failure.what, "lab09_serve") != 0)
        return NULL;
    if (error->code == cudaErrorGraphExecUpdateFailure)
        return &update_error_returned;
    if (is_null && strcmp(error->call, "cudaGraphLaunch") == 0)
        return &launches_nothing;
    const bool broken = error->code == cudaErrorStreamCaptureUnsupported ||
                        error->code == cudaErrorStreamCaptureInvalidated;
    return broken && e->failure.text[0] ? &capture_error_returned : NULL;
}

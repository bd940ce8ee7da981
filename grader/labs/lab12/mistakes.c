/* mistakes.c: the mistakes of lab 12, see mistakes.h. */
#include "mistakes.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include "ends.h"
#include "session/session.h"

#define TIMES "overlap bubble beats_one_device as_fast_as_streams "
#define RESULTS "results rows_lost race_free "

const struct lab12_mistakes lab12_mistakes = {
    .peer_access_left = {"peer_access_left", "Peer access was enabled before and not disabled.",
                         "lab12_teardown: disable the peer access that lab12_setup enabled, with "
                         "the same device current",
                         NULL},
    .no_peer_access = {"no_peer_access",
                       "A device has no access to the memory of the next one. Copies between the "
                       "two go through host memory.",
                       "lab12_setup: for each device s but the last, make it current and call "
                       "cudaDeviceEnablePeerAccess(s + 1, 0)",
                       TIMES},
    .created_elsewhere = {"created_elsewhere",
                          "An event and a stream belong to different devices, or one of them was "
                          "never created. Each belongs to the device that was current when it was "
                          "created.",
                          "create_stage: cudaSetDevice(s) before the streams, events and memory "
                          "of stage s. Device 0 is current when the origin is created",
                          NULL},
    .launched_elsewhere = {"launched_elsewhere",
                           "A kernel is launched in a stream of a device that is not current.",
                           "enqueue_layers: cudaSetDevice(s) before the launches of stage s", NULL},
    .peer_call = {"peer_call", "A capture takes no cudaMemcpyPeerAsync.",
                  "copy with cudaMemcpyAsync and cudaMemcpyDeviceToDevice: it also copies between "
                  "devices",
                  NULL},
    .device_unused = {"device_unused",
                      "A device computes nothing. The layers of its stage run on another device.",
                      "create_stage: cudaSetDevice(s) before the streams, events and memory of "
                      "stage s",
                      TIMES "memory"},
    .layers_split = {"layers_split", "A stage has too many or too few layers.",
                     "create_stage: stage s has the layers from s * n_layers / n_devices to "
                     "(s + 1) * n_layers / n_devices - 1",
                     "memory " TIMES},
    .origin_elsewhere = {"origin_elsewhere",
                         "x is copied to device 0 in a stream of another device.",
                         "make device 0 current again at the end of create_stage: lab12_setup then "
                         "creates the origin",
                         TIMES},

    .wrong_memory =
        {"wrong_memory",
         "A kernel uses memory that is not there. Maybe the weights of another stage: "
         "stage->w begins with the stage's own first layer.",
         "enqueue_layers: the weights of layer k of the stage are at stage->w + k * n * "
         "n, k from 0",
         NULL},
    .wrong_buffer = {"wrong_buffer", "A layer reads a buffer that nothing has written.",
                     "a micro-batch arrives in x of slot i % n_buffers of its stage: compare the "
                     "destination and the size of each copy with what the first layer reads",
                     RESULTS TIMES "send_in_compute"},
    .within_stage = {"within_stage",
                     "With one device y is wrong, too. So a layer or the copy to y uses the wrong "
                     "buffer.",
                     "enqueue_layers: each layer reads what the layer before it wrote, x, y, x, …; "
                     "result_of says where the last one leaves its result",
                     RESULTS TIMES},
    .between_stages = {"between_stages",
                       "With one device y is right. With several devices a stage has the weights "
                       "of other layers, or another input.",
                       "create_stage: the weights of stage s begin at lab->w + first_layer * n * n",
                       RESULTS TIMES},
    .slot_too_small = {"slot_too_small",
                       "A copy has more bytes than the memory that it reads or writes. The first "
                       "micro-batch is not always the largest.",
                       "create_stage: room for (rows + n_micro - 1) / n_micro rows in each buffer "
                       "of a slot",
                       NULL},
    .too_much_memory = {"too_much_memory",
                        "The devices hold more than the layers of each stage and n_buffers slots.",
                        "create_stage: copy only the weights of the stage, and create n_buffers "
                        "slots",
                        NULL},
    .rows_lost = {"rows_lost", "The last rows of y were never written: they are in no micro-batch.",
                  "micro-batch i has the rows from i * rows / n_micro to (i + 1) * rows / n_micro "
                  "- 1",
                  NULL},

    .not_joined = {"not_joined",
                   "The capture ends before its origin has joined the last copy to y.",
                   "capture: at the end, the origin waits for `sent` of the last stage and the "
                   "last micro-batch",
                   NULL},
    .waits_for_computed = {"waits_for_computed",
                           "No stage waits for the last copy to the next device. So the join with "
                           "the last copy to y does not include it.",
                           "capture: a stage waits for `sent` of the stage before it, in place of "
                           "`computed`",
                           NULL},
    .pipeline_unwritten = {"pipeline_unwritten",
                           "The capture holds the first stage only: no copy to y is in it, and "
                           "nothing is joined. Steps 4 to 6 can be right.",
                           "step 7: each micro-batch through each stage, then the join", NULL},
    .stream_not_captured =
        {"stream_not_captured",
         "A stream is not part of the capture when its event is recorded. A later "
         "wait for this event is an error.",
         "the first call in each stream is a wait for an event that the capture "
         "has recorded: `compute` for `arrived`, `send` for `computed`",
         NULL},
    .copy_not_awaited =
        {"copy_not_awaited",
         "A stage begins to compute before the copy of its micro-batch has "
         "arrived.",
         "enqueue_layers: wait for `arrived`. For later stages this is `sent` of the "
         "stage before",
         RESULTS TIMES},
    .result_not_awaited = {"result_not_awaited",
                           "A result is copied before the layers have computed it.",
                           "enqueue_send: wait for `computed` of the slot before the copy",
                           RESULTS TIMES},
    .slot_not_free =
        {"slot_not_free", "A copy overwrites a slot that still holds an earlier micro-batch.",
         "before each copy into a slot: wait for `sent` of this slot (enqueue_input: of "
         "stage 0, enqueue_send: of the next stage)",
         RESULTS TIMES},
    .stage_by_stage = {"stage_by_stage",
                       "All micro-batches go through stage 0 before the first one enters stage 1. "
                       "A wait refers to the last record before it, so slots are reused too "
                       "early.",
                       "capture: enqueue micro-batch i through all stages, and only then i + 1",
                       RESULTS TIMES "slot_not_free copy_not_awaited"},
    .one_at_a_time = {"one_at_a_time",
                      "A micro-batch enters the pipeline after the one before it has left it.",
                      "enqueue_input: wait only for `sent` of the slot that the copy fills", TIMES},
    .one_slot = {"one_slot",
                 "All micro-batches use the same slot. So a stage waits until its result was "
                 "copied.",
                 "micro-batch i uses slot i % n_buffers, on each device", TIMES},
    .send_in_compute = {"send_in_compute",
                        "The next layers wait for the copy of the results before.",
                        "enqueue_send: copy in the stage's stream `send`, not in `compute`", TIMES},

    .no_final_wait = {"no_final_wait",
                      "lab12_run returned while a device was still working, so y is not complete.",
                      "lab12_run: wait for the stream that the graph was launched in",
                      "results rows_lost"},
    .enabled_in_run = {"enabled_in_run",
                       "lab12_run enables peer access. That takes longer than a launch.",
                       "enable peer access once, in lab12_setup",
                       "peer_access no_peer_access " TIMES},
    .made_in_run = {"made_in_run", "lab12_run captures or instantiates the graph again.",
                    "capture and instantiate once, in lab12_setup", TIMES},
    .no_graph_launch =
        {"no_graph_launch", "lab12_run launches no graph.",
         "lab12_run: one cudaGraphLaunch of the graph from lab12_setup",
         "results race_free complete memory peer_access every_device other_graph " TIMES},
    .many_graphs = {"many_graphs",
                    "lab12_run launches several graphs. One graph can hold the work of all "
                    "devices.",
                    "capture all stages from one origin, and launch this one graph",
                    "results race_free complete memory peer_access every_device layers_split "
                    "other_graph " TIMES},
    .work_beside_graph = {"work_beside_graph",
                          "lab12_run enqueues copies or kernels beside the graph.",
                          "capture all copies and kernels: the graph holds all work of a run",
                          TIMES},

    .too_few_micro_batches = {"too_few_micro_batches",
                              "lab12_micro_batches returns too few: the pipeline idles for more "
                              "than most_bubble.",
                              "return the smallest M with (S - 1) / (M + S - 1) <= most_bubble, "
                              "at least 1",
                              TIMES},
    .too_many_micro_batches = {"too_many_micro_batches",
                               "lab12_micro_batches returns more micro-batches than are needed.",
                               "return the smallest M with (S - 1) / (M + S - 1) <= most_bubble",
                               TIMES},
};

/* ---- events ---------------------------------------------------------------------------------- */

static const struct judge_mistake *suspected;

void lab12_suspect(const struct judge_mistake *mistake)
{
    suspected = mistake;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Which order is missing? */
static const struct judge_mistake *mistake_of_race(const struct simgpu_finding *f)
{
    const bool reads = begins(f->text, "Nothing orders "); /* what the first one writes */
    if (suspected)
        return suspected;
    if (!reads)
        return &lab12_mistakes.slot_not_free;
    return strcmp(f->second.name, "dense") == 0 ? &lab12_mistakes.copy_not_awaited
                                                : &lab12_mistakes.result_not_awaited;
}

/* A stream that was forked and not joined: which work does the origin not wait for? */
static const struct judge_mistake *mistake_of_ends(const char *text)
{
    if (strcmp(text, LAB12_NO_COPY_TO_Y) == 0)
        return &lab12_mistakes.pipeline_unwritten;
    return strcmp(text, LAB12_COPY_BETWEEN_DEVICES) == 0 ? &lab12_mistakes.waits_for_computed
                                                         : &lab12_mistakes.not_joined;
}

static const struct judge_mistake *mistake_of_error(const struct wire_failure *f)
{
    switch (f->error.code) {
    case cudaErrorPeerAccessAlreadyEnabled:
        return &lab12_mistakes.peer_access_left;
    case cudaErrorInvalidResourceHandle:
        return begins(f->error.call, "cudaLaunchKernel") ? &lab12_mistakes.launched_elsewhere
                                                         : &lab12_mistakes.created_elsewhere;
    case cudaErrorStreamCaptureUnsupported:
        return begins(f->error.call, "cudaMemcpyPeer") ? &lab12_mistakes.peer_call : NULL;
    case cudaErrorStreamCaptureUnjoined:
        return mistake_of_ends(f->text);
    case cudaErrorStreamCaptureIsolation:
        return &lab12_mistakes.stream_not_captured;
    case cudaErrorIllegalAddress:
        return &lab12_mistakes.wrong_memory;
    case cudaErrorInvalidValue:
        return begins(f->error.call, "cudaMemcpy") ? &lab12_mistakes.slot_too_small : NULL;
    default:
        return NULL;
    }
}

const struct judge_mistake *lab12_mistake_of(const struct session_event *e)
{
    if (e->cause == CAUSE_FAILED)
        return mistake_of_error(&e->failure);
    if (e->cause != CAUSE_FINDING)
        return NULL;
    if (e->finding.kind == SIMGPU_UNINITIALIZED_READ)
        return &lab12_mistakes.wrong_buffer;
    return e->finding.kind == SIMGPU_RACE ? mistake_of_race(&e->finding) : NULL;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* Node number i of this kind, in the order of creation; NULL: there is none. */
static const struct dag_node *copy_number(const struct dag *g, const char *kind, size_t i)
{
    for (size_t k = 0; k < g->n_nodes; k++)
        if (dag_is(&g->nodes[k], kind, NULL) && i-- == 0)
            return &g->nodes[k];
    return NULL;
}

/* Does each kernel that needs the copy `in` also wait for the copy `out`? */
static bool all_wait(const struct dag *g, const struct dag_node *in, const struct dag_node *out)
{
    for (size_t k = 0; k < g->n_nodes; k++)
        if (dag_is(&g->nodes[k], "kernel", NULL) && dag_waits(g, &g->nodes[k], in) &&
            !dag_waits(g, &g->nodes[k], out))
            return false;
    return true;
}

const struct judge_mistake *lab12_mistake_of_graph(const struct dag *g, int n_devices)
{
    const char *out = n_devices > 1 ? "p2p" : "d2h";
    const size_t n_micro = dag_count(g, "h2d", NULL);
    const struct dag_node *second = copy_number(g, "h2d", 1), *sent = copy_number(g, out, 0),
                          *arrived = copy_number(g, out, 1), *left = copy_number(g, "d2h", 0);
    if (n_micro < 2 || !second || !sent || !arrived || !left)
        return NULL;
    if (n_devices > 1 && dag_waits(g, left, copy_number(g, "h2d", n_micro - 1)))
        return &lab12_mistakes.stage_by_stage;
    if (dag_waits(g, second, left))
        return &lab12_mistakes.one_at_a_time;
    if (dag_waits(g, second, sent))
        return &lab12_mistakes.one_slot;
    if (all_wait(g, second, sent) || (n_devices > 1 && all_wait(g, arrived, left)))
        return &lab12_mistakes.send_in_compute;
    return NULL;
}

/* mistakes.c: the mistakes of lab 12 and their words, see mistakes.h. */
#include "mistakes.h"

#include <stddef.h>

#define TIMES "overlap bubble beats_one_device as_fast_as_streams "
#define RESULTS "results rows_lost race_free not_copied_in not_copied_back "
#define LAYERS "every_device layers_split device_unused "

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
                          "of stage s. Record the events of a stage in its own streams",
                          NULL},
    .not_created = {"not_created", "A stream or an event does not exist: it was never created.",
                    "look at the index in this call: micro-batch i uses slot i % n_buffers, the "
                    "stages are 0 to n_devices - 1. create_stage creates all of their slots",
                    NULL},
    .destroyed_twice = {"destroyed_twice",
                        "Teardown destroys a stream or an event that does not exist: it is "
                        "destroyed already, or was never created.",
                        "create_stage: create a stream `compute`, a stream `send` and n_buffers "
                        "slots for each stage",
                        NULL},
    .stream_missing = {"stream_missing",
                       "A stream is 0, the legacy default stream: it was never created.",
                       "create_stage: create both streams of the stage, `compute` and `send`",
                       NULL},
    .no_next_device = {"no_next_device", "The last device has no next device.",
                       "enable and disable the access of device s to device s + 1 only if s + 1 < "
                       "n_devices",
                       NULL},
    .no_such_device =
        {"no_such_device", "cudaSetDevice got a number that no device has.",
         "compare this number with the stages, 0 to n_devices - 1: is it the micro-batch?", NULL},
    .own_access = {"own_access", "A device is asked for access to its own memory.",
                   "make device s current, then enable access to device s + 1", NULL},
    .not_enabled = {"not_enabled", "Peer access that is not enabled cannot be disabled.",
                    "make device s current, then: enable if `on` is true, otherwise disable", NULL},
    .memory_elsewhere = {"memory_elsewhere",
                         "A kernel uses memory of another device: another device was current at "
                         "cudaMalloc.",
                         "create_stage: cudaSetDevice(s) before cudaMalloc", NULL},
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
    .stage_elsewhere =
        {"stage_elsewhere", "A stage runs on the device of another stage.",
         "create_stage: cudaSetDevice(s) before the streams, events and memory of stage s", TIMES},
    .layers_split = {"layers_split", "A stage has too many or too few layers.",
                     "create_stage: stage s has the layers from s * n_layers / n_devices to "
                     "(s + 1) * n_layers / n_devices - 1, and enqueue_layers launches each of them "
                     "once",
                     RESULTS "memory too_much_memory device_unused " TIMES},
    .origin_elsewhere = {"origin_elsewhere",
                         "x is copied to device 0 in a stream of another device.",
                         "make device 0 current again at the end of create_stage: lab12_setup then "
                         "creates the origin",
                         TIMES},

    .wrong_memory = {"wrong_memory",
                     "A kernel uses memory that is not there. Maybe the weights of another stage: "
                     "stage->w begins with the stage's own first layer.",
                     "enqueue_layers: the weights of layer k of the stage are at stage->w + k * n "
                     "* n, for k from 0 to n_layers - 1. stage->w has n_layers * n * n floats",
                     NULL},
    .too_many_rows = {"too_many_rows",
                      "A layer reads or writes past the end of a slot: it has more rows than the "
                      "slot.",
                      "enqueue_layers: pass the rows of the micro-batch to launch_dense, "
                      "part_of(lab, i).rows",
                      NULL},
    .host_weights = {"host_weights", "A layer reads memory that is not on its device.",
                     "enqueue_layers: the weights of layer k of the stage are at stage->w + k * n "
                     "* n, not in lab->w",
                     NULL},
    .freed_early = {"freed_early", "The graph uses memory that was freed.",
                    "free the memory of a stage in lab12_teardown: each run uses it", NULL},
    .launch_refused =
        {"launch_refused",
         "launch_dense refused its arguments: a pointer is NULL, rows is less than 1, "
         "or n is no multiple of 32.",
         "compare with launch_dense(y, x, w, rows, n, stream)", NULL},
    .weights_refused = {"weights_refused",
                        "The copy of the weights has more bytes than the memory that it reads or "
                        "writes, or another direction.",
                        "create_stage: allocate and copy n_layers * n * n * sizeof(float) bytes, "
                        "cudaMemcpyHostToDevice",
                        NULL},
    .weights_missing = {"weights_missing", "A layer reads weights that no copy has written.",
                        "create_stage: copy all layers of the stage, n_layers * n * n * "
                        "sizeof(float) bytes",
                        RESULTS TIMES},
    .weights_not_awaited =
        {"weights_not_awaited", "A layer reads weights before their copy has ended.",
         "create_stage: copy the weights with cudaMemcpy, which waits for the copy", RESULTS TIMES},
    .wrong_buffer = {"wrong_buffer", "A layer reads a buffer that nothing has written.",
                     "a micro-batch arrives in x of slot i % n_buffers; the first layer reads it "
                     "there, each later one what the layer before wrote. Compare the destinations "
                     "and the sizes with that",
                     RESULTS TIMES "send_in_compute"},
    .sends_nothing =
        {"sends_nothing", "A copy reads memory that no layer has written.",
         "enqueue_send: copy to x of the slot of the next stage (first argument) from "
         "result_of(stage, slot), where the last layer has written all rows of part_of(lab, i)",
         RESULTS TIMES "send_in_compute"},
    .not_in_graph = {"not_in_graph",
                     "An operation ran in lab12_setup and is not in the graph: its stream was not "
                     "part of the capture.",
                     "enqueue it after its stream has waited for an event of the capture, and with "
                     "cudaMemcpyAsync, not cudaMemcpy",
                     RESULTS LAYERS TIMES "send_in_compute"},
    .layer_lost = {"layer_lost", "y is not multiplied by some of the layers: their result is lost.",
                   "enqueue_layers: each layer reads what the layer before it wrote, x, y, x, …; "
                   "result_of says where the last one leaves its result",
                   RESULTS TIMES},
    .other_weights = {"other_weights", "A stage multiplies by the weights of other layers.",
                      "create_stage: the weights of stage s begin at lab->w + first_layer * n * n",
                      RESULTS TIMES},
    .weights_shifted =
        {"weights_shifted", "A layer reads weights that begin in the middle of another layer.",
         "a layer has n * n weights: layer k of a stage begins at stage->w + k * n * "
         "n, and stage s at lab->w + first_layer * n * n",
         RESULTS TIMES},
    .slot_too_small = {"slot_too_small",
                       "A copy has more bytes than the memory that it reads or writes. The first "
                       "micro-batch is not always the largest, and not each has as many rows.",
                       "create_stage: room for (rows + n_micro - 1) / n_micro rows in each buffer "
                       "of a slot. Copies of x and y begin at part.first",
                       NULL},
    .too_much_memory = {"too_much_memory",
                        "The devices hold more than the layers of each stage and n_buffers slots.",
                        "create_stage: copy only the weights of the stage, and create n_buffers "
                        "slots",
                        NULL},
    .input_rows = {"input_rows", "The copies of x leave out some of its rows.",
                   "enqueue_input: cudaMemcpyAsync of part.bytes from lab->x + part.first, in the "
                   "origin, with part = part_of(lab, i)",
                   RESULTS "wrong_buffer " TIMES},
    .input_twice = {"input_twice", "Some rows of x are copied more than once in a run.",
                    "capture: enqueue_input once for each micro-batch, and nothing before the loop",
                    "results race_free slot_not_free copy_not_awaited " LAYERS TIMES},
    .output_rows = {"output_rows", "The copies to y leave out some of its rows.",
                    "enqueue_send, in the last stage: cudaMemcpyAsync of part.bytes to lab->y + "
                    "part.first, in `send`, with part = part_of(lab, i)",
                    RESULTS "wrong_buffer " TIMES},
    .output_twice = {"output_twice", "Some rows of y are written more than once in a run.",
                     "enqueue_send: the last stage, s + 1 == n_devices, copies to y. The others "
                     "copy to the next stage",
                     RESULTS "wrong_buffer " TIMES},
    .rows_lost = {"rows_lost", "The last rows of y were never written: they are in no micro-batch.",
                  "micro-batch i has the rows from i * rows / n_micro to (i + 1) * rows / n_micro "
                  "- 1",
                  NULL},

    .not_joined = {"not_joined",
                   "The capture ends before its origin has joined the last copy to y.",
                   "capture: after the loop over all n_micro micro-batches, the origin waits for "
                   "`sent` of the last stage and the last micro-batch. enqueue_send records it "
                   "after the copy to y",
                   NULL},
    .waits_for_computed = {"waits_for_computed",
                           "No stage waits for the last copy to the next device. So the join with "
                           "the last copy to y does not include it.",
                           "capture: `arrived` of a later stage is `sent` of the stage before it",
                           NULL},
    .sent_too_early = {"sent_too_early",
                       "Nothing waits for a copy to the next device: `sent` does not include it.",
                       "enqueue_send: copy in `send`, and record `sent` in `send` after the copy",
                       NULL},
    .computed_too_early =
        {"computed_too_early",
         "Nothing waits for some of the layers: `computed` does not include them.",
         "enqueue_layers: launch the layers in the stage's `compute`, and record "
         "`computed` there after the last one",
         NULL},
    .last_stage_missing = {"last_stage_missing",
                           "The capture has no copy to y: the last stage is not part of it.",
                           "capture: each micro-batch through all n_devices stages. enqueue_send "
                           "records `sent` in each of them",
                           NULL},
    .pipeline_unwritten = {"pipeline_unwritten",
                           "The capture holds the first stage only: no copy to y is in it, and "
                           "nothing is joined. Steps 4 to 6 can be right.",
                           "step 7: each micro-batch through each stage, then the join", NULL},
    .stream_not_captured = {"stream_not_captured",
                            "A stream is not part of the capture when its event is recorded. A "
                            "later wait for this event is an error.",
                            "the first call in each stream is a wait for an event that the capture "
                            "has recorded: `compute` for `arrived`, `send` for `computed`",
                            NULL},
    .input_not_captured = {"input_not_captured",
                           "The capture has no copy of x, so no other stream becomes part of it.",
                           "capture: enqueue_input first, for each micro-batch. It copies in the "
                           "origin",
                           NULL},
    .received_not_awaited = {"received_not_awaited",
                             "No stream waits for the copy of x, so only the origin is part of the "
                             "capture.",
                             "enqueue_input records `received` in the origin. enqueue_layers lets "
                             "`compute` wait for it, as `arrived`, before the first layer",
                             NULL},
    .computed_not_awaited = {"computed_not_awaited",
                             "No stream `send` waits for the layers, so it is not part of the "
                             "capture.",
                             "enqueue_layers records `computed` in `compute`. enqueue_send, called "
                             "after it, lets `send` wait for it before the copy",
                             NULL},
    .sent_not_awaited =
        {"sent_not_awaited",
         "The stream `compute` of a later stage does not wait for the copy to its "
         "device, so it is not part of the capture.",
         "enqueue_send records `sent` after the copy to the next device, too. In "
         "capture, `arrived` of a later stage is `sent` of the stage before it, not its own",
         NULL},
    .copy_not_awaited =
        {"copy_not_awaited",
         "A stage begins to compute before the copy of its micro-batch has "
         "arrived.",
         "enqueue_layers: wait for `arrived` before the layers. It is `received` of "
         "the slot, or `sent` of the stage before, recorded after the copy",
         RESULTS TIMES},
    .result_not_awaited = {"result_not_awaited",
                           "A result is copied before the layers have computed it.",
                           "enqueue_send: wait for `computed` of the slot before the copy",
                           RESULTS TIMES},
    .slot_not_free = {"slot_not_free",
                      "A copy of x overwrites a slot that still holds an earlier micro-batch.",
                      "enqueue_input: before the copy, wait for `sent` of the slot of stage 0",
                      RESULTS TIMES},
    .next_slot_not_free =
        {"next_slot_not_free",
         "A copy to the next device overwrites a slot that still holds an earlier "
         "micro-batch.",
         "enqueue_send: before the copy, wait for `sent` of the slot of the next "
         "stage",
         RESULTS TIMES},
    .stage_by_stage = {"stage_by_stage",
                       "All micro-batches go through stage 0 before the first one enters stage 1. "
                       "A wait refers to the last record before it, so slots are reused too "
                       "early.",
                       "capture: enqueue micro-batch i through all stages, and only then i + 1",
                       RESULTS TIMES "slot_not_free next_slot_not_free copy_not_awaited"},
    .one_at_a_time = {"one_at_a_time",
                      "A micro-batch enters the pipeline after the one before it has left it.",
                      "enqueue_input: wait only for `sent` of the slot that the copy fills. "
                      "capture: join once, after the loop",
                      TIMES},
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
    .waits_for_edge =
        {"waits_for_edge",
         "lab12_run waits for an event that was recorded in the capture. It is an edge of the "
         "graph: no run records it.",
         "lab12_run: cudaStreamSynchronize of the stream that the graph was launched in", NULL},
    .enabled_in_run = {"enabled_in_run",
                       "lab12_run enables peer access. That takes longer than a launch.",
                       "enable peer access once, in lab12_setup",
                       "peer_access no_peer_access " TIMES},
    .made_in_run = {"made_in_run", "lab12_run captures or instantiates the graph again.",
                    "capture and instantiate once, in lab12_setup", TIMES},
    .no_graph_launch = {"no_graph_launch", "lab12_run launches no graph.",
                        "lab12_run: one cudaGraphLaunch of the graph from lab12_setup",
                        "results not_copied_back race_free complete memory peer_access "
                        "every_device other_graph " TIMES},
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
                              "unwritten " TIMES},
    .too_many_micro_batches = {"too_many_micro_batches",
                               "lab12_micro_batches returns more micro-batches than are needed.",
                               "return the smallest M with (S - 1) / (M + S - 1) <= most_bubble",
                               TIMES},
};

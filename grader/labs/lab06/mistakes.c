/* mistakes.c: what learners do wrong in lab 06. */
#include "mistakes.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include "labs/captures.h"

/* ---- all three workloads --------------------------------------------------------------------- */

const struct judge_mistake
    lab06_no_final_wait =
        {"no_final_wait",
         "The last call returned while the device was still working on it. The "
         "caller reads the result next.",
         "call cudaStreamSynchronize after cudaGraphLaunch, for the stream of "
         "the launch",
         "results graphs all_updated one_node branch_off all_time one_time branch_time"},
    lab06_reinstantiates =
        {"instantiates_each_call", NULL, "keep the executable graph, and change it",
         "graphs all_updated all_shape all_time one_node one_time branch_off leak "
         "branch_time too_many_graphs"},
    lab06_uploads = {"uploads_each_call", NULL,
                     "remove cudaGraphUpload: the launch uploads what is needed",
                     "all_time one_time branch_time"},
    lab06_work_beside_graph = {"work_beside_graph", NULL,
                               "capture the copies and all kernels: then a call costs the host one "
                               "launch",
                               "all_time one_time branch_time"},
    lab06_launches = {"launches_per_call", NULL, "launch one graph in each call",
                      "all_time one_time branch_time"};

/* ---- everything changes ---------------------------------------------------------------------- */

const struct judge_mistake
    lab06_no_graph = {"no_graph_launch",
                      "lab06_all launches no graph: it enqueues the copies and kernels itself.",
                      "capture enqueue_item, pass the graph to update_all, and launch state->all",
                      "graphs all_shape all_time work_beside_graph launches_per_call"},
    lab06_not_updated =
        {"not_updated",
         "lab06_all launches an executable graph that was not updated. Capturing a "
         "graph again does not change the executable graph.",
         "call cudaGraphExecUpdate(state->all, graph, &info) before the launch",
         "results all_shape race_free graphs all_time not_copied_back output_offset_missing"},
    lab06_update_ignored = {"update_ignored",
                            "With another number of kernels cudaGraphExecUpdate fails, and its "
                            "result was not checked. The old graph was launched.",
                            "check what cudaGraphExecUpdate returns: if the update failed, destroy "
                            "the executable graph and instantiate the new graph",
                            "results race_free not_copied_back inputs_not_read"},
    lab06_updated_after_launch =
        {"updated_after_launch",
         "The executable graph is updated after the launch, so the update reaches the next call.",
         "call update_all before the launch",
         "results race_free graphs all_shape all_time update_ignored not_copied_back"},
    lab06_stale_error =
        {"stale_error",
         "cudaGraphExecUpdate failed, and lab06_all does not clear the error: the caller's next "
         "cudaGetLastError finds it and blames another call.",
         "call cudaGetLastError once after the update that failed", NULL},
    lab06_too_many_graphs = {
        "too_many_graphs", "lab06_all instantiates more often than the number of kernels changes.",
        "try cudaGraphExecUpdate first, and instantiate only if it fails", "all_time"};

/* ---- one number changes ---------------------------------------------------------------------- */

const struct judge_mistake
    lab06_captures_for_one = {"captures_for_one_number",
                              "lab06_one captures the graph again and compares every node, for one "
                              "number of one node.",
                              "keep the executable graph, and set the parameters of the one node: "
                              "cudaGraphExecKernelNodeSetParams",
                              "one_time"},
    lab06_sets_graph = {"sets_the_graph",
                        "The parameters of the graph are set. That changes later instantiations; "
                        "the executable graph keeps its own copy.",
                        "call cudaGraphExecKernelNodeSetParams with the executable graph and the "
                        "node",
                        "results graphs one_time"},
    lab06_weight_not_set = {"weight_not_set", "lab06_one does not set the weight in every call.",
                            "call cudaGraphExecKernelNodeSetParams in each call, before the launch",
                            "results graphs one_time"},
    lab06_sets_many = {"sets_many_nodes", NULL, "set only the node that adds weight * in",
                       "one_time"},
    lab06_set_after_launch = {"set_after_launch",
                              "The weight is set after the launch, so it reaches the next call.",
                              "move cudaGraphExecKernelNodeSetParams before the launch",
                              "results one_time"},
    lab06_first_not_set =
        {"first_not_set",
         "Only the first call was computed with a wrong weight. Its graph was launched as it was "
         "captured: the weight was not set before this launch.",
         "call cudaGraphExecKernelNodeSetParams in each call, also in the call that instantiates",
         "results graphs one_node one_time not_a_float"},
    lab06_zero_not_set =
        {"zero_not_set",
         "A call whose weight is 0 was computed with the weight of the call before it. The "
         "executable graph keeps each value until another one is set.",
         "call cudaGraphExecKernelNodeSetParams in each call, also if the weight is 0",
         "graphs one_node one_time weight_not_set"},
    lab06_weight_without_effect =
        {"weight_without_effect",
         "lab06_one sets the parameters of the node in every call, but the new weight never shows "
         "in the result. Either kernelParams still points at the old weight, or the addresses of y "
         "and x are exchanged.",
         "set params.kernelParams to your array, with the entries y, x, &weight, n in this order",
         "results race_free graphs one_time not_computed"},
    lab06_not_a_float = {"not_a_float",
                         "The kernel got weights, but not those of the calls: the parameter that "
                         "it reads is a float.",
                         "put the address of the float `weight` into kernelParams, at its place",
                         NULL};

/* ---- a branch is on or off ------------------------------------------------------------------- */

const struct judge_mistake
    lab06_other_kernels =
        {"other_kernels", NULL,
         "capture copy in, smoothing, launch_produce, launch_saxpy and copy back, "
         "in the two streams",
         "results graphs race_free branch_off branch_time work_beside_graph "
         "branch_missing not_copied_in"},
    lab06_serial_branch = {"serial_branch",
                           "The smoothing waits for the correction: both were captured in one "
                           "stream, so there is no branch.",
                           "enqueue launch_produce in the side stream, between fork and join",
                           "branch_time"},
    lab06_fork_before_copy = {"fork_before_copy",
                              "A side of the branch does not wait for the copy in: the fork was "
                              "recorded before it.",
                              "record the fork's event after the copy in",
                              "results race_free branch_time not_copied_in"},
    lab06_branch_waits =
        {"branch_waits", "The correction waits for the smoothing. It needs only the copy in.",
         "record the fork's event directly after the copy in, before the smoothing", "branch_time"},
    lab06_no_join = {"no_join", "apply does not wait for both sides: the join is missing.",
                     "let the stream wait for the side stream's event before launch_saxpy",
                     "results race_free"},
    lab06_recaptures = {"recaptures_branch",
                        "lab06_branch captures its graph again to leave out a branch.",
                        "capture both branches once, and disable the nodes of one: "
                        "cudaGraphNodeSetEnabled",
                        "branch_time"},
    lab06_copy_disabled = {"copy_disabled",
                           "A call without the correction does not copy x in: that node is "
                           "disabled in place of a kernel.",
                           "keep the node that last_node returns for the side stream directly "
                           "after launch_produce, and for the stream directly after launch_saxpy",
                           "results race_free graphs branch_time not_copied_in"},
    lab06_correct_left_on =
        {"correct_left_on",
         "`correct` runs in calls that want no correction: only `apply` is "
         "disabled, or another node in its place.",
         "disable `correct`, too: keep the node that last_node returns directly "
         "after launch_produce",
         "branch_time"},
    lab06_always_computed = {"always_computed",
                             "The correction is computed in every call. A factor of 0 hides its "
                             "result and not its time.",
                             "disable `correct` and `apply` with cudaGraphNodeSetEnabled",
                             "branch_time results"},
    lab06_apply_left_on =
        {"apply_left_on",
         "`apply` runs without `correct`, and adds what is still in c. A disabled "
         "node does nothing, but the nodes after it run.",
         "disable `apply`, too: keep the node that last_node returns directly "
         "after launch_saxpy",
         "results race_free graphs branch_time never_switched not_copied_in"},
    lab06_branch_missing = {"branch_missing", "The branch did not run in a call that wants it.",
                            "enable both nodes if `corrected` is not 0, before the launch",
                            "results branch_time"},
    lab06_many_execs = {"many_execs",
                        "The branch is chosen by another executable graph, not switched. Each "
                        "combination of branches would need one.",
                        "instantiate one executable graph, and use cudaGraphNodeSetEnabled",
                        "branch_time other_graph"},
    lab06_switched_inverted =
        {"switched_inverted", "The branch is on if it should be off, and off if it should be on.",
         "pass 1 to cudaGraphNodeSetEnabled to enable a node, 0 to disable it",
         "branch_off branch_time branch_missing apply_left_on"},
    lab06_switched_after_launch = {"switched_after_launch",
                                   "The branch was still on or off as in the call before: it was "
                                   "switched after the launch.",
                                   "call cudaGraphNodeSetEnabled before the launch",
                                   "branch_off branch_time branch_missing"},
    lab06_first_not_switched =
        {"first_not_switched",
         "Only the result of the first call is wrong. Its graph was launched as it was captured: "
         "the branch was not switched before this launch.",
         "call cudaGraphNodeSetEnabled for both nodes in each call, also in the call that "
         "instantiates",
         "branch_off branch_time"},
    lab06_never_enabled = {"never_enabled",
                           "The branch never runs: calls disabled its nodes, and no later call "
                           "enabled them again. A node stays disabled until it is enabled.",
                           "call cudaGraphNodeSetEnabled with 1 for both nodes in each call that "
                           "wants the correction, before the launch",
                           "results graphs branch_time"},
    lab06_never_switched = {"never_switched",
                            "The branch is always on or always off: no call switches it.",
                            "call cudaGraphNodeSetEnabled for `correct` and for `apply` in each "
                            "call, before the launch",
                            "branch_off branch_time always_computed branch_missing"};

/* ---- calls that failed ----------------------------------------------------------------------- */

static const struct judge_mistake
    exchanged = {"parameters_exchanged",
                 "saxpy got an address that is none: its parameters are in another order than the "
                 "kernel's.",
                 "keep the order of the captured kernelParams, and replace only the weight", NULL},
    not_a_kernel = {"node_not_a_kernel",
                    "The node is not a kernel: last_node was called after another operation.",
                    "call last_node directly after the launch of that kernel", NULL},
    last_node_fails =
        {"last_node_fails",
         "lab06_one returned an error that no CUDA call gave: last_node returned it. create_one "
         "calls last_node where the next node depends on exactly one node.",
         "let last_node return an error only if the status is not cudaStreamCaptureStatusActive, "
         "or if the number of nodes is not 1",
         "last_node_misplaced"},
    last_node_misplaced =
        {"last_node_misplaced",
         "lab06_branch returned an error that no CUDA call gave: last_node returned it. At that "
         "place in the capture, the next node of the stream depends on two nodes or on none.",
         "call last_node directly after the launch whose node it should find: after a wait for "
         "another stream there are two",
         NULL},
    update_failure = {.name = "update_failure_returned"}, other_node = {.name = "other_node"};

/* The only error of their own that the functions are to return is that of last_node. */
static const struct judge_mistake *last_node_mistake(const struct session_event *e)
{
    const struct wire_failure *f = &e->failure;
    if (e->cause != CAUSE_FAILED || f->reason != WIRE_RETURNED ||
        f->error.origin != WIRE_ORIGIN_NONE || f->error.code == cudaErrorNotYetImplemented)
        return NULL;
    if (strcmp(f->what, "lab06_one") == 0)
        return &last_node_fails;
    return strcmp(f->what, "lab06_branch") == 0 ? &last_node_misplaced : NULL;
}

const struct judge_mistake *lab06_mistake_of(const struct session_event *e)
{
    if (e->cause == CAUSE_FINDING && e->finding.kind == SIMGPU_OUT_OF_BOUNDS &&
        strncmp(e->finding.first.name, "saxpy", strlen("saxpy")) == 0)
        return &exchanged;
    if (captures_is(e, cudaErrorInvalidValue, "cudaGraphKernelNodeGetParams"))
        return &not_a_kernel;
    if (captures_is(e, cudaErrorGraphExecUpdateFailure, NULL))
        return &update_failure;
    if (captures_is(e, cudaErrorInvalidValue, "cudaGraphExecKernelNodeSetParams") ||
        captures_is(e, cudaErrorInvalidValue, "cudaGraphNodeSetEnabled"))
        return &other_node;
    const struct judge_mistake *last_node = last_node_mistake(e);
    return last_node ? last_node : captures_mistake_of(e);
}

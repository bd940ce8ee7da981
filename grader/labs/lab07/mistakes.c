/*
 * mistakes.c: what the report says of each mistake of lab 07. The error itself, if there was one,
 * stands beside it.
 */
#include "mistakes.h"

/* What follows if the results of a function are wrong. */
#define WRONG                                                                                      \
    "no_host race_free not_copied_back not_computed other_inputs inputs_not_read "                 \
    "kernel_left_out shared_state "
#define LENGTH_IS_WRONG WRONG "length at_once many errors"
#define LOOP_IS_WRONG WRONG "loop loop_time"
#define PACKETS_ARE_WRONG WRONG "packets in_order types_at_once errors packets_time"
#define ALL_IS_WRONG                                                                               \
    WRONG "length at_once many loop loop_time packets in_order types_at_once errors "              \
          "packets_time"

static const struct judge_mistake mistakes[LAB07_CAUSES] = {
    [LAB07_STARTER_LINE] =
        {"starter_line",
         "A kernel launched graphs and then reported cudaErrorNotYetImplemented: a line of the "
         "starter is still there.",
         "delete the line atomicCAS(status, cudaSuccess, cudaErrorNotYetImplemented) after your "
         "code",
         NULL},
    [LAB07_NOT_FOR_DEVICE] =
        {"not_for_device",
         "A kernel launched a graph that was not instantiated for device launch. That ends the "
         "kernel.",
         "instantiate_for_device (step 1): pass cudaGraphInstantiateFlagDeviceLaunch to "
         "cudaGraphInstantiate",
         "launcher_not_for_device"},
    [LAB07_LAUNCHER_NOT_FOR_DEVICE] =
        {"launcher_not_for_device",
         "A kernel launched its own graph, which was not instantiated for device launch. Then "
         "cudaGetCurrentGraphExec returns NULL.",
         "instantiate the captured graph with cudaGraphInstantiateFlagDeviceLaunch, too: "
         "end_capture does that with instantiate_for_device",
         NULL},
    [LAB07_NOT_UPLOADED] =
        {"not_uploaded",
         "The device refused a launch: the graph was instantiated, but never "
         "uploaded to the device.",
         "instantiate_for_device (step 1): call cudaGraphUpload after cudaGraphInstantiate, "
         "and wait for the stream",
         NULL},
    [LAB07_HOST_NODE] = {"host_node",
                         "A graph with a host node cannot be instantiated for device launch.",
                         "remove the host function from the graph: kernels, copies, memsets and "
                         "child graphs of these may stay",
                         NULL},
    [LAB07_CALL_IN_CAPTURE] =
        {"call_in_capture",
         "A call that cannot be part of a graph was made while the stream was capturing: it "
         "allocates, copies synchronously, waits or instantiates.",
         "enqueue only kernels while the stream captures: call create_table before "
         "cudaStreamBeginCapture, and end_capture before anything else",
         NULL},
    [LAB07_GIVEN_DESTROYED] = {"given_destroyed",
                               "A graph that the lab is given was destroyed (cudaGraphDestroy).",
                               "destroy only graphs that you captured or created yourself",
                               ALL_IS_WRONG},
    [LAB07_OUTSIDE_GRAPH] =
        {"outside_graph",
         "A kernel that launches graphs was launched into a stream. It must be a node of a graph.",
         "call cudaStreamBeginCapture before you enqueue the kernel; then instantiate and launch "
         "the captured graph",
         NULL},
    [LAB07_BAD_ADDRESS] =
        {"bad_address", "A kernel used an address that is not in device memory.",
         "check the pointers that the kernel gets: fill the table with create_table before the "
         "capture, and pass its on_device",
         NULL},
    [LAB07_NO_EXEC] = {"no_exec",
                       "The device refused a launch: its first argument is not an executable "
                       "graph. It is NULL, destroyed or an unknown value.",
                       "check that the table has an entry for each index (PACKET_TYPES handlers, "
                       "n_workers workers)",
                       NULL},
    [LAB07_STREAM_ON_DEVICE] =
        {"stream_on_device",
         "The device refused a launch: there are no streams on the device. The second argument "
         "selects when the graph runs.",
         "pass cudaStreamGraphFireAndForget or cudaStreamGraphTailLaunch as the second argument",
         NULL},
    [LAB07_RELAUNCH_FIRED] =
        {"relaunch_fired",
         "A graph launched itself fire-and-forget. It is still running, so the device refused "
         "the launch.",
         "relaunch the current graph with cudaStreamGraphTailLaunch", NULL},
    [LAB07_RELAUNCHED_TWICE] = {"relaunched_twice",
                                "A graph launched itself twice in one run. The device refused the "
                                "second launch.",
                                "relaunch the current graph once per run: no loop around it", NULL},
    [LAB07_TOO_MANY_FIRED] =
        {"too_many_fired",
         "One run of a graph launched more than 120 graphs fire-and-forget. The device refused "
         "the 121st launch.",
         "step 4: launch at most LAB07_MAX_FIRE_AND_FORGET workers in each run, then relaunch this "
         "graph as "
         "a tail for the others",
         NULL},
    [LAB07_SUM_IN_EACH_RUN] =
        {"sum_in_each_run",
         "The sum or the root was launched in more than one run of the launcher. It still waited "
         "from the first launch, so the device refused the second.",
         "return after the relaunch: only the last run launches the sum and the root", NULL},
    [LAB07_WORKER_TWICE] = {"worker_twice",
                            "A worker was launched twice. It still ran or waited to run, so the "
                            "device refused the second launch.",
                            "continue with the worker *plan.next, and store its new value before "
                            "the relaunch",
                            NULL},
    [LAB07_HANDLER_BUSY] =
        {"handler_busy",
         "A handler was launched while it was still running. The device refuses that.",
         "remember which handlers this run has launched, and stop at the first packet that needs "
         "one of them",
         "packets_time"},
    [LAB07_HANDLERS_AS_SIBLINGS] =
        {"handlers_as_siblings",
         "Handlers were launched as siblings. The scheduler's tail does not wait for siblings, so "
         "a handler was launched while it was still running.",
         "launch handlers with cudaStreamGraphFireAndForget", "packets_time unordered"},
    [LAB07_REFUSED] =
        {"refused",
         "The device refused a launch. Most often the graph still runs or waits to run, or one "
         "run launched more than 120 graphs fire-and-forget.",
         "print the error, and which graph it was, in `launch` (printf works in kernels)", NULL},
    [LAB07_SPINS] = {"spins", "A kernel repeats a refused launch in a loop, and never ends.",
                     "do not wait in a kernel: leave the packet in the ring for the next run of "
                     "the scheduler",
                     NULL},
    [LAB07_ENDLESS_LENGTH] =
        {"endless_length", "The launcher relaunches its graph without end.",
         "store the next worker in *plan.next before the relaunch, begin at it in the next run, "
         "and relaunch only while workers remain",
         LENGTH_IS_WRONG},
    [LAB07_ENDLESS_LOOP] =
        {"endless_loop", "The graph of the loop relaunches itself without end.",
         "subtract 1 from *iterations_left in each run, and relaunch only if iterations remain",
         LOOP_IS_WRONG},
    [LAB07_ENDLESS_PACKETS] =
        {"endless_packets", "The scheduler relaunches its graph without end.",
         "advance ring->taken before the relaunch, and relaunch only if this run has launched a "
         "handler",
         PACKETS_ARE_WRONG},
    [LAB07_NO_FINAL_WAIT] = {"no_final_wait",
                             "The call returned while the device was still working.",
                             "call cudaStreamSynchronize after cudaGraphLaunch: it waits for all "
                             "launched graphs",
                             ALL_IS_WRONG " error_lost"},
    [LAB07_ERROR_LOST] =
        {"error_lost",
         "The device refused a launch, and the function returned cudaSuccess: the error was lost.",
         "step 2: if cudaGraphLaunch returns an error, store the first one in *status, and return "
         "it to the caller. Then the report names its cause",
         ALL_IS_WRONG " workers_missing packet_skipped handler_busy argument_late"},
    [LAB07_NOTHING_LAUNCHED] = {"nothing_launched",
                                "No worker, no sum and no root ran, and no error was returned.",
                                "launch them in the kernel `launcher` (step 3)", LENGTH_IS_WRONG},
    [LAB07_SUM_MISSING] = {"sum_missing", "The sum did not run: no kernel launched plan.sum.",
                           "launch plan.sum as a tail before plan.root", LENGTH_IS_WRONG},
    [LAB07_ROOT_MISSING] = {"root_missing", "The root did not run: no kernel launched plan.root.",
                            "launch plan.root as a tail after plan.sum", LENGTH_IS_WRONG},
    [LAB07_WORKERS_MISSING] = {"workers_missing", "Some workers did not run.",
                               "launch all of plan.n_workers: 120 in one run of the launcher, the "
                               "others after a relaunch (step 4)",
                               LENGTH_IS_WRONG},
    [LAB07_WORKERS_REPEATED] =
        {"workers_repeated", "Some workers ran more than once, and others did not run.",
         "launch plan.workers[i] once for each i: each run of the launcher begins at *plan.next. "
         "create_table: instantiate graphs[i]",
         LENGTH_IS_WRONG " unordered"},
    [LAB07_NEXT_NOT_RESET] =
        {"next_not_reset",
         "The first workers did not run: the launcher began at the worker where the call before "
         "it had ended.",
         "set *plan.next to 0 in the last run of the launcher", LENGTH_IS_WRONG},
    [LAB07_WORKERS_AS_SIBLINGS] =
        {"workers_as_siblings",
         "The workers were launched as siblings. The launcher's tails do not wait for siblings, "
         "so the sum ran too early.",
         "launch workers with cudaStreamGraphFireAndForget", LENGTH_IS_WRONG " unordered"},
    [LAB07_SUM_FIRED] = {"sum_fired",
                         "The sum or the root ran before the graphs whose results it needs. A "
                         "graph launched fire-and-forget waits for nothing.",
                         "launch the sum and the root with cudaStreamGraphTailLaunch",
                         LENGTH_IS_WRONG " unordered"},
    [LAB07_SUM_IN_FIRST_RUN] =
        {"sum_in_first_run",
         "The sum ran before the workers of later runs: it was launched before the relaunch, and "
         "tails run in the order of their launches.",
         "launch the sum and the root only in the last run of the launcher",
         LENGTH_IS_WRONG " unordered"},
    [LAB07_ROOT_FIRST] = {"root_first",
                          "The root ran before the sum. Tails run in the order in which they were "
                          "launched.",
                          "launch the sum first, then the root", LENGTH_IS_WRONG " unordered"},
    [LAB07_WORKERS_AS_TAILS] =
        {"workers_as_tails",
         "The workers ran serially: a tail waits for the tails that were launched before it.",
         "launch workers with cudaStreamGraphFireAndForget", "at_once many"},
    [LAB07_SMALL_BATCHES] =
        {"small_batches",
         "The launcher ran more often than necessary, so fewer workers ran concurrently.",
         "launch LAB07_MAX_FIRE_AND_FORGET workers in each run, as long as so many remain, and "
         "relaunch only if workers remain",
         "many"},
    [LAB07_LAUNCHED_TO_UPLOAD] =
        {"launched_to_upload",
         "The host launched graphs while it prepared them. That uploads them, but also runs them.",
         "instantiate_for_device (step 1): call cudaGraphUpload instead of cudaGraphLaunch",
         ALL_IS_WRONG},
    [LAB07_WORK_OUTSIDE_GRAPH] =
        {"work_outside_graph",
         "saxpy is not a node of the captured graph, so no iteration runs it.",
         "create_loop: enqueue launch_saxpy in the stream that captures, between begin and end",
         LOOP_IS_WRONG},
    [LAB07_NOT_COUNTED] =
        {"not_counted", "No kernel changed *iterations_left, so the loop ran once.",
         "create_loop: call lab07_enqueue_again after launch_saxpy; `again` subtracts 1 from "
         "*iterations_left",
         LOOP_IS_WRONG},
    [LAB07_COUNT_OF_FIRST_CALL] =
        {"count_of_first_call",
         "The loop ran as often as in the first call, although *iterations_left held another "
         "number.",
         "let the kernel read *iterations_left in each call; the host neither reads nor writes it",
         LOOP_IS_WRONG},
    [LAB07_NOT_ONE_ITERATION] =
        {"not_one_iteration",
         "The loop counted to 0, but the result is of another number of iterations: one run of "
         "the graph is not one iteration.",
         "create_loop: capture y = y + alpha * x once, with the fields of struct lab07; `again` "
         "subtracts 1; launch the graph once per call",
         LOOP_IS_WRONG},
    [LAB07_COUNT_NOT_ZERO] =
        {"count_not_zero",
         "The result is right, but *iterations_left is not 0 when the call returns.",
         "subtract 1 from *iterations_left in each iteration, also in the last one", LOOP_IS_WRONG},
    [LAB07_LOOP_NOT_RELAUNCHED] = {"loop_not_relaunched",
                                   "The graph of the loop ran once, and nothing relaunched it.",
                                   "in `again`: if iterations remain, launch the current graph as "
                                   "a tail",
                                   LOOP_IS_WRONG},
    [LAB07_LOOP_TOO_SHORT] = {"loop_too_short", "The loop ended too early.",
                              "count an iteration once, and relaunch whenever iterations remain "
                              "after the subtraction",
                              LOOP_IS_WRONG},
    [LAB07_LOOP_TOO_LONG] = {"loop_too_long", "The loop ended too late.",
                             "relaunch only if iterations remain after the subtraction: at 0 the "
                             "loop is over",
                             LOOP_IS_WRONG},
    [LAB07_SLOTS_WITHOUT_RING] =
        {"slots_without_ring",
         "The first 64 packets were handled, and no other one. The ring has 64 slots, which are "
         "used again.",
         "read packet i from slots[i % RING_SLOTS]", PACKETS_ARE_WRONG},
    [LAB07_SCHEDULER_NOT_RELAUNCHED] =
        {"scheduler_not_relaunched",
         "The scheduler ran once, and packets were left in the ring: nothing launched it again.",
         "at its end, launch the current graph as a tail if this run has launched a handler",
         PACKETS_ARE_WRONG},
    [LAB07_RING_LOOKS_EMPTY] =
        {"ring_looks_empty",
         "Packets that handlers added were not handled: the scheduler ended while a handler was "
         "still running.",
         "relaunch the scheduler after every run that has launched a handler, even if the ring "
         "looks empty",
         PACKETS_ARE_WRONG},
    [LAB07_ARGUMENT_NOT_WRITTEN] =
        {"argument_not_written",
         "Handlers handled packet 0 again and again: nothing wrote their argument slot before the "
         "launch.",
         "copy the packet to arguments[type].packet before you launch its handler",
         PACKETS_ARE_WRONG},
    [LAB07_ARGUMENT_OVERWRITTEN] =
        {"argument_overwritten",
         "Some packets were handled twice and others not at all: an argument slot was overwritten "
         "while its handler was running.",
         "first check whether the handler is busy, then write its argument slot",
         PACKETS_ARE_WRONG " argument_late"},
    [LAB07_ARGUMENT_LATE] =
        {"argument_late",
         "The scheduler writes an argument slot whose handler it has already launched. The "
         "handler may read the old packet or the new one.",
         "write the argument slot before the launch, and never again in the same run",
         PACKETS_ARE_WRONG},
    [LAB07_IN_ORDER_NEVER] =
        {"in_order_never",
         "The scheduler ended before a packet that is in_order, although no handler was running.",
         "launch an in_order packet if this run has launched nothing yet; else leave it for the "
         "next run",
         PACKETS_ARE_WRONG},
    [LAB07_SCHEDULER_ENDED] =
        {"scheduler_ended", "From one packet on, no packet was handled, and no error was returned.",
         "when this run has launched a handler, relaunch the scheduler, also if a packet had to "
         "wait for it",
         PACKETS_ARE_WRONG},
    [LAB07_PACKET_SKIPPED] =
        {"packet_skipped",
         "Packets were removed from the ring, but no handler ran for them, and no error was "
         "returned.",
         "advance ring->taken only past packets whose handler this run has launched; a packet that "
         "must wait stays in the ring",
         PACKETS_ARE_WRONG " scheduler_ended"},
    [LAB07_TAKEN_NOT_STORED] =
        {"taken_not_stored",
         "All packets were handled, but ring->taken still counts some of them as waiting.",
         "store the number of the next packet in ring->taken before the kernel ends",
         PACKETS_ARE_WRONG},
    [LAB07_IN_ORDER_TOO_EARLY] =
        {"in_order_too_early",
         "A packet that is in_order began before all packets before it were complete.",
         "leave an in_order packet for the next run if this run has launched any handler",
         "in_order"},
    [LAB07_IN_ORDER_OVERTAKEN] =
        {"in_order_overtaken", "A packet began before an in_order packet before it was complete.",
         "end the run after an in_order packet: launch nothing else in the same run", "in_order"},
    [LAB07_HANDLERS_AS_TAILS] =
        {"handlers_as_tails",
         "Handlers were launched as tails, so they ran serially: a tail waits for the tails "
         "before it.",
         "launch handlers with cudaStreamGraphFireAndForget", "types_at_once packets_time"},
    [LAB07_ONE_PACKET_A_RUN] =
        {"one_packet_a_run",
         "Handlers of different types ran serially, although they may run concurrently.",
         "in one run of the scheduler, take packets until one has to wait for another",
         "types_at_once packets_time"},
    [LAB07_INSTANTIATES_EACH_CALL] =
        {"instantiates_each_call",
         "The function instantiates graphs in each call. That takes longer than the launches.",
         "instantiate in the first call, and keep the executable graphs in lab->state until "
         "teardown",
         "loop_time packets_time leak"},
    [LAB07_HOST_LOOP] =
        {"host_loop",
         "The host launches in a loop. The device waits for the host in each iteration.",
         "launch one graph from the host and wait; let its kernel launch the others",
         "types_at_once loop_time packets_time many one_packet_a_run"},
    [LAB07_NOT_BY_DEVICE] =
        {"not_by_device",
         "The result is right, but kernels did not launch the graphs: the host, one kernel or one "
         "large graph did the work.",
         "launch each worker, each iteration after the first and each handler with "
         "cudaGraphLaunch in a kernel",
         ALL_IS_WRONG},
    [LAB07_OTHER_GRAPHS] =
        {"other_graphs", "Other graphs than the given ones were launched.",
         "instantiate the graphs in lab->workers, sum, root and handlers, and launch these",
         "no_host errors packets_time"},
    [LAB07_SHARED_STATE] =
        {"shared_state",
         "One function is right alone, but wrong after calls of the other two: they share state.",
         "keep a separate executable graph and a separate table for each function in lab->state",
         NULL},
};

const struct judge_mistake *lab07_mistake(enum lab07_cause cause)
{
    return cause > LAB07_NOT_KNOWN && cause < LAB07_CAUSES ? &mistakes[cause] : NULL;
}

void lab07_fail_for(enum lab07_cause cause)
{
    judge_fail_for(lab07_mistake(cause));
}

/*
 * mistakes.c: what the report says of each mistake of lab 10.
 *
 * What is wrong with the graph explains what is wrong with values, and that explains the rest.
 */
#include "mistakes.h"

#include "session/session.h"

/* Checks whose results are wrong. */
#define CHECKS "results checks limit precision one_launch time race_free "
/* And a run that takes too long. */
#define RESULTS CHECKS "never_ends "
/* Where results come from, if work is missing. */
#define ORIGINS                                                                                    \
    "not_copied_back not_computed kernel_left_out other_inputs inputs_not_read unordered "
/* Values that are wrong if the graph is. */
#define VALUES                                                                                     \
    "no_report not_counted not_entered one_late no_check probe_not_reset buffer_unchanged "        \
    "check_not_set decide_never_ends decide_too_soon step_too_soon limit_early limit_late "        \
    "no_limit check_always check_missed check_never_reset checks_not_counted change_wrong "        \
    "not_in_graph switch_other_body switch_not_set decide_continues miscounted "
#define GRAPH_IS_WRONG RESULTS ORIGINS VALUES

static const struct judge_mistake mistakes[LAB10_CAUSES] = {
    [LAB10_NODE_TYPE] =
        {"node_type",
         "cudaGraphAddNode was called for another type of node: params.type is not set. 0 means a "
         "kernel node.",
         "set params.type = cudaGraphNodeTypeConditional (step 4)", NULL},
    [LAB10_NODE_SIZE] =
        {"node_size",
         "cudaGraphAddNode refused the conditional node: params.conditional.size is 0, or does not "
         "fit the type.",
         "set params.conditional.size = n_bodies (step 4)", NULL},
    [LAB10_HANDLE_MISSING] =
        {"handle_missing", "cudaGraphAddNode refused the conditional node: its handle is 0.",
         "create the handle with cudaGraphConditionalHandleCreate (steps 7 and 8), and set "
         "params.conditional.handle",
         NULL},
    [LAB10_HANDLE_TWICE] =
        {"handle_twice",
         "cudaGraphAddNode refused the conditional node: another node has its handle already.",
         "create one handle for each node: two for each precision, and one for the SWITCH", NULL},
    [LAB10_GRAPH_ELSEWHERE] =
        {"graph_elsewhere",
         "cudaGraphAddNode refused the conditional node: the handle belongs to another graph. The "
         "body was captured into a new graph.",
         "capture each body with begin: cudaStreamBeginCaptureToGraph", NULL},
    [LAB10_BODY_NULL] =
        {"body_null",
         "cudaStreamBeginCaptureToGraph got NULL as the graph: a body that was never stored.",
         "copy all n_bodies graphs of params.conditional.phGraph_out to bodies[] (step 4)", NULL},
    [LAB10_BODY_TOO_EARLY] =
        {"body_too_early",
         "cudaStreamBeginCaptureToGraph was refused. A stream captures into one graph at a time.",
         "call end for one body before you fill the next body", NULL},
    [LAB10_HANDLE_WITHOUT_NODE] =
        {"handle_without_node",
         "cudaGraphInstantiate refused the graph: a handle was created, and no node has it.",
         "add the node of each handle, in the graph or in one of its bodies", NULL},
    [LAB10_BODY_CONTENT] =
        {"body_content",
         "cudaGraphInstantiate refused the graph: a body may not contain host nodes, event nodes "
         "or allocations.",
         "remove them from the body: kernels, copies, memsets, child graphs and conditional nodes "
         "may stay",
         NULL},
    [LAB10_INSTANTIATED_TWICE] =
        {"instantiated_twice",
         "cudaGraphInstantiate refused the graph: a graph with conditional nodes has one "
         "executable graph at a time.",
         "instantiate once, in lab10_setup, and destroy the executable graph in lab10_teardown",
         NULL},
    [LAB10_NO_CONDITIONAL] = {"no_conditional",
                              "The graph has no conditional node, so the host decides.",
                              "add SWITCH, WHILE and IF with cudaGraphAddNode (step 4)",
                              GRAPH_IS_WRONG "other_graph host_loop instantiates_each_call"},
    [LAB10_SWEEPS_OUTSIDE] =
        {"sweeps_outside",
         "Sweeps are in the graph itself, where they run once per launch, and not in the body of "
         "the WHILE.",
         "capture the sweeps between begin and end of the WHILE's body (step 6)",
         GRAPH_IS_WRONG "host_loop"},
    [LAB10_BODY_EMPTY] =
        {"body_empty", NULL,
         "capture into the body of the node: begin (cudaStreamBeginCaptureToGraph) with that body",
         GRAPH_IS_WRONG},
    [LAB10_NODE_KIND] =
        {"node_kind", NULL,
         "compare with the graph in lab.h: one SWITCH, one WHILE in each of its bodies, one IF in "
         "each WHILE",
         GRAPH_IS_WRONG},
    [LAB10_NODE_BODIES] = {"node_bodies", NULL,
                           "params.conditional.size is the number of bodies: 2 for the SWITCH, 1 "
                           "for WHILE and IF",
                           GRAPH_IS_WRONG},
    [LAB10_OTHER_PRECISION] =
        {"other_precision",
         "A body of the SWITCH has sweeps, a probe or a check of the other precision.",
         "fill bodies[LAB10_FLOAT] in float and bodies[LAB10_DOUBLE] in double",
         GRAPH_IS_WRONG "probe_missing"},
    [LAB10_NO_SWEEPS] = {"no_sweeps", "The body of the WHILE has no sweep.",
                         "call enqueue_sweep between begin and end of the WHILE's body (step 6)",
                         GRAPH_IS_WRONG},
    [LAB10_SWEEPS_MISCOUNTED] = {"sweeps_miscounted",
                                 "The body of the WHILE has more or fewer sweeps than `sweeps`.",
                                 "call enqueue_sweep for k = 0 to sweeps - 1", GRAPH_IS_WRONG},
    [LAB10_PROBE_MISSING] = {"probe_missing",
                             "The body of the WHILE has no probe, or more than one.",
                             "call enqueue_probe once, after the sweeps, in the body of the WHILE",
                             GRAPH_IS_WRONG},
    [LAB10_STEP_MISSING] = {"step_missing",
                            "The body of the WHILE has no kernel `step`: nothing counts the "
                            "iterations.",
                            "call lab10_launch_step after enqueue_probe (step 6)", GRAPH_IS_WRONG},
    [LAB10_CLEAR_IN_LOOP] =
        {"clear_in_loop",
         "The body of the WHILE has a memset of x, so each iteration begins with 0 again.",
         "clear x once, before the WHILE", GRAPH_IS_WRONG},
    [LAB10_CHECK_EMPTY] =
        {"check_empty", "The body of the IF is empty: nothing was captured into it.",
         "between begin and end of that body (step 5): enqueue_check, then lab10_launch_decide",
         GRAPH_IS_WRONG "leak"},
    [LAB10_CHANGE_MISSING] = {"change_missing",
                              "The body of the IF does not compute the change of x, or more than "
                              "once.",
                              "call enqueue_check once, before lab10_launch_decide (step 5)",
                              GRAPH_IS_WRONG "decide_early"},
    [LAB10_CHANGE_EACH_TIME] =
        {"change_each_time",
         "The change of all x is not computed in the body of the IF, but in each iteration. That "
         "costs time.",
         "call enqueue_check in the body of the IF, before lab10_launch_decide",
         "one_launch time change_wrong"},
    [LAB10_DECIDE_MISSING] = {"decide_missing",
                              "The body of the IF has no kernel after the change.",
                              "call lab10_launch_decide after enqueue_check (step 5)",
                              GRAPH_IS_WRONG "decide_early if_not_last"},
    [LAB10_COPY_IN_LOOP] =
        {"copy_in_loop",
         "A conditional body copies to the host. Each iteration waits for the copy, and nothing "
         "reads it.",
         "copy once, after the SWITCH: kernels find all they need in the control block", "time "},
    [LAB10_NODE_UNORDERED] =
        {"node_unordered",
         "A conditional node depends on no node, so it does not wait for the work before it.",
         "pass the dependencies that cudaStreamGetCaptureInfo returns to cudaGraphAddNode (step 4)",
         GRAPH_IS_WRONG},
    [LAB10_CAPTURE_UNAWARE] =
        {"capture_unaware", "Work that was captured after a conditional node does not wait for it.",
         "make the node the dependency of the next captured work: "
         "cudaStreamUpdateCaptureDependencies (step 4)",
         GRAPH_IS_WRONG},
    [LAB10_PLAN_LATE] = {"plan_late",
                         "The SWITCH does not wait for the kernels that choose its value.",
                         "keep the order clear, H2D, largest, plan, SWITCH", GRAPH_IS_WRONG},
    [LAB10_SWEEPS_LATE] =
        {"sweeps_late",
         "Probe or IF do not wait for the sweeps of their iteration, so they use the values of the "
         "iteration before.",
         "keep the order sweeps, probe, step, IF", GRAPH_IS_WRONG},
    [LAB10_STEP_EARLY] = {"step_early",
                          "`step` does not wait for the probe of its iteration, so it uses that of "
                          "the iteration before.",
                          "enqueue the probe before lab10_launch_step", GRAPH_IS_WRONG},
    [LAB10_IF_NOT_LAST] = {"if_not_last",
                           "The IF is not the last node of an iteration: a kernel that sets its "
                           "value runs after it.",
                           "add the IF after lab10_launch_step", GRAPH_IS_WRONG},
    [LAB10_NOT_A_CHAIN] = {"not_a_chain", "Nodes of one body do not wait for each other.",
                           "enqueue them in one stream, one after another: sweeps, probe, step, IF",
                           GRAPH_IS_WRONG},
    [LAB10_DECIDE_EARLY] =
        {"decide_early",
         "`decide` does not run after the change that it needs, so it uses that of the check "
         "before.",
         "in the body of the IF: enqueue_check, then lab10_launch_decide", GRAPH_IS_WRONG},
    [LAB10_NEVER_ENDS] = {"never_ends", "The WHILE never ends: no kernel set its value to 0.",
                          "in `step` (step 2) set `loop` to 0 after max_iterations iterations; in "
                          "`decide` (step 3) if the change is small enough",
                          CHECKS},
    [LAB10_NO_FINAL_WAIT] =
        {"no_final_wait",
         "lab10_solve returned while the device was still working. A wait for NULL is a wait for "
         "another stream.",
         "launch the graph in state->stream, then call cudaStreamSynchronize(state->stream)",
         RESULTS ORIGINS},
    [LAB10_NO_REPORT] = {"no_report", "Nothing was in lab->report when lab10_solve returned.",
                         "copy the control block to lab->report in the last node of the graph, and "
                         "wait for the stream",
                         RESULTS},
    [LAB10_NOT_COUNTED] = {"not_counted", "Iterations ran, but control->iterations is still 0.",
                           "in `step` (step 2), add 1 to control->iterations", RESULTS},
    [LAB10_MISCOUNTED] =
        {"miscounted", "x is right, but control->iterations is not the number of iterations.",
         "launch `step` once per iteration; add 1 to control->iterations there, and nowhere else",
         RESULTS ORIGINS "one_late no_limit limit_late decide_never_ends"},
    [LAB10_NO_DEFAULT] =
        {"no_default",
         "The WHILE was not entered: its value is 0 when a launch begins. Without "
         "cudaGraphCondAssignDefault the given default is ignored.",
         "create the handle of the WHILE with default 1 and cudaGraphCondAssignDefault (step 7)",
         GRAPH_IS_WRONG},
    [LAB10_SWITCH_NO_BODY] =
        {"switch_no_body",
         "The SWITCH ran no body: its value is not the index of one. Indices begin with 0.",
         "in `plan` (step 1), set `variant` to LAB10_FLOAT or LAB10_DOUBLE", RESULTS ORIGINS},
    [LAB10_NOT_ENTERED] =
        {"not_entered", "No iteration ran, or its results were copied before it ran.",
         "check that the copies back wait for the SWITCH, and which values SWITCH "
         "and WHILE have",
         RESULTS ORIGINS},
    [LAB10_PLAN_WRONG] = {"plan_wrong",
                          "`plan` chose the wrong precision for this b and this tolerance.",
                          "choose double if tolerance < LAB10_FLOAT_LIMIT * control->largest, else "
                          "float",
                          RESULTS},
    [LAB10_PRECISION_NOT_STORED] =
        {"precision_not_stored",
         "The body of the right precision ran, but control->precision names the other one.",
         "in `plan` (step 1), store the precision in control->precision, too", RESULTS},
    [LAB10_SWITCH_NOT_SET] =
        {"switch_not_set",
         "`plan` did not set the value of the SWITCH, so the body of the last value ran.",
         "in `plan` (step 1), set the value of `variant` with cudaGraphSetConditional", RESULTS},
    [LAB10_SWITCH_OTHER_BODY] =
        {"switch_other_body", "The SWITCH ran the body of the other precision.",
         "in `plan` (step 1), first store control->precision, then set `variant` to it: "
         "LAB10_FLOAT is body 0, LAB10_DOUBLE is body 1",
         RESULTS "switch_no_body "},
    [LAB10_DECIDE_CONTINUES] =
        {"decide_continues",
         "More than max_iterations iterations ran: a kernel set the WHILE to 1 after `step` had "
         "set it "
         "to 0.",
         "in `decide` (step 3), set `loop` to 0 or leave it alone: never set it to 1", RESULTS},
    [LAB10_NO_LIMIT] = {"no_limit",
                        "More than max_iterations iterations ran: `step` did not end the loop.",
                        "in `step` (step 2), set `loop` to 0 if control->iterations has reached "
                        "max_iterations",
                        RESULTS},
    [LAB10_LIMIT_LATE] =
        {"limit_late", "One iteration more than max_iterations ran.",
         "in `step` (step 2), first add 1 to control->iterations, then compare it with "
         "max_iterations",
         RESULTS},
    [LAB10_LIMIT_EARLY] =
        {"limit_early", "The loop ended one iteration before max_iterations.",
         "in `step` (step 2), add 1 to control->iterations once, and end the loop if "
         "it has reached max_iterations",
         RESULTS "decide_too_soon step_too_soon"},
    [LAB10_ONE_LATE] = {"one_late",
                        "One iteration too many ran: the loop ended by the values of the iteration "
                        "before.",
                        "keep the order sweeps, probe, step, IF; in the IF: clear, change, decide",
                        RESULTS},
    [LAB10_BUFFER_UNCHANGED] =
        {"buffer_unchanged",
         "x is still 0 after all iterations: no sweep wrote the buffer in which an iteration ends.",
         "sweep k reads one buffer and writes the other: alternate with k % 2", RESULTS ORIGINS},
    [LAB10_X_NOT_CLEARED] =
        {"x_not_cleared",
         "x holds values that are not numbers: the first sweep read a buffer that nothing wrote.",
         "clear x before the WHILE, and begin with sweep 0: it reads the buffer that enqueue_clear "
         "clears",
         RESULTS ORIGINS "not_copied_in"},
    [LAB10_CHECK_NOT_SET] = {"check_not_set", "`step` never set the value of the IF.",
                             "in `step` (step 2), set `check` in each iteration: "
                             "control->probe <= tolerance",
                             RESULTS},
    [LAB10_PROBE_NOT_RESET] =
        {"probe_not_reset",
         "No check ran, because control->probe never became small. launch_change only ever "
         "increases it.",
         "in `step` (step 2), set control->probe to 0 after you have used it", RESULTS},
    [LAB10_NO_CHECK] = {"no_check", "No check ran, so the loop did not end when x was good enough.",
                        "in `step` (step 2): set `check` from the probe in each iteration, then "
                        "set control->probe "
                        "to 0",
                        RESULTS},
    [LAB10_CHECK_WHEN_LARGE] =
        {"check_when_large",
         "Checks ran, but the last of them found a change above the tolerance. So the loop went "
         "on.",
         "in `step` (step 2), set `check` to control->probe <= tolerance; each check clears "
         "control->change first (enqueue_check)",
         RESULTS},
    [LAB10_PROBE_EQUAL] = {"probe_equal",
                           "No check ran, although the probe was equal to the tolerance.",
                           "in `step` (step 2), compare with <=, not with <", "checks "},
    [LAB10_CHANGE_EQUAL] = {"change_equal",
                            "The loop went on, although the change was equal to the tolerance.",
                            "in `decide` (step 3), compare with <=, not with <", "checks "},
    [LAB10_DECIDE_OTHER_HANDLE] =
        {"decide_other_handle",
         "`decide` set the value of the IF, and not that of the WHILE. So the loop went on.",
         "pass handles->loop to lab10_launch_decide (step 5)", RESULTS},
    [LAB10_DECIDE_NEVER_ENDS] =
        {"decide_never_ends",
         "Checks ran, and the change was small enough, but `decide` did not end the loop.",
         "in `decide` (step 3), set `loop` to 0 if control->change <= tolerance", RESULTS},
    [LAB10_DECIDE_TOO_SOON] =
        {"decide_too_soon", "The loop ended too early: x still changed by more than the tolerance.",
         "in `decide` (step 3), compare control->change (not the probe) with the tolerance; in "
         "`step`, end the loop at max_iterations only",
         RESULTS "decide_never_ends"},
    [LAB10_HANDLES_SWAPPED] =
        {"handles_swapped",
         "The loop ended too early: `step` set the WHILE to 0, and never set the IF.",
         "pass handles->check, then handles->loop, to lab10_launch_step", RESULTS},
    [LAB10_STEP_TOO_SOON] =
        {"step_too_soon", "The loop ended too early, before any check: `step` set the WHILE to 0.",
         "in `step` (step 2), set `loop` to 0 only after max_iterations iterations",
         RESULTS "decide_too_soon"},
    [LAB10_CHECK_NEVER_RESET] =
        {"check_never_reset",
         "Checks ran that no probe required: the IF was set to 1, and never to 0 again. A value "
         "stays until a kernel sets it.",
         "in `step` (step 2), set `check` in each iteration, to 1 or to 0",
         "checks one_launch time "},
    [LAB10_CHECK_ALWAYS] =
        {"check_always",
         "Checks ran that no probe required: `step` set the IF to 1 although the probe was large, "
         "or the probe was 0 already.",
         "in `step` (step 2), first set `check` from control->probe, then reset the probe",
         "checks one_launch time "},
    [LAB10_CHECKS_NOT_COUNTED] = {"checks_not_counted",
                                  "control->checks is not the number of checks that ran.",
                                  "in `decide` (step 3), add 1 to control->checks in every run, "
                                  "and nowhere else",
                                  "checks one_launch "},
    [LAB10_CHECK_MISSED] =
        {"check_missed", "A check that the probe required did not run.",
         "let the probe compare row n / 2 alone, and set `check` to 1 whenever it is at most the "
         "tolerance",
         "checks one_launch "},
    [LAB10_LAST_CHECK_MISSED] =
        {"last_check_missed",
         "The check in the last allowed iteration did not run, although its probe required one.",
         "in `step` (step 2), set `check` from the probe in every iteration, the last one included",
         "checks "},
    [LAB10_CHANGE_WRONG] =
        {"change_wrong",
         "report->change is not the largest change of the last iteration that was checked.",
         "clear control->change in the body of the IF only, then compute it over all of x "
         "(enqueue_check)",
         "checks one_launch "},
    [LAB10_INSTANTIATES_EACH_CALL] =
        {"instantiates_each_call",
         "lab10_solve instantiates the graph. That takes longer than all iterations.",
         "instantiate in lab10_setup, and only launch in lab10_solve", "time "},
    [LAB10_HOST_LOOP] = {"host_loop",
                         "lab10_solve launches graphs repeatedly. Each iteration waits for the "
                         "host.",
                         "launch one graph per call: its WHILE runs the iterations",
                         RESULTS "other_graph"},
    [LAB10_BESIDE_GRAPH] = {"beside_graph",
                            "lab10_solve enqueues copies or kernels that are not in its graph.",
                            "put them into the graph: lab10_solve only launches and waits",
                            "time "},
    [LAB10_NOT_IN_GRAPH] = {"not_in_graph",
                            "The result is right, but the graph did not run the sweeps of its "
                            "iterations.",
                            "let the WHILE run the sweeps, and `step` and `decide` end it",
                            RESULTS ORIGINS "changed_by_host"},
};

_Static_assert(sizeof GRAPH_IS_WRONG "other_graph host_loop instantiates_each_call" <
                   sizeof((struct session_check *)NULL)->explains,
               "a session has room for it");

const struct judge_mistake *lab10_mistake(enum lab10_cause cause)
{
    return cause > LAB10_NOT_KNOWN && cause < LAB10_CAUSES ? &mistakes[cause] : NULL;
}

void lab10_fail_for(enum lab10_cause cause)
{
    judge_fail_for(lab10_mistake(cause));
}

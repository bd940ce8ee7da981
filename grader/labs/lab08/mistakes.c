/* mistakes.c: the mistakes of lab 08, each with its next step. */
#include "mistakes.h"

#include <cuda_runtime_api.h>
#include <signal.h>
#include <string.h>

#include "refused.h"

/* ---- branches -------------------------------------------------------------------------------- */

const struct judge_mistake
    lab08_memset_width =
        {"memset_width",
         "The memset node does not set n floats to 0. Its width counts elements of elementSize "
         "bytes.",
         "set elementSize to sizeof(float), width to n and value to 0",
         "branches_results other_inputs"},
    lab08_copy_size = {"copy_size", "A copy node of lab08_branches does not move n floats.",
                       "set extent.width of the copy to n * sizeof(float): it counts bytes",
                       "branches_results temporary_results temporary_time host_function "
                       "not_copied_in not_copied_back not_written"},
    lab08_edge_with_data =
        {"edge_with_data",
         "An edge of lab08_branches carries data. From the port of a kernel's launch, the second "
         "node can start before the first is complete.",
         "pass NULL for the data of edges: the fourth argument of cudaGraphAddNode", "unordered"},
    lab08_waits_for_other_event =
        {"waits_for_other_event",
         "The event wait node waits for another event than `ready`: the copy can start before its "
         "input is complete.",
         "pass b->ready to add_wait, and there set params.eventWait.event to it",
         "branches_results not_copied_back inputs_not_read other_inputs"},
    lab08_records_other_event = {
        "records_other_event",
        "The event record node records another event than `done`: a stream that waits for `done` "
        "does not wait for this graph.",
        "pass b->done to add_record, and there set params.eventRecord.event to it",
        "branches_results not_copied_back inputs_not_read other_inputs"};

/* Results of other arguments. */
const struct judge_mistake
    lab08_grid_rounded_down =
        {"grid_rounded_down",
         "The last n % 256 elements are not computed: gridDim is rounded down.",
         "divide so that the last, partial block counts, too: (n + 255) / 256",
         "temporary_time host_data early_time not_copied_in not_written "
         "other_inputs not_computed not_copied_back"},
    lab08_idle_blocks = {"idle_blocks",
                         "A kernel node of lab08_branches has more blocks than n elements need: "
                         "one thread computes one element.",
                         "divide n by the number of threads of a block: gridDim.x is (n + 255) / "
                         "256",
                         "temporary_time early_time"},
    lab08_alpha_of_join = {"alpha_of_join",
                           "out is strength * (u + x): the saxpy node that adds u multiplies it by "
                           "strength.",
                           "give the node [saxpy: sum += u] an alpha of 1: &one, the address of a "
                           "variable that is 1",
                           NULL},
    lab08_alpha_of_scale = {"alpha_of_scale",
                            "out is u + x: the saxpy node that adds x does not multiply it by "
                            "strength.",
                            "pass &strength as alpha to the node [saxpy: sum += s x]", NULL},
    lab08_x_added_twice = {"x_added_twice",
                           "out is x + strength * x: both saxpy nodes add x, and none adds u.",
                           "pass &u as the second argument to the node [saxpy: sum += u]",
                           "unordered"},
    lab08_x_not_added = {"x_not_added",
                         "out is u alone: strength * x is missing. A saxpy node has its arguments "
                         "in another order, or another array is copied back.",
                         "pass saxpy its arguments in the order y, x, alpha, n, with &sum as the "
                         "first in both nodes and a float (no double) as alpha, and copy sum back",
                         "unordered not_computed other_inputs"},
    lab08_u_not_added = {
        "u_not_added",
        "out is strength * x alone: u is missing. The saxpy node that adds u has "
        "its arguments in another order, or adds another array.",
        "pass &sum, &u, &one and &n to the node [saxpy: sum += u], in this order; one "
        "is a float that is 1",
        "unordered not_computed other_inputs"};

const struct judge_mistake lab08_weights_by_row = {
    "weights_by_row", "weigh adds up rows of weights: its sum is that of other elements.",
    "add up weights[k * n + i] for all k: weight k of element i", "early_time"};

/* ---- priorities ------------------------------------------------------------------------------ */

const struct judge_mistake
    lab08_other_priority =
        {"other_priority",
         "The produce node does not have b->priority. A lower number is a greater priority, and "
         "a number out of range becomes the nearest one in it.",
         "call cudaGraphKernelNodeSetAttribute for the produce node, with "
         "cudaLaunchAttributePriority and value.priority = b->priority as it is",
         NULL},
    lab08_priority_of_all = {"priority_of_all",
                             "Other kernel nodes have a priority, too: then none has precedence.",
                             "set the attribute of the produce node alone", NULL},
    lab08_priority_ignored = {
        "priority_ignored",
        "lab08_instantiate ignores the priorities of nodes: without a flag, all nodes have the "
        "priority of the stream that the graph is launched in.",
        "call cudaGraphInstantiateWithParams with params.flags = "
        "cudaGraphInstantiateFlagUseNodePriority",
        NULL};

/* ---- temporary memory ------------------------------------------------------------------------ */

const struct judge_mistake
    lab08_other_device = {"other_device",
                          "The alloc nodes allocate on device 0, whatever t->device is.",
                          "add_alloc: set params.alloc.poolProps.location.id to the device", NULL},
    lab08_permanent_buffers =
        {"permanent_buffers",
         "The graph of lab08_temporary has no alloc node: its arrays exist also while the graph "
         "does not run.",
         "allocate a and b with add_alloc, and free them with add_free",
         "temporary_results temporary_time leak not_copied_in"},
    lab08_never_freed =
        {"never_freed",
         "lab08_temporary has fewer free nodes than alloc nodes. An array that no node frees "
         "stays allocated, and the next launch cannot allocate it again.",
         "add a free node for each array, after the last node that uses the array",
         "temporary_results temporary_time leak race_free"},
    lab08_alloc_size = {"alloc_size",
                        "An alloc node of lab08_temporary does not allocate n floats.",
                        "set params.alloc.bytesize to n * sizeof(float): it counts bytes",
                        "temporary_results temporary_time out_of_bounds race_free"},
    lab08_consume_swapped = {"consume_swapped",
                             "In lab08_temporary, consume reads b and writes a: it has its "
                             "arguments in another order.",
                             "pass &b, &a and &n to the node [consume b]: the output comes first",
                             "not_written unordered used_after_free"},
    lab08_copies_in_elsewhere =
        {"copies_in_elsewhere",
         "In lab08_temporary, consume reads another array than the one that was copied in.",
         "copy t->in to a, and pass &a as the second argument of consume",
         "not_written unordered used_after_free"},
    lab08_copies_other_back =
        {"copies_other_back",
         "In lab08_temporary, the copy back reads another array than the one that consume writes.",
         "copy b to t->out, and pass &b as the first argument of consume",
         "not_written unordered used_after_free"},
    lab08_frees_swapped = {
        "frees_swapped",
        "The free nodes are swapped: b is freed after consume, while the copy back reads it, and a "
        "is freed after the copy back.",
        "pass a to the free node that waits for consume, and b to the one that waits for [D2H b]",
        "used_after_free unordered not_written"};

/* ---- child graphs ---------------------------------------------------------------------------- */

const struct judge_mistake
    lab08_library_not_captured =
        {"library_not_captured",
         "The graph of lab08_library has kernel nodes of its own, and no child graph.",
         "capture the library's work in l->stream, and add the graph that cudaStreamEndCapture "
         "gives as a node of the type cudaGraphNodeTypeGraph",
         "library_results"},
    lab08_captured_nothing =
        {"captured_nothing",
         "The child graphs are empty: the library's work was enqueued in a stream that does not "
         "capture.",
         "call l->library between cudaStreamBeginCapture and cudaStreamEndCapture of l->stream, "
         "and "
         "pass l->stream to it",
         "library_results not_written unordered"},
    lab08_one_child = {"one_child",
                       "A child graph does not hold one call of the library: each call enqueues "
                       "two kernels.",
                       "for each child graph begin a capture, call the library once, and end the "
                       "capture",
                       "library_results"},
    lab08_same_weight = {"same_weight",
                         "Both child graphs ran with weight[0]. A child graph is a copy: changes "
                         "of the captured graph after cudaGraphAddNode do not reach it.",
                         "capture the library's work again with weight[1], then add that graph",
                         NULL},
    lab08_weights_swapped = {"weights_swapped",
                             "The first child graph ran with weight[1], and the second one with "
                             "weight[0].",
                             "pass l->weight[0] to the first call of add_library, and l->weight[1] "
                             "to the second",
                             NULL};

/* ---- host nodes ------------------------------------------------------------------------------ */

const struct judge_mistake
    lab08_other_data = {"other_data",
                        "The host node's data is not the memory that `allocate` returned. A local "
                        "variable is gone when the function returns.",
                        "set params.host.userData to data, which `allocate` returned", NULL},
    lab08_data_given_away = {"data_given_away",
                             "lab08_summary gives the data away before it returns: the host "
                             "function would read memory that is freed.",
                             "move your only reference to the graph, and release none: "
                             "cudaGraphRetainUserObject with cudaGraphUserObjectMove",
                             NULL},
    lab08_data_freed_early = {"data_freed_early",
                              "The data is freed when the graph is destroyed, while an executable "
                              "graph still needs it.",
                              "let a user object free the data, and let the graph own the object: "
                              "cudaUserObjectCreate, then cudaGraphRetainUserObject",
                              NULL},
    lab08_data_never_freed =
        {"data_never_freed",
         "The data is never freed. A reference still exists when the last executable graph is "
         "gone, "
         "or no user object has this data and s->destructor.",
         "in retain_data, create the user object with data, destructor and 1 reference, and move "
         "this reference to the graph: cudaGraphRetainUserObject(graph, object, 1, "
         "cudaGraphUserObjectMove)",
         NULL},
    lab08_data_freed_twice =
        {"data_freed_twice", "The data is freed more than once.",
         "create one user object for the data, and call the destructor nowhere else", NULL},
    lab08_frees_other_data =
        {"frees_other_data",
         "the destructor was called with another address than `allocate` returned.",
         "pass data to cudaUserObjectCreate, the address that `allocate` returned", NULL},
    lab08_host_calls_cuda =
        {"host_calls_cuda",
         "The host function calls the CUDA runtime, which refuses that (cudaErrorNotPermitted).",
         "let nodes do it: a copy before the host node, a kernel after it", NULL},
    lab08_host_not_run = {"host_not_run", "The host function does not run once per launch.",
                          "add one host node, with compute_mean as params.host.fn", NULL},
    lab08_wrong_mean = {
        "wrong_mean", "*mean is not the mean of the values of its own launch.",
        "let the host node wait for the copy of `values`, and pass s->values and s->mean to "
        "it in its data",
        NULL};

/* ---- a kernel that starts early -------------------------------------------------------------- */

#define EDGE_DATA                                                                                  \
    "set the edge's from_port to cudaGraphKernelNodePortLaunchCompletion and its type to "         \
    "cudaGraphDependencyTypeProgrammatic"

/* As a sentence, and with the other fields. */
#define EDGE_DATA_0                                                                                \
    "Set its from_port to cudaGraphKernelNodePortLaunchCompletion, its type to "                   \
    "cudaGraphDependencyTypeProgrammatic and all other fields to 0"

const struct judge_mistake
    lab08_ordinary_edge = {"ordinary_edge",
                           "The edge of lab08_early is an ordinary one: the second kernel starts "
                           "when the first is complete.",
                           EDGE_DATA, "early_time"},
    lab08_edge_waits_for_trigger =
        {"edge_waits_for_trigger",
         "The edge waits for cudaTriggerProgrammaticLaunchCompletion, which produce does not call. "
         "So it waits for the end of produce.",
         EDGE_DATA, "early_time"},
    lab08_edge_without_type =
        {"edge_without_type",
         "The edge of lab08_early has no programmatic type. So the second kernel starts early, and "
         "cudaGridDependencySynchronize waits for nothing.",
         EDGE_DATA, "early_results early_time reads_too_early"},
    lab08_reads_too_early =
        {"reads_too_early",
         "weigh reads u before produce has written it: the kernel starts while produce still runs.",
         "call cudaGridDependencySynchronize in weigh, after the loop over the weights and before "
         "it reads u",
         "early_results early_time"},
    lab08_waits_before_weights = {
        "waits_before_weights",
        "A launch takes as long as with an ordinary edge: weigh waits for the end of produce "
        "before it has added up the weights.",
        "move cudaGridDependencySynchronize to after the loop over the weights", "early_time"};

/* ---- any graph ------------------------------------------------------------------------------- */

const struct judge_mistake
    lab08_error_not_returned = {"error_not_returned",
                                "lab08_instantiate returns cudaSuccess for a graph with a cycle.",
                                "return the error of cudaGraphInstantiateWithParams", NULL},
    lab08_other_error = {"other_error",
                         "lab08_instantiate returns another error than the one that it got. The "
                         "caller learns the wrong reason.",
                         "return the error of cudaGraphInstantiateWithParams itself", NULL},
    lab08_names_no_node = {"names_no_node",
                           "The runtime named a node of the cycle, and lab08_instantiate does not "
                           "store it in *node.",
                           "call cudaGraphInstantiateWithParams, and copy params.errNode_out to "
                           "*node before you return",
                           NULL},
    lab08_exec_not_null = {"exec_not_null",
                           "lab08_instantiate fails, and leaves an old value in *exec.",
                           "set *exec to NULL before you return the error", NULL},
    lab08_stale_error = {"stale_error",
                         "lab08_instantiate does not clear the error: the caller's next "
                         "cudaGetLastError finds it and blames another call.",
                         "call cudaGetLastError once before you return the error", NULL},
    lab08_not_drawn = {"not_drawn", "lab08_draw wrote no drawing to the file that it was given.",
                       "pass `path` to cudaGraphDebugDotPrint", NULL};

/* ---- what a submission did ------------------------------------------------------------------- */

static const struct judge_mistake
    unordered = {"unordered", NULL,
                 "add the edge that is missing: list the earlier node in the AFTER(...) of the "
                 "later one",
                 NULL},
    not_written = {"not_written", NULL,
                   "let an earlier node write all of this memory, and add an edge from it", NULL},
    used_after_free = {"used_after_free", NULL,
                       "let the free node wait for the last node that uses the array", NULL},
    out_of_bounds = {"out_of_bounds", NULL,
                     "pass the kernel its arguments in the order and with the types of its "
                     "parameters: saxpy has y, x, a float alpha and an int n",
                     NULL},
    not_instantiated = {"not_instantiated", "The graph cannot be instantiated.",
                        "compare its nodes and edges with the drawing in lab.h", NULL},
    user_object = {"user_object",
                   "The call refused its arguments: a user object has flags, a count of "
                   "references, and lives while a reference exists.",
                   "call cudaUserObjectCreate with 1 reference and cudaUserObjectNoDestructorSync. "
                   "Then move this reference to the graph, before you release any",
                   NULL},
    crashed_in_run = {"crashed_in_run",
                      "The program crashed during a launch, when your host function runs.",
                      "let compute_mean free nothing, and read only its data: the next launch "
                      "needs the data, and the user object frees it at the end",
                      "race_free"},
    capture_not_ended = {.name = "capture_not_ended"},
    instantiated_twice = {"instantiated_twice",
                          "A graph with alloc or free nodes can have one executable graph at a "
                          "time, and one exists already.",
                          "instantiate once in lab08_instantiate, and do not test it before",
                          "host_data data_never_freed"},
    invalid_edge = {"invalid_edge",
                    "cudaGraphAddDependencies refused an edge: a programmatic edge needs both type "
                    "and from_port, and two nodes have one edge.",
                    "let weigh wait for NOTHING when you add it, and add one edge. " EDGE_DATA_0,
                    NULL};

static const struct judge_mistake argument_by_value = {
    "argument_by_value",
    "A kernel node got an argument where the address of an argument belongs, and the runtime "
    "followed it into device memory.",
    "pass addresses in kernelParams: &sum, not sum", "device_memory_on_host"};

static const struct judge_mistake argument_missing = {
    "argument_missing",
    "The runtime copied the arguments of a kernel node, and one of their addresses is none: "
    "kernelParams has fewer addresses than the kernel has parameters, or other pointers.",
    "pass the address of each argument, in order: saxpy y, x, alpha, n; produce out, in, steps, n; "
    "consume out, in, n",
    NULL};

static const struct judge_mistake *of_failure(const struct wire_failure *f)
{
    const bool invalid = f->error.code == cudaErrorInvalidValue;
    if (f->cause)
        return lab08_refusal(f->cause);
    if (strcmp(f->what, "lab08_instantiate") == 0 && f->error.code == cudaErrorNotSupported)
        return &instantiated_twice;
    if (strcmp(f->what, "lab08_instantiate") == 0 && invalid)
        return &not_instantiated;
    if (strcmp(f->what, "lab08_draw") == 0 && f->error.code == cudaErrorOperatingSystem)
        return &lab08_not_drawn;
    if (invalid && strstr(f->error.call, "UserObject"))
        return &user_object;
    if (f->error.code == cudaErrorIllegalState)
        return &capture_not_ended;
    return invalid && strncmp(f->error.call, "cudaGraphAddDep", 15) == 0 ? &invalid_edge : NULL;
}

static bool is_of(const struct simgpu_finding *f, const char *kernel)
{
    const size_t n = strlen(kernel);
    return strncmp(f->first.name, kernel, n) == 0 || strncmp(f->second.name, kernel, n) == 0;
}

static const struct judge_mistake *of_finding(const struct simgpu_finding *f)
{
    switch (f->kind) {
    case SIMGPU_RACE:
        return is_of(f, "weigh") ? &lab08_reads_too_early : &unordered;
    case SIMGPU_UNINITIALIZED_READ:
        return is_of(f, "weigh") ? &lab08_reads_too_early : &not_written;
    case SIMGPU_USE_AFTER_FREE:
        return &used_after_free;
    case SIMGPU_OUT_OF_BOUNDS:
        return &out_of_bounds;
    default:
        return NULL;
    }
}

const struct judge_mistake *lab08_mistake_of(const struct session_event *e)
{
    if (e->cause == CAUSE_FAILED)
        return of_failure(&e->failure);
    /* in a function that builds a graph, and not in the submission's own code */
    if (e->cause == CAUSE_ENDED && e->request == WIRE_SETUP && e->fault.signal == SIGSEGV &&
        !e->fault.stack && !e->fault_at.at[0])
        return e->fault.device ? &argument_by_value : &argument_missing;
    if (e->cause == CAUSE_ENDED && e->request == WIRE_GO && e->has_fault && !e->fault.device)
        return &crashed_in_run;
    return e->cause == CAUSE_FINDING ? of_finding(&e->finding) : NULL;
}

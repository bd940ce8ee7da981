/* conditional.h: what situations of conditional nodes and of nodes that the device changes
 * are made of.
 *
 * Kernels write letters into a log in device memory, in the order in which they run. */
#pragma once

#include "log_kernels.h"
#include "graphs.h"

#define IF cudaGraphCondTypeIf
#define WHILE cudaGraphCondTypeWhile
#define SWITCH cudaGraphCondTypeSwitch

/* A handle of the graph, whose value is `value` whenever a launch begins. */
cudaGraphConditionalHandle handle_of(cudaGraph_t g, unsigned value);
/* The same without a default. */
cudaGraphConditionalHandle handle_without_default(cudaGraph_t g, unsigned value);

struct cudaGraphNodeParams conditional(cudaGraphConditionalHandle h,
                                       enum cudaGraphConditionalNodeType type, unsigned size);
/* Adds a conditional node; its bodies go to `bodies`. */
cudaGraphNode_t add_conditional(cudaGraph_t g, cudaGraphNode_t after, cudaGraphConditionalHandle h,
                                enum cudaGraphConditionalNodeType type, unsigned size,
                                cudaGraph_t *bodies);
/* The value of cudaLaunchAttributeDeviceUpdatableKernelNode. */
cudaLaunchAttributeValue updatable(int on);
/* Makes the kernel node one that device code may change. */
cudaGraphDeviceNode_t open_node(cudaGraphNode_t n);
/* Instantiates: the error, the result, and the place of the error node. */
#define instantiate_gives(error, result, g)                                                        \
    (note_reached(),                                                                               \
     answer_instantiate_as(error, result, "cudaGraphInstantiateWithParams(" #g ")",                \
                           "instantiated(" #g ")", g))
#define answer_instantiate(g) instantiate_gives(NULL, NULL, g)
void answer_instantiate_as(const char *expected, const char *expected_result, const char *call,
                           const char *result, cudaGraph_t g);

/* ---- the device's log ------------------------------------------------------------------------ */

/* Empties the log, which exists from the first call on. */
int *device_log(void);
/* A kernel that adds the letter. */
cudaGraphNode_t add_device_letter(cudaGraph_t g, cudaGraphNode_t after, char letter);
/* Adds a kernel that sets the handle's value. */
cudaGraphNode_t add_set(cudaGraph_t g, cudaGraphNode_t after, cudaGraphConditionalHandle h,
                        unsigned value);
/* A kernel that adds the letter, and sets the handle to 0 every `most`th time that it runs, else
 * to 1. */
cudaGraphNode_t add_countdown(cudaGraph_t g, cudaGraphNode_t after, char letter,
                              cudaGraphConditionalHandle h, int most);
/* A kernel that sets the handle to how often it has run before, modulo `modulo`. */
cudaGraphNode_t add_turn(cudaGraph_t g, cudaGraphNode_t after, cudaGraphConditionalHandle h,
                         int modulo);
/* Launches the exec, waits, and answers the log, or an error in place of it. */
#define logged(expected, x) (note_reached(), answer_logged_as(expected, "run(" #x ")", x))
#define answer_logged(x) logged(NULL, x)
void answer_logged_as(const char *expected, const char *source, cudaGraphExec_t x);

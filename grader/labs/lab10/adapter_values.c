/*
 * adapter_values.c: watches the calls that make handles, bodies and executable graphs, and stands
 * in for the function through which a kernel of the simulated device sets a value.
 */
#include "adapter_values.h"

#include <stdbool.h>
#include <string.h>

#include "exchange.h"
#include "labs/lab10/causes.h"
#include "common/simgpu/simgpu.h"
#include "subject/graph.h"
#include "subject/interpose.h"

enum { MOST_HANDLES = 16, MOST_SETS = 1000 };

static struct {
    struct subject *subject;
    struct {
        cudaGraphConditionalHandle handle;
        bool starts_with_1; /* in each launch */
    } handles[MOST_HANDLES];
    int n_handles;
    enum lab10_cause failed; /* a call */
} known;

/* How often kernels set the value of a WHILE or an IF to 0 and to another value, in this run. */
static struct {
    int launches, loop[2], check[2], n_switch;
    unsigned last_switch;
} run;

/* ---- calls ----------------------------------------------------------------------------------- */

static void note_handle(const struct subject_call *call)
{
    if (call->error || known.n_handles == MOST_HANDLES)
        return;
    known.handles[known.n_handles].handle = *call->handle;
    known.handles[known.n_handles++].starts_with_1 =
        call->value && (call->flags & cudaGraphCondAssignDefault);
}

static void note_capture_to_graph(const struct subject_call *call)
{
    if (call->error == cudaErrorIllegalState || (call->error && !call->graph))
        known.failed = call->graph ? LAB10_BODY_TOO_EARLY : LAB10_BODY_NULL;
}

static bool has_node(cudaGraphConditionalHandle handle)
{
    return subject_conditional_of(handle) != NULL;
}

static void note_instantiation(cudaError_t error)
{
    if (error)
        known.failed =
            error == cudaErrorNotSupported ? LAB10_INSTANTIATED_TWICE : LAB10_BODY_CONTENT;
    for (int i = 0; error && i < known.n_handles; i++)
        if (!has_node(known.handles[i].handle))
            known.failed = LAB10_HANDLE_WITHOUT_NODE;
}

void values_after_call(const struct subject_call *call)
{
    if (call->function == CALL_cudaGraphConditionalHandleCreate)
        note_handle(call);
    else if (call->function == CALL_cudaStreamBeginCaptureToGraph)
        note_capture_to_graph(call);
    else if (call->function == CALL_cudaGraphLaunch)
        run.launches++;
    else if (call->function == CALL_cudaGraphInstantiate)
        note_instantiation(call->error);
}

static enum lab10_cause why_refused(const struct cudaGraphNodeParams *p)
{
    const struct cudaConditionalNodeParams *c = &p->conditional;
    if (p->type != cudaGraphNodeTypeConditional)
        return LAB10_NODE_TYPE;
    if (c->handle == 0)
        return LAB10_HANDLE_MISSING;
    if (c->size == 0 || (c->type == cudaGraphCondTypeWhile && c->size != 1) ||
        (c->type == cudaGraphCondTypeIf && c->size > 2))
        return LAB10_NODE_SIZE;
    return has_node(c->handle) ? LAB10_HANDLE_TWICE : LAB10_GRAPH_ELSEWHERE;
}

int values_returned(struct subject *s, const char *function, cudaError_t error)
{
    const struct subject_refused *refused = subject_refused_node();
    const enum lab10_cause cause = refused ? why_refused(&refused->params) : known.failed;
    if (error && (!cause || error == cudaErrorNotYetImplemented))
        return subject_captured(s, function, error);
    if (error)
        subject_note(s, (int)cause, NULL, NULL);
    return subject_returned(s, function, error);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A run without an end? */
static void expect_end(void)
{
    if (run.loop[0] + run.loop[1] + run.check[0] + run.check[1] < MOST_SETS)
        return;
    subject_note(known.subject,
                 run.launches > 1             ? LAB10_HOST_LOOP
                 : run.loop[0] && run.loop[1] ? LAB10_DECIDE_CONTINUES
                                              : LAB10_NEVER_ENDS,
                 NULL, NULL);
    subject_end(known.subject,
                "launches of the graph: %d. Kernels set values %d times: the WHILE %d times to 0, "
                "%d times to another value",
                run.launches, MOST_SETS, run.loop[0], run.loop[1]);
}

void simgpu_set_condition(unsigned long long handle, unsigned value)
{
    __typeof__(&simgpu_set_condition) real;
    *(void **)&real = dlsym(RTLD_NEXT, "simgpu_set_condition");
    const struct subject_conditional *node = subject_conditional_of(handle);
    if (node && node->type == cudaGraphCondTypeWhile)
        run.loop[value != 0]++;
    else if (node && node->type == cudaGraphCondTypeIf)
        run.check[value != 0]++;
    else if (node) {
        run.n_switch++;
        run.last_switch = value;
    }
    expect_end();
    if (real)
        real(handle, value);
}

/* ---- runs ------------------------------------------------------------------------------------ */

void values_begin(struct subject *s)
{
    memset(&known, 0, sizeof known);
    known.subject = s;
}

void values_run_begin(void)
{
    memset(&run, 0, sizeof run);
}

/* Does each WHILE begin with 1 in each launch? */
static bool loops_start(void)
{
    for (int i = 0; i < known.n_handles; i++) {
        const struct subject_conditional *node = subject_conditional_of(known.handles[i].handle);
        if (node && node->type == cudaGraphCondTypeWhile && !known.handles[i].starts_with_1)
            return false;
    }
    return true;
}

void values_report(struct subject *s)
{
    subject_value(s, loops_start, loops_start());
    subject_value(s, loop_ones, run.loop[1]);
    subject_value(s, check_zeros, run.check[0]);
    subject_value(s, check_ones, run.check[1]);
    subject_value(s, switch_sets, run.n_switch);
    subject_value(s, switch_value, run.last_switch);
}

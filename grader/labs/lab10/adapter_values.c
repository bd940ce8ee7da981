/*
 * adapter_values.c: stands in for the runtime's calls that make handles, bodies and executable
 * graphs, and for the function through which a kernel of the simulated device sets a value.
 */
#include "adapter_values.h"

#include <stdbool.h>
#include <string.h>

#include "exchange.h"
#include "labs/lab10/causes.h"
#include "common/simgpu/simgpu.h"
#include "subject/graph.h"
#include "subject/instantiations.h"
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
    int loop[2], check[2], n_switch;
    unsigned last_switch;
} run;

/* ---- calls ----------------------------------------------------------------------------------- */

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned value, unsigned flags)
{
    FIND_REAL(cudaGraphConditionalHandleCreate);
    const cudaError_t error = real(handle, graph, value, flags);
    if (!error && known.n_handles < MOST_HANDLES) {
        known.handles[known.n_handles].handle = *handle;
        known.handles[known.n_handles++].starts_with_1 =
            value && (flags & cudaGraphCondAssignDefault);
    }
    return error;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *data, size_t n,
                                          enum cudaStreamCaptureMode mode)
{
    FIND_REAL(cudaStreamBeginCaptureToGraph);
    const cudaError_t error = real(stream, graph, dependencies, data, n, mode);
    if (error == cudaErrorIllegalState || (error && !graph))
        known.failed = graph ? LAB10_BODY_TOO_EARLY : LAB10_BODY_NULL;
    return error;
}

static bool has_node(cudaGraphConditionalHandle handle)
{
    return subject_conditional_of(handle) != NULL;
}

static void note_instantiation(cudaError_t error, cudaGraphExec_t exec, cudaGraph_t graph,
                               unsigned long long flags)
{
    (void)exec;
    (void)graph;
    (void)flags;
    if (error)
        known.failed =
            error == cudaErrorNotSupported ? LAB10_INSTANTIATED_TWICE : LAB10_BODY_CONTENT;
    for (int i = 0; error && i < known.n_handles; i++)
        if (!has_node(known.handles[i].handle))
            known.failed = LAB10_HANDLE_WITHOUT_NODE;
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
    if (!error || (cause && error != cudaErrorNotYetImplemented))
        return subject_returned_for(s, function, error, cause);
    return subject_captured(s, function, error);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A run without an end? */
static void expect_end(void)
{
    if (run.loop[0] + run.loop[1] + run.check[0] + run.check[1] < MOST_SETS)
        return;
    subject_end_for(known.subject,
                    run.loop[0] && run.loop[1] ? LAB10_DECIDE_CONTINUES : LAB10_NEVER_ENDS,
                    "kernels set values %d times in one launch of the graph: the WHILE %d times to "
                    "0, %d times to another value",
                    MOST_SETS, run.loop[0], run.loop[1]);
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
    subject_watch_instantiations(note_instantiation);
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

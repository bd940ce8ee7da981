/* adapter_values.c: watches the calls that make handles, bodies and executable graphs, and stands
 * in for the function through which a kernel of the simulated device sets a value. */
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
    bool lacks_node; /* a graph was not instantiated, and no node has one of the handles */
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

void values_after_call(const struct subject_call *call)
{
    if (call->function == CALL_cudaGraphConditionalHandleCreate)
        note_handle(call);
    else if (call->function == CALL_cudaGraphLaunch)
        run.launches++;
    else if (call->function == CALL_cudaGraphInstantiate && call->error)
        for (int i = 0; i < known.n_handles; i++)
            known.lacks_node |= subject_conditional_of(known.handles[i].handle) == NULL;
}

int values_returned(struct subject *s, const char *function, cudaError_t error)
{
    if (error && error != cudaErrorNotYetImplemented && known.lacks_node)
        subject_note(s, LAB10_HANDLE_WITHOUT_NODE, NULL, NULL);
    return error ? subject_captured(s, function, error) : subject_returned(s, function, error);
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

/* adapter_alone.c: a kernel that decides, followed by the conditional nodes that have its handles:
 *
 *     plan - SWITCH            step - IF - IF            decide - IF
 *
 * Each body has one memset, of a mark of its own: so the marks tell which values the kernel set. */
#include "exchange.h"
#include "adapter_alone.h"

#include "common/check.h"
#include "labs/lab10/causes.h"
#include "labs/lab10_conditional/lab.h"

enum { N_MARKS = 4 };

/* Which marks are whose: those of the SWITCH from 0 on, or of the two IFs. */
enum { MARK_CHECK, MARK_LOOP };

struct alone {
    struct subject *subject;
    enum alone_kernel kernel;
    const float *given;
    cudaStream_t stream;
    struct lab10_control *control; /* device memory, like the marks */
    unsigned char *marks;
    cudaGraph_t graph;
    cudaGraphConditionalHandle check, loop; /* `check` is the SWITCH's of plan */
    cudaError_t launched;                   /* what the submission's launcher returned */
};

enum alone_kernel alone_kernel(const struct subject *s)
{
    return subject_numbers(s)->kernel;
}

static const char *launcher_of(enum alone_kernel kernel)
{
    return kernel == ALONE_PLAN   ? "lab10_launch_plan"
           : kernel == ALONE_STEP ? "lab10_launch_step"
                                  : "lab10_launch_decide";
}

/* After `after`, which becomes the node. */
static cudaError_t add_conditional(struct alone *a, cudaGraphNode_t *after,
                                   cudaGraphConditionalHandle handle,
                                   enum cudaGraphConditionalNodeType type, unsigned n_bodies,
                                   int first_mark)
{
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeConditional};
    cudaGraphNode_t node, mark;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = n_bodies;
    TRY(cudaGraphAddNode(&node, a->graph, after, NULL, 1, &params));
    *after = node;
    for (unsigned i = 0; i < n_bodies; i++) {
        struct cudaMemsetParams set = {.dst = a->marks + first_mark + (int)i,
                                       .value = 1,
                                       .elementSize = 1,
                                       .width = 1,
                                       .height = 1};
        TRY(cudaGraphAddMemsetNode(&mark, params.conditional.phGraph_out[i], NULL, 0, &set));
    }
    return cudaSuccess;
}

static cudaError_t launch_kernel(struct alone *a)
{
    const float *c = a->given;
    if (a->kernel == ALONE_PLAN)
        return lab10_launch_plan(a->control, c[CASE_TOLERANCE], a->check, a->stream);
    if (a->kernel == ALONE_STEP)
        return lab10_launch_step(a->control, c[CASE_TOLERANCE], (int)c[CASE_MAX_ITERATIONS],
                                 a->check, a->loop, a->stream);
    return lab10_launch_decide(a->control, c[CASE_TOLERANCE], a->loop, a->stream);
}

static void note_threads(struct subject *s, cudaGraphNode_t kernel)
{
    struct cudaKernelNodeParams p;
    if (cudaGraphKernelNodeGetParams(kernel, &p) != cudaSuccess)
        return;
    const unsigned n =
        p.gridDim.x * p.gridDim.y * p.gridDim.z * p.blockDim.x * p.blockDim.y * p.blockDim.z;
    if (n > 1)
        subject_note(s, LAB10_NOT_ONE_THREAD, "1 thread", "%u threads", n);
}

/* The kernel's node is the last one of what its launcher enqueues. */
static cudaError_t capture_kernel(struct alone *a, cudaGraphNode_t *last)
{
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *nodes;
    size_t n;
    cudaGraph_t same;
    TRY(cudaStreamBeginCaptureToGraph(a->stream, a->graph, NULL, NULL, 0,
                                      cudaStreamCaptureModeThreadLocal));
    a->launched = launch_kernel(a);
    TRY(a->launched);
    TRY(cudaStreamGetCaptureInfo(a->stream, &status, NULL, &same, &nodes, NULL, &n));
    *last = n > 0 ? nodes[0] : NULL;
    TRY(cudaStreamEndCapture(a->stream, &same));
    if (n != 1)
        return cudaErrorInvalidValue;
    note_threads(a->subject, *last);
    return cudaSuccess;
}

static cudaError_t build(struct alone *a)
{
    const float *c = a->given;
    const bool is_plan = a->kernel == ALONE_PLAN;
    const unsigned check = is_plan ? ALONE_DEFAULT_BODY : (unsigned)c[CASE_CHECK_BEGINS];
    cudaGraphNode_t last;
    TRY(cudaGraphCreate(&a->graph, 0));
    if (a->kernel != ALONE_DECIDE)
        TRY(cudaGraphConditionalHandleCreate(&a->check, a->graph, check,
                                             cudaGraphCondAssignDefault));
    if (!is_plan)
        TRY(cudaGraphConditionalHandleCreate(&a->loop, a->graph, (unsigned)c[CASE_LOOP_BEGINS],
                                             cudaGraphCondAssignDefault));
    TRY(capture_kernel(a, &last));
    if (is_plan)
        return add_conditional(a, &last, a->check, cudaGraphCondTypeSwitch, ALONE_BODIES, 0);
    if (a->kernel == ALONE_STEP)
        TRY(add_conditional(a, &last, a->check, cudaGraphCondTypeIf, 1, MARK_CHECK));
    return add_conditional(a, &last, a->loop, cudaGraphCondTypeIf, 1, MARK_LOOP);
}

static cudaError_t launch(struct alone *a, struct lab10_control *control,
                          unsigned char marks[N_MARKS])
{
    cudaGraphExec_t exec;
    TRY(cudaMemcpy(a->control, control, sizeof *control, cudaMemcpyHostToDevice));
    TRY(cudaMemset(a->marks, 0, N_MARKS));
    TRY(cudaDeviceSynchronize()); /* cudaMemset may return earlier */
    TRY(cudaGraphInstantiate(&exec, a->graph, 0));
    TRY(cudaGraphLaunch(exec, a->stream));
    TRY(cudaStreamSynchronize(a->stream));
    TRY(cudaMemcpy(control, a->control, sizeof *control, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(marks, a->marks, N_MARKS, cudaMemcpyDeviceToHost));
    TRY(cudaGraphExecDestroy(exec));
    return cudaGraphDestroy(a->graph);
}

static void write_answer(float *answer, const struct lab10_control *control,
                         const unsigned char marks[N_MARKS])
{
    answer[ANSWER_PROBE] = control->probe;
    answer[ANSWER_PRECISION] = (float)control->precision;
    answer[ANSWER_ITERATIONS] = (float)control->iterations;
    answer[ANSWER_CHECKS] = (float)control->checks;
    answer[ANSWER_CHECK] = marks[MARK_CHECK];
    answer[ANSWER_LOOP] = marks[MARK_LOOP];
    answer[ANSWER_VARIANT] = ALONE_NO_BODY;
    for (int i = 0; i < ALONE_BODIES; i++)
        if (marks[i])
            answer[ANSWER_VARIANT] = (float)i;
}

static cudaError_t run_case(struct alone *a, const float *given, float *answer)
{
    unsigned char marks[N_MARKS];
    struct lab10_control control = {.largest = given[CASE_LARGEST],
                                    .probe = given[CASE_PROBE],
                                    .change = given[CASE_CHANGE],
                                    .iterations = (int)given[CASE_ITERATIONS],
                                    .checks = (int)given[CASE_CHECKS]};
    a->given = given;
    TRY(build(a));
    TRY(launch(a, &control, marks));
    write_answer(answer, &control, marks);
    return cudaSuccess;
}

static cudaError_t run_cases(struct alone *a, const float *cases, float *answers, size_t n)
{
    TRY(cudaStreamCreateWithFlags(&a->stream, cudaStreamNonBlocking));
    TRY(cudaMalloc((void **)&a->control, sizeof *a->control));
    TRY(cudaMalloc((void **)&a->marks, N_MARKS));
    for (size_t i = 0; i < n; i++)
        TRY(run_case(a, cases + i * CASE_FLOATS, answers + i * ANSWER_FLOATS));
    TRY(cudaFree(a->marks));
    TRY(cudaFree(a->control));
    return cudaStreamDestroy(a->stream);
}

int alone_run(struct subject *s)
{
    const size_t n = subject_buffer_bytes(s, "cases") / (CASE_FLOATS * sizeof(float));
    struct alone a = {.subject = s, .kernel = alone_kernel(s)};
    const cudaError_t error =
        run_cases(&a, subject_buffer(s, "cases"), subject_buffer(s, "answers"), n);
    if (a.launched || !error)
        return subject_returned(s, launcher_of(a.kernel), a.launched);
    return subject_own_call(s, "the run of a kernel of lab.cu, alone in a graph", error);
}

/* conditional.c: what situations of conditional nodes and of nodes that the device changes
 * are made of. */
#include "conditional.h"

#include "situation_kernels.h"

cudaGraphConditionalHandle handle_of(cudaGraph_t g, unsigned value)
{
    cudaGraphConditionalHandle h = 0;
    MUST(cudaGraphConditionalHandleCreate(&h, g, value, cudaGraphCondAssignDefault));
    return h;
}

cudaGraphConditionalHandle handle_without_default(cudaGraph_t g, unsigned value)
{
    cudaGraphConditionalHandle h = 0;
    MUST(cudaGraphConditionalHandleCreate(&h, g, value, 0));
    return h;
}

struct cudaGraphNodeParams conditional(cudaGraphConditionalHandle h,
                                       enum cudaGraphConditionalNodeType type, unsigned size)
{
    struct cudaGraphNodeParams q = {0};
    q.type = cudaGraphNodeTypeConditional;
    q.conditional.handle = h;
    q.conditional.type = type;
    q.conditional.size = size;
    return q;
}

cudaGraphNode_t add_conditional(cudaGraph_t g, cudaGraphNode_t after, cudaGraphConditionalHandle h,
                                enum cudaGraphConditionalNodeType type, unsigned size,
                                cudaGraph_t *bodies)
{
    cudaGraphNode_t n = NULL;
    struct cudaGraphNodeParams q = conditional(h, type, size);
    MUST(cudaGraphAddNode(&n, g, &after, NULL, after != NULL, &q));
    for (unsigned i = 0; i < size; i++)
        bodies[i] = q.conditional.phGraph_out[i];
    return n;
}

cudaLaunchAttributeValue updatable(int on)
{
    cudaLaunchAttributeValue v = {0};
    v.deviceUpdatableKernelNode.deviceUpdatable = on;
    return v;
}

cudaGraphDeviceNode_t open_node(cudaGraphNode_t n)
{
    cudaLaunchAttributeValue v = updatable(1);
    MUST(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    return v.deviceUpdatableKernelNode.devNode;
}

void answer_instantiate_as(const char *expected, const char *expected_result, const char *call,
                           const char *result, cudaGraph_t g)
{
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {0};
    answer_error(expected, call, cudaGraphInstantiateWithParams(&x, g, &p));
    answer_fact_as(result, expected_result, "result %d, error %s", (int)p.result_out,
                   place_text(g, p.errNode_out));
}

/* ---- the device's log ------------------------------------------------------------------------ */

static int *the_log;

int *device_log(void)
{
    if (!the_log)
        the_log = device_bytes(DEVICE_LOG_INTS * sizeof(int));
    set_device_int(the_log, 0);
    return the_log;
}

cudaGraphNode_t add_device_letter(cudaGraph_t g, cudaGraphNode_t after, char letter)
{
    int number = letter;
    void *args[] = {&the_log, &number};
    if (!the_log)
        device_log();
    return add_kernel(g, after, situation_log(), args);
}

cudaGraphNode_t add_set(cudaGraph_t g, cudaGraphNode_t after, cudaGraphConditionalHandle h,
                        unsigned value)
{
    void *args[] = {&h, &value};
    return add_kernel(g, after, situation_set_condition(), args);
}

cudaGraphNode_t add_countdown(cudaGraph_t g, cudaGraphNode_t after, char letter,
                              cudaGraphConditionalHandle h, int most)
{
    int number = letter, *runs = device_bytes(sizeof *runs);
    void *args[] = {&the_log, &number, &h, &runs, &most};
    if (!the_log)
        device_log();
    return add_kernel(g, after, situation_countdown(), args);
}

cudaGraphNode_t add_turn(cudaGraph_t g, cudaGraphNode_t after, cudaGraphConditionalHandle h,
                         int modulo)
{
    int *runs = device_bytes(sizeof *runs);
    void *args[] = {&h, &runs, &modulo};
    return add_kernel(g, after, situation_turn(), args);
}

/* The log so far, as an answer, and empties it. */
static void answer_device_log(const char *expected)
{
    int numbers[DEVICE_LOG_INTS];
    char text[DEVICE_LOG_INTS + 1];
    int n = 0;
    MUST(cudaMemcpy(numbers, the_log, sizeof numbers, cudaMemcpyDefault));
    for (; n < numbers[0] && n < DEVICE_LOG_INTS - 1; n++)
        text[n] = (char)numbers[n + 1];
    text[n] = '\0';
    answer_fact_as("device_log", expected, "'%s'", text);
    set_device_int(the_log, 0);
}

void answer_logged_as(const char *expected, const char *source, cudaGraphExec_t x)
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaError_t launch = cudaGraphLaunch(x, s), done = cudaStreamSynchronize(s);
    if (launch != cudaSuccess || done != cudaSuccess)
        answer_fact_as(source, expected, "%s %s", error_text(launch), error_text(done));
    if (done == cudaSuccess)
        answer_device_log(expected);
}

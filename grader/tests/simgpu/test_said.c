/* test_said.c: what the simulated device says of a program besides: the call that failed, the one
 * that was ignored, why a call refused an argument, a stream that nobody waited for. */
#include "sim_graphs.h"

Test(said, the_call_that_failed_is_named)
{
    cudaEvent_t never = NULL;
    cr_expect_null(simgpu_failed_call(cudaErrorInvalidResourceHandle, NULL), "nothing has failed");
    cr_expect_eq(cudaEventRecord(never, NULL), cudaErrorInvalidResourceHandle);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_str_eq(simgpu_failed_call(cudaErrorInvalidResourceHandle, NULL), "cudaEventRecord");
    cr_expect_null(simgpu_failed_call(cudaErrorInvalidValue, NULL), "no call gave it");
    cr_expect_eq(cudaMalloc(NULL, 1), cudaErrorInvalidValue);
    cr_expect_str_eq(simgpu_failed_call(cudaErrorInvalidValue, NULL), "cudaMalloc");
    cr_expect_str_eq(simgpu_failed_call(cudaErrorInvalidResourceHandle, NULL), "",
                     "another has come since");
}

/* The call that was ignored, or "none"; the number of its error in *error. */
static const char *ignored(int *error)
{
    struct simgpu_caller caller;
    struct simgpu_refusal refusal;
    const char *call = simgpu_ignored_call(error, &caller, &refusal);
    return call ? call : "none";
}

Test(said, the_first_call_whose_error_nobody_asked_for_is_named)
{
    int error = 0;
    cudaEvent_t event;
    void *memory;
    cr_expect_str_eq(ignored(&error), "none");
    cudaEventRecord(NULL, NULL);
    cudaMalloc(NULL, 1);
    cr_expect_str_eq(ignored(&error), "cudaEventRecord");
    cr_expect_eq(error, cudaErrorInvalidResourceHandle);
    simgpu_forget_ignored_call();
    cr_expect_str_eq(ignored(&error), "none");
    cudaMalloc(NULL, 1);
    cudaGetLastError();
    cr_expect_str_eq(ignored(&error), "none", "the program asked");
    OK(cudaEventCreate(&event));
    OK(cudaMalloc(&memory, 1 << 20));
    OK(cudaMemsetAsync(memory, 0, 1 << 20, NULL));
    OK(cudaEventRecord(event, NULL));
    cr_assert_eq(cudaEventQuery(event), cudaErrorNotReady);
    cr_expect_str_eq(ignored(&error), "none", "an answer is no failure");
}

/* The latest call that failed with the error: the reason, and the first number. */
#define REFUSED(error, what_, argument_, n_)                                                       \
    do {                                                                                           \
        const struct simgpu_refusal r = simgpu_failed_refusal(error);                              \
        cr_expect_eq(r.what, what_, "%s: %d", #what_, (int)r.what);                                \
        cr_expect_str_eq(r.argument, argument_);                                                   \
        cr_expect_eq(r.n[0], n_, "%lld", (long long)r.n[0]);                                       \
    } while (0)

Test(said, a_call_that_refuses_an_argument_says_why)
{
    const struct cudaKernelNodeParams none = {.func = NULL};
    struct cudaKernelNodeParams params;
    enum { BYTES = 4096 };
    char *device;
    cudaEvent_t event;
    cudaGraph_t graph = new_graph();
    cudaGraphNode_t node, nodes[2] = {NULL, NULL};
    OK(cudaMalloc((void **)&device, BYTES));
    cudaMemcpy(device + 1, device, BYTES, cudaMemcpyDeviceToDevice);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_TOO_LONG, "dst", BYTES);
    cudaMemcpy(device, NULL, BYTES, cudaMemcpyHostToDevice);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_NULL, "src", 0);
    cudaMemcpy(device + 2 * BYTES, device, BYTES, cudaMemcpyDeviceToDevice);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_NO_MEMORY, "dst", BYTES);
    cudaMemcpy2D(device, 8, device + BYTES / 2, 4, 8, 2, cudaMemcpyDeviceToDevice);
    REFUSED(cudaErrorInvalidPitchValue, SIMGPU_REFUSED_PITCH, "src", 4);
    cudaMemcpy2D(device + 8, (size_t)-8, device + BYTES / 2, 8, 8, 2, cudaMemcpyDeviceToDevice);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_PITCH, "dst", -8);
    cudaMemcpy2D(device, BYTES, device, 8, 8, 2, cudaMemcpyDeviceToDevice);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_ROWS, "dst", 2);
    cudaMemcpy(&node, device, sizeof node, cudaMemcpyHostToDevice);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_HOST, "dst", 0);
    cudaMemcpy(device, &node, sizeof node, cudaMemcpyDeviceToHost);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_HOST, "src", 0);
    OK(cudaFree(device));
    cudaMemset(device, 0, 1);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_FREED, "dst", 0);
    cudaMemset(&node, 0, 1);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_HOST, "dst", 0);
    cudaStreamWaitEvent(NULL, NULL, 0);
    REFUSED(cudaErrorInvalidResourceHandle, SIMGPU_REFUSED_NULL, "event", 0);
    OK(cudaEventCreate(&event));
    cudaStreamWaitEvent(NULL, event, cudaEventDisableTiming);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_FLAGS, "flags", cudaEventDisableTiming);
    OK(cudaEventDestroy(event));

    cudaGraphExecDestroy(NULL);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_NULL, "executable graph", 0);
    cudaGraphNodeSetEnabled(NULL, node, 1);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_NULL, "executable graph", 0);
    cudaGraphExecUpdate(NULL, graph, NULL);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_NULL, "executable graph", 0);
    cudaGraphAddKernelNode(&node, graph, nodes, 1, &none);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_NODE_NULL, "", 0);
    OK(cudaGraphAddEmptyNode(&nodes[0], graph, NULL, 0));
    nodes[1] = nodes[0];
    cudaGraphAddEmptyNode(&node, graph, nodes, 2);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_NODE_TWICE, "", 1);
    cudaGraphKernelNodeGetParams((cudaGraphNode_t)&node, &params);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_HANDLE, "node", (int64_t)(uintptr_t)&node);
    OK(cudaGraphDestroy(graph));
    cudaGraphAddEmptyNode(&node, graph, NULL, 0);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_DESTROYED, "graph", (int64_t)(uintptr_t)graph);
    cr_expect_eq(simgpu_failed_refusal(cudaErrorLaunchFailure).what, SIMGPU_REFUSED_NOTHING);
}

Test(said, a_node_that_is_refused_names_the_member_of_its_parameters)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeHost};
    cudaGraphConditionalHandle own, other;
    cudaGraph_t graph = new_graph(), second = new_graph();
    cudaGraphNode_t node;
    OK(cudaGraphConditionalHandleCreate(&own, graph, 0, 0));
    for (int i = 0; i < 2; i++) /* the graphs count their handles, each from the same number on */
        OK(cudaGraphConditionalHandleCreate(&other, second, 0, 0));
    cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_MEMBER, "host.fn", 0);
    p = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeMemAlloc};
    cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_MEMBER, "poolProps.allocType", 0);
    p = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeConditional};
    cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_MEMBER, "conditional.handle", 0);
    p.conditional.handle = other;
    cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_OTHER_GRAPH, "conditional.handle", 0);
    p.conditional.handle = own;
    cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_MEMBER, "conditional.size", 0);
    p.conditional.size = 1;
    OK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p);
    REFUSED(cudaErrorInvalidValue, SIMGPU_REFUSED_TAKEN, "conditional.handle", 0);
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphDestroy(second));
}

Test(said, a_stream_that_nobody_waited_for_is_known)
{
    uint32_t created;
    cudaStream_t first = stream(cudaStreamNonBlocking), second = stream(cudaStreamNonBlocking);
    cudaEvent_t event;
    void *p;
    OK(cudaEventCreate(&event));
    OK(cudaMalloc(&p, 512));
    cr_expect_eq(simgpu_unwaited_stream(&created), -1, "nothing to wait for");
    OK(cudaMemsetAsync(p, 0, 256, first));
    OK(cudaMemsetAsync((char *)p + 256, 0, 256, second));
    simgpu_host_work_ns(1000000);
    cr_expect_eq(cudaStreamSynchronize(second), cudaSuccess);
    cr_expect_eq(simgpu_unwaited_stream(&created), 1, "done by now, but that is luck");
    cr_expect_neq(created, 0);
    OK(cudaEventRecord(event, first));
    OK(cudaStreamWaitEvent(second, event, 0));
    cr_expect_eq(cudaStreamSynchronize(second), cudaSuccess);
    cr_expect_eq(simgpu_unwaited_stream(&created), -1,
                 "second has waited for it, and the host for second");
    OK(cudaEventRecord(event, first));
    OK(cudaStreamWaitEvent(first, event, 0));
    cr_expect_eq(simgpu_unwaited_stream(&created), -1, "nothing is lost without these");
    cr_assert_eq(cudaMemsetAsync(p, 0, 256, 0), cudaSuccess);
    cr_expect_eq(simgpu_unwaited_stream(&created), 0);
    cr_expect_eq(created, 0, "no call created the legacy stream");
}

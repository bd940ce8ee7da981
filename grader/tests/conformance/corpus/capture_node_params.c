/* capture_node_params.c: parameters and attributes of captured nodes. */
#include "../graphs.h"

SITUATION("cudaStreamSetAttribute priority of a capturing stream, then a kernel: its node's "
          "priority; cudaStreamCopyAttributes to it; status",
          "w.priority: -2; -4")
{
    cudaStream_t s = nonblocking_stream(), t = NULL;
    int *p = device_bytes(64);
    cudaStreamAttrValue v = {.priority = -2};
    cudaLaunchAttributeValue w = {.priority = 77};
    MUST(cudaStreamCreateWithPriority(&t, 0, -4));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &v));
    answer(launch_store(s, p, 1));
    answer(cudaStreamCopyAttributes(s, t));
    answer(launch_store(s, p, 2));
    cudaGraph_t g = captured("2 nodes", s);
    for (size_t i = 0; g && i < 2; i++) {
        answer(cudaGraphKernelNodeGetAttribute(nth_node(g, i), cudaLaunchAttributePriority, &w));
        answer_text("%d", w.priority);
    }
}

SITUATION("a kernel captured in a stream of the remote domain: the node's domain; of a map; "
          "launched with the attribute itself")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(64), value = 1;
    void *args[] = {&p, &value};
    cudaStreamAttrValue v = {0};
    v.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    MUST(cudaStreamSetAttribute(s, cudaLaunchAttributeMemSyncDomain, &v));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(launch_one(situation_store(), args, s));
    cudaGraph_t g = captured("1 nodes", s);
    answer(cudaGraphKernelNodeGetAttribute(nth_node(g, 0), cudaLaunchAttributeMemSyncDomain, &v));
    shows("1", "%d", (int)v.memSyncDomain);
}

SITUATION("captured kernels launched with priority -3; cooperative; cudaLaunchCooperativeKernel: "
          "attributes read back",
          "v.priority: priority -3; priority 0; priority 0",
          "v.cooperative: cooperative 0; cooperative 1; cooperative 1")
{
    cudaStream_t s = nonblocking_stream();
    cudaLaunchAttributeValue v;
    dim3 one = {1, 1, 1};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(launch_with_attribute(s, cudaLaunchAttributePriority, -3));
    answer(launch_with_attribute(s, cudaLaunchAttributeCooperative, 1));
    answer(cudaLaunchCooperativeKernel(situation_nothing(), one, one, NULL, 0, s));
    cudaGraph_t g = captured("3 nodes", s);
    for (size_t i = 0; i < node_count(g); i++) {
        MUST(cudaGraphKernelNodeGetAttribute(nth_node(g, i), cudaLaunchAttributePriority, &v));
        answer_text("priority %d", v.priority);
        MUST(cudaGraphKernelNodeGetAttribute(nth_node(g, i), cudaLaunchAttributeCooperative, &v));
        answer_text("cooperative %d", v.cooperative);
    }
}

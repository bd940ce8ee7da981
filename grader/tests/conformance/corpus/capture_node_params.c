/* capture_node_params.c: parameters and attributes of captured nodes. */
#include "../graphs.h"

SITUATION("the parameters of captured memsets: 1-D of 64 bytes; 2-D of 8 x 4 with pitch 32",
          "value, size, extent: 1 1 64x1 pitch 0; 2 1 8x4 pitch 32")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(1024);
    struct cudaMemsetParams m;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMemsetAsync(p, 0x101, 64, s));
    MUST(cudaMemset2DAsync(p, 32, 2, 8, 4, s));
    cudaGraph_t g = captured("2 nodes", s);
    for (size_t i = 0; i < 2; i++) {
        answer(cudaGraphMemsetNodeGetParams(nth_node(g, i), &m));
        answer_fact("value, size, extent", "%u %u %zux%zu pitch %zu", m.value, m.elementSize,
                    m.width, m.height, m.pitch);
    }
}

SITUATION("the parameters of a captured cudaMemcpyAsync: kind as requested, extent, pitches; of "
          "one with kind Default",
          "copy: kind 1, 48x1x1; kind 4, 32x1x1")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(64), *h = pinned_bytes(64);
    struct cudaMemcpy3DParms c;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMemcpyAsync(p, h, 48, cudaMemcpyHostToDevice, s));
    MUST(cudaMemcpyAsync(h, p, 32, cudaMemcpyDefault, s));
    cudaGraph_t g = captured("2 nodes", s);
    for (size_t i = 0; i < 2; i++) {
        answer(cudaGraphMemcpyNodeGetParams(nth_node(g, i), &c));
        answer_fact("copy", "kind %d, %zux%zux%zu", (int)c.kind, c.extent.width, c.extent.height,
                    c.extent.depth);
    }
}

SITUATION("the parameters of a captured kernel: grid, block, shared bytes, its argument's value")
{
    cudaStream_t s = nonblocking_stream();
    int *p = device_bytes(64), value = 44;
    void *args[] = {&p, &value};
    struct cudaKernelNodeParams k;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaLaunchKernel(situation_store(), (dim3){3, 2, 1}, (dim3){32, 4, 1}, args, 256, s));
    value = 45;
    cudaGraph_t g = captured("1 nodes", s);
    answer(cudaGraphKernelNodeGetParams(nth_node(g, 0), &k));
    fact("grid, block, shared, value, extra", "3 2 1, 32 4 1, 256, 44, NULL",
         "%u %u %u, %u %u %u, %u, %d, %s", k.gridDim.x, k.gridDim.y, k.gridDim.z, k.blockDim.x,
         k.blockDim.y, k.blockDim.z, k.sharedMemBytes, *(int *)k.kernelParams[1],
         k.extra ? "extra" : "NULL");
}

SITUATION("the priority attribute of a kernel captured in a stream of priority -3; of a node added "
          "by hand")
{
    cudaStream_t s = NULL;
    int *p = device_bytes(64), value = 44;
    void *args[] = {&p, &value};
    cudaLaunchAttributeValue v = {0};
    MUST(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -3));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(launch_one(situation_store(), args, s));
    cudaGraph_t g = captured("1 nodes", s);
    answer(cudaGraphKernelNodeGetAttribute(nth_node(g, 0), cudaLaunchAttributePriority, &v));
    shows("-3", "%d", v.priority);
    v.priority = 77;
    answer(
        cudaGraphKernelNodeGetAttribute(add_store(g, NULL, p, 1), cudaLaunchAttributePriority, &v));
    shows("0", "%d", v.priority);
}

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

SITUATION("a fork of another priority: the priority of its captured kernel")
{
    cudaStream_t s = nonblocking_stream(), t = NULL;
    int *p = device_bytes(64);
    cudaLaunchAttributeValue w = {.priority = 77};
    MUST(cudaStreamCreateWithPriority(&t, cudaStreamNonBlocking, -5));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    order_streams(s, t);
    answer(launch_store(t, p, 1));
    order_streams(t, s);
    cudaGraph_t g = captured("2 nodes", s);
    answer(cudaGraphKernelNodeGetAttribute(nth_node(g, 1), cudaLaunchAttributePriority, &w));
    shows("-5", "%d", w.priority);
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

/* sim_graphs.h: graphs of which tests of the simulated device are made. */
#pragma once

#include <stdint.h>

#include "sim_test.h"

static inline cudaGraph_t new_graph(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    return g;
}

static inline cudaGraph_t end_capture(cudaStream_t s)
{
    cudaGraph_t g;
    OK(cudaStreamEndCapture(s, &g));
    return g;
}

static inline cudaGraphExec_t new_exec(cudaGraph_t g)
{
    cudaGraphExec_t x;
    OK(cudaGraphInstantiate(&x, g, 0));
    return x;
}

/* Launches it, and waits for it. */
static inline void run_exec(cudaGraphExec_t x, cudaStream_t s)
{
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
}

static inline struct cudaKernelNodeParams one_thread(const void *kernel, void **args)
{
    return (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)kernel,
                                         .gridDim = {1, 1, 1},
                                         .blockDim = {1, 1, 1},
                                         .kernelParams = args};
}

/* A kernel of one thread, after the node (NULL: after nothing). */
static inline cudaGraphNode_t add_kernel(cudaGraph_t g, cudaGraphNode_t after, const void *kernel,
                                         void **args)
{
    cudaGraphNode_t n;
    struct cudaKernelNodeParams k = one_thread(kernel, args);
    OK(cudaGraphAddKernelNode(&n, g, &after, after != NULL, &k));
    return n;
}

/* A handle whose value is `value` whenever a launch begins. */
static inline cudaGraphConditionalHandle handle_of(cudaGraph_t g, unsigned value)
{
    cudaGraphConditionalHandle h;
    OK(cudaGraphConditionalHandleCreate(&h, g, value, cudaGraphCondAssignDefault));
    return h;
}

/* A conditional node of one body. */
static inline cudaGraphNode_t add_conditional(cudaGraph_t g, cudaGraphNode_t after,
                                              cudaGraphConditionalHandle h,
                                              enum cudaGraphConditionalNodeType type,
                                              cudaGraph_t *body)
{
    cudaGraphNode_t n;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = 1;
    OK(cudaGraphAddNode(&n, g, &after, NULL, after != NULL, &p));
    *body = p.conditional.phGraph_out[0];
    return n;
}

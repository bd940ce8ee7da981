/*
 * adapter_described.c: events, priorities and edge data of a submission's graph.
 */
#include <string.h>

#include "described.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab08_explicit_graph/lab.h"

/* ---- how it instantiates ------------------------------------------------------------------- */

/* cudaGraphExecGetFlags does not tell. */
static unsigned long long instantiated_with;

static cudaError_t instantiation_error;

void describe_after_call(const struct subject_call *call)
{
    if (call->function != CALL_cudaGraphInstantiate)
        return;
    instantiation_error = call->error;
    instantiated_with = call->flags;
}

cudaError_t described_error(void)
{
    return instantiation_error;
}

bool has_strange_flags(void)
{
    const unsigned long long usual = cudaGraphInstantiateFlagUseNodePriority |
                                     cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                     cudaGraphInstantiateFlagUpload;
    return (instantiated_with & ~usual) != 0;
}

/* ---- questions to the graph ------------------------------------------------------------------ */

/* Blocks that no element needs. */
static size_t idle_blocks(cudaGraphNode_t node, size_t n)
{
    struct cudaKernelNodeParams p;
    if (cudaGraphKernelNodeGetParams(node, &p) != cudaSuccess)
        return 0;
    const size_t blocks = (size_t)p.gridDim.x * p.gridDim.y * p.gridDim.z,
                 threads = (size_t)p.blockDim.x * p.blockDim.y * p.blockDim.z,
                 needed = (n + threads - 1) / threads;
    return blocks > needed ? blocks - needed : 0;
}

static bool writes_other_array(cudaGraphNode_t node, const struct described *of)
{
    struct cudaKernelNodeParams p;
    return cudaGraphKernelNodeGetParams(node, &p) == cudaSuccess && p.kernelParams &&
           *(const float **)p.kernelParams[0] != (p.func == kernel_produce() ? of->u : of->sum);
}

static void describe_kernel(cudaGraphNode_t node, int *produce, int *other)
{
    struct cudaKernelNodeParams p;
    cudaKernelNodeAttrValue value;
    if (cudaGraphKernelNodeGetParams(node, &p) != cudaSuccess ||
        cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value) != cudaSuccess)
        return;
    if (p.func == kernel_produce())
        *produce = value.priority;
    else if (value.priority < *other)
        *other = value.priority; /* the lower the number, the greater the priority */
}

/* Edges that are no ordinary ones. */
static size_t marked_edges(cudaGraph_t graph)
{
    static const cudaGraphEdgeData none;
    cudaGraphNode_t from[MOST_NODES], to[MOST_NODES];
    cudaGraphEdgeData data[MOST_NODES];
    size_t n = MOST_NODES, count = 0;
    if (cudaGraphGetEdges(graph, from, to, data, &n) != cudaSuccess)
        return 0;
    for (size_t i = 0; i < n && i < MOST_NODES; i++)
        count += memcmp(&data[i], &none, sizeof none) != 0;
    return count;
}

void describe_branches(struct subject *s, const struct described *of)
{
    cudaGraphNode_t nodes[MOST_NODES];
    cudaEvent_t waits = NULL, records = NULL;
    size_t n = MOST_NODES, idle = 0, other_targets = 0;
    int produce = 0, other = 0;
    if (cudaGraphGetNodes(of->graph, nodes, &n) != cudaSuccess)
        return;
    for (size_t i = 0; i < n && i < MOST_NODES; i++) {
        enum cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
        cudaGraphNodeGetType(nodes[i], &type);
        if (type == cudaGraphNodeTypeKernel) {
            describe_kernel(nodes[i], &produce, &other);
            idle += idle_blocks(nodes[i], (size_t)of->n);
            other_targets += writes_other_array(nodes[i], of);
        } else if (type == cudaGraphNodeTypeWaitEvent)
            cudaGraphEventWaitNodeGetEvent(nodes[i], &waits);
        else if (type == cudaGraphNodeTypeEventRecord)
            cudaGraphEventRecordNodeGetEvent(nodes[i], &records);
    }
    subject_value(s, idle_blocks, (double)idle);
    subject_value(s, other_targets, (double)other_targets);
    subject_value(s, marked_edges, (double)marked_edges(of->graph));
    subject_value(s, waits_ready, waits == of->ready);
    subject_value(s, records_done, records == of->done);
    subject_value(s, expected_priority, of->priority);
    subject_value(s, priority, produce);
    subject_value(s, other_priority, other);
    subject_value(s, by_node, (instantiated_with & cudaGraphInstantiateFlagUseNodePriority) != 0);
}

/* What the nodes of `temporary` use; NULL: there is no such node. */
struct uses {
    cudaGraphNode_t consume, copy_back;
    const void *copied_in, *read, *written, *copied_back; /* read and written: by consume */
};

static void find_arguments(cudaGraphNode_t node, struct uses *u)
{
    struct cudaKernelNodeParams p;
    if (cudaGraphKernelNodeGetParams(node, &p) != cudaSuccess || p.func != kernel_consume() ||
        !p.kernelParams)
        return;
    u->consume = node;
    u->written = *(void **)p.kernelParams[0];
    u->read = *(void **)p.kernelParams[1];
}

static void find_copy(cudaGraphNode_t node, const struct described_temporary *of, struct uses *u)
{
    struct cudaMemcpy3DParms p;
    if (cudaGraphMemcpyNodeGetParams(node, &p) != cudaSuccess)
        return;
    if (p.srcPtr.ptr == of->in)
        u->copied_in = p.dstPtr.ptr;
    if (p.dstPtr.ptr != of->out)
        return;
    u->copied_back = p.srcPtr.ptr;
    u->copy_back = node;
}

/* Does the free node of the array wait for this node directly? */
static bool is_freed_after(const cudaGraphNode_t *nodes, size_t n, const void *array,
                           cudaGraphNode_t user)
{
    for (size_t i = 0; i < n; i++) {
        enum cudaGraphNodeType type;
        cudaGraphNode_t before[MOST_NODES];
        size_t n_before = MOST_NODES;
        void *freed = NULL;
        if (cudaGraphNodeGetType(nodes[i], &type) != cudaSuccess ||
            type != cudaGraphNodeTypeMemFree ||
            cudaGraphMemFreeNodeGetParams(nodes[i], &freed) != cudaSuccess || freed != array ||
            cudaGraphNodeGetDependencies(nodes[i], before, NULL, &n_before) != cudaSuccess)
            continue;
        for (size_t k = 0; k < n_before && k < MOST_NODES; k++)
            if (before[k] == user)
                return true;
    }
    return false;
}

void describe_temporary(struct subject *s, const struct described_temporary *of)
{
    cudaGraphNode_t nodes[MOST_NODES];
    struct uses u = {0};
    size_t n = MOST_NODES;
    if (cudaGraphGetNodes(of->graph, nodes, &n) != cudaSuccess || n > MOST_NODES)
        return;
    for (size_t i = 0; i < n; i++) {
        enum cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
        cudaGraphNodeGetType(nodes[i], &type);
        if (type == cudaGraphNodeTypeKernel)
            find_arguments(nodes[i], &u);
        else if (type == cudaGraphNodeTypeMemcpy)
            find_copy(nodes[i], of, &u);
    }
    const bool is_whole = u.consume && u.copied_in && u.copied_back;
    subject_value(s, reads_copy, !is_whole || u.read == u.copied_in);
    subject_value(s, copies_result, !is_whole || u.written == u.copied_back);
    subject_value(s, frees_swapped,
                  is_whole && is_freed_after(nodes, n, u.written, u.consume) &&
                      is_freed_after(nodes, n, u.read, u.copy_back));
}

/* Does the kernel have u as its third argument, in place of its second? */
static bool has_swapped(cudaGraphNode_t node, const float *u)
{
    struct cudaKernelNodeParams p;
    return cudaGraphKernelNodeGetParams(node, &p) == cudaSuccess && p.func == lab08_weigh() &&
           p.kernelParams && *(float **)p.kernelParams[1] != u && *(float **)p.kernelParams[2] == u;
}

void describe_early(struct subject *s, cudaGraph_t graph, const float *u)
{
    cudaGraphNode_t from[MOST_NODES], to[MOST_NODES];
    cudaGraphEdgeData data[MOST_NODES] = {{0}};
    size_t n = MOST_NODES;
    cudaGraphGetEdges(graph, from, to, data, &n);
    subject_value(s, from_end, data[0].from_port == cudaGraphKernelNodePortDefault);
    subject_value(s, from_trigger, data[0].from_port == cudaGraphKernelNodePortProgrammatic);
    subject_value(s, programmatic, data[0].type == cudaGraphDependencyTypeProgrammatic);
    subject_value(s, swapped, n > 0 && has_swapped(to[0], u));
}

/*
 * adapter_described.c: events, priorities and edge data of a submission's graph.
 */
#include <string.h>

#include "described.h"
#include "kernels/kernels.h"
#include "subject/instantiations.h"

/* ---- how it instantiates ------------------------------------------------------------------- */

/* cudaGraphExecGetFlags does not tell. */
static unsigned long long instantiated_with;

static void note_flags(cudaError_t error, cudaGraphExec_t exec, cudaGraph_t graph,
                       unsigned long long flags)
{
    (void)error;
    (void)exec;
    (void)graph;
    instantiated_with = flags;
}

void describe_instantiations(void)
{
    subject_watch_instantiations(note_flags);
}

/* ---- questions to the graph ------------------------------------------------------------------ */

size_t number_of(cudaGraph_t graph, cudaGraphNode_t node)
{
    cudaGraphNode_t nodes[MOST_NODES];
    size_t n = MOST_NODES, found = 0;
    if (cudaGraphGetNodes(graph, nodes, &n) != cudaSuccess)
        return 0;
    for (size_t i = 0; i < n && i < MOST_NODES; i++)
        if (nodes[i] == node)
            found = i + 1;
    return found;
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
    size_t n = MOST_NODES;
    int produce = 0, other = 0;
    if (cudaGraphGetNodes(of->graph, nodes, &n) != cudaSuccess)
        return;
    for (size_t i = 0; i < n && i < MOST_NODES; i++) {
        enum cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
        cudaGraphNodeGetType(nodes[i], &type);
        if (type == cudaGraphNodeTypeKernel)
            describe_kernel(nodes[i], &produce, &other);
        else if (type == cudaGraphNodeTypeWaitEvent)
            cudaGraphEventWaitNodeGetEvent(nodes[i], &waits);
        else if (type == cudaGraphNodeTypeEventRecord)
            cudaGraphEventRecordNodeGetEvent(nodes[i], &records);
    }
    subject_value(s, "marked_edges", (double)marked_edges(of->graph));
    subject_value(s, "waits_ready", waits == of->ready);
    subject_value(s, "records_done", records == of->done);
    subject_value(s, "wanted_priority", of->priority);
    subject_value(s, "priority", produce);
    subject_value(s, "other_priority", other);
    subject_value(s, "by_node", (instantiated_with & cudaGraphInstantiateFlagUseNodePriority) != 0);
}

void describe_early(struct subject *s, cudaGraph_t graph, int compute_major)
{
    cudaGraphNode_t from[MOST_NODES], to[MOST_NODES];
    cudaGraphEdgeData data[MOST_NODES] = {{0}};
    size_t n = MOST_NODES;
    cudaGraphGetEdges(graph, from, to, data, &n);
    subject_value(s, "from_end", data[0].from_port == cudaGraphKernelNodePortDefault);
    subject_value(s, "from_trigger", data[0].from_port == cudaGraphKernelNodePortProgrammatic);
    subject_value(s, "programmatic", data[0].type == cudaGraphDependencyTypeProgrammatic);
    subject_value(s, "compute_major", compute_major);
}

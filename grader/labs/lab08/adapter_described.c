/* adapter_described.c: events, priorities and edge data of a submission's graph. */
#include <stdio.h>
#include <string.h>

#include "graphs.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab08/causes.h"
#include "labs/lab08_explicit_graph/lab.h"

/* ---- how it instantiates ------------------------------------------------------------------- */

/* cudaGraphExecGetFlags does not tell. */
static unsigned long long instantiated_with;
static cudaGraph_t destroyed; /* since the latest instantiation */

static cudaError_t instantiation_error, refuses_with;
static int n_instantiations;

void describe_before_call(struct subject_call *call)
{
    if (call->function != CALL_cudaGraphInstantiate)
        return;
    n_instantiations++;
    call->is_skipped = refuses_with != cudaSuccess;
    call->error = instantiation_error = refuses_with;
}

void describe_after_call(const struct subject_call *call)
{
    if (call->function == CALL_cudaGraphDestroy)
        destroyed = call->graph;
    if (call->function != CALL_cudaGraphInstantiate)
        return;
    instantiation_error = call->error;
    instantiated_with = call->flags;
    destroyed = NULL;
}

bool was_destroyed(cudaGraph_t graph)
{
    return destroyed == graph;
}

cudaError_t described_error(void)
{
    return instantiation_error;
}

int described_instantiations(void)
{
    return n_instantiations;
}

void describe_refuse(cudaError_t error)
{
    refuses_with = error;
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

/* What the nodes of `branches` use. */
struct branches {
    size_t idle;
    int produce, other; /* priorities */
    cudaEvent_t waits, records;
};

static void find_node(struct branches *b, cudaGraphNode_t node, const struct described *of)
{
    enum cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    cudaGraphNodeGetType(node, &type);
    if (type == cudaGraphNodeTypeKernel) {
        describe_kernel(node, &b->produce, &b->other);
        b->idle += idle_blocks(node, (size_t)of->n);
    } else if (type == cudaGraphNodeTypeWaitEvent)
        cudaGraphEventWaitNodeGetEvent(node, &b->waits);
    else if (type == cudaGraphNodeTypeEventRecord)
        cudaGraphEventRecordNodeGetEvent(node, &b->records);
}

static void note_priorities(struct subject *s, const struct branches *b, int priority)
{
    char expected[96];
    snprintf(expected, sizeof expected,
             "%d of produce, 0 of the others (lower numbers mean greater priority)", priority);
    if (b->produce != priority || b->other != 0)
        subject_note(s, b->produce != priority ? LAB08_OTHER_PRIORITY : LAB08_PRIORITY_OF_ALL,
                     expected, "priority %d of produce, %d of the others", b->produce, b->other);
    else if (!(instantiated_with & cudaGraphInstantiateFlagUseNodePriority))
        subject_note(s, LAB08_PRIORITY_IGNORED, "the executable graph uses the nodes' priorities",
                     "the produce node has priority %d; the executable graph ignores it",
                     b->produce);
}

void note_branches(struct subject *s, const struct described *of)
{
    const int look = subject_numbers(s)->look;
    cudaGraphNode_t nodes[MOST_NODES];
    struct branches b = {0};
    size_t n = MOST_NODES;
    if (cudaGraphGetNodes(of->graph, nodes, &n) != cudaSuccess)
        return;
    for (size_t i = 0; i < n && i < MOST_NODES; i++)
        find_node(&b, nodes[i], of);
    if (look & LAB08_LOOK_PRIORITY)
        note_priorities(s, &b, of->priority);
    if (look & LAB08_LOOK_EVENTS && b.waits != of->ready)
        subject_note(s, LAB08_WAITS_FOR_OTHER_EVENT, NULL, NULL);
    if (look & LAB08_LOOK_EVENTS && b.records != of->done)
        subject_note(s, LAB08_RECORDS_OTHER_EVENT, NULL, NULL);
    if (look)
        return;
    if (marked_edges(of->graph) > 0)
        subject_note(s, LAB08_EDGE_WITH_DATA, NULL, NULL);
    if (b.idle > 0)
        subject_note(s, LAB08_IDLE_BLOCKS, NULL, NULL);
}

/* Does the kernel have u as its third argument, in place of its second? */
static bool has_swapped(cudaGraphNode_t node, const float *u)
{
    struct cudaKernelNodeParams p;
    return cudaGraphKernelNodeGetParams(node, &p) == cudaSuccess && p.func == lab08_weigh() &&
           p.kernelParams && *(float **)p.kernelParams[1] != u && *(float **)p.kernelParams[2] == u;
}

void note_early(struct subject *s, cudaGraph_t graph, const float *u)
{
    cudaGraphNode_t from[MOST_NODES], to[MOST_NODES];
    cudaGraphEdgeData data[MOST_NODES] = {{0}};
    size_t n = MOST_NODES;
    if (cudaGraphGetEdges(graph, from, to, data, &n) != cudaSuccess || n == 0)
        return;
    struct cudaKernelNodeParams weigh = {.func = NULL};
    cudaGraphKernelNodeGetParams(to[0], &weigh);
    subject_value(s, weigh_threads, weigh.blockDim.x);
    const int look = subject_numbers(s)->look;
    const bool is_ordinary = data[0].from_port == cudaGraphKernelNodePortDefault,
               is_of_trigger = data[0].from_port == cudaGraphKernelNodePortProgrammatic;
    if (look & LAB08_LOOK_PORT && (is_ordinary || is_of_trigger))
        subject_note(s, is_ordinary ? LAB08_ORDINARY_EDGE : LAB08_EDGE_WAITS_FOR_TRIGGER, NULL,
                     NULL);
    /* an edge that lets weigh start early lets it wait, too */
    if (!is_ordinary && !is_of_trigger && data[0].type != cudaGraphDependencyTypeProgrammatic)
        subject_note(s, LAB08_EDGE_WITHOUT_TYPE, NULL, NULL);
    if (look & LAB08_LOOK_WEIGH && has_swapped(to[0], u))
        subject_note(s, LAB08_WEIGH_SWAPPED, NULL, NULL);
}

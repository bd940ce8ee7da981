/* graph_nodes.c: the calls for one kind of node each: add, get and set parameters. All of them go
 * through node.c. */
#include <string.h>

#include "api.h"

static cudaError_t add(enum call_id call, cudaGraphNode_t *out, cudaGraph_t graph,
                       const cudaGraphNode_t *after, size_t n, struct cudaGraphNodeParams *p)
{
    API_ENTERED(api_enter(call, &e));
    call_charge(node_cost(p));
    return api_leave(p ? node_add(out, graph, after, NULL, n, p) : cudaErrorInvalidValue);
}

static cudaError_t set(enum call_id call, cudaGraphNode_t node, const struct cudaGraphNodeParams *p)
{
    API_ENTERED(api_enter(call, &e));
    call_charge(node_cost(p));
    return api_leave(node_set(node, p));
}

/* Begins a question about a node of the type; false: return *e. */
static bool ask(enum call_id call, cudaGraphNode_t handle, enum cudaGraphNodeType type,
                const void *out, struct cudaGraphNodeParams *p, cudaError_t *e)
{
    if (!api_enter(call, e))
        return false;
    struct node *n = node_given(handle);
    if (!n || n->type != type || !out) {
        *e = api_leave(cudaErrorInvalidValue);
        return false;
    }
    node_params(n, p);
    return true;
}

/* The calls that add a node of one kind, and that set its parameters. */
#define ADDS_AND_SETS(add_call, set_call, given, params_of)                                        \
    EXPORT cudaError_t add_call(cudaGraphNode_t *out, cudaGraph_t graph,                           \
                                const cudaGraphNode_t *after, size_t n, const struct given *g)     \
    {                                                                                              \
        struct cudaGraphNodeParams p = g ? params_of(g) : (struct cudaGraphNodeParams){0};         \
        return add(CALL_##add_call, out, graph, after, n, g ? &p : NULL);                          \
    }                                                                                              \
    EXPORT cudaError_t set_call(cudaGraphNode_t node, const struct given *g)                       \
    {                                                                                              \
        struct cudaGraphNodeParams p = g ? params_of(g) : (struct cudaGraphNodeParams){0};         \
        return set(CALL_##set_call, node, g ? &p : NULL);                                          \
    }

/* ---- kernel ---------------------------------------------------------------------------------- */

struct cudaGraphNodeParams params_of_kernel(const struct cudaKernelNodeParams *k)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeKernel};
    p.kernel.func = k->func;
    p.kernel.gridDim = k->gridDim;
    p.kernel.blockDim = k->blockDim;
    p.kernel.sharedMemBytes = k->sharedMemBytes;
    p.kernel.kernelParams = k->kernelParams;
    p.kernel.extra = k->extra;
    return p;
}

ADDS_AND_SETS(cudaGraphAddKernelNode, cudaGraphKernelNodeSetParams, cudaKernelNodeParams,
              params_of_kernel)

EXPORT cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                struct cudaKernelNodeParams *out)
{
    struct cudaGraphNodeParams p;
    API_ENTERED(ask(CALL_cudaGraphKernelNodeGetParams, node, cudaGraphNodeTypeKernel, out, &p, &e));
    *out = (struct cudaKernelNodeParams){.func = p.kernel.func,
                                         .gridDim = p.kernel.gridDim,
                                         .blockDim = p.kernel.blockDim,
                                         .sharedMemBytes = p.kernel.sharedMemBytes,
                                         .kernelParams = p.kernel.kernelParams};
    return api_leave(cudaSuccess);
}

/* ---- memcpy ---------------------------------------------------------------------------------- */

struct cudaGraphNodeParams params_of_memcpy(const struct cudaMemcpy3DParms *m)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeMemcpy};
    p.memcpy.copyParams = *m;
    return p;
}

ADDS_AND_SETS(cudaGraphAddMemcpyNode, cudaGraphMemcpyNodeSetParams, cudaMemcpy3DParms,
              params_of_memcpy)

struct cudaGraphNodeParams params_of_memcpy_1d(void *dst, const void *src, size_t bytes,
                                               enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms m = {.dstPtr = {dst, bytes, bytes, 1},
                                  .srcPtr = {(void *)(uintptr_t)src, bytes, bytes, 1},
                                  .extent = {bytes, 1, 1},
                                  .kind = kind};
    return params_of_memcpy(&m);
}

EXPORT cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph,
                                            const cudaGraphNode_t *after, size_t n, void *dst,
                                            const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    struct cudaGraphNodeParams p = params_of_memcpy_1d(dst, src, bytes, kind);
    return add(CALL_cudaGraphAddMemcpyNode1D, out, graph, after, n, &p);
}

EXPORT cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *out)
{
    struct cudaGraphNodeParams p;
    API_ENTERED(ask(CALL_cudaGraphMemcpyNodeGetParams, node, cudaGraphNodeTypeMemcpy, out, &p, &e));
    *out = p.memcpy.copyParams;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                                  size_t bytes, enum cudaMemcpyKind kind)
{
    struct cudaGraphNodeParams p = params_of_memcpy_1d(dst, src, bytes, kind);
    return set(CALL_cudaGraphMemcpyNodeSetParams1D, node, &p);
}

/* ---- memset ---------------------------------------------------------------------------------- */

struct cudaGraphNodeParams params_of_memset(const struct cudaMemsetParams *m)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeMemset};
    p.memset.dst = m->dst;
    p.memset.pitch = m->pitch;
    p.memset.value = m->value;
    p.memset.elementSize = m->elementSize;
    p.memset.width = m->width;
    p.memset.height = m->height;
    return p;
}

ADDS_AND_SETS(cudaGraphAddMemsetNode, cudaGraphMemsetNodeSetParams, cudaMemsetParams,
              params_of_memset)

EXPORT cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *out)
{
    struct cudaGraphNodeParams p;
    API_ENTERED(ask(CALL_cudaGraphMemsetNodeGetParams, node, cudaGraphNodeTypeMemset, out, &p, &e));
    *out = (struct cudaMemsetParams){.dst = p.memset.dst,
                                     .pitch = p.memset.pitch,
                                     .value = p.memset.value,
                                     .elementSize = p.memset.elementSize,
                                     .width = p.memset.width,
                                     .height = p.memset.height};
    return api_leave(cudaSuccess);
}

/* ---- host ------------------------------------------------------------------------------------ */

struct cudaGraphNodeParams params_of_host(const struct cudaHostNodeParams *h)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeHost};
    p.host.fn = h->fn;
    p.host.userData = h->userData;
    return p;
}

ADDS_AND_SETS(cudaGraphAddHostNode, cudaGraphHostNodeSetParams, cudaHostNodeParams, params_of_host)

EXPORT cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *out)
{
    struct cudaGraphNodeParams p;
    API_ENTERED(ask(CALL_cudaGraphHostNodeGetParams, node, cudaGraphNodeTypeHost, out, &p, &e));
    *out = (struct cudaHostNodeParams){p.host.fn, p.host.userData};
    return api_leave(cudaSuccess);
}

/* ---- child graph, empty ---------------------------------------------------------------------- */

EXPORT cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                              const cudaGraphNode_t *after, size_t n,
                                              cudaGraph_t child)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeGraph};
    p.graph.graph = child;
    return add(CALL_cudaGraphAddChildGraphNode, out, graph, after, n, &p);
}

EXPORT cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *out)
{
    struct cudaGraphNodeParams p;
    API_ENTERED(
        ask(CALL_cudaGraphChildGraphNodeGetGraph, node, cudaGraphNodeTypeGraph, out, &p, &e));
    *out = p.graph.graph;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                         const cudaGraphNode_t *after, size_t n)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeEmpty};
    return add(CALL_cudaGraphAddEmptyNode, out, graph, after, n, &p);
}

/* ---- events ---------------------------------------------------------------------------------- */

struct cudaGraphNodeParams params_of_record(cudaEvent_t event)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeEventRecord};
    p.eventRecord.event = event;
    return p;
}

struct cudaGraphNodeParams params_of_wait(cudaEvent_t event)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeWaitEvent};
    p.eventWait.event = event;
    return p;
}

#define EVENT_CALLS(add_call, get_call, set_call, node_type, member, params_of)                    \
    EXPORT cudaError_t add_call(cudaGraphNode_t *out, cudaGraph_t graph,                           \
                                const cudaGraphNode_t *after, size_t n, cudaEvent_t event)         \
    {                                                                                              \
        struct cudaGraphNodeParams p = params_of(event);                                           \
        return add(CALL_##add_call, out, graph, after, n, &p);                                     \
    }                                                                                              \
    EXPORT cudaError_t get_call(cudaGraphNode_t node, cudaEvent_t *out)                            \
    {                                                                                              \
        struct cudaGraphNodeParams p;                                                              \
        API_ENTERED(ask(CALL_##get_call, node, node_type, out, &p, &e));                           \
        *out = p.member.event;                                                                     \
        return api_leave(cudaSuccess);                                                             \
    }                                                                                              \
    EXPORT cudaError_t set_call(cudaGraphNode_t node, cudaEvent_t event)                           \
    {                                                                                              \
        struct cudaGraphNodeParams p = params_of(event);                                           \
        return set(CALL_##set_call, node, &p);                                                     \
    }
EVENT_CALLS(cudaGraphAddEventRecordNode, cudaGraphEventRecordNodeGetEvent,
            cudaGraphEventRecordNodeSetEvent, cudaGraphNodeTypeEventRecord, eventRecord,
            params_of_record)
EVENT_CALLS(cudaGraphAddEventWaitNode, cudaGraphEventWaitNodeGetEvent,
            cudaGraphEventWaitNodeSetEvent, cudaGraphNodeTypeWaitEvent, eventWait, params_of_wait)

/* ---- memory ---------------------------------------------------------------------------------- */

EXPORT cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                            const cudaGraphNode_t *after, size_t n,
                                            struct cudaMemAllocNodeParams *a)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeMemAlloc};
    if (a) {
        p.alloc.poolProps = a->poolProps;
        p.alloc.accessDescs = a->accessDescs;
        p.alloc.accessDescCount = a->accessDescCount;
        p.alloc.bytesize = a->bytesize;
    }
    cudaError_t e = add(CALL_cudaGraphAddMemAllocNode, out, graph, after, n, a ? &p : NULL);
    if (e == cudaSuccess)
        a->dptr = p.alloc.dptr;
    return e;
}

EXPORT cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                  struct cudaMemAllocNodeParams *out)
{
    struct cudaGraphNodeParams p;
    API_ENTERED(
        ask(CALL_cudaGraphMemAllocNodeGetParams, node, cudaGraphNodeTypeMemAlloc, out, &p, &e));
    *out = node_of(node)->memory->given;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                           const cudaGraphNode_t *after, size_t n, void *dptr)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeMemFree};
    p.free.dptr = dptr;
    return add(CALL_cudaGraphAddMemFreeNode, out, graph, after, n, &p);
}

EXPORT cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *out)
{
    struct cudaGraphNodeParams p;
    API_ENTERED(
        ask(CALL_cudaGraphMemFreeNodeGetParams, node, cudaGraphNodeTypeMemFree, out, &p, &e));
    memcpy(out, &p.free.dptr, sizeof p.free.dptr);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, const cudaGraphEdgeData *data,
                                    size_t n_after, struct cudaGraphNodeParams *p)
{
    API_ENTER(cudaGraphAddNode);
    call_charge(node_cost(p));
    API_TRY(newer_fields(p));
    if (node_cost(p) == COST_GRAPH_WORK && p->type != cudaGraphNodeTypeGraph &&
        (e = context_error()) != cudaSuccess)
        return api_leave(e);
    return api_leave(node_add(out, graph, after, data, n_after, p));
}

EXPORT cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *p)
{
    API_ENTER(cudaGraphNodeSetParams);
    call_charge(node_cost(p));
    e = newer_fields(p);
    return api_leave(e == cudaSuccess ? node_set(node, p) : e);
}

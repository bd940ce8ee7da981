/*
 * node.c: what nodes do: parameters in, checked, kept as work; and back out again. One function for every kind,
 * cudaGraphAddNode's; the older calls for a single kind are in node_api.c.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters to work ------------------------------------------------------------------------------ */

static cudaError_t kernel_node(struct work *w, const struct cudaKernelNodeParamsV2 *p)
{
    struct simgpu_launch l = {{p->gridDim.x, p->gridDim.y, p->gridDim.z},
                              {p->blockDim.x, p->blockDim.y, p->blockDim.z},
                              p->sharedMemBytes};
    if (p->extra)
        return cudaErrorNotSupported;
    return kernel_work(w, p->func, &l, p->kernelParams);
}

static cudaError_t memset_node(struct work *w, const struct cudaMemsetParamsV2 *p)
{
    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
        return cudaErrorInvalidValue;
    if (p->width == 0 || p->height == 0)
        return cudaErrorInvalidValue;
    struct memset_job m = {p->dst, p->width, p->height, p->pitch, p->value, (int)p->elementSize};
    if ((uintptr_t)p->dst % p->elementSize || !memset_has_memory(&m))
        return cudaErrorInvalidValue;
    return memset_work(w, &m);
}

static cudaError_t host_node(struct work *w, cudaHostFn_t fn, void *data)
{
    if (!fn)
        return cudaErrorInvalidValue;
    *w = (struct work){.kind = OP_HOST_FUNC, .engine = ENGINE_HOST, .name = "host function"};
    w->host = (struct host_job){.fn = fn, .data = data};
    return cudaSuccess;
}

static cudaError_t event_node(struct work *w, enum op_kind kind, cudaEvent_t handle)
{
    if (handle_type_of(handle) != HANDLE_EVENT)
        return cudaErrorInvalidValue;
    struct event *ev = (struct event *)handle;
    *w = (struct work){.kind = kind, .name = kind == OP_EVENT_RECORD ? "event record" : "event wait", .event = ev};
    ev->refs++;
    return cudaSuccess;
}

cudaError_t node_work(struct work *w, const struct cudaGraphNodeParams *p)
{
    *w = (struct work){.kind = OP_MARKER, .name = "empty"};
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return kernel_node(w, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return copy_work(w, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return memset_node(w, &p->memset);
    case cudaGraphNodeTypeHost:
        return host_node(w, p->host.fn, p->host.userData);
    case cudaGraphNodeTypeWaitEvent:
        return event_node(w, OP_EVENT_WAIT, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
        return event_node(w, OP_EVENT_RECORD, p->eventRecord.event);
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
    case cudaGraphNodeTypeConditional:
        return cudaSuccess;
    default:
        return cudaErrorNotSupported;
    }
}

/* ---- work to parameters ------------------------------------------------------------------------------ */

static void memcpy_params(const struct copy_job *c, struct cudaMemcpy3DParms *p)
{
    size_t dst_rows = c->dst_pitch ? c->dst_slice / c->dst_pitch : c->rows;
    size_t src_rows = c->src_pitch ? c->src_slice / c->src_pitch : c->rows;
    *p = (struct cudaMemcpy3DParms){
        .dstPtr = {c->dst, c->dst_pitch, c->width, dst_rows},
        .srcPtr = {(void *)(uintptr_t)c->src, c->src_pitch, c->width, src_rows},
        .extent = {c->width, c->rows, c->depth},
        .kind = c->kind,
    };
}

void node_params(const struct node *n, struct cudaGraphNodeParams *p)
{
    const struct work *w = &n->work;
    memset(p, 0, sizeof *p);
    p->type = n->type;
    switch (n->type) {
    case cudaGraphNodeTypeKernel: {
        const struct kernel_call *k = w->kernel.call;
        const struct simgpu_dim *g = &k->launch.grid, *b = &k->launch.block;
        p->kernel.func = (void *)(uintptr_t)k->kernel->entry;
        p->kernel.gridDim = (dim3){g->x, g->y, g->z};
        p->kernel.blockDim = (dim3){b->x, b->y, b->z};
        p->kernel.sharedMemBytes = (unsigned)k->launch.dynamic_shared_bytes;
        p->kernel.kernelParams = k->params;
        break;
    }
    case cudaGraphNodeTypeMemcpy:
        memcpy_params(&w->copy, &p->memcpy.copyParams);
        break;
    case cudaGraphNodeTypeMemset:
        p->memset.dst = w->memset.dst;
        p->memset.pitch = w->memset.pitch;
        p->memset.value = w->memset.value;
        p->memset.elementSize = (unsigned)w->memset.element_bytes;
        p->memset.width = w->memset.width;
        p->memset.height = w->memset.rows;
        break;
    case cudaGraphNodeTypeHost:
        p->host.fn = w->host.fn;
        p->host.userData = w->host.data;
        break;
    case cudaGraphNodeTypeWaitEvent:
        p->eventWait.event = (cudaEvent_t)w->event;
        break;
    case cudaGraphNodeTypeEventRecord:
        p->eventRecord.event = (cudaEvent_t)w->event;
        break;
    case cudaGraphNodeTypeGraph:
        p->graph.graph = (cudaGraph_t)n->child;
        break;
    case cudaGraphNodeTypeMemFree:
        p->free.dptr = (void *)(uintptr_t)n->memory->allocation->lo;
        break;
    default:
        break;
    }
}

/* ---- adding ------------------------------------------------------------------------------------------ */

static cudaError_t check_child(const struct graph *into, cudaGraph_t handle)
{
    struct graph *child = graph_of(handle);
    if (!child || (child == into && graph_is_plain(child)))
        return cudaErrorInvalidValue;
    return child->n_alloc_nodes || !graph_is_plain(child) ? cudaErrorNotSupported : cudaSuccess;
}

static cudaError_t check_condition(struct graph *g, const struct cudaConditionalNodeParams *p)
{
    const struct conditional *c = conditional_of(g, p->handle);
    if (!c || c->used || !p->size)
        return cudaErrorInvalidValue;
    switch (p->type) {
    case cudaGraphCondTypeIf:
        return p->size <= 2 ? cudaSuccess : cudaErrorInvalidValue;
    case cudaGraphCondTypeWhile:
        return p->size == 1 ? cudaSuccess : cudaErrorInvalidValue;
    case cudaGraphCondTypeSwitch:
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

static void make_bodies(struct node *n, struct cudaConditionalNodeParams *p)
{
    n->condition = p->handle;
    conditional_of(n->graph, p->handle)->used = true;
    n->condition_type = p->type;
    n->n_bodies = (int)p->size;
    n->bodies = calloc(p->size, sizeof *n->bodies);
    if (!n->bodies)
        fatal("out of memory for the bodies of a conditional node");
    for (int i = 0; i < n->n_bodies; i++) {
        n->bodies[i] = graph_new(n->graph);
        n->bodies[i]->is_body = true;
    }
    p->phGraph_out = (cudaGraph_t *)(void *)n->bodies;
}

/* What is kept beside the work, for the kinds that have more than that. */
static cudaError_t node_extra(struct node *n, struct cudaGraphNodeParams *p)
{
    switch (n->type) {
    case cudaGraphNodeTypeGraph:
        n->child = graph_clone(graph_of(p->graph.graph), n->graph);
        return cudaSuccess;
    case cudaGraphNodeTypeConditional:
        make_bodies(n, &p->conditional);
        return cudaSuccess;
    case cudaGraphNodeTypeMemAlloc:
        return memory_node_alloc(n, &p->alloc);
    case cudaGraphNodeTypeMemFree:
        return memory_node_free(n, p->free.dptr);
    default:
        return cudaSuccess;
    }
}

static cudaError_t check_extra(struct graph *g, const struct cudaGraphNodeParams *p)
{
    if (p->type == cudaGraphNodeTypeGraph)
        return check_child(g, p->graph.graph);
    if (p->type == cudaGraphNodeTypeConditional)
        return check_condition(g, &p->conditional);
    return cudaSuccess;
}

cudaError_t node_add(cudaGraphNode_t *out, cudaGraph_t handle, const cudaGraphNode_t *after,
                     const cudaGraphEdgeData *data, size_t n_after, struct cudaGraphNodeParams *p)
{
    struct graph *g = graph_of(handle);
    if (!out || !g || !p)
        return cudaErrorInvalidValue;
    cudaError_t e = dependencies_check(g, after, n_after);
    if (e == cudaSuccess)
        e = check_extra(g, p);
    struct work w;
    if (e == cudaSuccess)
        e = node_work(&w, p);
    if (e != cudaSuccess)
        return e;
    struct node *n = node_new(g, p->type, &w);
    e = node_extra(n, p);
    for (size_t i = 0; i < n_after && e == cudaSuccess; i++)
        e = edge_add(node_of(after[i]), n, data ? &data[i] : NULL);
    if (e != cudaSuccess) {
        node_destroy(n);
        return e;
    }
    *out = (cudaGraphNode_t)n;
    return cudaSuccess;
}

enum api_cost node_cost(const struct cudaGraphNodeParams *p)
{
    bool work = p && (p->type == cudaGraphNodeTypeKernel || p->type == cudaGraphNodeTypeMemcpy ||
                      p->type == cudaGraphNodeTypeMemset || p->type == cudaGraphNodeTypeGraph ||
                      p->type == cudaGraphNodeTypeConditional);
    return work ? COST_GRAPH_WORK : COST_GRAPH_NODE;
}

EXPORT cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                    const cudaGraphEdgeData *data, size_t n_after, struct cudaGraphNodeParams *p)
{
    cudaError_t e;
    if (!api_enter(node_cost(p), "cudaGraphAddNode", &e))
        return e;
    return api_leave(node_add(out, graph, after, data, n_after, p));
}

/* ---- changing ---------------------------------------------------------------------------------------- */

cudaError_t node_set(cudaGraphNode_t handle, const struct cudaGraphNodeParams *p)
{
    struct node *n = node_of(handle);
    if (!n || !p || n->type != p->type)
        return cudaErrorInvalidValue;
    if (p->type == cudaGraphNodeTypeMemAlloc || p->type == cudaGraphNodeTypeMemFree ||
        p->type == cudaGraphNodeTypeGraph || p->type == cudaGraphNodeTypeConditional)
        return cudaErrorNotSupported;
    struct work w;
    cudaError_t e = node_work(&w, p);
    if (e != cudaSuccess)
        return e;
    work_drop(&n->work);
    n->work = w;
    return cudaSuccess;
}

EXPORT cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *p)
{
    cudaError_t e;
    if (!api_enter(node_cost(p), "cudaGraphNodeSetParams", &e))
        return e;
    return api_leave(node_set(node, p));
}

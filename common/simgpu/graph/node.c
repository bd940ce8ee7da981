/* node.c: the work of nodes: parameters are checked, kept as a struct work, and returned. One
 * function serves all kinds, as in cudaGraphAddNode; api/graph_nodes.c has the older calls for
 * single kinds. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters to work ---------------------------------------------------------------------- */

enum { MAX_PACKED_PARAMS = 64, MAX_ALIGNMENT = 16 };

/* Parameters packed into one buffer, each as aligned as its size lets it be (CU_LAUNCH_PARAM_…). */
static cudaError_t unpack(const struct cudaKernelNodeParamsV2 *p, void *unpacked[MAX_PACKED_PARAMS],
                          void ***args)
{
    enum { END, BUFFER, SIZE };
    const struct simgpu_kernel *k = kernel_find(p->func);
    char *buffer = NULL;
    size_t bytes = 0, at = 0;
    for (void **x = p->extra; (uintptr_t)*x != END; x += 2) {
        if ((uintptr_t)*x == BUFFER)
            buffer = x[1];
        else if ((uintptr_t)*x == SIZE)
            bytes = *(size_t *)x[1];
        else
            return cudaErrorInvalidValue;
    }
    if (!buffer || !k)
        return cudaSuccess;
    if (p->kernelParams || k->n_params > MAX_PACKED_PARAMS)
        return cudaErrorInvalidValue;
    for (int i = 0; i < k->n_params; i++) {
        size_t align = k->param_bytes[i] & -k->param_bytes[i];
        align = align > MAX_ALIGNMENT ? MAX_ALIGNMENT : align;
        at = (at + align - 1) / align * align;
        if (at + k->param_bytes[i] > bytes)
            return cudaErrorInvalidValue;
        unpacked[i] = buffer + at;
        at += k->param_bytes[i];
    }
    *args = unpacked;
    return cudaSuccess;
}

static cudaError_t kernel_node(struct work *w, const struct cudaKernelNodeParamsV2 *p)
{
    void *unpacked[MAX_PACKED_PARAMS], **args = p->kernelParams;
    TRY(p->extra ? unpack(p, unpacked, &args) : cudaSuccess);
    struct simgpu_launch l = {{p->gridDim.x, p->gridDim.y, p->gridDim.z},
                              {p->blockDim.x, p->blockDim.y, p->blockDim.z},
                              p->sharedMemBytes};
    return kernel_work(w, p->func, &l, args);
}

static cudaError_t memset_node(struct work *w, const struct cudaMemsetParamsV2 *p)
{
    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
        return refusal_of_member("memset.elementSize");
    if (p->width == 0 || p->height == 0)
        return refusal_of_member(p->width == 0 ? "memset.width" : "memset.height");
    struct memset_job m = {p->dst, p->width, p->height, p->pitch, p->value, (int)p->elementSize};
    if ((uintptr_t)p->dst % p->elementSize || !memset_has_memory(&m))
        return cudaErrorInvalidValue;
    return memset_work(w, &m);
}

static cudaError_t host_node(struct work *w, cudaHostFn_t fn, void *data)
{
    if (!fn)
        return refusal_of_member("host.fn");
    *w = (struct work){.kind = OP_HOST_FUNC,
                       .engine = ENGINE_HOST,
                       .name = "host function",
                       .caller = call_place()};
    w->host = (struct host_job){.fn = fn, .data = data};
    return cudaSuccess;
}

static cudaError_t event_node(struct work *w, enum op_kind kind, cudaEvent_t handle)
{
    if (handle_type_of(handle) != HANDLE_EVENT) {
        refusal_note_handle(handle, "event");
        return cudaErrorInvalidValue;
    }
    struct event *ev = (struct event *)handle;
    *w =
        kind == OP_EVENT_RECORD
            ? event_record_work(ev)
            : (struct work){
                  .kind = OP_EVENT_WAIT, .name = "event wait", .caller = call_place(), .event = ev};
    ev->refs++;
    return cudaSuccess;
}

cudaError_t node_work(struct work *w, const struct cudaGraphNodeParams *p)
{
    *w = (struct work){.kind = OP_MARKER, .name = "empty", .caller = call_place()};
    if ((int)p->type == NODE_BATCH)
        return cudaSuccess;
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
    case cudaGraphNodeTypeMemAlloc:
        w->name = "alloc";
        return cudaSuccess;
    case cudaGraphNodeTypeMemFree:
        w->name = "free";
        return cudaSuccess;
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeConditional:
        return cudaSuccess;
    case cudaGraphNodeTypeExtSemaphoreSignal:
        return p->extSemSignal.numExtSems ? cudaErrorInvalidResourceHandle : cudaSuccess;
    case cudaGraphNodeTypeExtSemaphoreWait:
        return p->extSemWait.numExtSems ? cudaErrorInvalidResourceHandle : cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

/* ---- work to parameters ---------------------------------------------------------------------- */

/* The pointer that was given, with what is known of the box around it: of a single row nothing. */
static struct cudaPitchedPtr box(const void *at, const struct cudaPos *pos, size_t pitch,
                                 size_t slice, bool given, const struct copy_job *c)
{
    char *p = (char *)(uintptr_t)at - pos->z * slice - pos->y * pitch - pos->x;
    if (c->rows == 1 && c->depth == 1)
        return (struct cudaPitchedPtr){p, 0, 0, 0};
    return (struct cudaPitchedPtr){p, pitch, 0, given || c->depth > 1 ? slice / pitch : 0};
}

static void memcpy_params(const struct node *n, struct cudaMemcpy3DParms *p)
{
    const struct copy_job *c = &n->work.copy;
    const struct copy_place *at = &n->copy_place;
    *p = (struct cudaMemcpy3DParms){
        .dstPtr = box(c->dst, &at->dst, c->dst_pitch, c->dst_slice, at->given, c),
        .srcPtr = box(c->src, &at->src, c->src_pitch, c->src_slice, at->given, c),
        .dstPos = at->dst,
        .srcPos = at->src,
        .extent = {c->width, c->rows, c->depth},
        .kind = c->kind,
    };
}

static void keep_place(struct node *n, const struct cudaGraphNodeParams *p)
{
    const struct cudaMemcpy3DParms *m = &p->memcpy.copyParams;
    if (p->type == cudaGraphNodeTypeMemcpy)
        n->copy_place = (struct copy_place){true, m->dstPos, m->srcPos};
}

void node_params(struct node *n, struct cudaGraphNodeParams *p)
{
    const struct work *w = &n->work;
    memset(p, 0, sizeof *p);
    p->type = n->type;
    if ((int)n->type == NODE_BATCH)
        batch_params(n, p);
    switch (n->type) {
    case cudaGraphNodeTypeKernel: {
        const struct kernel_call *k = kernel_call_to_give(&n->work);
        const struct simgpu_dim *g = &k->launch.grid, *b = &k->launch.block;
        p->kernel.func = (void *)(uintptr_t)k->kernel->entry;
        p->kernel.gridDim = (dim3){g->x, g->y, g->z};
        p->kernel.blockDim = (dim3){b->x, b->y, b->z};
        p->kernel.sharedMemBytes = (unsigned)k->launch.dynamic_shared_bytes;
        p->kernel.kernelParams = k->params;
        break;
    }
    case cudaGraphNodeTypeMemcpy:
        memcpy_params(n, &p->memcpy.copyParams);
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
    case cudaGraphNodeTypeMemAlloc:
        p->alloc.poolProps = n->memory->given.poolProps;
        p->alloc.accessDescs = n->memory->given.accessDescs;
        p->alloc.accessDescCount = n->memory->given.accessDescCount;
        p->alloc.bytesize = n->memory->given.bytesize;
        p->alloc.dptr = n->memory->given.dptr;
        break;
    case cudaGraphNodeTypeMemFree:
        p->free.dptr = (void *)(uintptr_t)n->memory->allocation->lo;
        break;
    case cudaGraphNodeTypeConditional:
        p->conditional.handle = n->condition;
        p->conditional.type = n->condition_type;
        p->conditional.size = (unsigned)n->n_bodies;
        p->conditional.phGraph_out = (cudaGraph_t *)(void *)n->bodies;
        break;
    default:
        break;
    }
}

/* ---- adding ---------------------------------------------------------------------------------- */

/* A child graph is a copy, or the graph itself, which then is the node's. */
static cudaError_t check_child(struct graph *into, const struct cudaChildGraphNodeParams *p)
{
    struct graph *child = graph_of(p->graph);
    if (!child)
        refusal_note_handle(p->graph, "child graph");
    if (!child || (child == graph_top(into) && graph_is_plain(child)))
        return cudaErrorInvalidValue;
    if (child->parent || !graph_is_plain(child))
        return cudaErrorNotSupported;
    bool moved = p->ownership == cudaGraphChildGraphOwnershipMove;
    return child->n_memory_nodes && !moved ? cudaErrorNotSupported : cudaSuccess;
}

static void take_child(struct node *n, const struct cudaChildGraphNodeParams *p)
{
    struct graph *g = graph_of(p->graph);
    if (p->ownership == cudaGraphChildGraphOwnershipMove) {
        n->child = g;
        g->parent = n->graph;
        graph_top(n->graph)->n_updatable += g->n_updatable;
    } else {
        n->child = graph_clone(g, n->graph);
    }
}

/* Of a SWITCH: as many graphs are no trouble yet. */
enum { MOST_BODIES = 1 << 16 };

static cudaError_t check_condition(struct graph *g, const struct cudaConditionalNodeParams *p)
{
    static const char size[] = "conditional.size";
    const struct conditional *c = conditional_of(g, p->handle);
    if (!c || c->used || c->device != thread_self()->device) {
        refusal_note(c && c->used           ? SIMGPU_REFUSED_TAKEN
                     : !c && p->handle != 0 ? SIMGPU_REFUSED_OTHER_GRAPH
                                            : SIMGPU_REFUSED_MEMBER,
                     "conditional.handle", 0, 0, 0);
        return cudaErrorInvalidValue;
    }
    if (!p->size)
        return refusal_of_member(size);
    switch (p->type) {
    case cudaGraphCondTypeIf:
        return p->size <= 2 ? cudaSuccess : refusal_of_member(size);
    case cudaGraphCondTypeWhile:
        return p->size == 1 ? cudaSuccess : refusal_of_member(size);
    case cudaGraphCondTypeSwitch:
        return p->size <= MOST_BODIES ? cudaSuccess : cudaErrorMemoryAllocation;
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
    n->bodies = needed(calloc(p->size, sizeof *n->bodies), "the bodies of a conditional node");
    for (int i = 0; i < n->n_bodies; i++) {
        n->bodies[i] = graph_new(n->graph);
        n->bodies[i]->is_body = true;
    }
    p->phGraph_out = (cudaGraph_t *)(void *)n->bodies;
}

/* The data that a node keeps beside its work, for the kinds that have any. */
static cudaError_t node_extra(struct node *n, struct cudaGraphNodeParams *p)
{
    if ((int)n->type == NODE_BATCH)
        return batch_make(n, p);
    switch (n->type) {
    case cudaGraphNodeTypeGraph:
        take_child(n, &p->graph);
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
        return check_child(g, &p->graph);
    if (p->type == cudaGraphNodeTypeConditional)
        return check_condition(g, &p->conditional);
    return cudaSuccess;
}

/* What the parameters of a node of this type take up in the union. */
static size_t params_bytes(enum cudaGraphNodeType type)
{
    struct cudaGraphNodeParams p;
    switch (type) {
    case cudaGraphNodeTypeKernel:
        return sizeof p.kernel;
    case cudaGraphNodeTypeMemcpy:
        return sizeof p.memcpy;
    case cudaGraphNodeTypeMemset:
        return sizeof p.memset;
    case cudaGraphNodeTypeHost:
        return sizeof p.host;
    default:
        return sizeof p.reserved1;
    }
}

static bool reserved_is_zero(const struct cudaGraphNodeParams *p)
{
    const unsigned char *params = (const unsigned char *)p->reserved1;
    for (size_t i = params_bytes(p->type); i < sizeof p->reserved1; i++)
        if (params[i])
            return false;
    return !p->reserved0[0] && !p->reserved0[1] && !p->reserved0[2] && !p->reserved2;
}

/* A node runs on the device that is current when it is made, a memset where its memory is. */
static int device_of(const struct work *w)
{
    const struct allocation *a = w->kind == OP_MEMSET ? memory_find(w->memset.dst) : NULL;
    bool of_device =
        a && a->kind != MEMORY_PINNED && a->kind != MEMORY_REGISTERED && a->kind != MEMORY_MANAGED;
    return of_device ? a->device : thread_self()->device;
}

cudaError_t node_add(cudaGraphNode_t *out, cudaGraph_t handle, const cudaGraphNode_t *after,
                     const cudaGraphEdgeData *data, size_t n_after, struct cudaGraphNodeParams *p)
{
    struct graph *g = graph_of(handle);
    if (!g)
        refusal_note_handle(handle, "graph");
    if (!out || !g || !p || !reserved_is_zero(p))
        return cudaErrorInvalidValue;
    struct work w;
    TRY(dependencies_check(g, after, n_after));
    TRY(check_extra(g, p));
    TRY(node_work(&w, p));
    cudaError_t e = cudaSuccess;
    struct node *n = node_new(g, p->type, &w);
    n->device = device_of(&w);
    keep_place(n, p);
    for (size_t i = 0; i < n_after && e == cudaSuccess; i++) {
        struct node *from = node_of(after[i]);
        bool fits = !data || edge_data_fits(&data[i], from->type, n->type);
        e = fits ? edge_add(from, n, data ? &data[i] : NULL) : cudaErrorInvalidValue;
    }
    if (e == cudaSuccess)
        e = node_extra(n, p);
    if (e != cudaSuccess) {
        node_destroy(n);
        return e;
    }
    *out = (cudaGraphNode_t)n;
    return cudaSuccess;
}

cudaError_t node_place(cudaGraphNode_t *out, struct graph *g, const cudaGraphNode_t *after,
                       size_t n_after, enum cudaGraphNodeType type, const struct work *w)
{
    TRY(dependencies_check(g, after, n_after));
    struct node *n = node_new(g, type, w);
    n->device = device_of(w);
    for (size_t i = 0; i < n_after; i++)
        edge_add(node_of(after[i]), n, NULL);
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

/* ---- changing -------------------------------------------------------------------------------- */

cudaError_t node_set(cudaGraphNode_t handle, const struct cudaGraphNodeParams *p)
{
    struct node *n = node_given(handle);
    if (!n || !p || n->type != p->type)
        return cudaErrorInvalidValue;
    if (p->type == cudaGraphNodeTypeMemAlloc || p->type == cudaGraphNodeTypeMemFree ||
        p->type == cudaGraphNodeTypeConditional)
        return cudaErrorNotSupported;
    struct work w;
    if (p->type == cudaGraphNodeTypeGraph)
        TRY(check_child(n->graph, &p->graph));
    TRY(node_work(&w, p));
    if ((int)p->type == NODE_BATCH)
        TRY(batch_make(n, p));
    if (p->type == cudaGraphNodeTypeGraph) {
        struct graph *old = n->child; /* there until the new one is: their handles differ */
        take_child(n, &p->graph);
        graph_disown(old);
    }
    w.waits = n->work.waits;
    work_drop(&n->work);
    n->work = w;
    n->device = device_of(&w);
    keep_place(n, p);
    return cudaSuccess;
}

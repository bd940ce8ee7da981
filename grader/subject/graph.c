/* graph.c: the nodes and edges of a submission's graph, as text for the judge. */
#include "graph.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/kernel_name.h"
#include "inside.h"
#include "simgpu.h"

#pragma weak simgpu_failed_capture

/* One node's line. */
struct line {
    const char *kind;
    char name[64];
    uint64_t bytes;
    long value;
    const char *buffer;
    long offset;
    bool pageable;
    size_t n_graphs; /* inside the node: bodies, or a child graph */
};

/* ---- nodes ----------------------------------------------------------------------------------- */

static const char *kind_of(enum cudaGraphNodeType type)
{
    static const char *const kinds[] = {[cudaGraphNodeTypeKernel] = "kernel",
                                        [cudaGraphNodeTypeMemcpy] = "copy",
                                        [cudaGraphNodeTypeMemset] = "memset",
                                        [cudaGraphNodeTypeHost] = "host",
                                        [cudaGraphNodeTypeEmpty] = "empty",
                                        [cudaGraphNodeTypeMemAlloc] = "alloc",
                                        [cudaGraphNodeTypeMemFree] = "free",
                                        [cudaGraphNodeTypeEventRecord] = "record",
                                        [cudaGraphNodeTypeWaitEvent] = "wait",
                                        [cudaGraphNodeTypeGraph] = "child",
                                        [cudaGraphNodeTypeConditional] = "conditional"};
    return (size_t)type < sizeof kinds / sizeof kinds[0] && kinds[type] ? kinds[type] : "other";
}

/* Which of the judge's buffers has this address? */
static void find_buffer(const struct subject *s, const void *host, struct line *l)
{
    for (int i = 0; i < s->n_maps; i++) {
        const char *data = (const char *)s->maps[i].data, *at = host;
        if (at >= data && at < data + s->scenario.buffers[i].data_bytes) {
            l->buffer = s->scenario.buffers[i].name;
            l->offset = (long)((size_t)(at - data) / sizeof(float));
        }
    }
}

/* Parameters as long as a pointer may be one of host memory. */
static void describe_kernel(const struct subject *s, cudaGraphNode_t node, struct line *l)
{
    struct cudaKernelNodeParams p;
    const char *symbol = NULL;
    size_t offset, bytes;
    snprintf(l->name, sizeof l->name, "kernel");
    if (cudaGraphKernelNodeGetParams(node, &p) != cudaSuccess)
        return;
    if (cudaFuncGetName(&symbol, p.func) == cudaSuccess && symbol && *symbol)
        kernel_name(symbol, l->name, sizeof l->name);
    for (size_t i = 0; cudaFuncGetParamInfo(p.func, i, &offset, &bytes) == cudaSuccess; i++)
        if (bytes == sizeof(void *) && p.kernelParams)
            find_buffer(s, *(void **)p.kernelParams[i], l);
}

static enum cudaMemoryType type_of(const void *p)
{
    struct cudaPointerAttributes a;
    return cudaPointerGetAttributes(&a, p) == cudaSuccess ? a.type : cudaMemoryTypeUnregistered;
}

static int device_of(const void *p)
{
    struct cudaPointerAttributes a;
    return cudaPointerGetAttributes(&a, p) == cudaSuccess ? a.device : -1;
}

/* What the pointers say. Memory of a graph, or memory that was freed since, is none of CUDA's now:
   it is the device's if the other side is host memory; else what the call said. */
static void find_direction(const struct cudaMemcpy3DParms *p, bool *from_device, bool *to_device)
{
    enum cudaMemoryType from = type_of(p->srcPtr.ptr), to = type_of(p->dstPtr.ptr);
    const bool known = p->kind != cudaMemcpyDefault;
    const bool from_host = from == cudaMemoryTypeHost, to_host = to == cudaMemoryTypeHost;
    *from_device = from == cudaMemoryTypeDevice || from == cudaMemoryTypeManaged;
    *to_device = to == cudaMemoryTypeDevice || to == cudaMemoryTypeManaged;
    if (!*from_device && !*to_device && from_host != to_host) {
        *from_device = to_host;
        *to_device = from_host;
    } else if (!*from_device && !*to_device && known) {
        *from_device = p->kind == cudaMemcpyDeviceToHost || p->kind == cudaMemcpyDeviceToDevice;
        *to_device = p->kind == cudaMemcpyHostToDevice || p->kind == cudaMemcpyDeviceToDevice;
    }
}

static void describe_copy(const struct subject *s, cudaGraphNode_t node, struct line *l)
{
    struct cudaMemcpy3DParms p;
    if (cudaGraphMemcpyNodeGetParams(node, &p) != cudaSuccess || p.srcArray || p.dstArray)
        return;
    bool from_device, to_device;
    find_direction(&p, &from_device, &to_device);
    l->kind = from_device ? (to_device ? "d2d" : "d2h") : (to_device ? "h2d" : "h2h");
    if (from_device && to_device && device_of(p.srcPtr.ptr) != device_of(p.dstPtr.ptr))
        l->kind = "p2p";
    l->bytes = p.extent.width * p.extent.height * p.extent.depth;
    if (from_device == to_device)
        return;
    const void *host = from_device ? p.dstPtr.ptr : p.srcPtr.ptr;
    l->pageable = type_of(host) == cudaMemoryTypeUnregistered;
    find_buffer(s, host, l);
}

static void describe_memset(cudaGraphNode_t node, struct line *l)
{
    struct cudaMemsetParams p;
    if (cudaGraphMemsetNodeGetParams(node, &p) != cudaSuccess)
        return;
    l->bytes = (uint64_t)p.elementSize * p.width * (p.height ? p.height : 1);
    l->value = (long)p.value;
}

static void describe_alloc(cudaGraphNode_t node, struct line *l)
{
    struct cudaMemAllocNodeParams p;
    if (cudaGraphMemAllocNodeGetParams(node, &p) == cudaSuccess)
        l->bytes = p.bytesize;
}

/* The i-th graph inside a node; NULL: there is none. */
static cudaGraph_t graph_inside(cudaGraphNode_t node, size_t i)
{
    enum cudaGraphNodeType type;
    cudaGraph_t child = NULL;
    const struct subject_conditional *c = subject_conditional(node);
    if (cudaGraphNodeGetType(node, &type) != cudaSuccess)
        return NULL;
    if (type == cudaGraphNodeTypeConditional)
        return c && i < c->n_bodies ? c->bodies[i] : NULL;
    if (type != cudaGraphNodeTypeGraph || i > 0 ||
        cudaGraphChildGraphNodeGetGraph(node, &child) != cudaSuccess)
        return NULL;
    return child;
}

static void describe_conditional(cudaGraphNode_t node, struct line *l)
{
    static const char *const kinds[] = {[cudaGraphCondTypeIf] = "if",
                                        [cudaGraphCondTypeWhile] = "while",
                                        [cudaGraphCondTypeSwitch] = "switch"};
    const struct subject_conditional *c = subject_conditional(node);
    if (c && (size_t)c->type < sizeof kinds / sizeof kinds[0])
        l->kind = kinds[c->type];
}

static void put_node(FILE *to, const struct subject *s, cudaGraphNode_t node)
{
    struct line l = {.kind = "other", .name = "-", .buffer = "-"};
    enum cudaGraphNodeType type;
    while (graph_inside(node, l.n_graphs))
        l.n_graphs++;
    if (cudaGraphNodeGetType(node, &type) == cudaSuccess) {
        l.kind = kind_of(type);
        if (type == cudaGraphNodeTypeKernel)
            describe_kernel(s, node, &l);
        else if (type == cudaGraphNodeTypeMemcpy)
            describe_copy(s, node, &l);
        else if (type == cudaGraphNodeTypeMemset)
            describe_memset(node, &l);
        else if (type == cudaGraphNodeTypeMemAlloc)
            describe_alloc(node, &l);
        else if (type == cudaGraphNodeTypeConditional)
            describe_conditional(node, &l);
    }
    fprintf(to, "%s,%s,%" PRIu64 ",%ld,%s,%ld,%d,%zu\n", l.kind, l.name, l.bytes, l.value, l.buffer,
            l.offset, l.pageable, l.n_graphs);
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* A node's place in the list of all. */
struct place {
    cudaGraphNode_t node;
    size_t at;
};

static int by_node(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct place *)a)->node,
              y = (uintptr_t)((const struct place *)b)->node;
    return x < y ? -1 : x > y;
}

static size_t place_of(const struct place *places, size_t n, cudaGraphNode_t node)
{
    const struct place key = {node, 0}, *found = bsearch(&key, places, n, sizeof key, by_node);
    return found ? found->at : n;
}

/* What was asked of the runtime. */
struct answer {
    cudaGraphNode_t *nodes, *from, *to;
    cudaGraphEdgeData *data; /* without room for it edges that carry some are an error */
    struct place *places;
    size_t n_nodes, n_edges;
};

static cudaError_t ask(cudaGraph_t graph, struct answer *a)
{
    cudaError_t e = cudaGraphGetNodes(graph, NULL, &a->n_nodes);
    e = e ? e : cudaGraphGetEdges(graph, NULL, NULL, NULL, &a->n_edges);
    if (e)
        return e;
    a->nodes = calloc(a->n_nodes + 1, sizeof *a->nodes);
    a->places = calloc(a->n_nodes + 1, sizeof *a->places);
    a->from = calloc(a->n_edges + 1, sizeof *a->from);
    a->to = calloc(a->n_edges + 1, sizeof *a->to);
    a->data = calloc(a->n_edges + 1, sizeof *a->data);
    if (!a->nodes || !a->places || !a->from || !a->to || !a->data)
        return cudaErrorMemoryAllocation;
    if (a->n_nodes)
        e = cudaGraphGetNodes(graph, a->nodes, &a->n_nodes);
    if (!e && a->n_edges)
        e = cudaGraphGetEdges(graph, a->from, a->to, a->data, &a->n_edges);
    for (size_t i = 0; i < a->n_nodes; i++)
        a->places[i] = (struct place){a->nodes[i], i};
    qsort(a->places, a->n_nodes, sizeof *a->places, by_node);
    return e;
}

static void answer_free(struct answer *a)
{
    free(a->nodes);
    free(a->places);
    free(a->from);
    free(a->to);
    free(a->data);
}

/* ---- for adapters ---------------------------------------------------------------------------- */

/* The graph, and after it those inside its nodes, in order. */
static cudaError_t put_graph(FILE *to, struct subject *s, cudaGraph_t graph)
{
    struct answer a = {0};
    cudaError_t e = ask(graph, &a);
    if (!e)
        fprintf(to, "nodes %zu edges %zu\n", a.n_nodes, a.n_edges);
    for (size_t i = 0; i < a.n_nodes && !e; i++)
        put_node(to, s, a.nodes[i]);
    for (size_t i = 0; i < a.n_edges && !e; i++)
        fprintf(to, "%zu,%zu\n", place_of(a.places, a.n_nodes, a.from[i]),
                place_of(a.places, a.n_nodes, a.to[i]));
    for (size_t i = 0; i < a.n_nodes && !e; i++) {
        cudaGraph_t inside;
        for (size_t k = 0; !e && (inside = graph_inside(a.nodes[i], k)) != NULL; k++)
            e = put_graph(to, s, inside);
    }
    answer_free(&a);
    return e;
}

/* Writes the graph to the blob. 0 or a cudaError_t; *whole: it fits. */
static cudaError_t write_graph(struct subject *s, cudaGraph_t graph, FILE *to, bool *whole)
{
    cudaError_t e = put_graph(to, s, graph);
    long end = ftell(to);
    *whole = fclose(to) == 0 && end > 0 && (size_t)end < s->blob_bytes;
    if (!e && *whole)
        s->reply.blob_bytes = (uint64_t)end;
    cudaGetLastError(); /* a question that had no answer is not the submission's error */
    return e;
}

int subject_graph(struct subject *s, cudaGraph_t graph, const char *whose)
{
    bool whole;
    if (!graph)
        return subject_fail(s, WIRE_GRAPH_NULL, whose);
    FILE *to = fmemopen(s->blob, s->blob_bytes, "w");
    if (!to) {
        s->reply.failure.error.code = errno;
        return subject_fail(s, WIRE_SYSTEM_FAILED, "writing down the graph");
    }
    cudaError_t e = write_graph(s, graph, to, &whole);
    if (e)
        return subject_fail_cuda(s, WIRE_GRAPH_DEAD, whose, e);
    return whole ? 0 : subject_fail(s, WIRE_GRAPH_TOO_LARGE, whose);
}

int subject_shown_graph(struct subject *s)
{
    return subject_graph(s, (cudaGraph_t)(uintptr_t)s->lab->shown(s), "lab->graph");
}

/* What a capture that failed had captured, for the report. */
static void write_failed_capture(struct subject *s)
{
    cudaGraph_t graph = simgpu_failed_capture ? simgpu_failed_capture() : NULL;
    FILE *to = graph ? fmemopen(s->blob, s->blob_bytes, "w") : NULL;
    bool whole;
    if (to)
        write_graph(s, graph, to, &whole);
    if (graph)
        cudaGraphDestroy(graph);
}

int subject_captured(struct subject *s, const char *function, cudaError_t error)
{
    int failed;
    if (error == cudaSuccess && !subject_unaided(s) &&
        cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported)
        failed = subject_fail(s, WIRE_STILL_CAPTURING, function);
    else
        failed = subject_fail_cuda(s, WIRE_RETURNED, function, error);
    if (failed)
        write_failed_capture(s);
    return failed;
}

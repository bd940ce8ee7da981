/* subject_graph.c: the nodes and edges of a submission's graph, as text for the judge. */
#include "graph.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

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
    switch (type) {
    case cudaGraphNodeTypeKernel:
        return "kernel";
    case cudaGraphNodeTypeMemcpy:
        return "copy";
    case cudaGraphNodeTypeMemset:
        return "memset";
    case cudaGraphNodeTypeHost:
        return "host";
    case cudaGraphNodeTypeEmpty:
        return "empty";
    case cudaGraphNodeTypeMemAlloc:
        return "alloc";
    case cudaGraphNodeTypeMemFree:
        return "free";
    case cudaGraphNodeTypeEventRecord:
        return "record";
    case cudaGraphNodeTypeWaitEvent:
        return "wait";
    case cudaGraphNodeTypeGraph:
        return "child";
    case cudaGraphNodeTypeConditional:
        return "conditional";
    default:
        return "other";
    }
}

/* The plain name in a C++ symbol (_Z6matmulPfi and _ZL6matmulPfi are matmul); no commas in it. */
static void plain_name(const char *symbol, char *name, size_t room)
{
    size_t length = strlen(symbol);
    if (strncmp(symbol, "_Z", 2) == 0) {
        const char *at = symbol + 2 + (symbol[2] == 'L');
        char *part;
        unsigned long n = isdigit((unsigned char)*at) ? strtoul(at, &part, 10) : 0;
        if (n > 0 && n <= strlen(part)) {
            symbol = part;
            length = n;
        }
    }
    snprintf(name, room, "%.*s", (int)(length < room ? length : room - 1), symbol);
    for (char *c = name; *c; c++)
        if (*c == ',' || (unsigned char)*c < 0x20)
            *c = '?';
}

static void describe_kernel(cudaGraphNode_t node, struct line *l)
{
    struct cudaKernelNodeParams p;
    const char *symbol = NULL;
    snprintf(l->name, sizeof l->name, "kernel");
    if (cudaGraphKernelNodeGetParams(node, &p) == cudaSuccess &&
        cudaFuncGetName(&symbol, p.func) == cudaSuccess && symbol && *symbol)
        plain_name(symbol, l->name, sizeof l->name);
}

static enum cudaMemoryType type_of(const void *p)
{
    struct cudaPointerAttributes a;
    return cudaPointerGetAttributes(&a, p) == cudaSuccess ? a.type : cudaMemoryTypeUnregistered;
}

/* What the pointers say; of memory that was freed since, what the call said. */
static void find_direction(const struct cudaMemcpy3DParms *p, bool *from_device, bool *to_device)
{
    enum cudaMemoryType from = type_of(p->srcPtr.ptr), to = type_of(p->dstPtr.ptr);
    bool known = p->kind != cudaMemcpyDefault;
    *from_device = from == cudaMemoryTypeDevice || from == cudaMemoryTypeManaged;
    *to_device = to == cudaMemoryTypeDevice || to == cudaMemoryTypeManaged;
    if (!*from_device && !*to_device && known) {
        *from_device = p->kind == cudaMemcpyDeviceToHost || p->kind == cudaMemcpyDeviceToDevice;
        *to_device = p->kind == cudaMemcpyHostToDevice || p->kind == cudaMemcpyDeviceToDevice;
    }
}

/* Which of the judge's buffers does the copy read or write on the host? */
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

static void describe_copy(const struct subject *s, cudaGraphNode_t node, struct line *l)
{
    struct cudaMemcpy3DParms p;
    if (cudaGraphMemcpyNodeGetParams(node, &p) != cudaSuccess || p.srcArray || p.dstArray)
        return;
    bool from_device, to_device;
    find_direction(&p, &from_device, &to_device);
    l->kind = from_device ? (to_device ? "d2d" : "d2h") : (to_device ? "h2d" : "h2h");
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
            describe_kernel(node, &l);
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
    struct place key = {node, 0}, *found = bsearch(&key, places, n, sizeof key, by_node);
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

/* The graph, and behind it those inside its nodes, in order. */
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

int subject_graph(struct subject *s, cudaGraph_t graph, const char *whose)
{
    if (!graph)
        return subject_failed(s, "%s is NULL: what cudaStreamEndCapture gives belongs there",
                              whose);
    FILE *to = fmemopen(s->blob, s->blob_bytes, "w");
    if (!to)
        return subject_failed(s, "no memory for what the graph looks like");
    cudaError_t e = put_graph(to, s, graph);
    long end = ftell(to);
    bool whole = fclose(to) == 0 && end > 0 && (size_t)end < s->blob_bytes;
    if (e)
        return subject_failed(
            s, "%s is no graph that can be looked at (%s): it must stay alive until teardown",
            whose, cudaGetErrorName(e));
    if (!whole)
        return subject_failed(s, "the graph %s is larger than the grader takes", whose);
    s->reply.blob_bytes = (uint64_t)end;
    cudaGetLastError(); /* a question that had no answer is not the submission's error */
    return 0;
}

/* What a kernel gets for it is cudaErrorIllegalAddress, a copy or a memset cudaErrorLaunchFailure.
 */
static const char memory_is_not_there[] =
    "a kernel or a copy used memory that is not there: freed (what a graph names must stay "
    "allocated for as long as the graph is launched), too small (bytes or elements?), or not the "
    "memory that was meant (parameters in another order than the kernel's)";

/* What breaks each rule of stream capture, and the first rule of replay. */
static const struct {
    cudaError_t error;
    const char *words;
} rules[] = {
    {cudaErrorStreamCaptureUnsupported,
     "a call that cannot be part of a graph was made while a stream was capturing (should the "
     "capture have ended before?): one that waits (cudaDeviceSynchronize, cudaStreamSynchronize), "
     "that asks (cudaStreamQuery), that allocates (cudaMalloc, cudaFree), that instantiates, or a "
     "capture of the legacy stream"},
    {cudaErrorStreamCaptureInvalidated,
     "an earlier call had spoilt the capture, and what it returned was not looked at: this is only "
     "the first that was. "
     "Look for a call that waits, asks or allocates between begin and end, or an end in another "
     "stream, and put TRY() around every call"},
    {cudaErrorStreamCaptureMerge,
     "a wait would have joined two captures, which stay apart. One stream begins the capture, the "
     "others enter it by waiting for its event"},
    {cudaErrorStreamCaptureUnmatched, "cudaStreamEndCapture was called on a stream that only "
                                      "joined the capture: it ends where it began, on its origin"},
    {cudaErrorStreamCaptureUnjoined, "a stream was forked from the capture and never joined: the "
                                     "origin must wait for an event that is recorded in that "
                                     "stream behind its last work, before the same event is "
                                     "recorded in another"},
    {cudaErrorStreamCaptureIsolation,
     "inside the capture a stream waits for an event that was recorded outside it: record it after "
     "cudaStreamBeginCapture, in a stream that is part of the capture. A stream is no part of it "
     "until it waits for an event that was recorded in it: the fork comes before its first work"},
    {cudaErrorStreamCaptureImplicit, "work on the legacy default stream during a capture: it would "
                                     "wait for the stream that captures. A copy without "
                                     "Async, or a stream argument that is missing or 0"},
    {cudaErrorCapturedEvent, "an event that was recorded in a capture marks a place in the graph "
                             "and is never reached by the host: it cannot be "
                             "asked or waited for"},
    {cudaErrorStreamCaptureWrongThread,
     "another thread than the one that began the capture ended it"},
    {cudaErrorIllegalAddress, memory_is_not_there},
    {cudaErrorLaunchFailure, memory_is_not_there},
    {cudaErrorInvalidValue,
     "an argument is wrong. Most often: a graph or an executable graph that is not there (is the "
     "capture ended? was it instantiated? is it destroyed already?); a node of another graph; a "
     "wait for an event that was last recorded in a capture that is over; in a capture, a "
     "cudaFreeAsync of memory that was taken outside it; a copy or a memset of more than there is"},
    {cudaErrorInvalidResourceHandle,
     "a stream or an event was never created, or is destroyed: look for a handle that nothing was "
     "assigned to"},
    {cudaErrorInvalidDeviceFunction,
     "parameters of a kernel node without its function: begin with a copy of those that "
     "cudaGraphKernelNodeGetParams gave, and change kernelParams in it"},
    {cudaErrorGraphExecUpdateFailure,
     "the new graph has another shape than the executable graph (cudaGraphExecUpdate says so in "
     "info.result), which is an answer and not the end: no TRY around that call; destroy the "
     "executable graph, instantiate the new graph, go on"},
    {cudaErrorIllegalState, "the stream was capturing already, or not at all"},
};

/* What cudaErrorInvalidValue most probably means, where the call that gave it is known. */
static const struct invalid {
    const char *call; /* how its name begins */
    const char *words;
} invalid[] = {
    {"cudaGraphInstantiate",
     "there is no graph there: is the capture ended, and did cudaStreamEndCapture "
     "put its graph where this call looks for it?"},
    {"cudaGraphLaunch",
     "there is no executable graph there: was it instantiated, is it destroyed already? "
     "(Or it takes memory, does not give it back, and is launched again)"},
    {"cudaGraphExecKernelNode",
     "the node is none of the graph that this executable graph was made from: was it "
     "found right behind its call, and is that graph still alive?"},
    {"cudaGraphNodeSetEnabled",
     "the node is none of the graph that this executable graph was made from: was it "
     "found right behind its call, and is that graph still alive?"},
    {"cudaStreamWaitEvent",
     "the event was last recorded in a capture that is over: record it anew first"},
    {"cudaFreeAsync",
     "a capture can only give back what it has taken: cudaMallocAsync belongs behind "
     "cudaStreamBeginCapture, too"},
    {"cudaMemcpy",
     "a copy of more bytes than there are at one of its addresses, or an address that is NULL"},
    {"cudaMemset", "more bytes than there are at that address, or an address that is NULL"},
};

static const char *meaning_of(cudaError_t error, const char *words)
{
    static const char from[] = ", from ";
    const char *call = subject_from(error);
    if (error != cudaErrorInvalidValue || strncmp(call, from, sizeof from - 1) != 0)
        return words;
    call += sizeof from - 1;
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++)
        if (strncmp(call, invalid[i].call, strlen(invalid[i].call)) == 0)
            return invalid[i].words;
    return words;
}

int subject_captured(struct subject *s, const char *call, cudaError_t error)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].error == error && strncmp(subject_from(error), ", which", 7) != 0)
            return subject_failed(s, "%s returned %s%s: %s", call, cudaGetErrorName(error),
                                  subject_from(error), meaning_of(error, rules[i].words));
    if (error == cudaSuccess && cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported)
        return subject_failed(s,
                              "%s returned while a stream was still capturing: each "
                              "cudaStreamBeginCapture wants its cudaStreamEndCapture",
                              call);
    return subject_returned(s, call, error);
}

/*
 * graphs.c: what situations of captures and graphs are made of.
 */
#include "graphs.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "situation_kernels.h"

/* ---- graphs ---------------------------------------------------------------------------------- */

cudaGraph_t new_graph(void)
{
    cudaGraph_t g = NULL;
    MUST(cudaGraphCreate(&g, 0));
    return g;
}

cudaGraphExec_t new_exec(cudaGraph_t g)
{
    cudaGraphExec_t x = NULL;
    MUST(cudaGraphInstantiate(&x, g, 0));
    return x;
}

cudaGraph_t destroyed_graph(void)
{
    cudaGraph_t g = new_graph();
    MUST(cudaGraphDestroy(g));
    return g;
}

cudaGraphExec_t destroyed_exec(void)
{
    cudaGraphExec_t x = new_exec(new_graph());
    MUST(cudaGraphExecDestroy(x));
    return x;
}

cudaGraphNode_t destroyed_node(void)
{
    cudaGraphNode_t n = add_empty(new_graph(), NULL);
    MUST(cudaGraphDestroyNode(n));
    return n;
}

/* ---- parameters ------------------------------------------------------------------------------ */

struct cudaMemsetParams memset_params(void *p, int value, size_t bytes)
{
    return (struct cudaMemsetParams){
        .dst = p, .value = (unsigned)value, .elementSize = 1, .width = bytes, .height = 1};
}

struct cudaMemcpy3DParms copy_params(void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind)
{
    return (struct cudaMemcpy3DParms){.dstPtr = pitched(to, bytes, bytes, 1),
                                      .srcPtr = pitched((void *)(uintptr_t)from, bytes, bytes, 1),
                                      .extent = extent(bytes, 1, 1),
                                      .kind = kind};
}

struct cudaKernelNodeParams store_params(int *to, int value)
{
    enum { KEPT = 4 };
    static int *tos[KEPT], values[KEPT];
    static void *args[KEPT][2];
    static int next;
    int i = next++ % KEPT;
    tos[i] = to;
    values[i] = value;
    args[i][0] = &tos[i];
    args[i][1] = &values[i];
    return (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)situation_store(),
                                         .gridDim = {1, 1, 1},
                                         .blockDim = {1, 1, 1},
                                         .kernelParams = args[i]};
}

struct cudaMemAllocNodeParams alloc_params(size_t bytes)
{
    struct cudaMemAllocNodeParams p;
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = bytes;
    return p;
}

struct cudaHostNodeParams letter_params(char letter)
{
    return (struct cudaHostNodeParams){write_letter, (void *)(intptr_t)letter};
}

/* ---- nodes ----------------------------------------------------------------------------------- */

cudaGraphNode_t add_empty(cudaGraph_t g, cudaGraphNode_t after)
{
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddEmptyNode(&n, g, &after, after != NULL));
    return n;
}

cudaGraphNode_t add_memset(cudaGraph_t g, cudaGraphNode_t after, void *p, int value)
{
    cudaGraphNode_t n = NULL;
    struct cudaMemsetParams m = memset_params(p, value, SMALL);
    MUST(cudaGraphAddMemsetNode(&n, g, &after, after != NULL, &m));
    return n;
}

cudaGraphNode_t add_copy(cudaGraph_t g, cudaGraphNode_t after, void *to, const void *from)
{
    cudaGraphNode_t n = NULL;
    MUST(
        cudaGraphAddMemcpyNode1D(&n, g, &after, after != NULL, to, from, SMALL, cudaMemcpyDefault));
    return n;
}

cudaGraphNode_t add_store(cudaGraph_t g, cudaGraphNode_t after, int *to, int value)
{
    cudaGraphNode_t n = NULL;
    struct cudaKernelNodeParams k = store_params(to, value);
    MUST(cudaGraphAddKernelNode(&n, g, &after, after != NULL, &k));
    return n;
}

cudaGraphNode_t add_letter(cudaGraph_t g, cudaGraphNode_t after, char letter)
{
    cudaGraphNode_t n = NULL;
    struct cudaHostNodeParams h = letter_params(letter);
    MUST(cudaGraphAddHostNode(&n, g, &after, after != NULL, &h));
    return n;
}

cudaGraphNode_t add_record(cudaGraph_t g, cudaGraphNode_t after, cudaEvent_t e)
{
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddEventRecordNode(&n, g, &after, after != NULL, e));
    return n;
}

cudaGraphNode_t add_wait(cudaGraph_t g, cudaGraphNode_t after, cudaEvent_t e)
{
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddEventWaitNode(&n, g, &after, after != NULL, e));
    return n;
}

cudaGraphNode_t add_child(cudaGraph_t g, cudaGraphNode_t after, cudaGraph_t child)
{
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddChildGraphNode(&n, g, &after, after != NULL, child));
    return n;
}

cudaGraphNode_t add_alloc(cudaGraph_t g, cudaGraphNode_t after, size_t bytes, void **p)
{
    cudaGraphNode_t n = NULL;
    struct cudaMemAllocNodeParams a = alloc_params(bytes);
    MUST(cudaGraphAddMemAllocNode(&n, g, &after, after != NULL, &a));
    *p = a.dptr;
    return n;
}

cudaGraphNode_t add_free(cudaGraph_t g, cudaGraphNode_t after, void *p)
{
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddMemFreeNode(&n, g, &after, after != NULL, p));
    return n;
}

void add_edge(cudaGraph_t g, cudaGraphNode_t from, cudaGraphNode_t to)
{
    MUST(cudaGraphAddDependencies(g, &from, &to, NULL, 1));
}

cudaGraph_t graph_of_one(const char *kind, cudaGraphNode_t *node)
{
    cudaGraph_t g = new_graph();
    void *p;
    if (strcmp(kind, "kernel") == 0)
        *node = add_store(g, NULL, device_bytes(SMALL), 1);
    else if (strcmp(kind, "memcpy") == 0)
        *node = add_copy(g, NULL, device_bytes(SMALL), pinned_bytes(SMALL));
    else if (strcmp(kind, "memset") == 0)
        *node = add_memset(g, NULL, device_bytes(SMALL), 1);
    else if (strcmp(kind, "host") == 0)
        *node = add_letter(g, NULL, 'h');
    else if (strcmp(kind, "child") == 0)
        *node = add_child(g, NULL, captured_memsets(1));
    else if (strcmp(kind, "record") == 0)
        *node = add_record(g, NULL, new_event(0));
    else if (strcmp(kind, "wait") == 0)
        *node = add_wait(g, NULL, new_event(0));
    else if (strcmp(kind, "alloc") == 0)
        *node = add_alloc(g, NULL, SMALL, &p);
    else
        *node = add_empty(g, NULL);
    return g;
}

/* ---- captures -------------------------------------------------------------------------------- */

void begin_capture(cudaStream_t s, enum cudaStreamCaptureMode mode)
{
    prepare_work();
    MUST(cudaStreamBeginCapture(s, mode));
    some_work(s);
}

cudaGraph_t captured_memsets(int n)
{
    cudaGraph_t g = NULL;
    void *p = device_bytes(SMALL);
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    for (int i = 0; i < n; i++)
        MUST(cudaMemsetAsync(p, i, SMALL, s));
    MUST(cudaStreamEndCapture(s, &g));
    return g;
}

void order_streams(cudaStream_t from, cudaStream_t to)
{
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    MUST(cudaEventRecord(e, from));
    MUST(cudaStreamWaitEvent(to, e, 0));
}

/* ---- what a graph looks like ----------------------------------------------------------------- */

size_t node_count(cudaGraph_t g)
{
    size_t n = 0;
    MUST(cudaGraphGetNodes(g, NULL, &n));
    return n;
}

static cudaGraphNode_t *all_nodes(cudaGraph_t g, size_t *n)
{
    *n = node_count(g);
    cudaGraphNode_t *nodes = calloc(*n + 1, sizeof *nodes);
    must(nodes ? cudaSuccess : cudaErrorMemoryAllocation, "calloc");
    if (*n)
        MUST(cudaGraphGetNodes(g, nodes, n));
    return nodes;
}

cudaGraphNode_t nth_node(cudaGraph_t g, size_t n)
{
    size_t total;
    cudaGraphNode_t *nodes = all_nodes(g, &total);
    cudaGraphNode_t node = n < total ? nodes[n] : NULL;
    free(nodes);
    return node;
}

static int place_in(cudaGraphNode_t *nodes, size_t n, cudaGraphNode_t node)
{
    for (size_t i = 0; i < n; i++)
        if (nodes[i] == node)
            return (int)i;
    return -1;
}

const char *place_text(cudaGraph_t g, cudaGraphNode_t node)
{
    enum { KEPT = 4 };
    static char texts[KEPT][16];
    static int next;
    char *text = texts[next++ % KEPT];
    size_t n;
    cudaGraphNode_t *nodes = all_nodes(g, &n);
    int at = place_in(nodes, n, node);
    free(nodes);
    if (!node)
        return "NULL";
    if (at < 0)
        return "other";
    sprintf(text, "node %d", at);
    return text;
}

const char *type_text(enum cudaGraphNodeType type)
{
    static const char *const names[] = {
        [cudaGraphNodeTypeKernel] = "kernel",   [cudaGraphNodeTypeMemcpy] = "memcpy",
        [cudaGraphNodeTypeMemset] = "memset",   [cudaGraphNodeTypeHost] = "host",
        [cudaGraphNodeTypeGraph] = "child",     [cudaGraphNodeTypeEmpty] = "empty",
        [cudaGraphNodeTypeWaitEvent] = "wait",  [cudaGraphNodeTypeEventRecord] = "record",
        [cudaGraphNodeTypeMemAlloc] = "alloc",  [cudaGraphNodeTypeMemFree] = "free",
        [cudaGraphNodeTypeConditional] = "cond"};
    return (size_t)type < sizeof names / sizeof names[0] && names[type] ? names[type] : "?";
}

void answer_shape_as(const char *source, cudaGraph_t g)
{
    size_t n = node_count(g), edges = 0, roots = 0;
    MUST(cudaGraphGetEdges(g, NULL, NULL, NULL, &edges));
    MUST(cudaGraphGetRootNodes(g, NULL, &roots));
    answer_fact(source, "%zu nodes, %zu edges, %zu roots", n, edges, roots);
}

void answer_types_as(const char *source, cudaGraph_t g)
{
    char text[256] = "";
    size_t n;
    cudaGraphNode_t *nodes = all_nodes(g, &n);
    for (size_t i = 0; i < n && strlen(text) < sizeof text - 16; i++) {
        enum cudaGraphNodeType type;
        MUST(cudaGraphNodeGetType(nodes[i], &type));
        sprintf(text + strlen(text), "%s%s", i ? " " : "", type_text(type));
    }
    free(nodes);
    answer_fact(source, "%s", n ? text : "no nodes");
}

void answer_edges_as(const char *source, cudaGraph_t g)
{
    enum { MOST = 32 };
    char text[256] = "";
    size_t n, n_edges = MOST;
    cudaGraphNode_t *nodes = all_nodes(g, &n), from[MOST], to[MOST];
    cudaGraphEdgeData data[MOST];
    MUST(cudaGraphGetEdges(g, from, to, data, &n_edges));
    for (size_t i = 0; i < n_edges && strlen(text) < sizeof text - 16; i++)
        sprintf(text + strlen(text), "%s%d>%d", i ? " " : "", place_in(nodes, n, from[i]),
                place_in(nodes, n, to[i]));
    free(nodes);
    answer_fact(source, "%s", n_edges ? text : "no edges");
}

const char *status_text(enum cudaStreamCaptureStatus status)
{
    static const char *const names[] = {"none", "active", "invalidated"};
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "untouched";
}

void answer_status_as(const char *source, cudaStream_t s)
{
    enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)99;
    cudaError_t e = cudaStreamIsCapturing(s, &status);
    if (e != cudaSuccess)
        answer_fact(source, "%s", error_text(e));
    else
        answer_fact(source, "%s", status_text(status));
}

cudaGraph_t answer_end_as(const char *end, const char *graph, cudaStream_t s)
{
    cudaGraph_t g = (cudaGraph_t)(uintptr_t)1;
    answer_error(end, cudaStreamEndCapture(s, &g));
    if (g == (cudaGraph_t)(uintptr_t)1)
        answer_fact(graph, "untouched");
    else if (g)
        answer_fact(graph, "%zu nodes", node_count(g));
    else
        answer_fact(graph, "NULL");
    return g == (cudaGraph_t)(uintptr_t)1 ? NULL : g;
}

void answer_run_as(const char *source, cudaGraphExec_t x)
{
    cudaStream_t s = nonblocking_stream();
    cudaError_t launch = cudaGraphLaunch(x, s), done = cudaStreamSynchronize(s);
    if (launch == done)
        answer_fact(source, "%s", error_text(done));
    else
        answer_fact(source, "%s then %s", error_text(launch), error_text(done));
}

/* ---- values ---------------------------------------------------------------------------------- */

int device_int(const void *p)
{
    int value = -99;
    MUST(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault));
    return value;
}

int device_byte(const void *p)
{
    return device_int(p) & 0xff;
}

void set_device_int(void *p, int value)
{
    MUST(cudaMemcpy(p, &value, sizeof value, cudaMemcpyDefault));
    MUST(
        cudaDeviceSynchronize()); /* a copy from pageable memory may return before it has arrived */
}

/* ---- threads --------------------------------------------------------------------------------- */

struct job {
    void (*f)(void *arg);
    void *arg;
};

static void *run_job(void *job)
{
    ((struct job *)job)->f(((struct job *)job)->arg);
    return NULL;
}

void in_thread(void (*f)(void *arg), void *arg)
{
    pthread_t t;
    struct job job = {f, arg};
    must(pthread_create(&t, NULL, run_job, &job) == 0 ? cudaSuccess : cudaErrorOperatingSystem,
         "pthread_create");
    pthread_join(t, NULL);
}

const enum cudaStreamCaptureMode capture_modes[3] = {
    cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed};

cudaError_t begin_capture_to(cudaStream_t s, cudaGraph_t g, cudaGraphNode_t after)
{
    prepare_work();
    return cudaStreamBeginCaptureToGraph(s, g, after ? &after : NULL, NULL, after != NULL,
                                         cudaStreamCaptureModeGlobal);
}

const struct capture_info capture_info_untouched = {
    (enum cudaStreamCaptureStatus)99, 99, (cudaGraph_t)99, (const cudaGraphNode_t *)99,
    (const cudaGraphEdgeData *)99,    99};

cudaError_t capture_info_of(cudaStream_t s, struct capture_info *i)
{
    *i = capture_info_untouched;
    return cudaStreamGetCaptureInfo(s, &i->status, &i->id, &i->graph, &i->nodes, &i->data, &i->n);
}

cudaGraph_t answer_graph_of_capture(cudaStream_t s, size_t *n, unsigned long long *id)
{
    cudaGraph_t g = NULL;
    const cudaGraphNode_t *deps = NULL;
    const cudaGraphEdgeData *data = NULL;
    enum cudaStreamCaptureStatus status;
    answer(cudaStreamGetCaptureInfo(s, &status, id, &g, &deps, &data, n));
    return g;
}

bool answer_update_as(const char *source, cudaGraphExec_t x, cudaGraph_t to)
{
    cudaGraphExecUpdateResultInfo info;
    memset(&info, 0x5a, sizeof info);
    cudaError_t e = cudaGraphExecUpdate(x, to, &info);
    answer_fact(source, "%s %d %s %s", error_text(e), (int)info.result,
                place_text(to, info.errorNode), place_text(to, info.errorFromNode));
    return e == cudaSuccess;
}

cudaGraph_t three_memsets(const char *edges)
{
    static void *p;
    if (!p)
        p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n[3];
    for (int i = 0; i < 3; i++)
        n[i] = add_memset(g, NULL, p, i);
    for (const char *e = edges; *e; e += e[2] ? 3 : 2)
        add_edge(g, n[e[0] - 'a'], n[e[1] - 'a']);
    return g;
}

void answer_instantiate_with(cudaGraph_t g, unsigned long long flags, cudaStream_t upload)
{
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p;
    memset(&p, 0, sizeof p);
    p.flags = flags;
    p.uploadStream = upload;
    p.errNode_out = (cudaGraphNode_t)(uintptr_t)9;
    p.result_out = (cudaGraphInstantiateResult)9;
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_fact("instantiated", "result %d, error %s, %s", (int)p.result_out,
                p.errNode_out == (cudaGraphNode_t)(uintptr_t)9 ? "untouched"
                                                               : place_text(g, p.errNode_out),
                x ? "exec" : "NULL");
}

cudaGraph_t letters_graph(const char *text)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    for (; *text; text++)
        n = add_letter(g, n, *text);
    return g;
}

cudaGraph_t allocating_graph(void **p, bool frees)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_alloc(g, NULL, SMALL, p);
    n = add_memset(g, n, *p, 5);
    if (frees)
        add_free(g, n, *p);
    return g;
}

const cudaGraphEdgeData programmatic_edge = {.from_port = 1,
                                             .type = cudaGraphDependencyTypeProgrammatic};

/* probe_build.c: graphs of a given form for the other parts, and what making them costs the host:
 * capture, the node API, instantiate, destroy. */
#include "probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- forms ----------------------------------------------------------------------------------- */

static struct cudaKernelNodeParams form_kernel, form_delay, form_timestamp;
static cudaGraph_t templates[3], child;

static void CUDART_CB nothing(void *unused)
{
    (void)unused;
}

/* A graph of one kernel, whose parameters further nodes are given. */
static cudaGraph_t one_kernel(int which, struct cudaKernelNodeParams *params)
{
    cudaGraph_t g;
    cudaGraphNode_t node;
    size_t n = 1;
    OK(cudaStreamBeginCapture(T.s[0], cudaStreamCaptureModeThreadLocal));
    OK(which == 0   ? launch_empty(1, T.s[0])
       : which == 1 ? launch_delay(10, T.s[0])
                    : launch_timestamp(TIMESTAMP(0), T.s[0]));
    OK(cudaStreamEndCapture(T.s[0], &g));
    OK(cudaGraphGetNodes(g, &node, &n));
    OK(cudaGraphKernelNodeGetParams(node, params));
    return g;
}

void form_begin(void)
{
    if (templates[0])
        return;
    templates[0] = one_kernel(0, &form_kernel);
    templates[1] = one_kernel(1, &form_delay);
    templates[2] = one_kernel(2, &form_timestamp);
    child = templates[0];
}

void form_end(void)
{
    for (int i = 0; i < 3; i++)
        OK(cudaGraphDestroy(templates[i]));
    memset(templates, 0, sizeof templates);
}

static cudaGraphNode_t add_timestamp(cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                     int slot)
{
    cudaGraphNode_t node;
    unsigned long long *where = TIMESTAMP(slot);
    void *args[] = {&where};
    struct cudaKernelNodeParams k = form_timestamp;
    k.kernelParams = args;
    OK(cudaGraphAddKernelNode(&node, g, after, n, &k));
    return node;
}

/* Where the bytes of node i are: nodes do not share them. */
static size_t place(int i, size_t bytes)
{
    return (1 << 20) + ((size_t)i * bytes) % (32 << 20);
}

static cudaGraphNode_t add(cudaGraph_t g, char kind, const cudaGraphNode_t *after, size_t n, int i,
                           size_t bytes)
{
    cudaGraphNode_t node;
    size_t at = place(i, bytes);
    struct cudaMemsetParams set = {
        .dst = T.dev + at, .elementSize = 1, .width = bytes, .height = 1};
    struct cudaHostNodeParams host = {.fn = nothing};
    switch (kind) {
    case 'k':
        OK(cudaGraphAddKernelNode(&node, g, after, n, &form_kernel));
        break;
    case 'd':
        OK(cudaGraphAddKernelNode(&node, g, after, n, &form_delay));
        break;
    case 's':
        return add_timestamp(g, after, n, i);
    case 'u':
        OK(cudaGraphAddMemcpyNode1D(&node, g, after, n, T.dev + at, T.pinned + at, bytes,
                                    cudaMemcpyHostToDevice));
        break;
    case 'w':
        OK(cudaGraphAddMemcpyNode1D(&node, g, after, n, T.pinned2 + at, T.dev + at, bytes,
                                    cudaMemcpyDeviceToHost));
        break;
    case 'c':
        OK(cudaGraphAddMemcpyNode1D(&node, g, after, n, T.dev2 + at, T.dev + at, bytes,
                                    cudaMemcpyDeviceToDevice));
        break;
    case 'm':
        OK(cudaGraphAddMemsetNode(&node, g, after, n, &set));
        break;
    case 'f':
        OK(cudaGraphAddHostNode(&node, g, after, n, &host));
        break;
    case 'r':
        OK(cudaGraphAddEventRecordNode(&node, g, after, n, T.ev[i % 16]));
        break;
    case 'g':
        OK(cudaGraphAddChildGraphNode(&node, g, after, n, child));
        break;
    default:
        OK(cudaGraphAddEmptyNode(&node, g, after, n));
    }
    return node;
}

static void enqueue_one(char kind, int i, const struct sequence *q)
{
    cudaStream_t s = T.s[i % q->streams];
    const size_t at = place(i, q->bytes);
    switch (kind) {
    case 'k':
        OK(launch_empty(1, s));
        break;
    case 'u':
        OK(cudaMemcpyAsync(T.dev + at, T.pinned + at, q->bytes, cudaMemcpyHostToDevice, s));
        break;
    case 'w':
        OK(cudaMemcpyAsync(T.pinned2 + at, T.dev + at, q->bytes, cudaMemcpyDeviceToHost, s));
        break;
    case 'c':
        OK(cudaMemcpyAsync(T.dev2, T.dev, q->bytes, cudaMemcpyDeviceToDevice, s));
        break;
    case 'm':
        OK(cudaMemsetAsync(T.dev, 0, q->bytes, s));
        break;
    case 'f':
        OK(cudaLaunchHostFunc(s, nothing, NULL));
        break;
    default:
        OK(cudaEventRecord(kind == 't' ? T.timed[i % 16] : T.ev[i % 16], s));
    }
}

void enqueue(int n, void *sequence)
{
    const struct sequence *q = sequence;
    for (int i = 0; i < n; i++)
        for (const char *kind = q->kinds; *kind; kind++)
            enqueue_one(*kind, i, q);
}

/* The node before all chains, or the one after them. */
static cudaGraphNode_t add_end(cudaGraph_t g, const struct form *f, const cudaGraphNode_t *after,
                               size_t n)
{
    if (f->ends & FORM_EMPTY)
        return add(g, 'e', after, n, 0, 0);
    if (strchr(f->kinds, 's'))
        return add_timestamp(g, after, n, n ? 1022 : 1023);
    return add(g, 'k', after, n, 0, 0);
}

cudaGraph_t form_graph(const struct form *f)
{
    cudaGraph_t g;
    cudaGraphNode_t root = NULL;
    cudaGraphNode_t *nodes = malloc((size_t)(f->nodes + 1) * sizeof *nodes);
    int kinds = (int)strlen(f->kinds);
    if (!nodes) {
        fprintf(stderr, "probe: no memory for %d nodes\n", f->nodes);
        exit(1);
    }
    OK(cudaGraphCreate(&g, 0));
    if (f->ends & FORM_OPEN)
        root = add_end(g, f, NULL, 0);
    for (int i = 0; i < f->nodes; i++) {
        const cudaGraphNode_t *after = i >= f->width ? &nodes[i - f->width] : root ? &root : NULL;
        nodes[i] = add(g, f->kinds[i % kinds], after, after != NULL, i, f->bytes);
    }
    if (f->ends & FORM_CLOSE)
        add_end(g, f, nodes + f->nodes - f->width, (size_t)f->width);
    free(nodes);
    return g;
}

cudaGraphExec_t form_exec(const struct form *f)
{
    cudaGraphExec_t x;
    cudaGraph_t g = form_graph(f);
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphUpload(x, T.s[0]));
    OK(cudaStreamSynchronize(T.s[0]));
    return x;
}

double timestamp_us(int i)
{
    unsigned long long ns;
    OK(cudaMemcpy(&ns, TIMESTAMP(i), sizeof ns, cudaMemcpyDeviceToHost));
    return (double)ns * 1e-3;
}

static cudaGraph_t capture(enqueue_fn fn, int count, void *arg, int streams)
{
    cudaGraph_t g;
    OK(cudaStreamBeginCapture(T.s[0], cudaStreamCaptureModeThreadLocal));
    fork_streams(streams);
    fn(count, arg);
    join_streams(streams);
    OK(cudaStreamEndCapture(T.s[0], &g));
    return g;
}

cudaGraphExec_t captured(enqueue_fn fn, int count, void *arg, int streams)
{
    cudaGraphExec_t x;
    cudaGraph_t g = capture(fn, count, arg, streams);
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphDestroy(g));
    return x;
}

/* ---- capture --------------------------------------------------------------------------------- */

static void cap_wait(int n, void *arg)
{
    (void)arg;
    OK(cudaEventRecord(T.ev[0], T.s[0]));
    for (int i = 0; i < n; i++)
        OK(cudaStreamWaitEvent(T.s[1], T.ev[0], 0));
}

static void cap_external(int n, void *arg)
{
    (void)arg;
    for (int i = 0; i < n; i++)
        OK(cudaEventRecordWithFlags(T.ev[0], T.s[0], cudaEventRecordExternal));
}

static void capture_rows(void)
{
    static const struct {
        const char *name;
        enqueue_fn fn;
        struct sequence of;
    } calls[] = {{"kernel", enqueue, {"k", 0, 1}},       {"h2d", enqueue, {"u", 4096, 1}},
                 {"d2h", enqueue, {"w", 4096, 1}},       {"d2d", enqueue, {"c", 4096, 1}},
                 {"memset", enqueue, {"m", 4096, 1}},    {"host_func", enqueue, {"f", 0, 1}},
                 {"record", enqueue, {"r", 0, 1}},       {"wait", cap_wait, {"", 0, 2}},
                 {"external", cap_external, {"", 0, 1}}, {"kernel_8", enqueue, {"k", 0, 8}}};
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        struct samples s = {0};
        struct sequence of = calls[c].of;
        for (int rep = -3; rep < 30; rep++) {
            cudaGraph_t g;
            OK(cudaStreamBeginCapture(T.s[0], cudaStreamCaptureModeThreadLocal));
            fork_streams(of.streams);
            double t0 = clock_now_us();
            calls[c].fn(64, &of);
            double t1 = clock_now_us();
            join_streams(of.streams);
            OK(cudaStreamEndCapture(T.s[0], &g));
            OK(cudaGraphDestroy(g));
            if (rep >= 0)
                samples_add(&s, (t1 - t0) / 64);
        }
        probe_us(samples_median(&s), "host time of a captured call; mean of 64", "capture.%s",
                 calls[c].name);
    }
}

static void capture_ends(void)
{
    for (int n = 0; n <= 1024; n = n ? n * 4 : 1) {
        struct samples begin = {0}, end = {0}, all = {0}, destroy = {0};
        for (int rep = -3; rep < 30; rep++) {
            cudaGraph_t g;
            double t0 = clock_now_us();
            OK(cudaStreamBeginCapture(T.s[0], cudaStreamCaptureModeThreadLocal));
            double t1 = clock_now_us();
            enqueue(n, &(struct sequence){"k", 0, 1});
            double t2 = clock_now_us();
            OK(cudaStreamEndCapture(T.s[0], &g));
            double t3 = clock_now_us();
            OK(cudaGraphDestroy(g));
            double t4 = clock_now_us();
            if (rep < 0)
                continue;
            samples_add(&begin, t1 - t0 - probe_clock_us);
            samples_add(&end, t3 - t2 - probe_clock_us);
            samples_add(&all, t3 - t0 - 3 * probe_clock_us);
            samples_add(&destroy, t4 - t3 - probe_clock_us);
        }
        probe_row_n("capture.begin", n, samples_median(&begin), "us", "kernels in the capture");
        probe_row_n("capture.end", n, samples_median(&end), "us", "");
        probe_row_n("capture.all", n, samples_median(&all), "us", "begin; kernels; end");
        probe_row_n("graph.destroy", n, samples_median(&destroy), "us", "kernel nodes");
    }
}

/* ---- the node API ---------------------------------------------------------------------------- */

static void node_rows(void)
{
    static const char kinds[] = "kmuwcferg";
    static const char *const names[] = {"kernel",    "memset", "h2d",          "d2h",  "d2d",
                                        "host_func", "empty",  "event_record", "child"};
    cudaGraph_t g = NULL;
    HOST_ROW("", 100, , cudaGraphCreate(&g, 0), cudaGraphDestroy(g), "graph.create");
    for (size_t k = 0; kinds[k]; k++) {
        struct samples each = {0}, destroy = {0};
        for (int rep = -3; rep < 30; rep++) {
            cudaGraphNode_t node = NULL;
            OK(cudaGraphCreate(&g, 0));
            double t0 = clock_now_us();
            for (int i = 0; i < 128; i++)
                node = add(g, kinds[k], &node, i > 0, 0, 4096);
            double t1 = clock_now_us();
            OK(cudaGraphDestroy(g));
            double t2 = clock_now_us();
            if (rep >= 0)
                samples_add(&each, (t1 - t0) / 128), samples_add(&destroy, t2 - t1);
        }
        probe_us(samples_median(&each), "after one node; mean of 128", "graph.add.%s", names[k]);
        probe_us(samples_median(&destroy), "128 nodes", "graph.destroy.%s", names[k]);
    }
    struct samples edge = {0}, clone = {0};
    for (int rep = -3; rep < 30; rep++) {
        struct form f = {"k", 129, 129, 0, 0};
        cudaGraphNode_t nodes[129];
        size_t n = 129;
        cudaGraph_t copy;
        g = form_graph(&f);
        OK(cudaGraphGetNodes(g, nodes, &n));
        double t0 = clock_now_us();
        for (int i = 0; i < 128; i++)
            OK(cudaGraphAddDependencies(g, &nodes[i], &nodes[i + 1], NULL, 1));
        double t1 = clock_now_us();
        OK(cudaGraphClone(&copy, g));
        double t2 = clock_now_us();
        OK(cudaGraphDestroy(copy));
        OK(cudaGraphDestroy(g));
        if (rep >= 0)
            samples_add(&edge, (t1 - t0) / 128), samples_add(&clone, t2 - t1);
    }
    probe_row("graph.add.edge", samples_median(&edge), "us", "one a call; mean of 128");
    probe_row("graph.clone.128", samples_median(&clone), "us", "chain of 129 kernels");
}

/* ---- instantiate ----------------------------------------------------------------------------- */

static void instantiate_row(const char *name, const struct form *f)
{
    struct samples inst = {0}, destroy = {0};
    cudaGraph_t g = form_graph(f);
    for (int rep = -2; rep < 20; rep++) {
        cudaGraphExec_t x;
        double t0 = clock_now_us();
        OK(cudaGraphInstantiate(&x, g, 0));
        double t1 = clock_now_us();
        OK(cudaGraphExecDestroy(x));
        double t2 = clock_now_us();
        if (rep >= 0)
            samples_add(&inst, t1 - t0), samples_add(&destroy, t2 - t1);
    }
    OK(cudaGraphDestroy(g));
    probe_us(samples_median(&inst), "nodes in the key", "instantiate.%s.%d", name, f->nodes);
    probe_us(samples_median(&destroy), "never launched", "exec_destroy.%s.%d", name, f->nodes);
}

static void instantiate_rows(void)
{
    static const char *const kinds[] = {"m", "u", "w", "c", "f", "r", "e", "g", "ku", "uukw"};
    char name[40];
    for (int n = 1; n <= 1024; n *= 2)
        instantiate_row("chain", &(struct form){"k", n, 1, 0, 0});
    for (int n = 128; n <= 1024; n *= 8)
        for (int w = 2; w <= 32; w *= 2) {
            snprintf(name, sizeof name, "width_%d", w);
            instantiate_row(name, &(struct form){"k", n, w, 0, 0});
            snprintf(name, sizeof name, "closed_%d", w);
            instantiate_row(name, &(struct form){"k", n, w, 0, FORM_CLOSED});
        }
    for (int n = 32; n <= 1024; n *= 2)
        instantiate_row("parallel", &(struct form){"k", n, n, 0, 0});
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        snprintf(name, sizeof name, "kind_%s", kinds[k]);
        for (int n = 32; n <= 128; n *= 4)
            instantiate_row(name, &(struct form){kinds[k], n, 1, 4096, 0});
    }
}

void probe_build(void)
{
    form_begin();
    capture_rows();
    capture_ends();
    node_rows();
    instantiate_rows();
    form_end();
}

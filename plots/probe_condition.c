/* probe_condition.c: conditional nodes: what they cost the host, and from node to node on the
 * device. */
#include "probe.h"

#include <string.h>

#include "probe_condition.h"

/* One graph of conditional nodes. Bodies hold `kernels` empty kernels, unless said otherwise. */
struct control {
    const char *name;
    void (*build)(const struct control *c);
    enum cudaGraphConditionalNodeType type;
    unsigned size, value; /* bodies of a node, and the default of its handle */
    int nodes;            /* in a row; of a WHILE: rounds */
    int kernels;
};

static cudaGraph_t graph;
static int *counts; /* of rounds, one a loop */

static cudaGraphConditionalHandle handle(unsigned value)
{
    cudaGraphConditionalHandle h;
    OK(cudaGraphConditionalHandleCreate(&h, graph, value, cudaGraphCondAssignDefault));
    return h;
}

/* A conditional node after what T.s[0] has captured; the capture goes on after it. */
static void add(cudaGraphConditionalHandle h, enum cudaGraphConditionalNodeType type, unsigned size,
                cudaGraph_t *bodies)
{
    enum cudaStreamCaptureStatus status;
    struct cudaGraphNodeParams p;
    const cudaGraphNode_t *after;
    cudaGraphNode_t node;
    cudaGraph_t into;
    size_t n;
    OK(cudaStreamGetCaptureInfo(T.s[0], &status, NULL, &into, &after, NULL, &n));
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = size;
    OK(cudaGraphAddNode(&node, into, after, NULL, n, &p));
    OK(cudaStreamUpdateCaptureDependencies(T.s[0], &node, NULL, 1,
                                           cudaStreamSetCaptureDependencies));
    memcpy(bodies, p.conditional.phGraph_out, size * sizeof(cudaGraph_t));
}

static void begin(cudaGraph_t into)
{
    OK(cudaStreamBeginCaptureToGraph(T.s[0], into, NULL, NULL, 0,
                                     cudaStreamCaptureModeThreadLocal));
}

static void end(void)
{
    cudaGraph_t ended;
    OK(cudaStreamEndCapture(T.s[0], &ended));
}

static void fill(cudaGraph_t body, int kernels)
{
    begin(body);
    for (int i = 0; i < kernels; i++)
        OK(launch_empty(1, T.s[0]));
    end();
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static void build_kernels(const struct control *c)
{
    fill(graph, c->nodes);
}

/* Conditional nodes in a row, each with a handle and bodies of its own. */
static void build_row(const struct control *c)
{
    enum { MOST = 64 };
    static cudaGraph_t bodies[MOST][MOST];
    begin(graph);
    for (int i = 0; i < c->nodes; i++)
        add(handle(c->value), c->type, c->size, bodies[i]);
    end();
    for (int i = 0; i < c->nodes; i++)
        for (unsigned b = 0; b < c->size; b++)
            fill(bodies[i][b], c->kernels);
}

/* A kernel before each and one after them all. */
static void build_between(const struct control *c)
{
    cudaGraph_t bodies[8][2];
    begin(graph);
    for (int i = 0; i < c->nodes; i++) {
        OK(launch_empty(1, T.s[0]));
        add(handle(c->value), c->type, c->size, bodies[i]);
    }
    OK(launch_empty(1, T.s[0]));
    end();
    for (int i = 0; i < c->nodes; i++)
        for (unsigned b = 0; b < c->size; b++)
            fill(bodies[i][b], c->kernels);
}

/* The same, and the kernel before sets the value. */
static void build_set(const struct control *c)
{
    cudaGraph_t body;
    begin(graph);
    cudaGraphConditionalHandle h = handle(0);
    OK(launch_set(h, 1, T.s[0]));
    add(h, c->type, 1, &body);
    end();
    fill(body, c->kernels);
}

/* The body of a loop of `rounds` rounds: `kernels` - 1 empty kernels, and the one that counts. */
static void loop(cudaGraphConditionalHandle h, int which, int rounds, int kernels)
{
    for (int i = 1; i < kernels; i++)
        OK(launch_empty(1, T.s[0]));
    OK(launch_round(counts + which, rounds, h, T.s[0]));
}

static void build_while(const struct control *c)
{
    cudaGraph_t body;
    begin(graph);
    cudaGraphConditionalHandle h = handle(1);
    add(h, cudaGraphCondTypeWhile, 1, &body);
    end();
    begin(body);
    loop(h, 0, c->nodes, c->kernels);
    end();
}

/* In a loop of c->nodes rounds another conditional node, before or after the kernel that counts. */
static void build_in_loop(const struct control *c)
{
    cudaGraph_t body, inner[64];
    begin(graph);
    cudaGraphConditionalHandle h = handle(1), i = handle(c->value);
    add(h, cudaGraphCondTypeWhile, 1, &body);
    end();
    begin(body);
    if (c->type == cudaGraphCondTypeSwitch)
        add(i, c->type, c->size, inner);
    loop(h, 0, c->nodes, 1);
    if (c->type == cudaGraphCondTypeIf)
        add(i, c->type, c->size, inner);
    end();
    for (unsigned b = 0; b < c->size; b++)
        fill(inner[b], c->kernels);
}

/* Ten rounds of a loop of c->nodes rounds. */
static void build_nested(const struct control *c)
{
    cudaGraph_t body, inner;
    begin(graph);
    cudaGraphConditionalHandle h = handle(1), i = handle(1);
    add(h, cudaGraphCondTypeWhile, 1, &body);
    end();
    begin(body);
    OK(launch_set(i, 1, T.s[0]));
    add(i, cudaGraphCondTypeWhile, 1, &inner);
    loop(h, 0, 10, 1);
    end();
    begin(inner);
    loop(i, 1, c->nodes, 1);
    end();
}

/* A loop with a memset, or a copy of c->kernels bytes to the host or from it (c->value), before its
 * kernel. */
static void build_moving(const struct control *c)
{
    cudaGraph_t body;
    size_t bytes = (size_t)c->kernels;
    begin(graph);
    cudaGraphConditionalHandle h = handle(1);
    add(h, cudaGraphCondTypeWhile, 1, &body);
    end();
    begin(body);
    if (c->value == 0)
        OK(cudaMemsetAsync(T.dev2, 0, bytes, T.s[0]));
    else if (c->value == 1)
        OK(cudaMemcpyAsync(T.pinned2, T.dev2, bytes, cudaMemcpyDeviceToHost, T.s[0]));
    else
        OK(cudaMemcpyAsync(T.dev2, T.pinned2, bytes, cudaMemcpyHostToDevice, T.s[0]));
    loop(h, 0, c->nodes, 1);
    end();
}

static const struct control controls[] = {
    {"kernels", build_kernels, 0, 0, 0, 1, 0},
    {"kernels", build_kernels, 0, 0, 0, 4, 0},
    {"if.taken", build_row, cudaGraphCondTypeIf, 1, 1, 1, 1},
    {"if.taken", build_row, cudaGraphCondTypeIf, 1, 1, 2, 1},
    {"if.taken", build_row, cudaGraphCondTypeIf, 1, 1, 4, 1},
    {"if.taken", build_row, cudaGraphCondTypeIf, 1, 1, 16, 1},
    {"if.skipped", build_row, cudaGraphCondTypeIf, 1, 0, 1, 1},
    {"if.skipped", build_row, cudaGraphCondTypeIf, 1, 0, 4, 1},
    {"if.skipped", build_row, cudaGraphCondTypeIf, 1, 0, 16, 1},
    {"if.else", build_row, cudaGraphCondTypeIf, 2, 0, 4, 1},
    {"if.empty", build_row, cudaGraphCondTypeIf, 1, 1, 4, 0},
    {"if.of_8", build_row, cudaGraphCondTypeIf, 1, 1, 4, 8},
    {"if.between_kernels", build_between, cudaGraphCondTypeIf, 1, 1, 1, 1},
    {"if.between_kernels", build_between, cudaGraphCondTypeIf, 1, 1, 4, 1},
    {"if.skipped_between_kernels", build_between, cudaGraphCondTypeIf, 1, 0, 1, 1},
    {"if.skipped_between_kernels", build_between, cudaGraphCondTypeIf, 1, 0, 4, 1},
    {"if.set_by_kernel", build_set, cudaGraphCondTypeIf, 1, 0, 1, 1},
    {"switch_2", build_row, cudaGraphCondTypeSwitch, 2, 1, 4, 1},
    {"switch_8", build_row, cudaGraphCondTypeSwitch, 8, 7, 4, 1},
    {"switch_8.none", build_row, cudaGraphCondTypeSwitch, 8, 8, 4, 1},
    {"switch_32", build_row, cudaGraphCondTypeSwitch, 32, 31, 4, 1},
    {"while", build_while, 0, 0, 0, 1, 1},
    {"while", build_while, 0, 0, 0, 2, 1},
    {"while", build_while, 0, 0, 0, 10, 1},
    {"while", build_while, 0, 0, 0, 100, 1},
    {"while", build_while, 0, 0, 0, 1000, 1},
    {"while.of_4", build_while, 0, 0, 0, 100, 4},
    {"while.of_16", build_while, 0, 0, 0, 100, 16},
    {"while.if_taken", build_in_loop, cudaGraphCondTypeIf, 1, 1, 100, 1},
    {"while.if_skipped", build_in_loop, cudaGraphCondTypeIf, 1, 0, 100, 1},
    {"while.switch_2", build_in_loop, cudaGraphCondTypeSwitch, 2, 1, 100, 1},
    {"while.switch_8", build_in_loop, cudaGraphCondTypeSwitch, 8, 7, 100, 1},
    {"while.while_10", build_nested, 0, 0, 0, 10, 1},
    {"while.memset_4", build_moving, 0, 0, 0, 100, 4},
    {"while.memset_65536", build_moving, 0, 0, 0, 100, 65536},
    {"while.d2h_4", build_moving, 0, 0, 1, 100, 4},
    {"while.d2h_65536", build_moving, 0, 0, 1, 100, 65536},
    {"while.h2d_65536", build_moving, 0, 0, 2, 100, 65536},
};

/* ---- measuring ------------------------------------------------------------------------------- */

static void row(const struct control *c, const char *what, struct samples *s, const char *note)
{
    probe_us(samples_median(s), note, "condition.%s.%d.%s", c->name, c->nodes, what);
}

static void measure(const struct control *c)
{
    static struct samples instantiate, upload, destroy, host, total;
    struct samples *all[] = {&instantiate, &upload, &destroy, &host, &total};
    for (int i = 0; i < 5; i++)
        all[i]->n = 0;
    OK(cudaGraphCreate(&graph, 0));
    c->build(c);
    OK(cudaMemsetAsync(counts, 0, 8 * sizeof *counts, T.s[0]));
    for (int rep = -1; rep < 9; rep++) {
        cudaGraphExec_t x;
        double t[4];
        t[0] = clock_now_us();
        OK(cudaGraphInstantiate(&x, graph, 0));
        t[1] = clock_now_us();
        OK(cudaGraphUpload(x, T.s[0]));
        t[2] = clock_now_us();
        OK(cudaStreamSynchronize(T.s[0]));
        for (int i = 0; i < 9; i++) {
            double host_us, us = launched_us(x, &host_us);
            if (rep >= 0 && i > 0) {
                samples_add(&host, host_us - probe_clock_us);
                samples_add(&total, us - 2 * probe_clock_us);
            }
        }
        double t3 = clock_now_us();
        OK(cudaGraphExecDestroy(x));
        double t4 = clock_now_us();
        if (rep < 0)
            continue;
        samples_add(&instantiate, t[1] - t[0]);
        samples_add(&upload, t[2] - t[1]);
        samples_add(&destroy, t4 - t3);
    }
    OK(cudaGraphDestroy(graph));
    row(c, "instantiate", &instantiate, "time in cudaGraphInstantiate");
    row(c, "upload", &upload, "time in cudaGraphUpload");
    row(c, "host", &host, "time in cudaGraphLaunch");
    row(c, "total", &total, "and until a synchronise after it returned");
    row(c, "destroy", &destroy, "time in cudaGraphExecDestroy");
}

static void measure_building(void)
{
    cudaGraphConditionalHandle h;
    cudaGraphNode_t n;
    struct cudaGraphNodeParams p;
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    OK(cudaGraphCreate(&graph, 0));
    HOST_ROW("", 64, , cudaGraphConditionalHandleCreate(&h, graph, 1, cudaGraphCondAssignDefault), ,
             "condition.handle_create");
    HOST_ROW("an IF with its body", 64, p.conditional.handle = handle(1),
             cudaGraphAddNode(&n, graph, NULL, NULL, 0, &p), , "condition.add");
    OK(cudaGraphDestroy(graph));
}

void probe_condition(void)
{
    OK(cudaMalloc((void **)&counts, 8 * sizeof *counts));
    measure_building();
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++)
        measure(&controls[i]);
    OK(cudaFree(counts));
}

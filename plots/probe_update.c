/* probe_update.c: what changing an executable graph costs, against launching by stream and against
 * building it anew; and memory nodes against stream-ordered memory. */
#include "probe.h"

/* A captured chain of n empty kernels and its nodes. */
struct chain {
    cudaGraph_t g;
    cudaGraphExec_t x, anew; /* anew: what the iteration before instantiated, or NULL */
    cudaGraphNode_t nodes[256];
    struct cudaKernelNodeParams params[256];
    int n, blocks;
    int off; /* half of the nodes are disabled */
};

static void kernels(const struct chain *c)
{
    for (int i = 0; i < c->n; i++)
        OK(launch_empty(c->blocks, T.s[0]));
}

static cudaGraph_t capture(const struct chain *c)
{
    cudaGraph_t g;
    OK(cudaStreamBeginCapture(T.s[0], cudaStreamCaptureModeThreadLocal));
    kernels(c);
    OK(cudaStreamEndCapture(T.s[0], &g));
    return g;
}

static void chain_make(struct chain *c, int n, int blocks)
{
    size_t count = 256;
    c->n = n;
    c->off = 0;
    c->blocks = blocks;
    c->g = capture(c);
    OK(cudaGraphGetNodes(c->g, c->nodes, &count));
    for (int i = 0; i < n; i++)
        OK(cudaGraphKernelNodeGetParams(c->nodes[i], &c->params[i]));
    OK(cudaGraphInstantiate(&c->x, c->g, 0));
}

static void chain_drop(struct chain *c)
{
    OK(cudaGraphExecDestroy(c->x));
    if (c->anew)
        OK(cudaGraphExecDestroy(c->anew));
    c->anew = NULL;
    OK(cudaGraphDestroy(c->g));
}

/* ---- whole iterations: change, launch, synchronise ------------------------------------------- */

static void by_stream(struct chain *c)
{
    kernels(c);
}

static void again(struct chain *c)
{
    cudaGraph_t g = capture(c);
    if (c->anew)
        OK(cudaGraphExecDestroy(c->anew));
    OK(cudaGraphInstantiate(&c->anew, g, 0));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphLaunch(c->anew, T.s[0]));
}

static void update(struct chain *c)
{
    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t g = capture(c);
    OK(cudaGraphExecUpdate(c->x, g, &info));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphLaunch(c->x, T.s[0]));
}

static void set_all(struct chain *c)
{
    for (int i = 0; i < c->n; i++)
        OK(cudaGraphExecKernelNodeSetParams(c->x, c->nodes[i], &c->params[i]));
    OK(cudaGraphLaunch(c->x, T.s[0]));
}

static void set_one(struct chain *c)
{
    OK(cudaGraphExecKernelNodeSetParams(c->x, c->nodes[c->n / 2], &c->params[c->n / 2]));
    OK(cudaGraphLaunch(c->x, T.s[0]));
}

/* On and off in turn. */
static void switch_half(struct chain *c)
{
    c->off = !c->off;
    for (int i = 0; i < c->n; i += 2)
        OK(cudaGraphNodeSetEnabled(c->x, c->nodes[i], !c->off));
    OK(cudaGraphLaunch(c->x, T.s[0]));
}

static void relaunch(struct chain *c)
{
    OK(cudaGraphLaunch(c->x, T.s[0]));
}

static void modes(int n, int blocks)
{
    static const struct {
        const char *name;
        void (*run)(struct chain *);
    } all[] = {{"stream", by_stream},       {"instantiate", again}, {"update", update},
               {"set_all", set_all},        {"set_one", set_one},   {"relaunch", relaunch},
               {"switch_half", switch_half}};
    static struct chain c;
    chain_make(&c, n, blocks);
    for (size_t m = 0; m < sizeof all / sizeof all[0]; m++) {
        struct samples s = {0};
        for (int rep = -5; rep < 60; rep++) {
            double t0 = clock_now_us();
            all[m].run(&c);
            OK(cudaStreamSynchronize(T.s[0]));
            if (rep >= 0)
                samples_add(&s, clock_now_us() - t0);
        }
        probe_us(samples_median(&s), "an iteration; kernels and blocks in the key",
                 "modes.%s.%d.%d", all[m].name, n, blocks);
    }
    chain_drop(&c);
}

/* ---- single calls ---------------------------------------------------------------------------- */

static void set_rows(void)
{
    static const char kinds[] = "kmuwcfr";
    static const char *const names[] = {"kernel", "memset", "h2d", "d2h", "d2d", "host", "record"};
    for (int k = 0; kinds[k]; k++) {
        struct samples set = {0}, launch = {0}, total = {0};
        char text[2] = {kinds[k], 0};
        cudaGraph_t g = form_graph(&(struct form){text, 64, 1, 4096, 0});
        cudaGraphNode_t nodes[64];
        cudaGraphExec_t x;
        size_t n = 64;
        struct cudaKernelNodeParams kernel;
        struct cudaMemsetParams fill;
        struct cudaMemcpy3DParms copy = {0};
        struct cudaHostNodeParams host;
        OK(cudaGraphGetNodes(g, nodes, &n));
        OK(cudaGraphInstantiate(&x, g, 0));
        OK(cudaGraphUpload(x, T.s[0]));
        for (int rep = -2; rep < 30; rep++) {
            OK(cudaStreamSynchronize(T.s[0]));
            double spent = 0;
            for (int i = 0; i < 64; i++) {
                if (kinds[k] == 'k')
                    OK(cudaGraphKernelNodeGetParams(nodes[i], &kernel));
                else if (kinds[k] == 'm')
                    OK(cudaGraphMemsetNodeGetParams(nodes[i], &fill));
                else if (kinds[k] == 'f')
                    OK(cudaGraphHostNodeGetParams(nodes[i], &host));
                else if (kinds[k] != 'r')
                    OK(cudaGraphMemcpyNodeGetParams(nodes[i], &copy));
                double t0 = clock_now_us();
                if (kinds[k] == 'k')
                    OK(cudaGraphExecKernelNodeSetParams(x, nodes[i], &kernel));
                else if (kinds[k] == 'm')
                    OK(cudaGraphExecMemsetNodeSetParams(x, nodes[i], &fill));
                else if (kinds[k] == 'f')
                    OK(cudaGraphExecHostNodeSetParams(x, nodes[i], &host));
                else if (kinds[k] == 'r')
                    OK(cudaGraphExecEventRecordNodeSetEvent(x, nodes[i], T.ev[i % 16]));
                else
                    OK(cudaGraphExecMemcpyNodeSetParams(x, nodes[i], &copy));
                spent += clock_now_us() - t0 - probe_clock_us;
            }
            double host_us, us = launched_us(x, &host_us);
            if (rep < 0)
                continue;
            samples_add(&set, spent / 64);
            samples_add(&launch, host_us);
            samples_add(&total, us);
        }
        probe_us(samples_median(&set), "one call; mean over 64 nodes", "set.%s", names[k]);
        probe_us(samples_median(&launch), "the launch after setting all 64", "set.%s.launch",
                 names[k]);
        probe_us(samples_median(&total), "until synchronised", "set.%s.total", names[k]);
        OK(cudaGraphExecDestroy(x));
        OK(cudaGraphDestroy(g));
    }
}

static void update_rows(void)
{
    static const int sizes[] = {1, 20, 100, 256};
    static struct chain c;
    for (int i = 0; i < 4; i++) {
        struct samples call = {0}, launch = {0}, enable = {0}, disabled = {0};
        cudaGraphExecUpdateResultInfo info;
        chain_make(&c, sizes[i], 1);
        cudaGraph_t other = capture(&c);
        for (int rep = -3; rep < 30; rep++) {
            double t0 = clock_now_us();
            OK(cudaGraphExecUpdate(c.x, other, &info));
            double t1 = clock_now_us();
            OK(cudaGraphLaunch(c.x, T.s[0]));
            double t2 = clock_now_us();
            OK(cudaStreamSynchronize(T.s[0]));
            if (rep >= 0)
                samples_add(&call, t1 - t0), samples_add(&launch, t2 - t1);
        }
        probe_row_n("update.call", sizes[i], samples_median(&call), "us", "cudaGraphExecUpdate");
        probe_row_n("update.launch", sizes[i], samples_median(&launch), "us", "the launch after");
        for (int k = 0; k < sizes[i]; k++) {
            double t0 = clock_now_us();
            OK(cudaGraphNodeSetEnabled(c.x, c.nodes[k], k % 2));
            samples_add(&enable, clock_now_us() - t0 - probe_clock_us);
        }
        for (int rep = -3; rep < 30; rep++) {
            double t0 = clock_now_us();
            OK(cudaGraphLaunch(c.x, T.s[0]));
            OK(cudaStreamSynchronize(T.s[0]));
            if (rep >= 0)
                samples_add(&disabled, clock_now_us() - t0);
        }
        probe_row_n("set.enabled", sizes[i], samples_median(&enable), "us", "one call");
        probe_row_n("launch.half_disabled", sizes[i], samples_median(&disabled), "us",
                    "every second node disabled; until synchronised");
        OK(cudaGraphDestroy(other));
        chain_drop(&c);
    }
}

/* Launches after half of a chain was switched off, and after it was switched on again. */
static void switch_rows(void)
{
    static struct chain c;
    for (int n = 20; n <= 100; n *= 5)
        for (int again = 0; again < 2; again++) {
            struct samples host[2] = {0}, total[2] = {0};
            chain_make(&c, n, 1);
            for (int rep = -4; rep < 60; rep++) {
                c.off = !c.off;
                for (int i = 0; i < n; i += 2)
                    OK(cudaGraphNodeSetEnabled(c.x, c.nodes[i], !c.off));
                for (int i = 0; i <= again; i++) {
                    double host_us, us = launched_us(c.x, &host_us);
                    if (rep < 0 || i < again)
                        continue;
                    samples_add(&host[c.off], host_us);
                    samples_add(&total[c.off], us);
                }
            }
            for (int off = 0; off < 2; off++) {
                const char *to = off ? "off" : "on", *which = again ? "second" : "first";
                probe_us(samples_median(&total[off]),
                         "launch after half of the kernels was switched; until synchronised",
                         "switch.%s.%s.%d", to, which, n);
                probe_us(samples_median(&host[off]), "", "switch.%s.%s.%d.host", to, which, n);
            }
            chain_drop(&c);
        }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void memory_by_stream(int n, void *bytes)
{
    for (int i = 0; i < n; i++) {
        void *p;
        OK(cudaMallocAsync(&p, *(size_t *)bytes, T.s[0]));
        OK(launch_empty(1, T.s[0]));
        OK(cudaFreeAsync(p, T.s[0]));
    }
}

static void memory_rows(void)
{
    for (size_t bytes = 4096; bytes <= 1 << 20; bytes <<= 8) {
        struct samples stream = {0}, host = {0}, total = {0}, build = {0}, first = {0};
        for (int rep = -3; rep < 30; rep++) {
            double t0 = clock_now_us();
            memory_by_stream(10, &bytes);
            OK(cudaStreamSynchronize(T.s[0]));
            if (rep >= 0)
                samples_add(&stream, clock_now_us() - t0);
        }
        for (int rep = -1; rep < 8; rep++) {
            double t0 = clock_now_us();
            cudaGraphExec_t x = captured(memory_by_stream, 10, &bytes, 1);
            double t1 = clock_now_us();
            OK(cudaGraphLaunch(x, T.s[0]));
            OK(cudaStreamSynchronize(T.s[0]));
            double t2 = clock_now_us();
            for (int i = 0; i < 10; i++) {
                double host_us, us = launched_us(x, &host_us);
                if (rep >= 0)
                    samples_add(&host, host_us), samples_add(&total, us);
            }
            if (rep >= 0)
                samples_add(&build, t1 - t0), samples_add(&first, t2 - t1);
            OK(cudaGraphExecDestroy(x));
        }
        long n = (long)bytes;
        probe_row_n("memory.stream", n, samples_median(&stream), "us",
                    "10 x malloc; kernel; free by stream; until synchronised");
        probe_row_n("memory.graph.build", n, samples_median(&build), "us",
                    "the same captured and instantiated");
        probe_row_n("memory.graph.first", n, samples_median(&first), "us", "first launch");
        probe_row_n("memory.graph.host", n, samples_median(&host), "us", "later launch; the call");
        probe_row_n("memory.graph", n, samples_median(&total), "us", "until synchronised");
    }
}

void probe_update(void)
{
    form_begin();
    set_rows();
    update_rows();
    modes(20, 1);
    modes(20, 132);
    modes(100, 1);
    modes(256, 1);
    switch_rows();
    memory_rows();
    form_end();
}

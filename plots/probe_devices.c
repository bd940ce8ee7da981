/* probe_devices.c: two devices: copies between them, with and without peer access, and how long one
 * waits for the other. */
#include <stdio.h>

#include "probe.h"

enum { COUNT = 10, HOPS = 40 };

static struct {
    cudaStream_t s, t; /* of device 1 */
    cudaEvent_t ev[2];
    char *dev, *dev2;
} one;

/* What is enqueued: copies or kernels, and how. */
struct plan {
    size_t bytes;
    int pull;    /* in a stream of the device that the bytes go to */
    int against; /* as many copies the other way */
    int beside;  /* as many in a second stream */
    int across;  /* kernels: every second one on device 1 */
};

static void after(cudaStream_t s, cudaEvent_t event, cudaStream_t from)
{
    OK(cudaEventRecord(event, from));
    OK(cudaStreamWaitEvent(s, event, 0));
}

static void copies(int count, void *arg)
{
    const struct plan *p = arg;
    cudaStream_t s = p->pull ? one.s : T.s[0];
    cudaStream_t other = p->against ? one.t : p->beside ? T.s[1] : NULL;
    if (p->pull)
        after(one.s, T.ev[0], T.s[0]);
    if (other)
        after(other, T.ev[1], T.s[0]);
    for (int i = 0; i < count; i++) {
        OK(cudaMemcpyAsync(one.dev, T.dev, p->bytes, cudaMemcpyDefault, s));
        if (p->against)
            OK(cudaMemcpyAsync(T.dev2, one.dev2, p->bytes, cudaMemcpyDefault, other));
        else if (other)
            OK(cudaMemcpyAsync(one.dev2, T.dev2, p->bytes, cudaMemcpyDefault, other));
    }
    if (p->pull)
        after(T.s[0], one.ev[0], one.s);
    if (other)
        after(T.s[0], p->against ? one.ev[1] : T.ev[2], other);
}

/* A kernel in one stream, then one in another, and so on; with copies: also a copy from the device
 * that had the kernel to the next one, in a stream of its own. */
static void hops(int count, void *arg)
{
    const struct plan *p = arg;
    cudaStream_t compute[2] = {T.s[0], p->across ? one.s : T.s[1]}, send[2] = {T.s[2], one.t};
    char *at[2] = {T.dev, one.dev};
    for (int i = 0; i < count; i++) {
        int d = i % 2;
        cudaEvent_t *events = d && p->across ? one.ev : T.ev + 3;
        OK(cudaSetDevice(d && p->across));
        OK(launch_empty(1, compute[d]));
        if (p->bytes) {
            after(send[d], events[0], compute[d]);
            OK(cudaMemcpyAsync(at[1 - d], at[d], p->bytes, cudaMemcpyDefault, send[d]));
        }
        after(compute[1 - d], events[1], p->bytes ? send[d] : compute[d]);
    }
    OK(cudaSetDevice(0));
}

static double each_us(enqueue_fn fn, int count, struct plan *p)
{
    return queued_us(fn, count, p, 500 + 20.0 * count, 9) / count;
}

static void launch(int count, void *exec)
{
    for (int i = 0; i < count; i++)
        OK(cudaGraphLaunch(*(cudaGraphExec_t *)exec, T.s[0]));
}

static double graph_us(enqueue_fn fn, int count, struct plan *p, double *host_us)
{
    cudaGraphExec_t exec = captured(fn, count, p, 1);
    OK(cudaGraphUpload(exec, T.s[0]));
    double us = queued_us(launch, 1, &exec, 500, 9) / count;
    HOST_COST(*host_us, 21, (void)0, cudaGraphLaunch(exec, T.s[0]), OK(cudaDeviceSynchronize()));
    OK(cudaGraphExecDestroy(exec));
    return us;
}

static void copy_rows(const char *key, struct plan p)
{
    char whole[64];
    for (p.bytes = 4096; p.bytes <= PROBE_BYTES; p.bytes *= 16) {
        snprintf(whole, sizeof whole, "copy.%s", key);
        probe_row_n(whole, (long)p.bytes, each_us(copies, COUNT, &p), "us", "each of ten");
    }
}

static void graph_rows(void)
{
    double host_us;
    for (int across = 0; across < 2; across++) {
        struct plan p = {.across = across};
        const char *which = across ? "two" : "one";
        probe_us(each_us(hops, HOPS, &p), "kernel and event, each of 40", "hop.%s", which);
        probe_us(graph_us(hops, HOPS, &p, &host_us), "each of 40 kernel nodes", "graph.hop.%s",
                 which);
        probe_us(host_us, "the launch of these", "graph.hop.%s.host", which);
    }
    for (size_t bytes = 4096; bytes <= 1 << 20; bytes *= 16) {
        struct plan copy = {.bytes = bytes}, hand = {.bytes = bytes, .across = 1};
        probe_row_n("graph.copy", (long)bytes, graph_us(copies, COUNT, &copy, &host_us), "us",
                    "each of ten copies to device 1");
        probe_row_n("graph.copy.host", (long)bytes, host_us, "us", "the launch of these");
        probe_row_n("hand_over", (long)bytes, each_us(hops, HOPS / 2, &hand), "us",
                    "kernel, copy to the other device, and so on, each of 20");
        probe_row_n("graph.hand_over", (long)bytes, graph_us(hops, HOPS / 2, &hand, &host_us), "us",
                    "each of 20");
    }
}

void probe_devices(void)
{
    OK(cudaSetDevice(1));
    OK(cudaStreamCreateWithFlags(&one.s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&one.t, cudaStreamNonBlocking));
    for (int i = 0; i < 2; i++)
        OK(cudaEventCreateWithFlags(&one.ev[i], cudaEventDisableTiming));
    OK(cudaMalloc((void **)&one.dev, PROBE_BYTES));
    OK(cudaMalloc((void **)&one.dev2, PROBE_BYTES));
    OK(launch_empty(1, one.s)); /* its code is loaded before a capture has it */
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(0));
    copy_rows("staged", (struct plan){0});
    for (int d = 1; d >= 0; d--) {
        OK(cudaSetDevice(d));
        OK(cudaDeviceEnablePeerAccess(1 - d, 0));
    }
    copy_rows("peer", (struct plan){0});
    copy_rows("pull", (struct plan){.pull = 1});
    copy_rows("against", (struct plan){.against = 1});
    copy_rows("beside", (struct plan){.beside = 1});
    graph_rows();
}

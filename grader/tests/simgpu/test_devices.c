/* test_devices.c: several devices: links that copies share, nodes on their devices, and findings
 * about memory that a device may not access. */
#include <stdlib.h>
#include <string.h>

#include "common/simgpu/simgpu.h"
#include "kernels/kernels.h"
#include "sim_graphs.h"

enum { DEVICES = 3, BYTES = 16 << 20 };

static struct {
    cudaStream_t s, t;
    char *p, *q;
} on[DEVICES];

/* Streams and memory on each of three devices; device 0 is current. */
static void three_devices(void)
{
    setenv("SIMGPU_DEVICES", "3", 1);
    for (int d = DEVICES - 1; d >= 0; d--) {
        OK(cudaSetDevice(d));
        on[d].s = stream(cudaStreamNonBlocking);
        on[d].t = stream(cudaStreamNonBlocking);
        OK(cudaMalloc((void **)&on[d].p, BYTES));
        OK(cudaMalloc((void **)&on[d].q, BYTES));
        OK(cudaMemset(on[d].p, d, BYTES));
        OK(cudaMemset(on[d].q, d, BYTES));
        OK(cudaDeviceSynchronize());
    }
}

static void enable_all(void)
{
    for (int d = DEVICES - 1; d >= 0; d--) {
        OK(cudaSetDevice(d));
        for (int peer = 0; peer < DEVICES; peer++)
            if (peer != d)
                OK(cudaDeviceEnablePeerAccess(peer, 0));
    }
}

/* A copy in a stream of the device `from`, in its second one if there are two. */
static void copy(int from, int to, bool second)
{
    OK(cudaMemcpyAsync(second ? on[to].q : on[to].p, second ? on[from].q : on[from].p, BYTES,
                       cudaMemcpyDefault, second ? on[from].t : on[from].s));
}

/* Until all that was enqueued since `from_ns` is done. */
static double done_us(int64_t from_ns)
{
    for (int d = DEVICES - 1; d >= 0; d--) {
        OK(cudaSetDevice(d));
        OK(cudaDeviceSynchronize());
    }
    return (double)(simgpu_now_ns() - from_ns) / 1000;
}

static double two_copies_us(int from, int to, int from2, int to2)
{
    int64_t begin = simgpu_now_ns();
    copy(from, to, false);
    copy(from2, to2, true);
    return done_us(begin);
}

static double one_copy_us(void)
{
    int64_t begin = simgpu_now_ns();
    copy(0, 1, false);
    return done_us(begin);
}

static void expect_ratio(double us, double of_us, double ratio, const char *what)
{
    cr_expect(us > 0.9 * ratio * of_us && us < 1.1 * ratio * of_us,
              "%s: %.1f us, %.1f times %.1f us is expected", what, us, ratio, of_us);
}

Test(devices, copies_share_a_link_in_one_direction, .init = three_devices)
{
    enable_all();
    double one_us = one_copy_us();
    expect_ratio(two_copies_us(0, 1, 1, 0), one_us, 1, "there, and at the same time back");
    expect_ratio(two_copies_us(0, 1, 0, 1), one_us, 2, "two from 0 to 1");
    expect_ratio(two_copies_us(0, 1, 0, 2), one_us, 2, "two from 0");
    expect_ratio(two_copies_us(0, 2, 1, 2), one_us, 2, "two to 2");
    expect_ratio(two_copies_us(0, 1, 1, 2), one_us, 1, "0 to 1, and 1 to 2");
}

Test(devices, copies_without_access_go_through_the_host, .init = three_devices)
{
    double staged_us = one_copy_us();
    OK(cudaSetDevice(1));
    OK(cudaDeviceEnablePeerAccess(0, 0)); /* one direction is enough for copies */
    OK(cudaSetDevice(0));
    double direct_us = one_copy_us();
    cr_expect_gt(staged_us, 5 * direct_us, "%.1f us and %.1f us", staged_us, direct_us);
}

/* The device of the first row with this name. */
static int device_of(const struct simgpu_trace_row *rows, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].device;
    return -1;
}

Test(devices, nodes_run_where_they_were_captured, .init = three_devices)
{
    cudaEvent_t forked, joined;
    struct simgpu_trace_row *rows;
    OK(cudaEventCreate(&forked));
    OK(cudaSetDevice(2));
    OK(cudaEventCreate(&joined));
    OK(cudaStreamBeginCapture(on[0].s, cudaStreamCaptureModeGlobal));
    OK(launch_empty(1, on[0].s));
    OK(cudaEventRecord(forked, on[0].s));
    OK(cudaStreamWaitEvent(on[2].s, forked, 0));
    OK(launch_delay(10, on[2].s));
    OK(cudaEventRecord(joined, on[2].s));
    OK(cudaStreamWaitEvent(on[0].s, joined, 0));
    cudaGraph_t graph = end_capture(on[0].s);
    OK(cudaSetDevice(1)); /* where it is instantiated and launched does not matter */
    cudaGraphExec_t exec = new_exec(graph);
    simgpu_trace_begin();
    run_exec(exec, on[1].s);
    size_t n = simgpu_trace_end(&rows);
    cr_expect_eq(device_of(rows, n, "empty"), 0);
    cr_expect_eq(device_of(rows, n, "delay"), 2);
    free(rows);
}

/* The engine of one device does not wait for a copy of another one. */
Test(devices, copies_of_two_devices_follow_each_other_in_a_graph, .init = three_devices)
{
    static const int order[] = {0, 1, 0};
    cudaGraphNode_t node[3];
    cudaGraph_t g = new_graph();
    char *host;
    OK(cudaMallocHost((void **)&host, 4096));
    for (int i = 0; i < 3; i++) {
        OK(cudaSetDevice(order[i]));
        OK(cudaGraphAddMemcpyNode1D(&node[i], g, i ? &node[i - 1] : NULL, i > 0, on[order[i]].p,
                                    host, 4096, cudaMemcpyHostToDevice));
    }
    run_exec(new_exec(g), on[0].s);
}

Test(devices, a_kernel_may_not_access_any_device, .init = three_devices)
{
    struct simgpu_finding f;
    OK(launch_saxpy((float *)on[1].p, (const float *)on[0].p, 1, 256, on[0].s));
    cr_expect_eq(cudaStreamSynchronize(on[0].s), cudaErrorIllegalAddress);
    cr_assert_geq(simgpu_findings(&f, 1), 1);
    cr_expect(strstr(finding_text(&f), "runs on device 0") &&
                  strstr(finding_text(&f), "memory of device 1"),
              "%s", finding_text(&f));
    cr_expect(strstr(finding_text(&f), "cudaDeviceEnablePeerAccess"), "%s", finding_text(&f));
}

Test(devices, a_kernel_is_launched_while_the_device_of_its_stream_is_current, .init = three_devices)
{
    struct simgpu_refusal r;
    simgpu_by_guide(1);
    OK(cudaSetDevice(1));
    for (int capturing = 0; capturing < 2; capturing++) {
        if (capturing)
            OK(cudaStreamBeginCapture(on[0].s, cudaStreamCaptureModeGlobal));
        cr_expect_eq(launch_saxpy((float *)on[0].p, (const float *)on[0].q, 1, 256, on[0].s),
                     cudaErrorInvalidResourceHandle);
        r = simgpu_failed_refusal(cudaErrorInvalidResourceHandle);
        cr_expect_eq((int)r.what, SIMGPU_REFUSED_DEVICE);
        cr_expect(r.n[0] == 0 && r.n[1] == 1 && r.n[2] == 2);
    }
    end_capture(on[0].s); /* the capture goes on */
}

Test(devices, a_copy_is_ordered_before_its_reader_by_an_event_of_its_device, .init = three_devices)
{
    enum { PENDING, DONE, NO_WAIT };
    enable_all();
    cudaEvent_t sent;
    OK(cudaEventCreate(&sent));
    for (int state = PENDING; state <= NO_WAIT; state++) {
        OK(cudaMemcpyPeerAsync(on[1].p, 1, on[0].p, 0, BYTES, on[0].s));
        OK(cudaEventRecord(sent, on[0].s));
        if (state == DONE)
            host_works_1_ms();
        OK(cudaSetDevice(1));
        if (state != NO_WAIT)
            OK(cudaStreamWaitEvent(on[1].s, sent, 0));
        OK(launch_saxpy((float *)on[1].q, (const float *)on[1].p, 1, 256, on[1].s));
        done_us(0);
        expect_findings(state == NO_WAIT);
    }
}

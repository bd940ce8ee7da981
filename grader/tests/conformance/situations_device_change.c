/*
 * situations_device_change.c: graphs launched by kernels: what may be in them, and what a change of
 * one needs before a kernel launches it.
 */
#include <string.h>

#include "../random/play_toy.h"
#include "situations_graphs.h"

static const cudaStream_t modes[] = {PLAY_FIRE, PLAY_TAIL, PLAY_SIBLING};

/* ---- what is in it, and changes -------------------------------------------------------------- */

SITUATION(launched_copies, "a kernel launches a graph of a memset and copies in a chain; what they "
                           "have done")
{
    char *d = device_bytes(256), *h = pinned_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_memset(child.graph, NULL, d, 7);
    n = add_copy(child.graph, n, d + 128, d);
    add_copy(child.graph, n, h, d + 128);
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    toy_play(root);
    answer_text("%d %d %d %d", device_byte(d), device_byte(d + 128), h[0], h[SMALL - 1]);
}

SITUATION(launched_from_host_memory, "a kernel launches a graph that copies from pinned memory: it "
                                     "reads what is there then")
{
    char *d = device_bytes(64), *h = pinned_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    add_copy(child.graph, NULL, d, h);
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    h[0] = 5;
    toy_play(root);
    answer_text("%d", device_byte(d));
}

SITUATION(launched_child_node, "a kernel launches a graph with a child graph node of two kernels")
{
    struct toy *root = toy_new(0), *inner = toy_new(0), outer = {.graph = new_graph()};
    does_log(inner, 'a');
    toy_part(inner, 0);
    does_log(inner, 'b');
    add_child(outer.graph, NULL, inner->graph);
    toy_ready(&outer);
    does_launch(root, &outer, PLAY_TAIL);
    toy_ready(root);
    toy_play(root);
}

SITUATION(changed_not_uploaded, "an uploaded exec whose kernel's value is changed: launched by a "
                                "kernel without, and with, a further upload")
{
    int *d = device_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_store(child.graph, NULL, d, 1);
    struct cudaKernelNodeParams k = store_params(d, 2);
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    toy_play(root);
    answer_text("%d", device_int(d));
    answer(cudaGraphExecKernelNodeSetParams(child.exec, n, &k));
    toy_play(root);
    answer_text("%d", device_int(d));
    answer(cudaGraphUpload(child.exec, NULL));
    MUST(cudaDeviceSynchronize());
    toy_play(root);
    answer_text("%d", device_int(d));
}

SITUATION(changed_host_launched,
          "an uploaded exec whose kernel's value is changed: launched by the "
          "host, then by a kernel")
{
    int *d = device_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_store(child.graph, NULL, d, 1);
    struct cudaKernelNodeParams k = store_params(d, 2);
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    answer(cudaGraphExecKernelNodeSetParams(child.exec, n, &k));
    answer_run(child.exec);
    set_device_int(d, 0);
    toy_play(root);
    answer_text("%d", device_int(d));
}

SITUATION(changed_update, "cudaGraphExecUpdate of an exec for device launch; launched by a kernel "
                          "before and after an upload; updated with a host node")
{
    int *d = device_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    cudaGraph_t newer = new_graph(), worse = new_graph();
    cudaGraphExecUpdateResultInfo info = {0};
    add_store(child.graph, NULL, d, 1);
    add_store(newer, NULL, d, 3);
    add_letter(worse, NULL, 'x');
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    answer(cudaGraphExecUpdate(child.exec, newer, &info));
    toy_play(root);
    answer_text("%d", device_int(d));
    MUST(cudaGraphUpload(child.exec, NULL));
    MUST(cudaDeviceSynchronize());
    toy_play(root);
    answer_text("%d", device_int(d));
    answer(cudaGraphExecUpdate(child.exec, worse, &info));
    answer_text("result %d", (int)info.result);
}

SITUATION(changed_enabled, "a kernel node of an uploaded exec is disabled: launched by a kernel "
                           "before and after an upload")
{
    struct toy *root = toy_new(0), *child = toy_new(0);
    does_log(child, 'a');
    toy_part(child, 0);
    does_log(child, 'b');
    toy_ready(child);
    does_launch(root, child, PLAY_FIRE);
    toy_ready(root);
    answer(cudaGraphNodeSetEnabled(child->exec, child->nodes[0], 0));
    toy_play(root);
    MUST(cudaGraphUpload(child->exec, NULL));
    MUST(cudaDeviceSynchronize());
    toy_play(root);
}

/* The answers to changes of the one copy, to `to` from `from`, of a graph instantiated with
 * `flags`. */
static void changed_copy(unsigned long long flags, char *to, char *from, char *pageable)
{
    cudaGraph_t g = new_graph();
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t n = add_copy(g, NULL, to, from);
    MUST(cudaGraphInstantiate(&x, g, flags));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to, from, 64, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to, from, 32, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to, from + 64, 64, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to + 64, from, 64, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to, from + 1, 63, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to, pageable, 64, cudaMemcpyDefault));
    answer_run(x);
}

SITUATION(changed_copies, "the copy of an exec for device launch is changed: as it is; 32 bytes; "
                          "from elsewhere; to elsewhere; from an odd address; from pageable memory")
{
    char *d = device_bytes(256), *h = pinned_bytes(256), *p = pageable_bytes(64);
    changed_copy(cudaGraphInstantiateFlagDeviceLaunch, d, h, p);
    changed_copy(cudaGraphInstantiateFlagDeviceLaunch, d, d + 128, p);
}

SITUATION(changed_memset,
          "the memset of an exec for device launch is changed, launched by a kernel "
          "before and after an upload")
{
    char *d = device_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_memset(child.graph, NULL, d, 7);
    struct cudaMemsetParams p = memset_params(d, 9, SMALL);
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    answer(cudaGraphExecMemsetNodeSetParams(child.exec, n, &p));
    toy_play(root);
    answer_text("%d", device_byte(d));
    MUST(cudaGraphUpload(child.exec, NULL));
    MUST(cudaDeviceSynchronize());
    toy_play(root);
    answer_text("%d", device_byte(d));
}

SITUATION(child_sees_writes,
          "a kernel writes, then launches a graph that copies what it wrote: fire "
          "and forget; tail")
{
    char *to = device_bytes(64);
    for (int i = 0; i < 2; i++) {
        struct toy *root = toy_new(0), child = {.graph = new_graph()};
        add_copy(child.graph, NULL, to, toy_log_place()->letters);
        toy_ready(&child);
        does_log(root, (char)('x' + i));
        does_launch(root, &child, modes[i]);
        toy_ready(root);
        toy_play(root);
        answer_text("%c", device_byte(to));
    }
}

SITUATION(child_of_two_roots,
          "two graphs, in a stream each, launch the same graph of 1 ms: while it "
          "runs; when it is done")
{
    static const int later_us[] = {500, 2500};
    for (int i = 0; i < 2; i++) {
        struct toy *a = toy_new(100), *b = toy_new(100 + later_us[i]), *c = toy_letter('c', 1000);
        does_launch(a, c, PLAY_FIRE);
        does_launch(b, c, PLAY_FIRE);
        toy_ready(a);
        toy_ready(b);
        toys_tell();
        MUST(cudaGraphLaunch(a->exec, new_stream(cudaStreamNonBlocking)));
        MUST(cudaGraphLaunch(b->exec, new_stream(cudaStreamNonBlocking)));
        answer(cudaDeviceSynchronize());
        answer_log();
        answer_codes();
    }
}

/* ---- instantiating --------------------------------------------------------------------------- */

static void for_device(cudaGraph_t g)
{
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagDeviceLaunch};
    cudaError_t e = cudaGraphInstantiateWithParams(&x, g, &p);
    if (e == cudaSuccess && p.result_out == 0)
        answer(e);
    else
        answer_text("%s result %d node %s", error_text(e), (int)p.result_out,
                    place_text(g, p.errNode_out));
}

SITUATION(device_instantiate_nested,
          "DeviceLaunch of an empty child graph node; of a kernel and an "
          "empty node after it; of a 2-D memset; a free node; of two "
          "kernels without an edge; cudaGraphInstantiate of a host node")
{
    cudaGraph_t g = new_graph(), h = new_graph(), k = new_graph(), m = new_graph();
    int *d = device_bytes(1024);
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t n;
    add_child(g, NULL, new_graph());
    for_device(g);
    add_empty(h, add_store(h, NULL, d, 1));
    for_device(h);
    struct cudaMemsetParams p = {.dst = d, .elementSize = 4, .width = 4, .height = 4, .pitch = 64};
    MUST(cudaGraphAddMemsetNode(&n, m, NULL, 0, &p));
    for_device(m);
    add_store(k, NULL, d, 1);
    add_store(k, NULL, d + 8, 1);
    for_device(k);
    answer(
        cudaGraphInstantiate(&x, graph_of_one("host", &n), cudaGraphInstantiateFlagDeviceLaunch));
}

SITUATION(device_instantiate_captured, "DeviceLaunch of a capture with a fork and a join; with a "
                                       "host function; of pageable copies to and from the device")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    char *d = device_bytes(256), *p = pageable_bytes(256);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    order_streams(s, t);
    some_work(t);
    order_streams(t, s);
    cudaGraph_t g = NULL;
    MUST(cudaStreamEndCapture(s, &g));
    for_device(g);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    log_letter(s, 'x');
    MUST(cudaStreamEndCapture(s, &g));
    for_device(g);
    for (int i = 0; i < 2; i++) {
        begin_capture(s, cudaStreamCaptureModeRelaxed);
        MUST(cudaMemcpyAsync(i ? (void *)p : d, i ? (void *)d : p, 64, cudaMemcpyDefault, s));
        MUST(cudaStreamEndCapture(s, &g));
        for_device(g);
    }
}

SITUATION(device_exec_calls,
          "an exec for device launch: flags; node of it disabled; exec destroyed "
          "after it ran; graph destroyed before a kernel launches it")
{
    struct toy *root = toy_new(0), *child = toy_letter('c', 0);
    unsigned long long flags = 0;
    answer(cudaGraphExecGetFlags(child->exec, &flags));
    answer_text("%llu", flags);
    does_launch(root, child, PLAY_FIRE);
    toy_ready(root);
    answer(cudaGraphDestroy(child->graph));
    toy_play(root);
    answer(cudaGraphExecDestroy(child->exec));
    answer(cudaGraphExecDestroy(root->exec));
    answer(cudaDeviceSynchronize());
}

SITUATION(failed_launch_is_quiet, "a refused launch by a kernel: what the host sees of it")
{
    struct toy *root = toy_new(0);
    does_launch_exec(root, NULL, PLAY_FIRE);
    does_log(root, 'r');
    toy_ready(root);
    toy_play(root);
    answer(cudaGetLastError());
    answer(cudaDeviceSynchronize());
}

SITUATION(second_exec, "two execs of one graph, both launched by a kernel to fire and forget")
{
    struct toy *root = toy_new(0), *child = toy_letter('c', 100);
    cudaGraphExec_t first = child->exec;
    toy_ready(child);
    does_launch_exec(root, first, PLAY_FIRE);
    does_launch(root, child, PLAY_FIRE);
    toy_ready(root);
    toy_play(root);
}

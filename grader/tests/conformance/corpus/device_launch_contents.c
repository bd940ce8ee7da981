/* device_launch_contents.c: graphs that kernels launch: what may be in them, and what a change of
 * one needs before the next launch. */
#include "../graphs.h"
#include "../scripted.h"

static const cudaStream_t modes[] = {LAUNCH_FIRE_AND_FORGET, LAUNCH_TAIL, LAUNCH_SIBLING};

SITUATION("a kernel launches a graph of a memset and copies in a chain; what they have done")
{
    char *d = device_bytes(256), *h = pinned_bytes(64);
    struct scripted *root = scripted_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_memset(child.graph, NULL, d, 7);
    n = add_copy(child.graph, n, d + 128, d);
    add_copy(child.graph, n, h, d + 128);
    then_launch(root, &child, LAUNCH_FIRE_AND_FORGET);
    script_gives("", "Success", root);
    shows("7 7 7 7", "%d %d %d %d", device_byte(d), device_byte(d + 128), h[0], h[SMALL - 1]);
}

SITUATION("a kernel launches a graph that copies from pinned memory: it reads what is there then")
{
    char *d = device_bytes(64), *h = pinned_bytes(64);
    struct scripted *root = scripted_new(0), child = {.graph = new_graph()};
    add_copy(child.graph, NULL, d, h);
    then_launch(root, &child, LAUNCH_FIRE_AND_FORGET);
    scripted_upload(root);
    h[0] = 5;
    script_gives("", "Success", root);
    shows("5", "%d", device_byte(d));
}

SITUATION("a kernel launches a graph with a child graph node of two kernels")
{
    struct scripted *root = scripted_new(0), *inner = scripted_new(0),
                    outer = {.graph = new_graph()};
    then_log(inner, 'a');
    scripted_add_kernel(inner, 0);
    then_log(inner, 'b');
    add_child(outer.graph, NULL, inner->graph);
    then_launch(root, &outer, LAUNCH_TAIL);
    script_gives("ab", "Success", root);
}

SITUATION("an uploaded exec whose kernel's value is changed: launched by a kernel without, and "
          "with, a further upload; changed again: launched by the host, then by a kernel")
{
    int *d = device_bytes(64);
    struct scripted *root = scripted_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_store(child.graph, NULL, d, 1);
    struct cudaKernelNodeParams k = store_params(d, 2);
    then_launch(root, &child, LAUNCH_FIRE_AND_FORGET);
    script_gives("", "Success", root);
    shows("1", "%d", device_int(d));
    answer(cudaGraphExecKernelNodeSetParams(child.exec, n, &k));
    script_gives("", "Success", root);
    shows("1", "%d", device_int(d));
    answer(cudaGraphUpload(child.exec, NULL));
    MUST(cudaDeviceSynchronize());
    script_gives("", "Success", root);
    shows("2", "%d", device_int(d));
    k = store_params(d, 4);
    answer(cudaGraphExecKernelNodeSetParams(child.exec, n, &k));
    answer_run(child.exec);
    set_device_int(d, 0);
    script_gives("", "Success", root);
    shows("4", "%d", device_int(d));
}

SITUATION("cudaGraphExecUpdate of an exec for device launch; launched by a kernel before and after "
          "an upload; updated with a host node")
{
    int *d = device_bytes(64);
    struct scripted *root = scripted_new(0), child = {.graph = new_graph()};
    cudaGraph_t newer = new_graph(), worse = new_graph();
    cudaGraphExecUpdateResultInfo info = {0};
    add_store(child.graph, NULL, d, 1);
    add_store(newer, NULL, d, 3);
    add_letter(worse, NULL, 'x');
    then_launch(root, &child, LAUNCH_FIRE_AND_FORGET);
    scripted_upload(root);
    answer(cudaGraphExecUpdate(child.exec, newer, &info));
    script_gives("", "Success", root);
    shows("1", "%d", device_int(d));
    MUST(cudaGraphUpload(child.exec, NULL));
    MUST(cudaDeviceSynchronize());
    script_gives("", "Success", root);
    shows("3", "%d", device_int(d));
    gives(GraphExecUpdateFailure, cudaGraphExecUpdate(child.exec, worse, &info));
    shows("result 3", "result %d", (int)info.result);
}

SITUATION("a kernel node of an uploaded exec is disabled: launched by a kernel before and after an "
          "upload")
{
    struct scripted *root = scripted_new(0), *child = scripted_new(0);
    then_log(child, 'a');
    scripted_add_kernel(child, 0);
    then_log(child, 'b');
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    scripted_upload(root);
    answer(cudaGraphNodeSetEnabled(child->exec, child->nodes[0], 0));
    script_gives("ab", "Success", root);
    MUST(cudaGraphUpload(child->exec, NULL));
    MUST(cudaDeviceSynchronize());
    script_gives("b", "Success", root);
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

SITUATION("the copy of an exec for device launch is changed: as it is; 32 bytes; from elsewhere; "
          "to elsewhere; from an odd address; from pageable memory",
          "cudaGraphExecMemcpyNodeSetParams1D(to, pageable, 64): InvalidValue; InvalidValue")
{
    char *d = device_bytes(256), *h = pinned_bytes(256), *p = pageable_bytes(64);
    changed_copy(cudaGraphInstantiateFlagDeviceLaunch, d, h, p);
    changed_copy(cudaGraphInstantiateFlagDeviceLaunch, d, d + 128, p);
}

SITUATION("the memset of an exec for device launch is changed, launched by a kernel before and "
          "after an upload")
{
    char *d = device_bytes(64);
    struct scripted *root = scripted_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_memset(child.graph, NULL, d, 7);
    struct cudaMemsetParams p = memset_params(d, 9, SMALL);
    then_launch(root, &child, LAUNCH_FIRE_AND_FORGET);
    scripted_upload(root);
    answer(cudaGraphExecMemsetNodeSetParams(child.exec, n, &p));
    script_gives("", "Success", root);
    shows("7", "%d", device_byte(d));
    MUST(cudaGraphUpload(child.exec, NULL));
    MUST(cudaDeviceSynchronize());
    script_gives("", "Success", root);
    shows("9", "%d", device_byte(d));
}

SITUATION("a kernel writes, then launches a graph that copies what it wrote: fire and forget; tail",
          "log: x; y", "device_byte: x; y")
{
    char *to = device_bytes(64);
    for (int i = 0; i < 2; i++) {
        struct scripted *root = scripted_new(0), child = {.graph = new_graph()};
        add_copy(child.graph, NULL, to, script_log_place()->letters);
        then_log(root, (char)('x' + i));
        then_launch(root, &child, modes[i]);
        scripted_run(root);
        answer_text("%c", device_byte(to));
    }
}

SITUATION(
    "two graphs, in a stream each, launch the same graph of 1 ms: while it runs; when it is done",
    "log: c; cc", "launches: Success InvalidValue; Success x2")
{
    static const int later_us[] = {500, 2500};
    for (int i = 0; i < 2; i++) {
        struct scripted *a = scripted_new(100), *b = scripted_new(100 + later_us[i]),
                        *c = scripted_letter('c', 1000);
        then_launch(a, c, LAUNCH_FIRE_AND_FORGET);
        then_launch(b, c, LAUNCH_FIRE_AND_FORGET);
        scripted_upload(a);
        scripted_upload(b);
        scripts_copy();
        MUST(cudaGraphLaunch(a->exec, nonblocking_stream()));
        MUST(cudaGraphLaunch(b->exec, nonblocking_stream()));
        answer(cudaDeviceSynchronize());
        log_is(NULL);
        launches_are(NULL);
    }
}

static void for_device(cudaGraph_t g)
{
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagDeviceLaunch};
    cudaError_t e = cudaGraphInstantiateWithParams(&x, g, &p);
    if (e == cudaSuccess && p.result_out == 0)
        answer_error(NULL, "cudaGraphInstantiateWithParams", e);
    else
        answer_fact("cudaGraphInstantiateWithParams", "%s result %d node %s", error_text(e),
                    (int)p.result_out, place_text(g, p.errNode_out));
}

SITUATION(
    "DeviceLaunch of an empty child graph node; of a kernel and an empty node after it; of a 2-D "
    "memset; a free node; of two kernels without an edge; cudaGraphInstantiate of a host node",
    "cudaGraphInstantiateWithParams: InvalidValue result 1 node NULL; InvalidValue result 3 node "
    "node 1; Success; Success")
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
    gives(InvalidValue,
          cudaGraphInstantiate(&x, graph_of_one("host", &n), cudaGraphInstantiateFlagDeviceLaunch));
}

SITUATION("DeviceLaunch of a capture with a fork and a join; with a host function; of pageable "
          "copies to and from the device",
          "cudaGraphInstantiateWithParams: Success; InvalidValue result 3 node node 1; "
          "InvalidValue result 4 node node 1; InvalidValue result 4 node node 1")
{
    char *d = device_bytes(256), *p = pageable_bytes(256);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeRelaxed);
    order_streams(s, t);
    some_work(t);
    order_streams(t, s);
    for_device(end_capture(s));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    log_letter(s, 'x');
    for_device(end_capture(s));
    for (int i = 0; i < 2; i++) {
        begin_capture(s, cudaStreamCaptureModeRelaxed);
        MUST(cudaMemcpyAsync(i ? (void *)p : d, i ? (void *)d : p, 64, cudaMemcpyDefault, s));
        for_device(end_capture(s));
    }
}

SITUATION("an exec for device launch: flags; node of it disabled; exec destroyed after it ran; "
          "graph destroyed before a kernel launches it")
{
    struct scripted *root = scripted_new(0), *child = scripted_letter('c', 0);
    unsigned long long flags = 0;
    answer(cudaGraphExecGetFlags(child->exec, &flags));
    shows("4", "%llu", flags);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    scripted_upload(root);
    answer(cudaGraphDestroy(child->graph));
    script_gives("c", "Success", root);
    answer(cudaGraphExecDestroy(child->exec));
    answer(cudaGraphExecDestroy(root->exec));
    answer(cudaDeviceSynchronize());
}

SITUATION("a refused launch by a kernel: what the host sees of it")
{
    struct scripted *root = scripted_new(0);
    then_launch_exec(root, NULL, LAUNCH_FIRE_AND_FORGET);
    then_log(root, 'r');
    script_gives("r", "InvalidValue", root);
    answer(cudaGetLastError());
    answer(cudaDeviceSynchronize());
}

/*
 * situations_graph_update.c: cudaGraphExecUpdate: what may change, and what it says where it may
 * not.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

/* "Success 0 NULL NULL": error, result, error node and error from node, places in `to` */
static void update(cudaGraphExec_t x, cudaGraph_t to)
{
    cudaGraphExecUpdateResultInfo info;
    memset(&info, 0x5a, sizeof info);
    cudaError_t e = cudaGraphExecUpdate(x, to, &info);
    answer_text("%s %d %s %s", error_text(e), (int)info.result, place_text(to, info.errorNode),
                place_text(to, info.errorFromNode));
}

static void from_to(cudaGraph_t from, cudaGraph_t to)
{
    update(new_exec(from), to);
}

/* ---- nodes of one kind ----------------------------------------------------------------------- */

static cudaGraph_t kernel_graph(const void *func, unsigned grid, unsigned block, unsigned shared)
{
    static int *p, one = 1;
    static void *args[] = {&p, &one, &one};
    if (!p)
        p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaKernelNodeParams k = {.func = (void *)(uintptr_t)func,
                                     .gridDim = {grid, 1, 1},
                                     .blockDim = {block, 1, 1},
                                     .sharedMemBytes = shared,
                                     .kernelParams = args};
    MUST(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    return g;
}

SITUATION(update_kernel, "update of a kernel: same; grid; block; shared; another function of the "
                         "same parameters; of three parameters; of none")
{
    cudaGraph_t g = kernel_graph(situation_store(), 1, 1, 0);
    from_to(g, g);
    from_to(g, kernel_graph(situation_store(), 7, 1, 0));
    from_to(g, kernel_graph(situation_store(), 1, 64, 0));
    from_to(g, kernel_graph(situation_store(), 1, 1, 1024));
    from_to(g, kernel_graph(situation_plus(), 1, 1, 0));
    from_to(g, kernel_graph(situation_plus_two(), 1, 1, 0));
    from_to(g, kernel_graph(situation_nothing(), 1, 1, 0));
}

SITUATION(update_kernel_runs, "an exec updated to another value; to another function: what runs")
{
    cudaGraph_t a = new_graph(), b = new_graph(), c = new_graph();
    int *p = device_bytes(SMALL);
    add_store(a, NULL, p, 1);
    add_store(b, NULL, p, 2);
    struct cudaKernelNodeParams k = store_params(p, 10);
    k.func = (void *)(uintptr_t)situation_plus();
    cudaGraphNode_t n;
    MUST(cudaGraphAddKernelNode(&n, c, NULL, 0, &k));
    cudaGraphExec_t x = new_exec(a);
    answer_run(x);
    answer_text("%d", device_int(p));
    update(x, b);
    answer_run(x);
    answer_text("%d", device_int(p));
    update(x, c);
    answer_run(x);
    answer_text("%d", device_int(p));
}

static cudaGraph_t memset_graph(struct cudaMemsetParams m)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    return g;
}

SITUATION(update_memset, "update of a memset: value; width; another destination in the allocation; "
                         "another allocation; pinned memory; elements of 4; 2-D")
{
    char *p = device_bytes(4096), *q = device_bytes(4096);
    cudaGraph_t g = memset_graph(memset_params(p, 1, 64));
    struct cudaMemsetParams m = memset_params(p, 1, 16);
    from_to(g, memset_graph(memset_params(p, 2, 64)));
    from_to(g, memset_graph(memset_params(p, 1, 32)));
    from_to(g, memset_graph(memset_params(p + 64, 1, 64)));
    from_to(g, memset_graph(memset_params(q, 1, 64)));
    from_to(g, memset_graph(memset_params(pinned_bytes(64), 1, 64)));
    m.elementSize = 4;
    from_to(g, memset_graph(m));
    m = (struct cudaMemsetParams){.dst = p, .elementSize = 1, .width = 8, .height = 2, .pitch = 64};
    from_to(g, memset_graph(m));
}

SITUATION(update_memset_2d, "update of a 2-D memset: same; value; width; height; pitch; to 1-D; "
                            "another destination")
{
    char *p = device_bytes(4096);
    struct cudaMemsetParams m = {
        .dst = p, .elementSize = 1, .value = 1, .width = 8, .height = 2, .pitch = 64};
    cudaGraph_t g = memset_graph(m);
    struct cudaMemsetParams c = m;
    from_to(g, memset_graph(c));
    c.value = 2;
    from_to(g, memset_graph(c));
    c = m;
    c.width = 9;
    from_to(g, memset_graph(c));
    c = m;
    c.height = 3;
    from_to(g, memset_graph(c));
    c = m;
    c.pitch = 128;
    from_to(g, memset_graph(c));
    from_to(g, memset_graph(memset_params(p, 1, 16)));
    c = m;
    c.dst = p + 8;
    from_to(g, memset_graph(c));
}

static cudaGraph_t copy_graph(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, to, from, bytes, kind));
    return g;
}

SITUATION(update_copy, "update of a copy pinned to device: size; kind Default; destination in the "
                       "allocation; another allocation; another pinned source; pageable source; "
                       "one of 100 bytes")
{
    char *p = device_bytes(4096), *q = device_bytes(4096), *h = pinned_bytes(4096);
    enum cudaMemcpyKind in = cudaMemcpyHostToDevice;
    cudaGraph_t g = copy_graph(p, h, 64, in);
    from_to(g, copy_graph(p, h, 32, in));
    from_to(g, copy_graph(p, h, 64, cudaMemcpyDefault));
    from_to(g, copy_graph(p + 64, h + 64, 64, in));
    from_to(g, copy_graph(q, h, 64, in));
    from_to(g, copy_graph(p, pinned_bytes(4096), 64, in));
    from_to(g, copy_graph(p, pageable_bytes(4096), 64, in));
    from_to(g, copy_graph(p, h, 100, in));
}

SITUATION(update_copy_direction, "update of a copy pinned to device: to the host; inside the "
                                 "device; pinned to pinned; from pageable to pinned source; device "
                                 "to device, other way round")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096), *q = pageable_bytes(4096);
    cudaGraph_t g = copy_graph(p, h, 64, cudaMemcpyDefault);
    from_to(g, copy_graph(h, p, 64, cudaMemcpyDefault));
    from_to(g, copy_graph(p, p + 64, 64, cudaMemcpyDefault));
    from_to(g, copy_graph(h, h + 64, 64, cudaMemcpyDefault));
    from_to(copy_graph(p, q, 64, cudaMemcpyHostToDevice), g);
    from_to(copy_graph(p, p + 64, 64, cudaMemcpyDefault),
            copy_graph(p + 64, p, 64, cudaMemcpyDefault));
    from_to(copy_graph(h, p, 64, cudaMemcpyDefault), copy_graph(q, p, 64, cudaMemcpyDeviceToHost));
}

static cudaGraph_t copy_3d_graph(char *p, char *h, size_t width, size_t height, size_t depth)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaMemcpy3DParms c = {.dstPtr = pitched(p, 64, 64, 4),
                                  .srcPtr = pitched(h, 64, 64, 4),
                                  .extent = extent(width, height, depth),
                                  .kind = cudaMemcpyHostToDevice};
    MUST(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &c));
    return g;
}

SITUATION(update_copy_3d, "update of a 2-D copy: same; width; height; to one row; to 3-D; of one "
                          "row to 2-D; of 3-D to 3-D of another depth")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    cudaGraph_t g = copy_3d_graph(p, h, 8, 2, 1);
    from_to(g, copy_3d_graph(p, h, 8, 2, 1));
    from_to(g, copy_3d_graph(p, h, 9, 2, 1));
    from_to(g, copy_3d_graph(p, h, 8, 3, 1));
    from_to(g, copy_3d_graph(p, h, 8, 1, 1));
    from_to(g, copy_3d_graph(p, h, 8, 2, 2));
    from_to(copy_3d_graph(p, h, 8, 1, 1), g);
    from_to(copy_3d_graph(p, h, 8, 2, 2), copy_3d_graph(p, h, 8, 2, 3));
}

SITUATION(update_host_event, "update of a host node: function and data; of a record node: event; "
                             "of a wait node; record to wait; empty")
{
    cudaGraph_t a = new_graph(), b = new_graph(), c = new_graph(), d = new_graph();
    cudaGraphNode_t n, m;
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    add_letter(a, NULL, 'a');
    add_letter(b, NULL, 'b');
    MUST(cudaGraphAddHostNode(&n, c, NULL, 0, &gate));
    from_to(a, b);
    from_to(a, c);
    from_to(graph_of_one("record", &n), graph_of_one("record", &m));
    from_to(graph_of_one("wait", &n), graph_of_one("wait", &m));
    from_to(graph_of_one("record", &n), graph_of_one("wait", &m));
    add_empty(d, NULL);
    from_to(d, graph_of_one("empty", &n));
}

/* ---- shape ----------------------------------------------------------------------------------- */

SITUATION(update_type, "update to another type of node: memset to kernel; to empty; to host; the "
                       "second of two nodes")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("memset", &n), a = new_graph(), b = new_graph();
    void *p = device_bytes(SMALL);
    from_to(g, graph_of_one("kernel", &n));
    from_to(g, graph_of_one("empty", &n));
    from_to(g, graph_of_one("host", &n));
    add_empty(a, add_memset(a, NULL, p, 1));
    add_letter(b, add_memset(b, NULL, p, 1), 'b');
    from_to(a, b);
}

SITUATION(update_count, "update of 3 memsets to 2; to 4; to none; of none to none; of none to one")
{
    cudaGraph_t g = captured_memsets(3);
    from_to(g, captured_memsets(2));
    from_to(g, captured_memsets(4));
    from_to(g, new_graph());
    from_to(new_graph(), new_graph());
    from_to(new_graph(), captured_memsets(1));
}

/* Three memsets a, b, c with the edges that the string names: "ab bc". */
static cudaGraph_t three(const char *edges)
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

SITUATION(update_edges, "update of a chain of three: an edge less; an edge more; a fork; a join; "
                        "another order of the chain; none")
{
    cudaGraph_t g = three("ab bc");
    from_to(g, three("ab"));
    from_to(g, three("ab bc ac"));
    from_to(g, three("ab ac"));
    from_to(g, three("ac bc"));
    from_to(g, three("ba ac"));
    from_to(g, three(""));
}

SITUATION(update_edge_order, "update to the same edges added in another order; to the same graph "
                             "made in another order of nodes; two independent nodes swapped")
{
    cudaGraph_t a = new_graph(), b = new_graph();
    void *p = device_bytes(SMALL);
    from_to(three("ac bc"), three("bc ac"));
    from_to(three("ab bc"), three("cb ba"));
    add_memset(a, NULL, p, 1);
    add_letter(a, NULL, 'a');
    add_letter(b, NULL, 'b');
    add_memset(b, NULL, p, 2);
    from_to(a, b);
}

SITUATION(update_edge_order_kinds, "update where the same node has its two edges in another order; "
                                   "their sources of two kinds")
{
    void *p = device_bytes(SMALL);
    cudaGraph_t g[2] = {new_graph(), new_graph()};
    for (int i = 0; i < 2; i++) {
        cudaGraphNode_t a = add_memset(g[i], NULL, p, 1), b = add_letter(g[i], NULL, 'b');
        cudaGraphNode_t c = add_empty(g[i], NULL);
        add_edge(g[i], i ? b : a, c);
        add_edge(g[i], i ? a : b, c);
    }
    from_to(g[0], g[1]);
}

SITUATION(update_captured, "update of a fork and join captured twice alike; captured with the two "
                           "branches swapped")
{
    cudaGraph_t g[3];
    void *p = device_bytes(SMALL);
    for (int i = 0; i < 3; i++) {
        cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
        begin_capture(s, cudaStreamCaptureModeGlobal);
        order_streams(s, t);
        if (i == 2)
            MUST(cudaLaunchHostFunc(t, write_letter, NULL));
        MUST(cudaMemsetAsync(p, i, SMALL, s));
        if (i != 2)
            MUST(cudaLaunchHostFunc(t, write_letter, NULL));
        order_streams(t, s);
        some_work(s);
        MUST(cudaStreamEndCapture(s, &g[i]));
    }
    from_to(g[0], g[1]);
    from_to(g[0], g[2]);
}

/* ---- children, attributes, memory ------------------------------------------------------------ */

static cudaGraph_t with_child(cudaGraph_t child)
{
    cudaGraph_t g = new_graph();
    add_child(g, NULL, child);
    return g;
}

SITUATION(update_child, "update of a child graph: same shape; a node less; another type inside; "
                        "where the error node is")
{
    cudaGraphNode_t n;
    cudaGraph_t g = with_child(captured_memsets(2));
    from_to(g, with_child(captured_memsets(2)));
    from_to(g, with_child(captured_memsets(1)));
    cudaGraph_t one = with_child(captured_memsets(1)), other = with_child(graph_of_one("host", &n));
    cudaGraph_t inside;
    cudaGraphExecUpdateResultInfo info = {0};
    answer(cudaGraphExecUpdate(new_exec(one), other, &info));
    MUST(cudaGraphChildGraphNodeGetGraph(nth_node(other, 0), &inside));
    answer_text("%d outer %s inner %s", (int)info.result, place_text(other, info.errorNode),
                place_text(inside, info.errorNode));
}

SITUATION(update_priority, "update to another priority of a kernel; to cooperative; back; with the "
                           "flag UseNodePriority")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n), h, c;
    cudaLaunchAttributeValue v;
    memset(&v, 0, sizeof v);
    MUST(cudaGraphClone(&h, g));
    MUST(cudaGraphClone(&c, g));
    v.priority = -3;
    MUST(cudaGraphKernelNodeSetAttribute(nth_node(h, 0), cudaLaunchAttributePriority, &v));
    v.cooperative = 1;
    MUST(cudaGraphKernelNodeSetAttribute(nth_node(c, 0), cudaLaunchAttributeCooperative, &v));
    from_to(g, h);
    from_to(g, c);
    from_to(c, g);
    cudaGraphExec_t x;
    MUST(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagUseNodePriority));
    update(x, h);
    answer_run(x);
}

SITUATION(update_memory, "update of a graph with alloc and free: by itself; by another such graph")
{
    cudaGraph_t g[2] = {new_graph(), new_graph()};
    void *p;
    for (int i = 0; i < 2; i++) {
        cudaGraphNode_t a = add_alloc(g[i], NULL, SMALL, &p);
        add_free(g[i], add_memset(g[i], a, p, 1), p);
    }
    cudaGraphExec_t x = new_exec(g[0]);
    update(x, g[0]);
    update(x, g[1]);
    answer_run(x);
}

/* ---- the call -------------------------------------------------------------------------------- */

SITUATION(update_nulls, "cudaGraphExecUpdate: NULL exec; NULL graph; NULL info; get last error; a "
                        "failed one: get last error")
{
    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t g = captured_memsets(1);
    cudaGraphExec_t x = new_exec(g);
    memset(&info, 0x5a, sizeof info);
    answer(cudaGraphExecUpdate(NULL, g, &info));
    answer(cudaGraphExecUpdate(x, NULL, &info));
    answer(cudaGraphExecUpdate(x, g, NULL));
    answer(cudaGetLastError());
    update(x, captured_memsets(2));
    answer(cudaGetLastError());
}

SITUATION(update_failed_keeps, "after an update that failed at the second node the exec runs the "
                               "old values")
{
    cudaGraph_t a = new_graph(), b = new_graph();
    int *p = device_bytes(SMALL);
    add_letter(a, add_memset(a, NULL, p, 1), 'a');
    add_empty(b, add_memset(b, NULL, p, 2));
    cudaGraphExec_t x = new_exec(a);
    update(x, b);
    answer_run(x);
    answer_text("%d '%s'", device_byte(p), log_text());
}

SITUATION(update_while_running, "an update while the exec runs: does not wait; the running launch "
                                "keeps the old value; the next has the new")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraph_t g[2] = {new_graph(), new_graph()};
    int *p = device_bytes(SMALL);
    gate_reset();
    for (int i = 0; i < 2; i++) {
        cudaGraphNode_t n;
        struct cudaHostNodeParams gate = {stand_at_gate, NULL};
        MUST(cudaGraphAddHostNode(&n, g[i], NULL, 0, &gate));
        add_memset(g[i], n, p, i + 1);
    }
    cudaGraphExec_t x = new_exec(g[0]);
    answer(cudaGraphLaunch(x, s));
    update(x, g[1]);
    answer_text("%s", gate_waited());
    gate_open_later(150);
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p));
    answer_run(x);
    answer_text("%d", device_byte(p));
}

SITUATION(update_which_nodes, "after an update, the exec's node set by the first graph's node; by "
                              "the second graph's; the second graph destroyed: what runs")
{
    cudaGraph_t a = new_graph(), b = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(a, NULL, p, 1), m = add_memset(b, NULL, p, 2);
    cudaGraphExec_t x = new_exec(a);
    struct cudaMemsetParams v = memset_params(p, 7, SMALL);
    update(x, b);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &v));
    answer_run(x);
    answer_text("%d", device_byte(p));
    v.value = 8;
    answer(cudaGraphExecMemsetNodeSetParams(x, m, &v));
    MUST(cudaGraphDestroy(b));
    answer_run(x);
    answer_text("%d", device_byte(p));
}

SITUATION(update_first_gone, "an exec whose graph was destroyed: update by a like graph; run; set "
                             "by the like graph's node")
{
    cudaGraph_t a = new_graph(), b = new_graph();
    int *p = device_bytes(SMALL);
    add_memset(a, NULL, p, 1);
    cudaGraphNode_t m = add_memset(b, NULL, p, 2);
    cudaGraphExec_t x = new_exec(a);
    struct cudaMemsetParams v = memset_params(p, 7, SMALL);
    MUST(cudaGraphDestroy(a));
    update(x, b);
    answer_run(x);
    answer_text("%d", device_byte(p));
    answer(cudaGraphExecMemsetNodeSetParams(x, m, &v));
}

SITUATION(update_twice, "an exec updated to a second graph, then to a third; back to the first; by "
                        "one that fails and then a good one")
{
    cudaGraph_t g[3];
    int *p = device_bytes(SMALL);
    for (int i = 0; i < 3; i++) {
        g[i] = new_graph();
        add_memset(g[i], NULL, p, i + 1);
    }
    cudaGraphExec_t x = new_exec(g[0]);
    update(x, g[1]);
    update(x, g[2]);
    answer_run(x);
    answer_text("%d", device_byte(p));
    update(x, captured_memsets(2));
    update(x, g[0]);
    answer_run(x);
    answer_text("%d", device_byte(p));
}

SITUATION(update_disabled, "an update of an exec with a node switched off: still off; value after "
                           "switching on")
{
    cudaGraph_t a = new_graph(), b = new_graph();
    int *p = device_bytes(SMALL);
    unsigned on = 9;
    cudaGraphNode_t n = add_memset(a, NULL, p, 1);
    add_memset(b, NULL, p, 2);
    cudaGraphExec_t x = new_exec(a);
    MUST(cudaGraphNodeSetEnabled(x, n, 0));
    update(x, b);
    MUST(cudaGraphNodeGetEnabled(x, n, &on));
    answer_text("%u", on);
    answer_run(x);
    answer_text("%d", device_byte(p));
    MUST(cudaGraphNodeSetEnabled(x, n, 1));
    answer_run(x);
    answer_text("%d", device_byte(p));
}

SITUATION(update_copy_2d, "update of a 2-D copy: other addresses; another pitch; one row of a "
                          "pitched pointer: another width; other address; made 1-D")
{
    char *p = device_bytes(8192), *h = pinned_bytes(8192);
    cudaGraph_t g = copy_3d_graph(p, h, 8, 2, 1), row = copy_3d_graph(p, h, 8, 1, 1);
    from_to(g, copy_3d_graph(p + 64, h + 64, 8, 2, 1));
    struct cudaMemcpy3DParms c = {.dstPtr = pitched(p, 128, 128, 4),
                                  .srcPtr = pitched(h, 64, 64, 4),
                                  .extent = extent(8, 2, 1),
                                  .kind = cudaMemcpyHostToDevice};
    cudaGraph_t other = new_graph();
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode(&n, other, NULL, 0, &c));
    from_to(g, other);
    from_to(row, copy_3d_graph(p, h, 9, 1, 1));
    from_to(row, copy_3d_graph(p + 64, h, 8, 1, 1));
    from_to(row, copy_graph(p, h, 8, cudaMemcpyHostToDevice));
    from_to(row, copy_graph(p, h, 16, cudaMemcpyHostToDevice));
}

SITUATION(update_memory_only,
          "update of a graph of alloc and free alone by another; of 64 bytes by "
          "one of 4096; of an alloc alone; of a memset of memory of cudaMalloc "
          "by one of an alloc node")
{
    cudaGraph_t g[3], a[2], m = new_graph();
    void *p;
    for (int i = 0; i < 3; i++) {
        g[i] = new_graph();
        cudaGraphNode_t n = add_alloc(g[i], NULL, i == 2 ? 4096 : SMALL, &p);
        add_free(g[i], n, p);
    }
    for (int i = 0; i < 2; i++) {
        a[i] = new_graph();
        add_alloc(a[i], NULL, SMALL, &p);
    }
    cudaGraphExec_t x = new_exec(g[0]);
    update(x, g[1]);
    update(x, g[2]);
    answer_run(x);
    update(new_exec(a[0]), a[1]);
    cudaGraphNode_t n = NULL;
    struct cudaMemsetParams given = memset_params(p, 1, SMALL);
    cudaError_t e = cudaGraphAddMemsetNode(&n, m, NULL, 0, &given);
    answer(e);
    if (e == cudaSuccess)
        from_to(captured_memsets(1), m);
}

SITUATION(update_two_wrong,
          "update with two wrong memsets in a chain of three: which is named; two "
          "wrong roots of a join")
{
    char *p = device_bytes(256);
    struct cudaMemsetParams flat = memset_params(p, 1, 16),
                            two = {
                                .dst = p, .elementSize = 1, .width = 8, .height = 2, .pitch = 64};
    cudaGraph_t g[4];
    for (int i = 0; i < 4; i++) {
        cudaGraphNode_t a, b, c;
        g[i] = new_graph();
        MUST(cudaGraphAddMemsetNode(&a, g[i], NULL, 0, i % 2 ? &two : &flat));
        MUST(cudaGraphAddMemsetNode(&b, g[i], &a, i < 2, i % 2 ? &two : &flat));
        MUST(cudaGraphAddMemsetNode(&c, g[i], &b, 1, &flat));
        if (i >= 2)
            add_edge(g[i], a, c);
    }
    from_to(g[0], g[1]);
    from_to(g[2], g[3]);
}

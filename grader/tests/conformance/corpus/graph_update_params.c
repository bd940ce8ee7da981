/*
 * graph_update_params.c: cudaGraphExecUpdate: which parameters of a node may change.
 */
#include <stdint.h>
#include <string.h>

#include "../graphs.h"
#include "../situation_kernels.h"

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

SITUATION(update_kernel,
          "update of a kernel: same; grid; block; shared; another function of the "
          "same parameters; of three parameters; of none",
          "cudaGraphExecUpdate(g): Success 0 NULL NULL",
          "cudaGraphExecUpdate(kernel_graph(situation_store(), 7, 1, 0)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(kernel_graph(situation_store(), 1, 64, 0)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(kernel_graph(situation_store(), 1, 1, 1024)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(kernel_graph(situation_plus(), 1, 1, 0)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(kernel_graph(situation_plus_two(), 1, 1, 0)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(kernel_graph(situation_nothing(), 1, 1, 0)): Success 0 NULL NULL")
{
    cudaGraph_t g = kernel_graph(situation_store(), 1, 1, 0);
    answer_update_from(g, g);
    answer_update_from(g, kernel_graph(situation_store(), 7, 1, 0));
    answer_update_from(g, kernel_graph(situation_store(), 1, 64, 0));
    answer_update_from(g, kernel_graph(situation_store(), 1, 1, 1024));
    answer_update_from(g, kernel_graph(situation_plus(), 1, 1, 0));
    answer_update_from(g, kernel_graph(situation_plus_two(), 1, 1, 0));
    answer_update_from(g, kernel_graph(situation_nothing(), 1, 1, 0));
}

SITUATION(update_kernel_runs, "an exec updated to another value; to another function: what runs",
          "device_int: 1", "cudaGraphExecUpdate(b): Success 0 NULL NULL", "device_int #2: 2",
          "cudaGraphExecUpdate(c): Success 0 NULL NULL", "device_int #3: 12")
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
    answer_update(x, b);
    answer_run(x);
    answer_text("%d", device_int(p));
    answer_update(x, c);
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

SITUATION(update_memset,
          "update of a memset: value; width; another destination in the allocation; "
          "another allocation; pinned memory; elements of 4; 2-D",
          "cudaGraphExecUpdate(memset_graph(memset_params(p, 2, 64))): Success 0 NULL NULL",
          "cudaGraphExecUpdate(memset_graph(memset_params(p, 1, 32))): Success 0 NULL NULL",
          "cudaGraphExecUpdate(memset_graph(memset_params(p + 64, 1, 64))): Success 0 NULL NULL",
          "cudaGraphExecUpdate(memset_graph(memset_params(q, 1, 64))): Success 0 NULL NULL",
          "cudaGraphExecUpdate(memset_graph(memset_params(pinned_bytes(64), 1, 64))): Success 0 "
          "NULL NULL",
          "cudaGraphExecUpdate(memset_graph(m)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(memset_graph(m)) #2: GraphExecUpdateFailure 5 node 0 NULL")
{
    char *p = device_bytes(4096), *q = device_bytes(4096);
    cudaGraph_t g = memset_graph(memset_params(p, 1, 64));
    struct cudaMemsetParams m = memset_params(p, 1, 16);
    answer_update_from(g, memset_graph(memset_params(p, 2, 64)));
    answer_update_from(g, memset_graph(memset_params(p, 1, 32)));
    answer_update_from(g, memset_graph(memset_params(p + 64, 1, 64)));
    answer_update_from(g, memset_graph(memset_params(q, 1, 64)));
    answer_update_from(g, memset_graph(memset_params(pinned_bytes(64), 1, 64)));
    m.elementSize = 4;
    answer_update_from(g, memset_graph(m));
    m = (struct cudaMemsetParams){.dst = p, .elementSize = 1, .width = 8, .height = 2, .pitch = 64};
    answer_update_from(g, memset_graph(m));
}

SITUATION(update_memset_2d,
          "update of a 2-D memset: same; value; width; height; pitch; to 1-D; "
          "another destination",
          "cudaGraphExecUpdate(memset_graph(c)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(memset_graph(c)) #2: Success 0 NULL NULL",
          "cudaGraphExecUpdate(memset_graph(c)) #3: GraphExecUpdateFailure 5 node 0 NULL",
          "cudaGraphExecUpdate(memset_graph(c)) #4: GraphExecUpdateFailure 5 node 0 NULL",
          "cudaGraphExecUpdate(memset_graph(c)) #5: GraphExecUpdateFailure 5 node 0 NULL",
          "cudaGraphExecUpdate(memset_graph(memset_params(p, 1, 16))): GraphExecUpdateFailure 5 "
          "node 0 NULL",
          "cudaGraphExecUpdate(memset_graph(c)) #6: Success 0 NULL NULL")
{
    char *p = device_bytes(4096);
    struct cudaMemsetParams m = {
        .dst = p, .elementSize = 1, .value = 1, .width = 8, .height = 2, .pitch = 64};
    cudaGraph_t g = memset_graph(m);
    struct cudaMemsetParams c = m;
    answer_update_from(g, memset_graph(c));
    c.value = 2;
    answer_update_from(g, memset_graph(c));
    c = m;
    c.width = 9;
    answer_update_from(g, memset_graph(c));
    c = m;
    c.height = 3;
    answer_update_from(g, memset_graph(c));
    c = m;
    c.pitch = 128;
    answer_update_from(g, memset_graph(c));
    answer_update_from(g, memset_graph(memset_params(p, 1, 16)));
    c = m;
    c.dst = p + 8;
    answer_update_from(g, memset_graph(c));
}

static cudaGraph_t copy_graph(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, to, from, bytes, kind));
    return g;
}

SITUATION(update_copy,
          "update of a copy pinned to device: size; kind Default; destination in the "
          "allocation; another allocation; another pinned source; pageable source; "
          "one of 100 bytes",
          "cudaGraphExecUpdate(copy_graph(p, h, 32, in)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(copy_graph(p, h, 64, cudaMemcpyDefault)): GraphExecUpdateFailure 5 "
          "node 0 NULL",
          "cudaGraphExecUpdate(copy_graph(p + 64, h + 64, 64, in)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(copy_graph(q, h, 64, in)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(copy_graph(p, pinned_bytes(4096), 64, in)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(copy_graph(p, pageable_bytes(4096), 64, in)): Success 0 NULL NULL",
          "cudaGraphExecUpdate(copy_graph(p, h, 100, in)): Success 0 NULL NULL")
{
    char *p = device_bytes(4096), *q = device_bytes(4096), *h = pinned_bytes(4096);
    enum cudaMemcpyKind in = cudaMemcpyHostToDevice;
    cudaGraph_t g = copy_graph(p, h, 64, in);
    answer_update_from(g, copy_graph(p, h, 32, in));
    answer_update_from(g, copy_graph(p, h, 64, cudaMemcpyDefault));
    answer_update_from(g, copy_graph(p + 64, h + 64, 64, in));
    answer_update_from(g, copy_graph(q, h, 64, in));
    answer_update_from(g, copy_graph(p, pinned_bytes(4096), 64, in));
    answer_update_from(g, copy_graph(p, pageable_bytes(4096), 64, in));
    answer_update_from(g, copy_graph(p, h, 100, in));
}

SITUATION(
    update_copy_direction,
    "update of a copy pinned to device: to the host; inside the "
    "device; pinned to pinned; from pageable to pinned source; device "
    "to device, other way around",
    "cudaGraphExecUpdate(g, copy_graph(h, p, 64, cudaMemcpyDefault)): Success 0 NULL NULL",
    "cudaGraphExecUpdate(g, copy_graph(p, p + 64, 64, cudaMemcpyDefault)): Success 0 NULL NULL",
    "cudaGraphExecUpdate(g, copy_graph(h, h + 64, 64, cudaMemcpyDefault)): Success 0 NULL NULL",
    "cudaGraphExecUpdate(copy_graph(p, q, 64, cudaMemcpyHostToDevice), g): GraphExecUpdateFailure "
    "5 node 0 NULL",
    "cudaGraphExecUpdate(copy_graph(p, p + 64, 64, cudaMemcpyDefault), copy_graph(p + 64, p, 64, "
    "cudaMemcpyDefault)): Success 0 NULL NULL",
    "cudaGraphExecUpdate(copy_graph(h, p, 64, cudaMemcpyDefault), copy_graph(q, p, 64, "
    "cudaMemcpyDeviceToHost)): GraphExecUpdateFailure 5 node 0 NULL")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096), *q = pageable_bytes(4096);
    cudaGraph_t g = copy_graph(p, h, 64, cudaMemcpyDefault);
    answer_update_from(g, copy_graph(h, p, 64, cudaMemcpyDefault));
    answer_update_from(g, copy_graph(p, p + 64, 64, cudaMemcpyDefault));
    answer_update_from(g, copy_graph(h, h + 64, 64, cudaMemcpyDefault));
    answer_update_from(copy_graph(p, q, 64, cudaMemcpyHostToDevice), g);
    answer_update_from(copy_graph(p, p + 64, 64, cudaMemcpyDefault),
                       copy_graph(p + 64, p, 64, cudaMemcpyDefault));
    answer_update_from(copy_graph(h, p, 64, cudaMemcpyDefault),
                       copy_graph(q, p, 64, cudaMemcpyDeviceToHost));
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

SITUATION(
    update_copy_3d,
    "update of a 2-D copy: same; width; height; to one row; to 3-D; of one "
    "row to 2-D; of 3-D to 3-D of another depth",
    "cudaGraphExecUpdate(g, copy_3d_graph(p, h, 8, 2, 1)): Success 0 NULL NULL",
    "cudaGraphExecUpdate(g, copy_3d_graph(p, h, 9, 2, 1)): GraphExecUpdateFailure 5 node 0 NULL",
    "cudaGraphExecUpdate(g, copy_3d_graph(p, h, 8, 3, 1)): GraphExecUpdateFailure 5 node 0 NULL",
    "cudaGraphExecUpdate(g, copy_3d_graph(p, h, 8, 1, 1)): GraphExecUpdateFailure 5 node 0 NULL",
    "cudaGraphExecUpdate(g, copy_3d_graph(p, h, 8, 2, 2)): GraphExecUpdateFailure 5 node 0 NULL",
    "cudaGraphExecUpdate(copy_3d_graph(p, h, 8, 1, 1), g): GraphExecUpdateFailure 5 node 0 NULL",
    "cudaGraphExecUpdate(copy_3d_graph(p, h, 8, 2, 2), copy_3d_graph(p, h, 8, 2, 3)): "
    "GraphExecUpdateFailure 5 node 0 NULL")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    cudaGraph_t g = copy_3d_graph(p, h, 8, 2, 1);
    answer_update_from(g, copy_3d_graph(p, h, 8, 2, 1));
    answer_update_from(g, copy_3d_graph(p, h, 9, 2, 1));
    answer_update_from(g, copy_3d_graph(p, h, 8, 3, 1));
    answer_update_from(g, copy_3d_graph(p, h, 8, 1, 1));
    answer_update_from(g, copy_3d_graph(p, h, 8, 2, 2));
    answer_update_from(copy_3d_graph(p, h, 8, 1, 1), g);
    answer_update_from(copy_3d_graph(p, h, 8, 2, 2), copy_3d_graph(p, h, 8, 2, 3));
}

SITUATION(update_host_event,
          "update of a host node: function and data; of a record node: event; "
          "of a wait node; record to wait; empty",
          "cudaGraphExecUpdate(a, b): Success 0 NULL NULL",
          "cudaGraphExecUpdate(a, c): Success 0 NULL NULL",
          "cudaGraphExecUpdate(graph_of_one(\"record\", &n), graph_of_one(\"record\", &m)): "
          "Success 0 NULL NULL",
          "cudaGraphExecUpdate(graph_of_one(\"wait\", &n), graph_of_one(\"wait\", &m)): Success 0 "
          "NULL NULL",
          "cudaGraphExecUpdate(graph_of_one(\"record\", &n), graph_of_one(\"wait\", &m)): "
          "GraphExecUpdateFailure 3 node 0 NULL",
          "cudaGraphExecUpdate(d, graph_of_one(\"empty\", &n)): Success 0 NULL NULL")
{
    cudaGraph_t a = new_graph(), b = new_graph(), c = new_graph(), d = new_graph();
    cudaGraphNode_t n, m;
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    add_letter(a, NULL, 'a');
    add_letter(b, NULL, 'b');
    MUST(cudaGraphAddHostNode(&n, c, NULL, 0, &gate));
    answer_update_from(a, b);
    answer_update_from(a, c);
    answer_update_from(graph_of_one("record", &n), graph_of_one("record", &m));
    answer_update_from(graph_of_one("wait", &n), graph_of_one("wait", &m));
    answer_update_from(graph_of_one("record", &n), graph_of_one("wait", &m));
    add_empty(d, NULL);
    answer_update_from(d, graph_of_one("empty", &n));
}

SITUATION(update_priority,
          "update to another priority of a kernel; to cooperative; back; with the "
          "flag UseNodePriority",
          "cudaGraphExecUpdate(g, h): Success 0 NULL NULL",
          "cudaGraphExecUpdate(g, c): GraphExecUpdateFailure 8 node 0 NULL",
          "cudaGraphExecUpdate(c, g): GraphExecUpdateFailure 8 node 0 NULL",
          "cudaGraphExecUpdate(x, h): GraphExecUpdateFailure 8 node 0 NULL")
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
    answer_update_from(g, h);
    answer_update_from(g, c);
    answer_update_from(c, g);
    cudaGraphExec_t x;
    MUST(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagUseNodePriority));
    answer_update(x, h);
    answer_run(x);
}

SITUATION(
    update_copy_2d,
    "update of a 2-D copy: other addresses; another pitch; one row of a "
    "pitched pointer: another width; other address; made 1-D",
    "cudaGraphExecUpdate(g, copy_3d_graph(p + 64, h + 64, 8, 2, 1)): GraphExecUpdateFailure 5 node "
    "0 NULL",
    "cudaGraphExecUpdate(g, other): GraphExecUpdateFailure 5 node 0 NULL",
    "cudaGraphExecUpdate(row, copy_3d_graph(p, h, 9, 1, 1)): Success 0 NULL NULL",
    "cudaGraphExecUpdate(row, copy_3d_graph(p + 64, h, 8, 1, 1)): Success 0 NULL NULL",
    "cudaGraphExecUpdate(row, copy_graph(p, h, 8, cudaMemcpyHostToDevice)): Success 0 NULL NULL",
    "cudaGraphExecUpdate(row, copy_graph(p, h, 16, cudaMemcpyHostToDevice)): Success 0 NULL NULL")
{
    char *p = device_bytes(8192), *h = pinned_bytes(8192);
    cudaGraph_t g = copy_3d_graph(p, h, 8, 2, 1), row = copy_3d_graph(p, h, 8, 1, 1);
    answer_update_from(g, copy_3d_graph(p + 64, h + 64, 8, 2, 1));
    struct cudaMemcpy3DParms c = {.dstPtr = pitched(p, 128, 128, 4),
                                  .srcPtr = pitched(h, 64, 64, 4),
                                  .extent = extent(8, 2, 1),
                                  .kind = cudaMemcpyHostToDevice};
    cudaGraph_t other = new_graph();
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode(&n, other, NULL, 0, &c));
    answer_update_from(g, other);
    answer_update_from(row, copy_3d_graph(p, h, 9, 1, 1));
    answer_update_from(row, copy_3d_graph(p + 64, h, 8, 1, 1));
    answer_update_from(row, copy_graph(p, h, 8, cudaMemcpyHostToDevice));
    answer_update_from(row, copy_graph(p, h, 16, cudaMemcpyHostToDevice));
}

SITUATION(update_function,
          "update to a kernel of another function with the same parameters; with "
          "other parameters; runs; values",
          "cudaGraphExecUpdate(h): Success 0 NULL NULL", "device_int: 10",
          "cudaGraphExecUpdate(i): Success 0 NULL NULL")
{
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n;
    add_store(g, NULL, p, 4);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 10);
    k.func = (void *)(uintptr_t)situation_plus();
    MUST(cudaGraphAddKernelNode(&n, h, NULL, 0, &k));
    answer_update(x, h);
    answer_run(x);
    answer_text("%d", device_int(p));
    k = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)situation_nothing(),
                                      .gridDim = {1, 1, 1},
                                      .blockDim = {1, 1, 1}};
    MUST(cudaGraphAddKernelNode(&n, i, NULL, 0, &k));
    answer_update(x, i);
}

SITUATION(update_dims,
          "update to another grid, block and shared memory; to a kernel with a "
          "priority; to a cooperative one",
          "cudaGraphExecUpdate: Success 0 NULL NULL", "cudaGraphExecUpdate #2: Success 0 NULL NULL",
          "cudaGraphExecUpdate #3: GraphExecUpdateFailure 8 node 0 NULL")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n;
    add_store(g, NULL, p, 4);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 10);
    k.gridDim.x = 7;
    k.blockDim.x = 64;
    k.sharedMemBytes = 1024;
    MUST(cudaGraphAddKernelNode(&n, h, NULL, 0, &k));
    answer_update(x, h);
    cudaLaunchAttributeValue v = {.priority = -3};
    MUST(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePriority, &v));
    answer_update(x, h);
    v.cooperative = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
    answer_update(x, h);
}

SITUATION(update_events,
          "update to a record node of another event; to a wait node; to a host node "
          "of another function; to other user data",
          "cudaGraphExecUpdate(x, h): Success 0 NULL NULL",
          "cudaGraphExecUpdate(x, i): GraphExecUpdateFailure 3 node 0 NULL",
          "cudaGraphExecUpdate(y, k): Success 0 NULL NULL", "host_log: 'k'")
{
    cudaEvent_t e = new_event(0), f = new_event(0);
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph(), j = new_graph(), k = new_graph();
    add_record(g, NULL, e);
    add_record(h, NULL, f);
    add_wait(i, NULL, f);
    cudaGraphExec_t x = new_exec(g);
    answer_update(x, h);
    answer_update(x, i);
    add_letter(j, NULL, 'j');
    add_letter(k, NULL, 'k');
    cudaGraphExec_t y = new_exec(j);
    answer_update(y, k);
    answer_run(y);
    answer_text("'%s'", host_log());
}

SITUATION(update_disabled, "a disabled node after an update: still disabled? runs, value",
          "cudaGraphExecUpdate: Success 0 NULL NULL", "on: 0", "device_int: 0")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    add_store(h, NULL, p, 2);
    cudaGraphExec_t x = new_exec(g);
    unsigned on = 7;
    answer(cudaGraphNodeSetEnabled(x, n, 0));
    answer_update(x, h);
    answer(cudaGraphNodeGetEnabled(x, n, &on));
    answer_text("%u", on);
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(update_then_nodes,
          "after an update from another graph: set parameters by the first "
          "graph's node; by the second's; values",
          "cudaGraphExecUpdate: Success 0 NULL NULL", "device_int: 3",
          "cudaGraphExecKernelNodeSetParams(m): InvalidValue", "device_int #2: 3")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1), m = add_store(h, NULL, p, 2);
    cudaGraphExec_t x = new_exec(g);
    answer_update(x, h);
    struct cudaKernelNodeParams k = store_params(p, 3);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
    k = store_params(p, 4);
    answer(cudaGraphExecKernelNodeSetParams(x, m, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
}

/* graph_update_params.c: cudaGraphExecUpdate: which parameters of a node may change. */
#include "../graphs.h"

/* An exec of the first graph is updated by the second one: works; the parameters may not change. */
#define accepts(from, to) update_from_gives("Success 0 NULL NULL", from, to)
#define refuses(from, to) update_from_gives("GraphExecUpdateFailure 5 node 0 NULL", from, to)

static cudaGraph_t kernel_graph(const void *func, unsigned grid, unsigned block, unsigned shared)
{
    static int *p, one = 1;
    static void *args[] = {&p, &one, &one};
    if (!p)
        p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaKernelNodeParams k = kernel_params(func, args);
    k.gridDim.x = grid;
    k.blockDim.x = block;
    k.sharedMemBytes = shared;
    MUST(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    return g;
}

SITUATION("update of a kernel: same; grid; block; shared; another function of the same parameters; "
          "of three parameters; of none")
{
    cudaGraph_t g = kernel_graph(situation_store(), 1, 1, 0);
    accepts(g, g);
    accepts(g, kernel_graph(situation_store(), 7, 1, 0));
    accepts(g, kernel_graph(situation_store(), 1, 64, 0));
    accepts(g, kernel_graph(situation_store(), 1, 1, 1024));
    accepts(g, kernel_graph(situation_plus(), 1, 1, 0));
    accepts(g, kernel_graph(situation_plus_two(), 1, 1, 0));
    accepts(g, kernel_graph(situation_nothing(), 1, 1, 0));
}

SITUATION("an exec updated to another value; to another function: what runs")
{
    cudaGraph_t a = new_graph(), b = new_graph(), c = new_graph();
    int *p = device_bytes(SMALL);
    add_store(a, NULL, p, 1);
    add_store(b, NULL, p, 2);
    add_kernel(c, NULL, situation_plus(), (void *[]){&p, &(int){10}});
    cudaGraphExec_t x = new_exec(a);
    answer_run(x);
    shows("1", "%d", device_int(p));
    update_gives("Success 0 NULL NULL", x, b);
    answer_run(x);
    shows("2", "%d", device_int(p));
    update_gives("Success 0 NULL NULL", x, c);
    answer_run(x);
    shows("12", "%d", device_int(p));
}

static cudaGraph_t memset_graph(struct cudaMemsetParams m)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    return g;
}

SITUATION("update of a memset: value; width; another destination in the allocation; another "
          "allocation; pinned memory; elements of 4; 2-D")
{
    char *p = device_bytes(4096), *q = device_bytes(4096);
    cudaGraph_t g = memset_graph(memset_params(p, 1, 64));
    struct cudaMemsetParams m = memset_params(p, 1, 16);
    accepts(g, memset_graph(memset_params(p, 2, 64)));
    accepts(g, memset_graph(memset_params(p, 1, 32)));
    accepts(g, memset_graph(memset_params(p + 64, 1, 64)));
    accepts(g, memset_graph(memset_params(q, 1, 64)));
    accepts(g, memset_graph(memset_params(pinned_bytes(64), 1, 64)));
    m.elementSize = 4;
    accepts(g, memset_graph(m));
    m = (struct cudaMemsetParams){.dst = p, .elementSize = 1, .width = 8, .height = 2, .pitch = 64};
    refuses(g, memset_graph(m));
}

SITUATION("update of a 2-D memset: same; value; width; height; pitch; to 1-D; another destination")
{
    char *p = device_bytes(4096);
    struct cudaMemsetParams m = {
        .dst = p, .elementSize = 1, .value = 1, .width = 8, .height = 2, .pitch = 64};
    cudaGraph_t g = memset_graph(m);
    struct cudaMemsetParams c = m;
    accepts(g, memset_graph(c));
    c.value = 2;
    accepts(g, memset_graph(c));
    c = m;
    c.width = 9;
    refuses(g, memset_graph(c));
    c = m;
    c.height = 3;
    refuses(g, memset_graph(c));
    c = m;
    c.pitch = 128;
    refuses(g, memset_graph(c));
    refuses(g, memset_graph(memset_params(p, 1, 16)));
    c = m;
    c.dst = p + 8;
    accepts(g, memset_graph(c));
}

static cudaGraph_t copy_graph(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, to, from, bytes, kind));
    return g;
}

SITUATION("update of a copy pinned to device: size; kind Default; destination in the allocation; "
          "another allocation; another pinned source; pageable source; one of 100 bytes")
{
    char *p = device_bytes(4096), *q = device_bytes(4096), *h = pinned_bytes(4096);
    enum cudaMemcpyKind in = cudaMemcpyHostToDevice;
    cudaGraph_t g = copy_graph(p, h, 64, in);
    accepts(g, copy_graph(p, h, 32, in));
    refuses(g, copy_graph(p, h, 64, cudaMemcpyDefault));
    accepts(g, copy_graph(p + 64, h + 64, 64, in));
    accepts(g, copy_graph(q, h, 64, in));
    accepts(g, copy_graph(p, pinned_bytes(4096), 64, in));
    accepts(g, copy_graph(p, pageable_bytes(4096), 64, in));
    accepts(g, copy_graph(p, h, 100, in));
}

SITUATION("update of a copy pinned to device: to the host; inside the device; pinned to pinned; "
          "from pageable to pinned source; device to device, other way around")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096), *q = pageable_bytes(4096);
    cudaGraph_t g = copy_graph(p, h, 64, cudaMemcpyDefault);
    accepts(g, copy_graph(h, p, 64, cudaMemcpyDefault));
    accepts(g, copy_graph(p, p + 64, 64, cudaMemcpyDefault));
    accepts(g, copy_graph(h, h + 64, 64, cudaMemcpyDefault));
    refuses(copy_graph(p, q, 64, cudaMemcpyHostToDevice), g);
    accepts(copy_graph(p, p + 64, 64, cudaMemcpyDefault),
            copy_graph(p + 64, p, 64, cudaMemcpyDefault));
    refuses(copy_graph(h, p, 64, cudaMemcpyDefault), copy_graph(q, p, 64, cudaMemcpyDeviceToHost));
}

static cudaGraph_t copy_3d_graph(char *p, char *h, size_t width, size_t height, size_t depth)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaMemcpy3DParms c =
        copy_3d_params(pitched(p, 64, 64, 4), pitched(h, 64, 64, 4), extent(width, height, depth),
                       cudaMemcpyHostToDevice);
    MUST(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &c));
    return g;
}

SITUATION("update of a 2-D copy: same; width; height; to one row; to 3-D; of one row to 2-D; of "
          "3-D to 3-D of another depth")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    cudaGraph_t g = copy_3d_graph(p, h, 8, 2, 1);
    accepts(g, copy_3d_graph(p, h, 8, 2, 1));
    refuses(g, copy_3d_graph(p, h, 9, 2, 1));
    refuses(g, copy_3d_graph(p, h, 8, 3, 1));
    refuses(g, copy_3d_graph(p, h, 8, 1, 1));
    refuses(g, copy_3d_graph(p, h, 8, 2, 2));
    refuses(copy_3d_graph(p, h, 8, 1, 1), g);
    refuses(copy_3d_graph(p, h, 8, 2, 2), copy_3d_graph(p, h, 8, 2, 3));
}

SITUATION("update of a host node: function and data; of a record node: event; of a wait node; "
          "record to wait; empty")
{
    cudaGraph_t a = new_graph(), b = new_graph(), c = new_graph(), d = new_graph();
    cudaGraphNode_t n, m;
    add_letter(a, NULL, 'a');
    add_letter(b, NULL, 'b');
    add_gate(c);
    accepts(a, b);
    accepts(a, c);
    accepts(graph_of_one("record", &n), graph_of_one("record", &m));
    accepts(graph_of_one("wait", &n), graph_of_one("wait", &m));
    update_from_gives("GraphExecUpdateFailure 3 node 0 NULL", graph_of_one("record", &n),
                      graph_of_one("wait", &m));
    add_empty(d, NULL);
    accepts(d, graph_of_one("empty", &n));
}

SITUATION(
    "update to another priority of a kernel; to cooperative; back; with the flag UseNodePriority")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n), h, c;
    cudaLaunchAttributeValue v = {0};
    MUST(cudaGraphClone(&h, g));
    MUST(cudaGraphClone(&c, g));
    v.priority = -3;
    MUST(cudaGraphKernelNodeSetAttribute(nth_node(h, 0), cudaLaunchAttributePriority, &v));
    v.cooperative = 1;
    MUST(cudaGraphKernelNodeSetAttribute(nth_node(c, 0), cudaLaunchAttributeCooperative, &v));
    accepts(g, h);
    update_from_gives("GraphExecUpdateFailure 8 node 0 NULL", g, c);
    update_from_gives("GraphExecUpdateFailure 8 node 0 NULL", c, g);
    cudaGraphExec_t x;
    MUST(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagUseNodePriority));
    update_gives("GraphExecUpdateFailure 8 node 0 NULL", x, h);
    answer_run(x);
}

SITUATION("update of a 2-D copy: other addresses; another pitch; one row of a pitched pointer: "
          "another width; other address; made 1-D")
{
    char *p = device_bytes(8192), *h = pinned_bytes(8192);
    cudaGraph_t g = copy_3d_graph(p, h, 8, 2, 1), row = copy_3d_graph(p, h, 8, 1, 1);
    refuses(g, copy_3d_graph(p + 64, h + 64, 8, 2, 1));
    struct cudaMemcpy3DParms c = copy_3d_params(pitched(p, 128, 128, 4), pitched(h, 64, 64, 4),
                                                extent(8, 2, 1), cudaMemcpyHostToDevice);
    cudaGraph_t other = new_graph();
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode(&n, other, NULL, 0, &c));
    refuses(g, other);
    accepts(row, copy_3d_graph(p, h, 9, 1, 1));
    accepts(row, copy_3d_graph(p + 64, h, 8, 1, 1));
    accepts(row, copy_graph(p, h, 8, cudaMemcpyHostToDevice));
    accepts(row, copy_graph(p, h, 16, cudaMemcpyHostToDevice));
}

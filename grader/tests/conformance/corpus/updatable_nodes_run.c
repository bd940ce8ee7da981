/* updatable_nodes_run.c: device-updatable kernel nodes: what device code changes, and what runs
 * then. */
#include "../conditional.h"

/* What a node that kernels change is made of: it adds `add` to *sum in each of its blocks. */
struct changed {
    cudaGraph_t g;
    int *sum, *errors, *value; /* in device memory */
    int add;
    cudaGraphNode_t node;
    cudaGraphDeviceNode_t handle;
};

static struct changed changed_after(cudaGraph_t g, cudaGraphNode_t after, int add)
{
    struct changed c = {.g = g, .add = add};
    c.sum = device_bytes(SMALL);
    c.errors = device_bytes(SMALL);
    c.value = device_bytes(SMALL);
    void *args[] = {&c.sum, &c.add};
    c.node = add_kernel(g, after, situation_blocks(), args);
    c.handle = open_node(c.node);
    return c;
}

/* A graph of a kernel that changes a node after it. The changer's parameters can name the node once
 * it is there. */
static struct changed changed_in(cudaGraph_t g)
{
    return changed_after(g, NULL, 1);
}

static void change_before(struct changed *c, const void *func, void **args)
{
    add_edge(c->g, add_kernel(c->g, NULL, func, args), c->node);
}

static cudaGraphExec_t uploaded(cudaGraph_t g)
{
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = nonblocking_stream();
    MUST(cudaGraphUpload(x, s));
    MUST(cudaStreamSynchronize(s));
    return x;
}

/* Runs n times: each time the sum so far and what the change returned. */
static void answer_changes(const struct changed *c, cudaGraphExec_t x, int n)
{
    for (int i = 0; i < n; i++) {
        cudaStream_t s = nonblocking_stream();
        cudaError_t launch = cudaGraphLaunch(x, s), done = cudaStreamSynchronize(s);
        if (launch != cudaSuccess || done != cudaSuccess)
            answer_fact("run", "%s %s", error_text(launch), error_text(done));
        if (done == cudaSuccess)
            answer_fact("sum, error", "%d %s", device_int(c->sum),
                        error_text((cudaError_t)device_int(c->errors)));
    }
}

SITUATION("a kernel disables the node after it, uploaded: sum, returned, 2 launches; enables it; "
          "disables it where the host did not upload",
          "sum, error: 0 Success; 0 Success; 1 Success; 2 Success; 0 Success; 0 Success")
{
    for (int i = 0; i < 3; i++) {
        struct changed c = changed_in(new_graph());
        int enable = i == 1;
        void *args[] = {&c.handle, &enable, &c.errors};
        change_before(&c, situation_enable_node(), args);
        answer_changes(&c, i < 2 ? uploaded(c.g) : new_exec(c.g), 2);
    }
}

SITUATION(
    "a kernel sets the grid of the node after it to 5 blocks; 0; (2, 3, 4); 65536 in y; uploaded: "
    "sum, returned, 2 launches each; 65535 in y; 65535 in z; 65536 in z; 100000 in x: one launch "
    "each",
    "sum, error: 5 Success; 10 Success; 1 InvalidValue; 2 InvalidValue; 24 Success; 48 Success; 1 "
    "InvalidValue; 2 InvalidValue; 65535 Success; 65535 Success; 1 InvalidValue; 100000 Success")
{
    static unsigned grids[][3] = {{5, 1, 1},     {0, 1, 1},     {2, 3, 4},     {1, 65536, 1},
                                  {1, 65535, 1}, {1, 1, 65535}, {1, 1, 65536}, {100000, 1, 1}};
    for (int i = 0; i < 8; i++) {
        struct changed c = changed_in(new_graph());
        void *args[] = {&c.handle, &grids[i][0], &grids[i][1], &grids[i][2], &c.errors};
        change_before(&c, situation_grid_node(), args);
        answer_changes(&c, uploaded(c.g), i < 4 ? 2 : 1);
    }
}

SITUATION("a kernel sets 4 bytes of the parameters of the node after it, at offset 8, to 7; at 4 "
          "bytes of offset 12; 16; 0 bytes; from NULL; at 100000; uploaded: sum, returned",
          "sum, error: 7 Success; 1 InvalidValue; 1 InvalidValue; 1 Success; 1 InvalidValue; 1 "
          "InvalidValue")
{
    static const struct {
        size_t offset, bytes;
    } cases[] = {{8, 4}, {12, 4}, {16, 4}, {8, 0}, {8, 4}, {100000, 4}};
    for (int i = 0; i < 6; i++) {
        struct changed c = changed_in(new_graph());
        size_t offset = cases[i].offset, bytes = cases[i].bytes;
        set_device_int(c.value, 7);
        int *from = i == 4 ? NULL : c.value;
        void *args[] = {&c.handle, &offset, &from, &bytes, &c.errors};
        change_before(&c, situation_param_node(), args);
        answer_changes(&c, uploaded(c.g), 1);
    }
}

SITUATION("a kernel sets the first 8 bytes of the parameters of the node after it to another "
          "address: both sums; again",
          "sum, error: 0 Success; 0 Success")
{
    struct changed c = changed_in(new_graph());
    int *other = device_bytes(SMALL);
    size_t offset = 0, bytes = 8;
    MUST(cudaMemcpy(c.value, &other, sizeof other, cudaMemcpyDefault));
    MUST(cudaDeviceSynchronize());
    void *args[] = {&c.handle, &offset, &c.value, &bytes, &c.errors};
    change_before(&c, situation_param_node(), args);
    cudaGraphExec_t x = uploaded(c.g);
    answer_changes(&c, x, 1);
    shows("1", "%d", device_int(other));
    answer_changes(&c, x, 1);
    shows("2", "%d", device_int(other));
}

SITUATION(
    "one update by cudaGraphKernelNodeUpdatesApply: grid of 3; parameter 5; disabled; field 0; "
    "field 4; field 99: sum, returned",
    "sum, error: 3 Success; 5 Success; 0 Success; 1 InvalidValue; 1 InvalidValue; 1 InvalidValue")
{
    static const int fields[] = {1, 2, 3, 0, 4, 99};
    static const unsigned values[] = {3, 5, 0, 1, 1, 1};
    for (int i = 0; i < 6; i++) {
        struct changed c = changed_in(new_graph());
        int field = fields[i];
        unsigned value = values[i];
        void *args[] = {&c.handle, &field, &value, &c.errors};
        change_before(&c, situation_apply_node(), args);
        answer_changes(&c, uploaded(c.g), 1);
    }
}

SITUATION("two updates in one call, of two nodes: both; only the first; none; NULL: sums, returned",
          "sum, error: 77 Success; 77 Success; 1 Success; 1 InvalidValue",
          "device_int: 0; 10; 10; 10")
{
    static const int counts[] = {2, 1, 0, -1};
    for (int i = 0; i < 4; i++) {
        cudaGraph_t g = new_graph();
        struct changed a = changed_in(g), b = changed_after(g, a.node, 10);
        int count = counts[i];
        void *args[] = {&a.handle, &b.handle, &count, &a.errors};
        change_before(&a, situation_apply_two(), args);
        answer_changes(&a, uploaded(g), 1);
        answer_text("%d", device_int(b.sum));
    }
}

SITUATION("a kernel changes the node NULL: enable; grid; sum, returned",
          "sum, error: 1 InvalidValue; 1 InvalidValue")
{
    for (int i = 0; i < 2; i++) {
        struct changed c = changed_in(new_graph());
        cudaGraphDeviceNode_t none = NULL;
        int enable = 0;
        unsigned one = 1;
        void *args[] = {&none, &enable, &c.errors}, *grid[] = {&none, &one, &one, &one, &c.errors};
        change_before(&c, i ? situation_grid_node() : situation_enable_node(), i ? grid : args);
        answer_changes(&c, uploaded(c.g), 1);
    }
}

SITUATION("a kernel disables the node before it: sum, returned, 3 launches; itself: returned",
          "sum, error: 1 Success; 1 Success; 1 Success")
{
    cudaGraph_t g = new_graph();
    struct changed c = changed_in(g);
    int enable = 0;
    void *args[] = {&c.handle, &enable, &c.errors};
    add_kernel(g, c.node, situation_enable_node(), args);
    answer_changes(&c, uploaded(g), 3);
}

SITUATION("a kernel launched into a stream changes a node of an uploaded exec to 4 blocks: "
          "returned; run; before the upload: returned; run",
          "device error: Success; InvalidValue", "sum, error: 4 Success; 1 InvalidValue")
{
    for (int i = 0; i < 2; i++) {
        struct changed c = changed_in(new_graph());
        unsigned four = 4, one = 1;
        void *args[] = {&c.handle, &four, &one, &one, &c.errors};
        cudaStream_t s = nonblocking_stream();
        cudaGraphExec_t x = i ? new_exec(c.g) : uploaded(c.g);
        answer(launch_one(situation_grid_node(), args, s));
        answer(cudaStreamSynchronize(s));
        answer_fact("device error", "%s", error_text((cudaError_t)device_int(c.errors)));
        if (i)
            MUST(cudaGraphUpload(x, s));
        answer_changes(&c, x, 1);
    }
}

SITUATION("a kernel of one graph changes a node of another, uploaded, to 3 blocks: returned; run "
          "the other; the node's graph never instantiated: returned",
          "device error: Success; InvalidValue", "sum, error: 3 Success")
{
    struct changed c = changed_in(new_graph()), d = changed_in(new_graph());
    unsigned three = 3, one = 1;
    for (int i = 0; i < 2; i++) {
        struct changed *of = i ? &d : &c;
        cudaGraph_t h = new_graph();
        void *args[] = {&of->handle, &three, &one, &one, &of->errors};
        add_kernel(h, NULL, situation_grid_node(), args);
        cudaGraphExec_t x = i ? NULL : uploaded(c.g);
        answer_run(new_exec(h));
        answer_fact("device error", "%s", error_text((cudaError_t)device_int(of->errors)));
        if (x)
            answer_changes(of, x, 1);
    }
}

SITUATION("in a WHILE of 3 iterations a kernel sets the grid of the node after it to 2, first "
          "iteration on: sum, returned; a node in an IF",
          "sum, error: 6 Success; 12 Success")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    unsigned two = 2, one = 1;
    device_log();
    add_conditional(g, NULL, h, WHILE, 1, &body);
    struct changed c = changed_in(body);
    void *args[] = {&c.handle, &two, &one, &one, &c.errors};
    change_before(&c, situation_grid_node(), args);
    add_countdown(body, c.node, '.', h, 3);
    answer_changes(&c, uploaded(g), 2);
}

SITUATION(
    "the device sets the grid to 3, then the host sets parameters: run without upload; with upload",
    "sum, error: 3 Success; 103 Success; 203 Success")
{
    struct changed c = changed_in(new_graph());
    unsigned three = 3, one = 1;
    cudaStream_t s = nonblocking_stream();
    int add = 100;
    void *args[] = {&c.handle, &three, &one, &one, &c.errors}, *plus[] = {&c.sum, &add};
    struct cudaKernelNodeParams k = kernel_params(situation_blocks(), plus);
    cudaGraphExec_t x = uploaded(c.g);
    MUST(launch_one(situation_grid_node(), args, s));
    MUST(cudaStreamSynchronize(s));
    answer_changes(&c, x, 1);
    answer(cudaGraphExecKernelNodeSetParams(x, c.node, &k));
    answer_changes(&c, x, 1);
    answer(cudaGraphUpload(x, s));
    MUST(cudaStreamSynchronize(s));
    answer_changes(&c, x, 1);
}

SITUATION("a kernel changes a node by a handle of a node of a graph that was destroyed: returned",
          "sum, error: 0 Success")
{
    struct changed c = changed_in(new_graph());
    int enable = 0;
    cudaStream_t s = nonblocking_stream();
    cudaGraphExec_t x = uploaded(c.g);
    void *args[] = {&c.handle, &enable, &c.errors};
    answer(cudaGraphDestroy(c.g));
    answer(launch_one(situation_enable_node(), args, s));
    answer(cudaStreamSynchronize(s));
    fact("device error", "Success", "%s", error_text((cudaError_t)device_int(c.errors)));
    answer_changes(&c, x, 1);
}

SITUATION("a kernel launched into a stream changes a node whose exec was destroyed; whose exec was "
          "made again and uploaded: returned, run",
          "sum, error: 4 Success")
{
    struct changed c = changed_in(new_graph());
    unsigned four = 4, one = 1;
    void *args[] = {&c.handle, &four, &one, &one, &c.errors};
    cudaStream_t s = nonblocking_stream();
    MUST(cudaGraphExecDestroy(uploaded(c.g)));
    for (int i = 0; i < 2; i++) {
        cudaGraphExec_t x = i ? uploaded(c.g) : NULL;
        answer(launch_one(situation_grid_node(), args, s));
        answer(cudaStreamSynchronize(s));
        fact("device error", "Success", "%s", error_text((cudaError_t)device_int(c.errors)));
        if (x)
            answer_changes(&c, x, 1);
    }
}

SITUATION("a node disabled by the device, then enabled by the host: run; disabled by the host, "
          "then enabled by the device: run; what the host reads",
          "on: 1; 0", "sum, error: 1 Success; 0 Success")
{
    cudaStream_t s = nonblocking_stream();
    for (int i = 0; i < 2; i++) {
        struct changed c = changed_in(new_graph());
        int enable = i;
        unsigned on = 9;
        void *args[] = {&c.handle, &enable, &c.errors};
        cudaGraphExec_t x = uploaded(c.g);
        if (i)
            answer(cudaGraphNodeSetEnabled(x, c.node, 0));
        MUST(launch_one(situation_enable_node(), args, s));
        MUST(cudaStreamSynchronize(s));
        answer(cudaGraphNodeGetEnabled(x, c.node, &on));
        answer_text("%u", on);
        if (!i)
            answer(cudaGraphNodeSetEnabled(x, c.node, 1));
        answer_changes(&c, x, 1);
    }
}

SITUATION("a device-updatable node of a graph that became a child: attribute of the copy; the "
          "first graph's node changed by a kernel before the child: run",
          "sum, error: 0 Success")
{
    cudaGraph_t g = new_graph(), embedded;
    struct changed c = changed_in(new_graph());
    cudaLaunchAttributeValue v = updatable(9);
    int enable = 0;
    void *args[] = {&c.handle, &enable, &c.errors};
    cudaGraphNode_t k = add_kernel(g, NULL, situation_enable_node(), args),
                    n = add_child(g, k, c.g);
    MUST(cudaGraphChildGraphNodeGetGraph(n, &embedded));
    MUST(cudaGraphKernelNodeGetAttribute(nth_node(embedded, 0),
                                         cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    fact("updatable, handle", "1 same", "%d %s", v.deviceUpdatableKernelNode.deviceUpdatable,
         v.deviceUpdatableKernelNode.devNode == c.handle ? "same"
         : v.deviceUpdatableKernelNode.devNode           ? "other"
                                                         : "NULL");
    answer_changes(&c, uploaded(g), 1);
}

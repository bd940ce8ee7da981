/*
 * situations_graph_exec.c: changing single nodes of an exec, and switching them off.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

/* ---- parameters ------------------------------------------------------------------------------ */

SITUATION(exec_kernel, "exec kernel node: value; grid; another function; of three parameters; "
                       "block 2048; what runs")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL), five = 5, six = 6;
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 2);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    k.gridDim.x = 3;
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
    k = store_params(p, 10);
    k.func = (void *)(uintptr_t)situation_plus();
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
    void *three[] = {&p, &five, &six};
    k.func = (void *)(uintptr_t)situation_plus_two();
    k.kernelParams = three;
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    k = store_params(p, 3);
    k.blockDim.x = 2048;
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
}

static cudaError_t set_exec_kernel(const void *func, unsigned grid, void **args)
{
    cudaGraphNode_t n;
    cudaGraphExec_t x = new_exec(graph_of_one("kernel", &n));
    struct cudaKernelNodeParams k = {.func = (void *)(uintptr_t)func,
                                     .gridDim = {grid, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .kernelParams = args};
    return cudaGraphExecKernelNodeSetParams(x, n, &k);
}

SITUATION(exec_kernel_null, "exec kernel node: parameters NULL for the call")
{
    cudaGraphNode_t n;
    cudaGraphExec_t x = new_exec(graph_of_one("kernel", &n));
    answer(cudaGraphExecKernelNodeSetParams(x, n, NULL));
}

SITUATION(exec_kernel_no_function, "exec kernel node: function NULL")
{
    answer(set_exec_kernel(NULL, 1, store_params(device_bytes(SMALL), 1).kernelParams));
}

SITUATION(exec_kernel_bad, "exec kernel node: no kernel; grid 0; no list of parameters; another "
                           "function without parameters")
{
    int *p = device_bytes(SMALL);
    answer(set_exec_kernel(&p, 1, store_params(p, 1).kernelParams));
    answer(set_exec_kernel(situation_store(), 0, store_params(p, 1).kernelParams));
    answer(set_exec_kernel(situation_store(), 1, NULL));
    answer(set_exec_kernel(situation_nothing(), 1, NULL));
}

SITUATION(exec_copy_same_kind, "exec memcpy node pinned to device by HostToDevice: size; "
                               "destination; other allocation; pageable source; to the host; as "
                               "Default; the kind kept with device pointers; what it was read back")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096), *q = device_bytes(4096), *h = pinned_bytes(4096);
    cudaGraphNode_t n;
    enum cudaMemcpyKind in = cudaMemcpyHostToDevice;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 64, in));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 32, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p + 64, h, 100, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, q, h, 64, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, pageable_bytes(64), 64, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, h, p, 64, cudaMemcpyDeviceToHost));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 64, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, h, p, 64, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, q, 64, in));
    struct cudaMemcpy3DParms c;
    MUST(cudaGraphMemcpyNodeGetParams(n, &c));
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    answer_run(x);
}

SITUATION(exec_copy_default, "exec memcpy node pinned to device by Default: size; other way round; "
                             "inside the device; pageable")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096), *h = pinned_bytes(4096), *i = pageable_bytes(64);
    cudaGraphNode_t n = add_copy(g, NULL, p, h);
    cudaGraphExec_t x = new_exec(g);
    enum cudaMemcpyKind any = cudaMemcpyDefault;
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 32, any));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, h, p, 32, any));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, p + 64, 32, any));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, i, 32, any));
    answer_run(x);
}

static struct cudaMemcpy3DParms rows(char *to, char *from, size_t width, size_t height,
                                     size_t pitch)
{
    return (struct cudaMemcpy3DParms){.dstPtr = pitched(to, pitch, pitch, height),
                                      .srcPtr = pitched(from, pitch, pitch, height),
                                      .extent = extent(width, height, 1),
                                      .kind = cudaMemcpyHostToDevice};
}

SITUATION(exec_copy_2d, "exec 2-D memcpy node: the same; other addresses; another pitch; another "
                        "width; position instead of address; one row of a pitched pointer: width; "
                        "as 1-D")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n, m;
    struct cudaMemcpy3DParms c = rows(p, h, 8, 2, 64), r = rows(p, h, 8, 1, 64);
    MUST(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &c));
    MUST(cudaGraphAddMemcpyNode(&m, g, NULL, 0, &r));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c = rows(p + 8, h + 8, 8, 2, 64);
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c = rows(p, h, 8, 2, 128);
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c = rows(p, h, 9, 2, 64);
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c = rows(p, h, 8, 2, 64);
    c.dstPos.x = 4;
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    r = rows(p, h, 9, 1, 64);
    answer(cudaGraphExecMemcpyNodeSetParams(x, m, &r));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, m, p, h, 16, cudaMemcpyHostToDevice));
    answer_run(x);
}

SITUATION(exec_memset, "exec memset node: value; width; destination; another allocation; elements "
                       "of 4; 2-D; width 0; past the end; NULL")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096), *q = device_bytes(4096);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m[] = {
        memset_params(p, 2, 64), memset_params(p, 2, 32),   memset_params(p + 64, 2, 64),
        memset_params(q, 2, 64), memset_params(p, 2, 16),   memset_params(p, 2, 8),
        memset_params(p, 2, 0),  memset_params(p, 2, 4097), memset_params(NULL, 2, 64)};
    m[4].elementSize = 4;
    m[5].height = 2;
    m[5].pitch = 64;
    for (int i = 0; i < 9; i++)
        answer(cudaGraphExecMemsetNodeSetParams(x, n, &m[i]));
    answer(cudaGraphExecMemsetNodeSetParams(x, n, NULL));
}

SITUATION(exec_memset_2d, "exec 2-D memset node: same; value; width; height; 1-D")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096);
    struct cudaMemsetParams m = {
        .dst = p, .elementSize = 1, .value = 1, .width = 8, .height = 2, .pitch = 64};
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m.value = 2;
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m.width = 9;
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m.height = 3;
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m = memset_params(p, 2, 64);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
}

SITUATION(exec_copy, "exec memcpy node pinned to device: size; destination; other allocation; "
                     "other source; pageable source; to the host; inside the device; 0 bytes; past "
                     "the end; kind 99; NULL")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096), *q = device_bytes(4096), *h = pinned_bytes(4096);
    cudaGraphNode_t n = add_copy(g, NULL, p, h);
    cudaGraphExec_t x = new_exec(g);
    enum cudaMemcpyKind in = cudaMemcpyHostToDevice;
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 32, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p + 64, h, 64, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, q, h, 64, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, pinned_bytes(64), 64, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, pageable_bytes(64), 64, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, h, p, 64, cudaMemcpyDeviceToHost));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, q, 64, cudaMemcpyDeviceToDevice));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 0, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 4097, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 64, (enum cudaMemcpyKind)99));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, NULL, h, 64, in));
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, NULL));
    answer_run(x);
}

SITUATION(exec_copy_shape, "exec memcpy node of one row made 2-D; 3-D; of 2-D made one row; 2-D of "
                           "other sizes")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    struct cudaMemcpy3DParms c = {.dstPtr = pitched(p, 64, 64, 4),
                                  .srcPtr = pitched(h, 64, 64, 4),
                                  .extent = extent(8, 2, 1),
                                  .kind = cudaMemcpyHostToDevice};
    cudaGraph_t g = new_graph(), two = new_graph();
    cudaGraphNode_t n = add_copy(g, NULL, p, h), m;
    MUST(cudaGraphAddMemcpyNode(&m, two, NULL, 0, &c));
    cudaGraphExec_t x = new_exec(g), y = new_exec(two);
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c.extent.depth = 2;
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    answer(cudaGraphExecMemcpyNodeSetParams1D(y, m, p, h, 64, cudaMemcpyHostToDevice));
    c.extent = extent(9, 3, 1);
    answer(cudaGraphExecMemcpyNodeSetParams(y, m, &c));
    answer_run(x);
    answer_run(y);
}

SITUATION(exec_host, "exec host node: another function and data; function NULL; NULL; what runs")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_letter(g, NULL, 'a');
    cudaGraphExec_t x = new_exec(g);
    struct cudaHostNodeParams h = letter_params('b');
    answer(cudaGraphExecHostNodeSetParams(x, n, &h));
    h.fn = NULL;
    answer(cudaGraphExecHostNodeSetParams(x, n, &h));
    answer(cudaGraphExecHostNodeSetParams(x, n, NULL));
    answer_run(x);
    answer_text("'%s'", log_text());
}

SITUATION(exec_set_bad, "exec node parameters: a node of another graph; of another kind; NULL "
                        "node; NULL exec; a node added after instantiate; a destroyed graph's node")
{
    cudaGraph_t g = new_graph(), other = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1), k = add_store(g, NULL, p, 1);
    cudaGraphNode_t foreign = add_memset(other, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    answer(cudaGraphExecMemsetNodeSetParams(x, foreign, &m));
    answer(cudaGraphExecMemsetNodeSetParams(x, k, &m));
    answer(cudaGraphExecMemsetNodeSetParams(x, NULL, &m));
    answer(cudaGraphExecMemsetNodeSetParams(NULL, n, &m));
    cudaGraphNode_t later = add_memset(g, NULL, p, 1);
    answer(cudaGraphExecMemsetNodeSetParams(x, later, &m));
}

SITUATION(exec_set_destroyed_node, "exec node parameters set by a node that was destroyed")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    MUST(cudaGraphDestroyNode(n));
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
}

SITUATION(exec_set_graph_unchanged, "parameters set in the exec do not show in the graph's node")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    MUST(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    MUST(cudaGraphMemsetNodeGetParams(n, &m));
    answer_text("%u", m.value);
}

SITUATION(exec_set_running, "parameters set while the exec runs: the running launch keeps the old")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n;
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &gate));
    n = add_memset(g, n, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    answer_text("%s", gate_waited());
    gate_open_later(150);
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p));
    answer_run(x);
    answer_text("%d", device_byte(p));
}

SITUATION(exec_set_two, "two execs of one graph: parameters set in one do not show in the other")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g), y = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    MUST(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    answer_run(y);
    answer_text("%d", device_byte(p));
    answer_run(x);
    answer_text("%d", device_byte(p));
}

/* ---- on and off ------------------------------------------------------------------------------ */

SITUATION(enable_kinds, "cudaGraphNodeSetEnabled(0) and GetEnabled of a kernel; memcpy; memset; "
                        "host; child; record; wait; alloc; empty node")
{
    static const char *const kinds[] = {"kernel", "memcpy", "memset", "host", "child",
                                        "record", "wait",   "alloc",  "empty"};
    for (int i = 0; i < 9; i++) {
        cudaGraphNode_t n;
        unsigned on = 9;
        cudaGraphExec_t x = new_exec(graph_of_one(kinds[i], &n));
        cudaError_t set = cudaGraphNodeSetEnabled(x, n, 0),
                    get = cudaGraphNodeGetEnabled(x, n, &on);
        answer_text("%s %s %u", error_text(set), error_text(get), on);
    }
}

SITUATION(enable_values, "GetEnabled at first; after SetEnabled 0; 1; 7; run while off")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    static const unsigned values[] = {0, 1, 7};
    unsigned on = 9;
    MUST(cudaGraphNodeGetEnabled(x, n, &on));
    answer_text("%u", on);
    for (int i = 0; i < 3; i++) {
        answer(cudaGraphNodeSetEnabled(x, n, values[i]));
        MUST(cudaGraphNodeGetEnabled(x, n, &on));
        answer_text("%u", on);
        set_device_int(p, 0);
        answer_run(x);
        answer_text("%d", device_byte(p));
    }
}

SITUATION(enable_bad, "SetEnabled: a node of another graph; NULL node; NULL exec; GetEnabled: NULL "
                      "result; of a host node; of another graph")
{
    cudaGraphNode_t n, other, host;
    unsigned on;
    cudaGraphExec_t x = new_exec(graph_of_one("memset", &n));
    cudaGraphExec_t h = new_exec(graph_of_one("host", &host));
    graph_of_one("memset", &other);
    answer(cudaGraphNodeSetEnabled(x, other, 0));
    answer(cudaGraphNodeSetEnabled(x, NULL, 0));
    answer(cudaGraphNodeSetEnabled(NULL, n, 0));
    answer(cudaGraphNodeGetEnabled(x, n, NULL));
    answer(cudaGraphNodeGetEnabled(h, host, &on));
    answer(cudaGraphNodeGetEnabled(x, other, &on));
}

SITUATION(enable_keeps_order, "a node that is off keeps its place: the host node after it still "
                              "waits for the one before it")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n;
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &gate));
    n = add_letter(g, n, 'a');
    cudaGraphNode_t off = add_memset(g, n, p, 1);
    add_letter(g, off, 'b');
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaGraphNodeSetEnabled(x, off, 0));
    gate_open_later(150);
    answer_run(x);
    answer_text("'%s' %d", log_text(), device_byte(p));
}

SITUATION(enable_set_params, "parameters set while a node is off: still off; value once it is on")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    unsigned on = 9;
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 6, SMALL);
    MUST(cudaGraphNodeSetEnabled(x, n, 0));
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    MUST(cudaGraphNodeGetEnabled(x, n, &on));
    answer_text("%u", on);
    answer_run(x);
    answer_text("%d", device_byte(p));
    MUST(cudaGraphNodeSetEnabled(x, n, 1));
    answer_run(x);
    answer_text("%d", device_byte(p));
}

SITUATION(enable_running, "a node switched off while the exec runs: that launch still runs it")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n;
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &gate));
    n = add_memset(g, n, p, 1);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphNodeSetEnabled(x, n, 0));
    gate_open_later(150);
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p));
}

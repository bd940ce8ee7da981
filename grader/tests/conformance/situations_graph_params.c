/*
 * situations_graph_params.c: parameters of nodes: what is read back, and what can be set.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static void answer_kernel(cudaGraphNode_t n)
{
    struct cudaKernelNodeParams k;
    memset(&k, 0, sizeof k);
    cudaError_t e = cudaGraphKernelNodeGetParams(n, &k);
    answer(e);
    if (e != cudaSuccess)
        return;
    answer_text("func %s grid %u %u %u block %u %u %u shared %u extra %s",
                k.func == situation_store()  ? "store"
                : k.func == situation_plus() ? "add"
                                             : "other",
                k.gridDim.x, k.gridDim.y, k.gridDim.z, k.blockDim.x, k.blockDim.y, k.blockDim.z,
                k.sharedMemBytes, k.extra ? "set" : "NULL");
    if (k.kernelParams)
        answer_text("value %d", *(int *)k.kernelParams[1]);
    else
        answer_text("params NULL");
}

SITUATION(kernel_params, "kernel node: parameters read back; are they copies; changed through the "
                         "pointer read back: what runs")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    struct cudaKernelNodeParams given = store_params(p, 3), got;
    cudaGraphNode_t n;
    given.gridDim = (dim3){2, 3, 4};
    given.sharedMemBytes = 16;
    MUST(cudaGraphAddKernelNode(&n, g, NULL, 0, &given));
    answer_kernel(n);
    MUST(cudaGraphKernelNodeGetParams(n, &got));
    answer_text(got.kernelParams == given.kernelParams ? "same array" : "own array");
    answer_text(got.kernelParams[1] == given.kernelParams[1] ? "same values" : "own values");
    *(int *)given.kernelParams[1] = 4;
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
}

SITUATION(kernel_params_captured, "a captured kernel: parameters read back")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    int *p = device_bytes(SMALL), value = 8;
    void *args[] = {&p, &value};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaLaunchKernel(situation_plus(), (dim3){5, 1, 1}, (dim3){32, 2, 1}, args, 128, s));
    answer_kernel(nth_node(answer_end(s), 0));
}

SITUATION(kernel_params_set, "kernel node: set another value and grid; another function; one of "
                             "three parameters; NULL; a block of 2048; what is kept; run")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL), five = 5, six = 6;
    cudaGraphNode_t n = add_store(g, NULL, p, 3);
    struct cudaKernelNodeParams k = store_params(p, 7);
    k.gridDim.x = 2;
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer_kernel(n);
    k.func = (void *)(uintptr_t)situation_plus();
    answer(cudaGraphKernelNodeSetParams(n, &k));
    k.blockDim.x = 2048;
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer(cudaGraphKernelNodeSetParams(n, NULL));
    answer_kernel(n);
    void *three[] = {&p, &five, &six};
    k = store_params(p, 0);
    k.func = (void *)(uintptr_t)situation_plus_two();
    k.kernelParams = three;
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
}

SITUATION(params_of_others, "parameters asked of a node of another kind: kernel of a memset; "
                            "memcpy; memset; host; child; alloc; free; NULL results")
{
    cudaGraphNode_t set, kernel, host;
    union {
        struct cudaKernelNodeParams kernel;
        struct cudaMemcpy3DParms memcpy;
        struct cudaMemsetParams memset;
        struct cudaHostNodeParams host;
        struct cudaMemAllocNodeParams alloc;
    } p;
    cudaGraph_t child;
    graph_of_one("memset", &set);
    graph_of_one("kernel", &kernel);
    graph_of_one("host", &host);
    answer(cudaGraphKernelNodeGetParams(set, &p.kernel));
    answer(cudaGraphMemcpyNodeGetParams(set, &p.memcpy));
    answer(cudaGraphMemsetNodeGetParams(kernel, &p.memset));
    answer(cudaGraphHostNodeGetParams(set, &p.host));
    answer(cudaGraphChildGraphNodeGetGraph(set, &child));
    answer(cudaGraphMemAllocNodeGetParams(set, &p.alloc));
    answer(cudaGraphMemFreeNodeGetParams(set, &p));
    answer(cudaGraphKernelNodeGetParams(kernel, NULL));
    answer(cudaGraphMemsetNodeGetParams(set, NULL));
    answer(cudaGraphHostNodeGetParams(host, NULL));
    answer(cudaGraphKernelNodeGetParams(NULL, &p.kernel));
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void answer_copy(cudaGraphNode_t n, const void *to, const void *from)
{
    struct cudaMemcpy3DParms c;
    memset(&c, 0, sizeof c);
    cudaError_t e = cudaGraphMemcpyNodeGetParams(n, &c);
    answer(e);
    if (e != cudaSuccess)
        return;
    answer_text("to %s %zu %zu %zu at %zu %zu", c.dstPtr.ptr == to ? "same" : "other",
                c.dstPtr.pitch, c.dstPtr.xsize, c.dstPtr.ysize, c.dstPos.x, c.dstPos.y);
    answer_text("from %s %zu %zu %zu at %zu %zu", c.srcPtr.ptr == from ? "same" : "other",
                c.srcPtr.pitch, c.srcPtr.xsize, c.srcPtr.ysize, c.srcPos.x, c.srcPos.y);
    answer_text("extent %zu %zu %zu kind %d", c.extent.width, c.extent.height, c.extent.depth,
                (int)c.kind);
}

SITUATION(copy_params_1d, "1-D memcpy nodes to the device, as Default and as HostToDevice: read "
                          "back")
{
    cudaGraph_t g = new_graph();
    void *p = device_bytes(256), *h = pinned_bytes(256);
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 200, cudaMemcpyDefault));
    answer_copy(n, p, h);
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 200, cudaMemcpyHostToDevice));
    answer_copy(n, p, h);
}

SITUATION(copy_params_kinds, "memcpy nodes pinned to device given as DeviceToHost; device to "
                             "device as HostToDevice; pinned to pinned as Default: kind read back")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(256), *h = pinned_bytes(256);
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 64, cudaMemcpyDeviceToHost));
    answer_copy(n, p, h);
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, p + 64, 64, cudaMemcpyHostToDevice));
    answer_copy(n, p, p + 64);
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, h, h + 64, 64, cudaMemcpyDefault));
    answer_copy(n, h, h + 64);
}

SITUATION(copy_params_3d, "3-D memcpy node with positions: read back")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    struct cudaMemcpy3DParms c = {.dstPtr = pitched(p, 64, 60, 8),
                                  .srcPtr = pitched(h, 32, 30, 4),
                                  .extent = extent(8, 2, 2),
                                  .kind = cudaMemcpyHostToDevice};
    cudaGraphNode_t n;
    c.dstPos.x = 4;
    c.dstPos.y = 1;
    c.srcPos.x = 2;
    MUST(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &c));
    answer_copy(n, p, h);
}

SITUATION(copy_params_captured, "captured copies 1-D and 2-D: read back")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMemcpyAsync(p, h, 200, cudaMemcpyHostToDevice, s));
    MUST(cudaMemcpy2DAsync(h, 32, p, 64, 8, 3, cudaMemcpyDeviceToHost, s));
    cudaGraph_t g = answer_end(s);
    answer_copy(nth_node(g, 0), p, h);
    answer_copy(nth_node(g, 1), h, p);
}

SITUATION(copy_params_set, "memcpy node: set another size and destination; another direction; 3-D; "
                           "0 bytes; past the end; what is kept")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(256), *q = device_bytes(256), *h = pinned_bytes(256);
    cudaGraphNode_t n = add_copy(g, NULL, p, h);
    answer(cudaGraphMemcpyNodeSetParams1D(n, q, h, 32, cudaMemcpyHostToDevice));
    answer(cudaGraphMemcpyNodeSetParams1D(n, h, q, 32, cudaMemcpyDeviceToHost));
    answer_copy(n, h, q);
    struct cudaMemcpy3DParms c = {.dstPtr = pitched(p, 16, 16, 2),
                                  .srcPtr = pitched(h, 16, 16, 2),
                                  .extent = extent(8, 2, 2),
                                  .kind = cudaMemcpyHostToDevice};
    answer(cudaGraphMemcpyNodeSetParams(n, &c));
    answer(cudaGraphMemcpyNodeSetParams1D(n, p, h, 0, cudaMemcpyHostToDevice));
    answer(cudaGraphMemcpyNodeSetParams1D(n, p, h, 257, cudaMemcpyHostToDevice));
    answer(cudaGraphMemcpyNodeSetParams(n, NULL));
    answer_copy(n, p, h);
}

/* ---- memsets --------------------------------------------------------------------------------- */

static void answer_memset(cudaGraphNode_t n, const void *p)
{
    struct cudaMemsetParams m;
    memset(&m, 0, sizeof m);
    cudaError_t e = cudaGraphMemsetNodeGetParams(n, &m);
    answer(e);
    if (e == cudaSuccess)
        answer_text("%s pitch %zu value %u size %u %zu x %zu", m.dst == p ? "same" : "other",
                    m.pitch, m.value, m.elementSize, m.width, m.height);
}

SITUATION(memset_params_back, "memset nodes: 1-D bytes; elements of 4; one row with pitch 7; 2-D: "
                              "read back")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096);
    struct cudaMemsetParams given[] = {
        {.dst = p, .elementSize = 1, .value = 3, .width = 64, .height = 1},
        {.dst = p, .elementSize = 4, .value = 0x12345678, .width = 16, .height = 1},
        {.dst = p, .elementSize = 1, .value = 3, .width = 64, .height = 1, .pitch = 7},
        {.dst = p, .elementSize = 2, .value = 3, .width = 8, .height = 3, .pitch = 64}};
    for (int i = 0; i < 4; i++) {
        cudaGraphNode_t n;
        MUST(cudaGraphAddMemsetNode(&n, g, NULL, 0, &given[i]));
        answer_memset(n, p);
    }
}

SITUATION(memset_params_captured, "captured memsets: 64 bytes; 61 bytes; value 0x1ff; 2-D; 3-D: "
                                  "read back")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    char *p = device_bytes(4096);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMemsetAsync(p, 5, 64, s));
    MUST(cudaMemsetAsync(p + 1, 5, 61, s));
    MUST(cudaMemsetAsync(p, 0x1ff, 64, s));
    MUST(cudaMemset2DAsync(p, 64, 5, 8, 3, s));
    MUST(cudaMemset3DAsync(pitched(p, 64, 64, 4), 5, extent(8, 2, 2), s));
    cudaGraph_t g = answer_end(s);
    for (size_t i = 0; i < node_count(g); i++)
        answer_memset(nth_node(g, i), p);
}

SITUATION(memset_params_set, "memset node: set another value and width; 2-D; elements of 4; width "
                             "0; past the end; NULL; what is kept")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(256);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    struct cudaMemsetParams m = memset_params(p, 2, 32);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    m = (struct cudaMemsetParams){.dst = p, .elementSize = 4, .width = 4, .height = 2, .pitch = 64};
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    m.width = 0;
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    m = memset_params(p, 2, 257);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    answer(cudaGraphMemsetNodeSetParams(n, NULL));
    answer_memset(n, p);
}

/* ---- host, generic --------------------------------------------------------------------------- */

SITUATION(host_params, "host node: read back; set another; function NULL; run")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_letter(g, NULL, 'a');
    struct cudaHostNodeParams h = {NULL, NULL};
    answer(cudaGraphHostNodeGetParams(n, &h));
    answer_text("%s %c", h.fn == write_letter ? "same" : "other", (char)(intptr_t)h.userData);
    h = letter_params('b');
    answer(cudaGraphHostNodeSetParams(n, &h));
    h.fn = NULL;
    answer(cudaGraphHostNodeSetParams(n, &h));
    answer_run(new_exec(g));
    answer_text("'%s'", log_text());
}

SITUATION(set_after_instantiate, "a node's parameters set in the graph after instantiate: the exec "
                                 "runs the old; a new exec the new")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    answer_run(x);
    answer_text("%d", device_byte(p));
    answer_run(new_exec(g));
    answer_text("%d", device_byte(p));
}

SITUATION(set_wrong_kind, "set a memset's parameters in a kernel node; a kernel's in a memset "
                          "node; in NULL; generic with another type")
{
    cudaGraphNode_t set, kernel;
    int *p = device_bytes(SMALL);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    struct cudaKernelNodeParams k = store_params(p, 1);
    struct cudaGraphNodeParams q = {.type = cudaGraphNodeTypeHost};
    graph_of_one("memset", &set);
    graph_of_one("kernel", &kernel);
    q.host.fn = write_letter;
    answer(cudaGraphMemsetNodeSetParams(kernel, &m));
    answer(cudaGraphKernelNodeSetParams(set, &k));
    answer(cudaGraphMemsetNodeSetParams(NULL, &m));
    answer(cudaGraphNodeSetParams(set, &q));
    answer(cudaGraphNodeSetParams(set, NULL));
    answer(cudaGraphNodeSetParams(NULL, &q));
}

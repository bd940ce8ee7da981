/*
 * situations_graph_nodes.c: adding nodes by the call for their kind: what is refused.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

SITUATION(nodes_null_params, "NULL parameters: kernel; memcpy; memset; host; alloc; free; child; "
                             "cudaGraphAddNode")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddMemcpyNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddMemsetNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddMemFreeNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, NULL));
    answer_shape(g);
}

SITUATION(nodes_last_error, "a failed cudaGraphAddHostNode; get last error twice")
{
    cudaGraphNode_t n;
    answer(cudaGraphAddHostNode(&n, new_graph(), NULL, 0, NULL));
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}

/* ---- kernels --------------------------------------------------------------------------------- */

static cudaError_t kernel(dim3 grid, dim3 block, unsigned shared)
{
    static int *p;
    if (!p)
        p = device_bytes(SMALL);
    cudaGraphNode_t n;
    struct cudaKernelNodeParams k = store_params(p, 1);
    k.gridDim = grid;
    k.blockDim = block;
    k.sharedMemBytes = shared;
    return cudaGraphAddKernelNode(&n, new_graph(), NULL, 0, &k);
}

SITUATION(kernel_node_shapes, "kernel node: grid 0; block 0; block 1025; block 2048; block z 65; "
                              "grid y 65536; grid x 2^31; shared 48 KiB; 48 KiB + 1; 1 GiB")
{
    dim3 one = {1, 1, 1};
    answer(kernel((dim3){0, 1, 1}, one, 0));
    answer(kernel(one, (dim3){0, 1, 1}, 0));
    answer(kernel(one, (dim3){1025, 1, 1}, 0));
    answer(kernel(one, (dim3){2048, 1, 1}, 0));
    answer(kernel(one, (dim3){1, 1, 65}, 0));
    answer(kernel((dim3){1, 65536, 1}, one, 0));
    answer(kernel((dim3){1u << 31, 1, 1}, one, 0));
    answer(kernel(one, one, 48 << 10));
    answer(kernel(one, one, (48 << 10) + 1));
    answer(kernel(one, one, 1 << 30));
}

SITUATION(kernel_node_large_shared, "kernel node with 100 KiB of dynamic shared memory after the "
                                    "kernel's limit was raised to it: add; 1 byte more; captured; "
                                    "run; limit lowered, then instantiate again")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaGraphExec_t x = NULL;
    struct cudaKernelNodeParams k = store_params(device_bytes(SMALL), 1);
    MUST(cudaFuncSetAttribute(k.func, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    k.sharedMemBytes = 100 << 10;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.sharedMemBytes++;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    answer_run(new_exec(g));
    MUST(cudaFuncSetAttribute(k.func, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    answer(cudaGraphInstantiate(&x, g, 0));
    if (x)
        answer_run(x);
}

SITUATION(kernel_node_function, "kernel node: function NULL; no kernel; parameters NULL of a "
                                "kernel with none; NULL of a kernel with two; both forms; neither")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    int *p = device_bytes(SMALL);
    void *extra[] = {NULL};
    struct cudaKernelNodeParams k = store_params(p, 1);
    k.func = NULL;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.func = (void *)&extra;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.func = (void *)(uintptr_t)situation_nothing();
    k.kernelParams = NULL;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.func = (void *)(uintptr_t)situation_store();
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k = store_params(p, 1);
    k.extra = extra;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    answer_shape(g);
}

SITUATION(kernel_node_extra_back, "kernel node given by extra: its parameters read back; set by "
                                  "them again; by both forms: which is used")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct {
        int *to;
        int value;
    } packed = {device_bytes(SMALL), 12};
    size_t bytes = sizeof packed.to + sizeof packed.value;
    void *extra[] = {(void *)1, &packed, (void *)2, &bytes, (void *)0};
    struct cudaKernelNodeParams k = store_params(packed.to, 13), got;
    k.extra = extra;
    MUST(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    answer_run(new_exec(g));
    answer_text("%d", device_int(packed.to));
    k.kernelParams = NULL;
    answer(cudaGraphKernelNodeSetParams(n, &k));
    memset(&got, 0, sizeof got);
    answer(cudaGraphKernelNodeGetParams(n, &got));
    answer_text("params %s extra %s", got.kernelParams ? "set" : "NULL",
                got.extra ? "set" : "NULL");
    answer(cudaGraphKernelNodeSetParams(n, &got));
    answer_run(new_exec(g));
    answer_text("%d", device_int(packed.to));
}

SITUATION(memset_node_tails, "memset nodes of element size 1, value 0x01020304, widths 7 at offset "
                             "0 and 5 at offset 3; of size 2, width 3 at offset 2: bytes")
{
    static const struct {
        unsigned size;
        size_t width, offset;
    } cases[] = {{1, 7, 0}, {1, 5, 3}, {2, 3, 2}, {1, 3, 1}};
    for (int i = 0; i < 4; i++) {
        unsigned char *p = device_bytes(SMALL), h[10];
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n;
        struct cudaMemsetParams m = {.dst = p + cases[i].offset,
                                     .elementSize = cases[i].size,
                                     .value = 0x01020304,
                                     .width = cases[i].width,
                                     .height = 1};
        MUST(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
        answer_run(new_exec(g));
        MUST(cudaMemcpy(h, p, 10, cudaMemcpyDeviceToHost));
        answer_text("%d %d %d %d %d %d %d %d %d %d", h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7],
                    h[8], h[9]);
    }
}

SITUATION(kernel_node_extra, "kernel node with its parameters in one buffer (extra)")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct {
        int *to;
        int value;
    } packed = {device_bytes(SMALL), 12};
    size_t bytes = sizeof packed.to + sizeof packed.value;
    /* CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE and _END */
    void *extra[] = {(void *)1, &packed, (void *)2, &bytes, (void *)0};
    struct cudaKernelNodeParams k = {.func = (void *)(uintptr_t)situation_store(),
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .extra = extra};
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    answer_run(new_exec(g));
    answer_text("%d", device_int(packed.to));
}

/* ---- copies ---------------------------------------------------------------------------------- */

static cudaError_t copy(void *to, const void *from, size_t bytes, int kind)
{
    cudaGraphNode_t n;
    return cudaGraphAddMemcpyNode1D(&n, new_graph(), NULL, 0, to, from, bytes,
                                    (enum cudaMemcpyKind)kind);
}

SITUATION(copy_node_kinds, "1-D memcpy node pinned to device, as each of the five kinds; 5; -1")
{
    void *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    for (int kind = 0; kind < 5; kind++)
        answer(copy(p, h, SMALL, kind));
    answer(copy(p, h, SMALL, 5));
    answer(copy(p, h, SMALL, -1));
}

SITUATION(copy_node_pageable, "1-D memcpy node pageable to device, as each of the five kinds; "
                              "device to pageable; pageable to pageable")
{
    void *p = device_bytes(SMALL), *h = pageable_bytes(SMALL), *i = pageable_bytes(SMALL);
    for (int kind = 0; kind < 5; kind++)
        answer(copy(p, h, SMALL, kind));
    for (int kind = 0; kind < 5; kind++)
        answer(copy(h, p, SMALL, kind));
    for (int kind = 0; kind < 5; kind++)
        answer(copy(h, i, SMALL, kind));
}

SITUATION(copy_node_bad, "1-D memcpy node: 0 bytes; 0 bytes of NULL; to NULL; from NULL; past the "
                         "end of either; from freed memory; onto itself")
{
    char *p = device_bytes(SMALL), *h = pinned_bytes(SMALL), *gone = device_bytes(SMALL);
    MUST(cudaFree(gone));
    answer(copy(p, h, 0, cudaMemcpyDefault));
    answer(copy(NULL, NULL, 0, cudaMemcpyDefault));
    answer(copy(NULL, h, SMALL, cudaMemcpyDefault));
    answer(copy(p, NULL, SMALL, cudaMemcpyDefault));
    answer(copy(p, h, SMALL + 1, cudaMemcpyDefault));
    answer(copy(p, pinned_bytes(4096), SMALL + 1, cudaMemcpyDefault));
    answer(copy(h, gone, SMALL, cudaMemcpyDeviceToHost));
    answer(copy(p, p, SMALL, cudaMemcpyDeviceToDevice));
}

static cudaError_t copy_3d(struct cudaMemcpy3DParms *c)
{
    cudaGraphNode_t n;
    return cudaGraphAddMemcpyNode(&n, new_graph(), NULL, 0, c);
}

SITUATION(copy_node_3d_bad, "3-D memcpy node: width 0; height 0; width > pitch; kind 99; NULL "
                            "pointers; past the end; all zero")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    struct cudaMemcpy3DParms good = {.dstPtr = pitched(p, 64, 64, 8),
                                     .srcPtr = pitched(h, 64, 64, 8),
                                     .extent = extent(8, 2, 2),
                                     .kind = cudaMemcpyHostToDevice};
    struct cudaMemcpy3DParms c = good;
    answer(copy_3d(&c));
    c.extent = extent(0, 2, 2);
    answer(copy_3d(&c));
    c.extent = extent(8, 0, 2);
    answer(copy_3d(&c));
    c.extent = extent(65, 2, 2);
    answer(copy_3d(&c));
    c = good;
    c.kind = (enum cudaMemcpyKind)99;
    answer(copy_3d(&c));
    c = good;
    c.dstPtr.ptr = NULL;
    answer(copy_3d(&c));
    c = good;
    c.srcPtr.ptr = NULL;
    answer(copy_3d(&c));
    c = good;
    c.extent = extent(64, 8, 9);
    answer(copy_3d(&c));
    memset(&c, 0, sizeof c);
    answer(copy_3d(&c));
}

SITUATION(copy_node_runs, "memcpy nodes to the device, inside it, to the host, in a chain; a 3-D "
                          "node of 2 x 2 bytes with positions: what arrives")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    unsigned char *a = device_bytes(256), *b = device_bytes(256);
    unsigned char *h = pinned_bytes(256), *i = pinned_bytes(256);
    for (int k = 0; k < 256; k++)
        h[k] = (unsigned char)k;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, a, h, 256, cudaMemcpyHostToDevice));
    struct cudaMemcpy3DParms c = {.dstPtr = pitched(b, 16, 16, 16),
                                  .srcPtr = pitched(a, 16, 16, 16),
                                  .extent = extent(2, 2, 1),
                                  .kind = cudaMemcpyDeviceToDevice};
    c.dstPos.x = 1;
    c.srcPos.x = 3;
    c.srcPos.y = 2;
    MUST(cudaGraphAddMemcpyNode(&n, g, &n, 1, &c));
    MUST(cudaGraphAddMemcpyNode1D(&n, g, &n, 1, i, b, 256, cudaMemcpyDeviceToHost));
    answer_run(new_exec(g));
    answer_text("%d %d %d %d", i[0], i[1], i[2], i[3]);
    answer_text("%d %d %d %d", i[16], i[17], i[18], i[19]);
}

/* ---- memsets --------------------------------------------------------------------------------- */

static cudaError_t set(struct cudaMemsetParams m)
{
    cudaGraphNode_t n;
    return cudaGraphAddMemsetNode(&n, new_graph(), NULL, 0, &m);
}

SITUATION(memset_node_bad, "memset node: element size 0; 3; 8; width 0; height 0; NULL; past the "
                           "end; pageable memory; pinned memory")
{
    char *p = device_bytes(SMALL);
    struct cudaMemsetParams good = memset_params(p, 1, SMALL), m = good;
    m.elementSize = 0;
    answer(set(m));
    m.elementSize = 3;
    answer(set(m));
    m.elementSize = 8;
    answer(set(m));
    m = good;
    m.width = 0;
    answer(set(m));
    m = good;
    m.height = 0;
    answer(set(m));
    answer(set(memset_params(NULL, 1, SMALL)));
    answer(set(memset_params(p, 1, SMALL + 1)));
    answer(set(memset_params(pageable_bytes(SMALL), 1, SMALL)));
    answer(set(memset_params(pinned_bytes(SMALL), 1, SMALL)));
}

SITUATION(memset_node_2d, "memset node of 2 rows: pitch 0; pitch less than width; exactly to the "
                          "end; beyond; one row with pitch 0; with pitch 1")
{
    char *p = device_bytes(128);
    struct cudaMemsetParams m = {.dst = p, .elementSize = 1, .width = 32, .height = 2, .pitch = 0};
    answer(set(m));
    m.pitch = 16;
    answer(set(m));
    m.pitch = 96;
    answer(set(m));
    m.pitch = 97;
    answer(set(m));
    m.height = 1;
    m.pitch = 0;
    answer(set(m));
    m.pitch = 1;
    answer(set(m));
}

SITUATION(memset_node_elements, "memset node of element size 2 and 4: value 0x01020304; misaligned "
                                "destination; value 0x1ff of size 1: add; bytes after a run")
{
    unsigned char *p = device_bytes(SMALL), h[8];
    static const unsigned sizes[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n;
        struct cudaMemsetParams m = {
            .dst = p, .elementSize = sizes[i], .value = 0x01020304, .width = 2, .height = 1};
        cudaError_t e = cudaGraphAddMemsetNode(&n, g, NULL, 0, &m);
        answer(e);
        if (e != cudaSuccess)
            continue;
        answer_run(new_exec(g));
        MUST(cudaMemcpy(h, p, 8, cudaMemcpyDeviceToHost));
        answer_text("%d %d %d %d", h[0], h[1], h[2], h[3]);
    }
    struct cudaMemsetParams odd = {
        .dst = p + 1, .elementSize = 4, .value = 1, .width = 2, .height = 1};
    answer(set(odd));
    odd.elementSize = 2;
    answer(set(odd));
    answer(set(memset_params(p, 0x1ff, SMALL)));
}

/* ---- host, empty, child ---------------------------------------------------------------------- */

static cudaError_t said_inside;

static void CUDART_CB calls_cuda(void *unused)
{
    int d;
    (void)unused;
    said_inside = cudaGetDevice(&d);
    if (said_inside == cudaSuccess)
        said_inside = cudaFree(NULL);
}

SITUATION(host_node, "host node: function NULL; one that calls CUDA: what it is told")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaHostNodeParams h = {NULL, NULL};
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    h.fn = calls_cuda;
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    answer_run(new_exec(g));
    answer(said_inside);
}

SITUATION(child_node_bad, "child graph node: NULL; a graph with alloc nodes; an empty graph: run")
{
    cudaGraph_t g = new_graph(), alloc = new_graph();
    cudaGraphNode_t n;
    void *p;
    add_alloc(alloc, NULL, SMALL, &p);
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, alloc));
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, new_graph()));
    answer_run(new_exec(g));
}

SITUATION(child_node_itself, "child graph node: the graph itself, empty; of one node")
{
    cudaGraph_t g = new_graph(), h = captured_memsets(1);
    cudaGraphNode_t n;
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, g));
    answer_shape(g);
    answer(cudaGraphAddChildGraphNode(&n, h, NULL, 0, h));
    answer_shape(h);
}

SITUATION(child_node_cycle, "child graph node: a graph with a cycle: add; instantiate")
{
    cudaGraph_t g = new_graph(), loop = new_graph();
    cudaGraphNode_t n, a = add_empty(loop, NULL), b = add_empty(loop, a);
    cudaGraphExec_t x;
    add_edge(loop, b, a);
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, loop));
    answer(cudaGraphInstantiate(&x, g, 0));
}

SITUATION(host_node_order,
          "host nodes a, then b and c, then d: order; a lone host node runs once a "
          "launch")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_letter(g, NULL, 'a'), b = add_letter(g, a, 'b');
    cudaGraphNode_t d = add_letter(g, b, 'd');
    add_letter(g, d, 'e');
    answer_run(new_exec(g));
    answer_text("'%s'", log_text());
}

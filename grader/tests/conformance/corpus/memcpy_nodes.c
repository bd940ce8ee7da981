/* memcpy_nodes.c: memcpy nodes. */
#include "../graphs.h"

static cudaError_t add_copy_node(void *to, const void *from, size_t bytes, int kind)
{
    cudaGraphNode_t n;
    return cudaGraphAddMemcpyNode1D(&n, new_graph(), NULL, 0, to, from, bytes,
                                    (enum cudaMemcpyKind)kind);
}

SITUATION("1-D memcpy node pinned to device, as each of the five kinds; 5; -1")
{
    void *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    for (int kind = 0; kind < 5; kind++)
        answer(add_copy_node(p, h, SMALL, kind));
    gives(InvalidMemcpyDirection, add_copy_node(p, h, SMALL, 5));
    gives(InvalidMemcpyDirection, add_copy_node(p, h, SMALL, -1));
}

SITUATION("1-D memcpy node pageable to device, as each of the five kinds; device to pageable; "
          "pageable to pageable",
          "add_copy_node(p, h): Success; Success; InvalidValue; InvalidValue; Success",
          "add_copy_node(h, p): Success; InvalidValue; Success; InvalidValue; Success",
          "add_copy_node(h, i): Success; InvalidValue; InvalidValue; InvalidValue; Success")
{
    void *p = device_bytes(SMALL), *h = pageable_bytes(SMALL), *i = pageable_bytes(SMALL);
    for (int kind = 0; kind < 5; kind++)
        answer(add_copy_node(p, h, SMALL, kind));
    for (int kind = 0; kind < 5; kind++)
        answer(add_copy_node(h, p, SMALL, kind));
    for (int kind = 0; kind < 5; kind++)
        answer(add_copy_node(h, i, SMALL, kind));
}

SITUATION("1-D memcpy node: 0 bytes; 0 bytes of NULL; to NULL; from NULL; past the end of either; "
          "from freed memory; onto itself")
{
    char *p = device_bytes(SMALL), *h = pinned_bytes(SMALL), *gone = device_bytes(SMALL);
    MUST(cudaFree(gone));
    gives(InvalidValue, add_copy_node(p, h, 0, cudaMemcpyDefault));
    gives(InvalidValue, add_copy_node(NULL, NULL, 0, cudaMemcpyDefault));
    gives(InvalidValue, add_copy_node(NULL, h, SMALL, cudaMemcpyDefault));
    gives(InvalidValue, add_copy_node(p, NULL, SMALL, cudaMemcpyDefault));
    gives(InvalidValue, add_copy_node(p, h, SMALL + 1, cudaMemcpyDefault));
    gives(InvalidValue, add_copy_node(p, pinned_bytes(4096), SMALL + 1, cudaMemcpyDefault));
    gives(InvalidValue, add_copy_node(h, gone, SMALL, cudaMemcpyDeviceToHost));
    answer(add_copy_node(p, p, SMALL, cudaMemcpyDeviceToDevice));
}

static cudaError_t add_3d_copy_node(struct cudaMemcpy3DParms *c)
{
    cudaGraphNode_t n;
    return cudaGraphAddMemcpyNode(&n, new_graph(), NULL, 0, c);
}

SITUATION("3-D memcpy node: width 0; height 0; width > pitch; kind 99; NULL pointers; past the "
          "end; all zero")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    struct cudaMemcpy3DParms good = copy_3d_params(pitched(p, 64, 64, 8), pitched(h, 64, 64, 8),
                                                   extent(8, 2, 2), cudaMemcpyHostToDevice);
    struct cudaMemcpy3DParms c = good;
    answer(add_3d_copy_node(&c));
    c.extent = extent(0, 2, 2);
    gives(InvalidValue, add_3d_copy_node(&c));
    c.extent = extent(8, 0, 2);
    gives(InvalidValue, add_3d_copy_node(&c));
    c.extent = extent(65, 2, 2);
    gives(InvalidPitchValue, add_3d_copy_node(&c));
    c = good;
    c.kind = (enum cudaMemcpyKind)99;
    gives(InvalidMemcpyDirection, add_3d_copy_node(&c));
    c = good;
    c.dstPtr.ptr = NULL;
    gives(InvalidValue, add_3d_copy_node(&c));
    c = good;
    c.srcPtr.ptr = NULL;
    gives(InvalidValue, add_3d_copy_node(&c));
    c = good;
    c.extent = extent(64, 8, 9);
    gives(InvalidValue, add_3d_copy_node(&c));
    memset(&c, 0, sizeof c);
    gives(InvalidValue, add_3d_copy_node(&c));
}

SITUATION("memcpy nodes to the device, inside it, to the host, in a chain; a 3-D node of 2 x 2 "
          "bytes with positions: what arrives")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    unsigned char *a = device_bytes(256), *b = device_bytes(256);
    unsigned char *h = pinned_bytes(256), *i = pinned_bytes(256);
    for (int k = 0; k < 256; k++)
        h[k] = (unsigned char)k;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, a, h, 256, cudaMemcpyHostToDevice));
    struct cudaMemcpy3DParms c = copy_3d_params(pitched(b, 16, 16, 16), pitched(a, 16, 16, 16),
                                                extent(2, 2, 1), cudaMemcpyDeviceToDevice);
    c.dstPos.x = 1;
    c.srcPos.x = 3;
    c.srcPos.y = 2;
    MUST(cudaGraphAddMemcpyNode(&n, g, &n, 1, &c));
    MUST(cudaGraphAddMemcpyNode1D(&n, g, &n, 1, i, b, 256, cudaMemcpyDeviceToHost));
    answer_run(new_exec(g));
    fact("elements 0 to 3", "0 35 36 0", "%d %d %d %d", i[0], i[1], i[2], i[3]);
    fact("elements 16 to 19", "0 51 52 0", "%d %d %d %d", i[16], i[17], i[18], i[19]);
}

static void answer_copy(cudaGraphNode_t n, const void *to, const void *from)
{
    struct cudaMemcpy3DParms c = {0};
    cudaError_t e = cudaGraphMemcpyNodeGetParams(n, &c);
    answer_error(NULL, "cudaGraphMemcpyNodeGetParams", e);
    if (e != cudaSuccess)
        return;
    answer_fact("destination", "to %s %zu %zu %zu at %zu %zu",
                c.dstPtr.ptr == to ? "same" : "other", c.dstPtr.pitch, c.dstPtr.xsize,
                c.dstPtr.ysize, c.dstPos.x, c.dstPos.y);
    answer_fact("source", "from %s %zu %zu %zu at %zu %zu", c.srcPtr.ptr == from ? "same" : "other",
                c.srcPtr.pitch, c.srcPtr.xsize, c.srcPtr.ysize, c.srcPos.x, c.srcPos.y);
    answer_fact("copy", "extent %zu %zu %zu kind %d", c.extent.width, c.extent.height,
                c.extent.depth, (int)c.kind);
}

SITUATION("memcpy nodes pinned to device given as DeviceToHost; device to device as HostToDevice; "
          "pinned to pinned as Default: kind read back; 3-D with positions; captured copies 1-D "
          "and 2-D: read back",
          "destination: to same 0 0 0 at 0 0; to same 0 0 0 at 0 0; to same 0 0 0 at 0 0; to same "
          "64 0 8 at 4 1; to same 0 0 0 at 0 0; to same 32 0 0 at 0 0",
          "source: from same 0 0 0 at 0 0; from same 0 0 0 at 0 0; from same 0 0 0 at 0 0; from "
          "same 32 0 4 at 2 0; from same 0 0 0 at 0 0; from same 64 0 0 at 0 0",
          "copy: extent 64 1 1 kind 2; extent 64 1 1 kind 1; extent 64 1 1 kind 4; extent 8 2 2 "
          "kind 1; extent 200 1 1 kind 1; extent 8 3 1 kind 2")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 64, cudaMemcpyDeviceToHost));
    answer_copy(n, p, h);
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, p + 64, 64, cudaMemcpyHostToDevice));
    answer_copy(n, p, p + 64);
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, h, h + 64, 64, cudaMemcpyDefault));
    answer_copy(n, h, h + 64);
    struct cudaMemcpy3DParms c = copy_3d_params(pitched(p, 64, 60, 8), pitched(h, 32, 30, 4),
                                                extent(8, 2, 2), cudaMemcpyHostToDevice);
    c.dstPos.x = 4;
    c.dstPos.y = 1;
    c.srcPos.x = 2;
    MUST(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &c));
    answer_copy(n, p, h);
    cudaStream_t s = nonblocking_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMemcpyAsync(p, h, 200, cudaMemcpyHostToDevice, s));
    MUST(cudaMemcpy2DAsync(h, 32, p, 64, 8, 3, cudaMemcpyDeviceToHost, s));
    g = captured("2 nodes", s);
    answer_copy(nth_node(g, 0), p, h);
    answer_copy(nth_node(g, 1), h, p);
}

SITUATION("memcpy node: set another size and destination; another direction; 3-D; 0 bytes; past "
          "the end; what is kept",
          "destination: to same 0 0 0 at 0 0; to same 16 0 2 at 0 0",
          "source: from same 0 0 0 at 0 0; from same 16 0 2 at 0 0",
          "copy: extent 32 1 1 kind 2; extent 8 2 2 kind 1")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(256), *q = device_bytes(256), *h = pinned_bytes(256);
    cudaGraphNode_t n = add_copy(g, NULL, p, h);
    answer(cudaGraphMemcpyNodeSetParams1D(n, q, h, 32, cudaMemcpyHostToDevice));
    answer(cudaGraphMemcpyNodeSetParams1D(n, h, q, 32, cudaMemcpyDeviceToHost));
    answer_copy(n, h, q);
    struct cudaMemcpy3DParms c = copy_3d_params(pitched(p, 16, 16, 2), pitched(h, 16, 16, 2),
                                                extent(8, 2, 2), cudaMemcpyHostToDevice);
    answer(cudaGraphMemcpyNodeSetParams(n, &c));
    gives(InvalidValue, cudaGraphMemcpyNodeSetParams1D(n, p, h, 0, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaGraphMemcpyNodeSetParams1D(n, p, h, 257, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaGraphMemcpyNodeSetParams(n, NULL));
    answer_copy(n, p, h);
}

SITUATION("a memcpy node of 8 x 2 x 1: set to 4 x 2; exec set to 4 x 2; exec set back to 8 x 2; "
          "exec set to 1-D of the same bytes; values")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(256), *h = pinned_bytes(256);
    cudaGraphNode_t n;
    memset(h, 5, 256);
    struct cudaMemcpy3DParms c = copy_3d_params(pitched(p, 32, 32, 2), pitched(h, 16, 16, 2),
                                                extent(8, 2, 1), cudaMemcpyHostToDevice);
    answer(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &c));
    c.extent.width = 4;
    answer(cudaGraphMemcpyNodeSetParams(n, &c));
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    shows("5 0 5", "%d %d %d", device_byte(p + 3), device_byte(p + 4), device_byte(p + 32));
    c.extent.width = 8;
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c.extent = extent(8, 1, 1);
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 16, cudaMemcpyHostToDevice));
    answer_run(x);
    shows("0", "%d", device_byte(p + 4));
}

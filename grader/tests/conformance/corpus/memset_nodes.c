/* memset_nodes.c: memset nodes. */
#include "../graphs.h"

SITUATION("memset nodes of element size 1, value 0x01020304, widths 7 at offset 0 and 5 at offset "
          "3; of size 2, width 3 at offset 2: bytes",
          "elements 0 to 9: 4 7 7 7 4 7 7 0 0 0; 0 0 0 4 7 7 7 4 0 0; 0 0 4 3 6 3 4 3 0 0; 0 4 7 7 "
          "0 0 0 0 0 0")
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
        answer_fact("elements 0 to 9", "%d %d %d %d %d %d %d %d %d %d", h[0], h[1], h[2], h[3],
                    h[4], h[5], h[6], h[7], h[8], h[9]);
    }
}

static cudaError_t add_memset_node(struct cudaMemsetParams m)
{
    cudaGraphNode_t n;
    return cudaGraphAddMemsetNode(&n, new_graph(), NULL, 0, &m);
}

SITUATION("memset node: element size 0; 3; 8; width 0; height 0; NULL; past the end; pageable "
          "memory; pinned memory; 2 rows: pitch 0; pitch less than width; exactly to the end; "
          "beyond; one row with pitch 0; with pitch 1")
{
    char *p = device_bytes(SMALL);
    struct cudaMemsetParams good = memset_params(p, 1, SMALL), m = good;
    m.elementSize = 0;
    gives(InvalidValue, add_memset_node(m));
    m.elementSize = 3;
    gives(InvalidValue, add_memset_node(m));
    m.elementSize = 8;
    gives(InvalidValue, add_memset_node(m));
    m = good;
    m.width = 0;
    gives(InvalidValue, add_memset_node(m));
    m = good;
    m.height = 0;
    gives(InvalidValue, add_memset_node(m));
    gives(InvalidValue, add_memset_node(memset_params(NULL, 1, SMALL)));
    gives(InvalidValue, add_memset_node(memset_params(p, 1, SMALL + 1)));
    gives(InvalidValue, add_memset_node(memset_params(pageable_bytes(SMALL), 1, SMALL)));
    answer(add_memset_node(memset_params(pinned_bytes(SMALL), 1, SMALL)));
    m = (struct cudaMemsetParams){
        .dst = device_bytes(128), .elementSize = 1, .width = 32, .height = 2, .pitch = 0};
    gives(InvalidValue, add_memset_node(m));
    m.pitch = 16;
    gives(InvalidValue, add_memset_node(m));
    m.pitch = 96;
    answer(add_memset_node(m));
    m.pitch = 97;
    gives(InvalidValue, add_memset_node(m));
    m.height = 1;
    m.pitch = 0;
    answer(add_memset_node(m));
    m.pitch = 1;
    answer(add_memset_node(m));
}

SITUATION("memset node of element size 2 and 4: value 0x01020304; misaligned destination; value "
          "0x1ff of size 1: add; bytes after a run",
          "bytes 0 to 3: 4 7 0 0; 4 3 6 3; 4 3 2 1")
{
    unsigned char *p = device_bytes(SMALL), h[8];
    static const unsigned sizes[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n;
        struct cudaMemsetParams m = {
            .dst = p, .elementSize = sizes[i], .value = 0x01020304, .width = 2, .height = 1};
        cudaError_t e = cudaGraphAddMemsetNode(&n, g, NULL, 0, &m);
        answer_error(NULL, "cudaGraphAddMemsetNode", e);
        if (e != cudaSuccess)
            continue;
        answer_run(new_exec(g));
        MUST(cudaMemcpy(h, p, 8, cudaMemcpyDeviceToHost));
        answer_fact("bytes 0 to 3", "%d %d %d %d", h[0], h[1], h[2], h[3]);
    }
    struct cudaMemsetParams odd = {
        .dst = p + 1, .elementSize = 4, .value = 1, .width = 2, .height = 1};
    gives(InvalidValue, add_memset_node(odd));
    odd.elementSize = 2;
    gives(InvalidValue, add_memset_node(odd));
    answer(add_memset_node(memset_params(p, 0x1ff, SMALL)));
}

static void answer_memset(cudaGraphNode_t n, const void *p)
{
    struct cudaMemsetParams m;
    memset(&m, 0, sizeof m);
    cudaError_t e = cudaGraphMemsetNodeGetParams(n, &m);
    answer_error(NULL, "cudaGraphMemsetNodeGetParams", e);
    if (e == cudaSuccess)
        answer_fact("memset node", "%s pitch %zu value %u size %u %zu x %zu",
                    m.dst == p ? "same" : "other", m.pitch, m.value, m.elementSize, m.width,
                    m.height);
}

SITUATION("captured memsets: 64 bytes; 61 bytes; value 0x1ff; 2-D; 3-D: read back",
          "memset node: same pitch 0 value 5 size 1 64 x 1; other pitch 0 value 5 size 1 61 x 1; "
          "same pitch 0 value 255 size 1 64 x 1; same pitch 64 value 5 size 1 8 x 3; same pitch 64 "
          "value 5 size 1 8 x 2; other pitch 64 value 5 size 1 8 x 2")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(4096);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMemsetAsync(p, 5, 64, s));
    MUST(cudaMemsetAsync(p + 1, 5, 61, s));
    MUST(cudaMemsetAsync(p, 0x1ff, 64, s));
    MUST(cudaMemset2DAsync(p, 64, 5, 8, 3, s));
    MUST(cudaMemset3DAsync(pitched(p, 64, 64, 4), 5, extent(8, 2, 2), s));
    cudaGraph_t g = captured("6 nodes", s);
    for (size_t i = 0; i < node_count(g); i++)
        answer_memset(nth_node(g, i), p);
}

SITUATION("memset node: set another value and width; 2-D; elements of 4; width 0; past the end; "
          "NULL; what is kept",
          "memset node: same pitch 64 value 0 size 4 4 x 2")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(256);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    struct cudaMemsetParams m = memset_params(p, 2, 32);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    m = (struct cudaMemsetParams){.dst = p, .elementSize = 4, .width = 4, .height = 2, .pitch = 64};
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    m.width = 0;
    gives(InvalidValue, cudaGraphMemsetNodeSetParams(n, &m));
    m = memset_params(p, 2, 257);
    gives(InvalidValue, cudaGraphMemsetNodeSetParams(n, &m));
    gives(InvalidValue, cudaGraphMemsetNodeSetParams(n, NULL));
    answer_memset(n, p);
}

SITUATION("memset nodes of element size 2 and 4: the bytes they leave; misaligned destination of "
          "element size 4")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    char *p = device_bytes(256);
    struct cudaMemsetParams m = {
        .dst = p, .value = 0x1234, .elementSize = 2, .width = 3, .height = 1};
    answer(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    m = (struct cudaMemsetParams){
        .dst = p + 64, .value = 0x01020304, .elementSize = 4, .width = 2, .height = 2, .pitch = 16};
    answer(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    m.dst = p + 130;
    gives(InvalidValue, cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    answer_run(new_exec(g));
    shows("0x12341234 0x1234 0x1020304", "%#x %#x %#x", device_int(p), device_int(p + 4),
          device_int(p + 84));
}

SITUATION("parameters read back of memset nodes: 1-D of element size 1, with a pitch given; 2-D; "
          "of a value too wide for its element",
          "value, size, extent, pitch: 0x3 1 8x1 77; 0x1234 1 8x2 16; 0x12345678 2 8x1 0")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(256);
    cudaGraphNode_t n;
    struct cudaMemsetParams list[] =
        {{.dst = p, .value = 3, .elementSize = 1, .width = 8, .height = 1, .pitch = 77},
         {.dst = p, .value = 0x1234, .elementSize = 1, .width = 8, .height = 2, .pitch = 16},
         {.dst = p, .value = 0x12345678, .elementSize = 2, .width = 8, .height = 1}},
                            m;
    for (int i = 0; i < 3; i++) {
        answer(cudaGraphAddMemsetNode(&n, g, NULL, 0, &list[i]));
        memset(&m, 0, sizeof m);
        answer(cudaGraphMemsetNodeGetParams(n, &m));
        answer_fact("value, size, extent, pitch", "%#x %u %zux%zu %zu", m.value, m.elementSize,
                    m.width, m.height, m.pitch);
    }
}

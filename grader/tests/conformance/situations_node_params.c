/*
 * situations_node_params.c: parameters of nodes, set and got back.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

SITUATION(copy_3d_node, "a memcpy node of 8 x 2 x 1: set to 4 x 2; exec set to 4 x 2; exec set "
                        "back to 8 x 2; exec set to 1-D of the same bytes; values")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(256), *h = pinned_bytes(256);
    cudaGraphNode_t n;
    memset(h, 5, 256);
    struct cudaMemcpy3DParms c = {.dstPtr = pitched(p, 32, 32, 2),
                                  .srcPtr = pitched(h, 16, 16, 2),
                                  .extent = extent(8, 2, 1),
                                  .kind = cudaMemcpyHostToDevice};
    answer(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &c));
    c.extent.width = 4;
    answer(cudaGraphMemcpyNodeSetParams(n, &c));
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_text("%d %d %d", device_byte(p + 3), device_byte(p + 4), device_byte(p + 32));
    c.extent.width = 8;
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c.extent = extent(8, 1, 1);
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 16, cudaMemcpyHostToDevice));
    answer_run(x);
    answer_text("%d", device_byte(p + 4));
}

SITUATION(copy_get_params, "parameters got back of a 1-D memcpy node: kind, extent, pitches, "
                           "positions; of a 3-D one with positions; kind Default")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(256), *h = pinned_bytes(256);
    cudaGraphNode_t n;
    struct cudaMemcpy3DParms c;
    n = add_copy(g, NULL, p, h);
    answer(cudaGraphMemcpyNodeGetParams(n, &c));
    answer_text("%d, %zu %zu %zu, %zu %zu %zu, %zu %zu %zu", (int)c.kind, c.extent.width,
                c.extent.height, c.extent.depth, c.srcPtr.pitch, c.srcPtr.xsize, c.srcPtr.ysize,
                c.dstPtr.pitch, c.dstPtr.xsize, c.dstPtr.ysize);
    c = (struct cudaMemcpy3DParms){.dstPtr = pitched(p, 32, 32, 2),
                                   .srcPtr = pitched(h, 16, 16, 2),
                                   .srcPos = {1, 0, 0},
                                   .dstPos = {2, 1, 0},
                                   .extent = extent(8, 1, 1),
                                   .kind = cudaMemcpyHostToDevice};
    answer(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &c));
    memset(&c, 0, sizeof c);
    answer(cudaGraphMemcpyNodeGetParams(n, &c));
    answer_text("%d, %zu %zu, %zu %zu, %s", (int)c.kind, c.srcPos.x, c.srcPos.y, c.dstPos.x,
                c.dstPos.y, c.dstPtr.ptr == p ? "base" : "moved");
}

SITUATION(memset_get_params, "parameters got back of memset nodes: 1-D of element size 1, with a "
                             "pitch given; 2-D; of a value too wide for its element")
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
        answer_text("%#x %u %zux%zu %zu", m.value, m.elementSize, m.width, m.height, m.pitch);
    }
}

SITUATION(set_params_kinds,
          "set parameters of the wrong kind: a kernel's on a memset, a memset's on a kernel, a "
          "host's on an empty, an event's on a host, 1-D copy's on a child; of NULL")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t k = add_store(g, NULL, p, 1), m = add_memset(g, NULL, p, 1),
                    e = add_empty(g, NULL), h = add_letter(g, NULL, 'a'),
                    c = add_child(g, NULL, captured_memsets(1));
    struct cudaKernelNodeParams kp = store_params(p, 2);
    struct cudaMemsetParams mp = memset_params(p, 1, 8);
    struct cudaHostNodeParams hp = letter_params('b');
    answer(cudaGraphKernelNodeSetParams(m, &kp));
    answer(cudaGraphMemsetNodeSetParams(k, &mp));
    answer(cudaGraphHostNodeSetParams(e, &hp));
    answer(cudaGraphEventRecordNodeSetEvent(h, new_event(0)));
    answer(cudaGraphMemcpyNodeSetParams1D(c, p, p + 8, 8, cudaMemcpyDefault));
    answer(cudaGraphKernelNodeSetParams(NULL, &kp));
    answer(cudaGraphKernelNodeSetParams(k, NULL));
}

SITUATION(symbol_nodes,
          "cudaGraphAddMemcpyNodeToSymbol past the end; good with an offset; FromSymbol back; kind "
          "DeviceToHost to a symbol; exec set to another offset; value")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n, m;
    int *h = pinned_bytes(64), *back = pinned_bytes(64);
    h[0] = 41;
    h[1] = 42;
    answer(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, situation_numbers(), h, 8, 60,
                                          cudaMemcpyHostToDevice));
    answer(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, situation_numbers(), h, 8, 8,
                                          cudaMemcpyDeviceToHost));
    answer(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, situation_numbers(), h, 8, 8,
                                          cudaMemcpyHostToDevice));
    answer(cudaGraphAddMemcpyNodeFromSymbol(&m, g, &n, 1, back, situation_numbers(), 4, 12,
                                            cudaMemcpyDeviceToHost));
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_text("%d", back[0]);
    answer(cudaGraphExecMemcpyNodeSetParamsFromSymbol(x, m, back, situation_numbers(), 4, 8,
                                                      cudaMemcpyDeviceToHost));
    answer_run(x);
    answer_text("%d", back[0]);
}

SITUATION(child_launched, "a child graph's exec and its parent's: change the child after adding; "
                          "instantiate the child alone: values")
{
    cudaGraph_t g = new_graph(), c = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(c, NULL, p, 1);
    add_child(g, NULL, c);
    struct cudaKernelNodeParams k = store_params(p, 2);
    MUST(cudaGraphKernelNodeSetParams(n, &k));
    cudaGraphExec_t x = new_exec(g), y = new_exec(c);
    answer_run(y);
    answer_text("%d", device_int(p));
    answer_run(x);
    answer_text("%d", device_int(p));
    answer(cudaGraphDestroy(c));
    answer_run(x);
}

SITUATION(node_of_child_edges, "an edge between a node of a graph and one inside its child; an "
                               "edge inside the child by its own graph; by the parent")
{
    cudaGraph_t g = new_graph(), inner;
    cudaGraphNode_t e = add_empty(g, NULL), c = add_child(g, NULL, captured_memsets(2)), a, b;
    MUST(cudaGraphChildGraphNodeGetGraph(c, &inner));
    a = nth_node(inner, 0);
    b = add_empty(inner, NULL);
    answer(cudaGraphAddDependencies(g, &e, &a, NULL, 1));
    answer(cudaGraphAddDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphAddDependencies(inner, &a, &b, NULL, 1));
    answer_shape(inner);
}

SITUATION(add_deps_self, "cudaGraphAddDependencies: NULL from node; NULL to node; from of another "
                         "graph; NULL arrays of 1; edge data of NULL with 1")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, NULL), none = NULL,
                    other = add_empty(new_graph(), NULL);
    answer(cudaGraphAddDependencies(g, &none, &b, NULL, 1));
    answer(cudaGraphAddDependencies(g, &a, &none, NULL, 1));
    answer(cudaGraphAddDependencies(g, &other, &b, NULL, 1));
    answer(cudaGraphAddDependencies(g, NULL, NULL, NULL, 1));
    answer(cudaGraphAddDependencies(g, &a, &b, NULL, 1));
    answer_shape(g);
}

SITUATION(update_name, "cudaGraphExecUpdate: two nodes of one kind exchanged in the order of "
                       "adding; roots in another order: values")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    int *p = device_bytes(64), *q = device_bytes(64);
    add_store(g, NULL, p, 1);
    add_memset(g, NULL, q, 2);
    add_memset(h, NULL, q, 4);
    add_store(h, NULL, p, 3);
    cudaGraphExec_t x = new_exec(g);
    cudaGraphExecUpdateResultInfo info;
    cudaError_t e = cudaGraphExecUpdate(x, h, &info);
    answer_text("%s %d %s %s", error_text(e), (int)info.result, place_text(h, info.errorNode),
                place_text(h, info.errorFromNode));
    answer_run(x);
    answer_text("%d %d", device_int(p), device_byte(q));
}

SITUATION(user_object_exec, "a user object held by a graph alone: the exec made of it, the graph "
                            "destroyed, the exec destroyed: the destructor's letter after each")
{
    cudaGraph_t g = captured_memsets(1);
    cudaUserObject_t o;
    MUST(cudaUserObjectCreate(&o, (void *)'u', write_letter, 1, cudaUserObjectNoDestructorSync));
    answer(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphDestroy(g));
    answer_text("'%s'", log_text());
    answer_run(x);
    answer(cudaGraphExecDestroy(x));
    answer(cudaDeviceSynchronize());
    for (int i = 0; i < 100 && !log_text()[0]; i++)
        MUST(cudaStreamSynchronize(new_stream(0)));
    answer_text("'%s'", log_text());
}

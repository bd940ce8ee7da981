/*
 * situations_exec_changes.c: updates of an exec, and parameters of its nodes.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

static int update(cudaGraphExec_t x, cudaGraph_t g, cudaGraph_t of)
{
    cudaGraphExecUpdateResultInfo i;
    memset(&i, 0, sizeof i);
    cudaError_t e = cudaGraphExecUpdate(x, g, &i);
    answer_text("%s %d %s %s", error_text(e), (int)i.result, place_text(of, i.errorNode),
                place_text(of, i.errorFromNode));
    return e == cudaSuccess;
}

SITUATION(update_function, "update to a kernel of another function with the same parameters; with "
                           "other parameters; runs; values")
{
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n;
    add_store(g, NULL, p, 4);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 10);
    k.func = (void *)(uintptr_t)situation_plus();
    MUST(cudaGraphAddKernelNode(&n, h, NULL, 0, &k));
    update(x, h, h);
    answer_run(x);
    answer_text("%d", device_int(p));
    k = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)situation_nothing(),
                                      .gridDim = {1, 1, 1},
                                      .blockDim = {1, 1, 1}};
    MUST(cudaGraphAddKernelNode(&n, i, NULL, 0, &k));
    update(x, i, i);
}

SITUATION(update_dims, "update to another grid, block and shared memory; to a kernel with a "
                       "priority; to a cooperative one")
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
    update(x, h, h);
    cudaLaunchAttributeValue v = {.priority = -3};
    MUST(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePriority, &v));
    update(x, h, h);
    v.cooperative = 1;
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
    update(x, h, h);
}

SITUATION(update_topology, "update with an edge more; with an edge less; with the edge the other "
                           "way round; with a node more; a node less: result and nodes")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(64);
    cudaGraphNode_t a = add_memset(g, NULL, p, 1);
    add_memset(g, a, p, 2);
    cudaGraphExec_t x = new_exec(g);
    for (int kind = 0; kind < 4; kind++) {
        cudaGraph_t h = new_graph();
        cudaGraphNode_t b = add_memset(h, NULL, p, 3),
                        c = kind == 3 ? NULL : add_memset(h, NULL, p, 4);
        if (kind == 1)
            add_edge(h, c, b);
        else if (kind == 2)
            add_memset(h, b, p, 5);
        update(x, h, h);
    }
}

SITUATION(update_types, "update of a memset to a memcpy; to an empty node; of a chain of memset "
                        "and copy to copy and memset")
{
    char *p = device_bytes(64), *q = pinned_bytes(64);
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph();
    add_copy(g, add_memset(g, NULL, p, 1), p, q);
    add_memset(h, add_copy(h, NULL, p, q), p, 1);
    add_copy(i, add_empty(i, NULL), p, q);
    cudaGraphExec_t x = new_exec(g);
    update(x, h, h);
    update(x, i, i);
    answer_run(x);
}

SITUATION(update_events, "update to a record node of another event; to a wait node; to a host node "
                         "of another function; to other user data")
{
    cudaEvent_t e = new_event(0), f = new_event(0);
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph(), j = new_graph(), k = new_graph();
    add_record(g, NULL, e);
    add_record(h, NULL, f);
    add_wait(i, NULL, f);
    cudaGraphExec_t x = new_exec(g);
    update(x, h, h);
    update(x, i, i);
    add_letter(j, NULL, 'j');
    add_letter(k, NULL, 'k');
    cudaGraphExec_t y = new_exec(j);
    update(y, k, k);
    answer_run(y);
    answer_text("'%s'", log_text());
}

SITUATION(update_child, "update of a child graph: other values; a child with a node more")
{
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph(), c = new_graph(), d = new_graph(),
                e = new_graph();
    int *p = device_bytes(64);
    add_store(c, NULL, p, 1);
    add_store(d, NULL, p, 2);
    add_store(e, add_store(e, NULL, p, 3), p, 4);
    add_child(g, NULL, c);
    add_child(h, NULL, d);
    add_child(i, NULL, e);
    cudaGraphExec_t x = new_exec(g);
    update(x, h, h);
    answer_run(x);
    answer_text("%d", device_int(p));
    update(x, i, i);
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(update_alloc, "update of a graph with an allocation to itself; from a graph without one; "
                        "cudaGraphExecUpdate with NULL graph, NULL exec, NULL info")
{
    cudaGraph_t g = new_graph();
    void *p;
    cudaGraphNode_t a = add_alloc(g, NULL, 64, &p);
    add_free(g, a, p);
    cudaGraphExec_t x = new_exec(g);
    cudaGraphExecUpdateResultInfo info;
    update(x, g, g);
    answer(cudaGraphExecUpdate(x, NULL, &info));
    answer(cudaGraphExecUpdate(NULL, g, &info));
    answer_run(x);
}

SITUATION(update_disabled, "a disabled node after an update: still disabled? runs, value")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    add_store(h, NULL, p, 2);
    cudaGraphExec_t x = new_exec(g);
    unsigned on = 7;
    answer(cudaGraphNodeSetEnabled(x, n, 0));
    update(x, h, h);
    answer(cudaGraphNodeGetEnabled(x, n, &on));
    answer_text("%u", on);
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(update_then_nodes, "after an update from another graph: set parameters by the first "
                             "graph's node; by the second's; values")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1), m = add_store(h, NULL, p, 2);
    cudaGraphExec_t x = new_exec(g);
    update(x, h, h);
    struct cudaKernelNodeParams k = store_params(p, 3);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
    k = store_params(p, 4);
    answer(cudaGraphExecKernelNodeSetParams(x, m, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(
    exec_memset,
    "exec memset: other value; other destination; other width; 2-D; element size 2; NULL; values")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(256), *q = device_bytes(256);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(q, 2, 32);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    answer_run(x);
    answer_text("%d %d %d %d", device_byte(p), device_byte(q), device_byte(q + 31),
                device_byte(q + 32));
    m = (struct cudaMemsetParams){
        .dst = q, .value = 0x707, .elementSize = 2, .width = 16, .height = 1};
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m = (struct cudaMemsetParams){
        .dst = q, .value = 7, .elementSize = 1, .width = 16, .height = 2, .pitch = 32};
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m = memset_params(NULL, 2, 32);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    m = memset_params(q, 2, 0);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    answer_run(x);
}

SITUATION(exec_copy, "exec copy 1-D: other source; other size; other direction; 0 bytes; pageable "
                     "source instead of pinned; values")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(64), *a = pinned_bytes(64), *b = pinned_bytes(64),
         *c = pageable_bytes(64);
    memset(a, 1, 64);
    memset(b, 2, 64);
    memset(c, 3, 64);
    cudaGraphNode_t n = add_copy(g, NULL, p, a);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, b, 32, cudaMemcpyHostToDevice));
    answer_run(x);
    answer_text("%d %d", device_byte(p), device_byte(p + 32));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, a, p, 32, cudaMemcpyDeviceToHost));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, b, 0, cudaMemcpyHostToDevice));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, c, 64, cudaMemcpyHostToDevice));
    answer_run(x);
    answer_text("%d", device_byte(p));
}

SITUATION(exec_wrong_kind, "exec set parameters of a memset node as kernel, as host, as 1-D copy, "
                           "as child, as record; of a node of another graph; NULL parameters")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1), k1 = add_store(g, NULL, p, 1),
                    other = add_store(new_graph(), NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 1);
    struct cudaHostNodeParams h = letter_params('a');
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer(cudaGraphExecHostNodeSetParams(x, n, &h));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, p, 8, cudaMemcpyDefault));
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, captured_memsets(1)));
    answer(cudaGraphExecEventRecordNodeSetEvent(x, n, new_event(0)));
    answer(cudaGraphExecKernelNodeSetParams(x, other, &k));
    answer(cudaGraphExecKernelNodeSetParams(x, NULL, &k));
    answer(cudaGraphExecKernelNodeSetParams(NULL, k1, &k));
}

SITUATION(exec_events, "exec event record set to another event: which is done after the launch; to "
                       "NULL; a host node's data changed: log")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaEvent_t e = new_event(0), f = new_event(0);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t r = add_record(g, NULL, e), h = add_letter(g, r, 'a');
    cudaGraphExec_t x = new_exec(g);
    struct cudaHostNodeParams z = letter_params('z');
    float ms;
    answer(cudaGraphExecEventRecordNodeSetEvent(x, r, f));
    answer(cudaGraphExecHostNodeSetParams(x, h, &z));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaEventElapsedTime(&ms, f, f));
    answer(cudaEventElapsedTime(&ms, e, e));
    answer_text("'%s'", log_text());
    answer(cudaGraphExecEventRecordNodeSetEvent(x, r, NULL));
}

SITUATION(exec_child, "exec child set to a graph with other values; with another number of nodes; "
                      "to an empty graph; NULL; value")
{
    cudaGraph_t g = new_graph(), c = new_graph(), d = new_graph();
    int *p = device_bytes(64);
    add_store(c, NULL, p, 1);
    add_store(d, NULL, p, 2);
    cudaGraphNode_t n = add_child(g, NULL, c);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, d));
    answer_run(x);
    answer_text("%d", device_int(p));
    add_store(d, NULL, p + 1, 2);
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, d));
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, new_graph()));
    answer(cudaGraphExecChildGraphNodeSetParams(x, n, NULL));
}

SITUATION(exec_generic, "cudaGraphExecNodeSetParams of a kernel; of a memset node with kernel "
                        "type; of an empty node; with reserved set")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(256), value = 31;
    void *args[] = {&p, &value};
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_memset(g, a, p + 8, 1),
                    c = add_empty(g, NULL);
    cudaGraphExec_t x = new_exec(g);
    struct cudaGraphNodeParams q = {.type = cudaGraphNodeTypeKernel};
    q.kernel = (struct cudaKernelNodeParamsV2){.func = (void *)(uintptr_t)situation_store(),
                                               .gridDim = {1, 1, 1},
                                               .blockDim = {1, 1, 1},
                                               .kernelParams = args};
    answer(cudaGraphExecNodeSetParams(x, a, &q));
    answer(cudaGraphExecNodeSetParams(x, b, &q));
    answer_run(x);
    answer_text("%d", device_int(p));
    q.reserved1[0] = 1;
    answer(cudaGraphExecNodeSetParams(x, a, &q));
    q = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeEmpty};
    answer(cudaGraphExecNodeSetParams(x, c, &q));
}

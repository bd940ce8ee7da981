/*
 * situations_node_calls.c: nodes of each kind: bad parameters, parameters of another kind, clones,
 * children, memory nodes.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

SITUATION(get_wrong_kind, "on an empty node: get parameters of kernel, memcpy, memset, host, "
                          "child, record, wait, alloc, free")
{
    cudaGraphNode_t n = add_empty(new_graph(), NULL);
    union {
        struct cudaKernelNodeParams k;
        struct cudaMemcpy3DParms c;
        struct cudaMemsetParams m;
        struct cudaHostNodeParams h;
        struct cudaMemAllocNodeParams a;
        cudaGraph_t g;
        cudaEvent_t e;
        void *p;
    } u;
    answer(cudaGraphKernelNodeGetParams(n, &u.k));
    answer(cudaGraphMemcpyNodeGetParams(n, &u.c));
    answer(cudaGraphMemsetNodeGetParams(n, &u.m));
    answer(cudaGraphHostNodeGetParams(n, &u.h));
    answer(cudaGraphChildGraphNodeGetGraph(n, &u.g));
    answer(cudaGraphEventRecordNodeGetEvent(n, &u.e));
    answer(cudaGraphEventWaitNodeGetEvent(n, &u.e));
    answer(cudaGraphMemAllocNodeGetParams(n, &u.a));
    answer(cudaGraphMemFreeNodeGetParams(n, &u.p));
}

SITUATION(record_as_wait, "an event record node asked as a wait node; a wait node set as a record "
                          "node; the event got back; set to another and got")
{
    cudaEvent_t e = new_event(0), f = new_event(0), got = NULL;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t r = add_record(g, NULL, e), w = add_wait(g, NULL, e);
    answer(cudaGraphEventWaitNodeGetEvent(r, &got));
    answer(cudaGraphEventRecordNodeSetEvent(w, f));
    answer(cudaGraphEventRecordNodeGetEvent(r, &got));
    answer_text("%s", got == e ? "same" : "other");
    answer(cudaGraphEventRecordNodeSetEvent(r, f));
    answer(cudaGraphEventRecordNodeGetEvent(r, &got));
    answer_text("%s", got == f ? "same" : "other");
}

SITUATION(kernel_node_bad, "cudaGraphAddKernelNode: NULL parameters; NULL function; grid of 0; "
                           "block of 2048; 300 KB shared; NULL kernelParams; count after")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    int *p = device_bytes(64);
    struct cudaKernelNodeParams k = store_params(p, 1);
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, NULL));
    k.func = NULL;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k = store_params(p, 1);
    k.gridDim.y = 0;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k = store_params(p, 1);
    k.blockDim.x = 2048;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k = store_params(p, 1);
    k.sharedMemBytes = 300 << 10;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k = store_params(p, 1);
    k.kernelParams = NULL;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    answer_text("%zu", node_count(g));
}

SITUATION(memset_node_bad,
          "cudaGraphAddMemsetNode: element size 0, 3, 4 with width 1, 8; pitch below width with "
          "height 2; width 0; height 0; NULL dst; a value too wide")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    char *p = device_bytes(256);
    struct cudaMemsetParams list[] = {
        {.dst = p, .elementSize = 0, .width = 4, .height = 1},
        {.dst = p, .elementSize = 3, .width = 4, .height = 1},
        {.dst = p, .elementSize = 4, .width = 1, .height = 1},
        {.dst = p, .elementSize = 8, .width = 1, .height = 1},
        {.dst = p, .elementSize = 1, .width = 8, .height = 2, .pitch = 4},
        {.dst = p, .elementSize = 1, .width = 0, .height = 1},
        {.dst = p, .elementSize = 1, .width = 8, .height = 0},
        {.dst = NULL, .elementSize = 1, .width = 8, .height = 1},
        {.dst = p, .value = 0x1234, .elementSize = 1, .width = 8, .height = 1},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        answer(cudaGraphAddMemsetNode(&n, g, NULL, 0, &list[i]));
    answer_text("%zu", node_count(g));
}

SITUATION(memset_node_wide, "memset nodes of element size 2 and 4: the bytes they leave; "
                            "misaligned destination of element size 4")
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
    answer(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    answer_run(new_exec(g));
    answer_text("%#x %#x %#x", device_int(p), device_int(p + 4), device_int(p + 84));
}

SITUATION(copy_node_bad, "cudaGraphAddMemcpyNode1D: NULL dst; 0 bytes; kind 9; past the end; wrong "
                         "direction for pinned; for pageable; count after")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    char *p = device_bytes(64), *h = pinned_bytes(64), *q = pageable_bytes(64);
    answer(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, NULL, h, 64, cudaMemcpyHostToDevice));
    answer(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 0, cudaMemcpyHostToDevice));
    answer(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 64, (enum cudaMemcpyKind)9));
    answer(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 3ull << 30, cudaMemcpyHostToDevice));
    answer(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 64, cudaMemcpyDeviceToHost));
    answer(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, q, 64, cudaMemcpyDeviceToHost));
    answer(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, q, 64, cudaMemcpyDeviceToDevice));
    answer_text("%zu", node_count(g));
}

SITUATION(host_node_bad, "cudaGraphAddHostNode with NULL parameters; with a NULL function; user "
                         "data got back; set and got")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaHostNodeParams h = {0};
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    n = add_letter(g, NULL, 'k');
    answer(cudaGraphHostNodeGetParams(n, &h));
    answer_text("%c", (int)(intptr_t)h.userData);
    h.userData = (void *)'m';
    answer(cudaGraphHostNodeSetParams(n, &h));
    answer_run(new_exec(g));
    answer_text("'%s'", log_text());
}

SITUATION(event_node_bad, "cudaGraphAddEventRecordNode with a NULL event; with a disable-timing "
                          "event; cudaGraphAddEventWaitNode with a never recorded event: runs")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    answer(cudaGraphAddEventRecordNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddEventRecordNode(&n, g, NULL, 0, e));
    answer(cudaGraphAddEventWaitNode(&n, g, NULL, 0, new_event(0)));
    answer_run(new_exec(g));
    answer(cudaEventQuery(e));
}

SITUATION(child_bad, "cudaGraphAddChildGraphNode: the graph itself; NULL; an empty graph; a graph "
                     "that has a child; depth two runs")
{
    cudaGraph_t g = new_graph(), c = new_graph(), d = new_graph();
    cudaGraphNode_t n;
    int *p = device_bytes(64);
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, g));
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, new_graph()));
    add_store(d, NULL, p, 8);
    add_child(c, NULL, d);
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, c));
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
}

SITUATION(child_inside, "the graph that a child node holds: a node added to it by "
                        "cudaGraphChildGraphNodeGetGraph; its nodes' type; destroyed; instantiated")
{
    cudaGraph_t g = new_graph(), c = new_graph(), inner = NULL;
    int *p = device_bytes(64);
    add_store(c, NULL, p, 8);
    cudaGraphNode_t n = add_child(g, NULL, c);
    answer(cudaGraphChildGraphNodeGetGraph(n, &inner));
    answer_text("%s", inner == c ? "same" : "other");
    add_store(inner, nth_node(inner, 0), p, 9);
    answer_text("%zu %zu", node_count(inner), node_count(c));
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
    answer(cudaGraphDestroy(inner));
}

SITUATION(child_params, "a kernel node inside a child graph: cudaGraphExecKernelNodeSetParams with "
                        "the child's own node; with the original's node; values")
{
    cudaGraph_t g = new_graph(), c = new_graph(), inner = NULL;
    int *p = device_bytes(64);
    cudaGraphNode_t original = add_store(c, NULL, p, 1);
    cudaGraphNode_t n = add_child(g, NULL, c);
    MUST(cudaGraphChildGraphNodeGetGraph(n, &inner));
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 2);
    answer(cudaGraphExecKernelNodeSetParams(x, nth_node(inner, 0), &k));
    answer_run(x);
    answer_text("%d", device_int(p));
    answer(cudaGraphExecKernelNodeSetParams(x, original, &k));
}

SITUATION(clone_apart, "a clone: find a node in it; change the clone's node: the original's value; "
                       "find a node added later; find in a graph that is no clone")
{
    cudaGraph_t g = new_graph(), h = NULL;
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), in = NULL, none = NULL;
    answer(cudaGraphClone(&h, g));
    answer(cudaGraphNodeFindInClone(&in, a, h));
    struct cudaKernelNodeParams k = store_params(p, 2);
    answer(cudaGraphKernelNodeSetParams(in, &k));
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
    answer_run(new_exec(h));
    answer_text("%d", device_int(p));
    answer(cudaGraphNodeFindInClone(&none, add_empty(g, NULL), h));
    answer(cudaGraphNodeFindInClone(&none, in, g));
    answer(cudaGraphNodeFindInClone(&none, a, g));
}

SITUATION(clone_gone, "the original destroyed after the clone was made: the clone runs; "
                      "cudaGraphClone of NULL; into NULL")
{
    cudaGraph_t g = new_graph(), h = NULL;
    int *p = device_bytes(64);
    add_store(g, NULL, p, 6);
    MUST(cudaGraphClone(&h, g));
    answer(cudaGraphDestroy(g));
    answer_run(new_exec(h));
    answer_text("%d", device_int(p));
    answer(cudaGraphClone(&g, NULL));
    answer(cudaGraphClone(NULL, h));
}

SITUATION(destroy_node, "cudaGraphDestroyNode: of a root with two dependents; NULL; a node inside "
                        "a child graph; shape after")
{
    cudaGraph_t g = new_graph(), inner = NULL;
    cudaGraphNode_t a = add_empty(g, NULL);
    add_empty(g, a);
    add_empty(g, a);
    cudaGraphNode_t c = add_child(g, a, captured_memsets(2));
    answer(cudaGraphDestroyNode(a));
    answer_shape(g);
    answer(cudaGraphDestroyNode(NULL));
    MUST(cudaGraphChildGraphNodeGetGraph(c, &inner));
    answer(cudaGraphDestroyNode(nth_node(inner, 0)));
    answer_text("%zu", node_count(inner));
}

SITUATION(generic_kinds, "cudaGraphAddNode of kinds empty, memset, event record, with type 99, "
                         "with type Count, with reserved set; get type")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeEmpty};
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    p = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeMemset};
    p.memset.dst = device_bytes(64);
    p.memset.elementSize = 1;
    p.memset.width = 8;
    p.memset.height = 1;
    answer(cudaGraphAddNode(&n, g, &n, NULL, 1, &p));
    p = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeEventRecord};
    p.eventRecord.event = new_event(0);
    answer(cudaGraphAddNode(&n, g, &n, NULL, 1, &p));
    p.type = (enum cudaGraphNodeType)99;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    p.type = cudaGraphNodeTypeCount;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    p = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeEmpty, .reserved0 = {1}};
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    answer_types(g);
    answer_edges(g);
}

SITUATION(generic_set, "cudaGraphNodeSetParams of a kernel node with kernel parameters; with "
                       "memset parameters; of an empty node; with NULL")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64), value = 21;
    void *args[] = {&p, &value};
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_empty(g, NULL);
    struct cudaGraphNodeParams q = {.type = cudaGraphNodeTypeKernel};
    q.kernel = (struct cudaKernelNodeParamsV2){.func = (void *)(uintptr_t)situation_store(),
                                               .gridDim = {1, 1, 1},
                                               .blockDim = {1, 1, 1},
                                               .kernelParams = args};
    answer(cudaGraphNodeSetParams(a, &q));
    answer(cudaGraphNodeSetParams(b, &q));
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
    q = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeMemset};
    answer(cudaGraphNodeSetParams(a, &q));
    q = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeEmpty};
    answer(cudaGraphNodeSetParams(b, &q));
    answer(cudaGraphNodeSetParams(a, NULL));
}

SITUATION(copy_attributes,
          "cudaGraphKernelNodeCopyAttributes: priority goes along; from a memset node; to itself")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 1),
                    m = add_memset(g, NULL, p, 1);
    cudaLaunchAttributeValue v = {.priority = -2};
    answer(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &v));
    answer(cudaGraphKernelNodeCopyAttributes(b, a));
    v.priority = 9;
    answer(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
    answer(cudaGraphKernelNodeCopyAttributes(b, m));
    answer(cudaGraphKernelNodeCopyAttributes(a, a));
    answer(cudaGraphKernelNodeGetAttribute(m, cudaLaunchAttributePriority, &v));
    v.priority = -50;
    answer(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &v));
    answer(cudaGraphKernelNodeGetAttribute(a, cudaLaunchAttributePriority, &v));
    answer_text("%d", v.priority);
}

SITUATION(dot_lines, "cudaGraphDebugDotPrint of three nodes in a chain: starts with digraph; "
                     "number of arrows; with the verbose flag; flags 1 << 30")
{
    char path[64], line[4096];
    cudaGraph_t g = new_graph();
    add_empty(g, add_empty(g, add_empty(g, NULL)));
    sprintf(path, "/tmp/fresh-%d.dot", (int)getpid());
    for (unsigned i = 0; i < 2; i++) {
        int arrows = 0, digraph = 0;
        answer(cudaGraphDebugDotPrint(g, path, i ? cudaGraphDebugDotFlagsVerbose : 0));
        FILE *f = fopen(path, "r");
        while (f && fgets(line, sizeof line, f)) {
            digraph |= strstr(line, "digraph") != NULL;
            arrows += strstr(line, "->") != NULL;
        }
        if (f)
            fclose(f);
        answer_text("%d %d", digraph, arrows);
    }
    answer(cudaGraphDebugDotPrint(g, path, 1u << 30));
    unlink(path);
}

SITUATION(memory_nodes_rules,
          "a free node of an address that no node allocates; twice of one allocation; before it; "
          "an allocation freed on another branch: instantiate")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    void *p;
    cudaGraphExec_t x;
    answer(cudaGraphAddMemFreeNode(&n, g, NULL, 0, device_bytes(64)));
    cudaGraphNode_t a = add_alloc(g, NULL, 64, &p);
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, p));
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, p));
    answer(cudaGraphInstantiate(&x, g, 0));
    cudaGraph_t h = new_graph();
    cudaGraphNode_t b = add_alloc(h, NULL, 64, &p);
    (void)b;
    answer(cudaGraphAddMemFreeNode(&n, h, NULL, 0, p));
    answer(cudaGraphInstantiate(&x, h, 0));
}

SITUATION(memory_nodes_fixed, "in a graph with an allocation: destroy its node; remove its edge; "
                              "add an edge; add a child that allocates; clone")
{
    cudaGraph_t g = new_graph(), h = new_graph(), copy;
    cudaGraphNode_t n;
    void *p;
    cudaGraphNode_t a = add_alloc(g, NULL, 64, &p), b = add_free(g, a, p), e = add_empty(g, NULL);
    answer(cudaGraphDestroyNode(a));
    answer(cudaGraphRemoveDependencies(g, &a, &b, NULL, 1));
    answer(cudaGraphAddDependencies(g, &e, &a, NULL, 1));
    answer(cudaGraphDestroyNode(e));
    answer(cudaGraphAddChildGraphNode(&n, h, NULL, 0, g));
    answer(cudaGraphClone(&copy, g));
    answer_shape(g);
}

SITUATION(alloc_node_bad, "cudaGraphAddMemAllocNode: 0 bytes; 1 PiB; location device 99; zero "
                          "properties; a pointer comes back")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaMemAllocNodeParams a = alloc_params(0);
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    a = alloc_params(1ull << 50);
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    a = alloc_params(64);
    a.poolProps.location.id = 99;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    memset(&a, 0, sizeof a);
    a.bytesize = 64;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    a = alloc_params(64);
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    answer_text("%s", a.dptr ? "a pointer" : "NULL");
}

/*
 * situations_graph_memory.c: alloc and free nodes, and what the device says of graphs' memory.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"

static void answer_alloc(struct cudaMemAllocNodeParams a)
{
    cudaGraphNode_t n;
    cudaGraph_t g = new_graph();
    a.dptr = (void *)9;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    answer_text(a.dptr == (void *)9 ? "untouched" : a.dptr ? "an address" : "NULL");
    answer_text("%zu nodes", node_count(g));
}

SITUATION(alloc_bad_size, "alloc node: 0 bytes; 1 PiB; 1 byte")
{
    struct cudaMemAllocNodeParams a = alloc_params(0);
    answer_alloc(a);
    a.bytesize = (size_t)1 << 50;
    answer_alloc(a);
    answer_alloc(alloc_params(1));
}

SITUATION(alloc_bad_device, "alloc node: location device 1; device -1")
{
    struct cudaMemAllocNodeParams a = alloc_params(SMALL);
    a.poolProps.location.id = 1;
    answer_alloc(a);
    a.poolProps.location.id = -1;
    answer_alloc(a);
}

SITUATION(alloc_bad_type, "alloc node: location type host; type 0; allocType 0; 2")
{
    struct cudaMemAllocNodeParams a = alloc_params(SMALL);
    a.poolProps.location.type = cudaMemLocationTypeHost;
    answer_alloc(a);
    a.poolProps.location.type = (enum cudaMemLocationType)0;
    answer_alloc(a);
    a = alloc_params(SMALL);
    a.poolProps.allocType = (enum cudaMemAllocationType)0;
    answer_alloc(a);
    a.poolProps.allocType = (enum cudaMemAllocationType)2;
    answer_alloc(a);
}

SITUATION(alloc_bad_access, "alloc node: an access of device 1")
{
    struct cudaMemAccessDesc access = {.location = {.type = cudaMemLocationTypeDevice, .id = 1},
                                       .flags = cudaMemAccessFlagsProtReadWrite};
    struct cudaMemAllocNodeParams a = alloc_params(SMALL);
    a.accessDescs = &access;
    a.accessDescCount = 1;
    answer_alloc(a);
}

SITUATION(alloc_null_access, "alloc node: accesses NULL with number 1")
{
    struct cudaMemAllocNodeParams a = alloc_params(SMALL);
    a.accessDescCount = 1;
    answer_alloc(a);
}

SITUATION(alloc_used_elsewhere, "memory of a graph's alloc node, never launched: a memset node of "
                                "another graph; a memcpy node; a free node there, then of its own; "
                                "launch of the other before; after it was allocated")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    void *p;
    cudaGraphNode_t n;
    add_alloc(g, NULL, SMALL, &p);
    struct cudaMemsetParams m = memset_params(p, 3, SMALL);
    answer(cudaGraphAddMemsetNode(&n, h, NULL, 0, &m));
    answer(
        cudaGraphAddMemcpyNode1D(&n, h, &n, 1, pinned_bytes(SMALL), p, SMALL, cudaMemcpyDefault));
    cudaGraphExec_t x = new_exec(g), y = NULL;
    answer(cudaGraphInstantiate(&y, h, 0));
    answer_run(x);
    if (y)
        answer_run(y);
    answer_text("%d", device_byte(p));
}

SITUATION(alloc_memset_sizes, "memset node of an alloc node's 64 bytes: 64; 65; 512; 2 MiB; 32 MiB "
                              "+ 1 bytes; at offset 32 of 64 bytes")
{
    static const size_t sizes[] = {64, 65, 512, 2 << 20, (32 << 20) + 1};
    cudaGraph_t g = new_graph();
    char *p;
    cudaGraphNode_t n, a = add_alloc(g, NULL, SMALL, (void **)&p);
    for (int i = 0; i < 5; i++) {
        struct cudaMemsetParams m = memset_params(p, 3, sizes[i]);
        answer(cudaGraphAddMemsetNode(&n, g, &a, 1, &m));
    }
    struct cudaMemsetParams m = memset_params(p + 32, 3, SMALL);
    answer(cudaGraphAddMemsetNode(&n, g, &a, 1, &m));
}

SITUATION(alloc_addresses, "addresses of two alloc nodes, the first freed before the second, of "
                           "4096 then 2048 bytes; 4096 then 8192; 2048 then 4096 without an edge "
                           "from the free node; of two graphs")
{
    static const size_t sizes[][2] = {{4096, 2048}, {4096, 8192}, {4096, 4096}};
    for (int i = 0; i < 3; i++) {
        cudaGraph_t g = new_graph();
        void *p, *q;
        cudaGraphNode_t n = add_alloc(g, NULL, sizes[i][0], &p);
        n = add_free(g, n, p);
        add_alloc(g, i == 2 ? NULL : n, sizes[i][1], &q);
        answer_text(p == q ? "same" : "differ");
    }
    cudaGraph_t g = new_graph(), h = new_graph();
    void *p, *q;
    cudaGraphNode_t n = add_alloc(g, NULL, 4096, &p), m = add_alloc(h, NULL, 4096, &q);
    answer_text(p == q ? "same" : "differ");
    add_free(g, n, p);
    add_free(h, m, q);
}

SITUATION(alloc_edges, "a graph with alloc and free: a new edge added; removed; a node outside the "
                       "chain destroyed; another alloc node added after instantiate")
{
    cudaGraph_t g = new_graph();
    void *p, *q;
    cudaGraphNode_t a = add_alloc(g, NULL, SMALL, &p), f = add_free(g, a, p);
    cudaGraphNode_t b = add_empty(g, NULL), c = add_empty(g, NULL), n;
    answer(cudaGraphAddDependencies(g, &b, &c, NULL, 1));
    answer(cudaGraphRemoveDependencies(g, &b, &c, NULL, 1));
    answer(cudaGraphDestroyNode(b));
    answer(cudaGraphAddDependencies(g, &f, &c, NULL, 1));
    new_exec(g);
    struct cudaMemAllocNodeParams params = alloc_params(SMALL);
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &params));
    q = params.dptr;
    answer_text(q == NULL ? "NULL" : q == p ? "same" : "differ");
    answer(cudaGraphAddEmptyNode(&n, g, NULL, 0));
}

SITUATION(alloc_order_in_launch,
          "two allocations of 20 MiB that live at once; one after the other: "
          "memory reserved")
{
    for (int i = 0; i < 2; i++) {
        cudaGraph_t g = new_graph();
        void *p, *q;
        unsigned long long reserved = 0;
        cudaGraphNode_t n = add_alloc(g, NULL, 20 << 20, &p);
        if (i)
            n = add_free(g, n, p);
        n = add_alloc(g, n, 20 << 20, &q);
        n = add_free(g, n, q);
        if (!i)
            n = add_free(g, n, p);
        cudaGraphExec_t x = new_exec(g);
        answer_run(x);
        MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
        answer_text("%llu", reserved);
        MUST(cudaGraphExecDestroy(x));
        MUST(cudaDeviceGraphMemTrim(0));
    }
}

SITUATION(alloc_kept_by_two, "two graphs that each keep 2 MiB: memory used and reserved after each "
                             "launch; after a trim; one freed; trimmed; both")
{
    void *p[2];
    unsigned long long used, reserved;
    for (int step = 0; step < 6; step++) {
        if (step < 2) {
            cudaGraph_t g = new_graph();
            add_alloc(g, NULL, 2 << 20, &p[step]);
            answer_run(new_exec(g));
        } else if (step == 3 || step == 5) {
            MUST(cudaFree(p[step == 5]));
        }
        if (step >= 2)
            MUST(cudaDeviceGraphMemTrim(0));
        MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
        MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
        answer_text("%llu %llu", used >> 20, reserved >> 20);
    }
}

SITUATION(alloc_counts_streams, "one graph of 2 MiB in each of two streams, the first held up: "
                                "memory reserved; high; mem info does not count it before a launch")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    unsigned long long reserved;
    cudaGraphExec_t x[2];
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    gate_reset();
    for (int i = 0; i < 2; i++) {
        void *p;
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n = add_alloc(g, NULL, 2 << 20, &p);
        if (i == 0)
            MUST(cudaGraphAddHostNode(&n, g, &n, 1, &gate));
        add_free(g, n, p);
        x[i] = new_exec(g);
    }
    MUST(cudaGraphLaunch(x[0], s));
    MUST(cudaGraphLaunch(x[1], t));
    MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    answer_text("%llu", reserved >> 20);
    gate_open();
    answer(cudaDeviceSynchronize());
}

SITUATION(alloc_access_own, "alloc node with an access of its own device: read and write; read; "
                            "none; handle types set; maxSize set; parameters read back")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaMemAccessDesc access = {.location = {.type = cudaMemLocationTypeDevice, .id = 0},
                                       .flags = cudaMemAccessFlagsProtReadWrite};
    struct cudaMemAllocNodeParams a = alloc_params(SMALL), got;
    a.accessDescs = &access;
    a.accessDescCount = 1;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    memset(&got, 0, sizeof got);
    answer(cudaGraphMemAllocNodeGetParams(n, &got));
    answer_text("%zu bytes %s accesses %zu type %d at %d %d", got.bytesize,
                got.dptr == a.dptr ? "same" : "other", got.accessDescCount,
                (int)got.poolProps.allocType, (int)got.poolProps.location.type,
                got.poolProps.location.id);
    access.flags = cudaMemAccessFlagsProtRead;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    access.flags = cudaMemAccessFlagsProtNone;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    a = alloc_params(SMALL);
    a.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    a = alloc_params(SMALL);
    a.poolProps.maxSize = 4096;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
}

SITUATION(free_bad, "free node: NULL; memory of cudaMalloc; pinned; interior of an allocation; "
                    "twice; not after its alloc node; in another graph: errors")
{
    cudaGraph_t g = new_graph(), other = new_graph();
    char *p, *q;
    cudaGraphNode_t a = add_alloc(g, NULL, 4096, (void **)&p), n;
    cudaGraphNode_t b = add_alloc(g, NULL, 4096, (void **)&q);
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, NULL));
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, device_bytes(SMALL)));
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, pinned_bytes(SMALL)));
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, p + 64));
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, p));
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, p));
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, q));
    answer(cudaGraphAddMemFreeNode(&n, other, NULL, 0, p));
    answer_types(g);
    (void)b;
}

SITUATION(free_not_after, "a free node that does not come after its alloc node: add; instantiate; "
                          "run")
{
    cudaGraph_t g = new_graph();
    void *p;
    cudaGraphNode_t n;
    cudaGraphExec_t x = NULL;
    add_alloc(g, NULL, SMALL, &p);
    answer(cudaGraphAddMemFreeNode(&n, g, NULL, 0, p));
    answer(cudaGraphInstantiate(&x, g, 0));
    if (x)
        answer_run(x);
}

SITUATION(free_params, "free node: the address read back; alloc node's address is the same")
{
    cudaGraph_t g = new_graph();
    void *p, *got = NULL;
    cudaGraphNode_t a = add_alloc(g, NULL, SMALL, &p), f = add_free(g, a, p);
    answer(cudaGraphMemFreeNodeGetParams(f, &got));
    answer_text(got == p ? "same" : "other");
    answer(cudaGraphMemFreeNodeGetParams(f, NULL));
    answer(cudaGraphMemAllocNodeGetParams(a, NULL));
}

/* A graph that allocates, sets and (if asked) frees. */
static cudaGraph_t allocating(void **p, bool frees)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_alloc(g, NULL, SMALL, p);
    n = add_memset(g, n, *p, 5);
    if (frees)
        add_free(g, n, *p);
    return g;
}

SITUATION(alloc_twice, "a graph that allocates and frees: second instantiate; clone; as a child; "
                       "instantiate again after the exec was destroyed")
{
    void *p;
    cudaGraph_t g = allocating(&p, true), copy;
    cudaGraphExec_t x = new_exec(g), y;
    cudaGraphNode_t n;
    answer(cudaGraphInstantiate(&y, g, 0));
    answer(cudaGraphClone(&copy, g));
    answer(cudaGraphAddChildGraphNode(&n, new_graph(), NULL, 0, g));
    MUST(cudaGraphExecDestroy(x));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer_run(x);
}

SITUATION(alloc_changes, "a graph with memory nodes: a node added after instantiate; an edge "
                         "removed; the alloc node destroyed; second instantiate of the changed one")
{
    void *p;
    cudaGraph_t g = allocating(&p, true);
    cudaGraphExec_t x = new_exec(g), y;
    cudaGraphNode_t n, a = nth_node(g, 0), m = nth_node(g, 1);
    answer(cudaGraphAddEmptyNode(&n, g, NULL, 0));
    answer(cudaGraphRemoveDependencies(g, &a, &m, NULL, 1));
    answer(cudaGraphAddDependencies(g, &a, &m, NULL, 1));
    answer(cudaGraphDestroyNode(m));
    answer(cudaGraphDestroyNode(a));
    answer(cudaGraphInstantiate(&y, g, 0));
    answer_run(x);
}

SITUATION(alloc_relaunch, "a graph that does not free: launch; again; with AutoFreeOnLaunch: "
                          "twice; what the memory holds")
{
    void *p, *q;
    cudaGraphExec_t x = new_exec(allocating(&p, false)), y;
    answer_run(x);
    answer_text("%d", device_byte(p));
    answer_run(x);
    MUST(cudaGraphInstantiate(&y, allocating(&q, false), cudaGraphInstantiateFlagAutoFreeOnLaunch));
    answer_run(y);
    answer_run(y);
    answer_text("%d", device_byte(q));
}

SITUATION(alloc_free_outside, "memory of a launched graph: cudaFree; again; launch; cudaFreeAsync; "
                              "again; launch")
{
    void *p;
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraphExec_t x = new_exec(allocating(&p, false));
    answer_run(x);
    answer(cudaFree(p));
    answer(cudaFree(p));
    answer_run(x);
    answer(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(p, s));
    answer_run(x);
}

SITUATION(alloc_free_before, "memory of a graph that was never launched: cudaFree; cudaFreeAsync; "
                             "after the exec was made; pointer attributes")
{
    void *p;
    struct cudaPointerAttributes a;
    cudaGraph_t g = allocating(&p, false);
    answer(cudaFree(p));
    answer(cudaFreeAsync(p, 0));
    new_exec(g);
    answer(cudaFree(p));
    answer(cudaPointerGetAttributes(&a, p));
    answer_text("type %d device %d", (int)a.type, a.device);
}

SITUATION(alloc_freed_in_graph_outside, "memory that its graph frees: cudaFree of it after a "
                                        "launch; memset of it")
{
    void *p;
    cudaGraphExec_t x = new_exec(allocating(&p, true));
    answer_run(x);
    answer(cudaFree(p));
    answer(cudaMemsetAsync(p, 1, SMALL, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(alloc_exec_destroyed, "an exec destroyed while its memory is allocated: cudaFree then; "
                                "its graph destroyed too: cudaFree")
{
    void *p, *q;
    cudaGraph_t g = allocating(&p, false), h = allocating(&q, false);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    answer_run(x);
    answer_run(y);
    MUST(cudaGraphExecDestroy(x));
    answer(cudaFree(p));
    MUST(cudaGraphExecDestroy(y));
    MUST(cudaGraphDestroy(h));
    answer_text("%d", device_byte(q));
    answer(cudaFree(q));
}

SITUATION(alloc_freed_by_second, "memory of one graph freed by a node of another: launches in "
                                 "order, twice; the second alone")
{
    void *p;
    cudaGraph_t g = allocating(&p, false), h = new_graph();
    add_free(h, NULL, p);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    for (int i = 0; i < 2; i++) {
        answer_run(x);
        answer_run(y);
    }
    answer_run(y);
}

SITUATION(alloc_two_streams, "an exec that allocates and frees launched in two streams at once")
{
    void *p;
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    cudaGraphExec_t x = new_exec(allocating(&p, true));
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphLaunch(x, t));
    answer(cudaDeviceSynchronize());
}

SITUATION(alloc_two_in_graph, "two allocations in one graph, the first freed before the second is "
                              "made: addresses; two that live at once: addresses")
{
    cudaGraph_t g = new_graph();
    void *p, *q, *r;
    cudaGraphNode_t n = add_alloc(g, NULL, 4096, &p);
    n = add_free(g, n, p);
    n = add_alloc(g, n, 4096, &q);
    n = add_alloc(g, n, 4096, &r);
    answer_text(p == q ? "same" : "differ");
    answer_text(q == r ? "same" : "differ");
    n = add_free(g, n, q);
    add_free(g, n, r);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION(alloc_enable, "cudaGraphNodeSetEnabled of alloc and free nodes; DeviceLaunch of a graph "
                        "with them; AutoFreeOnLaunch of one that frees")
{
    void *p;
    cudaGraph_t g = allocating(&p, true), h = allocating(&p, true), i = allocating(&p, true);
    cudaGraphExec_t x = new_exec(g), y = NULL;
    answer(cudaGraphNodeSetEnabled(x, nth_node(g, 0), 0));
    answer(cudaGraphNodeSetEnabled(x, nth_node(g, 2), 0));
    answer(cudaGraphInstantiate(&y, h, cudaGraphInstantiateFlagDeviceLaunch));
    answer(cudaGraphInstantiate(&y, i, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    answer_run(y);
    answer_run(y);
}

/* ---- what the device says -------------------------------------------------------------------- */

static unsigned long long attribute(enum cudaGraphMemAttributeType which)
{
    unsigned long long value = 99;
    MUST(cudaDeviceGetGraphMemAttribute(0, which, &value));
    return value;
}

static void answer_counts(void)
{
    answer_text("used %llu high %llu reserved %llu high %llu",
                attribute(cudaGraphMemAttrUsedMemCurrent), attribute(cudaGraphMemAttrUsedMemHigh),
                attribute(cudaGraphMemAttrReservedMemCurrent),
                attribute(cudaGraphMemAttrReservedMemHigh));
}

SITUATION(attribute_counts, "graph memory of the device: at first; an alloc node made; "
                            "instantiated; launched; freed; trimmed")
{
    void *p;
    answer_counts();
    cudaGraph_t g = allocating(&p, false);
    answer_counts();
    cudaGraphExec_t x = new_exec(g);
    answer_counts();
    answer_run(x);
    answer_counts();
    MUST(cudaFree(p));
    answer_counts();
    answer(cudaDeviceGraphMemTrim(0));
    answer_counts();
}

SITUATION(attribute_counts_destroyed, "graph memory of the device: a graph of 3 MiB launched that "
                                      "frees; exec and graph destroyed; trimmed")
{
    void *p;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_alloc(g, NULL, 3 << 20, &p);
    add_free(g, n, p);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_counts();
    MUST(cudaGraphExecDestroy(x));
    MUST(cudaGraphDestroy(g));
    answer_counts();
    answer(cudaDeviceGraphMemTrim(0));
    answer_counts();
}

SITUATION(attribute_counts_sizes, "graph memory reserved after a launch of a graph that allocates "
                                  "and frees 1 byte; 2 MiB; 2 MiB + 1; 33 MiB: after each, trimmed "
                                  "between")
{
    static const size_t sizes[] = {1, 2 << 20, (2 << 20) + 1, 33 << 20};
    for (int i = 0; i < 4; i++) {
        void *p;
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n = add_alloc(g, NULL, sizes[i], &p);
        add_free(g, n, p);
        cudaGraphExec_t x = new_exec(g);
        answer_run(x);
        answer_text("%llu", attribute(cudaGraphMemAttrReservedMemCurrent));
        MUST(cudaGraphExecDestroy(x));
        MUST(cudaGraphDestroy(g));
        MUST(cudaDeviceGraphMemTrim(0));
    }
}

SITUATION(attribute_counts_two, "graph memory of the device: two graphs of 2 MiB each launched in "
                                "turn in one stream; two allocations of 1 MiB in one graph")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraphExec_t x[2];
    for (int i = 0; i < 2; i++) {
        void *p;
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n = add_alloc(g, NULL, 2 << 20, &p);
        add_free(g, n, p);
        x[i] = new_exec(g);
    }
    MUST(cudaGraphLaunch(x[0], s));
    MUST(cudaGraphLaunch(x[1], s));
    MUST(cudaStreamSynchronize(s));
    answer_text("%llu", attribute(cudaGraphMemAttrReservedMemCurrent));
    void *p, *q;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_alloc(g, add_alloc(g, NULL, 1 << 20, &p), 1 << 20, &q);
    add_free(g, add_free(g, n, q), p);
    answer_run(new_exec(g));
    answer_text("%llu", attribute(cudaGraphMemAttrReservedMemCurrent));
}

SITUATION(attribute_calls, "graph memory attributes: device 1; -1; attribute 9; NULL; set the "
                           "current; set a high to 0; to 5; trim device 1")
{
    unsigned long long v = 0, five = 5;
    answer(cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrUsedMemCurrent, &v));
    answer(cudaDeviceGetGraphMemAttribute(-1, cudaGraphMemAttrUsedMemCurrent, &v));
    answer(cudaDeviceGetGraphMemAttribute(0, (enum cudaGraphMemAttributeType)9, &v));
    answer(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, NULL));
    answer(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &v));
    answer(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &v));
    answer(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &five));
    answer(cudaDeviceGraphMemTrim(1));
}

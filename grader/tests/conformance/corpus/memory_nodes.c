/* memory_nodes.c: alloc and free nodes: what may be added. */
#include "../graphs.h"

static void answer_alloc(struct cudaMemAllocNodeParams a)
{
    cudaGraphNode_t n;
    cudaGraph_t g = new_graph();
    a.dptr = (void *)9;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    answer_text(a.dptr == (void *)9 ? "untouched" : a.dptr ? "an address" : "NULL");
    answer_text("%zu nodes", node_count(g));
}

SITUATION("alloc node: 0 bytes; 1 PiB; 1 byte; location device 1; device -1; location type host; "
          "type 0; allocType 0; 2; an access of device 1",
          "cudaGraphAddMemAllocNode: InvalidValue; MemoryAllocation; Success; InvalidValue; "
          "InvalidValue; NotSupported; InvalidValue; InvalidValue; Success; InvalidDevice",
          "a.dptr == (void *)9: untouched; untouched; an address; untouched; untouched; untouched; "
          "untouched; untouched; an address; untouched",
          "node_count: 0 nodes; 0 nodes; 1 nodes; 0 nodes; 0 nodes; 0 nodes; 0 nodes; 0 nodes; 1 "
          "nodes; 0 nodes")
{
    struct cudaMemAllocNodeParams a = alloc_params(0);
    answer_alloc(a);
    a.bytesize = (size_t)1 << 50;
    answer_alloc(a);
    answer_alloc(alloc_params(1));
    a = alloc_params(SMALL);
    a.poolProps.location.id = 1;
    answer_alloc(a);
    a.poolProps.location.id = -1;
    answer_alloc(a);
    a = alloc_params(SMALL);
    a.poolProps.location.type = cudaMemLocationTypeHost;
    answer_alloc(a);
    a.poolProps.location.type = (enum cudaMemLocationType)0;
    answer_alloc(a);
    a = alloc_params(SMALL);
    a.poolProps.allocType = (enum cudaMemAllocationType)0;
    answer_alloc(a);
    a.poolProps.allocType = (enum cudaMemAllocationType)2;
    answer_alloc(a);
    struct cudaMemAccessDesc access = {.location = {.type = cudaMemLocationTypeDevice, .id = 1},
                                       .flags = cudaMemAccessFlagsProtReadWrite};
    a = alloc_params(SMALL);
    a.accessDescs = &access;
    a.accessDescCount = 1;
    answer_alloc(a);
}

SITUATION("alloc node: accesses NULL with number 1", CRASHES_ON_GPU,
          "cudaGraphAddMemAllocNode: InvalidValue", "a.dptr == (void *)9: untouched",
          "node_count: 0 nodes")
{
    struct cudaMemAllocNodeParams a = alloc_params(SMALL);
    a.accessDescCount = 1;
    answer_alloc(a);
}

SITUATION(
    "memory of a graph's alloc node, never launched: a memset node of another graph; a memcpy "
    "node; a free node there, then of its own; launch of the other before; after it was allocated")
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
    answer_run(y);
    shows("3", "%d", device_byte(p));
}

SITUATION("memset node of an alloc node's 64 bytes: 64; 65; 512; 2 MiB; 32 MiB + 1 bytes; at "
          "offset 32 of 64 bytes",
          "cudaGraphAddMemsetNode: Success; InvalidValue; InvalidValue; InvalidValue; InvalidValue")
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
    gives(InvalidValue, cudaGraphAddMemsetNode(&n, g, &a, 1, &m));
}

SITUATION("addresses of two alloc nodes, the first freed before the second, of 4096 then 2048 "
          "bytes; 4096 then 8192; 2048 then 4096 without an edge from the free node; of two graphs",
          "p == q: same; differ; differ")
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
    shows("differ", p == q ? "same" : "differ");
    add_free(g, n, p);
    add_free(h, m, q);
}

SITUATION("a graph with alloc and free: a new edge added; removed; a node outside the chain "
          "destroyed; another alloc node added after instantiate")
{
    cudaGraph_t g = new_graph();
    void *p, *q;
    cudaGraphNode_t a = add_alloc(g, NULL, SMALL, &p), f = add_free(g, a, p);
    cudaGraphNode_t b = add_empty(g, NULL), c = add_empty(g, NULL), n;
    answer(cudaGraphAddDependencies(g, &b, &c, NULL, 1));
    gives(NotSupported, cudaGraphRemoveDependencies(g, &b, &c, NULL, 1));
    gives(NotSupported, cudaGraphDestroyNode(b));
    answer(cudaGraphAddDependencies(g, &f, &c, NULL, 1));
    new_exec(g);
    struct cudaMemAllocNodeParams params = alloc_params(SMALL);
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &params));
    q = params.dptr;
    shows("differ", q == NULL ? "NULL" : q == p ? "same" : "differ");
    answer(cudaGraphAddEmptyNode(&n, g, NULL, 0));
}

SITUATION("alloc node with an access of its own device: read and write; read; none; handle types "
          "set; maxSize set; parameters read back")
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
    fact("alloc node", "64 bytes same accesses 1 type 1 at 1 0",
         "%zu bytes %s accesses %zu type %d at %d %d", got.bytesize,
         got.dptr == a.dptr ? "same" : "other", got.accessDescCount, (int)got.poolProps.allocType,
         (int)got.poolProps.location.type, got.poolProps.location.id);
    access.flags = cudaMemAccessFlagsProtRead;
    gives(NotSupported, cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    access.flags = cudaMemAccessFlagsProtNone;
    gives(NotSupported, cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    a = alloc_params(SMALL);
    a.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    gives(NotSupported, cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    a = alloc_params(SMALL);
    a.poolProps.maxSize = 4096;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
}

SITUATION("free node: NULL; memory of cudaMalloc; pinned; interior of an allocation; twice; not "
          "after its alloc node; in another graph: errors")
{
    cudaGraph_t g = new_graph(), other = new_graph();
    char *p, *q;
    cudaGraphNode_t a = add_alloc(g, NULL, 4096, (void **)&p), n;
    cudaGraphNode_t b = add_alloc(g, NULL, 4096, (void **)&q);
    gives(InvalidValue, cudaGraphAddMemFreeNode(&n, g, &a, 1, NULL));
    gives(InvalidValue, cudaGraphAddMemFreeNode(&n, g, &a, 1, device_bytes(SMALL)));
    gives(InvalidValue, cudaGraphAddMemFreeNode(&n, g, &a, 1, pinned_bytes(SMALL)));
    gives(InvalidValue, cudaGraphAddMemFreeNode(&n, g, &a, 1, p + 64));
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, p));
    gives(InvalidValue, cudaGraphAddMemFreeNode(&n, g, &a, 1, p));
    answer(cudaGraphAddMemFreeNode(&n, g, &a, 1, q));
    gives(InvalidValue, cudaGraphAddMemFreeNode(&n, other, NULL, 0, p));
    types_are("alloc alloc free free", g);
    (void)b;
}

SITUATION("a free node that does not come after its alloc node: add; instantiate; run")
{
    cudaGraph_t g = new_graph();
    void *p;
    cudaGraphNode_t n;
    cudaGraphExec_t x = NULL;
    add_alloc(g, NULL, SMALL, &p);
    answer(cudaGraphAddMemFreeNode(&n, g, NULL, 0, p));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer_run(x);
}

SITUATION("free node: the address read back; alloc node's address is the same")
{
    cudaGraph_t g = new_graph();
    void *p, *got = NULL;
    cudaGraphNode_t a = add_alloc(g, NULL, SMALL, &p), f = add_free(g, a, p);
    answer(cudaGraphMemFreeNodeGetParams(f, &got));
    shows("same", got == p ? "same" : "other");
    gives(InvalidValue, cudaGraphMemFreeNodeGetParams(f, NULL));
    gives(InvalidValue, cudaGraphMemAllocNodeGetParams(a, NULL));
}

SITUATION("two allocations in one graph, the first freed before the second is made: addresses; two "
          "that live at once: addresses")
{
    cudaGraph_t g = new_graph();
    void *p, *q, *r;
    cudaGraphNode_t n = add_alloc(g, NULL, 4096, &p);
    n = add_free(g, n, p);
    n = add_alloc(g, n, 4096, &q);
    n = add_alloc(g, n, 4096, &r);
    shows("same", p == q ? "same" : "differ");
    shows("differ", q == r ? "same" : "differ");
    n = add_free(g, n, q);
    add_free(g, n, r);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

/* graphs.c: graphs, nodes and their parameters, see graphs.h. */
#include "graphs.h"

#include <stdint.h>
#include <string.h>

#include "situation_kernels.h"

const cudaGraphEdgeData programmatic_edge = {.from_port = 1,
                                             .type = cudaGraphDependencyTypeProgrammatic};

cudaGraph_t new_graph(void)
{
    cudaGraph_t g = NULL;
    MUST(cudaGraphCreate(&g, 0));
    return g;
}

cudaGraphExec_t new_exec(cudaGraph_t g)
{
    cudaGraphExec_t x = NULL;
    MUST(cudaGraphInstantiate(&x, g, 0));
    return x;
}

cudaGraph_t destroyed_graph(void)
{
    cudaGraph_t g = new_graph();
    MUST(cudaGraphDestroy(g));
    return g;
}

cudaGraphExec_t destroyed_exec(void)
{
    cudaGraphExec_t x = new_exec(new_graph());
    MUST(cudaGraphExecDestroy(x));
    return x;
}

/* ---- parameters ------------------------------------------------------------------------------ */

struct cudaMemsetParams memset_params(void *p, int value, size_t bytes)
{
    return (struct cudaMemsetParams){
        .dst = p, .value = (unsigned)value, .elementSize = 1, .width = bytes, .height = 1};
}

struct cudaMemcpy3DParms copy_params(void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind)
{
    return copy_3d_params(pitched(to, bytes, bytes, 1),
                          pitched((void *)(uintptr_t)from, bytes, bytes, 1), extent(bytes, 1, 1),
                          kind);
}

struct cudaKernelNodeParams store_params(int *to, int value)
{
    enum { KEPT = 4 };
    static int *tos[KEPT], values[KEPT];
    static void *args[KEPT][2];
    static int next;
    int i = next++ % KEPT;
    tos[i] = to;
    values[i] = value;
    args[i][0] = &tos[i];
    args[i][1] = &values[i];
    return kernel_params(situation_store(), args[i]);
}

struct cudaGraphNodeParams store_node_params(int *to, int value)
{
    struct cudaKernelNodeParams k = store_params(to, value);
    struct cudaGraphNodeParams q = {.type = cudaGraphNodeTypeKernel};
    q.kernel = (struct cudaKernelNodeParamsV2){.func = k.func,
                                               .gridDim = k.gridDim,
                                               .blockDim = k.blockDim,
                                               .kernelParams = k.kernelParams};
    return q;
}

struct cudaMemAllocNodeParams alloc_params(size_t bytes)
{
    struct cudaMemAllocNodeParams p;
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = bytes;
    return p;
}

struct cudaHostNodeParams letter_params(char letter)
{
    return (struct cudaHostNodeParams){write_letter, (void *)(intptr_t)letter};
}

/* ---- nodes ----------------------------------------------------------------------------------- */

cudaGraphNode_t add_empty(cudaGraph_t g, cudaGraphNode_t after)
{
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddEmptyNode(&n, g, &after, after != NULL));
    return n;
}

cudaGraphNode_t add_memset(cudaGraph_t g, cudaGraphNode_t after, void *p, int value)
{
    cudaGraphNode_t n = NULL;
    struct cudaMemsetParams m = memset_params(p, value, SMALL);
    MUST(cudaGraphAddMemsetNode(&n, g, &after, after != NULL, &m));
    return n;
}

cudaGraphNode_t add_copy(cudaGraph_t g, cudaGraphNode_t after, void *to, const void *from)
{
    cudaGraphNode_t n = NULL;
    MUST(
        cudaGraphAddMemcpyNode1D(&n, g, &after, after != NULL, to, from, SMALL, cudaMemcpyDefault));
    return n;
}

cudaGraphNode_t add_kernel(cudaGraph_t g, cudaGraphNode_t after, const void *func, void **args)
{
    cudaGraphNode_t n = NULL;
    struct cudaKernelNodeParams k = kernel_params(func, args);
    MUST(cudaGraphAddKernelNode(&n, g, &after, after != NULL, &k));
    return n;
}

cudaGraphNode_t add_store(cudaGraph_t g, cudaGraphNode_t after, int *to, int value)
{
    void *args[] = {&to, &value};
    return add_kernel(g, after, situation_store(), args);
}

cudaGraphNode_t add_letter(cudaGraph_t g, cudaGraphNode_t after, char letter)
{
    cudaGraphNode_t n = NULL;
    struct cudaHostNodeParams h = letter_params(letter);
    MUST(cudaGraphAddHostNode(&n, g, &after, after != NULL, &h));
    return n;
}

cudaGraphNode_t add_record(cudaGraph_t g, cudaGraphNode_t after, cudaEvent_t e)
{
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddEventRecordNode(&n, g, &after, after != NULL, e));
    return n;
}

cudaGraphNode_t add_wait(cudaGraph_t g, cudaGraphNode_t after, cudaEvent_t e)
{
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddEventWaitNode(&n, g, &after, after != NULL, e));
    return n;
}

cudaGraphNode_t add_child(cudaGraph_t g, cudaGraphNode_t after, cudaGraph_t child)
{
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddChildGraphNode(&n, g, &after, after != NULL, child));
    return n;
}

cudaGraphNode_t add_alloc(cudaGraph_t g, cudaGraphNode_t after, size_t bytes, void **p)
{
    cudaGraphNode_t n = NULL;
    struct cudaMemAllocNodeParams a = alloc_params(bytes);
    MUST(cudaGraphAddMemAllocNode(&n, g, &after, after != NULL, &a));
    *p = a.dptr;
    return n;
}

cudaGraphNode_t add_free(cudaGraph_t g, cudaGraphNode_t after, void *p)
{
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddMemFreeNode(&n, g, &after, after != NULL, p));
    return n;
}

cudaGraphNode_t add_gate(cudaGraph_t g)
{
    cudaGraphNode_t n = NULL;
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    gate_reset();
    MUST(cudaGraphAddHostNode(&n, g, NULL, 0, &gate));
    return n;
}

void add_edge(cudaGraph_t g, cudaGraphNode_t from, cudaGraphNode_t to)
{
    MUST(cudaGraphAddDependencies(g, &from, &to, NULL, 1));
}

/* ---- whole graphs ---------------------------------------------------------------------------- */

cudaGraph_t graph_of_one(const char *kind, cudaGraphNode_t *node)
{
    cudaGraph_t g = new_graph();
    void *p;
    if (strcmp(kind, "kernel") == 0)
        *node = add_store(g, NULL, device_bytes(SMALL), 1);
    else if (strcmp(kind, "memcpy") == 0)
        *node = add_copy(g, NULL, device_bytes(SMALL), pinned_bytes(SMALL));
    else if (strcmp(kind, "memset") == 0)
        *node = add_memset(g, NULL, device_bytes(SMALL), 1);
    else if (strcmp(kind, "host") == 0)
        *node = add_letter(g, NULL, 'h');
    else if (strcmp(kind, "child") == 0)
        *node = add_child(g, NULL, captured_memsets(1));
    else if (strcmp(kind, "record") == 0)
        *node = add_record(g, NULL, new_event(0));
    else if (strcmp(kind, "wait") == 0)
        *node = add_wait(g, NULL, new_event(0));
    else if (strcmp(kind, "alloc") == 0)
        *node = add_alloc(g, NULL, SMALL, &p);
    else
        *node = add_empty(g, NULL);
    return g;
}

cudaGraphNode_t node_of(const char *kind)
{
    cudaGraphNode_t n;
    graph_of_one(kind, &n);
    return n;
}

cudaGraph_t three_memsets(const char *edges)
{
    static void *p;
    if (!p)
        p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n[3];
    for (int i = 0; i < 3; i++)
        n[i] = add_memset(g, NULL, p, i);
    for (const char *e = edges; *e; e += e[2] ? 3 : 2)
        add_edge(g, n[e[0] - 'a'], n[e[1] - 'a']);
    return g;
}

cudaGraph_t letters_graph(const char *text)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    for (; *text; text++)
        n = add_letter(g, n, *text);
    return g;
}

cudaGraph_t allocating_graph(void **p, bool frees)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_alloc(g, NULL, SMALL, p);
    n = add_memset(g, n, *p, 5);
    if (frees)
        add_free(g, n, *p);
    return g;
}

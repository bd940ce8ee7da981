/* graph_symbol_nodes.c: memcpy nodes whose one end is a __device__ variable of the program. */
#include "api.h"

/* The work of a copy of `bytes` bytes to (or from) the variable. */
static cudaError_t symbol_work(struct work *w, bool to, const void *symbol, const void *memory,
                               size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    char *variable;
    enum cudaMemcpyKind fitting = to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    cudaError_t e = symbol_find(symbol, offset, bytes, &variable);
    if (e != cudaSuccess)
        return e;
    if (kind != fitting && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    void *memory_bytes = (void *)(uintptr_t)memory;
    struct cudaGraphNodeParams p = params_of_memcpy_1d(
        to ? variable : memory_bytes, to ? memory : variable, bytes, cudaMemcpyDefault);
    e = node_work(w, &p);
    if (e == cudaSuccess)
        w->copy.kind = kind;
    return e;
}

static cudaError_t add(enum call_id call, cudaGraphNode_t *out, cudaGraph_t handle,
                       const cudaGraphNode_t *after, size_t n_after, bool to, const void *symbol,
                       const void *memory, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    struct work w;
    API_ENTERED(api_enter(call, &e));
    struct graph *g = graph_of(handle);
    API_REFUSE_IF(!out || !g, cudaErrorInvalidValue);
    e = symbol_work(&w, to, symbol, memory, bytes, offset, kind);
    if (e == cudaSuccess)
        e = node_place(out, g, after, n_after, cudaGraphNodeTypeMemcpy, &w);
    return api_leave(e);
}

EXPORT cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                                  const cudaGraphNode_t *after, size_t n,
                                                  const void *symbol, const void *src, size_t bytes,
                                                  size_t offset, enum cudaMemcpyKind kind)
{
    return add(CALL_cudaGraphAddMemcpyNodeToSymbol, out, graph, after, n, true, symbol, src, bytes,
               offset, kind);
}

EXPORT cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                                    const cudaGraphNode_t *after, size_t n,
                                                    void *dst, const void *symbol, size_t bytes,
                                                    size_t offset, enum cudaMemcpyKind kind)
{
    return add(CALL_cudaGraphAddMemcpyNodeFromSymbol, out, graph, after, n, false, symbol, dst,
               bytes, offset, kind);
}

static cudaError_t set(enum call_id call, cudaGraphNode_t node, bool to, const void *symbol,
                       const void *memory, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    struct work w;
    API_ENTERED(api_enter(call, &e));
    struct node *n = node_of(node);
    API_REFUSE_IF(!n || n->type != cudaGraphNodeTypeMemcpy, cudaErrorInvalidValue);
    e = symbol_work(&w, to, symbol, memory, bytes, offset, kind);
    if (e == cudaSuccess)
        n->work = w;
    return api_leave(e);
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                        const void *src, size_t bytes,
                                                        size_t offset, enum cudaMemcpyKind kind)
{
    return set(CALL_cudaGraphMemcpyNodeSetParamsToSymbol, node, true, symbol, src, bytes, offset,
               kind);
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                          const void *symbol, size_t bytes,
                                                          size_t offset, enum cudaMemcpyKind kind)
{
    return set(CALL_cudaGraphMemcpyNodeSetParamsFromSymbol, node, false, symbol, dst, bytes, offset,
               kind);
}

static cudaError_t set_exec(enum call_id call, cudaGraphExec_t exec, cudaGraphNode_t node, bool to,
                            const void *symbol, const void *memory, size_t bytes, size_t offset,
                            enum cudaMemcpyKind kind)
{
    struct work w;
    API_ENTERED(api_enter(call, &e));
    struct exec *x = exec_of(exec);
    if (x)
        exec_before_change(x);
    struct exec_node *n = x ? exec_find(x, node_of(node)) : NULL;
    API_REFUSE_IF(!n || n->type != cudaGraphNodeTypeMemcpy, cudaErrorInvalidValue);
    e = symbol_work(&w, to, symbol, memory, bytes, offset, kind);
    if (e == cudaSuccess)
        e = exec_set_work(n, &w, x->flags & cudaGraphInstantiateFlagDeviceLaunch);
    return api_leave(e);
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                            cudaGraphNode_t node,
                                                            const void *symbol, const void *src,
                                                            size_t bytes, size_t offset,
                                                            enum cudaMemcpyKind kind)
{
    return set_exec(CALL_cudaGraphExecMemcpyNodeSetParamsToSymbol, exec, node, true, symbol, src,
                    bytes, offset, kind);
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                              cudaGraphNode_t node, void *dst,
                                                              const void *symbol, size_t bytes,
                                                              size_t offset,
                                                              enum cudaMemcpyKind kind)
{
    return set_exec(CALL_cudaGraphExecMemcpyNodeSetParamsFromSymbol, exec, node, false, symbol, dst,
                    bytes, offset, kind);
}

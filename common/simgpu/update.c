/*
 * update.c: changing an executable graph without building it anew: one node's parameters, a node switched on or
 * off, or everything at once from a graph of the same shape.
 */
#include <stdlib.h>
#include <string.h>

#include "exec_graph.h"

/* ---- one node ---------------------------------------------------------------------------------------- */

/* May work a be replaced by b in an executable graph? Its direction and its shape are built in. */
static bool compatible(const struct work *a, const struct work *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == OP_COPY)
        return a->copy.path == b->copy.path && (a->copy.rows > 1) == (b->copy.rows > 1) &&
               (a->copy.depth > 1) == (b->copy.depth > 1);
    if (a->kind == OP_MEMSET)
        return a->memset.rows == 1 && b->memset.rows == 1;
    return true;
}

/* In a graph for device launch no node may name pageable memory. */
static cudaError_t replace(struct exec_node *x, const struct cudaGraphNodeParams *p, bool for_device)
{
    struct work w;
    cudaError_t e = node_work(&w, p);
    if (e != cudaSuccess)
        return e;
    bool other_kind = w.kind == OP_COPY && x->work.kind == OP_COPY && w.copy.kind != x->work.copy.kind;
    if (!compatible(&x->work, &w) || other_kind || (for_device && w.kind == OP_COPY && w.copy.pageable)) {
        work_drop(&w);
        return cudaErrorInvalidValue;
    }
    work_drop(&x->work);
    x->work = w;
    return cudaSuccess;
}

/* The node of the exec that a call for one node means, if it is of the type. */
static struct exec_node *target(cudaGraphExec_t exec, cudaGraphNode_t node, enum cudaGraphNodeType type)
{
    struct exec *x = exec_of(exec);
    if (x)
        exec_own_bodies(x);
    struct exec_node *n = x ? exec_find(x, node_of(node)) : NULL;
    return n && n->type == type ? n : NULL;
}

static cudaError_t set_work(const char *name, cudaGraphExec_t exec, cudaGraphNode_t node,
                            const struct cudaGraphNodeParams *p)
{
    cudaError_t e;
    if (!api_enter(node_cost(p) == COST_GRAPH_WORK ? COST_GRAPH_SET : COST_GRAPH_NODE, name, &e))
        return e;
    struct exec_node *n = p ? target(exec, node, p->type) : NULL;
    if (n && n->type == cudaGraphNodeTypeConditional)
        return api_leave(cudaErrorNotSupported);
    bool for_device = n && exec_of(exec)->flags & cudaGraphInstantiateFlagDeviceLaunch;
    return api_leave(n ? replace(n, p, for_device) : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *p)
{
    return set_work("cudaGraphExecNodeSetParams", exec, node, p);
}

EXPORT cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                    const struct cudaKernelNodeParams *k)
{
    struct cudaGraphNodeParams p = k ? params_of_kernel(k) : (struct cudaGraphNodeParams){0};
    return set_work("cudaGraphExecKernelNodeSetParams", exec, node, k ? &p : NULL);
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                    const struct cudaMemcpy3DParms *m)
{
    struct cudaGraphNodeParams p = m ? params_of_memcpy(m) : (struct cudaGraphNodeParams){0};
    return set_work("cudaGraphExecMemcpyNodeSetParams", exec, node, m ? &p : NULL);
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
                                                      const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    struct cudaGraphNodeParams p = params_of_memcpy_1d(dst, src, bytes, kind);
    return set_work("cudaGraphExecMemcpyNodeSetParams1D", exec, node, &p);
}

EXPORT cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                    const struct cudaMemsetParams *m)
{
    struct cudaGraphNodeParams p = m ? params_of_memset(m) : (struct cudaGraphNodeParams){0};
    return set_work("cudaGraphExecMemsetNodeSetParams", exec, node, m ? &p : NULL);
}

EXPORT cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                  const struct cudaHostNodeParams *h)
{
    struct cudaGraphNodeParams p = h ? params_of_host(h) : (struct cudaGraphNodeParams){0};
    return set_work("cudaGraphExecHostNodeSetParams", exec, node, h ? &p : NULL);
}

EXPORT cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event)
{
    struct cudaGraphNodeParams p = params_of_record(event);
    return set_work("cudaGraphExecEventRecordNodeSetEvent", exec, node, &p);
}

EXPORT cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event)
{
    struct cudaGraphNodeParams p = params_of_wait(event);
    return set_work("cudaGraphExecEventWaitNodeSetEvent", exec, node, &p);
}

/* ---- on and off -------------------------------------------------------------------------------------- */

static bool can_be_disabled(enum cudaGraphNodeType type)
{
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset;
}

static struct exec_node *switchable(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    struct exec *x = exec_of(exec);
    if (x)
        exec_own_bodies(x);
    struct exec_node *n = x ? exec_find(x, node_of(node)) : NULL;
    return n && can_be_disabled(n->type) ? n : NULL;
}

EXPORT cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_SET, "cudaGraphNodeSetEnabled", &e))
        return e;
    struct exec_node *n = switchable(exec, node);
    if (!n)
        return api_leave(cudaErrorInvalidValue);
    struct exec *x = exec_of(exec);
    if (x->uploaded && n->disabled == (enabled != 0))
        x->owed_us += enabled ? sim.profile.graph_switch_on_us : sim.profile.graph_switch_off_us;
    n->disabled = n->host_disabled = !enabled;
    n->host_changed = true;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaGraphNodeGetEnabled", &e))
        return e;
    const struct exec_node *n = switchable(exec, node);
    if (!n || !enabled)
        return api_leave(cudaErrorInvalidValue);
    *enabled = !n->host_disabled;
    return api_leave(cudaSuccess);
}

/* ---- everything -------------------------------------------------------------------------------------- */

static bool fail(cudaGraphExecUpdateResultInfo *info, enum cudaGraphExecUpdateResult result, struct node *n)
{
    info->result = result;
    info->errorNode = (cudaGraphNode_t)n;
    return false;
}

static bool same_edges(const struct node *a, const struct node *b)
{
    if (a->in.n != b->in.n)
        return false;
    for (int i = 0; i < b->in.n; i++) {
        bool found = false;
        for (int k = 0; k < a->in.n && !found; k++)
            found = a->in.at[k].node->mark == b->in.at[i].node->mark;
        if (!found)
            return false;
    }
    return true;
}

static void number_nodes(struct graph *g)
{
    int i = 0;
    for (struct node *n = g->nodes; n; n = n->next)
        n->mark = i++;
}

static void unnumber_nodes(struct graph *g)
{
    for (struct node *n = g->nodes; n; n = n->next)
        n->mark = 0;
}

/* Conditional nodes keep their kind, their bodies and their handles; of several that do not, the last is named. */
static bool same_conditions(struct graph *old, struct graph *new, cudaGraphExecUpdateResultInfo *info)
{
    bool good = true;
    for (struct node *a = old->nodes, *b = new->nodes; a; a = a->next, b = b->next)
        if (a->n_bodies != b->n_bodies || a->condition_type != b->condition_type || a->condition != b->condition)
            good = fail(info, cudaGraphExecUpdateErrorNotSupported, b);
    return good;
}

static bool same_shape(struct graph *old, struct graph *new, cudaGraphExecUpdateResultInfo *info)
{
    if (old->n_nodes != new->n_nodes)
        return fail(info, cudaGraphExecUpdateErrorTopologyChanged, NULL);
    number_nodes(old);
    number_nodes(new);
    bool good = true;
    struct node *a = old->nodes, *b = new->nodes;
    for (; a && good; a = a->next, b = b->next) {
        if (a->type != b->type)
            good = fail(info, cudaGraphExecUpdateErrorNodeTypeChanged, b);
        else if (!same_edges(a, b))
            good = fail(info, cudaGraphExecUpdateErrorTopologyChanged, b);
        else if (!compatible(&a->work, &b->work))
            good = fail(info, cudaGraphExecUpdateErrorParametersChanged, b);
        else if (a->type == cudaGraphNodeTypeMemAlloc || a->type == cudaGraphNodeTypeMemFree)
            good = a->memory == b->memory || fail(info, cudaGraphExecUpdateErrorNotSupported, b);
    }
    unnumber_nodes(old);
    unnumber_nodes(new);
    good = good && same_conditions(old, new, info);
    for (a = old->nodes, b = new->nodes; a && good; a = a->next, b = b->next) {
        if (a->child)
            good = same_shape(a->child, b->child, info);
        for (int i = 0; good && i < a->n_bodies; i++)
            good = same_shape(a->bodies[i], b->bodies[i], info);
    }
    return good;
}

/* old is the exec's clone, whose nodes know the nodes they were cloned from. */
static void take_over(struct exec *x, struct graph *old, const struct graph *new)
{
    struct node *a = old->nodes;
    for (const struct node *b = new->nodes; b; b = b->next, a = a->next) {
        struct exec_node *n = exec_find_uid(x, a->origin);
        work_drop(&a->work);
        work_copy(&a->work, &b->work);
        if (n && !a->n_bodies) {
            work_drop(&n->work);
            work_copy(&n->work, &b->work);
        }
        if (a->child)
            take_over(x, a->child, b->child);
        for (int i = 0; i < a->n_bodies; i++)
            take_over(x, a->bodies[i], b->bodies[i]);
    }
}

EXPORT cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_NODE, "cudaGraphExecUpdate", &e))
        return e;
    struct exec *x = exec_of(handle);
    struct graph *g = graph_of(graph);
    if (!x || !g || !info)
        return api_leave(cudaErrorInvalidValue);
    *info = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateSuccess};
    if (g->n_updatable || x->has_updatable)
        return api_leave(cudaErrorNotSupported);
    thread_self()->clock += us_to_ns(sim.profile.graph_update_node_us * g->n_nodes);
    if (!same_shape(x->shape, g, info))
        return api_leave(cudaErrorGraphExecUpdateFailure);
    exec_own_bodies(x);
    take_over(x, x->shape, g);
    if (x->defaults) {
        condition_defaults_put(x->defaults);
        x->defaults = condition_defaults_new(g);
    }
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node, cudaGraph_t child)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_SET, "cudaGraphExecChildGraphNodeSetParams", &e))
        return e;
    struct exec *x = exec_of(handle);
    const struct node *n = node_of(node);
    struct graph *g = graph_of(child);
    if (!x || !g || !n || n->type != cudaGraphNodeTypeGraph || !exec_find(x, n))
        return api_leave(cudaErrorInvalidValue);
    struct node *mine = x->shape->nodes;
    while (mine && mine->origin != n->uid)
        mine = mine->next;
    cudaGraphExecUpdateResultInfo info;
    if (!mine || !same_shape(mine->child, g, &info))
        return api_leave(cudaErrorInvalidValue);
    exec_own_bodies(x);
    take_over(x, mine->child, g);
    return api_leave(cudaSuccess);
}

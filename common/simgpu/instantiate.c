/*
 * instantiate.c: from a graph to an executable graph. Its structure is fixed from here on: nodes are put in an
 * order that respects all edges, child graphs are unfolded, chains are found.
 */
#include <stdlib.h>
#include <string.h>

#include "exec_graph.h"

struct exec *exec_of(cudaGraphExec_t handle)
{
    return handle_type_of(handle) == HANDLE_EXEC ? (struct exec *)handle : NULL;
}

/* ---- what cannot be instantiated --------------------------------------------------------------------- */

static bool allowed_in_body(enum cudaGraphNodeType type)
{
    switch (type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeConditional:
        return true;
    default:
        return false;
    }
}

static bool allowed_on_device(enum cudaGraphNodeType type)
{
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset ||
           type == cudaGraphNodeTypeGraph;
}

struct verdict {
    cudaError_t error;
    cudaGraphInstantiateResult result;
    struct node *node;
    int n_looked_at; /* for device launch: nodes that may be in it so far */
};

static bool refuse(struct verdict *v, cudaGraphInstantiateResult result, struct node *n)
{
    *v = (struct verdict){.error = cudaErrorInvalidValue, .result = result, .node = n};
    return false;
}

/* Pageable memory is no device's: an H200 calls the first node that names it unsupported, a later one another device's. */
static bool check_for_device(struct node *n, struct verdict *v)
{
    if (!allowed_on_device(n->type))
        return refuse(v, cudaGraphInstantiateNodeOperationNotSupported, n);
    if (n->work.kind == OP_COPY && n->work.copy.pageable)
        return refuse(v,
                      v->n_looked_at ? cudaGraphInstantiateMultipleDevicesNotSupported
                                     : cudaGraphInstantiateNodeOperationNotSupported,
                      n);
    v->n_looked_at += n->type != cudaGraphNodeTypeGraph;
    return true;
}

static bool check_conditions(const struct graph *g, struct verdict *v)
{
    for (const struct conditional *c = g->conditions; c; c = c->next)
        if (!c->used)
            return refuse(v, cudaGraphInstantiateConditionalHandleUnused, NULL);
    return true;
}

static bool check_nodes(const struct graph *g, unsigned long long flags, bool in_body, struct verdict *v)
{
    bool for_device = flags & cudaGraphInstantiateFlagDeviceLaunch;
    for (struct node *n = g->nodes; n; n = n->next) {
        if (in_body && !allowed_in_body(n->type))
            return refuse(v, cudaGraphInstantiateNodeOperationNotSupported, n);
        if (in_body && n->work.kind == OP_COPY && n->work.copy.pageable)
            return refuse(v, cudaGraphInstantiateMultipleDevicesNotSupported, n);
        if (for_device && !check_for_device(n, v))
            return false;
        if (n->child && !check_nodes(n->child, flags, in_body, v))
            return false;
        for (int i = 0; i < n->n_bodies; i++)
            if (!check_nodes(n->bodies[i], flags, true, v))
                return false;
    }
    return true;
}

/* ---- flattening -------------------------------------------------------------------------------------- */

static int flat_add(struct flat *f, const struct node *n)
{
    if (f->n == f->cap) {
        f->cap = f->cap ? 2 * f->cap : 16;
        f->nodes = realloc(f->nodes, (size_t)f->cap * sizeof *f->nodes);
        if (!f->nodes)
            fatal("out of memory for an executable graph of %d nodes", f->cap);
    }
    struct exec_node *x = &f->nodes[f->n];
    memset(x, 0, sizeof *x);
    x->work = (struct work){.kind = OP_MARKER, .name = "graph node"};
    x->first_in = f->n_ins;
    x->chain = -1;
    if (n) {
        x->type = n->type;
        x->source = n->uid;
        x->number = n->number;
        x->priority = n->priority;
        work_copy(&x->work, &n->work);
        exec_node_updatable(x, n);
        x->memory = n->memory;
        if (x->memory)
            x->memory->refs++;
    }
    return f->n++;
}

static void flat_edge(struct flat *f, int from, int to)
{
    if (f->n_ins == f->cap_ins) {
        f->cap_ins = f->cap_ins ? 2 * f->cap_ins : 16;
        f->in = realloc(f->in, (size_t)f->cap_ins * sizeof *f->in);
        if (!f->in)
            fatal("out of memory for the %d edges of an executable graph", f->cap_ins);
    }
    f->in[f->n_ins++] = from;
    f->nodes[to].n_in++;
    f->nodes[from].has_out = true;
}

/* Is every node younger than all it waits for? So it is in a captured graph. */
static bool made_in_order(const struct graph *g)
{
    bool good = true;
    int i = 0;
    for (struct node *m = g->nodes; m; m = m->next)
        m->mark = i++;
    for (const struct node *m = g->nodes; m && good; m = m->next)
        for (int k = 0; k < m->in.n && good; k++)
            good = m->in.at[k].node->mark < m->mark;
    return good;
}

/*
 * Nodes in the order in which the host launches them: as they were made, if that is possible, else each after all
 * it waits for. False: there is a cycle.
 */
static bool order_nodes(const struct graph *g, struct node **order)
{
    int n = 0, done = 0;
    if (made_in_order(g)) {
        for (struct node *m = g->nodes; m; m = m->next)
            order[n++] = m;
        return true;
    }
    for (struct node *m = g->nodes; m; m = m->next) {
        m->mark = m->in.n;
        if (m->mark == 0)
            order[n++] = m;
    }
    while (done < n) {
        struct node *m = order[done++];
        for (int i = 0; i < m->out.n; i++)
            if (--m->out.at[i].node->mark == 0)
                order[n++] = m->out.at[i].node;
    }
    return n == g->n_nodes;
}

static bool flatten(struct flat *f, const struct graph *g, int open);

/* In a body a kernel moves the bytes of a copy, as seen on an H200: no copy engine, and no crossing to one. */
static void into_body(struct work *copy)
{
    copy->engine = ENGINE_D2D;
    copy->copy.inlined = false;
}

static bool flatten_bodies(struct flat *f, struct exec_node *x, const struct node *n)
{
    struct choice *c = choice_new(n->condition_type, n->condition, n->n_bodies);
    x->work = (struct work){.kind = OP_CONDITION, .name = "conditional", .condition.choice = c};
    for (int i = 0; i < n->n_bodies; i++)
        if (!flatten(&c->bodies[i], n->bodies[i], -1)) {
            f->cyclic = c->bodies[i].cyclic;
            return false;
        }
    return true;
}

static void depend(struct flat *f, const struct node *n, int at, int open)
{
    for (int i = 0; i < n->in.n; i++)
        flat_edge(f, n->in.at[i].node->mark, at);
    if (n->in.n == 0 && open >= 0)
        flat_edge(f, open, at);
}

/* The child's nodes between an opening marker and a closing one, which stands for the child graph node. */
static bool unfold_child(struct flat *f, struct node *n, int open)
{
    int first = flat_add(f, NULL);
    depend(f, n, first, open);
    int from = f->n;
    if (!flatten(f, n->child, first))
        return false;
    int to = f->n, last = flat_add(f, n);
    for (int i = first; i < to; i++)
        if ((i >= from || from == to) && !f->nodes[i].has_out)
            flat_edge(f, i, last);
    n->mark = last;
    return true;
}

/* Appends the nodes of g; those that wait for nothing wait for node `open` (-1: for nothing). */
static bool flatten(struct flat *f, const struct graph *g, int open)
{
    struct node **order = malloc(((size_t)g->n_nodes + 1) * sizeof *order);
    if (!order)
        fatal("out of memory for the order of %d nodes", g->n_nodes);
    bool good = order_nodes(g, order);
    for (struct node *n = g->nodes; !good && n; n = n->next)
        if (n->mark > 0)
            f->cyclic = n;
    for (int i = 0; good && i < g->n_nodes; i++) {
        struct node *n = order[i];
        if (n->child) {
            good = unfold_child(f, n, open);
            continue;
        }
        int at = flat_add(f, n);
        depend(f, n, at, open);
        n->mark = at;
        if (g->is_body && n->work.kind == OP_COPY)
            into_body(&f->nodes[at].work);
        if (n->n_bodies)
            good = flatten_bodies(f, &f->nodes[at], n);
    }
    for (struct node *n = g->nodes; n; n = n->next)
        n->mark = 0;
    free(order);
    return good;
}

/* ---- chains ------------------------------------------------------------------------------------------ */

/* Each node goes on with the chain of the first dependency that nothing else goes on with. */
static void find_chains(struct flat *f)
{
    bool *taken = calloc((size_t)f->n + 1, sizeof *taken);
    int *level = calloc((size_t)f->n + 1, sizeof *level), *at_level = calloc((size_t)f->n + 1, sizeof *at_level);
    if (!taken || !level || !at_level)
        fatal("out of memory for the chains of %d nodes", f->n);
    for (int i = 0; i < f->n; i++) {
        struct exec_node *x = &f->nodes[i];
        for (int k = 0; k < x->n_in; k++) {
            int d = f->in[x->first_in + k];
            if (x->chain < 0 && !taken[d]) {
                x->chain = f->nodes[d].chain;
                taken[d] = true;
            }
            if (level[d] + 1 > level[i])
                level[i] = level[d] + 1;
        }
        if (x->chain < 0)
            x->chain = f->n_chains++;
        if (++at_level[level[i]] > f->width)
            f->width = at_level[level[i]];
        for (int b = 0; x->work.kind == OP_CONDITION && b < x->work.condition.choice->n; b++)
            find_chains(&x->work.condition.choice->bodies[b]);
    }
    free(taken);
    free(level);
    free(at_level);
}

void flat_free(struct flat *f)
{
    for (int i = 0; i < f->n; i++) {
        work_drop(&f->nodes[i].work);
        device_node_put(f->nodes[i].updatable);
        if (f->nodes[i].memory)
            graph_memory_put(f->nodes[i].memory);
    }
    free(f->nodes);
    free(f->in);
}

/* ---- finding nodes again ------------------------------------------------------------------------------ */

static size_t place(const struct exec *x, uint64_t uid)
{
    return (size_t)(uid * UINT64_C(0x9e3779b97f4a7c15) >> 17) & (x->index_cap - 1);
}

/* Calls fn for every node, those of bodies included. */
static void each_node(struct flat *f, void fn(struct exec_node *, void *), void *arg)
{
    for (int i = 0; i < f->n; i++) {
        struct exec_node *n = &f->nodes[i];
        fn(n, arg);
        for (int b = 0; n->work.kind == OP_CONDITION && b < n->work.condition.choice->n; b++)
            each_node(&n->work.condition.choice->bodies[b], fn, arg);
    }
}

void exec_each_node(struct exec *x, void fn(struct exec_node *n, void *arg), void *arg)
{
    each_node(&x->flat, fn, arg);
}

static void count_node(struct exec_node *n, void *count)
{
    (void)n;
    ++*(size_t *)count;
}

static void index_node(struct exec_node *n, void *exec)
{
    struct exec *x = exec;
    if (!n->source)
        return;
    size_t at = place(x, n->source);
    while (x->index[at])
        at = (at + 1) & (x->index_cap - 1);
    x->index[at] = n;
}

static void index_nodes(struct exec *x)
{
    size_t n = 0;
    each_node(&x->flat, count_node, &n);
    x->index_cap = 16;
    while (x->index_cap < 2 * n)
        x->index_cap *= 2;
    x->index = calloc(x->index_cap, sizeof(struct exec_node *));
    if (!x->index)
        fatal("out of memory for an index of %zu nodes", n);
    each_node(&x->flat, index_node, x);
}

void exec_drop_image(struct exec *x)
{
    if (x->image)
        flat_free(x->image);
    free(x->image);
    x->image = NULL;
}

static void keep_image(struct exec *x)
{
    if (!(x->flags & cudaGraphInstantiateFlagDeviceLaunch) || !x->uploaded || x->image)
        return;
    x->image = malloc(sizeof *x->image);
    if (!x->image)
        fatal("out of memory for what the device has of a graph");
    flat_copy(x->image, &x->flat);
}

void exec_own_bodies(struct exec *x)
{
    keep_image(x);
    bool copied = false;
    for (int i = 0; x->defaults && i < x->flat.n; i++)
        copied |= choice_own(&x->flat.nodes[i].work);
    if (!copied)
        return;
    free(x->index);
    index_nodes(x);
}

struct exec_node *exec_find_uid(struct exec *x, uint64_t uid)
{
    for (size_t at = place(x, uid); x->index[at]; at = (at + 1) & (x->index_cap - 1))
        if (x->index[at]->source == uid)
            return x->index[at];
    return NULL;
}

struct exec_node *exec_find(struct exec *x, const struct node *n)
{
    return n ? exec_find_uid(x, n->uid) : NULL;
}

/* ---- the calls --------------------------------------------------------------------------------------- */

static const unsigned long long known_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagDeviceLaunch |
    cudaGraphInstantiateFlagUseNodePriority;

static struct verdict build(struct exec **out, struct graph *g, unsigned long long flags)
{
    struct verdict v = {.error = cudaSuccess, .result = cudaGraphInstantiateSuccess};
    if (flags & ~known_flags) {
        refuse(&v, cudaGraphInstantiateError, NULL);
        return v;
    }
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) && (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)) {
        refuse(&v, cudaGraphInstantiateError, NULL);
        return v;
    }
    if (!check_conditions(g, &v) || !check_nodes(g, flags, false, &v))
        return v;
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) && !v.n_looked_at) {
        refuse(&v, cudaGraphInstantiateError, NULL);
        return v;
    }
    if ((g->n_alloc_nodes && g->has_exec_with_memory) || g->is_body || (g->single && g->single->exists))
        return (struct verdict){.error = cudaErrorNotSupported, .result = cudaGraphInstantiateError};
    struct exec *x = calloc(1, sizeof *x);
    if (!x)
        fatal("out of memory for an executable graph");
    if (!flatten(&x->flat, g, -1)) {
        refuse(&v, cudaGraphInstantiateInvalidStructure, x->flat.cyclic);
        flat_free(&x->flat);
        free(x);
        return v;
    }
    find_chains(&x->flat);
    index_nodes(x);
    x->flags = flags;
    x->device = &sim.devices[thread_self()->device];
    x->shape = graph_clone(g, NULL);
    handle_remove(x->shape);
    x->refs = 1;
    user_refs_copy(&x->user_refs, g->user_refs);
    single_exec_take(x, g);
    each_node(&x->flat, device_node_bind, x);
    x->number = ++sim.n_execs;
    for (int i = 0; i < x->flat.n; i++)
        x->n_roots += x->flat.nodes[i].n_in == 0;
    g->has_exec_with_memory = g->n_alloc_nodes > 0;
    handle_add(x, HANDLE_EXEC);
    *out = x;
    return v;
}

/* Host time of instantiating, besides what every call takes. */
static double cost_us(const struct flat *f)
{
    const struct profile *p = &sim.profile;
    double us = f->width > 1 ? p->graph_instantiate_branch_us * (f->width - 1) : 0;
    for (int i = 0; i < f->n; i++) {
        const struct exec_node *x = &f->nodes[i];
        if (x->work.kind != OP_CONDITION) {
            us += exec_node_is_kernel(x) ? p->graph_instantiate_kernel_us : p->graph_instantiate_node_us;
            continue;
        }
        const struct choice *c = x->work.condition.choice;
        us += p->graph_instantiate_condition_us;
        for (int b = 0; b < c->n; b++)
            us += c->bodies[b].n ? p->graph_instantiate_body_us + cost_us(&c->bodies[b]) : 0;
    }
    return us;
}

/* Host time of destroying, besides what every call takes. */
static double destroy_cost_us(const struct flat *f)
{
    const struct profile *p = &sim.profile;
    double us = p->graph_exec_destroy_node_us * f->n;
    for (int i = 0; i < f->n; i++) {
        const struct choice *c = f->nodes[i].work.kind == OP_CONDITION ? f->nodes[i].work.condition.choice : NULL;
        for (int b = 0; c && b < c->n; b++)
            us += c->bodies[b].n ? p->graph_exec_destroy_body_us + destroy_cost_us(&c->bodies[b]) : 0;
    }
    return us;
}

static struct verdict instantiate(cudaGraphExec_t *out, cudaGraph_t handle, unsigned long long flags)
{
    struct graph *g = graph_of(handle);
    cudaError_t e = capture_unsafe_call();
    if (e == cudaSuccess && (!out || !g))
        e = cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return (struct verdict){.error = e, .result = cudaGraphInstantiateError};
    struct exec *x = NULL;
    struct verdict v = build(&x, g, flags);
    if (v.error != cudaSuccess)
        return v;
    thread_self()->clock += us_to_ns(cost_us(&x->flat));
    *out = (cudaGraphExec_t)x;
    return v;
}

/* Without parameters there is no stream to upload in. */
static cudaError_t instantiate_here(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    return flags & cudaGraphInstantiateFlagUpload ? cudaErrorInvalidValue : instantiate(out, graph, flags).error;
}

EXPORT cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_INSTANTIATE, "cudaGraphInstantiate", &e))
        return e;
    return api_leave(instantiate_here(out, graph, flags));
}

EXPORT cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_INSTANTIATE, "cudaGraphInstantiateWithFlags", &e))
        return e;
    return api_leave(instantiate_here(out, graph, flags));
}

EXPORT cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t graph,
                                                  cudaGraphInstantiateParams *params)
{
    cudaError_t e;
    if (!api_enter(COST_GRAPH_INSTANTIATE, "cudaGraphInstantiateWithParams", &e))
        return e;
    if (!params)
        return api_leave(cudaErrorInvalidValue);
    bool upload = params->flags & cudaGraphInstantiateFlagUpload;
    struct stream *s = upload ? stream_of(params->uploadStream) : NULL;
    struct verdict v = {.error = s && s->capture ? capture_refuses_sync(s) : cudaSuccess,
                        .result = cudaGraphInstantiateError};
    if (v.error == cudaSuccess)
        v = instantiate(out, graph, params->flags);
    params->result_out = v.result;
    params->errNode_out = (cudaGraphNode_t)v.node;
    if (v.error == cudaSuccess && upload) {
        if (!s)
            return api_leave(cudaErrorInvalidResourceHandle);
        exec_upload(exec_of(*out), s);
    }
    return api_leave(v.error);
}

void exec_put(struct exec *x)
{
    if (--x->refs > 0)
        return;
    if (x->uploaded && (x->flags & cudaGraphInstantiateFlagDeviceLaunch))
        sim.n_device_graphs--;
    exec_drop_image(x);
    flat_free(&x->flat);
    graph_put(x->shape);
    condition_defaults_put(x->defaults);
    single_exec_put(x->single);
    free(x->index);
    free(x->lanes);
    if (x->last_end)
        op_put(x->last_end);
    order_drop(&x->last_stamp);
    order_drop(&x->last_run);
    user_refs_drop(&x->user_refs);
    free(x);
}

EXPORT cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    cudaError_t e;
    if (!api_enter(COST_EXEC_DESTROY, "cudaGraphExecDestroy", &e))
        return e;
    if ((e = capture_unsafe_call()) != cudaSuccess)
        return api_leave(e);
    struct exec *x = exec_of(handle);
    if (!x)
        return api_leave(cudaErrorInvalidValue);
    thread_self()->clock += us_to_ns(destroy_cost_us(&x->flat));
    handle_remove(x);
    if (x->single)
        x->single->exists = false;
    each_node(&x->flat, device_node_bind, NULL);
    exec_put(x);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaGraphExecGetFlags", &e))
        return e;
    const struct exec *x = exec_of(handle);
    if (!x || !flags)
        return api_leave(cudaErrorInvalidValue);
    *flags = x->flags & (cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagDeviceLaunch);
    return api_leave(cudaSuccess);
}

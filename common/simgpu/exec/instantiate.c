/* instantiate.c: makes an executable graph of a graph: checks whether it can be instantiated, fixes
 * its structure, and indexes its nodes. */
#include <stdlib.h>

#include "launch.h"

static int n_execs;

/* ---- what cannot be instantiated ------------------------------------------------------------- */

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
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
           type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeGraph;
}

static bool refuse(struct instantiation *v, cudaGraphInstantiateResult result, struct node *n)
{
    *v = (struct instantiation){.error = cudaErrorInvalidValue, .result = result, .node = n};
    return false;
}

/* Does the node run on the device, and copy nothing from or to another one? */
static bool stays_on(const struct node *n, int device)
{
    bool crosses = n->work.kind == OP_COPY && n->work.copy.path == PATH_PEER;
    return n->device == device && !crosses;
}

/* Pageable memory is no device's: an H200 calls a first node that names it unsupported, a later one
 * another's. */
static bool check_for_device(struct node *n, struct instantiation *v)
{
    if (!allowed_on_device(n->type))
        return refuse(v, cudaGraphInstantiateNodeOperationNotSupported, n);
    if (n->work.kind == OP_COPY && n->work.copy.pageable)
        return refuse(v,
                      v->n_looked_at ? cudaGraphInstantiateMultipleDevicesNotSupported
                                     : cudaGraphInstantiateNodeOperationNotSupported,
                      n);
    if (n->type != cudaGraphNodeTypeGraph && v->n_looked_at++ == 0)
        v->device = n->device;
    return n->type == cudaGraphNodeTypeGraph || stays_on(n, v->device) ||
           refuse(v, cudaGraphInstantiateMultipleDevicesNotSupported, n);
}

static bool check_conditions(const struct graph *g, struct instantiation *v)
{
    for (const struct conditional *c = g->conditions; c; c = c->next)
        if (!c->used)
            return refuse(v, cudaGraphInstantiateConditionalHandleUnused, NULL);
    return true;
}

/* `body_of`: the conditional node in whose body they are, or NULL. */
static bool check_nodes(const struct graph *g, unsigned long long flags, const struct node *body_of,
                        struct instantiation *v)
{
    bool for_device = flags & cudaGraphInstantiateFlagDeviceLaunch;
    for (struct node *n = g->nodes; n; n = n->next) {
        if (n->type == cudaGraphNodeTypeMemset && !memset_reaches(&n->work.memset, n->device))
            return refuse(v, cudaGraphInstantiateError, NULL);
        if (body_of && !allowed_in_body(n->type))
            return refuse(v, cudaGraphInstantiateNodeOperationNotSupported, n);
        bool pageable = n->work.kind == OP_COPY && n->work.copy.pageable;
        if (body_of && (pageable || !stays_on(n, body_of->device)))
            return refuse(v, cudaGraphInstantiateMultipleDevicesNotSupported, n);
        if (for_device && !check_for_device(n, v))
            return false;
        if (n->child && !check_nodes(n->child, flags, body_of, v))
            return false;
        for (int i = 0; i < n->n_bodies; i++)
            if (!check_nodes(n->bodies[i], flags, n, v))
                return false;
    }
    return true;
}

static void keep_image(struct exec *x)
{
    if (!(x->flags & cudaGraphInstantiateFlagDeviceLaunch) || !x->uploaded || x->image)
        return;
    x->image = needed(malloc(sizeof *x->image), "what the device has of a graph");
    flat_copy(x->image, &x->flat);
}

void exec_before_change(struct exec *x)
{
    launches_unfold(x);
    x->is_planned = false;
    keep_image(x);
    bool copied = false;
    for (int i = 0; x->defaults && i < x->flat.n; i++)
        copied |= choice_own(&x->flat.nodes[i].work);
    if (!copied)
        return;
    exec_index_nodes(x);
}

/* ---- the calls ------------------------------------------------------------------------------- */

static const unsigned long long known_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

static struct instantiation build(struct exec **out, struct graph *g, unsigned long long flags)
{
    struct instantiation v = {.error = cudaSuccess, .result = cudaGraphInstantiateSuccess};
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) &&
        (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)) {
        refuse(&v, cudaGraphInstantiateError, NULL);
        return v;
    }
    if (!check_conditions(g, &v) || !check_nodes(g, flags, NULL, &v))
        return v;
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) && !v.n_looked_at) {
        refuse(&v, cudaGraphInstantiateError, NULL);
        return v;
    }
    if (g->parent || (g->single && g->single->exists))
        return (struct instantiation){.error = cudaErrorNotSupported,
                                      .result = cudaGraphInstantiateError};
    struct exec *x = needed(calloc(1, sizeof *x), "an executable graph");
    if (!flatten(&x->flat, g, -1)) {
        refuse(&v, cudaGraphInstantiateInvalidStructure, x->flat.cyclic);
        flat_free(&x->flat);
        free(x);
        return v;
    }
    find_chains(&x->flat);
    find_successors(&x->flat);
    exec_index_nodes(x);
    x->flags = flags;
    x->device = &devices[thread_self()->device];
    x->shape = graph_clone(g, NULL);
    handle_remove(x->shape);
    user_refs_drop(&x->shape->user_refs);
    x->refs = 1;
    user_refs_copy(&x->user_refs, g->user_refs);
    single_exec_take(x, g);
    exec_each_node(x, device_node_bind, x);
    x->number = ++n_execs;
    nodes_instantiated += x->flat.n;
    x->made_before = nodes_instantiated;
    x->for_device = flags & cudaGraphInstantiateFlagDeviceLaunch;
    unsigned used = 0; /* a bit for each device */
    for (int i = 0; i < x->flat.n; i++) {
        const struct exec_node *n = &x->flat.nodes[i];
        const struct kernel_call *k = n->work.kind == OP_KERNEL ? n->work.kernel.call : NULL;
        used |= 1u << n->device;
        x->for_device = x->for_device || (k && kernel_launches_graphs(k));
    }
    x->n_devices = __builtin_popcount(used);
    handle_add(x, HANDLE_EXEC);
    *out = x;
    return v;
}

/* Host time of instantiating, besides what every call takes. */
static double cost_us(const struct flat *f)
{
    double us = cost_instantiate_us(f->width);
    for (int i = 0; i < f->n; i++) {
        const struct exec_node *x = &f->nodes[i];
        if (x->work.kind != OP_CONDITION) {
            us += cost_instantiate_node_us(exec_node_is_kernel(x));
            continue;
        }
        const struct choice *c = x->work.condition.choice;
        us += cost_instantiate_condition_us();
        for (int b = 0; b < c->n; b++)
            us += c->bodies[b].n ? cost_instantiate_body_us() + cost_us(&c->bodies[b]) : 0;
    }
    return us;
}

/* Host time of destroying, besides what every call takes. */
static double destroy_cost_us(const struct flat *f)
{
    double us = cost_exec_destroy_us(f->n);
    for (int i = 0; i < f->n; i++) {
        const struct choice *c =
            f->nodes[i].work.kind == OP_CONDITION ? f->nodes[i].work.condition.choice : NULL;
        for (int b = 0; c && b < c->n; b++)
            us += c->bodies[b].n ? cost_exec_destroy_body_us() + destroy_cost_us(&c->bodies[b]) : 0;
    }
    return us;
}

struct instantiation exec_instantiate(cudaGraphExec_t *out, cudaGraph_t handle,
                                      unsigned long long flags)
{
    struct graph *g = graph_of(handle);
    cudaError_t e = flags & ~known_flags ? cudaErrorInvalidValue : capture_unsafe_call();
    if (e == cudaSuccess && (!out || !g))
        e = cudaErrorInvalidValue;
    if (!g)
        refusal_note_handle(handle, "graph");
    if (e != cudaSuccess)
        return (struct instantiation){.error = e, .result = cudaGraphInstantiateError};
    struct exec *x = NULL;
    struct instantiation v = build(&x, g, flags);
    if (v.error != cudaSuccess)
        return v;
    thread_self()->clock += us_to_ns(cost_us(&x->flat));
    *out = (cudaGraphExec_t)x;
    return v;
}

void exec_unbind(struct exec *x)
{
    exec_each_node(x, device_node_bind, NULL);
}

ns_t exec_destroy_cost(const struct exec *x)
{
    return us_to_ns(destroy_cost_us(&x->flat));
}

/* graph_update.c: cudaGraphExecUpdate: a whole executable graph takes over the parameters of
 * another graph with the same structure.
 *
 * Nodes of the two graphs are paired as the driver of an H200 pairs them. It begins with the nodes
 * without successors, the last created first. Then it pairs the predecessors of each pair, in the
 * order in which the edges were added. Names, handles and the order of creation count for nothing
 * else. Each pair is compared when its turn comes. */
#include <stdlib.h>
#include <string.h>

#include "exec.h"

/* What two graphs are compared for. */
struct comparison {
    cudaGraphExecUpdateResultInfo *info; /* where the first difference goes */
    bool priorities;                     /* of kernels count, too */
    bool own_memory;                     /* the executable graph allocates its own */
    struct node **queue;                 /* nodes of the old graph whose pairs are to be compared */
    int n;
};

static bool fail(struct comparison *c, enum cudaGraphExecUpdateResult result, struct node *n,
                 struct node *from)
{
    c->info->result = result;
    c->info->errorNode = (cudaGraphNode_t)n;
    c->info->errorFromNode = (cudaGraphNode_t)from;
    return false;
}

static void pair(struct comparison *c, struct node *a, struct node *b)
{
    a->pair = b;
    b->pair = a;
    c->queue[c->n++] = a;
}

static int sinks(struct node **out, struct graph *g)
{
    int n = 0;
    for (struct node *m = g->nodes; m; m = m->next) {
        m->pair = NULL;
        n += m->out.n == 0;
    }
    int at = n;
    for (struct node *m = g->nodes; m && at > 0; m = m->next)
        if (m->out.n == 0)
            out[--at] = m;
    return n;
}

static bool pair_sinks(struct comparison *c, struct graph *old, struct graph *new)
{
    struct node **all = needed(malloc((2 * (size_t)old->n_nodes + 1) * sizeof *all),
                               "an update of %d nodes", old->n_nodes);
    struct node **theirs = all + old->n_nodes;
    int n = sinks(all, old), n_theirs = sinks(theirs, new);
    bool good = n == n_theirs || fail(c, cudaGraphExecUpdateErrorTopologyChanged,
                                      n_theirs > n ? theirs[n] : NULL, NULL);
    for (int i = 0; i < n && good; i++)
        pair(c, all[i], theirs[i]);
    free(all);
    return good;
}

static bool same_shape(struct graph *old, struct graph *new, const struct comparison *outer);

/* Memory of another graph's alloc node cannot take the place of its own. */
static bool names_foreign_memory(const struct node *a, const struct node *b)
{
    if (a->work.kind != OP_MEMSET || a->work.memset.dst == b->work.memset.dst)
        return false;
    const struct allocation *memory = memory_find(b->work.memset.dst);
    return memory && memory->kind == MEMORY_GRAPH;
}

/* In a batch of copies, one of size 0 is none. */
static bool switches_copy(const struct node *a, const struct node *b)
{
    return a->type == cudaGraphNodeTypeMemcpy &&
           (a->work.kind == OP_MARKER || b->work.kind == OP_MARKER);
}

static bool same_node(struct comparison *c, const struct node *a, struct node *b)
{
    if (a->in.n != b->in.n)
        return fail(c, cudaGraphExecUpdateErrorTopologyChanged, b, NULL);
    if (a->type != b->type)
        return fail(c, cudaGraphExecUpdateErrorNodeTypeChanged, b, NULL);
    if (!switches_copy(a, b) && !work_can_become(&a->work, &b->work))
        return fail(c, cudaGraphExecUpdateErrorParametersChanged, b, NULL);
    if (a->type == cudaGraphNodeTypeKernel && a->device != b->device)
        return fail(c, cudaGraphExecUpdateErrorUnsupportedFunctionChange, b, NULL);
    if (a->type == cudaGraphNodeTypeKernel &&
        (!kernel_attributes_match(&a->attributes, &b->attributes) ||
         (c->priorities && a->priority != b->priority)))
        return fail(c, cudaGraphExecUpdateErrorAttributesChanged, b, NULL);
    if (c->own_memory && names_foreign_memory(a, b))
        return fail(c, cudaGraphExecUpdateError, b, NULL);
    return !a->child || same_shape(a->child, b->child, c);
}

static bool pair_dependencies(struct comparison *c, const struct node *a, struct node *b)
{
    for (int i = 0; i < a->in.n; i++) {
        struct node *x = a->in.at[i].node, *y = b->in.at[i].node;
        if (memcmp(&a->in.at[i].data, &b->in.at[i].data, sizeof a->in.at[i].data) != 0)
            return fail(c, cudaGraphExecUpdateErrorTopologyChanged, b, y);
        if (!x->pair && !y->pair)
            pair(c, x, y);
        else if (x->pair != y)
            return fail(c, cudaGraphExecUpdateErrorTopologyChanged, b, y);
    }
    return true;
}

/* Conditional nodes keep their kind, their bodies and their handles; of several that do not, the
 * last is named. */
static bool same_conditions(struct comparison *c, struct graph *old)
{
    bool good = true;
    for (struct node *a = old->nodes; a; a = a->next) {
        struct node *b = a->pair;
        if (a->n_bodies != b->n_bodies || a->condition_type != b->condition_type ||
            a->condition != b->condition)
            good = fail(c, cudaGraphExecUpdateErrorNotSupported, b, NULL);
    }
    for (struct node *a = old->nodes; a && good; a = a->next)
        for (int i = 0; good && i < a->n_bodies; i++)
            good = same_shape(a->bodies[i], a->pair->bodies[i], c);
    return good;
}

static bool same_shape(struct graph *old, struct graph *new, const struct comparison *outer)
{
    struct comparison c = *outer;
    if (old->n_nodes != new->n_nodes)
        return fail(&c, cudaGraphExecUpdateErrorTopologyChanged, NULL, NULL);
    c.queue = needed(malloc(((size_t)old->n_nodes + 1) * sizeof *c.queue), "an update of %d nodes",
                     old->n_nodes);
    c.n = 0;
    bool good = pair_sinks(&c, old, new);
    for (int i = 0; i < c.n && good; i++)
        good = same_node(&c, c.queue[i], c.queue[i]->pair) &&
               pair_dependencies(&c, c.queue[i], c.queue[i]->pair);
    if (good && c.n < old->n_nodes) /* a cycle, which nothing that ends leads to */
        good = fail(&c, cudaGraphExecUpdateErrorTopologyChanged, NULL, NULL);
    free(c.queue);
    return good && same_conditions(&c, old);
}

/* old is the exec's clone, whose nodes know the nodes they were cloned from. */
static void take_over(struct exec *x, struct graph *old)
{
    for (struct node *a = old->nodes; a; a = a->next) {
        const struct node *b = a->pair;
        struct exec_node *n = exec_find_uid(x, a->origin);
        work_drop(&a->work);
        work_copy(&a->work, &b->work);
        if (n && !a->n_bodies) {
            work_drop(&n->work);
            work_copy(&n->work, &b->work);
            n->known = memory_latest();
        }
        if (a->child)
            take_over(x, a->child);
        for (int i = 0; i < a->n_bodies; i++)
            take_over(x, a->bodies[i]);
    }
}

/* The exec does from now on, in the part that `old` (of its clone) is, what `new` says. */
cudaError_t exec_update(struct exec *x, struct graph *old, struct graph *new,
                        cudaGraphExecUpdateResultInfo *info)
{
    struct comparison c = {.info = info,
                           .priorities = x->flags & cudaGraphInstantiateFlagUseNodePriority,
                           .own_memory = x->shape->n_memory_nodes > 0};
    *info = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateSuccess};
    thread_self()->clock += cost_graph_update(new->n_nodes);
    if (!same_shape(old, new, &c))
        return cudaErrorGraphExecUpdateFailure;
    exec_before_change(x);
    take_over(x, old);
    old->origin = new->uid;
    return cudaSuccess;
}

cudaError_t exec_set_child(struct exec *x, const struct node *n, struct graph *g)
{
    cudaGraphExecUpdateResultInfo info;
    struct node *mine = x->shape->nodes;
    while (mine && mine->origin != n->uid)
        mine = mine->next;
    return mine ? exec_update(x, mine->child, g, &info) : cudaErrorInvalidValue;
}

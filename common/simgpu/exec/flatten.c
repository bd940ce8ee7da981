/* flatten.c: the nodes of a graph in one list, each after its predecessors and child graphs in
 * place, and the chains of nodes that follow each other. */
#include <stdlib.h>
#include <string.h>

#include "exec.h"

/* ---- flattening ------------------------------------------------------------------------------ */

static int flat_add(struct flat *f, const struct node *n)
{
    f->nodes = room_for_one(f->nodes, (size_t)f->n, &f->cap, sizeof *f->nodes,
                            "nodes of an executable graph");
    struct exec_node *x = &f->nodes[f->n];
    memset(x, 0, sizeof *x);
    x->work = (struct work){.kind = OP_MARKER, .name = "graph node"};
    x->first_in = f->n_ins;
    x->chain = -1;
    if (n) {
        x->type = n->type;
        x->source = n->uid;
        x->number = n->number;
        x->device = n->device;
        x->crosses = n->work.kind == OP_COPY && n->work.copy.path == PATH_PEER;
        x->known = memory_latest();
        x->priority = n->priority;
        work_copy(&x->work, &n->work);
        if (x->work.kind == OP_KERNEL)
            x->work.kernel.cooperative = n->attributes.cooperative;
        exec_node_updatable(x, n);
        x->memory = n->memory;
        if (x->memory)
            x->memory->refs++;
    }
    return f->n++;
}

static void flat_edge(struct flat *f, struct flat_in in, int to)
{
    f->in = room_for_one(f->in, (size_t)f->n_ins, &f->cap_ins, sizeof *f->in,
                         "edges of an executable graph");
    f->in[f->n_ins++] = in;
    f->nodes[to].crosses |= f->nodes[in.from].device != f->nodes[to].device;
    f->nodes[to].n_in++;
    if (in.order == AFTER_END || in.programmatic)
        f->nodes[in.from].has_out = true;
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

/* Nodes in the order in which the host launches them: as they were made, if that is possible, else
 * each after all it waits for. False: there is a cycle. */
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

/* Is g the body of a conditional node, or a child in one? */
static bool in_body(const struct graph *g)
{
    while (g && !g->is_body)
        g = g->parent;
    return g != NULL;
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

static struct flat_in after_end(int from)
{
    return (struct flat_in){.from = from, .order = AFTER_END};
}

/* An H200 starts a node early only if it has one edge alone; a capture may put any data on edges.
 */
static struct flat_in edge_of(const struct node *n, const struct link *l)
{
    struct flat_in in = after_end(l->node->mark);
    bool programmatic = l->data.type == cudaGraphDependencyTypeProgrammatic;
    if (n->in.n > 1 || l->node->type != cudaGraphNodeTypeKernel ||
        (programmatic && n->type != cudaGraphNodeTypeKernel))
        return in;
    if (l->data.from_port == cudaGraphKernelNodePortLaunchCompletion)
        in.order = AFTER_START;
    else if (l->data.from_port == cudaGraphKernelNodePortProgrammatic)
        in.order = AFTER_TRIGGER;
    in.programmatic = programmatic;
    return in;
}

static void depend(struct flat *f, const struct node *n, int at, int open)
{
    for (int i = 0; i < n->in.n; i++)
        flat_edge(f, edge_of(n, &n->in.at[i]), at);
    if (n->in.n == 0 && open >= 0)
        flat_edge(f, after_end(open), at);
}

/* The child's nodes between an opening marker and a closing one, which stands for the child graph
 * node. */
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
            flat_edge(f, after_end(i), last);
    n->mark = last;
    return true;
}

bool flatten(struct flat *f, const struct graph *g, int open)
{
    struct node **order = needed(malloc(((size_t)g->n_nodes + 1) * sizeof *order),
                                 "the order of %d nodes", g->n_nodes);
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
        f->nodes[at].in_body = in_body(g);
        if (n->n_bodies)
            good = flatten_bodies(f, &f->nodes[at], n);
    }
    for (struct node *n = g->nodes; n; n = n->next)
        n->mark = 0;
    free(order);
    return good;
}

/* ---- chains ---------------------------------------------------------------------------------- */

void find_chains(struct flat *f)
{
    bool *taken = calloc((size_t)f->n + 1, sizeof *taken);
    int *level = calloc((size_t)f->n + 1, sizeof *level),
        *at_level = calloc((size_t)f->n + 1, sizeof *at_level);
    if (!taken || !level || !at_level)
        fatal("out of memory for the chains of %d nodes", f->n);
    for (int i = 0; i < f->n; i++) {
        struct exec_node *x = &f->nodes[i];
        for (int k = 0; k < x->n_in; k++) {
            int d = f->in[x->first_in + k].from;
            bool follows =
                f->in[x->first_in + k].order == AFTER_END || f->in[x->first_in + k].programmatic;
            if (x->chain < 0 && !taken[d] && follows) {
                x->chain = f->nodes[d].chain;
                x->continues = x->n_in == 1 && f->in[x->first_in].order == AFTER_END;
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

void find_successors(struct flat *f)
{
    int at = 0;
    f->out = needed(malloc(((size_t)f->n_ins + 2 * (size_t)f->n + 1) * sizeof *f->out),
                    "the %d edges of an executable graph", f->n_ins);
    for (int i = 0; i < f->n_ins; i++)
        f->nodes[f->in[i].from].n_out++;
    for (int i = 0; i < f->n; at += f->nodes[i++].n_out)
        f->nodes[i].first_out = at;
    for (int i = 0; i < f->n; i++)
        for (int k = 0; k < f->nodes[i].n_in; k++)
            f->out[f->nodes[f->in[f->nodes[i].first_in + k].from].first_out++] = i;
    for (int i = 0; i < f->n; i++) {
        f->nodes[i].first_out -= f->nodes[i].n_out;
        if (f->nodes[i].n_in == 0)
            f->out[at + f->n_roots++] = i;
    }
    f->sinks = f->out + at + f->n_roots;
    for (int i = 0; i < f->n; i++)
        if (!f->nodes[i].has_out)
            f->sinks[f->n_sinks++] = i;
}

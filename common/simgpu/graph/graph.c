/* graph.c: graphs: nodes, edges, clones. node.c has the work of a node; exec/instantiate.c and
 * exec/launch.c run it. */
#include "graph.h"

#include <stdlib.h>

static uint64_t n_uids;

/* ---- graphs ---------------------------------------------------------------------------------- */

struct graph *graph_new(struct graph *parent)
{
    struct graph *g = needed(calloc(1, sizeof *g), "a graph");
    g->uid = ++n_uids;
    g->end = &g->nodes;
    g->parent = parent;
    g->refs = 1;
    handle_add(g, HANDLE_GRAPH);
    return g;
}

bool graph_is_programs(const struct graph *g)
{
    return g->parent == NULL && g->capture == NULL;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool is_memory_node(enum cudaGraphNodeType type)
{
    return type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree;
}

struct node *node_new(struct graph *g, enum cudaGraphNodeType type, const struct work *work)
{
    struct node *n = needed(calloc(1, sizeof *n), "a graph of %d nodes", g->n_nodes);
    n->graph = g;
    links_init(&n->in);
    links_init(&n->out);
    n->type = type;
    n->uid = ++n_uids;
    n->number = (g->is_body ? graph_top(g) : g)->n_numbers++;
    n->attributes = kernel_attributes_fresh();
    if (work)
        n->work = *work;
    else
        n->work.kind = OP_MARKER;
    n->prev = g->end;
    *g->end = n;
    g->end = &n->next;
    g->n_nodes++;
    g->n_memory_nodes += is_memory_node(type);
    handle_add(n, HANDLE_NODE);
    return n;
}

void graph_disown(struct graph *g)
{
    g->parent = NULL;
    if (g->refs > 1)
        handle_remove(g);
    graph_put(g);
}

/* Everything of a node but its edges and its place in the graph. */
static void node_free(struct node *n)
{
    batch_put(n->batch);
    if (n->child)
        graph_disown(n->child);
    struct conditional *c = n->n_bodies ? conditional_of(n->graph, n->condition) : NULL;
    if (c)
        c->used = false;
    for (int i = 0; i < n->n_bodies; i++)
        graph_disown(n->bodies[i]);
    if (n->memory)
        graph_memory_put(n->memory);
    device_node_put(n->updatable);
    work_drop(&n->work);
    handle_remove(n);
    free(n->bodies);
    links_free(&n->in);
    links_free(&n->out);
    free(n);
}

void node_destroy(struct node *n)
{
    struct graph *g = n->graph;
    edges_drop(n);
    *n->prev = n->next;
    if (n->next)
        n->next->prev = n->prev;
    else
        g->end = n->prev;
    g->n_nodes--;
    g->n_memory_nodes -= is_memory_node(n->type);
    node_free(n);
}

void graph_put(struct graph *g)
{
    if (--g->refs > 0)
        return;
    conditions_free(g); /* first: no node has to look for its own */
    for (struct node *n = g->nodes, *next; n; n = next) {
        next = n->next;
        node_free(n);
    }
    single_exec_put(g->single);
    user_refs_drop(&g->user_refs);
    handle_remove(g);
    free(g);
}

/* ---- dependencies ---------------------------------------------------------------------------- */

cudaError_t dependencies_check(const struct graph *g, const cudaGraphNode_t *nodes, size_t n)
{
    if (n && !nodes)
        return cudaErrorInvalidValue;
    cudaError_t e = cudaSuccess;
    for (size_t i = 0; i < n; i++) {
        struct node *d = node_of(nodes[i]);
        const bool is_good = d && d->graph == g && d->mark != -1;
        if (!is_good) {
            e = cudaErrorInvalidValue;
            refusal_note(!nodes[i]             ? SIMGPU_REFUSED_NODE_NULL
                         : !d || d->graph != g ? SIMGPU_REFUSED_NODE_UNKNOWN
                                               : SIMGPU_REFUSED_NODE_TWICE,
                         "", (int64_t)i, (int64_t)n, 0);
        }
        if (d)
            d->mark = -1;
    }
    for (size_t i = 0; i < n; i++)
        if (node_of(nodes[i]))
            node_of(nodes[i])->mark = 0;
    return e;
}

/* ---- clones ---------------------------------------------------------------------------------- */

static struct node *clone_node(struct graph *copy, const struct node *n)
{
    struct node *m = node_new(copy, n->type, NULL);
    work_copy(&m->work, &n->work);
    m->number = n->number;
    m->device = n->device;
    m->origin = n->uid;
    m->priority = n->priority;
    m->attributes = n->attributes;
    m->copy_place = n->copy_place;
    m->condition = n->condition;
    m->condition_type = n->condition_type;
    batch_share(m, n);
    m->updatable = n->updatable;
    device_node_get(m->updatable);
    graph_top(copy)->n_updatable += m->updatable != NULL;
    if (n->child)
        m->child = graph_clone(n->child, copy);
    if (n->n_bodies) {
        m->bodies = needed(calloc((size_t)n->n_bodies, sizeof *m->bodies),
                           "the bodies of a conditional node");
        m->n_bodies = n->n_bodies;
        for (int i = 0; i < n->n_bodies; i++) {
            m->bodies[i] = graph_clone(n->bodies[i], copy);
            m->bodies[i]->is_body = true;
        }
    }
    if (n->memory) {
        m->memory = n->memory;
        m->memory->refs++;
    }
    return m;
}

struct graph *graph_clone(const struct graph *g, struct graph *parent)
{
    struct graph *copy = graph_new(parent);
    struct node **map =
        needed(calloc((size_t)g->n_nodes + 1, sizeof *map), "a copy of %d nodes", g->n_nodes);
    copy->origin = g->uid;
    int i = 0;
    for (struct node *n = g->nodes; n; n = n->next) {
        n->mark = i;
        map[i++] = clone_node(copy, n);
    }
    for (struct node *n = g->nodes; n; n = n->next)
        for (int k = 0; k < n->in.n; k++)
            edge_add(map[n->in.at[k].node->mark], map[n->mark], &n->in.at[k].data);
    for (struct node *n = g->nodes; n; n = n->next)
        n->mark = 0;
    copy->n_numbers = g->n_numbers;
    user_refs_copy(&copy->user_refs, g->user_refs);
    free(map);
    return copy;
}

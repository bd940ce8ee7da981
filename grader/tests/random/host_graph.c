/* host_graph.c: graphs built and changed by the node API in random programs. */
#include "host_program.h"

#include <string.h>

/* A graph that no capture adds to; NULL: there is none. */
static struct random_graph *any_graph(struct program *p, int *number)
{
    int g = (int)pick(p, MAX_GRAPHS);
    for (int i = 0; i < MAX_GRAPHS && (!p->graphs[g].used || p->graphs[g].busy); i++)
        g = (g + 1) % MAX_GRAPHS;
    *number = g;
    return p->graphs[g].used && !p->graphs[g].busy ? &p->graphs[g] : NULL;
}

int any_node(struct program *p, const struct random_graph *g)
{
    if (g->model.n == 0)
        return -1;
    int n = (int)pick(p, (unsigned)g->model.n);
    for (int i = 0; i < g->model.n && !g->nodes[n]; i++)
        n = (n + 1) % g->model.n;
    return g->nodes[n] ? n : -1;
}

static void clone_graph(struct program *p, int from, int to)
{
    struct random_graph *a = &p->graphs[from], *b = &p->graphs[to];
    cudaGraph_t new = NULL;
    if (said(p, cudaGraphClone(&new, a->handle), "cudaGraphClone g%d of g%d", to, from) !=
        cudaSuccess)
        return;
    *b = (struct random_graph){.handle = new, .used = true, .family = a->family, .model = a->model};
    for (int i = 0; i < a->model.n; i++) {
        cudaGraphNode_t found = NULL;
        if (a->nodes[i] && cudaGraphNodeFindInClone(&found, a->nodes[i], new) == cudaSuccess)
            b->nodes[i] = found;
        else if (a->nodes[i])
            fprintf(p->out, "  node %d is not found in the clone\n", i);
    }
}

void do_graph(struct program *p)
{
    int g = (int)pick(p, MAX_GRAPHS), other;
    struct random_graph *graph = &p->graphs[g];
    if (graph->used && !graph->busy && once_in(p, 4)) {
        said(p, cudaGraphDestroy(graph->handle), "cudaGraphDestroy g%d", g);
        graph->used = false;
        for (int i = 0; i < MAX_EXECS; i++)
            if (p->execs[i].graph == g)
                p->execs[i].graph = -1;
    } else if (!graph->used && once_in(p, 2) && any_graph(p, &other)) {
        clone_graph(p, other, g);
    } else if (!graph->used) {
        cudaGraph_t new = NULL;
        unsigned flags = once_in(p, 20);
        if (said(p, cudaGraphCreate(&new, flags), "cudaGraphCreate g%d %u", g, flags) ==
            cudaSuccess)
            *graph = (struct random_graph){.handle = new, .used = true, .family = ++p->families};
    }
}

/* What node() adds next: all that its call needs. */
struct adding {
    struct random_graph *graph;
    int number;
    cudaGraphNode_t after[4];
    size_t n;
    uint64_t bits;
    cudaGraphNode_t node;
};

static cudaError_t add_copy(struct program *p, struct adding *a)
{
    struct plain_copy c;
    choose_copy(p, &c);
    cudaError_t e = cudaGraphAddMemcpyNode1D(&a->node, a->graph->handle, a->after, a->n, c.to,
                                             c.from, c.bytes, c.kind);
    said(p, e, "cudaGraphAddMemcpyNode1D g%d.%d %s", a->number, a->graph->model.n, c.words);
    if (e == cudaSuccess)
        graph_add(&a->graph->model, NODE_COPY, &c.touch, a->bits, 0);
    return e;
}

static struct cudaMemsetParams memset_params(struct program *p, const struct plain_set *m)
{
    return (struct cudaMemsetParams){.dst = m->to,
                                     .pitch = m->pitch,
                                     .value = m->value,
                                     .elementSize = once_in(p, 25) ? 3 : m->element_bytes,
                                     .width = m->width,
                                     .height = m->rows};
}

static cudaError_t add_set(struct program *p, struct adding *a)
{
    struct plain_set m;
    choose_set(p, &m);
    struct cudaMemsetParams params = memset_params(p, &m);
    cudaError_t e = cudaGraphAddMemsetNode(&a->node, a->graph->handle, a->after, a->n, &params);
    said(p, e, "cudaGraphAddMemsetNode g%d.%d %s element %u", a->number, a->graph->model.n, m.words,
         params.elementSize);
    if (e == cudaSuccess)
        graph_add(&a->graph->model, NODE_SET, &m.touch, a->bits, 0);
    return e;
}

static cudaError_t add_host(struct program *p, struct adding *a)
{
    struct touch t;
    char words[80] = "";
    struct note *note = choose_note(p, &t, words);
    struct cudaHostNodeParams params = {.fn = note ? write_note : NULL, .userData = note};
    cudaError_t e = cudaGraphAddHostNode(&a->node, a->graph->handle, a->after, a->n, &params);
    said(p, e, "cudaGraphAddHostNode g%d.%d %s", a->number, a->graph->model.n, words);
    if (e == cudaSuccess)
        graph_add(&a->graph->model, NODE_HOST, &t, a->bits, 0);
    return e;
}

static cudaError_t add_event(struct program *p, struct adding *a)
{
    int v = (int)pick(p, MAX_EVENTS);
    bool record = once_in(p, 2);
    cudaEvent_t event = p->events[v].used ? p->events[v].handle : NULL;
    cudaError_t e =
        record ? cudaGraphAddEventRecordNode(&a->node, a->graph->handle, a->after, a->n, event)
               : cudaGraphAddEventWaitNode(&a->node, a->graph->handle, a->after, a->n, event);
    said(p, e, "cudaGraphAddEvent%sNode g%d.%d %s%d", record ? "Record" : "Wait", a->number,
         a->graph->model.n, event ? "e" : "NULL e", v);
    if (e == cudaSuccess) {
        graph_add(&a->graph->model, record ? NODE_RECORD : NODE_WAIT, NULL, a->bits, v);
        p->events[v].kept = true;
    }
    return e;
}

static cudaError_t add_child(struct program *p, struct adding *a)
{
    int c;
    struct touch t;
    struct random_graph *child = any_graph(p, &c);
    if (child == a->graph)
        return cudaErrorInvalidValue; /* the runtime crashes on a graph that is to be its own child
                                       */
    cudaError_t e =
        cudaGraphAddChildGraphNode(&a->node, a->graph->handle, a->after, a->n, child->handle);
    said(p, e, "cudaGraphAddChildGraphNode g%d.%d g%d", a->number, a->graph->model.n, c);
    if (e == cudaSuccess) {
        struct cells racy = {{0}};
        graph_races(&child->model, &racy);
        graph_touch(&child->model, &t);
        graph_add(&a->graph->model, NODE_CHILD, &t, a->bits, 0);
        a->graph->model.nodes[a->graph->model.n - 1].racy = racy;
    }
    return e;
}

void do_node(struct program *p)
{
    struct adding a = {0};
    a.graph = any_graph(p, &a.number);
    if (!a.graph || a.graph->model.n >= MAX_NODES - 1)
        return;
    unsigned wanted = pick(p, 4);
    for (unsigned i = 0; i < wanted; i++) {
        int n = a.graph->model.n > 3 && once_in(p, 2) ? a.graph->model.n - 1 : any_node(p, a.graph);
        if (n < 0 || !a.graph->nodes[n] || (a.bits >> n & 1))
            continue;
        a.after[a.n++] = a.graph->nodes[n];
        a.bits |= UINT64_C(1) << n;
    }
    cudaError_t e;
    unsigned kind = pick(p, 16);
    if (kind < 5)
        e = add_copy(p, &a);
    else if (kind < 9)
        e = add_set(p, &a);
    else if (kind < 12)
        e = add_host(p, &a);
    else if (kind == 12)
        e = add_event(p, &a);
    else if (kind == 13)
        e = add_child(p, &a);
    else if (kind == 14 && once_in(p, 3)) {
        a.n = 1, a.after[0] = NULL;
        e = said(p, cudaGraphAddEmptyNode(&a.node, a.graph->handle, a.after, 1),
                 "empty node after NULL");
    } else {
        e = cudaGraphAddEmptyNode(&a.node, a.graph->handle, a.after, a.n);
        said(p, e, "cudaGraphAddEmptyNode g%d.%d", a.number, a.graph->model.n);
        if (e == cudaSuccess)
            graph_add(&a.graph->model, NODE_EMPTY, NULL, a.bits, 0);
    }
    if (e == cudaSuccess)
        a.graph->nodes[a.graph->model.n - 1] = a.node;
}

void do_node_set(struct program *p)
{
    int g, n;
    struct random_graph *graph = any_graph(p, &g);
    if (!graph || (n = any_node(p, graph)) < 0)
        return;
    struct graph_node *node = &graph->model.nodes[n];
    struct plain_copy c;
    struct plain_set m;
    struct touch t;
    char words[80] = "";
    choose_copy(p, &c), choose_set(p, &m);
    struct note *note = choose_note(p, &t, words);
    bool wrong = once_in(p, 8);
    if (node->kind == NODE_COPY || (wrong && node->kind == NODE_SET)) {
        if (said(p, cudaGraphMemcpyNodeSetParams1D(graph->nodes[n], c.to, c.from, c.bytes, c.kind),
                 "cudaGraphMemcpyNodeSetParams1D g%d.%d %s", g, n, c.words) == cudaSuccess)
            node->touch = c.touch;
    } else if (node->kind == NODE_SET || (wrong && node->kind == NODE_HOST)) {
        struct cudaMemsetParams params = memset_params(p, &m);
        if (said(p, cudaGraphMemsetNodeSetParams(graph->nodes[n], &params),
                 "cudaGraphMemsetNodeSetParams g%d.%d %s element %u", g, n, m.words,
                 params.elementSize) == cudaSuccess)
            node->touch = m.touch;
    } else if ((node->kind == NODE_HOST || wrong) && note) {
        struct cudaHostNodeParams params = {.fn = write_note, .userData = note};
        if (said(p, cudaGraphHostNodeSetParams(graph->nodes[n], &params),
                 "cudaGraphHostNodeSetParams g%d.%d %s", g, n, words) == cudaSuccess)
            node->touch = t;
    }
}

/* A destroyed node keeps its number, and nothing else. */
static void destroy_node(struct program *p, struct random_graph *graph, int g, int n)
{
    if (said(p, cudaGraphDestroyNode(graph->nodes[n]), "cudaGraphDestroyNode g%d.%d", g, n) !=
        cudaSuccess)
        return;
    graph->nodes[n] = NULL;
    memset(&graph->model.nodes[n], 0, sizeof graph->model.nodes[n]);
    for (int i = 0; i < graph->model.n; i++)
        graph->model.nodes[i].after &= ~(UINT64_C(1) << n);
}

void do_edge(struct program *p)
{
    int g, from, to;
    struct random_graph *graph = any_graph(p, &g);
    if (!graph || (from = any_node(p, graph)) < 0 || (to = any_node(p, graph)) < 0)
        return;
    if (from > to && !once_in(p, 10)) {
        int swap = from;
        from = to, to = swap;
    }
    uint64_t bit = UINT64_C(1) << from;
    cudaGraphNode_t a = graph->nodes[from], b = graph->nodes[to];
    if (once_in(p, 12)) {
        destroy_node(p, graph, g, from);
    } else if (once_in(p, 4)) {
        if (said(p, cudaGraphRemoveDependencies(graph->handle, &a, &b, NULL, 1),
                 "cudaGraphRemoveDependencies g%d.%d g%d.%d", g, from, g, to) == cudaSuccess)
            graph->model.nodes[to].after &= ~bit;
    } else if (said(p, cudaGraphAddDependencies(graph->handle, &a, &b, NULL, 1),
                    "cudaGraphAddDependencies g%d.%d g%d.%d", g, from, g, to) == cudaSuccess) {
        graph->model.nodes[to].after |= bit;
    }
}

void do_graph_query(struct program *p)
{
    int g, n;
    struct random_graph *graph = any_graph(p, &g);
    size_t nodes = 0, roots = 0, edges = 0, before = 0, behind = 0;
    if (!graph)
        return;
    cudaError_t e = cudaGraphGetNodes(graph->handle, NULL, &nodes);
    said(p, e, "cudaGraphGetNodes g%d = %zu", g, nodes);
    e = cudaGraphGetRootNodes(graph->handle, NULL, &roots);
    said(p, e, "cudaGraphGetRootNodes g%d = %zu", g, roots);
    e = cudaGraphGetEdges(graph->handle, NULL, NULL, NULL, &edges);
    said(p, e, "cudaGraphGetEdges g%d = %zu", g, edges);
    if ((n = any_node(p, graph)) < 0)
        return;
    enum cudaGraphNodeType type = (enum cudaGraphNodeType)99;
    e = cudaGraphNodeGetType(graph->nodes[n], &type);
    said(p, e, "cudaGraphNodeGetType g%d.%d = %d", g, n, (int)type);
    e = cudaGraphNodeGetDependencies(graph->nodes[n], NULL, NULL, &before);
    said(p, e, "cudaGraphNodeGetDependencies g%d.%d = %zu", g, n, before);
    e = cudaGraphNodeGetDependentNodes(graph->nodes[n], NULL, NULL, &behind);
    said(p, e, "cudaGraphNodeGetDependentNodes g%d.%d = %zu", g, n, behind);
    if (once_in(p, 2))
        return;
    struct cudaMemsetParams m = {0};
    e = cudaGraphMemsetNodeGetParams(graph->nodes[n], &m);
    said(p, e, "cudaGraphMemsetNodeGetParams g%d.%d = %ux%u w%zu h%zu", g, n, m.value,
         m.elementSize, m.width, m.height);
}

/* host_exec.c: graphs instantiated, launched and updated in random programs. */
#include "host_program.h"

static struct random_exec *any_exec(struct program *p, int *number)
{
    int x = (int)pick(p, MAX_EXECS);
    for (int i = 0; i < MAX_EXECS && !p->execs[x].used; i++)
        x = (x + 1) % MAX_EXECS;
    *number = x;
    return p->execs[x].used ? &p->execs[x] : NULL;
}

/* One of its nodes that may be named: the graph and the node still exist. -1: none. */
static int any_exec_node(struct program *p, const struct random_exec *x)
{
    if (x->graph < 0 || p->graphs[x->graph].busy)
        return -1;
    return any_node(p, &p->graphs[x->graph]);
}

void do_instantiate(struct program *p)
{
    static const unsigned flags[] = {0,
                                     0,
                                     0,
                                     cudaGraphInstantiateFlagAutoFreeOnLaunch,
                                     cudaGraphInstantiateFlagUseNodePriority,
                                     1024,
                                     cudaGraphInstantiateFlagDeviceLaunch};
    int x = (int)pick(p, MAX_EXECS), g = (int)pick(p, MAX_GRAPHS);
    struct random_exec *exec = &p->execs[x];
    if (exec->used) {
        if (once_in(p, 5)) {
            said(p, cudaGraphExecDestroy(exec->handle), "cudaGraphExecDestroy x%d", x);
            exec->used = false;
        }
        return;
    }
    for (int i = 0; i < MAX_GRAPHS && (!p->graphs[g].used || p->graphs[g].model.n < 2); i++)
        g = (g + 1) % MAX_GRAPHS;
    struct random_graph *graph = &p->graphs[g];
    if (!graph->used || graph->busy)
        return;
    cudaGraphExec_t new = NULL;
    unsigned flag = flags[pick(p, once_in(p, 3) ? 7 : 3)];
    cudaError_t e;
    if (once_in(p, 4)) {
        cudaGraphInstantiateParams params = {.flags = flag};
        e = cudaGraphInstantiateWithParams(&new, graph->handle, &params);
        said(p, e, "cudaGraphInstantiateWithParams x%d g%d flags %u = %d%s", x, g, flag,
             (int)params.result_out, params.errNode_out ? ", names a node" : "");
    } else {
        e = cudaGraphInstantiate(&new, graph->handle, flag);
        said(p, e, "cudaGraphInstantiate x%d g%d flags %u", x, g, flag);
    }
    if (e == cudaSuccess)
        *exec = (struct random_exec){.handle = new,
                                     .used = true,
                                     .graph = g,
                                     .family = graph->family,
                                     .model = graph->model};
}

/* A launch that was captured is a child of the graph that is captured. */
static void launched_in_capture(struct program *p, struct random_stream *s,
                                const struct random_exec *x, const struct touch *t)
{
    struct random_capture *c = &p->open[s->capture % 2];
    struct cells racy = {{0}};
    graph_races(&x->model, &racy);
    int before = c->model.n;
    captured(p, s, NODE_CHILD, t, 0);
    if (c->model.n > before)
        c->model.nodes[before].racy = racy;
}

static void launched(struct program *p, struct random_stream *s, struct random_exec *x)
{
    struct clock order;
    model_before(&p->model, s->id, &order);
    model_launch(&p->model, s->id, &x->model, &x->last);
    x->last = p->model.clocks[s->id];
    for (int i = 0; i < x->model.n; i++) {
        struct random_event *v = &p->events[x->model.nodes[i].event];
        if (x->model.nodes[i].kind != NODE_RECORD)
            continue;
        v->capture = 0;
        v->recorded = true;
        v->order = order;
        v->done = x->last;
    }
}

void do_launch(struct program *p)
{
    int n;
    char name[16];
    struct touch t;
    struct random_exec *x = any_exec(p, &n);
    struct random_stream *s = any_stream(p, name);
    if (!x || x->broken || once_in(p, 60)) {
        if (once_in(p, 10))
            said(p, cudaGraphLaunch(NULL, s->handle), "cudaGraphLaunch NULL %s", name);
        return;
    }
    if (once_in(p, 6)) {
        said(p, cudaGraphUpload(x->handle, s->handle), "cudaGraphUpload x%d %s", n, name);
        return;
    }
    graph_touch(&x->model, &t);
    if (!may_run(p, s, &t))
        settle(p);
    if (!may_run(p, s, &t))
        return;
    if (said(p, cudaGraphLaunch(x->handle, s->handle), "cudaGraphLaunch x%d %s", n, name) !=
        cudaSuccess)
        return;
    if (s->capturing)
        launched_in_capture(p, s, x, &t);
    else
        launched(p, s, x);
}

void do_exec_update(struct program *p)
{
    int n, g = (int)pick(p, MAX_GRAPHS);
    struct random_exec *x = any_exec(p, &n);
    if (!x)
        return;
    for (int i = 0; i < MAX_GRAPHS && !(p->graphs[g].used && p->graphs[g].family == x->family &&
                                        p->graphs[g].model.n == x->model.n);
         i++)
        g = (g + 1) % MAX_GRAPHS;
    if (p->graphs[g].model.n != x->model.n && !once_in(p, 6))
        return;
    struct random_graph *graph = &p->graphs[g];
    if (!graph->used || graph->busy)
        return;
    cudaGraphExecUpdateResultInfo info = {.result = (enum cudaGraphExecUpdateResult)99};
    cudaError_t e = cudaGraphExecUpdate(x->handle, graph->handle, &info);
    said(p, e, "cudaGraphExecUpdate x%d g%d = %d%s%s", n, g, (int)info.result,
         info.errorNode ? ", names a node" : "", info.errorFromNode ? " and one before" : "");
    x->broken = e != cudaSuccess;
    if (x->broken) {
        said(p, cudaGetLastError(), "cudaGetLastError");
        return;
    }
    bool shy = false;
    for (int i = 0; i < x->model.n; i++)
        shy |= x->model.nodes[i].shy;
    x->model = graph->model;
    for (int i = 0; i < x->model.n; i++)
        x->model.nodes[i].shy |= shy;
    if (x->family != graph->family)
        x->graph = -1;
}

/* A change may come while the graph runs: what it touches then is what it touched before, or now.
 */
static void touches(struct random_exec *x, int n, const struct touch *t)
{
    if (n < x->model.n)
        x->model.nodes[n].touch = *t;
}

void do_exec_set(struct program *p)
{
    int i, n;
    struct random_exec *x = any_exec(p, &i);
    struct plain_copy c;
    struct plain_set m;
    struct touch t;
    char words[80] = "";
    if (!x || (n = any_exec_node(p, x)) < 0)
        return;
    cudaGraphNode_t node = p->graphs[x->graph].nodes[n];
    choose_copy(p, &c), choose_set(p, &m);
    struct note *note = choose_note(p, &t, words);
    bool wrong = once_in(p, 10);
    enum node_kind kind = p->graphs[x->graph].model.nodes[n].kind;
    if (kind == NODE_COPY || (wrong && kind == NODE_SET)) {
        if (said(p,
                 cudaGraphExecMemcpyNodeSetParams1D(x->handle, node, c.to, c.from, c.bytes, c.kind),
                 "cudaGraphExecMemcpyNodeSetParams1D x%d g%d.%d %s", i, x->graph, n,
                 c.words) == cudaSuccess)
            touches(x, n, &c.touch);
    } else if (kind == NODE_SET || (wrong && kind == NODE_HOST)) {
        struct cudaMemsetParams params = {.dst = m.to,
                                          .pitch = m.pitch,
                                          .value = m.value,
                                          .elementSize = m.element_bytes,
                                          .width = m.width,
                                          .height = m.rows};
        if (said(p, cudaGraphExecMemsetNodeSetParams(x->handle, node, &params),
                 "cudaGraphExecMemsetNodeSetParams x%d g%d.%d %s", i, x->graph, n,
                 m.words) == cudaSuccess)
            touches(x, n, &m.touch);
    } else if ((kind == NODE_HOST || wrong) && note) {
        struct cudaHostNodeParams params = {.fn = write_note, .userData = note};
        if (said(p, cudaGraphExecHostNodeSetParams(x->handle, node, &params),
                 "cudaGraphExecHostNodeSetParams x%d g%d.%d %s", i, x->graph, n,
                 words) == cudaSuccess)
            touches(x, n, &t);
    }
}

void do_exec_enable(struct program *p)
{
    int i, n;
    struct random_exec *x = any_exec(p, &i);
    if (!x || (n = any_exec_node(p, x)) < 0)
        return;
    cudaGraphNode_t node = p->graphs[x->graph].nodes[n];
    unsigned on = once_in(p, 2), is = 9;
    if (once_in(p, 3)) {
        cudaError_t e = cudaGraphNodeGetEnabled(x->handle, node, &is);
        said(p, e, "cudaGraphNodeGetEnabled x%d g%d.%d = %u", i, x->graph, n, is);
    } else if (said(p, cudaGraphNodeSetEnabled(x->handle, node, on),
                    "cudaGraphNodeSetEnabled x%d g%d.%d %u", i, x->graph, n, on) == cudaSuccess &&
               n < x->model.n) {
        x->model.nodes[n].shy = true;
    }
}

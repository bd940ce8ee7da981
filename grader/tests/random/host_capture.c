/* host_capture.c: stream capture in random programs. */
#include "host_program.h"

#include <string.h>

void captured(struct program *p, struct random_stream *s, enum node_kind kind,
              const struct touch *t, int event)
{
    struct random_capture *c = &p->open[s->capture % 2];
    if (c->number != s->capture || !graph_add(&c->model, kind, t, s->tips, event))
        return;
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *now = NULL;
    size_t n = 0;
    cudaError_t e = cudaStreamGetCaptureInfo(s->handle, &status, NULL, NULL, &now, NULL, &n);
    c->nodes[c->model.n - 1] = e == cudaSuccess && n == 1 ? now[0] : NULL;
    s->tips = UINT64_C(1) << (c->model.n - 1);
}

/* Begins a capture into a graph that exists, after some of its nodes. Returns the answer. */
static cudaError_t begin_into(struct program *p, struct random_stream *s, const char *name, int g,
                              enum cudaStreamCaptureMode mode, uint64_t *tips)
{
    struct random_graph *graph = &p->graphs[g];
    cudaGraphNode_t after[2];
    size_t n = 0;
    for (int i = 0; i < graph->model.n && n < 2; i++) {
        if (graph->nodes[i] && once_in(p, 3)) {
            after[n++] = graph->nodes[i];
            *tips |= UINT64_C(1) << i;
        }
    }
    cudaError_t e =
        cudaStreamBeginCaptureToGraph(s->handle, graph->handle, n ? after : NULL, NULL, n, mode);
    return said(p, e, "cudaStreamBeginCaptureToGraph %s g%d after %zu mode %d", name, g, n,
                (int)mode);
}

void do_begin(struct program *p)
{
    char name[16];
    struct random_stream *s = any_stream(p, name);
    enum cudaStreamCaptureMode mode = (enum cudaStreamCaptureMode)(once_in(p, 20)  ? 7
                                                                   : once_in(p, 2) ? 2
                                                                                   : pick(p, 3));
    int place = p->open[0].number ? 1 : 0, into = -1, number = 2 * ++p->families + place;
    uint64_t tips = 0;
    if (p->open[place].number || (place == 1 && !once_in(p, 5)))
        return;
    int g = (int)pick(p, MAX_GRAPHS);
    if (p->graphs[g].used && !p->graphs[g].busy && once_in(p, 2)) {
        if (begin_into(p, s, name, g, mode, &tips) != cudaSuccess)
            return;
        into = g;
    } else if (said(p, cudaStreamBeginCapture(s->handle, mode), "cudaStreamBeginCapture %s mode %d",
                    name, (int)mode) != cudaSuccess) {
        return;
    }
    struct random_capture *c = &p->open[place];
    c->number = number;
    c->into = into;
    c->model.n = 0;
    c->memory = false;
    if (into >= 0) {
        c->model = p->graphs[into].model;
        memcpy(c->nodes, p->graphs[into].nodes, sizeof c->nodes);
        p->graphs[into].busy = true;
    }
    s->capturing = s->origin = true;
    s->capture = number;
    s->tips = tips;
}

/* The graph of a capture that has ended well is kept, where there is room. */
static void keep(struct program *p, struct random_capture *c, cudaGraph_t graph)
{
    int g = c->into;
    for (int i = 0; i < MAX_GRAPHS && g < 0; i++)
        if (!p->graphs[i].used)
            g = i;
    if (g < 0) {
        said(p, cudaGraphDestroy(graph), "cudaGraphDestroy of the capture");
        return;
    }
    if (c->into < 0)
        p->graphs[g] =
            (struct random_graph){.handle = graph, .used = true, .family = ++p->families};
    if (c->memory)
        memset(c->nodes, 0, sizeof c->nodes);
    p->graphs[g].model = c->model;
    memcpy(p->graphs[g].nodes, c->nodes, sizeof c->nodes);
    fprintf(p->out, "  is g%d\n", g);
}

/* Ends a capture in one of its streams; `s` need not be the one it began in. */
static void end_in(struct program *p, struct random_stream *s, const char *name)
{
    cudaGraph_t graph = NULL;
    struct random_capture *c = s->capturing ? &p->open[s->capture % 2] : NULL;
    cudaError_t e = cudaStreamEndCapture(s->handle, &graph);
    said(p, e, "cudaStreamEndCapture %s%s", name, graph ? "" : " (no graph)");
    if (!c || (e != cudaSuccess && !s->origin))
        return;
    int number = c->number;
    if (c->into >= 0)
        p->graphs[c->into].busy = false;
    if (e == cudaSuccess) {
        keep(p, c, graph);
    } else if (c->into >= 0) {
        said(p, cudaGraphDestroy(p->graphs[c->into].handle), "cudaGraphDestroy g%d", c->into);
        p->graphs[c->into].used = false;
        for (int i = 0; i < MAX_EXECS; i++)
            if (p->execs[i].graph == c->into)
                p->execs[i].graph = -1;
    }
    c->number = 0;
    for (int i = 0; i < MAX_STREAMS; i++)
        if (p->streams[i].capture == number)
            p->streams[i].capturing = p->streams[i].origin = false;
}

/* Most captures are joined first, as a careful program does. */
static void join(struct program *p, struct random_stream *s, const char *name)
{
    for (int i = 0; i < MAX_STREAMS; i++) {
        struct random_stream *other = &p->streams[i];
        struct random_event *v = &p->events[0];
        if (!other->used || other == s || !other->capturing || other->capture != s->capture ||
            !v->used)
            continue;
        if (said(p, cudaEventRecord(v->handle, other->handle), "cudaEventRecord e0 s%d", i) !=
            cudaSuccess)
            continue;
        v->capture = other->capture;
        v->tips = other->tips;
        if (said(p, cudaStreamWaitEvent(s->handle, v->handle, 0), "cudaStreamWaitEvent %s e0",
                 name) == cudaSuccess)
            s->tips |= v->tips;
    }
}

void do_end(struct program *p)
{
    char name[16];
    struct random_stream *s = any_stream(p, name);
    for (int i = 0; i < MAX_STREAMS && !once_in(p, 12); i++) {
        if (p->streams[i].used && p->streams[i].origin) {
            s = &p->streams[i];
            snprintf(name, sizeof name, i == 2 ? "thread" : "s%d", i);
        }
    }
    if (!in_capture(p) && !once_in(p, 20))
        return;
    if (s->origin && !once_in(p, 6))
        join(p, s, name);
    end_in(p, s, name);
}

void end_captures(struct program *p)
{
    char name[16];
    for (int i = 0; i < MAX_STREAMS; i++) {
        if (p->streams[i].used && p->streams[i].origin) {
            snprintf(name, sizeof name, i == 2 ? "thread" : "s%d", i);
            end_in(p, &p->streams[i], name);
        }
    }
}

void do_capture_info(struct program *p)
{
    char name[16];
    struct random_stream *s = any_stream(p, name);
    enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)9;
    size_t n = 99;
    cudaError_t e;
    switch (pick(p, 4)) {
    case 0:
        e = cudaStreamIsCapturing(s->handle, &status);
        said(p, e, "cudaStreamIsCapturing %s = %d", name, (int)status);
        break;
    case 1:
        e = cudaStreamGetCaptureInfo(s->handle, &status, NULL, NULL, NULL, NULL, &n);
        said(p, e, "cudaStreamGetCaptureInfo %s = %d, %zu", name, (int)status,
             status == cudaStreamCaptureStatusActive ? n : 0);
        break;
    case 2:
        e = cudaThreadExchangeStreamCaptureMode(&p->mode);
        said(p, e, "cudaThreadExchangeStreamCaptureMode: was %d", (int)p->mode);
        p->mode = (enum cudaStreamCaptureMode)pick(p, 3);
        break;
    default:
        if (!s->capturing)
            return;
        e = cudaStreamUpdateCaptureDependencies(s->handle, NULL, NULL, 0,
                                                cudaStreamSetCaptureDependencies);
        if (said(p, e, "cudaStreamUpdateCaptureDependencies %s to none", name) == cudaSuccess)
            s->tips = 0;
    }
}

void do_capture_memory(struct program *p)
{
    char name[16];
    struct random_stream *s = any_stream(p, name);
    void *new = NULL;
    if (!s->capturing || !once_in(p, 4))
        return;
    if (said(p, cudaMallocAsync(&new, 4096, s->handle), "cudaMallocAsync captured %s", name) !=
        cudaSuccess)
        return;
    captured(p, s, NODE_OTHER, NULL, 0);
    p->open[s->capture % 2].memory = true;
    if (said(p, cudaMemsetAsync(new, 1, 4096, s->handle), "cudaMemsetAsync of it %s", name) ==
        cudaSuccess)
        captured(p, s, NODE_OTHER, NULL, 0);
    if (once_in(p, 5))
        return;
    if (said(p, cudaFreeAsync(new, s->handle), "cudaFreeAsync of it %s", name) == cudaSuccess)
        captured(p, s, NODE_OTHER, NULL, 0);
}

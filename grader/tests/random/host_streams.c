/* host_streams.c: streams, events, host functions and waiting of random programs. */
#include "host_program.h"

static const char *const special[] = {"NULL", "legacy", "thread"};

struct random_stream *any_stream(struct program *p, char name[16])
{
    int i = (int)pick(p, MAX_STREAMS);
    if (i < FIXED_STREAMS && (once_in(p, 2) || (in_capture(p) && !once_in(p, 12))))
        i = FIXED_STREAMS + (int)pick(p, MAX_STREAMS - FIXED_STREAMS);
    while (!p->streams[i].used)
        i = (i + 1) % MAX_STREAMS;
    if (i < FIXED_STREAMS)
        snprintf(name, 16, "%s", special[i]);
    else
        snprintf(name, 16, "s%d", i);
    return &p->streams[i];
}

static struct random_event *any_event(struct program *p, int *number)
{
    int i = (int)pick(p, MAX_EVENTS);
    for (int k = 0; k < MAX_EVENTS && !p->events[i].used; k++)
        i = (i + 1) % MAX_EVENTS;
    *number = i;
    return p->events[i].used ? &p->events[i] : NULL;
}

bool in_capture(const struct program *p)
{
    for (int i = 0; i < MAX_STREAMS; i++)
        if (p->streams[i].used && p->streams[i].capturing)
            return true;
    return false;
}

bool may_run(struct program *p, struct random_stream *s, const struct touch *t)
{
    struct clock c;
    if (s->capturing)
        return true;
    model_before(&p->model, s->id, &c);
    return model_ordered(&p->model, &c, t) && model_still(&p->model, t);
}

void accepted(struct program *p, struct random_stream *s, const struct touch *t)
{
    if (s->capturing)
        captured(p, s, NODE_OTHER, t, 0);
    else
        model_run(&p->model, s->id, t, NULL);
}

void settle(struct program *p)
{
    if (in_capture(p))
        return;
    if (said(p, cudaDeviceSynchronize(), "cudaDeviceSynchronize") == cudaSuccess)
        model_settle(&p->model);
}

void do_host_function(struct program *p)
{
    struct touch t;
    char words[80], name[16];
    struct random_stream *s = any_stream(p, name);
    if (once_in(p, 25)) {
        said(p, cudaLaunchHostFunc(s->handle, NULL, NULL), "cudaLaunchHostFunc NULL %s", name);
        return;
    }
    struct note *note = choose_note(p, &t, words);
    for (int i = 0; i < 6 && note && !may_run(p, s, &t); i++)
        note = choose_note(p, &t, words);
    if (!note || !may_run(p, s, &t))
        return;
    cudaError_t e = cudaLaunchHostFunc(s->handle, write_note, note);
    if (said(p, e, "cudaLaunchHostFunc %s %s", words, name) == cudaSuccess)
        accepted(p, s, &t);
}

/* Makes a stream in place `i`, if there is one that is free. */
static void create_stream(struct program *p, int i)
{
    static const unsigned flags[] = {cudaStreamDefault, cudaStreamNonBlocking, 7};
    unsigned flag = flags[once_in(p, 15) ? 2 : pick(p, 2)];
    int priority = (int)pick(p, 9) - 7;
    cudaStream_t new = NULL;
    cudaError_t e = once_in(p, 2) ? cudaStreamCreateWithFlags(&new, flag)
                                  : cudaStreamCreateWithPriority(&new, flag, priority);
    said(p, e, "cudaStreamCreate s%d flags %u", i, flag);
    if (e != cudaSuccess)
        return;
    int id = p->stream_ids++;
    p->streams[i] = (struct random_stream){.handle = new, .used = true, .id = id};
    p->model.live[id] = true;
    p->model.blocking[id] = flag == cudaStreamDefault;
}

void do_stream(struct program *p)
{
    int i = FIXED_STREAMS + (int)pick(p, MAX_STREAMS - FIXED_STREAMS), priority = 0;
    unsigned flags = 0;
    char name[16];
    struct random_stream *s = &p->streams[i];
    if (!s->used && p->stream_ids < MAX_CLOCKS) {
        create_stream(p, i);
        return;
    }
    if (s->used && !s->capturing && once_in(p, 4)) {
        said(p, cudaStreamDestroy(s->handle), "cudaStreamDestroy s%d", i);
        p->model.live[s->id] = s->used = false;
        return;
    }
    s = any_stream(p, name);
    cudaError_t e = cudaStreamGetFlags(s->handle, &flags);
    said(p, e, "cudaStreamGetFlags %s = %u", name, flags);
    e = cudaStreamGetPriority(s->handle, &priority);
    said(p, e, "cudaStreamGetPriority %s = %d", name, priority);
    if (once_in(p, 4))
        said(p, cudaStreamDestroy(once_in(p, 2) ? NULL : cudaStreamLegacy),
             "cudaStreamDestroy of a default");
}

void do_event(struct program *p)
{
    static const unsigned flags[] = {cudaEventDefault, cudaEventDisableTiming,
                                     cudaEventBlockingSync | cudaEventDisableTiming,
                                     cudaEventInterprocess, 64};
    int i = (int)pick(p, MAX_EVENTS);
    struct random_event *v = &p->events[i];
    if (v->used) {
        if (v->kept || !once_in(p, 4))
            return;
        said(p, cudaEventDestroy(v->handle), "cudaEventDestroy e%d", i);
        v->used = false;
        return;
    }
    unsigned flag = flags[once_in(p, 12) ? 3 + pick(p, 2) : pick(p, 3)];
    cudaEvent_t new = NULL;
    cudaError_t e = cudaEventCreateWithFlags(&new, flag);
    said(p, e, "cudaEventCreateWithFlags e%d flags %u", i, flag);
    if (e == cudaSuccess)
        *v = (struct random_event){.handle = new, .used = true};
}

void do_record(struct program *p)
{
    int n;
    char name[16];
    struct random_event *v = any_event(p, &n);
    struct random_stream *s = any_stream(p, name);
    unsigned flags = once_in(p, 8) ? cudaEventRecordExternal : once_in(p, 40) ? 8 : 0;
    if (!v || once_in(p, 50)) {
        said(p, cudaEventRecord(NULL, s->handle), "cudaEventRecord NULL %s", name);
        return;
    }
    cudaError_t e = flags ? cudaEventRecordWithFlags(v->handle, s->handle, flags)
                          : cudaEventRecord(v->handle, s->handle);
    said(p, e, "cudaEventRecord e%d %s%s", n, name,
         flags == 8 ? " flags 8"
         : flags    ? " external"
                    : "");
    if (e != cudaSuccess)
        return;
    if (s->capturing && flags == cudaEventRecordExternal) {
        captured(p, s, NODE_RECORD, NULL, n);
        v->kept = true;
    } else if (s->capturing) {
        v->capture = s->capture;
        v->tips = s->tips;
    } else {
        v->capture = 0;
        v->recorded = true;
        v->order = p->model.clocks[s->id];
        clock_join(&v->order, &p->model.clocks[HOST]);
        p->model.clocks[s->id].of[s->id] = ++p->model.count[s->id];
        model_before(&p->model, s->id, &v->done);
    }
}

/* The stream joins the capture that the event was recorded in, or waits for what it was recorded
 * after. */
static void waited(struct program *p, struct random_stream *s, const struct random_event *v)
{
    if (v->capture && v->capture == p->open[v->capture % 2].number) {
        if (!s->capturing) {
            s->capturing = true;
            s->origin = false;
            s->capture = v->capture;
            s->tips = 0;
        }
        s->tips |= v->tips;
    } else if (!s->capturing && v->recorded && !v->capture) {
        clock_join(&p->model.clocks[s->id], &v->order);
    }
}

void do_wait(struct program *p)
{
    int n;
    char name[16];
    struct random_event *v = any_event(p, &n);
    struct random_stream *s = any_stream(p, name);
    unsigned flags = once_in(p, 10) ? cudaEventWaitExternal : once_in(p, 40) ? 8 : 0;
    if (!v || once_in(p, 50)) {
        said(p, cudaStreamWaitEvent(s->handle, NULL, 0), "cudaStreamWaitEvent %s NULL", name);
        return;
    }
    cudaError_t e = cudaStreamWaitEvent(s->handle, v->handle, flags);
    said(p, e, "cudaStreamWaitEvent %s e%d%s", name, n,
         flags == 8 ? " flags 8"
         : flags    ? " external"
                    : "");
    if (e != cudaSuccess)
        return;
    if (s->capturing && flags == cudaEventWaitExternal) {
        captured(p, s, NODE_WAIT, NULL, n);
        v->kept = true;
    } else {
        waited(p, s, v);
    }
}

void do_synchronize(struct program *p)
{
    int n;
    char name[16];
    struct random_stream *s = any_stream(p, name);
    struct random_event *v = any_event(p, &n);
    if (in_capture(p) && !once_in(p, 8))
        return;
    if (v && once_in(p, 3)) {
        if (said(p, cudaEventSynchronize(v->handle), "cudaEventSynchronize e%d", n) ==
                cudaSuccess &&
            v->recorded && !v->capture)
            clock_join(&p->model.clocks[HOST], &v->order);
    } else if (once_in(p, 3)) {
        if (!in_capture(p) || once_in(p, 4))
            if (said(p, cudaDeviceSynchronize(), "cudaDeviceSynchronize") == cudaSuccess)
                model_settle(&p->model);
    } else if (said(p, cudaStreamSynchronize(s->handle), "cudaStreamSynchronize %s", name) ==
               cudaSuccess) {
        clock_join(&p->model.clocks[HOST], &p->model.clocks[s->id]);
    }
}

/* Prints the answer of a query: whether it is ready only if that cannot depend on timing. */
static void queried(struct program *p, cudaError_t e, bool known, const char *what, const char *of)
{
    if ((e == cudaSuccess || e == cudaErrorNotReady) && !known) {
        fprintf(p->out, "%d %s %s: ready?\n", p->calls++, what, of);
        cudaGetLastError();
    } else {
        said(p, e, "%s %s", what, of);
    }
}

void do_query(struct program *p)
{
    int n, other;
    char name[16], words[32];
    struct random_stream *s = any_stream(p, name);
    struct random_event *v = any_event(p, &n), *u = any_event(p, &other);
    const struct clock *host = &p->model.clocks[HOST];
    if (in_capture(p) && !once_in(p, 6))
        return;
    said(p, cudaGetLastError(), "cudaGetLastError");
    snprintf(words, sizeof words, "e%d", n);
    if (!v || once_in(p, 3)) {
        struct clock c;
        model_before(&p->model, s->id, &c);
        queried(p, cudaStreamQuery(s->handle), clock_covers(host, &c), "cudaStreamQuery", name);
    } else if (once_in(p, 2)) {
        bool known = !v->recorded || v->capture || clock_covers(host, &v->done);
        queried(p, cudaEventQuery(v->handle), known, "cudaEventQuery", words);
    } else {
        float ms = 0;
        bool known = !v->recorded || !u->recorded || v->capture || u->capture ||
                     (clock_covers(host, &v->done) && clock_covers(host, &u->done));
        snprintf(words, sizeof words, "e%d e%d", n, other);
        queried(p, cudaEventElapsedTime(&ms, v->handle, u->handle), known, "cudaEventElapsedTime",
                words);
    }
}

void do_error(struct program *p)
{
    int device = -1, n = -1;
    cudaError_t e;
    switch (pick(p, 6)) {
    case 0:
        said(p, cudaPeekAtLastError(), "cudaPeekAtLastError");
        break;
    case 1:
        e = cudaGetDevice(&device);
        said(p, e, "cudaGetDevice = %d", device);
        break;
    case 2:
        said(p, cudaSetDevice(once_in(p, 2) ? 0 : 99), "cudaSetDevice");
        break;
    case 3:
        e = cudaDeviceGetAttribute(&n, (enum cudaDeviceAttr)99999, 0);
        said(p, e, "cudaDeviceGetAttribute 99999");
        break;
    default:
        said(p, cudaGetLastError(), "cudaGetLastError");
    }
}

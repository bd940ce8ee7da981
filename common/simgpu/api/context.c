/* context.c: the end of a device's context: cudaDeviceReset, and the leaks and unfinished work at
 * the end of the program. */
#include <stdio.h>

#include "api.h"

static void leak_of_memory(void)
{
    struct memory_leaks leaks;
    memory_leaks(&leaks);
    if (!leaks.n)
        return;
    struct simgpu_finding f = {
        .kind = SIMGPU_LEAK,
        .what = SIMGPU_WHAT_NEVER_FREED,
        .first = {.stream = -1, .node = -1, .caller.at = leaks.first->caller},
        .address = leaks.first->lo,
        .bytes = leaks.bytes,
        .n = leaks.n,
        .memory = memory_of(leaks.first)};
    f.object = f.memory.object;
    finding_add(&f);
}

/* Handles of one type that are alive, and how many of them each line created. */
enum { MOST_CALLERS = 64 };
struct handles {
    enum handle_type type;
    size_t n;
    struct {
        uint32_t at;
        size_t n;
    } callers[MOST_CALLERS];
};

/* Or does it belong to something else, which is to be destroyed? */
static bool is_programs(enum handle_type type, const void *p)
{
    const struct mempool *pool = p;
    return type == HANDLE_GRAPH  ? graph_is_programs(p)
           : type == HANDLE_POOL ? pool != pool->device->default_pool
                                 : true;
}

static void count_handle(void *p, void *arg)
{
    struct handles *all = arg;
    const uint32_t caller = handle_caller(p);
    if (!is_programs(all->type, p))
        return;
    all->n++;
    int i = 0;
    while (i < MOST_CALLERS && all->callers[i].at && all->callers[i].at != caller)
        i++;
    if (!caller || i == MOST_CALLERS)
        return;
    all->callers[i].at = caller;
    all->callers[i].n++;
}

/* The line that created most of them. Of equals the lowest address: the same in each run of a
   program. */
static uint32_t caller_of_most(const struct handles *all)
{
    uint32_t at = 0;
    size_t most = 0;
    for (int i = 0; i < MOST_CALLERS && all->callers[i].at; i++) {
        const size_t n = all->callers[i].n;
        if (n < most || (n == most && all->callers[i].at > at))
            continue;
        at = all->callers[i].at;
        most = n;
    }
    return at;
}

static void leak_of_handles(enum handle_type type, enum simgpu_object object)
{
    struct handles all = {.type = type};
    handle_each(type, count_handle, &all);
    if (!all.n)
        return;
    struct simgpu_finding f = {
        .kind = SIMGPU_LEAK,
        .what = SIMGPU_WHAT_NEVER_DESTROYED,
        .first = {.stream = -1, .node = -1, .caller.at = caller_of_most(&all)},
        .n = all.n,
        .object = object};
    finding_add(&f);
}

static void unfinished(const struct device *d)
{
    if (!d->n_pending)
        return;
    struct simgpu_finding f = {.kind = SIMGPU_UNFINISHED,
                               .what = SIMGPU_WHAT_STILL_PENDING,
                               .next = SIMGPU_NEXT_SYNCHRONIZE,
                               .first = {.stream = -1, .node = -1},
                               .n = (uint64_t)d->n_pending,
                               .device = d->id};
    const struct op *op = NULL;
    for (const struct stream *s = d->streams; s && !op; s = s->next)
        op = s->tail;
    if (op)
        site_of(op, &f.first);
    finding_add(&f);
}

static void open_captures(void)
{
    for (const struct capture *c = captures; c; c = c->next) {
        struct simgpu_finding f = {
            .kind = SIMGPU_UNFINISHED,
            .what = SIMGPU_WHAT_STILL_CAPTURING,
            .next = SIMGPU_NEXT_END_CAPTURE,
            .first = {.stream = c->origin->id, .node = -1, .caller.at = c->caller},
            .n = (uint64_t)c->graph->n_nodes};
        snprintf(f.first.name, sizeof f.first.name, "cudaStreamBeginCapture");
        finding_add(&f);
    }
}

static void never_launched(void *p, void *unused)
{
    const struct exec *x = p;
    (void)unused;
    if (x->launched || !x->shape->n_nodes)
        return;
    struct simgpu_finding f = {.kind = SIMGPU_UNFINISHED,
                               .what = SIMGPU_WHAT_NEVER_LAUNCHED,
                               .next = SIMGPU_NEXT_LAUNCH_GRAPH,
                               .first = {.stream = -1, .node = -1, .caller.at = handle_caller(p)},
                               .n = (uint64_t)x->shape->n_nodes};
    snprintf(f.first.name, sizeof f.first.name, "cudaGraphInstantiate");
    finding_add(&f);
}

static void leaks(void)
{
    leak_of_memory();
    leak_of_handles(HANDLE_STREAM, SIMGPU_OBJECT_STREAM);
    leak_of_handles(HANDLE_EVENT, SIMGPU_OBJECT_EVENT);
    leak_of_handles(HANDLE_GRAPH, SIMGPU_OBJECT_GRAPH);
    leak_of_handles(HANDLE_EXEC, SIMGPU_OBJECT_EXEC);
    leak_of_handles(HANDLE_POOL, SIMGPU_OBJECT_POOL);
    leak_of_handles(HANDLE_USER_OBJECT, SIMGPU_OBJECT_USER_OBJECT);
}

/* What a call that ends now would leave behind, as findings. */
EXPORT void simgpu_findings_end(void)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    if (sim.checks && !sim.forked) {
        for (int i = 0; i < sim.n_devices; i++)
            unfinished(&devices[i]);
        open_captures();
        if (context_error() == cudaSuccess) /* otherwise cudaFree fails, too */
            leaks();
        handle_each(HANDLE_EXEC, never_launched, NULL);
        launch_never_asked(t);
    }
    device_unlock(t);
}

/* After all that the program does at its end, which may be to free what it has. */
__attribute__((destructor)) static void program_end(void)
{
    if (!api_is_started || sim.forked)
        return;
    simgpu_findings_end();
    trace_at_end();
}

EXPORT cudaError_t cudaDeviceReset(void)
{
    API_ENTER(cudaDeviceReset);
    bool lost = context_error() != cudaSuccess;
    struct device *d = &devices[thread_self()->device];
    device_wait_idle(d);
    memory_forget(d->id, graph_memory_forget);
    graph_backing_trim(d->id);
    peer_forget(d->id);
    for (struct stream *s = d->streams, *next; s; s = next) {
        next = s->next;
        if (handle_type_of(s) == HANDLE_STREAM) {
            stream_destroy(s);
        }
    }
    event_forget(d->id);
    if (lost) /* as seen on an H200: the process does not get a context again */
        context_lose(d->id, cudaErrorDevicesUnavailable);
    return api_leave(cudaSuccess);
}

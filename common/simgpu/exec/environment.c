/* environment.c: environments and places, when kernels launch graphs: which one is inside which,
 * and when each is complete. */
#include <stdio.h>
#include <stdlib.h>

#include "device_launch.h"

static void *cleared(size_t bytes)
{
    void *p = needed(calloc(1, bytes), "a graph launched by a kernel");
    return p;
}

static struct environment *environment_new(struct exec *x, struct place *place, int n_open)
{
    struct environment *e = cleared(sizeof *e);
    e->exec = x;
    e->place = place;
    e->n_open = n_open;
    e->tails.end = &e->tails.first;
    return e;
}

struct place *environment_place(struct environment *e)
{
    struct place *p = cleared(sizeof *p);
    p->around = e;
    p->tails.end = &p->tails.first;
    e->n_open++;
    return p;
}

static void request_free(struct request *r)
{
    epoch_drop(&r->after);
    late_writes_put(r->late);
    exec_put(r->exec);
    free(r);
}

/* ---- beginning ------------------------------------------------------------------------------- */

struct environment *environment_of_launch(struct exec *x)
{
    struct environment *stream = environment_new(NULL, NULL, 0);
    struct environment *e = environment_new(x, environment_place(stream), 1);
    x->refs++;
    return e;
}

void environment_expect(struct environment *e, const struct epoch *origin)
{
    if (sim.checks)
        e->accesses = late_begin(origin, true);
}

void environment_bind(struct environment *e, struct op *end, const struct epoch *const *sinks,
                      int n)
{
    e->end = e->place->around->end = end;
    if (!sim.checks)
        return;
    e->clock_id = clock_id_after(sinks[0]);
    e->done = epoch_new(e->clock_id, sinks, n);
    epoch_until(&e->done, &end->epoch);
}

/* Launches by kernels, in one launch by the host, after which that is spoken of. */
enum { MANY_RUNS = 2000000 };

/* A loop that may be endless is spoken of, once: a GPU would go on and say nothing. */
static void tell_of_many(struct environment *stream)
{
    if (++stream->n_runs == MANY_RUNS)
        fprintf(stderr,
                "simgpu: in a launch of graph %d in stream %d kernels have launched graphs %d "
                "times so far. A graph that launches itself must stop that when its work is "
                "done.\n",
                stream->end->exec->number, stream->end->stream->id, MANY_RUNS);
}

/* r->exec runs in r->place; takes what r holds. */
static void begin(struct request *r, const struct epoch *origin, ns_t ready_ns)
{
    struct exec *x = r->exec;
    struct environment *e = environment_new(x, r->place, 1);
    struct environment *stream = r->place->around;
    while (stream->place)
        stream = stream->place->around;
    tell_of_many(stream);
    e->end = stream->end;
    e->mode = r->mode;
    e->launcher = r->launcher;
    e->late = late_writes_get(r->late);
    e->start_ns = ready_ns;
    x->refs++;
    x->asked = false;
    x->running = e;
    environment_expect(e, origin);
    exec_launch_by_device(e, origin, ready_ns);
    request_free(r);
}

void environment_fire(struct request *r, ns_t ready_ns)
{
    begin(r, &r->after, ready_ns);
}

void environment_begins(struct op *mark)
{
    const struct exec *x = mark->environment->exec;
    if (x->running && sim.checks)
        find_undefined(mark, &(struct simgpu_finding){.what = SIMGPU_WHAT_LAUNCHED_BY_BOTH,
                                                      .next = SIMGPU_NEXT_WAIT_FOR_LAUNCHER,
                                                      .n = (uint64_t)x->number});
    mark->environment->exec->running = mark->environment;
    mark->environment->start_ns = mark->end_ns;
}

int environment_graph(const struct environment *e)
{
    return e->mode == LAUNCH_BY_HOST ? 0 : e->exec->number;
}

/* ---- ending ---------------------------------------------------------------------------------- */

/* The tails of what is complete run before those that were asked for earlier. */
static void tails_before(struct requests *late, struct requests *early)
{
    if (!late->n)
        return;
    *late->end = early->first;
    if (!early->n)
        early->end = late->end;
    early->first = late->first;
    early->n += late->n;
}

static struct request *tails_take(struct requests *r)
{
    struct request *first = r->first;
    if (!first)
        return NULL;
    r->first = first->next;
    if (--r->n == 0)
        r->end = &r->first;
    return first;
}

static void environment_free(struct environment *e)
{
    if (sim.checks && e->exec) {
        clock_id_free(e->clock_id);
        epoch_drop(&e->done);
    }
    if (e->exec)
        exec_put(e->exec);
    late_writes_put(e->late);
    free(e);
}

/* The environment of a stream is complete, and so is the launch. */
static void launch_complete(struct environment *stream, ns_t now)
{
    struct op *end = stream->end;
    environment_free(stream);
    op_release(end, now);
}

/* What comes after e in its place: the next tail, or nothing; then returns what the place was in.
 */
static struct environment *move_on(struct environment *e, ns_t now)
{
    struct place *place = e->place;
    struct environment *around = place->around;
    ns_t joined = e->has_joined ? cost_join() : 0;
    late_end(&e->accesses);
    tails_before(&e->tails, &place->tails);
    e->exec->running = NULL;
    e->exec->asked = e->again;
    epoch_drop(&e->exec->last_run);
    if (sim.checks)
        e->exec->last_run = epoch_copy(&e->done);
    struct request *next = tails_take(&place->tails);
    if (next) {
        next->place = place;
        next->late = late_writes_get(e->late);
        next->launcher = e->exec->number;
        begin(next, &e->done, now + joined + cost_tail());
        around = NULL;
    } else {
        if (sim.checks && around->exec)
            epoch_join(&around->done, &e->done);
        around->has_joined = true;
        free(place);
    }
    environment_free(e);
    return around;
}

static void trace_environment(const struct environment *e, ns_t now)
{
    static const char *const modes[] = {"host", "fire_and_forget by", "tail after", "sibling by"};
    char name[64];
    if (e->mode == LAUNCH_BY_HOST)
        snprintf(name, sizeof name, "%s", modes[e->mode]);
    else
        snprintf(name, sizeof name, "%s %d", modes[e->mode], e->launcher);
    trace_graph(e->end, e->exec->number, name, e->start_ns, now);
}

void environment_nodes_done(struct op *mark, ns_t now)
{
    struct environment *e = mark->environment;
    if (sim.tracing)
        trace_environment(e, now);
    while (e && --e->n_open == 0) {
        if (!e->exec) {
            launch_complete(e, now);
            return;
        }
        e = move_on(e, now);
    }
}

/* clock.c: virtual time. The agenda holds the next actions, each with its time.
 *
 * The simulation advances only to the present of the host, or to the moment that the host waits
 * for. So work enqueued later can never change the past. */

#include "engine.h"

struct agenda_item {
    ns_t at;
    uint64_t order; /* equal times happen in order of agenda_add */
    agenda_fn *fn;
    void *arg;
};

/* A binary heap, the earliest item first. */
static struct {
    struct agenda_item *items;
    size_t n, cap;
    uint64_t added;
} agenda;

const struct onlooker *onlooker;

static bool earlier(const struct agenda_item *a, const struct agenda_item *b)
{
    return a->at != b->at ? a->at < b->at : a->order < b->order;
}

void agenda_add(ns_t at, agenda_fn *fn, void *arg)
{
    agenda.items = room_for_one(agenda.items, agenda.n, &agenda.cap, sizeof *agenda.items,
                                "events of the agenda");
    struct agenda_item item = {at < sim.now ? sim.now : at, agenda.added++, fn, arg};
    size_t i = agenda.n++;
    for (; i > 0 && earlier(&item, &agenda.items[(i - 1) / 2]); i = (i - 1) / 2)
        agenda.items[i] = agenda.items[(i - 1) / 2];
    agenda.items[i] = item;
}

static struct agenda_item agenda_pop(void)
{
    struct agenda_item first = agenda.items[0];
    struct agenda_item last = agenda.items[--agenda.n];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= agenda.n)
            break;
        if (child + 1 < agenda.n && earlier(&agenda.items[child + 1], &agenda.items[child]))
            child++;
        if (!earlier(&agenda.items[child], &last))
            break;
        agenda.items[i] = agenda.items[child];
        i = child;
    }
    agenda.items[i] = last;
    return first;
}

static ns_t next_at(void)
{
    const ns_t engine = engine_next();
    return agenda.n && agenda.items[0].at <= engine ? agenda.items[0].at : engine;
}

/* Kernels that are set aside look first. True: they have done something. */
static bool look_before(ns_t until)
{
    onlooker->look(NULL);
    return onlooker->look_on(next_at(), until);
}

/* The next thing happens, if it does so up to `until`. At equal times the agenda comes before the
 * engines. */
static inline bool step(ns_t until)
{
    if (onlooker && look_before(until))
        return true;
    const ns_t engine = engine_next();
    const bool is_item = agenda.n && agenda.items[0].at <= engine;
    const ns_t at = is_item ? agenda.items[0].at : engine;
    if (at > until)
        return false;
    if (at > sim.now)
        sim.now = at;
    if (is_item) {
        struct agenda_item item = agenda_pop();
        item.fn(item.arg, at);
    } else {
        engine_run(at);
    }
    return true;
}

ns_t sim_next(void)
{
    return onlooker ? onlooker->next(next_at()) : next_at();
}

bool sim_step(void)
{
    return !host_worker_running() && step(NS_NEVER - 1);
}

bool sim_is_busy(void)
{
    for (int i = 0; i < sim.n_devices; i++)
        if (devices[i].n_pending)
            return true;
    return false;
}

void sim_run_until(ns_t until)
{
    host_worker_wait();
    while (step(until))
        if (host_worker_running())
            host_worker_wait();
    if (until > sim.now)
        sim.now = until;
}

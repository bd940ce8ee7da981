/* set_aside.c: kernels that wait in a loop for what others write. They keep their block slots, and
 * go on once an operation, another such kernel or the host has changed what they read. If their
 * loop reads the clock, they may give up first: so nothing happens before they have looked in vain
 * up to then. */
#include <time.h>

#include "engine.h"

/* Real time: how long other host threads may call when nothing happens; and while kernels look in
 * vain, for a moment once in a while. */
enum { TICK_NS = 2 * 1000 * 1000, MOMENT_NS = 100 * 1000, WHILE_MS = 5 };

static struct op **aside; /* in order of their operations' numbers; counted */
static size_t cap;
static int n_set_aside;
static double idle_since; /* real time in seconds; 0: something has happened since */

static void take(int i)
{
    n_set_aside--;
    for (; i < n_set_aside; i++)
        aside[i] = aside[i + 1];
}

/* It goes on, and may be set aside again. */
static void go_on(void *arg, ns_t now)
{
    struct op *op = arg;
    sm_engine_go_on(op, now);
    op_put(op);
}

static void look(const struct op *by)
{
    for (int i = 0; i < n_set_aside;) {
        struct op *op = aside[i];
        if (op == by || !op_sees(op, by)) {
            i++;
            continue;
        }
        take(i);
        idle_since = 0;
        op->work.kernel.waiting->looks_until = 0;
        agenda_add(sim.now, go_on, op);
    }
}

static void let_others_call(long ns)
{
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ns;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    device_wait(&never, &until);
}

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Nothing happens but that kernels look in vain: says so after a while. */
static void explain(double now)
{
    if (idle_since == 0)
        idle_since = now;
    for (int i = 0; i < n_set_aside; i++)
        op_waits_in_vain(aside[i], now - idle_since);
}

static void idle(void)
{
    static double called;
    const double now = now_seconds();
    if (now - called < 1e-3 * WHILE_MS)
        return;
    called = now;
    explain(now);
    let_others_call(MOMENT_NS);
}

/* The one that has looked on least, and until when the others have, all but `except`. */
static int least_ahead(int except, ns_t *until)
{
    int least = -1;
    *until = NS_NEVER;
    for (int i = 0; i < n_set_aside; i++)
        if (i != except && aside[i]->work.kernel.waiting->looks_until < *until) {
            *until = aside[i]->work.kernel.waiting->looks_until;
            least = i;
        }
    return least;
}

/* If there is no other: until the program's other threads may call again, as it turns out. */
static ns_t alone_ns = 1000 * 1000;

static void go_on_alone(struct op *op)
{
    enum { MOST_NS = 1000 * 1000 * 1000 };
    const double begun = now_seconds();
    go_on(op, sim.now);
    const double took_ms = 1e3 * (now_seconds() - begun);
    if (took_ms < WHILE_MS && alone_ns < MOST_NS)
        alone_ns *= 2;
    else if (took_ms > 2 * WHILE_MS && alone_ns > 2)
        alone_ns /= 2;
    idle();
}

/* When one gives up, another may see it. So none looks on far ahead of the others: by 20 us, or by
 * 0.2 % of the time that it has waited. */
static ns_t may_look_until(int i)
{
    enum { LEAST_NS = 20 * 1000, PART = 512 };
    const ns_t own = aside[i]->work.kernel.waiting->looks_until,
               waited = (own - aside[i]->start_ns) / PART;
    ns_t others;
    if (least_ahead(i, &others) < 0)
        return own + alone_ns;
    return others + (waited > LEAST_NS ? waited : LEAST_NS);
}

static bool look_on(ns_t at, ns_t until)
{
    ns_t before, limit = at < until ? at : until;
    const bool is_idle = limit >= NS_NEVER - 1;
    if (at != NS_NEVER)
        idle_since = 0;
    const int i = least_ahead(-1, &before);
    if (i < 0 || before >= limit)
        return false;
    struct op *op = aside[i];
    if (may_look_until(i) < limit)
        limit = may_look_until(i);
    take(i);
    op->work.kernel.waiting->looks_until = limit;
    op_get(op);
    if (is_idle)
        go_on_alone(op);
    else
        go_on(op, sim.now);
    if (op->work.kernel.polls && op->work.kernel.waiting->looks_until <= before)
        op->work.kernel.waiting->looks_until = NS_NEVER; /* its loop has ceased to read the clock */
    op_put(op);
    return true;
}

static ns_t next(ns_t at)
{
    ns_t soonest = at;
    look_on(at, NS_NEVER);
    for (int i = 0; i < n_set_aside; i++)
        if (aside[i]->work.kernel.waiting->looks_until < soonest)
            soonest = aside[i]->work.kernel.waiting->looks_until;
    return soonest;
}

static bool wait_for_others(void)
{
    if (!n_set_aside)
        return false;
    explain(now_seconds());
    let_others_call(TICK_NS);
    return true;
}

static const struct onlooker own = {
    .look = look, .look_on = look_on, .next = next, .wait = wait_for_others};

void set_aside(struct op *op)
{
    aside =
        room_for_one(aside, (size_t)n_set_aside, &cap, sizeof(struct op *), "kernels that wait");
    onlooker = &own;
    int i = n_set_aside++;
    for (; i > 0 && aside[i - 1]->id > op->id; i--)
        aside[i] = aside[i - 1];
    aside[i] = op;
    op_get(op);
}

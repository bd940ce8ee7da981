/* host_time.c: what host threads compute between two calls of the runtime.
 *
 * Virtual time has only the costs of calls, so computing for milliseconds between two calls would
 * take no time. A program may ask that it counts: CPU time of a thread beyond an allowance moves
 * the thread's virtual clock. The allowance is far above the CPU time that programs need between
 * calls on any machine: it grows with each call, by the virtual time that the call takes. So the
 * virtual times of programs that compute little are the same everywhere.
 *
 * It is the CPU time of the thread: waiting does not count, nor do other programs on the machine.
 */
#include <time.h>

#include "core.h"

static _Atomic uint32_t run; /* counts; even: computing is not counted */
static _Atomic ns_t allowance;
static _Atomic ns_t charged; /* in this run, to all threads */

static ns_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (ns_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void host_time_begin(struct thread_state *t, ns_t allowed)
{
    run = (run + 1) | 1;
    allowance = allowed;
    charged = 0;
    t->host_time = (struct host_time){.run = run, .since = cpu_ns()};
}

ns_t host_time_end(void)
{
    run = (run + 1) & ~1u;
    return charged;
}

ns_t host_time_charge(struct thread_state *t)
{
    struct host_time *h = &t->host_time;
    if (run % 2 == 0 || h->run != run || h->is_free)
        return 0;
    h->spent += cpu_ns() - h->since;
    const ns_t due = h->spent - allowance - h->calls - h->charged;
    if (due <= 0)
        return 0;
    h->charged += due;
    charged += due;
    return due;
}

void host_time_resume(struct thread_state *t)
{
    struct host_time *h = &t->host_time;
    if (run % 2 == 0)
        return;
    if (h->run != run)
        *h = (struct host_time){.run = run};
    h->since = cpu_ns();
}

void host_time_call(struct thread_state *t, ns_t ns)
{
    t->host_time.calls += ns;
}

void host_time_free(struct thread_state *t, bool is_free)
{
    t->host_time.is_free = is_free;
    t->host_time.since = cpu_ns();
}

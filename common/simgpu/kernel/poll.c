/*
 * poll.c: threads that wait in a loop for what others write. A GPU runs them side by side. Here the
 * threads of a block take turns, and so do the blocks of a host thread. So a thread that has read
 * the same value from the same place very often lets others go on: first those of its block, then
 * blocks that have not begun, in another host thread.
 */
#include "worker.h"

#include <sched.h>

enum {
    PATIENCE = 2000,         /* reads; fewer say nothing */
    LATER_PATIENCE = 10,     /* in a block that has waited so before */
    WAITS_OF_A_BLOCK = 1000, /* so often its threads wait until another block begins */
};

/* Does the running thread go on with the poll that the worker knows? */
static bool is_same_poll(struct worker *w, const volatile void *p, uint64_t value)
{
    struct poll *poll = &w->poll;
    const struct poll now = {.at = p,
                             .value = value,
                             .block = w->block,
                             .thread = thread_rank(),
                             .n_waits = poll->block == w->block ? poll->n_waits : 0};
    if (poll->at == p && poll->value == value && poll->block == now.block &&
        poll->thread == now.thread)
        return true;
    *poll = now;
    return false;
}

bool thread_polls(const volatile void *p, uint64_t value)
{
    struct worker *w = worker_running;
    if (!w || !is_same_poll(w, p, value) ||
        ++w->poll.n_reads < (w->poll.n_waits ? LATER_PATIENCE : PATIENCE))
        return false;
    if (atomic_load_explicit(&w->grid->failed, memory_order_relaxed))
        worker_leave_block(w); /* no thread will write it */
    if (++w->poll.n_waits % WAITS_OF_A_BLOCK == 0) {
        grid_start_another(w);
        sched_yield();
    }
    if (threads_are_left(w) || w->ready.head ||
        (simgpu_thread.has_waiters && warp_release_steps(w)))
        thread_yield(w);
    return true;
}

/* poll.c: threads that wait in a loop for what others write. A GPU runs them side by side. Here the
 * threads of a block take turns, and so do the blocks of a host thread. So a thread that has read
 * the same value from the same place very often lets others go on: first those of its block, then
 * blocks that have not begun, in another host thread. If all threads of the grid wait so, others
 * must write: the grid is set aside (aside.c). */
#include "worker.h"

#include <sched.h>

enum {
    PATIENCE = 2000,         /* reads; fewer say nothing */
    LATER_PATIENCE = 10,     /* in a block that has waited so before, and of a grid that is aside */
    WAITS_OF_A_BLOCK = 1000, /* so often its threads wait until another block begins */
};

/* Does the running thread go on with the poll that is known? */
static bool is_same_poll(struct worker *w, const volatile void *p, uint64_t value, size_t bytes)
{
    struct poll *poll = &w->current->poll;
    const struct aside *a = w->grid->steps->aside;
    if (poll->at == p && poll->value == value && poll->run == w->run && poll->block == w->block &&
        poll->thread == thread_rank())
        return true;
    if (w->waits_block != w->block || w->waits_run != w->run) {
        w->n_waits = w->n_in_vain = 0;
        w->waits_block = w->block;
        w->waits_run = w->run;
    }
    *poll = (struct poll){.at = p,
                          .value = value,
                          .bytes = bytes,
                          .begun_ns = simgpu_thread.now_ns,
                          .wakes = a ? a->wakes : 0,
                          .run = w->run,
                          .block = w->block,
                          .thread = thread_rank()};
    return false;
}

/* It has looked in vain, unless its loop reads the clock and may do so for some time, while others
 * do nothing. */
static void count_wait(struct worker *w, struct poll *poll)
{
    const struct aside *a = w->grid->steps->aside;
    const bool ticks = poll->has_waited && simgpu_thread.now_ns > poll->looked_ns,
               looks_on = ticks && a && (ns_t)simgpu_thread.now_ns < a->limit_ns;
    poll->reads_clock |= ticks;
    w->n_in_vain = poll->has_waited && !looks_on ? w->n_in_vain + 1 : 0;
    poll->has_waited = true;
    poll->looked_ns = simgpu_thread.now_ns;
}

/* Each thread of the block has looked in vain, more than once. */
static bool block_is_stuck(const struct worker *w)
{
    const uint64_t looks = 2 * (uint64_t)w->grid->n_threads;
    return w->n_in_vain > looks + (w->grid->steps->aside ? 0 : WAITS_OF_A_BLOCK);
}

/* Other blocks begin, or the grid waits. */
static void let_others_begin(struct worker *w)
{
    if (block_is_stuck(w)) {
        w->n_in_vain = 0;
        if (!grid_start_another(w))
            grid_block_is_stuck(w);
    } else if (w->n_waits % WAITS_OF_A_BLOCK == 0) {
        grid_start_another(w);
        sched_yield();
    }
}

/* What the thread waited for happened then, although it has looked a little longer. */
static void set_clock(const struct worker *w, struct poll *poll)
{
    const struct aside *a = w->grid->steps->aside;
    if (!a || poll->wakes == a->wakes)
        return;
    poll->wakes = a->wakes;
    simgpu_thread.now_ns = poll->looked_ns =
        poll->begun_ns > (uint64_t)a->woken_ns ? poll->begun_ns : (uint64_t)a->woken_ns;
}

bool thread_polls(const volatile void *p, uint64_t value, size_t bytes)
{
    struct worker *w = worker_running;
    if (!w || !is_same_poll(w, p, value, bytes))
        return false;
    struct poll *poll = &w->current->poll;
    poll->n_sleeps = 0;
    if (++poll->n_reads < (w->n_waits || w->grid->steps->aside ? LATER_PATIENCE : PATIENCE))
        return false;
    w->n_waits++;
    count_wait(w, poll);
    threads_release(w);
    let_others_begin(w);
    if (atomic_load_explicit(&w->grid->failed, memory_order_relaxed)) { /* nobody will write it */
        w->end_block = w->block + 1;
        worker_leave_block(w);
    }
    if (threads_are_left(w) || w->ready.head ||
        (simgpu_thread.has_waiters && warp_release_steps(w)))
        thread_yield(w);
    set_clock(w, poll);
    return true;
}

/* dependencies.c: programmatic dependent launch, as a running grid sees it: it waits for the grids
 * that it started beside, and lets others start beside it.
 *
 * A grid runs on the CPU at one moment of virtual time, so it cannot wait. It runs twice: when it
 * begins, until its threads wait; and from its first line once it need not wait any more. What it
 * wrote the first time is taken back (stream/recorded_kernel.c). The second time, the threads of a
 * block wait until none of them can go on. Until then they see memory as it was when the grid
 * began. */
#include "worker.h"

static void show_earlier(const struct grid_steps *steps, bool shown)
{
    if (steps->earlier)
        steps->show(steps->earlier, shown);
}

void dependencies_end(const struct grid_steps *steps)
{
    show_earlier(steps, false);
}

void dependencies_are_met(struct worker *w)
{
    w->has_released = true;
    show_earlier(w->grid->steps, false);
}

void dependencies_begin(struct worker *w)
{
    w->has_released = false;
    show_earlier(w->grid->steps, true);
    w->has_waited = w->has_triggered = false;
    w->words = recorder_now ? recorder_now->words : 0;
}

static void raise_to(_Atomic int64_t *most, int64_t value)
{
    int64_t was = atomic_load(most);
    while (was < value && !atomic_compare_exchange_weak(most, &was, value))
        ;
}

EXPORT void simgpu_wait_for_dependencies(void)
{
    struct worker *w = worker_running;
    if (!w)
        fatal("cudaGridDependencySynchronize() outside of a kernel");
    struct grid_steps *steps = w->grid->steps;
    if (steps->is_beside)
        worker_fail(w, cudaErrorLaunchFailure,
                    "it calls cudaGridDependencySynchronize(), but its footprint does not declare "
                    "that: set work->waits_for_grids = 1");
    if (!w->has_waited) /* once a block: all its threads call this */
        w->has_waited = steps->waits = true;
    if (steps->until_wait) {
        threads_wait_noted(w);
        longjmp(w->current->next_thread, 1);
    }
    if (steps->earlier && !w->has_released) {
        threads_wait_noted(w);
        queue_put(&w->at_wait, w->current);
        thread_stop(w, &w->last_true);
    }
    int64_t ahead_ns = (int64_t)steps->resumed_ns - (int64_t)simgpu_thread.now_ns;
    if (ahead_ns > 0) {
        raise_to(&steps->waited_ns, ahead_ns);
        simgpu_thread.now_ns += (uint64_t)ahead_ns;
    }
}

EXPORT void simgpu_launch_dependents(void)
{
    struct worker *w = worker_running;
    if (!w)
        fatal("cudaTriggerProgrammaticLaunchCompletion() outside of a kernel");
    struct grid_steps *steps = w->grid->steps;
    if (w->has_triggered) /* one thread speaks for its block, as on an H200 */
        return;
    w->has_triggered = true;
    steps->triggered++;
    if (w->has_waited && !steps->until_wait)
        steps->triggers_late = true;
    raise_to(&steps->trigger_ns,
             (int64_t)simgpu_thread.now_ns - (int64_t)w->grid->clock_ns - w->called_ns);
    /* unless its threads have met, this one alone has run so far */
    uint64_t words = recorder_now ? recorder_now->words - w->words : 0;
    steps->trigger_words += simgpu_thread.has_waiters ? words : words * w->grid->n_threads;
}

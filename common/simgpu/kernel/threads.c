/* threads.c: the threads of one block take turns. A thread runs until it ends or must wait; then
 * the one that was made ready first goes on, or one that has not been started yet. Barriers let
 * threads go on in the order in which they came, so that a block runs the same way every time. */
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>

static void runner_main(void);

/* ---- runners --------------------------------------------------------------------------------- */

/* Those of host threads that have ended: the first runner of each mapping. A cooperative grid ends
 * hundreds of host threads, and the next one needs as many stacks. */
static struct runner *left_over;
static pthread_mutex_t left_over_lock = PTHREAD_MUTEX_INITIALIZER;

static struct runner *runners_left_over(void)
{
    pthread_mutex_lock(&left_over_lock);
    struct runner *runners = left_over;
    if (runners)
        left_over = runners->next;
    pthread_mutex_unlock(&left_over_lock);
    return runners;
}

static struct runner *runners_new(unsigned before)
{
    struct runner *runners = aligned_alloc(CACHE_LINE_BYTES, RUNNERS_A_MAPPING * sizeof *runners);
    unsigned char *stacks = fiber_stacks_map(RUNNERS_A_MAPPING);
    if (!runners || !stacks)
        fatal("no memory for the stacks of a block's threads (%zu KB each): allow this process "
              "more memory or mappings",
              FIBER_STACK_BYTES / 1024);
    for (unsigned i = 0; i < RUNNERS_A_MAPPING; i++)
        fiber_make(&runners[i].fiber, stacks, i, runner_main, before + i);
    return runners;
}

static void runner_give(struct worker *w, struct runner *r)
{
    r->next = w->idle;
    w->idle = r;
}

static void runners_add(struct worker *w)
{
    if (w->n_mappings == MAX_MAPPINGS)
        fatal("a block needs more stacks than it has threads");
    struct runner *runners = runners_left_over();
    if (!runners)
        runners = runners_new(w->n_mappings * RUNNERS_A_MAPPING);
    w->mappings[w->n_mappings++] = runners;
    for (unsigned i = RUNNERS_A_MAPPING; i-- > 0;) {
        fiber_reset(&runners[i].fiber);
        runner_give(w, &runners[i]);
    }
}

struct runner *runner_take(struct worker *w)
{
    if (!w->idle)
        runners_add(w);
    struct runner *r = w->idle;
    w->idle = r->next;
    r->result = &w->last_true; /* its first thread waits in nothing */
    return r;
}

void runners_reset(struct worker *w)
{
    w->idle = NULL;
    for (unsigned m = w->n_mappings; m-- > 0;) {
        for (unsigned i = RUNNERS_A_MAPPING; i-- > 0;) {
            fiber_reset(&w->mappings[m][i].fiber);
            runner_give(w, &w->mappings[m][i]);
        }
    }
}

void runners_free(struct worker *w)
{
    pthread_mutex_lock(&left_over_lock);
    for (unsigned m = 0; m < w->n_mappings; m++) {
        w->mappings[m]->next = left_over;
        left_over = w->mappings[m];
    }
    pthread_mutex_unlock(&left_over_lock);
    w->n_mappings = 0;
    w->idle = NULL;
}

/* ---- taking turns ---------------------------------------------------------------------------- */

void queue_put(struct queue *q, struct runner *r)
{
    r->next = NULL;
    if (q->tail)
        q->tail->next = r;
    else
        q->head = r;
    q->tail = r;
}

static struct runner *queue_take(struct queue *q)
{
    struct runner *r = q->head;
    q->head = r->next;
    if (!q->head)
        q->tail = NULL;
    return r;
}

/* Moves all of `from` to the end of `to`. */
static void queue_move(struct queue *to, struct queue *from)
{
    if (!from->head)
        return;
    if (to->tail)
        to->tail->next = from->head;
    else
        to->head = from->head;
    to->tail = from->tail;
    from->head = from->tail = NULL;
}

unsigned thread_rank(void)
{
    uint3 at = threadIdx, dim = blockDim;
    return at.x + dim.x * (at.y + dim.y * at.z);
}

static unsigned count_in_parts(const struct worker *w)
{
    unsigned n = 0;
    for (unsigned i = 0; i < SIMGPU_PART_BARRIERS; i++)
        n += w->parts[i].n_waiting;
    return n;
}

_Noreturn static void fail_deadlock(struct worker *w)
{
    char lanes[160], parts[64] = "";
    bool in_warp = warp_describe_waiting(w, lanes, sizeof lanes);
    if (count_in_parts(w) > 0)
        snprintf(parts, sizeof parts, ", %u in tiles of more than a warp", count_in_parts(w));
    worker_fail(
        w, cudaErrorLaunchTimeout,
        "the threads wait for each other forever: %u of %u wait in __syncthreads()%s%s%s. "
        "Every thread of the block, or of the mask, that has not ended must reach the same call",
        w->n_at_barrier, w->grid->n_threads, parts, in_warp ? ", and " : "", in_warp ? lanes : "");
}

/* The running thread stops. */
SIMGPU_ALWAYS_INLINE void note_stop(struct worker *w, const uint64_t *result,
                                    const uint64_t *not_before)
{
    struct runner *me = w->current;
    me->result = result;
    me->thread_idx = threadIdx;
    me->now_ns = simgpu_thread.now_ns;
    me->not_before = not_before;
    w->n_stopped++;
}

/* The thread that was made ready first is the running one from now on. */
SIMGPU_ALWAYS_INLINE struct runner *ready_take(struct worker *w)
{
    struct runner *r = queue_take(&w->ready);
    if (w->ready.head) {
        fiber_prefetch(&w->ready.head->fiber);
        __builtin_prefetch(w->ready.head->next);
    }
    w->n_stopped--;
    threadIdx = r->thread_idx;
    if (w->own_clocks)
        simgpu_thread.now_ns = r->now_ns > *r->not_before ? r->now_ns : *r->not_before;
    return r;
}

bool threads_release(struct worker *w)
{
    if (!w->at_wait.head)
        return false;
    dependencies_are_met(w);
    queue_move(&w->ready, &w->at_wait);
    return true;
}

/* No thread is ready, and all have started. */
static __attribute__((noinline)) struct runner *released_runner(struct worker *w)
{
    if (warp_release_active(w) || warp_release_steps(w))
        return ready_take(w);
    if (threads_release(w))
        return ready_take(w);
    if (w->grid->steps->until_wait && w->has_waited)
        worker_leave_block(w);
    fail_deadlock(w);
}

/* Who runs next, now that the running thread cannot. (A barrier takes three quarters of the time if
 * this and what follows are part of it.) */
SIMGPU_ALWAYS_INLINE struct runner *next_runner(struct worker *w)
{
    if (w->ready.head)
        return ready_take(w);
    if (w->to_start)
        return runner_take(w);
    return released_runner(w);
}

/* Runs `next` instead of the running thread, until another thread switches back to this one. Who
 * switches sets all that `next` finds: so what waits has nothing to do afterwards, and keeps no
 * frame on the stack. */
SIMGPU_ALWAYS_INLINE uint64_t go_on_with(struct worker *w, struct runner *next)
{
    struct runner *me = w->current;
    const uint64_t result = *next->result;
    w->current = next;
    return next == me ? result : fiber_turn(&me->fiber, &next->fiber, result);
}

uint64_t thread_stop(struct worker *w, const uint64_t *result)
{
    note_stop(w, result, &w->current->now_ns);
    return go_on_with(w, next_runner(w));
}

void thread_give_way(struct worker *w)
{
    note_stop(w, &w->last_true, &w->current->now_ns);
    go_on_with(w, w->to_start ? runner_take(w) : next_runner(w));
}

void threads_wait_noted(struct worker *w)
{
    if (simgpu_thread.has_waiters)
        return;
    simgpu_thread.has_waiters = 1;
    w->n_ended = thread_rank(); /* started in this order, and none of them has waited */
    w->to_start = w->grid->n_threads - w->n_ended - 1;
    w->last_started = threadIdx;
    warps_begin(w, w->n_ended);
}

bool threads_are_left(const struct worker *w)
{
    return simgpu_thread.has_waiters ? w->to_start > 0 : thread_rank() + 1 < w->grid->n_threads;
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* Lets the barrier go where all threads that have not ended have come. */
SIMGPU_ALWAYS_INLINE void barrier_check(struct worker *w)
{
    if (w->n_at_barrier == 0 || w->n_at_barrier + w->n_ended != w->grid->n_threads)
        return;
    w->last_true = w->n_true;
    w->n_at_barrier = w->n_true = 0;
    queue_move(&w->ready, &w->at_barrier);
}

EXPORT uint64_t simgpu_sync_threads(int predicate)
{
    struct worker *w = worker_running;
    if (!w)
        fatal("__syncthreads() outside of a kernel");
    threads_wait_noted(w);
    note_stop(w, &w->last_true, &w->barrier_ns);
    queue_put(&w->at_barrier, w->current);
    w->n_at_barrier++;
    w->n_true += predicate != 0;
    if (simgpu_thread.now_ns > w->barrier_ns)
        w->barrier_ns = simgpu_thread.now_ns;
    barrier_check(w);
    return go_on_with(w, next_runner(w));
}

EXPORT void simgpu_sync_part(unsigned barrier, unsigned n_threads)
{
    struct worker *w = worker_running;
    if (!w)
        fatal("the barrier of a tile outside of a kernel");
    struct part_barrier *b = &w->parts[barrier % SIMGPU_PART_BARRIERS];
    threads_wait_noted(w);
    note_stop(w, &w->last_true, &b->latest_ns);
    queue_put(&b->waiting, w->current);
    if (simgpu_thread.now_ns > b->latest_ns)
        b->latest_ns = simgpu_thread.now_ns;
    if (++b->n_waiting == n_threads) {
        b->n_waiting = 0;
        queue_move(&w->ready, &b->waiting);
    }
    go_on_with(w, next_runner(w));
}

void thread_yield(struct worker *w)
{
    threads_wait_noted(w);
    if (!w->to_start)
        warp_release_active(w);
    warp_count_turn(w);
    queue_put(&w->ready, w->current);
    thread_give_way(w);
}

EXPORT void simgpu_sleep_ns(unsigned ns)
{
    struct worker *w = worker_running;
    if (!w)
        fatal("__nanosleep() outside of a kernel");
    simgpu_thread.now_ns += ns;
    if (w->current->poll.n_sleeps++ > 0)
        w->n_in_vain = 0; /* it does not wait for what others write */
    thread_yield(w);
}

/* ---- the life of a runner -------------------------------------------------------------------- */

/* The next thread that has not been started is the running one; false: none is left. */
static bool begin_thread(struct worker *w)
{
    uint3 at = w->last_started;
    if (w->to_start == 0)
        return false;
    w->to_start--;
    if (++at.x == blockDim.x) {
        at.x = 0;
        if (++at.y == blockDim.y) {
            at.y = 0;
            at.z++;
        }
    }
    w->last_started = at;
    threadIdx = at;
    return true;
}

static void end_thread(struct worker *w)
{
    w->n_ended++;
    warp_lane_ended(w, thread_rank());
    barrier_check(w);
}

/* Runs the running thread, and those after it as long as no thread has waited. */
static void run_thread(const struct grid *grid)
{
    if (grid->recording && !recorder_now) {
        grid->kernel->run_plain(grid->params);
        return;
    }
    if (grid->kernel->run) {
        grid->kernel->run(grid->params);
        return;
    }
    unsigned x = threadIdx.x;
    do {
        do
            grid->kernel->call(grid->params);
        while (simgpu_next_in_row(&x));
    } while (simgpu_next_row(&x));
}

/* Runs threads of the block until none is left to be started. */
static void run_threads(struct worker *w)
{
    if (!simgpu_thread.has_waiters) {
        threadIdx = (uint3){0, 0, 0};
        run_thread(w->grid);
        if (!simgpu_thread.has_waiters)
            return;
        end_thread(w);
    }
    while (begin_thread(w)) {
        run_thread(w->grid);
        end_thread(w);
    }
}

/* The same where threads may stop for good in the middle of the kernel (dependencies.c). */
static void run_stopping_threads(struct worker *w, struct runner *me)
{
    if (setjmp(me->next_thread))
        simgpu_clock_end();
    run_threads(w);
}

static void runner_main(void)
{
    struct worker *w = worker_running;
    struct runner *me = w->current;
    fiber_entered(&me->fiber);
    for (;;) {
        if (w->grid->steps->until_wait)
            run_stopping_threads(w, me);
        else
            run_threads(w);
        if (w->n_stopped > 0) {
            struct runner *next = next_runner(w);
            runner_give(w, me);
            go_on_with(w, next);
        } else if (!w->grid->calls->next_block(w)) {
            runner_give(w, me);
            fiber_switch(&me->fiber, &w->native, 0);
        }
    }
}

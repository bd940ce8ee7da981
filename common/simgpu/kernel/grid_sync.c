/* grid_sync.c: blocks that wait for each other: at the barrier of a whole grid (cooperative
 * groups), or in a loop (poll.c). A block that waits keeps its host thread, and another thread runs
 * the blocks that have not begun. So in the end there may be as many threads as blocks. */
#include "worker.h"

#include <stdlib.h>
#include <time.h>

#include "memory/memory.h"

struct grid_sync {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t n_waiting, n_ended; /* blocks */
    uint64_t n_passed;           /* barriers */
    unsigned n_threads;          /* started for this grid and still at work */
    struct worker *stuck;        /* their blocks wait in loops, and they for `looks` to change */
    unsigned n_stuck;            /* so many */
    uint64_t looks;              /* counts: all of them are to look again */
    bool is_aside;               /* … once the grid goes on */
};

/* The work of a new thread: the blocks that a waiting thread had taken and not begun. */
struct blocks {
    struct grid *grid;
    uint64_t first, end;
};

static void sync_free(struct grid_sync *s)
{
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s);
}

void grid_sync_begin(struct grid *grid)
{
    struct grid_sync *s = calloc(1, sizeof *s), *none = NULL;
    if (!s)
        fatal("out of memory for a grid");
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (!atomic_compare_exchange_strong(&grid->sync, &none, s))
        sync_free(s); /* another block was first */
}

void grid_sync_end(struct grid *grid)
{
    struct grid_sync *s = grid->sync;
    pthread_mutex_lock(&s->lock);
    while (s->n_threads)
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    sync_free(s);
}

/* Called with the lock held: if all have arrived, all continue. */
static void check(const struct grid *grid)
{
    struct grid_sync *s = grid->sync;
    if (s->n_waiting == 0 || s->n_waiting + s->n_ended < grid->n_blocks)
        return;
    s->n_waiting = 0;
    s->n_passed++;
    pthread_cond_broadcast(&s->changed);
}

void grid_sync_block_ended(struct grid *grid)
{
    struct grid_sync *s = grid->sync;
    pthread_mutex_lock(&s->lock);
    s->n_ended++;
    check(grid);
    pthread_mutex_unlock(&s->lock);
}

void grid_sync_failed(struct grid *grid)
{
    pthread_mutex_lock(&grid->sync->lock);
    pthread_cond_broadcast(&grid->sync->changed);
    pthread_mutex_unlock(&grid->sync->lock);
}

static void *run(void *arg)
{
    struct blocks *b = arg;
    struct grid *grid = b->grid;
    memory_open(); /* the right to touch device memory is a thread's own */
    grid->calls->run_from(grid->calls->self(), grid, b->first, b->end);
    memory_close();
    free(b);
    pthread_mutex_lock(&grid->sync->lock);
    grid->sync->n_threads--;
    pthread_cond_broadcast(&grid->sync->changed);
    pthread_mutex_unlock(&grid->sync->lock);
    return NULL;
}

static bool has_more(const struct worker *w)
{
    return w->block + 1 < w->end_block || atomic_load(&w->grid->next_block) < w->grid->n_blocks;
}

/* Called with the lock held. Another thread continues in place of the calling one; false: the
 * system has no more threads. */
static bool start_another(struct worker *w)
{
    struct blocks *b = needed(malloc(sizeof *b), "a grid");
    *b = (struct blocks){w->grid, w->block + 1, w->end_block};
    w->grid->shared = true;
    w->grid->n_at_work++;
    w->grid->sync->n_threads++;
    if (thread_start(run, b) == 0) {
        w->end_block = w->block + 1;
        return true;
    }
    w->grid->n_at_work--;
    w->grid->sync->n_threads--;
    free(b);
    return false;
}

bool grid_start_another(struct worker *w)
{
    struct grid *grid = w->grid;
    const uint64_t most = (uint64_t)occupancy_blocks_per_sm(grid->kernel, grid->launch) *
                          (uint64_t)sim.profile.sm_count;
    if (!has_more(w) || grid->steps->earlier)
        return false;
    if (!grid->sync)
        grid_sync_begin(grid);
    pthread_mutex_lock(&grid->sync->lock);
    const bool started = grid->sync->n_threads + 1 < most && start_another(w);
    pthread_mutex_unlock(&grid->sync->lock);
    return started; /* if not now, perhaps later */
}

/* ---- all wait in loops ----------------------------------------------------------------------- */

/* Called with the lock held. Nobody runs but the caller: so nothing changes what they wait for. */
static void grid_is_stuck(struct grid *grid)
{
    struct grid_sync *s = grid->sync;
    if (grid->steps->aside) {
        s->is_aside = true;
        pthread_mutex_unlock(&s->lock);
        grid->steps->aside->all_wait(grid->steps->aside, s->stuck);
        pthread_mutex_lock(&s->lock);
        s->is_aside = false;
    } else if (grid->steps->may_stop) {
        grid->steps->polls = true;
        grid->failed = true;
    }
    s->stuck = NULL;
    s->n_stuck = 0;
    s->looks++;
    pthread_cond_broadcast(&s->changed);
}

/* Called with the lock held. Others run still: looks again after a moment. */
static void wait_a_moment(struct grid_sync *s, const struct worker *w)
{
    const uint64_t looks = s->looks;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000 * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (s->looks == looks)
        if (s->is_aside)
            pthread_cond_wait(&s->changed, &s->lock);
        else if (pthread_cond_timedwait(&s->changed, &s->lock, &until) != 0 && !s->is_aside)
            break;
    if (s->looks != looks)
        return;
    struct worker **at = &s->stuck;
    while (*at != w)
        at = &(*at)->next_stuck;
    *at = w->next_stuck;
    s->n_stuck--;
}

void grid_block_is_stuck(struct worker *w)
{
    struct grid *grid = w->grid;
    if (!grid->sync)
        grid_sync_begin(grid);
    struct grid_sync *s = grid->sync;
    pthread_mutex_lock(&s->lock);
    w->next_stuck = s->stuck;
    s->stuck = w;
    s->n_stuck++;
    if (s->n_stuck + s->n_waiting >= grid->n_at_work)
        grid_is_stuck(grid);
    else
        wait_a_moment(s, w);
    pthread_mutex_unlock(&s->lock);
}

EXPORT int simgpu_grid_is_cooperative(void)
{
    return worker_running && worker_running->grid->steps->is_cooperative;
}

EXPORT void simgpu_wait_for_grid(void)
{
    struct worker *w = worker_running;
    if (!w)
        fatal("a barrier of a grid outside of a kernel");
    if (!w->grid->steps->is_cooperative) /* __trap() in CUDA's cooperative_groups.h, too */
        worker_fail(w, cudaErrorLaunchFailure,
                    "waits for the grid, whose launch is not cooperative: launch it by "
                    "cudaLaunchCooperativeKernel");
    struct grid *grid = w->grid;
    struct grid_sync *s = grid->sync;
    pthread_mutex_lock(&s->lock);
    uint64_t passed = s->n_passed;
    if (has_more(w) && !start_another(w))
        fatal("no more host threads for the blocks of kernel %s, which wait for each other",
              w->grid->kernel->name);
    s->n_waiting++;
    check(grid);
    while (s->n_passed == passed && !atomic_load(&grid->failed))
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

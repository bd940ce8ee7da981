/*
 * grid_sync.c: the barrier of a whole grid (cooperative groups). A block that waits keeps its host
 * thread, and another thread runs the blocks that have not begun. So in the end there are as many
 * threads as blocks.
 */
#include "worker.h"

#include <stdlib.h>

#include "memory/memory.h"

struct grid_sync {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t n_waiting, n_ended; /* blocks */
    uint64_t n_passed;           /* barriers */
    unsigned n_threads;          /* started for this grid and still at work */
};

/* What a new thread goes on with: the blocks that a waiting one had taken and not begun. */
struct blocks {
    struct grid *grid;
    uint64_t first, end;
};

void grid_sync_begin(struct grid *grid)
{
    struct grid_sync *s = calloc(1, sizeof *s);
    if (!s)
        fatal("out of memory for a grid");
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    grid->sync = s;
}

void grid_sync_end(struct grid *grid)
{
    struct grid_sync *s = grid->sync;
    pthread_mutex_lock(&s->lock);
    while (s->n_threads)
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s);
}

/* Called with the lock held: lets all go on if nobody is missing. */
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
    worker_run_from(worker_self(), grid, b->first, b->end);
    memory_close();
    free(b);
    pthread_mutex_lock(&grid->sync->lock);
    grid->sync->n_threads--;
    pthread_cond_broadcast(&grid->sync->changed);
    pthread_mutex_unlock(&grid->sync->lock);
    return NULL;
}

/* Called with the lock held. Another thread goes on in place of the calling one. */
static void start_another(struct worker *w)
{
    struct blocks *b = malloc(sizeof *b);
    if (!b)
        fatal("out of memory for a grid");
    *b = (struct blocks){w->grid, w->block + 1, w->end_block};
    w->end_block = w->block + 1;
    w->grid->shared = true;
    w->grid->sync->n_threads++;
    if (thread_start(run, b) != 0)
        fatal("no more host threads for the blocks of kernel %s, which wait for each other",
              w->grid->kernel->name);
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
    bool more = w->block + 1 < w->end_block || atomic_load(&grid->next_block) < grid->n_blocks;
    if (more)
        start_another(w);
    s->n_waiting++;
    check(grid);
    while (s->n_passed == passed && !atomic_load(&grid->failed))
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

/* workers.c: host threads that help with a long grid. They are started when first needed, sleep
 * between grids, and take blocks from the same counter as the thread that launched it. One grid at
 * a time is helped. */
#include "memory/memory.h"
#include "worker.h"

#include <sched.h>

enum { MAX_WORKERS = 16 }; /* each may need 1024 stacks, and a process has some 65000 mappings */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t offered; /* grid was set */
    pthread_cond_t left;    /* a helper is done */
    struct grid *grid;      /* what to help with, or NULL */
    unsigned n_helpers;     /* started */
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned n_workers;

/* ---- how many -------------------------------------------------------------------------------- */

static unsigned count_cores(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0)
        return 1;
    int n = CPU_COUNT(&cores);
    return n > MAX_WORKERS ? MAX_WORKERS : (unsigned)n;
}

static void after_fork(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.offered, NULL);
    pthread_cond_init(&pool.left, NULL);
    pool.grid = NULL;
    pool.n_helpers = 0; /* threads do not follow into a child */
}

static void start(void)
{
    pthread_atfork(NULL, NULL, after_fork);
    n_workers = (unsigned)setting_number("SIMGPU_WORKERS", "", 1, MAX_WORKERS, count_cores());
}

unsigned pool_workers(void)
{
    pthread_once(&once, start);
    return n_workers;
}

/* ---- helpers --------------------------------------------------------------------------------- */

static void *help(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.grid)
            pthread_cond_wait(&pool.offered, &pool.lock);
        struct grid *grid = pool.grid;
        grid->n_helpers++;
        pthread_mutex_unlock(&pool.lock);
        memory_open(); /* the right to touch device memory is a thread's own */
        grid->calls->run(grid->calls->self(), grid, false);
        memory_close();
        pthread_mutex_lock(&pool.lock);
        if (pool.grid == grid)
            pool.grid = NULL; /* no block is left: no further worker is needed */
        grid->n_helpers--;
        pthread_cond_broadcast(&pool.left);
    }
    return NULL;
}

void pool_share(struct grid *grid)
{
    grid->shared = true;
    pthread_mutex_lock(&pool.lock);
    if (!pool.grid) {
        while (pool.n_helpers + 1 < n_workers && thread_start(help, NULL) == 0)
            pool.n_helpers++; /* fewer will do */
        pool.grid = grid;
        pthread_cond_broadcast(&pool.offered);
    }
    pthread_mutex_unlock(&pool.lock);
}

void pool_finish(struct grid *grid)
{
    pthread_mutex_lock(&pool.lock);
    if (pool.grid == grid)
        pool.grid = NULL;
    while (grid->n_helpers)
        pthread_cond_wait(&pool.left, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

void pool_failed(struct grid *grid, const struct failure *f)
{
    pthread_mutex_lock(&pool.lock);
    if (!grid->failure->happened || f->block < grid->failure->block)
        *grid->failure = *f;
    grid->failed = true;
    pthread_mutex_unlock(&pool.lock);
}

/* patience.c: a message if a grid of a CUDA program makes no progress. A loop that waits for the
 * write of another thread may be endless; some loops are endless here and not on a GPU (see
 * poll.c). The message says why the program may stand still. */
#include "worker.h"

#include <stdio.h>
#include <unistd.h>

enum { PATIENCE_S = 10, MOST_S = 24 * 60 * 60 };

static struct {
    _Atomic(const struct simgpu_kernel *) kernel; /* whose grid runs, or NULL */
    _Atomic uint64_t steps;                       /* grids begun and blocks taken */
} progress;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned patience_s; /* 0: without end */

static void *watch(void *unused)
{
    const struct simgpu_kernel *kernel;
    uint64_t before;
    do {
        before = progress.steps;
        for (unsigned left = patience_s; left;)
            left = sleep(left);
        kernel = progress.kernel;
    } while (!kernel || progress.steps != before);
    fprintf(
        stderr,
        "simgpu: kernel %s has not finished a block for %u s. If its threads wait in a loop "
        "for a value, it has not been written so far. Read it by an atomic operation, or as "
        "volatile: otherwise the threads of a block take turns only at barriers, and so they do "
        "without checks (SIMGPU_CHECKS=0). Ctrl-C ends the program. SIMGPU_PATIENCE=0 switches "
        "this message off.\n",
        kernel->name, patience_s);
    return unused;
}

static void start(void)
{
    patience_s = (unsigned)setting_number("SIMGPU_PATIENCE", " of seconds", 0, MOST_S, PATIENCE_S);
    if (patience_s)
        thread_start(watch, NULL); /* without it the program runs as well */
}

unsigned patience_seconds(void)
{
    pthread_once(&once, start);
    return patience_s;
}

void patience_begin(const struct simgpu_kernel *kernel)
{
    pthread_once(&once, start);
    progress.kernel = kernel;
    patience_step();
}

void patience_step(void)
{
    atomic_fetch_add_explicit(&progress.steps, 1, memory_order_relaxed);
}

void patience_end(void)
{
    progress.kernel = NULL;
}

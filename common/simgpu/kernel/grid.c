/* grid.c: a grid on the CPU. Workers take blocks off the grid, a few at a time, and run each to
 * its end. One worker begins; it asks the others for help only after the grid has proved to be
 * worth waking them. */
#include "common/memory_page.h"
#include "host_record.h"
#include "worker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
    CHUNK_THREADS = 1024,       /* blocks are taken in chunks of about so many threads */
    SHARE_AFTER_NS = 50 * 1000, /* waking a worker costs about a tenth of this */
    DYNAMIC_ALIGNMENT = 128
};

static __thread struct worker *self;
static __thread struct failure last_failure; /* of the calling thread's grids */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic uint64_t workers; /* ever made */
static pthread_key_t key;        /* frees a worker when its host thread ends */
static struct {
    ns_t start_ns;
    unsigned khz;
} device_clock = {.khz = 1000 * 1000};

/* ---- workers --------------------------------------------------------------------------------- */

static void unmap_dynamic_shared(struct worker *w)
{
    if (w->dynamic_room)
        munmap(w->dynamic_room, w->dynamic_room_bytes + SHARED_GUARD_BYTES);
}

static void worker_free(void *worker)
{
    struct worker *w = worker;
    fault_forget(w);
    runners_free(w);
    recorder_free();
    unmap_dynamic_shared(w);
    free(w);
    self = NULL;
}

static void make_key(void)
{
    if (pthread_key_create(&key, worker_free) != 0)
        fatal("no thread-specific key is left for the threads that run kernels");
}

struct worker *worker_self(void)
{
    if (self)
        return self;
    pthread_once(&once, make_key);
    struct worker *w = needed(calloc(1, sizeof *w), "a thread that runs kernels");
    w->run = ++workers << 40; /* it never runs so many */
    pthread_setspecific(key, w);
    fault_watch(w);
    self = w;
    return w;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static int64_t host_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Whether the grid has run for long enough to be worth the help of other threads. */
static bool is_long(struct grid *g)
{
    int64_t now = host_now_ns();
    if (g->begun_ns == 0)
        g->begun_ns = now;
    return now - g->begun_ns > SHARE_AFTER_NS;
}

/* The first of the next blocks that no worker has taken. */
static uint64_t next_chunk(struct grid *g)
{
    if (g->shared)
        return atomic_fetch_add_explicit(&g->next_block, g->chunk, memory_order_relaxed);
    uint64_t first = atomic_load_explicit(&g->next_block, memory_order_relaxed);
    atomic_store_explicit(&g->next_block, first + g->chunk, memory_order_relaxed);
    return first;
}

/* Takes the next chunk for this worker; false: none is left, or the grid has failed. */
static bool take_chunk(struct worker *w)
{
    struct grid *g = w->grid;
    if (atomic_load_explicit(&g->failed, memory_order_relaxed))
        return false;
    uint64_t first = next_chunk(g);
    if (first >= g->n_blocks)
        return false;
    if (g->kernel->reports_accesses)
        patience_step();
    w->block = first;
    w->end_block = g->n_blocks - first < g->chunk ? g->n_blocks : first + g->chunk;
    if (w->owner && !g->shared && !g->steps->aside && !g->steps->earlier &&
        w->end_block < g->n_blocks && pool_workers() > 1 && is_long(g))
        pool_share(g);
    return true;
}

/* Where block number `block` is in its grid. */
static uint3 block_index(uint64_t block, const struct simgpu_dim *grid)
{
    uint64_t row = block / grid->x;
    return (uint3){(unsigned)(block - row * grid->x), (unsigned)(row % grid->y),
                   (unsigned)(row / grid->y)};
}

/* Sets blockIdx to w->block, which is either the next one or the first of a chunk. */
static void place_block(struct worker *w, bool is_next)
{
    const struct simgpu_dim *grid = &w->grid->launch->grid;
    if (w->block == 0)
        blockIdx = (uint3){0, 0, 0};
    else if (is_next && blockIdx.x + 1 < grid->x)
        blockIdx.x++;
    else
        blockIdx = block_index(w->block, grid);
}

/* No thread of the next block has waited. */
static void forget_waits(struct worker *w)
{
    simgpu_thread.has_waiters = 0;
    w->barrier_ns = 0;
    for (unsigned i = 0; i < SIMGPU_PART_BARRIERS; i++)
        w->parts[i].latest_ns = 0;
}

static bool next_block(struct worker *w)
{
    bool is_next = w->runs_block;
    if (w->runs_block && w->grid->sync)
        grid_sync_block_ended(w->grid);
    w->runs_block = false;
    if (++w->block >= w->end_block) {
        is_next = false;
        if (!take_chunk(w))
            return false;
    }
    w->runs_block = true;
    place_block(w, is_next);
    const struct grid *g = w->grid;
    simgpu_thread.now_ns = simgpu_thread.block_ns = (uint64_t)g->clock_ns;
    if (simgpu_thread.has_waiters)
        forget_waits(w);
    dependencies_begin(w);
    /* undefined: NaN as a float, so that it shows */
    if (g->launch->dynamic_shared_bytes)
        memset(w->dynamic_shared, 0xff, g->launch->dynamic_shared_bytes);
    if (w->is_recording)
        recorder_begin_block(w->block, g->n_blocks, g->kernel->run_plain != NULL);
    return true;
}

static void provide_dynamic_shared(struct worker *w, size_t bytes)
{
    bytes = (bytes + DYNAMIC_ALIGNMENT - 1) / DYNAMIC_ALIGNMENT * DYNAMIC_ALIGNMENT;
    if (!w->dynamic_room || bytes > w->dynamic_room_bytes) {
        const size_t room = memory_pages(bytes);
        unmap_dynamic_shared(w);
        w->dynamic_room = mmap(NULL, room + SHARED_GUARD_BYTES, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (w->dynamic_room == MAP_FAILED ||
            (room && mprotect(w->dynamic_room, room, PROT_READ | PROT_WRITE) != 0))
            fatal("out of memory for %zu bytes of shared memory", bytes);
        w->dynamic_room_bytes = room;
    }
    w->dynamic_shared = w->dynamic_room + w->dynamic_room_bytes - bytes;
}

/* Whatever the runners were doing, they will not go on with it. */
static void clear_block(struct worker *w)
{
    w->n_stopped = w->n_at_barrier = w->n_true = 0;
    w->ready = w->at_barrier = w->at_wait = (struct queue){NULL, NULL};
    memset(w->parts, 0, sizeof w->parts);
    runners_reset(w);
}

static void clear_failed_block(struct worker *w)
{
    w->runs_block = false;
    clear_block(w);
    pool_failed(w->grid, &w->failure);
    if (w->grid->sync)
        grid_sync_failed(w->grid);
    w->failure.happened = false;
}

/* The blocks in w->block + 1 to before w->end_block are its own, others it must take. */
static void run_blocks(struct worker *w, struct grid *grid, bool owner)
{
    const struct simgpu_launch *launch = grid->launch;
    w->grid = grid;
    w->run++;
    w->own_clocks = grid->kernel->reports_accesses;
    w->owner = owner;
    provide_dynamic_shared(w, launch->dynamic_shared_bytes);
    blockDim = (uint3){launch->block.x, launch->block.y, launch->block.z};
    gridDim = (uint3){launch->grid.x, launch->grid.y, launch->grid.z};
    simgpu_thread.dynamic_shared = w->dynamic_shared;
    simgpu_thread.dynamic_bytes = launch->dynamic_shared_bytes;
    simgpu_thread.variables_bytes = recorder_own_variables(&simgpu_thread.variables);
    simgpu_thread.clock_khz = grid->clock_khz;
    simgpu_thread.latest_ns = 0;
    w->called_ns = 0;
    if (!next_block(w))
        return;
    if (grid->recording) {
        recorder_begin(grid->recording);
        recorder_begin_block(w->block, grid->n_blocks, grid->kernel->run_plain != NULL);
        w->is_recording = true;
    }
    worker_running = w;
    do {
        w->left_block = false;
        w->current = runner_take(w);
        fiber_switch(&w->native, &w->current->fiber, 0);
        if (w->left_block)
            clear_block(w);
    } while (w->left_block && next_block(w));
    worker_running = NULL;
    if (grid->recording)
        recorder_end(grid->recording,
                     (int64_t)simgpu_thread.latest_ns - grid->clock_ns - w->called_ns);
    w->is_recording = false;
    if (w->failure.happened)
        clear_failed_block(w);
}

static void run(struct worker *w, struct grid *grid, bool owner)
{
    w->block = w->end_block = 0;
    if (!owner)
        grid->n_at_work++;
    run_blocks(w, grid, owner);
    if (grid->shared)
        grid->n_at_work--;
}

static void run_from(struct worker *w, struct grid *grid, uint64_t first, uint64_t end)
{
    w->block = first - 1; /* wraps for the first of all */
    w->end_block = end;
    run_blocks(w, grid, false);
    grid->n_at_work--;
}

_Noreturn void kernel_misaligned(const void *p, size_t bytes)
{
    const uint3 t = threadIdx;
    worker_fail(worker_running, cudaErrorMisalignedAddress,
                "thread (%u,%u,%u) accesses %zu bytes at address %p, which is no multiple of %zu",
                t.x, t.y, t.z, bytes, p, bytes);
}

void kernel_refuse_call(const char *name)
{
    struct worker *w = worker_running;
    if (!w)
        return;
    const uint3 t = threadIdx;
    worker_fail(w, cudaErrorLaunchFailure, "thread (%u,%u,%u) called %s, which is for the host",
                t.x, t.y, t.z, name);
}

/* ---- grids ----------------------------------------------------------------------------------- */

void grid_set_clock(ns_t start_ns)
{
    device_clock.start_ns = start_ns;
    device_clock.khz = (unsigned)sim.profile.clock_khz;
}

void kernel_call_takes(ns_t ns)
{
    simgpu_thread.now_ns += (uint64_t)ns;
    worker_running->called_ns += ns;
}

void kernel_fail(cudaError_t code, const char *text)
{
    worker_fail(worker_running, code, "%s", text);
}

bool kernel_is_running(void)
{
    return worker_running != NULL;
}

cudaError_t grid_failure(void)
{
    return last_failure.code;
}

static uint64_t volume(const struct simgpu_dim *d)
{
    return (uint64_t)d->x * d->y * d->z;
}

static const struct worker_calls calls = {worker_self, run, run_from, next_block};

bool grid_run(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch,
              void *const *params, struct recording *recording, struct grid_steps *steps,
              const char **why)
{
    if (!kernel->call && !kernel->run) {
        kernel_say_empty(kernel);
        return true;
    }
    uint64_t n_threads = volume(&launch->block);
    if (n_threads > MAX_BLOCK_THREADS)
        fatal("kernel %s: a block of %llu threads was let through", kernel->name,
              (unsigned long long)n_threads);
    last_failure.happened = false;
    struct grid g = {
        .calls = &calls,
        .kernel = kernel,
        .launch = launch,
        .params = params,
        .n_threads = (unsigned)n_threads,
        .n_blocks = n_threads ? volume(&launch->grid) : 0,
        .chunk = n_threads < CHUNK_THREADS ? CHUNK_THREADS / (n_threads + 1) + 1 : 1,
        .failure = &last_failure,
        .recording = recording,
        .steps = steps,
        .next_block = 0,
        .failed = false,
        .n_helpers = 0,
        .clock_ns = device_clock.start_ns,
        .clock_khz = device_clock.khz,
        .children = {NULL, NULL, 0},
        .n_at_work = 1,
        .sync = NULL,
        .begun_ns = 0,
        .shared = false,
    };
    children_begin(&g.children);
    if (steps->is_cooperative)
        grid_sync_begin(&g);
    if (kernel->reports_accesses)
        patience_begin(kernel);
    host_grid(true);
    run(worker_self(), &g, true);
    if (g.shared)
        pool_finish(&g);
    host_grid(false);
    dependencies_end(steps);
    if (kernel->reports_accesses)
        patience_end();
    if (g.sync)
        grid_sync_end(&g);
    bool good = !last_failure.happened;
    if (!good)
        *why = last_failure.text;
    if (steps->polls)
        children_run(&g.children, false, recording, why); /* not now */
    else
        good = children_run(&g.children, good, recording, why);
    if (recording)
        recording_merge(recording);
    return good;
}

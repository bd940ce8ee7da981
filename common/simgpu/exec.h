/*
 * exec.h: how a grid runs on the CPU. One struct a concept:
 *
 *   grid -> worker (a host thread that runs blocks) -> runner (a stack that runs device threads) -> warp, meeting.
 *
 * A runner starts the threads of a block one after the other, as a loop, with no switch between them. Only when a
 * thread must wait does it keep the runner's stack, and another runner goes on with the rest. A block without
 * barriers needs one runner, a block of 1024 threads that all wait needs 1024.
 */
#ifndef EXEC_H
#define EXEC_H

#include <pthread.h>
#include <stdatomic.h>

#include "fiber.h"
#include "sim.h"
#include "thread.h"

enum {
    WARP_LANES = 32,
    MAX_BLOCK_THREADS = 1024,
    MAX_BLOCK_WARPS = MAX_BLOCK_THREADS / WARP_LANES,
    CACHE_LINE_BYTES = 64,
    RUNNERS_A_MAPPING = 32 /* stacks are made so many at a time */
};

/* Why a grid could not run to its end. */
struct failure {
    bool happened;
    uint64_t block;   /* its linear index; of several failures the one of the first block is reported */
    cudaError_t code; /* what the device answers from now on */
    char text[400];
};

/* One launch, while it runs. Shared by the workers. */
struct grid {
    const struct simgpu_kernel *kernel;
    const struct simgpu_launch *launch;
    void *const *params;
    unsigned n_threads;            /* a block */
    uint64_t n_blocks;
    uint64_t chunk;                /* blocks taken at a time */
    _Atomic uint64_t next_block;   /* the first that nobody has taken */
    _Atomic bool failed;           /* take no more */
    struct failure *failure;       /* guarded by the pool's lock */
    unsigned n_helpers;            /* of the pool, at work on it; guarded by the pool's lock */
    ns_t clock_ns;                 /* the device's clock when the grid starts */
    unsigned clock_khz;
    /* the worker that began it */
    int64_t begun_ns;              /* host time at its first chunk; 0: not looked at */
    bool shared;                   /* the pool has been asked to help */
};

/* A stack that runs device threads. While it is not running it is in one queue, or among the idle. */
struct runner {
    _Alignas(CACHE_LINE_BYTES) struct fiber fiber;
    struct runner *next;
    uint3 thread_idx;    /* the thread that is stopped here */
    uint64_t value;      /* what it brought to a meeting, and what it takes away */
    unsigned source;     /* the lane it wants to hear */
};

struct queue {
    struct runner *head, *tail;
};

/* Lanes of a warp that wait for each other in one primitive with one mask. */
struct meeting {
    unsigned op;          /* enum simgpu_warp_op */
    uint32_t mask;        /* who must come */
    uint32_t arrived;     /* who has */
    const void *site;     /* of __activemask, whose callers meet only where they call it; else NULL */
};

struct warp {
    uint32_t live;        /* lanes that exist and have not ended */
    int n_meetings;
    struct meeting meetings[WARP_LANES];
    struct runner *lanes[WARP_LANES]; /* those that wait in a meeting */
};

/* A host thread that runs blocks. */
struct worker {
    struct fiber native;        /* the host thread's own stack */
    struct runner *current;
    struct runner *idle;        /* LIFO: the stack used last is still in the cache */
    struct runner *mappings[MAX_BLOCK_THREADS / RUNNERS_A_MAPPING];
    unsigned char *stacks[MAX_BLOCK_THREADS / RUNNERS_A_MAPPING];
    unsigned n_mappings;
    unsigned char *dynamic_shared;
    size_t dynamic_shared_bytes;
    void *signal_stack;         /* fault.c: its handler's, where the thread had none */
    int fault_signal;           /* what the handler was called for */
    void *fault_address;

    /* the blocks taken */
    struct grid *grid;
    bool owner;                 /* it began the grid */
    uint64_t block, end_block;  /* linear: the one that runs, and the first not taken */
    struct failure failure;

    /* the block that runs; what follows n_stopped counts from the first wait on (simgpu_thread.has_waiters) */
    unsigned n_stopped;         /* threads started that are neither running nor ended */
    struct queue ready;
    unsigned n_ended;
    struct queue at_barrier;
    unsigned n_at_barrier;
    unsigned n_true;            /* of them, with a predicate that holds */
    unsigned last_arrived, last_true; /* of the barrier that was passed last */
    struct warp warps[MAX_BLOCK_WARPS];
};

/* ---- exec.c ------------------------------------------------------------------------------------------- */

struct worker *worker_self(void);    /* the calling host thread's; made on first use, NULL when memory is short */
/* The same while it runs a kernel, else NULL. */
extern __thread struct worker *worker_running __attribute__((tls_model("initial-exec"), visibility("hidden")));
void worker_run(struct worker *w, struct grid *grid, bool owner); /* takes blocks until none is left */

bool worker_next_block(struct worker *w); /* sets the scene for one more block; false: there is none */

/* Ends the running grid from inside a device thread. The text begins with the index of the block. */
_Noreturn void worker_fail(struct worker *w, cudaError_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- threads.c: the threads of one block -------------------------------------------------------------- */

struct runner *runner_take(struct worker *w); /* an idle one, or a new one */
void runner_give(struct worker *w, struct runner *r);
void runners_reset(struct worker *w);         /* all idle, whatever they were doing */
void runners_free(struct worker *w);
void threads_wait_noted(struct worker *w);    /* before anything waits: from now on ends are counted */
void thread_stop(struct worker *w);           /* stops the running thread until it is taken from the ready queue */
void queue_put(struct queue *q, struct runner *r);
unsigned thread_rank(void);                   /* of the running thread in its block */

/* ---- warp.c ------------------------------------------------------------------------------------------- */

void warps_begin(struct worker *w, unsigned rank); /* threads before `rank` have ended */
void warp_lane_ended(struct worker *w, unsigned rank);
bool warp_release_active(struct worker *w);        /* lets one __activemask answer; false: nobody waits in one */
/* One warp with lanes that wait, described; false: there is none. */
bool warp_describe_waiting(const struct worker *w, char *text, size_t bytes);

/* ---- pool.c: other host threads that help with a long grid -------------------------------------------- */

unsigned pool_workers(void);            /* host threads for one grid, the caller counted; SIMGPU_WORKERS or the cores */
void pool_share(struct grid *grid);     /* asks the others to take blocks too; ignored while they help elsewhere */
void pool_finish(struct grid *grid);    /* returns when nobody works on it any more; nothing if it was not shared */
void pool_failed(struct grid *grid, const struct failure *f); /* keeps the failure of the first block */

/* ---- fault.c ------------------------------------------------------------------------------------------ */

/* Turns bad accesses of device threads into failures of their grid. All others are the program's own, as before. */
void fault_watch(struct worker *w);
void fault_forget(struct worker *w); /* before w's memory goes */

/* ---- register.c --------------------------------------------------------------------------------------- */

/* Says once, on stderr, that this kernel has no body the CPU could run. */
void kernel_say_empty(const struct simgpu_kernel *kernel);

#endif

/* worker.h: how a grid runs on the CPU. Each concept is a struct:
 *
 *   grid -> worker: a host thread that takes blocks and runs them
 *             |-> runner: a stack on which device threads run
 *             |-> warp -> meeting: lanes that wait for each other in a warp primitive
 *
 * A runner starts the threads of a block one after the other, as a loop, with no switch between
 * them. Only when a thread must wait does it keep the runner's stack, and another runner goes on
 * with the rest. A block without barriers needs one runner, a block of 1024 threads that all wait
 * needs 1024. */
#ifndef WORKER_H
#define WORKER_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

#include "fiber.h"
#include "grid.h"
#include "record.h"
#include "thread.h"

enum {
    WARP_LANES = 32,
    MAX_BLOCK_THREADS = 1024,
    MAX_BLOCK_WARPS = MAX_BLOCK_THREADS / WARP_LANES,
    CACHE_LINE_BYTES = 64,
    RUNNERS_A_MAPPING = 32, /* stacks are made so many at a time */
    MAX_MAPPINGS = MAX_BLOCK_THREADS / RUNNERS_A_MAPPING
};

/* Why a grid could not run to its end. */
struct failure {
    bool happened;    /* the rest says nothing without it */
    uint64_t block;   /* its linear index: of several failures the first block's is reported */
    cudaError_t code; /* the error of all later calls */
    char text[400];   /* a sentence that begins with the block */
};

/* Grids that the threads of a grid have launched, in the order of their launches. */
struct children {
    struct child *first; /* NULL: none */
    struct child *tail;  /* in cudaStreamTailLaunch: after all others */
    int depth;           /* of the grid: the host's are at 0 */
};

/* One launch, while it runs. Shared by the workers. */
struct grid;
struct worker;

/* What the parts below grid.c call in it. */
struct worker_calls {
    /* The calling host thread's; made on first use. */
    struct worker *(*self)(void);
    /* Takes blocks until none is left; the owner of a grid is the worker that began it. */
    void (*run)(struct worker *w, struct grid *grid, bool owner);
    /* The same, but first the blocks from first to before end. */
    void (*run_from)(struct worker *w, struct grid *grid, uint64_t first, uint64_t end);
    /* Sets the scene for one more block; false: there is none. */
    bool (*next_block)(struct worker *w);
};

struct grid {
    const struct worker_calls *calls;
    const struct simgpu_kernel *kernel; /* its kernel */
    const struct simgpu_launch *launch; /* how many threads and blocks, and in which shape */
    void *const *params;                /* params[i] points at parameter i */
    unsigned n_threads;                 /* a block */
    uint64_t n_blocks;                  /* in all */
    uint64_t chunk;                     /* blocks taken at a time */
    struct recording *recording;        /* of its accesses, or NULL */
    struct grid_steps *steps;           /* programmatic dependent launch */
    _Atomic uint64_t next_block;        /* the first that no worker has taken */
    _Atomic bool failed;                /* take no more */
    struct failure *failure;            /* guarded by the pool's lock */
    unsigned n_helpers;                 /* of the pool, at work on it; guarded by the pool's lock */
    ns_t clock_ns;                      /* the device's clock when the grid starts */
    unsigned clock_khz;                 /* ticks of clock64 in a millisecond */
    struct children children;           /* dynamic parallelism */
    _Atomic unsigned n_at_work;         /* workers that run its blocks */
    struct grid_sync *_Atomic sync;     /* blocks that wait for each other; see grid_sync.c */
    /* for the worker that began it */
    int64_t begun_ns; /* host time at its first chunk; 0: not read */
    bool shared;      /* the pool has been asked to help */
};

/* A thread that reads the same value from the same place again and again. */
struct poll {
    const volatile void *at;
    uint64_t value;
    size_t bytes;
    uint64_t n_reads;  /* after the first one */
    unsigned n_sleeps; /* since the latest read */
    bool has_waited, reads_clock;
    uint64_t begun_ns, looked_ns; /* own clocks: at the first read, and when it waited last */
    uint64_t wakes;               /* of the grid that is aside, when it waited last */
    uint64_t run;                 /* of its worker */
    uint64_t block;               /* the thread's, by linear index */
    unsigned thread;              /* its rank in there */
};

/* A stack that runs device threads. While it does not, it is in a queue or among the idle. A switch
 * needs the first line of it, up to fiber.sp. */
struct runner {
    _Alignas(CACHE_LINE_BYTES) struct runner *next; /* of its queue, or of the idle */
    const uint64_t *result;     /* of what the thread waits in, once it goes on */
    const uint64_t *not_before; /* own clocks: it goes on then at the earliest */
    uint64_t now_ns;            /* own clocks: its */
    uint3 thread_idx;           /* the thread that is stopped here */
    struct fiber fiber;         /* the stack */
    jmp_buf next_thread;        /* runs the next thread */
    struct poll poll;           /* of the thread that runs, or is stopped, here */
};
_Static_assert(offsetof(struct runner, fiber.sp) < CACHE_LINE_BYTES, "a switch needs two lines");

/* Runners that wait for the same thing; the first to come is the first to go. */
struct queue {
    struct runner *head, *tail; /* both NULL: no thread waits */
};

/* Lanes of a warp that wait for each other in one primitive with one mask. */
struct meeting {
    unsigned op;          /* enum simgpu_warp_op */
    uint32_t mask;        /* the lanes that must arrive */
    uint32_t arrived;     /* the lanes that have arrived */
    const void *site;     /* of __activemask and steps: only callers at the same place meet */
    bool moves;           /* a step: a lane does other things than to read the same word again */
    unsigned passed_over; /* a step: so often another one of the warp was released first */
};

/* 32 threads of a block, by rank. */
struct warp {
    uint32_t live;                       /* lanes that exist and have not ended */
    int n_meetings;                      /* that have begun and not ended */
    uint64_t latest_turn;                /* n_turns at its latest step; 0: it had none */
    struct meeting meetings[WARP_LANES]; /* in no order */
    struct runner *lanes[WARP_LANES];    /* those that wait in a meeting */
    uint64_t value[WARP_LANES];          /* of each its argument, then its result */
    unsigned source[WARP_LANES];         /* the lane that it wants to hear */
    const void *read[WARP_LANES]; /* what its latest step was to read; NULL: it was to write */
};

/* Of a part of a block. */
struct part_barrier {
    struct queue waiting;
    unsigned n_waiting;
    uint64_t latest_ns; /* own clocks: as barrier_ns below */
};

enum { SHARED_GUARD_BYTES = 1 << 20 };

/* A host thread that runs blocks. */
struct worker {
    struct fiber native;                   /* the host thread's own stack */
    struct runner *current;                /* the running one, while a grid runs */
    struct runner *idle;                   /* LIFO: the stack used last is still in the cache */
    struct runner *mappings[MAX_MAPPINGS]; /* all runners, RUNNERS_A_MAPPING at each */
    unsigned n_mappings;                   /* made so far */
    unsigned char *dynamic_shared;         /* of the block that runs: at the end of its room */
    unsigned char *dynamic_room;           /* mapped; SHARED_GUARD_BYTES without access follow */
    size_t dynamic_room_bytes;
    void *signal_stack;  /* fault.c: for its handler, if the thread had none */
    int fault_signal;    /* the signal that the handler got */
    void *fault_address; /* the address of the fault */

    /* the blocks taken */
    struct grid *grid;         /* whose */
    bool own_clocks;           /* each thread starts when its block does, whatever those before it
                                  waited for by the clock */
    bool owner;                /* it began the grid */
    bool is_recording;         /* it has a recorder for the grid */
    bool runs_block;           /* one of its blocks has begun and not ended */
    uint64_t block, end_block; /* linear: the running block, and the first not taken */
    struct failure failure;    /* of the block that runs */

    /* the block that runs; from n_ended on kept only once a thread has waited (has_waiters) */
    unsigned n_stopped;      /* threads started that are neither running nor ended */
    struct queue ready;      /* may go on */
    unsigned n_ended;        /* threads */
    unsigned to_start;       /* threads that have not been started */
    uint3 last_started;      /* the thread that was started last */
    struct queue at_barrier; /* threads in __syncthreads */
    unsigned n_at_barrier;   /* how many those are */
    struct queue at_wait;    /* threads in cudaGridDependencySynchronize */
    bool has_released;       /* they go on */
    uint64_t last_true;      /* n_true of the barrier passed last */
    unsigned n_true;         /* of those at the barrier, with a predicate that holds */
    struct part_barrier parts[SIMGPU_PART_BARRIERS];
    uint64_t barrier_ns; /* own clocks: the latest of those that have come to a barrier */
    uint64_t waits_run, waits_block; /* whose waits are counted */
    uint64_t n_waits;                /* of its threads in polls */
    uint64_t n_in_vain;              /* of the latest of them: nothing has changed */
    struct worker *next_stuck;       /* of the grid's */
    uint64_t run;                    /* a number for each time that it runs blocks of a grid */
    uint64_t n_turns;                /* of threads that stopped at a step or to let others go on */
    ns_t called_ns;                  /* that its calls of the device runtime have taken */
    bool left_block;                 /* worker_leave_block was called */
    bool has_waited;                 /* a thread has called cudaGridDependencySynchronize */
    bool has_triggered;              /* or cudaTriggerProgrammaticLaunchCompletion */
    uint64_t words;                  /* recorded before it began */
    struct warp warps[MAX_BLOCK_WARPS];
};

/* ---- running.c ------------------------------------------------------------------------------- */

/* The worker of the calling host thread while it runs a kernel, else NULL. */
extern __thread struct worker *worker_running __attribute__((visibility("hidden")));

/* All threads of the running block wait: runs the next block. */
_Noreturn void worker_leave_block(struct worker *w);

/* Ends the running grid from inside a device thread. Puts the block's index before the text. */
_Noreturn void worker_fail(struct worker *w, cudaError_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- grid.c ---------------------------------------------------------------------------------- */

/* The calling host thread's; made on first use. */
struct worker *worker_self(void);

/* ---- threads.c: the threads of one block ----------------------------------------------------- */

struct runner *runner_take(struct worker *w); /* an idle one, or a new one */
void runners_reset(struct worker *w);         /* all idle, whatever they were doing */
void runners_free(struct worker *w);

/* Before anything waits in a block: from now on the threads that end are counted. */
void threads_wait_noted(struct worker *w);

/* Has a thread of the block not been started? */
bool threads_are_left(const struct worker *w);

/* Stops the running thread until it is taken from the ready queue; then returns *result. */
uint64_t thread_stop(struct worker *w, const uint64_t *result);
/* The same; threads that have not been started go first, and nothing is returned. */
void thread_give_way(struct worker *w);
/* Lets the other threads of the block go on that can, and then this one. */
void thread_yield(struct worker *w);

/* Of the running thread in its block. */
unsigned thread_rank(void);

void queue_put(struct queue *q, struct runner *r);

/* Lets the threads of the block go on that wait for other grids; false: there is none. */
bool threads_release(struct worker *w);

/* ---- warp.c ---------------------------------------------------------------------------------- */

void warps_begin(struct worker *w, unsigned rank); /* threads before `rank` have ended */
void warp_lane_ended(struct worker *w, unsigned rank);

/* Lets one __activemask return; false: no thread waits in one. */
bool warp_release_active(struct worker *w);

/* The running thread accesses volatile shared memory, at this place in the program: a step. `read`:
 * the address, or NULL if it writes. */
void warp_step(struct worker *w, const void *site, const void *read);
/* A thread lets others go on: so may then the lanes that have been at a step for long. */
void warp_count_turn(struct worker *w);
/* Lets one step of each warp go on; false: no thread is at one. */
bool warp_release_steps(struct worker *w);

/* One warp with lanes that wait, described; false: there is none. */
bool warp_describe_waiting(const struct worker *w, char *text, size_t bytes);

/* ---- poll.c: threads that wait in a loop ----------------------------------------------------- */

/* The running thread has read `value` there, and changed nothing. True: it has done so very often,
 * and others have gone on meanwhile. */
bool thread_polls(const volatile void *p, uint64_t value, size_t bytes);

/* ---- grid_sync.c: blocks that wait for each other -------------------------------------------- */

/* Before and after the grid runs. */
void grid_sync_begin(struct grid *grid);
void grid_sync_end(struct grid *grid);
/* One more of its blocks has ended. */
void grid_sync_block_ended(struct grid *grid);

/* It runs no further blocks. */
void grid_sync_failed(struct grid *grid);

/* A block waits for others: lets another host thread run those that have not begun, if there are
 * any, and if the device would hold so many at once. */
bool grid_start_another(struct worker *w);
/* All threads of the block wait in loops. Returns when it is time to look again, or the grid has
 * stopped. */
void grid_block_is_stuck(struct worker *w);

/* ---- children.c: dynamic parallelism --------------------------------------------------------- */

void children_begin(struct children *c);
/* The grid has ended; `good`: without a failure. Runs the grids that it launched; false: one
 * failed. */
bool children_run(struct children *c, bool good, struct recording *recording, const char **why);

/* ---- dependencies.c: programmatic dependent launch ------------------------------------------- */

/* A block begins; the grid has ended. */
void dependencies_begin(struct worker *w);
void dependencies_end(const struct grid_steps *steps);
/* The threads of the block go on that wait for other grids. */
void dependencies_are_met(struct worker *w);

/* ---- workers.c: other host threads that help with a long grid -------------------------------- */

/* Host threads for one grid, the caller counted: SIMGPU_WORKERS, or the cores. */
unsigned pool_workers(void);

/* Asks the others to take blocks of it too; they do not come while they help elsewhere. */
void pool_share(struct grid *grid);

/* Returns when no other worker runs blocks of the grid. */
void pool_finish(struct grid *grid);

/* Keeps the failure, if it is of an earlier block than the one kept so far. */
void pool_failed(struct grid *grid, const struct failure *f);

/* ---- patience.c: a message about a grid that does not get on --------------------------------- */

/* Around a grid, and each time a worker takes blocks of it. */
void patience_begin(const struct simgpu_kernel *kernel);
void patience_step(void);
void patience_end(void);

/* ---- fault.c --------------------------------------------------------------------------------- */

/* Turns bad accesses of device threads into failures of their grid; no others. */
void fault_watch(struct worker *w);
void fault_forget(struct worker *w); /* before w's memory goes */

#endif

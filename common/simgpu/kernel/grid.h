/* grid.h: kernels: the known ones, the limits of a launch, and running a launch on the CPU. */
#ifndef GRID_H
#define GRID_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/core.h"
#include "simgpu.h"

struct earlier;
struct recording;
struct worker;

/* ---- register.c ------------------------------------------------------------------------------ */

/* The kernel whose entry, or handle (cudaKernel_t), this is, or NULL. */
const struct simgpu_kernel *kernel_find(const void *entry);
/* The error of a kernel that kernel_find does not know. */
cudaError_t kernel_missing(const void *entry);
/* The kernel is no longer found; its description stays, since work in flight may still name it. */
void kernel_forget(const struct simgpu_kernel *kernel);
/* The origin of its output: its name, or no origin if other kernels have that name, too. */
const char *kernel_name_for_origin(const struct simgpu_kernel *kernel);
/* Says once, on stderr, that this kernel has no body the CPU could run. */
void kernel_say_empty(const struct simgpu_kernel *kernel);
/* The offset of parameter i in the buffer of all parameters. */
size_t kernel_param_offset(const struct simgpu_kernel *k, int i);

/* ---- occupancy.c ----------------------------------------------------------------------------- */

enum { DEFAULT_REGISTERS = 32 };

/* Attributes that the program has set on a kernel; -1: the default. */
struct kernel_settings {
    const struct simgpu_kernel *kernel;
    int max_dynamic_bytes; /* of shared memory */
    int carveout;          /* percent of the SM's memory preferred for shared memory */
    struct kernel_settings *next;
};

const struct kernel_settings *kernel_settings(const struct simgpu_kernel *k);
struct kernel_settings *kernel_settings_to_change(const struct simgpu_kernel *k);
/* The most dynamic shared memory that a launch of the kernel may ask for. */
size_t kernel_max_dynamic_bytes(const struct simgpu_kernel *k);
/* Blocks that one SM holds at once. */
int occupancy_blocks(const struct simgpu_kernel *k, int threads, size_t dynamic_bytes);
int occupancy_blocks_per_sm(const struct simgpu_kernel *k, const struct simgpu_launch *l);
/* Dynamic shared memory per block when so many blocks are to fit on an SM. False: they cannot. */
bool occupancy_dynamic_bytes(size_t *bytes, const struct simgpu_kernel *k, int blocks, int threads);
/* The error of a launch that cannot be. */
cudaError_t launch_check(const struct simgpu_kernel *k, const struct simgpu_launch *l);

/* ---- grid.c ---------------------------------------------------------------------------------- */

/* Options of a run of a grid; for programmatic dependent launch also its results. */
struct grid_steps {
    ns_t resumed_ns; /* the grids that it waited for were complete then: its clock goes on there */
    struct aside *aside;     /* where a grid waits for what others write; or NULL */
    struct earlier *earlier; /* memory as it was when the grid began; NULL: as it is now */
    void (*show)(struct earlier *earlier, bool shown); /* it, or memory as it is now */
    bool until_wait; /* threads end at their call of cudaGridDependencySynchronize */
    bool is_beside;  /* grids that it would wait for there are not complete: it must not call it */
    bool is_cooperative; /* its blocks may wait for each other */
    bool may_stop;       /* it can be run again, so it stops if it waits for what others write */
    bool polls;          /* it has stopped so */
    _Atomic bool waits;  /* a thread has called cudaGridDependencySynchronize */
    _Atomic bool triggers_late;     /* a block triggered after it had waited */
    _Atomic int64_t waited_ns;      /* the longest that a thread waited by the clock */
    _Atomic uint64_t triggered;     /* blocks that called cudaTriggerProgrammaticLaunchCompletion */
    _Atomic int64_t trigger_ns;     /* the latest call by the clock, from the start of its block */
    _Atomic uint64_t trigger_words; /* of recorded grids: loaded and stored before the calls */
};

/* Runs the whole grid now, on the calling thread and, where it pays, on the machine's other cores.
 * Threads of a block that meet a barrier or a warp primitive are switched by hand-written code.
 * Returns false, with a sentence in *why (static storage), if the kernel did what a GPU would not
 * survive: threads that wait for each other for ever, a failed assert, a bad address, a stack that
 * overflowed. `recording`: gets what the grid accesses; or NULL. */
bool grid_run(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch,
              void *const *params, struct recording *recording, struct grid_steps *steps,
              const char **why);
/* The error that the last grid of this thread failed with: cudaErrorAssert, … */
cudaError_t grid_failure(void);
/* Sets the device's clocks (globaltimer, clock64) for the start of the next grids. */
void grid_set_clock(ns_t start_ns);

/* ---- aside.c: grids that wait in a loop for what others write ---------------------------------
 */

enum { ASIDE_WORDS = 64 };

/* A word that a thread reads again and again, and what it has found there. */
struct polled_word {
    const void *at;
    uint64_t value;
    size_t bytes; /* 1 to 8 */
};

/* A grid on a host thread of its own, which stops whenever all threads of the grid wait. */
struct aside {
    const struct simgpu_kernel *kernel;
    const struct simgpu_launch *launch;
    void *const *params;
    struct recording *recording;
    struct grid_steps steps;
    bool has_ended, good; /* good: as grid_run answers, with `why` and `error` */
    cudaError_t error;
    char why[400];
    struct polled_word words[ASIDE_WORDS]; /* that its threads wait for */
    int n_words;
    ns_t looked_ns; /* in vain until then by its own clock; NS_NEVER: none of its loops reads it */
    /* All wait, those of the workers `stuck`. Returns when it is time to look again. */
    void (*all_wait)(struct aside *a, const struct worker *stuck);
    /* the rest is private */
    ns_t limit_ns;          /* its threads look in vain up to then, if they read the clock */
    ns_t woken_ns;          /* the latest time at which a word had changed */
    _Atomic uint64_t wakes; /* so often one had */
    bool runs;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

struct aside *aside_new(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch,
                        void *const *params, struct recording *recording);
void aside_free(struct aside *a); /* it has ended */
/* The grid begins, or goes on, until it has ended or all its threads wait. `woken`: what they wait
 * for has happened, now; else those that read the clock look in vain until `limit`. */
void aside_run(struct aside *a, bool woken, ns_t now, ns_t limit);
/* Has a word changed? Memory is open. */
bool aside_sees(const struct aside *a);

/* The seconds after which to say that nothing goes on; 0: never. */
unsigned patience_seconds(void);

/* ---- fault.c --------------------------------------------------------------------------------- */

/* access(arg), for the host's memory; false, and *at: there was no memory at this address. */
bool fault_guard(void (*access)(void *arg), void *arg, const void **at);

/* ---- in a kernel ----------------------------------------------------------------------------- */

/* Does the calling thread run a kernel? */
bool kernel_is_running(void);
/* In a kernel: ends the grid, since it called a function for the host (nvcc would not compile it).
 */
void kernel_refuse_call(const char *name);
/* In a kernel: ends the grid. */
_Noreturn void kernel_fail(cudaError_t code, const char *text);
_Noreturn void kernel_misaligned(const void *p, size_t bytes); /* that it accesses at p */
/* In a kernel: launches another grid, which runs when this one has ended. */
cudaError_t kernel_launch_child(const void *entry, const struct simgpu_launch *launch,
                                void *const *params, bool is_tail);
/* In a kernel: a call of the device runtime takes so long. */
void kernel_call_takes(ns_t ns);

#endif

/* simgpu.h: the functions of the simulated device beyond the CUDA runtime API.
 *
 * The course's own tools read the virtual clock with them, declare kernels, collect the findings of
 * the ordering checks, and trace runs. The symbols exist only in build/sim/lib/libcudart.so. */
#ifndef SIMGPU_H
#define SIMGPU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- virtual time ---------------------------------------------------------------------------- */

/* The calling host thread's virtual time, in nanoseconds since the device was first used. */
int64_t simgpu_now_ns(void);

/* From now on, what NVIDIA leaves open is drawn from this seed, as by SIMGPU_FREEDOM: start and end
 * of operations, and the rest of core/freedoms.def. 0: the device answers as an H200 does. */
void simgpu_set_freedom(unsigned seed);

/* The calling host thread computes for `ns` nanoseconds of virtual time. The device continues
 * meanwhile. */
void simgpu_host_work_ns(int64_t ns);

/* From here on, what a host thread computes between its calls counts: CPU time beyond `allowed_ns`
 * and the virtual time of its calls enters its virtual clock, and the trace as a row "computing".
 * Negative: not any more; returns what has entered the clocks of all threads. */
int64_t simgpu_count_computing(int64_t allowed_ns);

/* What the calling thread computes from here on does not count; with 0, it does again. */
void simgpu_free_computing(int is_free);

/* ---- errors ---------------------------------------------------------------------------------- */

struct simgpu_caller;

/* The runtime call that gave this host thread `error` (a cudaError_t); "" if another error has come
   since, NULL if no call ever gave it. *caller: where the program made that call. */
const char *simgpu_failed_call(int error, struct simgpu_caller *caller);

/* Where the program made the call that this host thread is in; 0: it is in none. A signal handler
   may call this function. */
struct simgpu_caller simgpu_calling(void);

/* How far the program is, for another process to see: calls that were begun, and those that have
   not returned. */
struct simgpu_progress {
    uint64_t calls;
    int64_t inside;
};
void simgpu_show_progress(volatile struct simgpu_progress *at);

/* Why a call refused an argument; the numbers are `n` of struct simgpu_refusal. */
enum simgpu_refused {
    SIMGPU_REFUSED_NOTHING,   /* it did not, or the device does not say why */
    SIMGPU_REFUSED_PITCH,     /* bytes from row to row, maybe negative; bytes of a row */
    SIMGPU_REFUSED_NULL,      /* an address or a handle */
    SIMGPU_REFUSED_FREED,     /* an address of freed memory */
    SIMGPU_REFUSED_NO_MEMORY, /* an address so many bytes after the end of an allocation; its
                                 serial; its bytes, 0 if no allocation is known */
    SIMGPU_REFUSED_HOST,      /* an address of memory that no call has allocated */
    SIMGPU_REFUSED_TOO_LONG,  /* so many bytes, from this byte on, of memory of so many bytes */
    SIMGPU_REFUSED_ROWS,   /* so many rows, bytes from row to row, of memory of so many bytes from
                              the first row on: it holds the first row */
    SIMGPU_REFUSED_HANDLE, /* never created: its value */
    SIMGPU_REFUSED_DESTROYED,
    SIMGPU_REFUSED_NODE_NULL,    /* this entry of a list of dependencies */
    SIMGPU_REFUSED_NODE_UNKNOWN, /* the same: destroyed, never added, or of another graph */
    SIMGPU_REFUSED_NODE_TWICE,   /* the same: an earlier entry names the same node */
    SIMGPU_REFUSED_GRID,         /* x, y, z */
    SIMGPU_REFUSED_BLOCK,
    SIMGPU_REFUSED_FLAGS,       /* flags that this call does not know: their bits */
    SIMGPU_REFUSED_DEVICE,      /* a stream of a device, the current device, and how many streams
                                   the program has created on that one */
    SIMGPU_REFUSED_MEMBER,      /* of a node's parameters: not set, or no value that it can have */
    SIMGPU_REFUSED_TAKEN,       /* a handle that another node has */
    SIMGPU_REFUSED_OTHER_GRAPH, /* a handle that was created for another graph, or never */
    SIMGPU_REFUSALS
};

struct simgpu_refusal {
    enum simgpu_refused what;
    char argument[24]; /* "dst", "event", … */
    int64_t n[3];
};

/* Of the call that simgpu_failed_call names. */
struct simgpu_refusal simgpu_failed_refusal(int error);

/* The first call of this host thread, by the program's own code, that failed since
 * simgpu_forget_ignored_call; NULL: there is none, or the program has asked for the last error
 * since. Whether the program looked at what the call returned is not known. Answers are no
 * failures: those of queries, a graph that cannot be updated, and the like. A signal
 * handler may call this function. */
const char *simgpu_ignored_call(int *error, struct simgpu_caller *caller,
                                struct simgpu_refusal *refusal);
void simgpu_forget_ignored_call(void);

/* From now on, findings name the call of the innermost function of this code on the stack; before,
 * that of the whole program. */
void simgpu_own_code(const void *begin, const void *end);

/* From now on (1) a call fails where NVIDIA's guide says so, also if GPUs were seen to allow it: a
 * kernel launch into a stream of another device than the current one. */
void simgpu_by_guide(int on);

/* From now on (1), until 0, the program sets up: findings name what it enqueues then. */
void simgpu_setting_up(int on);

/* From here on, the first call at the n-th place of the program's own code (calls.def: no query, no
   ANSWERS), of this thread or a kernel, only returns the error. 0: none does. Has one done so? */
int simgpu_fail_place(int n, int error);

/* The nodes captured so far of the last capture that failed: a cudaGraph_t, which the caller
   destroys. Open captures end, and fail. NULL: none has failed. */
void *simgpu_failed_capture(void);

/* Is this an address of device memory, which host code must not access? A signal handler may call
   this function. */
int simgpu_is_device_address(const void *p);

/* ---- kernels --------------------------------------------------------------------------------- */

enum simgpu_access {
    SIMGPU_READ = 1,
    SIMGPU_WRITE = 2,
    SIMGPU_READ_WRITE = 3,
    SIMGPU_ATOMIC = 7 /* read and written, by atomic operations only */
};

/* `rows` rows of `width_bytes`, `pitch_bytes` apart; a plain range has rows = 1 and any pitch. */
struct simgpu_range {
    const void *base;
    size_t width_bytes;
    size_t pitch_bytes;
    size_t rows;
    enum simgpu_access access;
    int is_early; /* accessed before cudaGridDependencySynchronize */
};

enum { SIMGPU_MAX_RANGES = 12 };

/* The memory accesses of one launch, and its amount of work. They determine its footprint and its
 * simulated time. */
struct simgpu_work {
    struct simgpu_range ranges[SIMGPU_MAX_RANGES];
    int n_ranges;
    double flops;        /* floating-point operations of the whole grid */
    double dram_bytes;   /* bytes read from or written to device memory; 0: the sum of the ranges */
    double cache_bytes;  /* bytes that the SMs load, also from the second-level cache; 0: as
                            dram_bytes */
    double shared_bytes; /* bytes moved between shared memory and registers, whole grid */
    double delay_us;     /* the minimum time of every block */
    uint64_t busy_blocks; /* the first blocks of the grid, which have all of this work; 0: all */
    double waits;         /* how often a thread waits for a load; 0: other threads hide the waits */
    int launches_graphs;  /* it calls cudaGraphLaunch: it must be a node of a graph */
    int waits_for_grids;  /* it calls cudaGridDependencySynchronize, */
    double wait_share;    /* after this share of its memory traffic and of delay_us, and before its
                            arithmetic: 0 to 1 */
    int triggers;         /* it calls cudaTriggerProgrammaticLaunchCompletion as it begins */
};

struct simgpu_dim {
    unsigned x, y, z;
};

struct simgpu_launch {
    struct simgpu_dim grid;
    struct simgpu_dim block;
    size_t dynamic_shared_bytes;
};

/* One kernel that the simulated device can run. All pointers must stay valid as long as the program
 * runs. */
struct simgpu_kernel {
    const void *entry;         /* the host address given to cudaLaunchKernel */
    const char *name;          /* in reports and traces */
    int n_params;              /* parameters of the kernel */
    const size_t *param_bytes; /* size of each */
    /* runs one thread of the kernel; params[i] points to parameter i */
    void (*call)(void *const *params);
    /* runs one thread, and then the threads after it, as thread.h says; or NULL */
    void (*run)(void *const *params);
    /* runs these threads without reports of accesses, faster again; or NULL */
    void (*run_plain)(void *const *params);
    /* fills `work` for one launch; NULL: not declared, without checks and simulated work */
    void (*footprint)(const struct simgpu_launch *launch, void *const *params,
                      struct simgpu_work *work);
    int registers;              /* a thread; 0: 32 */
    size_t static_shared_bytes; /* a block */
    int max_threads;            /* a block, by __launch_bounds__; 0: not bounded */
    int launches_graphs;        /* it calls cudaGraphLaunch: it must be a node of a graph */
    int reports_accesses; /* its code calls __tsan_read4 and the like at each load and store */
};

void simgpu_register_kernel(const struct simgpu_kernel *kernel);
/* The same for code that nobody trusts (labs/fence.sh): its accesses are recorded, whatever it
 * declares. */
void simgpu_register_recorded(struct simgpu_kernel *kernel);

/* For tests of footprints: from now on kernels that report their accesses are recorded even if they
 * have a footprint. The sentence describes the first launch that differed from its footprint; NULL:
 * there was none. */
void simgpu_check_footprints(void);
const char *simgpu_footprint_difference(void);

/* From now on `see` is called for each kernel before it runs, with its parameters, in the order in
 * which the device runs kernels, also where they compute nothing. It must not call the runtime.
 * NULL: no longer. Where kernels compute nothing, copies of at most 256 KiB move their data for it,
 * and it may access device memory while that is open. */
void simgpu_open_memory(int is_open);
void simgpu_watch_kernels(void (*see)(const struct simgpu_kernel *kernel,
                                      const struct simgpu_launch *launch, void *const *params));

/* A __device__ or __constant__ variable, so that cudaMemcpyToSymbol and the like find it. */
void simgpu_register_variable(void *variable, size_t bytes, const char *name);

/* Sets the value of a conditional node's handle (cudaGraphSetConditional of kernel.h). Ends the
   program unless a running kernel calls it. */
void simgpu_set_condition(unsigned long long handle, unsigned value);

/* From a running kernel: cudaGetCurrentGraphExec (kernel.h). cudaGraphLaunch itself knows whether a
 * kernel calls it. */
void *simgpu_current_graph(void);

/* From a running kernel: `count` of cudaGraphKernelNodeUpdate; a cudaError_t
 * (cudaGraphKernelNodeUpdatesApply of kernel.h). */
int simgpu_update_nodes(const void *updates, size_t count);

/* ---- ordering checks ------------------------------------------------------------------------- */

enum simgpu_finding_kind {
    SIMGPU_RACE, /* two unordered operations touch the same bytes, one of them writes */
    SIMGPU_UNINITIALIZED_READ, /* device memory that nothing wrote is read */
    SIMGPU_USE_AFTER_FREE,     /* an operation names memory that was freed */
    SIMGPU_OUT_OF_BOUNDS,      /* a declared range leaves its allocation */
    SIMGPU_HOST_RACE,   /* the host freed memory that a pending operation or graph still names */
    SIMGPU_HOST_ACCESS, /* host code accesses bytes that a pending operation writes, or writes bytes
                           that it reads */
    SIMGPU_UNDEFINED,   /* the result depends on what NVIDIA calls undefined (core/freedoms.def) */
    SIMGPU_LEAK,        /* still allocated or created when the program ended */
    SIMGPU_UNFINISHED,  /* work was still pending, or was captured and never launched, at the end */
    SIMGPU_NOT_LAUNCHED /* a <<<>>> failed, and nobody had asked for its error at the end */
};

/* Where the program made a call: addresses in the program's file, as addr2line takes them; 0: not
 * known. */
struct simgpu_caller {
    uint32_t at;   /* the call of the runtime */
    uint32_t from; /* of code that simgpu_own_code named: the call of the function that made it */
};

/* One operation as a finding names it. */
struct simgpu_site {
    char name[64];  /* kernel name, or memcpyH2D, memset, … */
    int stream;     /* stream number as in the trace (0 is the legacy stream); -1: the host */
    int node;       /* graph node number, -1 outside a graph */
    uint32_t index; /* the number of operations in its stream before it */
    uint32_t nth;   /* outside of a graph: the nth operation of its caller in the run that lineage
                       follows; 0: not known */
    int graph; /* number of the executable graph (as in the trace) if a kernel launched it, else 0
                */
    int is_early;   /* before the kernel called cudaGridDependencySynchronize, or without that */
    int of_setup;   /* enqueued after simgpu_setting_up(1), the latest one, and before its end */
    int pageable;   /* a copy in a stream from (1) or to (2) pageable memory */
    uint16_t waits; /* for the device's own use: the waits of its stream before it */
    struct simgpu_caller
        caller;    /* of the runtime call that enqueued it, or that last set its node */
    char line[32]; /* "lab.c:57": the place of that call, if somebody has looked it up; or empty */
};

/* A cudaStreamWaitEvent, and the cudaEventRecord that it found. */
struct simgpu_wait {
    struct simgpu_caller waited, recorded; /* waited.at 0: there is none */
    int stream;       /* of the record, as in the trace; -1: the event had not been recorded */
    int is_elsewhere; /* the work that the thread enqueued last before the record is in another
                         stream than the record */
};

/* What happened: one sentence each in race/finding_words.c. */
enum simgpu_what {
    SIMGPU_WHAT_NOTHING,
    /* between two operations, or an operation and the host */
    SIMGPU_WHAT_READS_EARLY,         /* `second` may read before `first` has written */
    SIMGPU_WHAT_OVERWRITES_EARLY,    /* `second` may write before `first` has read */
    SIMGPU_WHAT_BOTH_WRITE,          /* either result may remain */
    SIMGPU_WHAT_USES_EARLY,          /* `second` may use memory before `first` allocates it */
    SIMGPU_WHAT_FREES_EARLY,         /* `second` may free memory that `first` still uses */
    SIMGPU_WHAT_HOST_READS,          /* host code, `second`, reads what `first` writes */
    SIMGPU_WHAT_HOST_OVERWRITES,     /* it writes what `first` reads */
    SIMGPU_WHAT_HOST_WRITES_TOO,     /* it writes what `first` writes */
    SIMGPU_WHAT_WRITES_AFTER_LAUNCH, /* a kernel, `first`, launched the graph of `second` before */
    /* one operation, `first`, and `memory` */
    SIMGPU_WHAT_READS_UNWRITTEN,  /* no earlier operation wrote it */
    SIMGPU_WHAT_READS_BEYOND,     /* the same, and `second` wrote what it reads before that */
    SIMGPU_WHAT_LEAVES_MEMORY,    /* it accesses bytes outside of the allocation */
    SIMGPU_WHAT_OUT_OF_REACH,     /* there is no memory that its device can access */
    SIMGPU_WHAT_OTHER_DEVICE,     /* its device may not access that of the other device */
    SIMGPU_WHAT_FREED_BEFORE,     /* the memory was freed before the launch */
    SIMGPU_WHAT_NO_HOST_MEMORY,   /* at `address`, of the host: there never was, or it was freed */
    SIMGPU_WHAT_FREED_BY_NODE,    /* by a free node of a graph */
    SIMGPU_WHAT_ALLOCATED_AGAIN,  /* since the graph was created */
    SIMGPU_WHAT_SET_TO_PAGEABLE,  /* a node for a copy inside the device */
    SIMGPU_WHAT_LOST_PEER_ACCESS, /* since the node was created */
    /* undefined */
    SIMGPU_WHAT_CONDITION_UNDEFINED, /* `first`, a conditional node, reads a value that no kernel
                                        has set, of a handle without a default */
    SIMGPU_WHAT_LAUNCHED_BY_BOTH, /* a kernel's launch of graph `n` runs when the host's, `first`,
                                        begins */
    SIMGPU_WHAT_OTHER_DIRECTION,  /* cudaMemcpyKind `n` of `first` calls `memory` host memory */
    SIMGPU_WHAT_COPY_OVERLAPS,    /* `first`, a copy whose source and destination overlap */
    SIMGPU_WHAT_GRAPH_IN_TWO_THREADS, /* calls of two host threads name one graph and overlap */
    /* at the end of the program */
    SIMGPU_WHAT_NEVER_FREED,     /* `n` allocations, the first one is `memory` */
    SIMGPU_WHAT_NEVER_DESTROYED, /* `n` objects of one kind */
    SIMGPU_WHAT_STILL_PENDING,   /* `n` operations, one of them `first` */
    SIMGPU_WHAT_STILL_CAPTURING, /* `n` nodes, in the stream of `first` */
    SIMGPU_WHAT_NEVER_LAUNCHED,  /* a graph of `n` nodes */
    SIMGPU_WHAT_LAUNCH_FAILED,   /* of a kernel: `launch`, `error` */
    SIMGPU_WHATS
};

/* What would prevent it: one piece of advice each in race/finding_words.c. */
enum simgpu_next {
    SIMGPU_NEXT_NONE, /* it depends on the program */
    SIMGPU_NEXT_RECORD_AND_WAIT,
    SIMGPU_NEXT_ADD_EDGE,
    SIMGPU_NEXT_WAIT_ON_HOST,
    SIMGPU_NEXT_ACCESS_LATER,
    SIMGPU_NEXT_ACCESS_PAGEABLE_LATER,
    SIMGPU_NEXT_CALL_LATER,
    SIMGPU_NEXT_USE_THAT_STREAM,
    SIMGPU_NEXT_COPY_IN_STREAM,
    SIMGPU_NEXT_LAUNCH_AS_TAIL,
    SIMGPU_NEXT_WRITE_BEFORE_LAUNCH,
    SIMGPU_NEXT_SYNCHRONIZE_GRID,
    SIMGPU_NEXT_WRITE_FIRST,
    SIMGPU_NEXT_WRITE_ALL,
    SIMGPU_NEXT_COMPARE_SIZES,
    SIMGPU_NEXT_CHECK_INDEX,
    SIMGPU_NEXT_CHECK_HOST_ADDRESS,
    SIMGPU_NEXT_PASS_DEVICE_MEMORY,
    SIMGPU_NEXT_SET_POOL_ACCESS,
    SIMGPU_NEXT_ENABLE_PEER_ACCESS,
    SIMGPU_NEXT_KEEP_PEER_ACCESS,
    SIMGPU_NEXT_FREE_LATER,
    SIMGPU_NEXT_FREE_AFTER_NODE,
    SIMGPU_NEXT_FREE_AFTER_LAUNCHES,
    SIMGPU_NEXT_USE_PINNED,
    SIMGPU_NEXT_ASSIGN_DEFAULT,
    SIMGPU_NEXT_WAIT_FOR_LAUNCHER,
    SIMGPU_NEXT_COMPARE_DIRECTION,
    SIMGPU_NEXT_COPY_APART,
    SIMGPU_NEXT_ONE_THREAD_AT_A_TIME,
    SIMGPU_NEXT_SYNCHRONIZE,
    SIMGPU_NEXT_END_CAPTURE,
    SIMGPU_NEXT_LAUNCH_GRAPH,
    SIMGPU_NEXT_ASK_FOR_ERROR,
    SIMGPU_NEXTS
};

/* What a program creates and is to destroy, or allocates and is to free. */
enum simgpu_object {
    SIMGPU_OBJECT_NONE,
    SIMGPU_OBJECT_MEMORY,      /* of a device */
    SIMGPU_OBJECT_POOL_MEMORY, /* of a device, by cudaMallocAsync or from another pool */
    SIMGPU_OBJECT_PINNED,      /* memory of the host, by cudaMallocHost, or registered */
    SIMGPU_OBJECT_STREAM,
    SIMGPU_OBJECT_EVENT,
    SIMGPU_OBJECT_GRAPH,
    SIMGPU_OBJECT_EXEC,
    SIMGPU_OBJECT_POOL,
    SIMGPU_OBJECT_USER_OBJECT,
    SIMGPU_OBJECT_HEAP, /* memory of malloc: the device does not know it, the grader does */
    SIMGPU_OBJECTS
};

/* All pageable memory of the host is one such memory, from address 0 on. */
#define SIMGPU_PAGEABLE_BYTES (UINT64_C(1) << 62)

/* The memory that a finding is about. */
struct simgpu_memory {
    uint64_t address, bytes; /* bytes 0: no allocation is known */
    uint64_t serial;         /* counts allocations, host and device together; of a variable: 0 */
    int device;              /* that it lies on */
    enum simgpu_object object;
    char call[64]; /* that allocated it; of a variable: its name */
};

struct simgpu_finding {
    enum simgpu_finding_kind kind;
    enum simgpu_what what;
    enum simgpu_next next;
    struct simgpu_site first; /* the earlier one, in the order the host issued them */
    struct simgpu_site
        second; /* the later one; of findings about one operation: `first` again, or unused */
    struct simgpu_wait wait; /* if two streams lack an order: of the waits directly before `second`
                                in its stream the latest, or the latest for the stream of `first` */
    int is_wait_for_first;   /* it is that: its record came before `first` */
    int is_wait_for_itself;  /* its record is in the stream of `second` itself */
    uint64_t address;        /* first byte concerned */
    uint64_t bytes;          /* how many */
    uint64_t run_bytes;      /* how many of them are in one piece from `address` on */
    uint64_t count;          /* how many times the same pair of sites was found */
    uint64_t n;              /* of what `what` counts */
    enum simgpu_object object; /* of a leak: the kind of what was left */
    int device;                /* that `first` runs on */
    int is_read;               /* the access outside of its memory only reads */
    struct simgpu_memory memory;
    struct simgpu_launch launch; /* of a kernel that did not run */
    char error[160];             /* "cudaErrorInvalidValue (invalid argument)" */
};

/* A finding in words. */
struct simgpu_words {
    char what[1024]; /* a sentence without its full stop */
    char next[1024]; /* what would prevent it, in the imperative, without a full stop; or empty */
};

/* Every finding has words, even one whose numbers make no sense; its texts must end in their
 * arrays. The grader has the same function. */
void simgpu_finding_words(const struct simgpu_finding *f, struct simgpu_words *words);

/* "race", "leak", … */
const char *simgpu_kind_name(enum simgpu_finding_kind kind);

/* The call that ends the life of such an object: "cudaStreamDestroy"; of no object: "". */
const char *simgpu_object_end(enum simgpu_object object);

/* Called for each finding as it is made, after it was printed: for a breakpoint. The call that
 * found it is in the backtrace. */
void simgpu_found(const struct simgpu_finding *f);

/* Called for each call of the program that returns an error, which is no answer to a query: the
 * same. */
void simgpu_failing(const char *call, int error);

/* Copies at most `max` findings, oldest first, and returns how many there are. Waits for nothing.
 */
size_t simgpu_findings(struct simgpu_finding *out, size_t max);

/* The number of further findings, which were neither kept nor counted in a kept one. At most 256
 * are kept. */
uint64_t simgpu_findings_dropped(void);

/* Forgets all findings so far. */
void simgpu_findings_clear(void);

/* Adds the findings that exist if the program ends now: leaks, unfinished work. Also called at
 * exit. */
void simgpu_findings_end(void);

/* The number (as in the trace) of a stream for whose last operation, records and waits of events
   left aside, the host has not waited, directly or through a later operation; -1: there is none.
   The operation may be complete, by chance. *created: where the program made the stream, as
   simgpu_caller's `at`; 0: it is the legacy stream. */
int simgpu_unwaited_stream(uint32_t *created);

/* Has time ever passed for the host, by a sleep and the like, while work was pending? */
int simgpu_has_slept(void);

/* ---- memory ---------------------------------------------------------------------------------- */

/* Bytes of device memory that are in use, on all devices: by allocations, stream-ordered ones until
 * their free is done or their memory is used again, by graphs as much as is reserved for them, and
 * by variables. The most since the process began; with `anew`, the next call tells the most since
 * this one. */
int64_t simgpu_memory_now(void);
int64_t simgpu_memory_most(int anew);

/* ---- trace ----------------------------------------------------------------------------------- */

/* One operation. The same fields that CUPTI gives on a GPU (common/trace.h). */
struct simgpu_trace_row {
    int device;
    char engine[12]; /* h2d, d2h, d2d, sm, host (a host function), api (a runtime call), graph
                        (common/trace.h) */
    int stream;   /* 0 is the legacy stream, others count from 1 in order of creation; -1 for api */
    int64_t node; /* graph node number, -1 outside a graph; of a graph: its own number */
    char name[64];
    int64_t start_ns;
    int64_t end_ns;
    uint64_t bytes;
};

/* Starts a new, empty trace. */
void simgpu_trace_begin(void);

/* Stops tracing; *rows is the caller's to free(). Returns the number of rows, in order of start. */
size_t simgpu_trace_end(struct simgpu_trace_row **rows);

/* ---- environment: README.md lists the variables that the device reads ------------------------ */

#ifdef __cplusplus
}
#endif
#endif

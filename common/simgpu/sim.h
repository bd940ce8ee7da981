/*
 * sim.h: the inside of the simulated device. One struct a concept, in the order in which they meet
 * an operation:
 *
 *   host thread -> stream -> op -> engine -> memory, with the order of it all in stamps.
 *
 * Everything below is guarded by one lock (sim.lock), taken by api_enter() and left by api_leave().
 * Times are virtual nanoseconds since the device was first used (ns_t).
 */
#ifndef SIM_H
#define SIM_H

#include <bsd/sys/tree.h>
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "op.h"
#include "order.h"
#include "profile.h"
#include "simgpu.h"

enum { MAX_DEVICES = 16 };

#define EXPORT __attribute__((visibility("default")))

struct allocation;

/* ---- runtime.c: host threads and the way in and out of every API call ------------------------ */

/* What the device knows of one host thread. */
struct thread_state {
    uint64_t id;             /* of all threads ever seen */
    cudaError_t last_error;  /* for cudaGetLastError */
    const char *failed_call; /* the latest call that returned an error */
    cudaError_t failed_with; /* that error */
    uint64_t gave[16];       /* a bit for each error that any call has returned */
    int device;              /* current device */
    ns_t clock;              /* its virtual time */
    struct stream
        *per_thread[MAX_DEVICES]; /* its cudaStreamPerThread on each device, made at first use */
    const char *api;              /* the call it is in, for the trace */
    ns_t api_start_ns;
    enum api_cost api_cost;     /* what it was charged */
    int symbol_kind;            /* in a copy of a __device__ variable: 1 + the direction given */
    bool in_host_func;          /* it runs a host function: CUDA calls are not permitted */
    ns_t host_work_ns;          /* virtual time a host function has taken so far */
    int cancel_state;           /* outside the call: none is cancelled with the lock held */
    bool default_is_per_thread; /* inside a _ptsz call: stream 0 means cudaStreamPerThread */
    enum cudaStreamCaptureMode capture_mode; /* of cudaThreadExchangeStreamCaptureMode */
};

struct thread_state *thread_self(void);

/* The simulated device itself cannot go on: says why on stderr and aborts the program. */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Begins the API call `name`: lets its host time pass, brings the device's history up to it, takes
 * the lock. False where the call must return *error at once (inside a host function, or the context
 * is lost); then neither the lock is held nor api_leave to be called.
 */
bool api_enter(enum api_cost cost, const char *name, cudaError_t *error);
/* The lock, for a call that does not come by api_enter; api_leave releases it, too. */
void device_lock(struct thread_state *t);
void device_unlock(const struct thread_state *t);
bool device_is_called(void); /* does a thread wait for the lock? */
/* Inside a call, before it waits for anything: it costs `cost` instead of what it was charged. */
void api_charge(enum api_cost cost);
/* Ends it: releases the lock, remembers an error for cudaGetLastError, returns e. */
cudaError_t api_leave(cudaError_t e);
/* A call that ends before it has begun: it remembers the error. */
cudaError_t api_refuse(const char *name, cudaError_t e);

/* error.c: remembers e (if not success) as the thread's last error and returns it. */
cudaError_t error_set(cudaError_t e);
/* error.c: e has destroyed the context: every later call returns it. */
void error_stick(cudaError_t e);
cudaError_t error_sticky(void);
/* lost.c: does the call answer that error, once there is one? May a host function make the call? */
bool call_needs_context(const char *name);
bool call_fits_host_function(const char *name);
/* A call with nothing to do succeeds although there is such an error. */
bool call_is_for_nothing(bool nothing);
/* error.c: the simulated device has no such call: says so the first time, returns
 * cudaErrorNotSupported. */
cudaError_t error_not_modelled(const char *name, bool *said);

/* device.c: in and out of a call that only asks: it works in a lost context, and where there is no
 * device. */
bool query_enter(const char *name, cudaError_t *error);
cudaError_t query_leave(cudaError_t e);
bool device_exists(int device);
/* device_attributes.c: false: there is no such attribute. */
bool device_attribute(int *value, int number, int device);

/* attributes.c: blocks of this launch that one SM holds at once; real errors of a launch that
 * cannot be. */
int occupancy_blocks_per_sm(const struct simgpu_kernel *k, const struct simgpu_launch *l);
cudaError_t launch_check(const struct simgpu_kernel *k, const struct simgpu_launch *l);
/* The error of a kernel that kernel_find does not know. */
cudaError_t kernel_missing(const void *entry);

/* ---- handle.c: which handles are alive ------------------------------------------------------- */

enum handle_type {
    HANDLE_NONE,
    HANDLE_STREAM,
    HANDLE_EVENT,
    HANDLE_POOL,
    HANDLE_GRAPH,
    HANDLE_NODE,
    HANDLE_EXEC,
    HANDLE_USER_OBJECT,
    HANDLE_DEVICE_NODE
};

void handle_add(const void *p, enum handle_type type);
void handle_remove(const void *p);
enum handle_type handle_type_of(const void *p);
size_t handle_count(enum handle_type type);
/* Calls fn for every live handle of the type; fn may remove it. */
void handle_each(enum handle_type type, void (*fn)(void *p, void *arg), void *arg);

/* ---- clock.c: virtual time and the agenda ---------------------------------------------------- */

typedef void agenda_fn(void *arg, ns_t now);

/* fn(arg, at) happens at `at`, not before what already happened; equal times in order of the calls.
 */
void agenda_add(ns_t at, agenda_fn *fn, void *arg);
/* One thing more happens, whatever its time. False: nothing is left to happen, or a host function
 * is running. */
bool history_step(void);
/* All that happens up to `until`, in order; stops early at a host function that is still running.
 */
void history_advance(ns_t until);
/* Goes on until op is done. Waits (in real time) for running host functions. */
void history_advance_to(struct op *op);
ns_t us_to_ns(double us);

/* ---- memory.c: allocations ------------------------------------------------------------------- */

enum memory_kind { MEMORY_DEVICE, MEMORY_PINNED, MEMORY_REGISTERED, MEMORY_POOL, MEMORY_GRAPH };

struct allocation {
    RB_ENTRY(allocation) by_address;
    uint64_t lo, hi; /* addresses as the program sees them, hi exclusive */
    enum memory_kind kind;
    int device;
    unsigned flags;                    /* of cudaHostAlloc or cudaHostRegister */
    uint64_t serial;                   /* counts allocations, for reports */
    const char *call;                  /* that made it */
    struct history *history;           /* NULL when checks are off */
    struct mempool *pool;              /* MEMORY_POOL: counted */
    struct graph_memory *graph_memory; /* MEMORY_GRAPH */
    bool freed_by_node; /* MEMORY_GRAPH: in the order in which the latest launch submitted its nodes
                         */
    struct allocation *next; /* among freed ones, from old to new */
    bool forgotten;          /* freed, and its addresses were handed out again */
};

uint64_t memory_latest(void); /* serial of the latest allocation */
/* The live allocation that holds address p, or NULL. */
struct allocation *memory_find(const void *p);
/* One that holds any of these bytes, or NULL. */
struct allocation *memory_find_in(const void *p, size_t bytes);
/* The latest freed one that held it, or NULL. */
struct allocation *memory_find_freed(const void *p);
/* Is p inside the address range that device memory comes from? */
bool memory_is_device_address(const void *p);
/* Device memory is out of the host's reach except between these two (where the CPU has protection
 * keys). */
void memory_open(void);
/* Done once, before anything else handles faults. */
void memory_protect(void);
void memory_close(void);
/* Ends a live device allocation at once. */
void memory_free_now(struct allocation *a);

/* arena.c: the addresses that device memory comes from, in blocks of 512 bytes. NULL: the device is
 * full. */
void *arena_take(struct device *d, size_t bytes);
void arena_give(struct device *d, void *p, size_t bytes);
size_t arena_round(size_t bytes);

/* Does the allocation hold `bytes` bytes from p on? */
bool memory_holds(const struct allocation *a, const void *p, size_t bytes);
/* From the first byte to the end of the last row; false where no address space is so large. */
bool memory_extent(size_t *bytes, size_t width, size_t rows, size_t pitch, size_t depth,
                   size_t slice);

/* A new live allocation of these addresses; `call` made it. */
struct allocation *memory_add(void *p, size_t bytes, enum memory_kind kind, int device,
                              const char *call);
/* What is still alive. */
struct memory_leaks {
    size_t n;
    uint64_t bytes;
    const struct allocation *first;
};
void memory_leaks(struct memory_leaks *out);
/* mempool.c: cudaFree of stream-ordered memory, which no pending work may use any more. */
void mempool_free_unordered(struct allocation *a);
/* The stream has come to a cudaFreeAsync. */
void mempool_free_now(struct op *op);
/* The host has synchronised: pools give back what they need not keep. */
void mempool_trim_at_sync(void);
/* mempool.c: what each device may do with the pool's memory (enum cudaMemAccessFlags), and its own;
 * NULL: no such pool. */
unsigned char *mempool_access(cudaMemPool_t pool, int *own_device);
/* It is no longer alive; kept for a while as a freed one. */
void memory_remove(struct allocation *a);
void memory_poison(void *p, size_t bytes);
/* All allocations of the device end, the pinned ones made under it too. */
void memory_forget(int device);

/* ---- stream.c, event.c ----------------------------------------------------------------------- */

struct capture;
struct node;

/* The nodes that the next captured node will wait for. */
struct frontier {
    struct node **nodes;
    cudaGraphEdgeData *data; /* of the edges to come */
    int n;
};

/* Of a stream, and of a kernel node. */
struct memory_attributes {
    cudaLaunchMemSyncDomain domain;
    cudaLaunchMemSyncDomainMap domain_map;
    struct cudaAccessPolicyWindow window;
};

/* memory_attributes.c: as they are where nobody has set them; one of them, or cudaErrorInvalidValue
 * for any other. A call that is refused changes nothing. */
struct memory_attributes memory_attributes_fresh(void);
cudaError_t memory_attributes_get(const struct memory_attributes *a, cudaLaunchAttributeID id,
                                  cudaLaunchAttributeValue *v);
cudaError_t memory_attributes_set(struct memory_attributes *a, cudaLaunchAttributeID id,
                                  const cudaLaunchAttributeValue *v);

struct stream {
    int id; /* as traces show it: 0 legacy, then in order of creation */
    struct device *device;
    unsigned flags;  /* cudaStreamNonBlocking */
    int priority;    /* 0 least to -5 greatest */
    int sync_policy; /* enum cudaSynchronizationPolicy; POLICY_UNSET: that of the device */
    struct memory_attributes memory; /* a captured kernel inherits them */
    bool legacy;
    bool destroyed;     /* its handle is gone; pending work goes on */
    struct op *tail;    /* counted; the last operation given to it, NULL once that is done */
    struct stamp stamp; /* of the last operation given to it */
    uint32_t lane;
    uint64_t n_ops;          /* operations given so far */
    uint64_t n_kernels;      /* of them kernels */
    int n_pending;           /* of them not done */
    int n_queued;            /* of those, kernels and copies */
    struct capture *capture; /* counted; NULL: it does not capture */
    struct frontier frontier;
    int refs;            /* the handle, every pending operation, a capture */
    struct stream *next; /* on its device, in order of creation */
    struct stream **prev;
};

enum { CLUSTER_BLOCKS = 8 }; /* at most in a cluster, of any kernel */
enum { POLICY_UNSET = -1 };  /* as an H200 answers it */

/* The stream that a handle means to this thread, or NULL (invalid handle). */
struct stream *stream_of(cudaStream_t handle);
struct stream *stream_legacy(struct device *d);
void stream_put(struct stream *s);
void stream_destroy(struct stream *s); /* its handle; pending work goes on */
void stream_thread_end(struct thread_state *t);
/* The calling thread waits until all that the stream or the device was given is done. */
void stream_wait_idle(struct stream *s);
void device_wait_idle(struct device *d);
/* The host has seen that all of the device is done: what it calls from now on comes after it. */
void device_know_done(struct device *d);

enum { PRIORITY_GREATEST = -5 };
int stream_clamp_priority(int priority);

struct event {
    unsigned flags;
    int device;
    struct op *op; /* counted; the record not yet done */
    bool recorded;
    ns_t time_ns;            /* when its last finished record happened */
    struct stamp stamp;      /* of its last record */
    int stream_id;           /* that it was last recorded in, for sentences */
    struct capture *capture; /* counted; it was last recorded in this capture */
    struct frontier frontier;
    int refs;
    bool destroyed;
};

struct event *event_of(cudaEvent_t handle); /* NULL: it is none */
void event_put(struct event *ev);
/* op is a node of a graph that records the event. */
void event_record_node(struct event *ev, struct op *op);
void event_forget(int device); /* destroys all events of the device */
void event_happened(struct event *ev, struct op *record);

/* ---- engine.c: what runs when ---------------------------------------------------------------- */

/* The most that profile.concurrent_kernels may be. */
enum { MAX_CONCURRENT_KERNELS = 1024 };

/* A queue of ready operations: higher stream priority first, then by time. */
struct ready_queue {
    struct op *first, *last;
    int n;
};

/* A copy engine runs one copy at a time: first its overhead, then its bytes at a rate. */
struct copy_engine {
    struct ready_queue queue;
    struct op *running;
    bool moving;               /* its bytes move (the overhead is over) */
    const struct op *expected; /* the next copy of the same stream, which is about to be ready */
    const struct stream *last_stream; /* of the copy before, and its branch; compared only */
    uint32_t last_branch;
    ns_t start_ns, end_ns; /* when the latest copy began, and the latest one ended */
    ns_t since_ns;         /* when `left` of the running one was true */
    ns_t next_ns;          /* when something happens here next */
};

/* All SMs of a device: the kernels in them share block slots and rate. */
struct sm_engine {
    struct ready_queue queue;
    struct op **running; /* kernels that have begun, in order of arrival */
    int n_running;
    int n_started;      /* begun, or in their launch overhead */
    ns_t issue_free_ns; /* the next kernel may start */
    ns_t end_ns;        /* when the latest kernel ended */
    ns_t since_ns;
    ns_t next_ns;
};

struct device {
    int id;
    struct copy_engine copy[3]; /* H2D, D2H, D2D */
    struct sm_engine sm;
    struct stream *streams;      /* all of them */
    struct stream **streams_end; /* where the next one goes */
    int n_streams;
    struct stamp gone[2]; /* after the work of ended streams: blocking, non-blocking */
    struct stream *legacy;
    int n_pending; /* operations not done, all streams */
    uint64_t used_bytes;
    struct arena *arena;  /* its addresses, reserved at first use */
    struct mempool *pool; /* current pool of cudaMallocAsync */
    struct mempool *default_pool;
    uint64_t n_kernels;    /* given to its streams so far */
    uint64_t most_kernels; /* of them those of the stream that was given most */
};

bool copy_by_kernel(const struct work *w);
void device_start(struct device *d, int id);
void engine_submit(struct op *op, ns_t now); /* op is ready */
ns_t engine_next(void);                      /* when any engine has something next */
void engine_run(ns_t now);                   /* lets every engine do what is due */

/* hostfn.c: runs host functions on a thread of its own, and drives history while every other thread
 * sleeps. */
void hostfn_start(struct op *op, ns_t now);
/* The thread exists from now on. */
void hostfn_thread(void);
bool hostfn_running(void);
/* Gives a running host function a moment of real time to end, so that a query sees what virtual
 * time says. */
void hostfn_settle(void);
/* The lock is held; returns when the running one has ended, or history has left it behind. */
void hostfn_wait(void);
/* Waits for something to change about one that was left behind; false where there is none. */
bool hostfn_wait_left(void);

/* trace.c: one row a finished operation or call, while tracing */
void trace_start_from_env(void);
void trace_op(const struct op *op);
void trace_api(const char *name, ns_t start, ns_t end);
/* The nodes of a graph in the environment are done. */
void trace_graph(const struct environment *e, ns_t end);
/* The program has ended: writes what SIMGPU_TRACE asks for. */
void trace_at_end(void);

/* ---- the device as a whole ------------------------------------------------------------------- */

struct sim {
    pthread_mutex_t lock;
    struct profile profile;
    struct device devices[MAX_DEVICES];
    int n_devices;
    ns_t now; /* history has happened up to here */
    uint64_t n_ops, n_calls;
    int n_execs;         /* executable graphs made so far */
    double nodes_made;   /* and how many nodes they had */
    int n_device_graphs; /* of those alive, uploaded and for device launch: while there are none, no
                            kernel launches */
    int n_growing;       /* launches of graphs not done whose kernels may launch graphs */
    struct stamp
        host; /* the host's place in the order: after all that any of its threads has waited for */
    bool compute, checks; /* SIMGPU_COMPUTE, SIMGPU_CHECKS */
    bool tracing;
    bool forked; /* a child of the program that used the device: it has none */
};
extern struct sim sim;

/* ---- exec.c (and exec.h): kernels on the CPU ------------------------------------------------- */

/*
 * Runs the whole grid now, on the calling thread and, where it pays, on the machine's other cores.
 * Threads of a block that meet a barrier or a warp primitive are switched by hand-written code.
 * Returns false, with a sentence in *why (static storage), if the kernel did what a GPU would not
 * survive: threads that wait for each other for ever, a failed assert, a bad address, a stack that
 * overflowed.
 */
bool exec_grid(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch,
               void *const *params, const char **why);

/* Does the calling thread run a kernel? */
bool exec_in_kernel(void);
/* From a kernel: ends the grid, since it called what is for the host (nvcc would not compile it).
 */
void exec_refuse_call(const char *name);

/* The code that the last grid of this thread failed with: cudaErrorAssert, cudaErrorIllegalAddress,
 * … */
cudaError_t exec_failure(void);

/* pool.c: starts a thread that the program's signals do not reach. An error number, or 0. */
int helper_start(void *(*fn)(void *));

/* What the device's clocks (globaltimer, clock64) show when the next grids start. */
void exec_clock(ns_t start_ns, int clock_khz);

/* register.c: the kernel whose entry, or handle (cudaKernel_t), this is, or NULL. */
const struct simgpu_kernel *kernel_find(const void *entry);

/* fatbin.c: where a __device__ variable of code compiled by nvcc is; false: no such symbol. */
bool variable_find(const void *symbol, void **address, size_t *bytes);
/* Is that an address in a variable, and how many bytes of it are left from there? It is device
 * memory to all calls. */
bool variable_reaches(const void *p, size_t *left);

#endif

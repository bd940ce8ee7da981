/*
 * sim.h: the inside of the simulated device. One struct a concept, in the order in which they meet an operation:
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

#include "simgpu.h"

enum { MAX_DEVICES = 16 };

typedef int64_t ns_t;
#define NS_NEVER INT64_MAX

#define EXPORT __attribute__((visibility("default")))

struct op;
struct stream;
struct event;
struct device;
struct allocation;
struct exec;
struct flat;
struct choice;
struct condition_defaults;
struct node_changes;
struct environment;

/* ---- profile.c: what the device and the host's API calls cost --------------------------------------- */

/* Host time of one call of each kind. Profile key: host.<name>, in microseconds. */
enum api_cost {
    COST_QUERY,         /* cudaGetDevice, cudaPeekAtLastError and the like */
    COST_MALLOC,        /* cudaMalloc */
    COST_FREE,
    COST_MALLOC_HOST,
    COST_FREE_HOST,
    COST_MALLOC_ASYNC,
    COST_FREE_ASYNC,
    COST_STREAM_CREATE,
    COST_STREAM_DESTROY,
    COST_STREAM_QUERY,
    COST_EVENT_CREATE,
    COST_EVENT_DESTROY,
    COST_EVENT_RECORD,        /* of an event without timing */
    COST_EVENT_RECORD_TIMING,
    COST_EVENT_QUERY,
    COST_STREAM_WAIT,   /* cudaStreamWaitEvent */
    COST_SYNC,          /* any synchronise that finds nothing to wait for */
    COST_MEMCPY_ASYNC,
    COST_MEMCPY_D2D,    /* inside the device: the call is a kernel launch in disguise */
    COST_MEMSET_ASYNC,  /* up to memset_small_bytes */
    COST_MEMSET_LARGE,  /* beyond: a kernel launch in disguise */
    COST_LAUNCH,        /* cudaLaunchKernel */
    COST_HOST_FUNC,     /* cudaLaunchHostFunc, cudaStreamAddCallback */
    COST_GRAPH_CREATE,  /* cudaGraphCreate, cudaGraphDestroy */
    COST_GRAPH_NODE,    /* one node with little in it, or one edge, by the node API */
    COST_GRAPH_WORK,    /* one kernel, copy, memset or child graph node by the node API */
    COST_CAPTURE_BEGIN,
    COST_CAPTURE_END,   /* besides its nodes */
    COST_CAPTURE_NODE,  /* a kernel or a copy that is captured instead of run */
    COST_CAPTURE_MARK,  /* a memset, a host function, an event's record or wait that is captured */
    COST_GRAPH_INSTANTIATE, /* besides its nodes */
    COST_GRAPH_UPLOAD,      /* besides its nodes */
    COST_GRAPH_LAUNCH,      /* besides its nodes */
    COST_GRAPH_SET,         /* one call that changes an executable graph */
    COST_EXEC_DESTROY,      /* besides its nodes */
    N_API_COSTS
};

/* Numbers of the profile file; every field's key there is its name. Rates are per second. */
struct profile {
    char name[64];
    /* cudaGetDeviceProperties */
    int compute_major, compute_minor;
    int sm_count, sm_threads, sm_blocks, sm_registers, sm_shared_bytes, block_shared_bytes_optin;
    int clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes, copy_engines;
    int concurrent_kernels; /* kernels resident at once */
    double memory_bytes;
    /* copies: bandwidths in GB/s (1e9 bytes), overheads in us */
    double h2d_gbps, d2h_gbps;            /* pinned, one direction alone */
    double bidir_gbps;                    /* each direction while both run */
    double pageable_h2d_gbps, pageable_d2h_gbps;
    double peer_gbps;                     /* between two devices */
    double h2d_overhead_us, d2h_overhead_us; /* engine time of a copy besides its bytes */
    double copy_switch_us;                /* further engine time of a copy after one of another stream, other engines busy */
    double inline_copy_us;                /* a copy to the device so small that it travels with the command */
    int inline_copy_bytes;                /* the largest such copy */
    double pageable_overhead_us;          /* host time of a pageable copy besides staging */
    double d2d_gbps, d2d_overhead_us;     /* inside the device: bytes read plus bytes written */
    double memset_gbps, memset_overhead_us;
    double memset_small_us;               /* device time of a memset of no more than */
    int memset_small_bytes;               /* this */
    /* stream-ordered pools */
    double pool_grow_us;                  /* an allocation for which the pool takes memory from the device */
    double pool_shrink_us;                /* what gives it back: a synchronise, where the pool may not keep it */

    /* kernels */
    double kernel_overhead_us;            /* device time of a kernel that does nothing */
    double kernel_issue_us;               /* at least so long from the start of one kernel to that of the next, device-wide */
    double block_issue_us;                /* the same from block to block */
    double sm_gflops;                     /* one SM, fully occupied, plain C arithmetic */
    double sm_shared_gbps;                /* shared memory traffic of one SM */
    double sm_dram_gbps;                  /* what one SM alone can draw from device memory */
    double dram_gbps;                     /* all SMs together, bytes read plus bytes written */
    double sm_half_threads;               /* resident threads at which an SM reaches half of its rate of arithmetic */
    double sm_shared_half_threads;        /* the same for shared memory traffic */
    /* latencies */
    double submit_us;                     /* from the end of the host's call until the device may start */
    double same_stream_us;                /* from the end of an operation to the next one of its stream, same engine */
    double cross_engine_us;               /* the same where the next one runs on another engine */
    double event_wait_us;                 /* from an event's record to another stream that waits for it */
    double event_record_us;               /* device time of the record of an event with timing */
    double host_func_us;                  /* from the end of the work before it to the start of a host function */
    double host_func_next_us;             /* from the end of a host function to the start of the next in its stream */
    double host_func_idle_us;             /* to the start of a host function that has nothing before it */
    double host_func_done_us;             /* from its return to the work after it */
    double sync_return_us;                /* from the end of the work to the return of a synchronising call */
    /* graphs, host time: a run is kernels, copies inside the device and large memsets that follow each other */
    double graph_capture_end_node_us;     /* ending a capture, a node */
    double graph_instantiate_kernel_us;   /* instantiating, a node of a run */
    double graph_instantiate_node_us;     /* and any other */
    double graph_instantiate_branch_us;   /* and every further branch that can run at the same time */
    double graph_upload_run_us;           /* the first launch, or an upload: a run */
    double graph_upload_kernel_us;        /* and each of its nodes */
    double graph_switch_on_us, graph_switch_off_us; /* the launch after a node was switched on or off */
    double graph_launch_node_us;          /* any launch, a node */
    double graph_launch_run_us;           /* and a run: its kernels are launched as one */
    double graph_launch_copy_us;          /* and a copy from or to the host */
    double graph_launch_memset_us;        /* and a memset of no more than memset_small_bytes */
    double graph_launch_host_us;          /* and a host function */
    double graph_launch_event_us;         /* and an event's record or wait */
    double graph_update_node_us;          /* cudaGraphExecUpdate, a node */
    double graph_destroy_node_us;         /* cudaGraphDestroy, a node */
    double graph_exec_destroy_node_us;    /* cudaGraphExecDestroy, a node */
    /* graphs, device time */
    double graph_kernel_us;               /* a kernel node that does nothing, inside a run */
    double graph_first_kernel_us;         /* and the first of a run */
    double graph_kernel_memory_us;        /* more for either where it reads or writes memory */
    double graph_disabled_us;             /* a disabled node */
    double graph_issue_us;                /* at least so long from the start of one kernel node to that of the next */
    double graph_h2d_overhead_us, graph_d2h_overhead_us;    /* as without graph_: in a graph they cost less */
    double graph_d2d_overhead_us, graph_memset_overhead_us;
    double graph_edge_us;                 /* from the end of a node to the next one on the same engine */
    double graph_cross_us;                /* and to one on another engine */
    double graph_condition_us;            /* from a conditional node that is reached to the start of its body */
    double graph_condition_skip_us;       /* and to its end where it runs none */
    double graph_condition_end_us;        /* from the end of the last body to what follows the node */
    double graph_inner_end_us;            /* the same of a node in a body */
    double graph_while_us;                /* from the end of a WHILE node's body to the start of the next */
    double graph_body_h2d_us;             /* a copy from the host in a body, beside one inside the device */
    /* graphs launched by kernels: the call is kernel time, what is launched starts while it lasts */
    double device_first_kernel_us;        /* as graph_first_kernel_us, of a graph launched by a kernel */
    double device_fire_us;                /* from the call to the first node, fire and forget or sibling */
    double device_fire_call_us;           /* such a call */
    double device_fire_root_us;           /* and each further node that waits for nothing */
    double device_root_us;                /* from the start of one such node to that of the next */
    double device_tail_call_us;           /* the call that asks for a tail */
    double device_tail_us;                /* from the end of what a tail waits for to its first node */
    double device_join_us;                /* further, where that was launched graphs too */
    double device_host_call_us;           /* further host time of launching a graph that is, or launches, such a one */
    double device_host_end_us;            /* and from the end of its work to what follows */
    /* conditional nodes, host time */
    double graph_launch_conditions_us;    /* any launch of a graph that has some */
    double graph_launch_condition_us;     /* and each, but those in bodies */
    double graph_instantiate_condition_us; /* instantiating, each */
    double graph_instantiate_body_us;     /* and each body with nodes, besides these */
    double graph_upload_condition_us;     /* the first launch, or an upload: each, besides the runs in bodies */
    double graph_exec_destroy_body_us;    /* cudaGraphExecDestroy, each body with nodes */
    int stream_depth;                     /* kernels and copies a stream queues before a further call waits */
    ns_t host_cost[N_API_COSTS];
};

/* Loads the built-in profile, or the file SIMGPU_PROFILE names; a bad file ends the program with its line. */
void profile_load(struct profile *profile);

/* ---- order.c: who is ordered before whom ------------------------------------------------------------- */

/* A vector clock: what is known to be done before. Immutable once shared, counted. */
struct vclock;

/* The place of one operation in the order: the seq-th of its lane, after all that `seen` names. */
struct stamp {
    uint32_t lane;       /* a stream, a host thread, a branch of a graph launch */
    uint32_t seq;        /* counts from 1; 0: no operation */
    uint32_t until_lane; /* whoever comes after this one comes after the operation too; until_seq 0: none */
    uint32_t until_seq;
    struct vclock *seen; /* counted reference; NULL: nothing of other lanes */
};

/*
 * A lane for a new stream, host thread or graph branch. order_lane_after takes over a freed one
 * whose operations `origin` knows to be before it, so that nothing is lost when everything in the
 * new lane is after origin too. Beyond some thousand lanes any freed one is taken: races with its
 * former operations may then be missed, and none is ever made up.
 */
uint32_t order_lane_new(void);
uint32_t order_lane_after(const struct stamp *origin);
void order_lane_free(uint32_t lane); /* its number may be used again, its count goes on */

/*
 * A new stamp on `lane`, after every given one and all that lane had before. A host thread that
 * touches memory needs a new one for each call: operations are told apart by (lane, seq).
 * Its owner calls order_drop.
 */
struct stamp order_stamp(uint32_t lane, const struct stamp *const *after, int n_after);
struct stamp order_copy(const struct stamp *s);
/*
 * Work that a graph launch begets later: *s, the newest stamp of its lane, comes before `end`, the launch's end, whose
 * stamp was made before it.
 */
void order_until(struct stamp *s, const struct stamp *end);
void order_drop(struct stamp *s); /* leaves seq 0 */
/*
 * In place: *into is from now on also after *s (a host thread has waited for s). *into must be the
 * newest stamp of its lane: where s is news to it, it moves on to the next seq.
 */
void order_join(struct stamp *into, const struct stamp *s);
/* a comes before b, or is the same operation. No operation (seq 0) comes before every other. */
bool order_before(const struct stamp *a, const struct stamp *b);

/* One operation's touch of memory, for the checks and their sentences. */
struct access {
    uint64_t lo, hi;             /* addresses, hi exclusive */
    uint64_t rows, pitch;        /* a pitched range: [lo, hi) is its first row; 0 or 1 row: no pitch */
    enum simgpu_access mode;
    const struct stamp *stamp;
    const struct simgpu_site *site; /* copied where kept */
    bool expected;               /* it may happen, and others before it that are not told yet: no stale read */
    bool late;                   /* others after it may have been told already */
};

/*
 * The history of one allocation: for each byte who wrote it last and who has read it since.
 * history_access checks the touch against it (race, stale read), reports, and records it.
 * Operations are told in the order the host issued them, and an operation's reads before its
 * writes. A NULL history checks nothing.
 */
struct history;
/* `call` (static storage) made the allocation, the serial-th of the program: reports name it so. */
struct history *history_new(uint64_t lo, uint64_t hi, bool initialised, const char *call,
                            uint64_t serial);
void history_free(struct history *h);
void history_access(struct history *h, const struct access *a);
/* The expected access happens now: is what it reads written? */
void history_read_now(struct history *h, const struct access *a);
/* Stream-ordered memory begins at operation `site`: a touch not ordered after it is a race. */
void history_begin(struct history *h, const struct stamp *stamp, const struct simgpu_site *site);
/*
 * It ends at `site`: a touch not ordered before that is a use after free, or a host race where the
 * host frees it (site->stream -1). The history is the caller's to free.
 */
void history_end(struct history *h, const struct stamp *stamp, const struct simgpu_site *site);

/* What the checks cost so far; for tests and the benchmark. */
struct check_counts {
    uint64_t clocks_made;       /* vector clocks allocated */
    uint64_t clocks_alive;
    uint64_t clock_bytes_alive;
    uint64_t lanes;             /* lane numbers in use or freed */
    uint64_t segments_visited;  /* steps of histories from segment to segment, and of searches */
    uint64_t segments_alive;
    uint64_t touches_alive;     /* operations that histories remember */
};
extern struct check_counts check_counts;

/* ---- finding.c: what the checks have to say ---------------------------------------------------------- */

/* Keeps the finding (the same pair of sites only once, counted), and prints it unless SIMGPU_REPORT=0. */
void finding_add(const struct simgpu_finding *f);
/* Counts f if there is no need to add it (one like it is kept, or no room is left): its text need not be made. */
bool finding_again(const struct simgpu_finding *f);

/* ---- runtime.c: host threads and the way in and out of every API call ------------------------------- */

/* What the device knows of one host thread. */
struct thread_state {
    uint64_t id;                 /* of all threads ever seen */
    cudaError_t last_error;      /* for cudaGetLastError */
    int device;                  /* current device */
    ns_t clock;                  /* its virtual time */
    struct stream *per_thread[MAX_DEVICES]; /* its cudaStreamPerThread on each device, made at first use */
    const char *api;             /* the call it is in, for the trace */
    ns_t api_start_ns;
    enum api_cost api_cost;      /* what it was charged */
    int symbol_kind;             /* in a copy of a __device__ variable: 1 + the direction given */
    bool in_host_func;           /* it runs a host function: CUDA calls are not permitted */
    ns_t host_work_ns;           /* virtual time a host function has taken so far */
    int cancel_state;            /* outside the call: none is cancelled with the lock held */
    bool default_is_per_thread;  /* inside a _ptsz call: stream 0 means cudaStreamPerThread */
    enum cudaStreamCaptureMode capture_mode; /* of cudaThreadExchangeStreamCaptureMode */
};

struct thread_state *thread_self(void);

/* The simulated device itself cannot go on: says why on stderr and aborts the program. */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Begins the API call `name`: lets its host time pass, brings the device's history up to it, takes the lock.
 * False where the call must return *error at once (inside a host function, or the context is lost); then
 * neither the lock is held nor api_leave to be called.
 */
bool api_enter(enum api_cost cost, const char *name, cudaError_t *error);
/* The lock, for a call that does not come by api_enter; api_leave releases it. */
void device_lock(struct thread_state *t);
/* Inside a call, before it waits for anything: it costs `cost` instead of what it was charged. */
void api_charge(enum api_cost cost);
/* Ends it: releases the lock, remembers an error for cudaGetLastError, returns e. */
cudaError_t api_leave(cudaError_t e);

/* error.c: remembers e (if not success) as the thread's last error and returns it. */
cudaError_t error_set(cudaError_t e);
/* error.c: e has destroyed the context: every later call returns it. */
void error_stick(cudaError_t e);
cudaError_t error_sticky(void);
/* error.c: the simulated device has no such call: says so the first time, returns cudaErrorNotSupported. */
cudaError_t error_not_modelled(const char *name, bool *said);

/* device.c: in and out of a call that only asks: it works in a lost context, and where there is no device. */
bool query_enter(const char *name, cudaError_t *error);
cudaError_t query_leave(cudaError_t e);
bool device_exists(int device);
/* device_attributes.c: false: there is no such attribute. */
bool device_attribute(int *value, int number, int device);

/* attributes.c: blocks of this launch that one SM holds at once; real errors of a launch that cannot be. */
int occupancy_blocks_per_sm(const struct simgpu_kernel *k, const struct simgpu_launch *l);
cudaError_t launch_check(const struct simgpu_kernel *k, const struct simgpu_launch *l);
/* The error of a kernel that kernel_find does not know. */
cudaError_t kernel_missing(const void *entry);

/* ---- handle.c: which handles are alive -------------------------------------------------------------- */

enum handle_type { HANDLE_NONE, HANDLE_STREAM, HANDLE_EVENT, HANDLE_POOL, HANDLE_GRAPH, HANDLE_NODE, HANDLE_EXEC,
                   HANDLE_USER_OBJECT, HANDLE_DEVICE_NODE };

void handle_add(const void *p, enum handle_type type);
void handle_remove(const void *p);
enum handle_type handle_type_of(const void *p);
size_t handle_count(enum handle_type type);
/* Calls fn for every live handle of the type; fn may remove it. */
void handle_each(enum handle_type type, void (*fn)(void *p, void *arg), void *arg);

/* ---- clock.c: virtual time and the agenda ----------------------------------------------------------- */

typedef void agenda_fn(void *arg, ns_t now);

/* fn(arg, at) happens at `at`, not before what already happened; equal times in order of the calls. */
void agenda_add(ns_t at, agenda_fn *fn, void *arg);
/* One thing more happens, whatever its time. False: nothing is left to happen, or a host function is running. */
bool history_step(void);
/* All that happens up to `until`, in order; stops early at a host function that is still running. */
void history_advance(ns_t until);
/* Goes on until op is done. Waits (in real time) for running host functions. */
struct op;
void history_advance_to(struct op *op);
ns_t us_to_ns(double us);

/* ---- memory.c: allocations --------------------------------------------------------------------------- */

enum memory_kind { MEMORY_DEVICE, MEMORY_PINNED, MEMORY_REGISTERED, MEMORY_POOL, MEMORY_GRAPH };

struct allocation {
    RB_ENTRY(allocation) by_address;
    uint64_t lo, hi;          /* addresses as the program sees them, hi exclusive */
    enum memory_kind kind;
    int device;
    unsigned flags;           /* of cudaHostAlloc or cudaHostRegister */
    uint64_t serial;          /* counts allocations, for reports */
    const char *call;         /* that made it */
    struct history *history;  /* NULL when checks are off */
    struct mempool *pool;     /* MEMORY_POOL: counted */
    struct graph_memory *graph_memory; /* MEMORY_GRAPH */
    bool freed_by_node;       /* MEMORY_GRAPH: in the order in which the latest launch submitted its nodes */
    struct allocation *next;  /* among freed ones, from old to new */
    bool forgotten;           /* freed, and its addresses were handed out again */
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
/* Device memory is out of the host's reach except between these two (where the CPU has protection keys). */
void memory_open(void);
/* Done once, before anything else handles faults. */
void memory_protect(void);
void memory_close(void);
/* Ends a live device allocation at once. */
void memory_free_now(struct allocation *a);

/* arena.c: the addresses that device memory comes from, in blocks of 512 bytes. NULL: the device is full. */
void *arena_take(struct device *d, size_t bytes);
void arena_give(struct device *d, void *p, size_t bytes);
size_t arena_round(size_t bytes);

/* Does the allocation hold `bytes` bytes from p on? */
bool memory_holds(const struct allocation *a, const void *p, size_t bytes);
/* From the first byte to the end of the last row; false where no address space is so large. */
bool memory_extent(size_t *bytes, size_t width, size_t rows, size_t pitch, size_t depth,
                   size_t slice);

/* A new live allocation of these addresses; `call` made it. */
struct allocation *memory_add(void *p, size_t bytes, enum memory_kind kind, int device, const char *call);
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
/* mempool.c: what each device may do with the pool's memory (enum cudaMemAccessFlags), and its own; NULL: no such pool. */
unsigned char *mempool_access(cudaMemPool_t pool, int *own_device);
/* It is no longer alive; kept for a while as a freed one. */
void memory_remove(struct allocation *a);
void memory_poison(void *p, size_t bytes);
/* All allocations of the device end, the pinned ones made under it too. */
void memory_forget(int device);

/* ---- stream.c, event.c ------------------------------------------------------------------------------- */

enum engine_kind { ENGINE_NONE, ENGINE_H2D, ENGINE_D2H, ENGINE_D2D, ENGINE_SM, ENGINE_HOST, N_ENGINES };

struct capture;
struct node;

/* The nodes that the next captured node will wait for. */
struct frontier {
    struct node **nodes;
    cudaGraphEdgeData *data; /* of the edges to come */
    int n;
};

struct stream {
    int id;                  /* as traces show it: 0 legacy, then in order of creation */
    struct device *device;
    unsigned flags;          /* cudaStreamNonBlocking */
    int priority;            /* 0 least to -5 greatest */
    enum cudaSynchronizationPolicy sync_policy; /* 0: never set */
    bool legacy;
    bool destroyed;          /* its handle is gone; pending work goes on */
    struct op *tail;         /* counted; the last operation given to it, NULL once that is done */
    struct stamp stamp;      /* of the last operation given to it */
    uint32_t lane;
    uint64_t n_ops;          /* operations given so far */
    int n_pending;           /* of them not done */
    int n_queued;            /* of those, kernels and copies */
    struct capture *capture; /* counted; NULL: it does not capture */
    struct frontier frontier;
    int refs;                /* the handle, every pending operation, a capture */
    struct stream *next;     /* on its device, in order of creation */
    struct stream **prev;
};

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
    struct op *op;           /* counted; the record not yet done */
    bool recorded;
    ns_t time_ns;            /* when its last finished record happened */
    struct stamp stamp;      /* of its last record */
    int stream_id;           /* that it was last recorded in, for sentences */
    struct capture *capture; /* counted; it was last recorded in this capture */
    struct frontier frontier;
    int refs;
    bool destroyed;
};

void event_put(struct event *ev);
/* op is a node of a graph that records the event. */
void event_record_node(struct event *ev, struct op *op);
void event_forget(int device); /* destroys all events of the device */
void event_happened(struct event *ev, struct op *record);

/* ---- op.c: an operation, from its API call to its completion ----------------------------------------- */

enum op_kind { OP_KERNEL, OP_COPY, OP_MEMSET, OP_HOST_FUNC, OP_EVENT_RECORD, OP_EVENT_WAIT, OP_FREE, OP_MARKER,
               OP_GRAPH_BEGIN, OP_NODES_DONE, OP_GRAPH_END, OP_CONDITION, OP_BODY_END };
enum op_state { OP_WAITING, OP_READY, OP_RUNNING, OP_DONE };
enum copy_path { PATH_H2D, PATH_D2H, PATH_D2D, PATH_H2H, PATH_PEER };

/* A copy of depth slices of rows of width bytes; a 1-D copy has one of each. */
struct copy_job {
    unsigned char *dst;
    const unsigned char *src;
    size_t width, rows, depth;
    size_t dst_pitch, src_pitch;   /* from row to row */
    size_t dst_slice, src_slice;   /* from slice to slice */
    enum copy_path path;
    enum cudaMemcpyKind kind; /* as given */
    bool pageable;          /* the host side is ordinary memory */
    unsigned char *staged;  /* what was read when the copy started, until it lands */
    int peer;               /* PATH_PEER: the other device */
    bool inlined;           /* so small that it travels with the command: no copy engine */
};

struct memset_job {
    unsigned char *dst;
    size_t width, rows, pitch; /* in elements, rows, bytes */
    unsigned value;
    int element_bytes;
};

/* One kernel launch as the call gave it; immutable, so that an operation, a node and its replays share it. */
struct kernel_call {
    int refs;
    const struct simgpu_kernel *kernel;
    struct simgpu_launch launch;
    void **params;               /* one block: pointers, then the copied values */
    struct simgpu_work *touches; /* from the footprint; NULL: nothing known */
    double block_load;           /* one block's work, in microseconds of one SM at its full rate */
    double half_threads;         /* of the resource that bounds it */
    double dram_per_load;        /* bytes of device memory traffic per such microsecond */
    int capacity;                /* blocks the whole device holds at once */
};

struct kernel_job {
    struct kernel_call *call; /* counted */
    unsigned char *landing;   /* what the kernel wrote to its declared ranges, until it lands */
    uint64_t blocks_left;     /* not yet started */
    unsigned resident;        /* blocks of the wave that is running */
    ns_t delay_until;         /* the running wave ends no earlier */
    bool bad_address;         /* a declared range lies in no allocation */
    struct condition_sets *sets; /* what the kernel set for conditional nodes, until it lands */
    struct node_changes *changes; /* and asked to change of other nodes */
    ns_t calls_ns;            /* that it lasts longer for its calls of cudaGraphLaunch */
    bool landed;              /* its writes are there already, for the graphs that it launched */
    unsigned char *shown;     /* or only those that it had made when it launched the last of them */
};

struct host_job {
    cudaHostFn_t fn;
    cudaStreamCallback_t callback; /* one of fn and callback */
    void *data;
    cudaStream_t handle;
};

/* A conditional node. */
struct condition_job {
    struct choice *choice;     /* counted */
    struct flat *running;      /* the body that runs */
    uint64_t rounds;           /* bodies it has run in this launch */
    bool inner;                /* it is in a body itself */
};

/* What an operation does, whether it is given to a stream or kept in a graph. */
struct work {
    enum op_kind kind;
    enum engine_kind engine; /* ENGINE_NONE: it only marks a place in its stream */
    const char *name;        /* for traces and findings */
    uint64_t bytes;
    union {
        struct copy_job copy;
        struct memset_job memset;
        struct kernel_job kernel;
        struct host_job host;
        struct event *event;            /* OP_EVENT_RECORD, and a node's OP_EVENT_WAIT: counted */
        struct pool_block *block;       /* OP_FREE: counted */
        struct condition_job condition;
        struct condition_defaults *defaults; /* OP_GRAPH_BEGIN: counted; NULL: the graph has no conditions */
        struct op *body_of;             /* OP_BODY_END: the conditional node */
    };
};

void work_drop(struct work *w);                               /* gives back what it holds */
void work_copy(struct work *to, const struct work *from);     /* a further holder; no copy may be running */

/* launch.c, copy.c, memset.c: checks what a call or a node asks for and fills *w; the error the call must return. */
cudaError_t kernel_work(struct work *w, const void *func, const struct simgpu_launch *launch, void **args);
cudaError_t memset_work(struct work *w, const struct memset_job *m);
bool memset_has_memory(const struct memset_job *m); /* does one allocation hold all that it sets? */
cudaError_t copy_work(struct work *w, const struct cudaMemcpy3DParms *p);
void kernel_call_put(struct kernel_call *k);

struct op {
    struct work work;
    enum op_state state;
    ns_t came_from[N_ENGINES];      /* a marker: when the last work before it on each engine ended; -1: none */
    int refs;               /* its stream or engine while not done, events, waiting threads */
    int n_waits;            /* operations it still waits for */
    int n_succ, cap_succ;
    struct op **succ;       /* operations that wait for it, counted; succ_few until they are more */
    struct op *succ_few[2];
    struct device *device;
    struct stream *stream;
    struct exec *exec;      /* the executable graph that it is part of a launch of, or NULL */
    struct environment *environment; /* of that launch, where its kernels may launch graphs */
    bool read_later;        /* whether what it reads is written is seen when it starts */
    uint64_t id;            /* in order of the API calls */
    uint64_t index;         /* in its stream */
    int64_t node;           /* graph node, or -1 */
    uint64_t updatable;     /* device code may change it: uid of that node; else 0 */
    bool in_body;           /* of a conditional node */
    bool in_graph;          /* it belongs to a graph launch: only its edges order it, not its stream */
    bool gone;              /* and names memory that was freed: it fails */
    uint64_t known;         /* in_graph: the latest allocation that its node could know */
    bool first_of_run;      /* and is a kernel that is not launched together with one before it */
    uint32_t branch;        /* in_graph: which chain of nodes of the graph; else 0 */
    ns_t mark_ns;           /* device time of an operation without an engine */
    int priority;           /* on its engine */
    ns_t ready_ns;          /* not before this; grows as predecessors end */
    ns_t start_ns, end_ns;
    struct stamp stamp;
    double left, rate;      /* fluid work left on its engine, and units of it per nanosecond */
    struct op *next;        /* in an engine's queue, or the free list */
};

/* A new operation for the stream, one reference, not yet in it. */
struct op *op_new(const struct work *w, struct stream *s);
void op_get(struct op *op);
void op_put(struct op *op);
/* Gives it to its stream: after all the stream and the default-stream rules ask for, and `extra` if not NULL. */
void op_submit(struct op *op, struct op *extra, const struct stamp *extra_stamp);
/* A call that gives the stream one more kernel, copy or graph waits here until it has room. */
void op_wait_for_room(struct stream *s);
/*
 * The same in steps: op_open, any number of op_after, then op_place (it becomes the last of its stream, and is
 * stamped after its stream and the given stamps) or, for a node of a graph, op_close.
 */
void op_open(struct op *op);
void op_open_at(struct op *op, ns_t now); /* the device itself makes it at `now` */
void op_after(struct op *op, struct op *before);
void op_place(struct op *op, const struct stamp *const *after, int n_after);
void op_close(struct op *op);
/* Between op_open and its end: it waits for op_release too. */
void op_hold(struct op *op);
void op_release(struct op *op, ns_t now);
/* Gives the work to the stream, which holds it from now on. */
cudaError_t work_submit(struct work *w, struct stream *s);
void op_done(struct op *op, ns_t now);
/* The calling thread waits until op is done; its clock and its stamp move on. */
void op_wait(struct op *op);

/* How findings name it. */
void site_of(const struct op *op, struct simgpu_site *site);

/* effects.c: what an operation does to memory: it reads when it starts, its writes land when it ends. */
void effects_begin(struct op *op);
void effects_land(struct op *op);
/* Reads the copy's source now, in the call itself (pageable memory). */
void effects_stage(struct copy_job *c);
/* What it will touch, told to the ordering checks when it is submitted. */
void effects_declare(struct op *op);
/* The same for a node of a body, when its graph is launched: whether it runs, and after what, is not known yet. */
void effects_expect(struct op *op);
/* And when it runs: it must not touch what is no memory, nor read what nothing was to write. */
void effects_verify(struct op *op);
/* A node of a graph that a kernel has launched: later work of the host, which comes after it, is told already. */
void effects_declare_late(struct op *op);
/* The running kernel launches a graph, which will see what it has written so far. */
void effects_show(struct op *op);

/* condition.c: what the grid that just ran has set for conditional nodes, or NULL; lets it take effect. */
struct condition_sets *condition_sets_take(void);
void condition_sets_land(struct condition_sets *s, struct exec *x); /* x: whose kernel it was; NULL: no graph's */
void condition_sets_free(struct condition_sets *s);
struct condition_defaults *condition_defaults_get(struct condition_defaults *d);
void condition_defaults_put(struct condition_defaults *d);

/*
 * updatable.c: what the grid that just ran has asked to change of nodes, or NULL; lets it take effect, or forgets it;
 * and the operation of such a node takes its work as it is now.
 */
struct node_changes *node_changes_take(void);
void node_changes_land(struct node_changes *s);
void node_changes_drop(struct node_changes *s);
void op_look_again(struct op *op);

/* launch.c: the kernel's work with another grid (if not NULL), or with other bytes of its parameters. */
void kernel_change(struct work *w, const struct simgpu_dim *grid, size_t offset, const void *value, size_t bytes);
/* attributes.c: where the i-th parameter is in the buffer that holds them all. */
size_t kernel_param_offset(const struct simgpu_kernel *k, int i);

/* body.c: what a conditional node chooses from; when it is reached, and when a body of it has ended. */
void choice_get(struct choice *c);
void choice_put(struct choice *c);
void condition_reached(struct op *op, ns_t now);
void body_ended(struct op *op, ns_t now);

/* replay.c: a launch begins, or has ended, on the device. */
void exec_launch_begins(struct op *begin);
void exec_launch_ended(struct op *end);

/* environment.c: a launch whose kernels may launch graphs begins; the nodes of a graph in it are done. */
void environment_begins(struct op *begin);
/* The number of its graph, if a kernel launched that, else 0. */
int environment_graph(const struct environment *e);
void environment_nodes_done(struct op *mark, ns_t now);

/* device_launch.c: cudaGraphLaunch in a kernel. */
cudaError_t kernel_graph_launch(cudaGraphExec_t handle, cudaStream_t stream);
/* Around the run of op's grid; true: it has launched graphs that are to begin at once. */
void kernel_calls_begin(struct op *op);
bool kernel_calls_end(struct op *op);

/* ---- engine.c: what runs when ------------------------------------------------------------------------ */

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
    bool moving;             /* its bytes move (the overhead is over) */
    const struct op *expected; /* the next copy of the same stream, which is about to be ready */
    const struct stream *last_stream; /* of the copy before, and its branch; compared only */
    uint32_t last_branch;
    ns_t start_ns, end_ns;   /* when the latest copy began, and the latest one ended */
    ns_t since_ns;           /* when `left` of the running one was true */
    ns_t next_ns;            /* when something happens here next */
};

/* All SMs of a device: the kernels in them share block slots and rate. */
struct sm_engine {
    struct ready_queue queue;
    struct op **running;     /* kernels that have begun, in order of arrival */
    int n_running;
    int n_started;           /* begun, or in their launch overhead */
    ns_t issue_free_ns;      /* the next kernel may start */
    ns_t end_ns;             /* when the latest kernel ended */
    ns_t since_ns;
    ns_t next_ns;
};

struct device {
    int id;
    struct copy_engine copy[3];  /* H2D, D2H, D2D */
    struct sm_engine sm;
    struct stream *streams;      /* all of them */
    struct stream **streams_end; /* where the next one goes */
    int n_streams;
    struct stamp gone[2];        /* after the work of ended streams: blocking, non-blocking */
    struct stream *legacy;
    int n_pending;               /* operations not done, all streams */
    uint64_t used_bytes;
    struct arena *arena;         /* its addresses, reserved at first use */
    struct mempool *pool;        /* current pool of cudaMallocAsync */
    struct mempool *default_pool;
};

bool copy_by_kernel(const struct work *w);
void device_start(struct device *d, int id);
void engine_submit(struct op *op, ns_t now); /* op is ready */
ns_t engine_next(void);                      /* when any engine has something next */
void engine_run(ns_t now);                   /* lets every engine do what is due */

/* hostfn.c: runs host functions on a thread of its own, and drives history while every other thread sleeps. */
void hostfn_start(struct op *op, ns_t now);
/* The thread exists from now on. */
void hostfn_thread(void);
bool hostfn_running(void);
/* Gives a running host function a moment of real time to end, so that a query sees what virtual time says. */
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

/* ---- the device as a whole --------------------------------------------------------------------------- */

struct sim {
    pthread_mutex_t lock;
    struct profile profile;
    struct device devices[MAX_DEVICES];
    int n_devices;
    ns_t now;              /* history has happened up to here */
    uint64_t n_ops, n_calls;
    int n_execs;           /* executable graphs made so far */
    int n_device_graphs;   /* of those alive, uploaded and for device launch: while there are none, no kernel launches */
    int n_growing;         /* launches of graphs not done whose kernels may launch graphs */
    struct stamp host;     /* the host's place in the order: after all that any of its threads has waited for */
    bool compute, checks;  /* SIMGPU_COMPUTE, SIMGPU_CHECKS */
    bool tracing;
    bool forked;           /* a child of the program that used the device: it has none */
};
extern struct sim sim;

/* ---- exec.c (and exec.h): kernels on the CPU --------------------------------------------------------- */

/*
 * Runs the whole grid now, on the calling thread and, where it pays, on the machine's other cores.
 * Threads of a block that meet a barrier or a warp primitive are switched by hand-written code.
 * Returns false, with a sentence in *why (static storage), if the kernel did what a GPU would not survive: threads
 * that wait for each other for ever, a failed assert, a bad address, a stack that overflowed.
 */
bool exec_grid(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch, void *const *params,
               const char **why);

/* Does the calling thread run a kernel? */
bool exec_in_kernel(void);
/* From a kernel: ends the grid, since it called what is for the host (nvcc would not compile it). */
void exec_refuse_call(const char *name);

/* The code that the last grid of this thread failed with: cudaErrorAssert, cudaErrorIllegalAddress, … */
cudaError_t exec_failure(void);

/* pool.c: starts a thread that the program's signals do not reach. An error number, or 0. */
int helper_start(void *(*fn)(void *));

/* What the device's clocks (globaltimer, clock64) show when the next grids start. */
void exec_clock(ns_t start_ns, int clock_khz);

/* register.c: the kernel whose entry, or handle (cudaKernel_t), this is, or NULL. */
const struct simgpu_kernel *kernel_find(const void *entry);

/* fatbin.c: where a __device__ variable of code compiled by nvcc is; false: no such symbol. */
bool variable_find(const void *symbol, void **address, size_t *bytes);

#endif

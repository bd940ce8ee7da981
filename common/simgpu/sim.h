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

typedef int64_t ns_t;
#define NS_NEVER INT64_MAX

#define EXPORT __attribute__((visibility("default")))

struct op;
struct stream;
struct event;
struct device;
struct allocation;

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
    COST_EVENT_RECORD,
    COST_EVENT_QUERY,
    COST_STREAM_WAIT,   /* cudaStreamWaitEvent */
    COST_SYNC,          /* any synchronise that finds nothing to wait for */
    COST_MEMCPY_ASYNC,
    COST_MEMSET_ASYNC,
    COST_LAUNCH,        /* cudaLaunchKernel */
    COST_HOST_FUNC,     /* cudaLaunchHostFunc, cudaStreamAddCallback */
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
    double copy_overhead_us;              /* engine time before the first byte moves, every copy */
    double copy_dependent_us;             /* further wait of a copy on the copy just before it in its stream */
    double pageable_overhead_us;          /* host time of a pageable copy besides staging */
    double d2d_gbps;                      /* bytes read plus bytes written */
    double memset_gbps, memset_overhead_us;
    /* kernels */
    double kernel_overhead_us;            /* device time of a kernel that does nothing */
    double sm_gflops;                     /* one SM, fully occupied, plain C arithmetic */
    double sm_shared_gbps;                /* shared memory traffic of one SM */
    double sm_dram_gbps;                  /* what one SM alone can draw from device memory */
    double dram_gbps;                     /* all SMs together, bytes read plus bytes written */
    double sm_half_threads;               /* resident threads at which an SM reaches half of its rate */
    /* latencies */
    double submit_us;                     /* from the end of the host's call until the device may start */
    double same_stream_us;                /* from the end of an operation to the next one of its stream, same engine */
    double cross_engine_us;               /* the same where the next one runs on another engine */
    double event_wait_us;                 /* from an event's record to the work that waits for it in another stream */
    double event_record_us;               /* device time of an event record */
    double host_func_us;                  /* from the end of the work before it to the start of a host function */
    double host_func_done_us;             /* from its return to the work after it */
    double sync_return_us;                /* from the end of the work to the return of a synchronising call */
    int stream_depth;                     /* operations a stream queues before a further call waits */
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
    struct vclock *seen; /* counted reference; NULL: nothing of other lanes */
};

uint32_t order_lane_new(void);
void order_lane_free(uint32_t lane); /* its number may be used again, its count goes on */

/* A new stamp on `lane`, after every given one. The caller owns it: order_drop when done. */
struct stamp order_stamp(uint32_t lane, const struct stamp *const *after, int n_after);
struct stamp order_copy(const struct stamp *s);
void order_drop(struct stamp *s);
/* In place: *into is from now on also after *s (used for a host thread that waited for s). */
void order_join(struct stamp *into, const struct stamp *s);
bool order_before(const struct stamp *a, const struct stamp *b);

/* One operation's touch of memory, for the checks and their sentences. */
struct access {
    uint64_t lo, hi;             /* addresses, hi exclusive */
    enum simgpu_access mode;
    const struct stamp *stamp;
    const struct simgpu_site *site; /* copied where kept */
};

/*
 * The history of one allocation: for each byte who wrote it last and who has read it since.
 * history_access checks the touch against it (race, stale read), reports, and records it.
 */
struct history;
struct history *history_new(uint64_t lo, uint64_t hi, bool initialised);
void history_free(struct history *h);
void history_access(struct history *h, const struct access *a);

/* ---- finding.c: what the checks have to say ---------------------------------------------------------- */

/* Keeps the finding (the same pair of sites only once, counted), and prints it unless SIMGPU_REPORT=0. */
void finding_add(const struct simgpu_finding *f);

/* ---- memory.c: allocations --------------------------------------------------------------------------- */

enum memory_kind { MEMORY_DEVICE, MEMORY_PINNED, MEMORY_REGISTERED, MEMORY_POOL };

struct allocation {
    RB_ENTRY(allocation) by_address;
    uint64_t lo, hi;          /* addresses as the program sees them, hi exclusive */
    enum memory_kind kind;
    int device;
    unsigned flags;           /* of cudaHostAlloc or cudaHostRegister */
    uint64_t serial;          /* counts allocations, for reports */
    struct history *history;  /* NULL when checks are off */
    struct mempool *pool;     /* MEMORY_POOL */
    struct stamp freed;       /* of its cudaFreeAsync; seq 0 while allocated */
    bool is_freed;            /* kept for a while so that a use after free can be named */
};

/* The live allocation that holds address p, or NULL. */
struct allocation *memory_find(const void *p);
/* The same among freed ones. */
struct allocation *memory_find_freed(const void *p);

/* ---- op.c: an operation, from its API call to its completion ----------------------------------------- */

enum op_kind { OP_KERNEL, OP_COPY, OP_MEMSET, OP_HOST_FUNC, OP_EVENT_RECORD, OP_EVENT_WAIT, OP_ALLOC, OP_FREE, OP_MARKER };
enum op_state { OP_WAITING, OP_READY, OP_RUNNING, OP_DONE };
enum copy_path { PATH_H2D, PATH_D2H, PATH_D2D, PATH_H2H, PATH_PEER };

/* A copy of `rows` rows; a 1-D copy has one. */
struct copy_job {
    unsigned char *dst;
    const unsigned char *src;
    size_t width, rows, dst_pitch, src_pitch;
    enum copy_path path;
    bool pageable;          /* the host side is ordinary memory */
    unsigned char *staged;  /* what was read when the copy started, until it lands */
};

struct memset_job {
    unsigned char *dst;
    size_t width, rows, pitch; /* in bytes */
    unsigned value;
    int element_bytes;
};

struct kernel_job {
    const struct simgpu_kernel *kernel; /* NULL: registered by nvcc only, nothing to run */
    const char *name;
    struct simgpu_launch launch;
    void **params;           /* one block: pointers, then the copied values */
    struct simgpu_work work; /* from the footprint */
    bool has_work;
    unsigned char **landing; /* per written range: what the kernel wrote, until it lands */
    /* the engine's view, in units of one SM's full rate for one microsecond */
    double block_load;       /* work of one block */
    int capacity;            /* blocks the whole device holds at once */
    unsigned blocks_left;
};

struct host_job {
    cudaHostFn_t fn;
    cudaStreamCallback_t callback; /* one of fn and callback */
    void *data;
    cudaStream_t handle;
};

struct op {
    enum op_kind kind;
    enum op_state state;
    int refs;
    struct device *device;
    struct stream *stream;
    const char *name;       /* for traces and findings */
    uint64_t index;         /* in its stream */
    int64_t node;           /* graph node, or -1 */
    int n_waits;            /* operations it still waits for */
    struct op **succ;       /* operations that wait for it */
    int n_succ, cap_succ;
    ns_t ready_ns;          /* not before this; grows as predecessors end */
    ns_t start_ns, end_ns;
    uint64_t bytes;
    struct stamp stamp;
    /* while running on an engine: fluid work left, the rate it goes at, when that was last true */
    double left, rate;
    union {
        struct copy_job copy;
        struct memset_job memset;
        struct kernel_job kernel;
        struct host_job host;
        struct event *event;
    };
};

/* ---- the rest of the concepts live in their own files, to be filled in by them ---------------------- */

/* error.c: per-thread last error; sticky errors end the context. */
cudaError_t error_set(cudaError_t e); /* remembers e (if not success) and returns it */

/* ---- exec.c, fiber.S, pool.c: kernels on the CPU ----------------------------------------------------- */

/*
 * Runs the whole grid now, on the calling thread and, where it pays, on the machine's other cores.
 * Threads of a block that meet a barrier or a warp primitive are switched by hand-written code.
 * Returns false, with a sentence in *why (static storage), if the kernel broke a rule that a GPU would not survive:
 * a barrier that some threads of the block never reach after others wait there.
 */
bool exec_grid(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch, void *const *params,
               const char **why);

/* register.c: the kernel whose entry this is, or NULL. */
const struct simgpu_kernel *kernel_find(const void *entry);

#endif

/*
 * op.h: an operation: its work (struct work), and its place among the others (struct op).
 *
 *     waiting --(its predecessors are done, latency has passed)--> ready --(its engine takes it)-->
 *     running --> done
 *
 * The layers above create operations and define the actions of each kind at these steps (struct
 * op_type). This layer decides when.
 */
#ifndef OP_H
#define OP_H

#include "core/core.h"
#include "race/race.h"
#include "simgpu.h"

struct choice;
struct condition_defaults;
struct condition_sets;
struct device;
struct environment;
struct event;
struct exec;
struct flat;
struct node_changes;
struct op;
struct pool_block;
struct stream;

enum engine_kind {
    ENGINE_NONE,
    ENGINE_H2D,
    ENGINE_D2H,
    ENGINE_D2D,
    ENGINE_PEER,
    ENGINE_SM,
    ENGINE_HOST,
    N_ENGINES
};
enum op_kind {
    OP_KERNEL,
    OP_COPY,
    OP_MEMSET,
    OP_HOST_FUNC,
    OP_EVENT_RECORD,
    OP_EVENT_WAIT,
    OP_FREE,
    OP_MARKER,
    OP_GRAPH_BEGIN,
    OP_NODES_DONE,
    OP_GRAPH_END,
    OP_CONDITION,
    OP_BODY_END,
    N_OP_KINDS
};
/* How far an operation must be before another one starts. Kernels alone get to the first two. */
enum order {
    AFTER_START,   /* all its blocks have started */
    AFTER_TRIGGER, /* all have called cudaTriggerProgrammaticLaunchCompletion */
    AFTER_END
};
enum op_state { OP_WAITING, OP_READY, OP_RUNNING, OP_DONE };
enum copy_path { PATH_H2D, PATH_D2H, PATH_D2D, PATH_H2H, PATH_PEER };

/* A copy of depth slices of rows of width bytes; a 1-D copy has one of each. */
struct copy_job {
    unsigned char *dst;
    const unsigned char *src;
    size_t width, rows, depth;
    size_t dst_pitch, src_pitch; /* from row to row */
    size_t dst_slice, src_slice; /* from slice to slice */
    unsigned char *staged;       /* what was read when the copy started, until it lands */
    enum copy_path path : 8;
    enum cudaMemcpyKind kind : 8; /* as given */
    bool pageable;                /* the host side is ordinary memory */
    bool staged_by_host;          /* PATH_PEER: neither may access the other's memory */
    bool inlined;                 /* so small that it travels with the command: no copy engine */
    bool in_device;   /* built for both sides in device memory: cannot reach pageable memory */
    int16_t from, to; /* the devices that have the two sides, if any has */
    int16_t by;       /* PATH_PEER: the one of them that moves the bytes */
};

struct memset_job {
    unsigned char *dst;
    size_t width, rows, pitch; /* in elements, rows, bytes */
    unsigned value;
    int element_bytes;
};

/* One kernel launch as the call gave it; immutable, so that an operation, a node and its replays
 * share it. */
struct kernel_call {
    int refs;
    const struct simgpu_kernel *kernel;
    struct simgpu_launch launch;
    void **params;               /* one block: pointers, then the copied values */
    struct simgpu_work *touches; /* from the footprint, or of what it did; NULL: nothing known */
    const struct simgpu_range *ranges; /* that it touches: of the footprint, or recorded */
    int n_ranges;
    bool recorded;        /* they are; by the one operation that holds the call */
    double block_load;    /* one block's work, in microseconds of one SM at its full rate */
    double half_threads;  /* of the resource that bounds it */
    double dram_per_load; /* bytes of device memory traffic per such microsecond */
    double least_us;      /* every block lasts at least so long */
    int capacity;         /* blocks the whole device holds at once */
    /* of block_load and least_us: before it waits for the grids that it started beside, and before
     * it lets others start beside it */
    float wait_load, wait_us;
    float trigger_load, trigger_us;
    enum { TRIGGERS_AT_END, TRIGGERS_BEFORE_WAIT, TRIGGERS_AFTER_WAIT } trigger;
};

/* Do its writes land when the kernel is done? Atomic ones are there at once, for other kernels. */
static inline bool range_is_set_aside(const struct simgpu_range *r)
{
    return (r->access & SIMGPU_WRITE) && r->access != SIMGPU_ATOMIC;
}

struct kernel_job {
    struct kernel_call *call;     /* counted */
    unsigned char *landing;       /* what the kernel wrote to its ranges, until it lands */
    uint64_t blocks_left;         /* not yet started */
    unsigned resident;            /* blocks of the wave that is running */
    ns_t delay_until;             /* the running wave ends no earlier */
    ns_t trigger_until;           /* nor lets others start */
    bool waits;                   /* it calls cudaGridDependencySynchronize */
    bool held;                    /* the grids that it will wait for are not complete */
    bool at_wait;                 /* its resident blocks have come to the call */
    bool has_run;                 /* its grid has; its writes may be still to land */
    bool bad_address;             /* a declared range lies in no allocation */
    bool cooperative;             /* its blocks may wait for each other */
    struct condition_sets *sets;  /* what the kernel set for conditional nodes, until it lands */
    struct node_changes *changes; /* and asked to change of other nodes */
    ns_t calls_ns;                /* that it lasts longer for its calls of cudaGraphLaunch */
    bool landed;          /* its writes are there already, for the graphs that it launched */
    unsigned char *shown; /* or only those that it had made when it launched the last of them */
};

struct host_job {
    cudaHostFn_t fn;
    cudaStreamCallback_t callback; /* one of fn and callback */
    void *data;
    cudaStream_t handle;
};

/* A conditional node. */
struct condition_job {
    struct choice *choice; /* counted */
    struct flat *running;  /* the body that runs */
    uint64_t rounds;       /* bodies it has run in this launch */
    bool inner;            /* it is in a body itself */
};

/* What an operation does, whether it is enqueued in a stream or kept in a graph. */
struct work {
    enum op_kind kind : 8;
    enum engine_kind engine : 8; /* ENGINE_NONE: it only marks a place in its stream */
    uint16_t waits;              /* of its stream, before it */
    const char *name;            /* for traces and findings */
    struct simgpu_caller caller; /* of the runtime call that asked for it */
    uint64_t bytes;
    ns_t mark_ns; /* device time of one without an engine */
    union {
        struct copy_job copy;
        struct memset_job memset;
        struct kernel_job kernel;
        struct host_job host;
        struct event *event;      /* OP_EVENT_RECORD, and a node's OP_EVENT_WAIT: counted */
        struct pool_block *block; /* OP_FREE: counted */
        struct condition_job condition;
        struct condition_defaults
            *defaults;      /* OP_GRAPH_BEGIN: counted; NULL: the graph has no conditions */
        struct op *body_of; /* OP_BODY_END: the conditional node */
    };
};

/* Who waits for an operation. */
struct successor {
    struct op *op;    /* counted; NULL: it has started, and waits no more */
    enum order order; /* what it waits for to start */
    bool beside;      /* it started before the end, which it must know of, too */
    bool passed;      /* it does not wait any more to start */
};

struct op {
    struct work work;
    enum op_state state;
    int refs;    /* its stream or engine until it is done, events, waiting threads */
    uint64_t id; /* in order of the API calls */
    struct epoch epoch;

    /* what it waits for, and what waits for it */
    int n_waits; /* operations it still waits for */
    int n_succ, cap_succ;
    unsigned crossed;       /* a marker: a bit for each engine; that work was on another device */
    struct successor *succ; /* succ_few until they are more */
    struct successor succ_few[1];
    ns_t came_from[N_ENGINES]; /* a marker: end of the last work before it on each engine, or -1 */

    /* its stream */
    struct device *device; /* that runs it */
    struct device *home;   /* of its stream; counts it as pending */
    struct stream *stream;
    uint64_t index;              /* in its stream */
    void (*left)(struct op *op); /* it is done: its stream lets go of it */
    bool is_unknown;             /* it counts in sim.n_growing, until what it accesses is known */
    bool read_later;             /* uninitialized reads are looked for when it starts */
    bool is_beside;              /* it may start before all it comes after is complete */
    bool is_over;                /* it has ended, and that is not complete: it is done when it is */
    bool reached[AFTER_END];     /* it is so far */
    uint16_t n_beside;           /* of what it started beside, not complete */
    struct epoch *early;         /* its place in the order until it waits for that; or NULL */
    int stream_id;               /* as traces show it */
    cudaError_t fails;           /* it names memory that is gone or out of reach: its result */

    /* the graph launch that it is part of, if any */
    bool in_graph;                  /* only edges order it, not its stream */
    bool in_body;                   /* of a conditional node */
    bool first_of_run;              /* a kernel that is not launched together with one before it */
    bool in_company;                /* a kernel; others ran in several streams before the launch */
    int priority;                   /* on its engine, in a graph or not */
    int64_t node;                   /* graph node, or -1 */
    int graph;                      /* number of the graph, if a kernel launched it; else 0 */
    uint32_t branch;                /* which chain of nodes of the graph, from 1; else 0 */
    uint64_t known;                 /* the latest allocation that its node could know */
    uint64_t updatable;             /* uid of its node, if device code may change that; else 0 */
    void (*refresh)(struct op *op); /* takes such a change when it is ready; NULL: none may come */
    struct exec *exec;
    struct environment *environment; /* where its kernels may launch graphs, or NULL */

    /* its time */
    ns_t mark_ns;  /* device time without an engine */
    ns_t ready_ns; /* not before this; grows as predecessors end */
    ns_t start_ns, end_ns;
    double left_work, rate; /* fluid work left on its engine, and units of it per nanosecond */
    struct op *next;        /* in an engine's queue, or the free list */
};
/* There may be hundreds of thousands: its fields are in an order without gaps. */
_Static_assert(sizeof(struct op) <= 456, "struct op has grown");

/* What the layer that owns a kind of operation does at its steps; each may be NULL. */
struct op_type {
    void (*ready)(struct op *op, ns_t now); /* in place of its engine; it calls op_done later */
    void (*begin)(struct op *op);           /* its engine starts it: it reads memory */
    void (*resume)(struct op *op);          /* it waited for grids that it started beside */
    void (*land)(struct op *op);            /* its engine has finished it: its writes land */
    void (*done)(struct op *op, ns_t now);  /* before its successors hear of it */
    void (*hold)(struct work *w);           /* a copy of the work was made */
    void (*drop)(struct work *w);           /* one holder fewer */
};

void op_type_set(enum op_kind kind, const struct op_type *type);

void work_hold(struct work *w);                           /* it is one more copy of a work */
void work_copy(struct work *to, const struct work *from); /* no copy may be running */
void work_drop(struct work *w);
void kernel_call_put(struct kernel_call *k);

/* How many operations were opened so far: those with a lower id. */
uint64_t ops_opened(void);
/* A new operation with one reference, of no stream yet. */
struct op *op_make(const struct work *w, struct device *d);
void op_get(struct op *op);
void op_put(struct op *op);
/*
 * From op_open_at on it is pending: it may get predecessors (op_after) and be held (op_hold), until
 * op_close. It starts at `now` at the earliest.
 */
void op_open_at(struct op *op, ns_t now);
void op_after(struct op *op, struct op *before); /* NULL, or done: nothing to wait for */
/* The same, but op starts once `before` is so far. `beside`: op is not done before it is. */
void op_after_early(struct op *op, struct op *before, enum order order, bool beside);
/* Where op, which starts early, is in the order until it waits; op->epoch is set. */
void op_set_early(struct op *op, struct epoch early);
/* op, which is a kernel, is so far. */
void op_reach(struct op *op, enum order order);
void op_close(struct op *op);
void op_hold(struct op *op); /* it waits for op_release, too */
void op_release(struct op *op, ns_t now);
void op_done(struct op *op, ns_t now);
/* Runs the simulation until op is done. Waits, in real time, for running host functions. */
void op_run_until_done(struct op *op);
/* The same until nothing runs on the device for streams of others. */
void device_run_guests(struct device *d);
/* Is it work, or a mark that waited for work? */
bool op_is_work(const struct op *op);

#endif

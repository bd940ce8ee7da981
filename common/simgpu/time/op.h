/* op.h: an operation: its work (struct work), and its place among the others (struct op).
 *
 *     waiting --(its predecessors are done, latency has passed)--> ready --(its engine takes it)-->
 *     running --> done
 *
 * The layers above create operations and define the actions of each kind at these steps (struct
 * op_type). This layer decides when. */
#pragma once

#include "core/core.h"
#include "race/race.h"
#include "simgpu.h"

struct choice;
struct aside;
struct condition_defaults;
struct condition_sets;
struct device;
struct environment;
struct event;
struct exec;
struct flat;
struct launch;
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
/* The progress of an operation at which another one may start. Only kernels reach the first two
 * separately. */
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
    unsigned char *staged;       /* the bytes read, until they are written */
    enum copy_path path : 8;
    enum cudaMemcpyKind kind : 8; /* as given */
    bool wrong_dst, wrong_src;    /* that kind is called undefined here: it says that this side is
                                     memory of the host, and only a device can access it */
    bool overlaps;                /* its sides have a byte in common */
    bool pageable;                /* the host side is ordinary memory */
    bool is_open;                 /* to such memory: the call may return before the end */
    bool staged_by_host;          /* PATH_PEER: neither device may access the other's memory */
    bool inlined;     /* so small that it travels with the command, without a copy engine */
    bool in_device;   /* a node for copies inside the device: it cannot access pageable memory */
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
 * share it. One block of memory, with its parameters and the ranges of its footprint. */
struct kernel_call {
    int refs;
    const struct simgpu_kernel *kernel;
    struct simgpu_launch launch;
    void **params;                     /* pointers, then the copied values */
    const struct simgpu_range *ranges; /* its accesses: of the footprint, or recorded */
    int n_ranges;
    bool recorded;        /* the ranges are recorded, and one operation holds the call */
    bool is_given;        /* the program has pointers to the parameters of the node that holds it */
    bool is_known;        /* its work is known, from the footprint or the recording */
    bool launches_graphs; /* as in struct simgpu_work */
    bool waits_for_grids;
    double block_load;    /* one block's work, in microseconds of one SM at its full rate */
    double half_threads;  /* of the resource that limits the occupancy */
    double dram_per_load; /* bytes of device memory traffic per such microsecond */
    double least_us;      /* every block lasts at least so long */
    int capacity;         /* blocks the whole device holds at once */
    uint64_t busy_blocks; /* the first ones of the grid; the others have nothing to do */
    /* the parts of block_load and least_us before the kernel waits for its predecessors, and before
     * it triggers its successors */
    float wait_load, wait_us;
    float trigger_load, trigger_us;
    enum { TRIGGERS_AT_END, TRIGGERS_BEFORE_WAIT, TRIGGERS_AFTER_WAIT } trigger;
};

/* Do the writes to the range appear when the kernel is done? Atomic ones appear at once. */
static inline bool range_is_set_aside(const struct simgpu_range *r)
{
    return (r->access & SIMGPU_WRITE) && r->access != SIMGPU_ATOMIC;
}

/* A kernel that has been set aside: it waits in a loop for what others write, or has done so. */
struct waiting {
    struct aside *grid;
    /* it looks in vain until then, if its loop reads the clock; NS_NEVER: that does not. While it
     * goes on: so long it is to look; 0: it is woken */
    ns_t looks_until;
    bool is_explained; /* the program was told that it waits in vain */
};

struct kernel_job {
    struct kernel_call *call; /* counted */
    unsigned char *landing;   /* the bytes written to its ranges, until they appear */
    uint64_t blocks_left;     /* not yet started */
    ns_t delay_until;         /* the earliest end of the running wave */
    ns_t trigger_until;       /* the earliest moment at which it triggers */
    unsigned resident;        /* blocks of the wave that is running */
    bool waits;               /* it calls cudaGridDependencySynchronize */
    bool held;                /* its predecessors are not complete, or it polls */
    bool at_wait;             /* its resident blocks wait therefore */
    bool has_run;             /* its grid has run; its writes may not have appeared yet */
    bool bad_address;         /* a declared range lies in no allocation */
    bool cooperative;         /* its blocks may wait for each other */
    bool polls;               /* it is set aside */
    bool landed;              /* its writes have appeared already, for graphs that it launched, or
                                     because it was set aside */
    struct condition_sets *sets;  /* values for conditional nodes, until they take effect */
    struct node_changes *changes; /* changes of other nodes, until they take effect */
    ns_t calls_ns;                /* extra time for its calls of cudaGraphLaunch */
    unsigned char *shown;         /* its output when it last launched a graph, or was set aside */
    struct waiting *waiting;      /* NULL: it has never been set aside */
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
    uint64_t rounds;       /* bodies that it has run in this launch */
    bool inner;            /* it is a node of a body itself */
};

/* The work of an operation in a stream, or of a node in a graph. */
struct work {
    enum op_kind kind : 8;
    enum engine_kind engine : 8; /* ENGINE_NONE: it only has a place in its stream */
    uint16_t waits;              /* the list of waits of its stream before it: waits.c */
    const char *name;            /* for traces and findings */
    struct simgpu_caller caller; /* of the runtime call that asked for it */
    uint64_t bytes;
    ns_t mark_ns; /* device time, if it has no engine */
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

/* An operation that waits for another one. */
struct successor {
    struct op *op;    /* counted; NULL: it has started and no longer waits */
    enum order order; /* the progress that it waits for */
    bool beside;      /* it starts early, and must also learn of the end */
    bool passed;      /* it no longer waits to start */
};

struct op {
    struct work work;
    enum op_state state;
    int refs;    /* of its stream or engine until it is done, of events, of waiting threads */
    uint64_t id; /* in order of the API calls */
    struct epoch epoch;

    /* its predecessors and successors */
    int n_waits; /* predecessors that are not done */
    int n_succ, cap_succ;
    uint8_t came;           /* of a marker: a bit for each engine with work before it */
    uint8_t crossed;        /* of a marker: a bit for each whose last work was on another device */
    bool signals;           /* host code signals to it through memory: struct access */
    struct successor *succ; /* succ_few, or allocated for more */
    struct successor succ_few[1];
    ns_t came_from[N_ENGINES]; /* of a marker: end of the last work on each engine in `came` */

    /* its stream */
    struct device *device; /* that runs it */
    struct device *home;   /* of its stream; counts it as pending */
    struct stream *stream;
    uint32_t index, nth;     /* in its stream; of its caller, see struct simgpu_site */
    bool read_later;         /* it is checked for uninitialized reads when it starts */
    bool is_beside;          /* it may start before its predecessors are complete */
    bool is_over;            /* it has ended before its predecessors: it is done after them */
    bool reached[AFTER_END]; /* the progress that it has made */
    uint16_t n_beside;       /* predecessors not complete, though it has started */
    struct epoch *early;     /* its place in the order until it waits for them; or NULL */
    struct late *late;       /* while its accesses, or those of its nodes, are not all declared */
    int stream_id;           /* as traces show it */
    cudaError_t fails; /* its result: not cudaSuccess if it names freed or inaccessible memory */

    /* the graph launch that it is part of, if any */
    bool in_graph;      /* only edges order it, not its stream */
    bool in_body;       /* of a conditional node */
    bool first_of_run;  /* a kernel that begins a run: runs.c */
    bool in_company;    /* a kernel; before the launch, kernels ran in several streams */
    int priority;       /* on its engine, in a graph or not */
    int node;           /* graph node, or -1 */
    int place;          /* in the flat graph of `launch`; -1: it is its begin */
    int graph;          /* number of the graph, if a kernel launched it; else 0 */
    uint32_t branch;    /* the chain of nodes of the graph, from 1; else 0 */
    uint64_t known;     /* the latest allocation when its node was created or changed */
    uint64_t updatable; /* uid of its node, if device code may change that; else 0 */
    void (*refresh)(struct op *op); /* takes over such a change; NULL: none is possible */
    struct exec *exec;
    struct environment *environment; /* of graphs that its kernels launch, or NULL */
    struct launch *launch;           /* whose nodes become operations late, or NULL */
    void (*unfold)(struct op *op);   /* its successors in that launch become operations; NULL: they
                                        are */

    /* its time */
    ns_t mark_ns;  /* device time without an engine */
    ns_t ready_ns; /* the earliest start; grows as predecessors end */
    ns_t start_ns, end_ns;
    double left_work, rate; /* fluid work left on its engine, and units of it per nanosecond */
    struct op *next;        /* in an engine's queue, or the free list */
};
/* There may be many thousands: its fields are in an order without gaps. */
_Static_assert(sizeof(struct op) <= 472, "struct op has grown");

/* The actions of a kind of operation at its steps, by the layer that owns the kind; or NULL. */
struct op_type {
    void (*ready)(struct op *op, ns_t now); /* in place of an engine; calls op_done later */
    void (*begin)(struct op *op);           /* its engine starts it: it reads memory */
    void (*resume)(struct op *op);          /* its wait has ended */
    /* It is set aside. Has what it waits for changed, by op `by` (NULL: by the host)? */
    bool (*sees)(struct op *op, const struct op *by);
    void (*in_vain)(struct op *op, double seconds); /* nothing happens any more, for so long */
    void (*land)(struct op *op);           /* its engine has finished it: its writes appear */
    void (*done)(struct op *op, ns_t now); /* before its successors learn of it */
    void (*hold)(struct work *w);          /* the work was copied */
    void (*drop)(struct work *w);          /* one holder fewer */
};

void op_type_set(enum op_kind kind, const struct op_type *type);
/* Once: the action of each operation when it is done: it leaves its stream. */
void op_on_done(void (*leave)(struct op *op));

void work_hold(struct work *w);                           /* counts one more holder */
void work_copy(struct work *to, const struct work *from); /* neither may be running */
void work_drop(struct work *w);
void kernel_call_put(struct kernel_call *k);

/* The number of operations opened so far; the next one gets this id. */
uint64_t ops_opened(void);
/* A new operation with one reference, and no stream yet. */
struct op *op_make(const struct work *w, struct device *d);
void op_get(struct op *op);
void op_put(struct op *op);
/* From op_open_at on it is pending: it may get predecessors (op_after) and be held (op_hold), until
 * op_close. It starts at `now` at the earliest. */
void op_open_at(struct op *op, ns_t now);
void op_after(struct op *op, struct op *before); /* `before` NULL or done: no wait */
/* The same, but op may start when `before` reaches `order`. `beside`: op is done after it. */
void op_after_early(struct op *op, struct op *before, enum order order, bool beside);
/* The place in the order of op, which starts early, until it waits; op->epoch is set already. */
void op_set_early(struct op *op, struct epoch early);
/* The kernel op reaches this progress. */
void op_reach(struct op *op, enum order order);
void op_close(struct op *op);
/* Of n nodes of a graph launch, which become operations later, in any order: they count as pending
 * from now on. The id of the first one; the others follow. Opens one, closed, which waits for
 * n_waits others. */
uint64_t ops_fold(struct device *home, int n);
void op_open_folded(struct op *op, uint64_t id, ns_t now, int n_waits);
/* op will wait for n more. Then, for each of them: it is `before`, which is not done. */
void op_expect(struct op *op, int n);
void op_after_expected(struct op *op, struct op *before);
/* Its successors are operations from now on. */
static inline void op_unfold(struct op *op)
{
    if (op->unfold)
        op->unfold(op);
}
void op_hold(struct op *op); /* it also waits for op_release */
void op_release(struct op *op, ns_t now);
void op_done(struct op *op, ns_t now);
/* Runs the simulation until op is done. Waits, in real time, for running host functions. */
void op_run_until_done(struct op *op);
/* The same, until the device runs nothing for streams of other devices. */
void device_run_guests(struct device *d);
/* Is it work, or a marker after work? */
bool op_is_work(const struct op *op);

/*
 * op.h: an operation, from its API call to its completion: what it does (struct work), and its
 * place among the others (struct op).
 */
#ifndef OP_H
#define OP_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "order.h"
#include "profile.h"
#include "simgpu.h"

struct stream;
struct event;
struct device;
struct exec;
struct flat;
struct pool_block;
struct choice;
struct condition_sets;
struct condition_defaults;
struct node_changes;
struct environment;

enum engine_kind {
    ENGINE_NONE,
    ENGINE_H2D,
    ENGINE_D2H,
    ENGINE_D2D,
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
    OP_BODY_END
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
    enum copy_path path;
    enum cudaMemcpyKind kind; /* as given */
    bool pageable;            /* the host side is ordinary memory */
    unsigned char *staged;    /* what was read when the copy started, until it lands */
    int peer;                 /* PATH_PEER: the other device */
    bool inlined;             /* so small that it travels with the command: no copy engine */
    bool in_device; /* built for both sides in device memory: cannot reach pageable memory */
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
    struct simgpu_work *touches; /* from the footprint; NULL: nothing known */
    double block_load;           /* one block's work, in microseconds of one SM at its full rate */
    double half_threads;         /* of the resource that bounds it */
    double dram_per_load;        /* bytes of device memory traffic per such microsecond */
    double least_us;             /* every block lasts at least so long */
    int capacity;                /* blocks the whole device holds at once */
};

struct kernel_job {
    struct kernel_call *call;     /* counted */
    unsigned char *landing;       /* what the kernel wrote to its declared ranges, until it lands */
    uint64_t blocks_left;         /* not yet started */
    unsigned resident;            /* blocks of the wave that is running */
    ns_t delay_until;             /* the running wave ends no earlier */
    bool bad_address;             /* a declared range lies in no allocation */
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
        struct event *event;      /* OP_EVENT_RECORD, and a node's OP_EVENT_WAIT: counted */
        struct pool_block *block; /* OP_FREE: counted */
        struct condition_job condition;
        struct condition_defaults
            *defaults;      /* OP_GRAPH_BEGIN: counted; NULL: the graph has no conditions */
        struct op *body_of; /* OP_BODY_END: the conditional node */
    };
};

void work_drop(struct work *w); /* gives back what it holds */
void work_copy(struct work *to,
               const struct work *from); /* a further holder; no copy may be running */

/* launch.c, copy.c, memset.c: checks what a call or a node asks for and fills *w; the error the
 * call must return. */
cudaError_t kernel_work(struct work *w, const void *func, const struct simgpu_launch *launch,
                        void **args);
cudaError_t memset_work(struct work *w, const struct memset_job *m);
bool memset_has_memory(const struct memset_job *m); /* does one allocation hold all that it sets? */
cudaError_t copy_work(struct work *w, const struct cudaMemcpy3DParms *p);
/* copy.c: one copy of a batch, in the direction that the pointers decide. */
cudaError_t copy_bytes(void *dst, const void *src, size_t bytes, cudaStream_t stream);
void kernel_call_put(struct kernel_call *k);

struct op {
    struct work work;
    enum op_state state;
    ns_t came_from[N_ENGINES]; /* a marker: when the last work before it on each engine ended; -1:
                                  none */
    int refs;                  /* its stream or engine while not done, events, waiting threads */
    int n_waits;               /* operations it still waits for */
    int n_succ, cap_succ;
    struct op **succ; /* operations that wait for it, counted; succ_few until they are more */
    struct op *succ_few[2];
    struct device *device;
    struct stream *stream;
    struct exec *exec; /* the executable graph that it is part of a launch of, or NULL */
    struct environment *environment; /* of that launch, where its kernels may launch graphs */
    bool read_later;                 /* whether what it reads is written is seen when it starts */
    uint64_t id;                     /* in order of the API calls */
    uint64_t index;                  /* in its stream */
    int64_t node;                    /* graph node, or -1 */
    uint64_t updatable;              /* device code may change it: uid of that node; else 0 */
    bool in_body;                    /* of a conditional node */
    bool in_graph; /* it belongs to a graph launch: only its edges order it, not its stream */
    cudaError_t
        fails; /* and names memory that was freed, or that it cannot reach: what its end gives */
    uint64_t known;    /* in_graph: the latest allocation that its node could know */
    bool first_of_run; /* and is a kernel that is not launched together with one before it */
    bool in_company; /* and a kernel; kernels had been given to several streams when it was launched
                      */
    uint32_t branch; /* in_graph: which chain of nodes of the graph; else 0 */
    ns_t mark_ns;    /* device time of an operation without an engine */
    int priority;    /* on its engine */
    ns_t ready_ns;   /* not before this; grows as predecessors end */
    ns_t start_ns, end_ns;
    struct stamp stamp;
    double left, rate; /* fluid work left on its engine, and units of it per nanosecond */
    struct op *next;   /* in an engine's queue, or the free list */
};

/* A new operation for the stream, one reference, not yet in it. */
struct op *op_new(const struct work *w, struct stream *s);
void op_get(struct op *op);
void op_put(struct op *op);
/* Gives it to its stream: after all the stream and the default-stream rules ask for, and `extra` if
 * not NULL. */
void op_submit(struct op *op, struct op *extra, const struct stamp *extra_stamp);
/* Gives its stream a wait for something that is done: the order is noted, the device has nothing to
 * do. */
void op_note(struct op *op, const struct stamp *done);
/* A call that gives the stream one more kernel, copy or graph waits here until it has room. */
void op_wait_for_room(struct stream *s);
/*
 * The same in steps: op_open, any number of op_after, then op_place (it becomes the last of its
 * stream, and is stamped after its stream and the given stamps) or, for a node of a graph,
 * op_close.
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

/* effects.c: what an operation does to memory: it reads when it starts, its writes land when it
 * ends. */
void effects_begin(struct op *op);
void effects_land(struct op *op);
/* Reads the copy's source now, in the call itself (pageable memory). */
void effects_stage(struct copy_job *c);
/* What it will touch, told to the ordering checks when it is submitted. */
void effects_declare(struct op *op);
/* The same for a node of a body, when its graph is launched: whether it runs, and after what, is
 * not known yet. */
void effects_expect(struct op *op);
/* And when it runs: it must not touch what is no memory, nor read what nothing was to write. */
void effects_verify(struct op *op);
/* A node of a graph that a kernel has launched: later work of the host, which comes after it, is
 * told already. */
void effects_declare_late(struct op *op);
/* The running kernel launches a graph, which will see what it has written so far. */
void effects_show(struct op *op);

/* condition.c: what the grid that just ran has set for conditional nodes, or NULL; lets it take
 * effect. */
struct condition_sets *condition_sets_take(void);
void condition_sets_land(struct condition_sets *s,
                         struct exec *x); /* x: whose kernel it was; NULL: no graph's */
void condition_sets_free(struct condition_sets *s);
struct condition_defaults *condition_defaults_get(struct condition_defaults *d);
void condition_defaults_put(struct condition_defaults *d);

/*
 * updatable.c: what the grid that just ran has asked to change of nodes, or NULL; lets it take
 * effect, or forgets it; and the operation of such a node takes its work as it is now.
 */
struct node_changes *node_changes_take(void);
void node_changes_land(struct node_changes *s);
void node_changes_drop(struct node_changes *s);
void op_look_again(struct op *op);

/* launch.c: the kernel's work with another grid (if not NULL), or with other bytes of its
 * parameters. */
void kernel_change(struct work *w, const struct simgpu_dim *grid, size_t offset, const void *value,
                   size_t bytes);
/* attributes.c: where the i-th parameter is in the buffer that holds them all. */
size_t kernel_param_offset(const struct simgpu_kernel *k, int i);

/* body.c: what a conditional node chooses from; when it is reached, and when a body of it has
 * ended. */
void choice_get(struct choice *c);
void choice_put(struct choice *c);
void condition_reached(struct op *op, ns_t now);
void body_ended(struct op *op, ns_t now);

/* replay.c: a launch begins, or has ended, on the device. */
void exec_launch_begins(struct op *begin);
void exec_launch_ended(struct op *end);

/* environment.c: a launch whose kernels may launch graphs begins; the nodes of a graph in it are
 * done. */
void environment_begins(struct op *begin);
/* The number of its graph, if a kernel launched that, else 0. */
int environment_graph(const struct environment *e);
void environment_nodes_done(struct op *mark, ns_t now);

/* device_launch.c: cudaGraphLaunch in a kernel. */
cudaError_t kernel_graph_launch(cudaGraphExec_t handle, cudaStream_t stream);
/* Around the run of op's grid; true: it has launched graphs that are to begin at once. */
void kernel_calls_begin(struct op *op);
bool kernel_calls_end(struct op *op);

#endif

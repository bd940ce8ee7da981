/*
 * stream.h: streams and events, what can be enqueued in a stream, and what it does to memory.
 */
#ifndef STREAM_H
#define STREAM_H

#include "kernel/grid.h"
#include "memory/memory.h"

struct capture;
struct node;

/* ---- stream.c -------------------------------------------------------------------------------- */

/* The nodes that the next captured node will depend on. */
struct frontier {
    struct node **nodes;
    cudaGraphEdgeData *data; /* of the edges to come */
    int n;
};

/* Attributes that a stream and a kernel node share. All are kept and checked as an H200 checks
 * them; none changes what the simulated device does. */
struct memory_attributes {
    cudaLaunchMemSyncDomain domain;
    cudaLaunchMemSyncDomainMap domain_map;
    struct cudaAccessPolicyWindow window;
};

struct stream {
    int id; /* as traces show it: 0 legacy, then in order of creation */
    struct device *device;
    unsigned flags;  /* cudaStreamNonBlocking */
    int priority;    /* 0 least to -5 greatest */
    int sync_policy; /* enum cudaSynchronizationPolicy; POLICY_UNSET: that of the device */
    struct memory_attributes memory; /* a captured kernel inherits them */
    bool legacy;
    bool destroyed;     /* its handle is gone; pending work goes on */
    struct op *tail;    /* counted; the last operation enqueued, NULL once that is done */
    struct epoch epoch; /* of the last operation enqueued */
    uint32_t clock_id;
    uint16_t waits;          /* its latest; while it captures, those of the capture */
    uint16_t waits_outside;  /* while it captures: those before */
    bool has_worked;         /* since its latest wait */
    uint64_t n_ops;          /* operations enqueued so far */
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
enum { PRIORITY_GREATEST = -5 };

/* NULL: out of memory. */
struct stream *stream_create(struct device *d, unsigned flags, int priority);
int stream_clamp_priority(int priority);
/* The stream that a handle means to this thread, or NULL (invalid handle). */
struct stream *stream_of(cudaStream_t handle);
struct stream *stream_legacy(struct device *d);
void stream_put(struct stream *s);
void stream_thread_end(struct thread_state *t);
bool stream_is_blocking(const struct stream *s);
/* The calling thread has seen that everything in s is done: what it calls from now on comes after
 * it. */
void stream_known_done(const struct stream *s);
/* The calling thread waits until everything enqueued in the stream or on the device is done. */
void stream_wait_idle(struct stream *s);
void device_wait_idle(struct device *d);
/* Defines what operations of streams do; before any is made. */
void stream_types_set(void);

/* ---- memory_attributes.c --------------------------------------------------------------------- */

/* As they are until somebody sets them; one of them, or cudaErrorInvalidValue for any other. A
 * refused call changes nothing. */
struct memory_attributes memory_attributes_fresh(void);
cudaError_t memory_attributes_get(const struct memory_attributes *a, cudaLaunchAttributeID id,
                                  cudaLaunchAttributeValue *v);
cudaError_t memory_attributes_set(struct memory_attributes *a, cudaLaunchAttributeID id,
                                  const cudaLaunchAttributeValue *v);

/* ---- event.c --------------------------------------------------------------------------------- */

struct event {
    unsigned flags;
    int device;
    struct op *op; /* counted; the record not yet done */
    bool recorded;
    ns_t time_ns;                            /* when its last finished record happened */
    struct epoch epoch;                      /* of its last record */
    int stream_id;                           /* that it was last recorded in, for reports */
    struct simgpu_caller recorded_at;        /* likewise */
    struct capture *capture;                 /* counted; it was last recorded in this capture */
    void (*leave_capture)(struct event *ev); /* capture: drops that */
    struct frontier frontier;
    int refs;
    bool destroyed;
    bool opened; /* it is another process's */
};

struct event *event_of(cudaEvent_t handle); /* NULL: it is none */
void event_put(struct event *ev);
/* The work of recording it. */
struct work event_record_work(struct event *ev);
/* op records the event. */
void event_set_record(struct event *ev, struct op *op);
void event_set_epoch(struct event *ev, const struct op *op);
/* For reports: by the present call s waits for the event. The next work of s has these waits. */
void event_note_wait(const struct event *ev, struct stream *s);
uint16_t stream_waits(struct stream *s);
/* Destroys all events of the device. */
void event_forget(int device);

/* ---- copy.c, memset.c, launch.c: check what a call or a node asks for and fill *w -------------
 */

/* A copy before it is checked: depth slices of rows of width bytes. */
struct copy_shape {
    void *dst;
    const void *src;
    size_t width, rows, depth;
    size_t dst_pitch, src_pitch, dst_slice, src_slice;
};

struct copy_shape copy_shape_1d(void *dst, const void *src, size_t bytes);
cudaError_t copy_shape_3d(struct copy_shape *out, const struct cudaMemcpy3DParms *p);
/* Errors that are found before the stream is looked at. */
cudaError_t copy_shape_error(const struct copy_shape *s, enum cudaMemcpyKind kind);
/* `device`: of the stream or thread. */
cudaError_t copy_plan(struct work *w, const struct copy_shape *s, enum cudaMemcpyKind kind,
                      int device);
cudaError_t copy_work(struct work *w, const struct cudaMemcpy3DParms *p);
/* Memory of pools and graphs is copied only while a device is current that may access it. */
bool copy_is_allowed(const struct copy_shape *s, int device);
/* Chooses who moves the bytes between devices; can that still be done? */
void copy_route(struct copy_job *c);
bool copy_has_route(const struct copy_job *c);
cudaError_t memset_work(struct work *w, const struct memset_job *m);
bool memset_has_memory(const struct memset_job *m); /* does one allocation hold all that it sets? */
bool memset_reaches(const struct memset_job *m, int device); /* and may the device access it? */
cudaError_t kernel_work(struct work *w, const void *func, const struct simgpu_launch *launch,
                        void **args);
void **kernel_copy_params(const struct simgpu_kernel *k, void **args);
/* Must it be a node of a graph? */
bool kernel_launches_graphs(const struct kernel_call *k);
/* The kernel's work with another grid (if not NULL), or with other bytes of its parameters. */
void kernel_change(struct work *w, const struct simgpu_dim *grid, size_t offset, const void *value,
                   size_t bytes);

/* ---- pool_alloc.c: stream-ordered allocation ------------------------------------------------- */

cudaError_t stream_allocate(void **out, size_t bytes, struct mempool *from, struct stream *s);
void stream_free(struct allocation *a, struct stream *s); /* MEMORY_POOL */

/* ---- submit.c -------------------------------------------------------------------------------- */

/* A new operation for the stream, one reference, not yet in it. */
struct op *op_new(const struct work *w, struct stream *s);
/*
 * In steps: op_enter (from the host's call) or op_enter_at (by the device itself), any number of
 * op_after, then op_place (it becomes the last of its stream, ordered after its stream and the
 * given epochs) or, for a node of a graph, op_close.
 */
void op_enter(struct op *op);
void op_enter_at(struct op *op, ns_t now);
void op_place(struct op *op, const struct epoch *const *after, int n_after);
/* All of it: after everything that the stream and the default-stream rules ask for, and `extra` if
 * not NULL. */
void op_submit(struct op *op, struct op *extra, const struct epoch *extra_epoch);
/* Its stream waits for something that is done: the order is noted, the device has nothing to do. */
void op_note(struct op *op, const struct epoch *done);
/* A call that enqueues one more kernel, copy or graph waits here until the stream has room. */
void op_wait_for_room(struct stream *s);
/* The calling thread waits until op is done; its clock and the host's epoch move on. */
void op_wait(struct op *op);
/* Enqueues the work, which the stream holds from now on. */
void stream_submit(const struct work *w, struct stream *s);
/* The same for a kernel, which may start beside the kernel before it. */
void stream_submit_beside(const struct work *w, struct stream *s);

/* ---- access.c: what operations access, declared to race/ ------------------------------------- */

/* How findings name it. */
void site_of(const struct op *op, struct simgpu_site *site);
/* When it is submitted. */
void access_declare(struct op *op);
/* The same for a node of a body when its graph is launched: whether it runs, and after what, is not
 * known yet. */
void access_expect(struct op *op);
/* And when it runs: it must not access what is no memory, nor read what nothing wrote. */
void access_verify(struct op *op);
/* A node of a graph that a kernel launched: later work of the host, ordered after it, was declared
 * already. */
void access_declare_late(struct op *op);
/* A kernel without a footprint has run: what it accessed was recorded. */
void access_recorded(struct op *op);
/* It has started beside other kernels: what it accesses before it waits for them. */
void access_early(struct op *op);
/* It starts: is what it reads written? */
void access_read_now(struct op *op);

/* ---- effects.c, kernel_effects.c: what operations do to memory ------------------------------- */

/* Reads the copy's source now, in the call itself (pageable memory). */
void copy_stage(struct copy_job *c);
/* What the kernel's writes need until they land; copies them there, or back. */
size_t kernel_written_bytes(const struct kernel_call *w);
void kernel_move_written(const struct kernel_call *w, unsigned char *packed, bool back);
/* The running kernel launches a graph, which will see what it has written so far. */
void kernel_show(struct op *op);

/* ---- bad_memory.c: findings about memory that is not there, or out of a device's reach --------
 */

/* A kernel's range that does not lie in `live`, which holds its first byte (NULL: nothing does). */
void bad_memory_range(const struct op *op, const struct simgpu_range *r,
                      const struct allocation *live);
/* A kernel's range in memory of another device. */
void bad_memory_of_device(const struct op *op, const struct simgpu_range *r,
                          const struct allocation *a);
/* Memory is taken from a GPU's address space by pages: what lies beside live memory can still be
   reached. */
bool bad_memory_is_reached(const void *p);
/* Addresses outlive what was at them, and a graph keeps the ones it was made with: is `a` what its
   node was made for? */
void bad_memory_replayed(const struct op *op, const struct allocation *a, const void *at);
/* What was freed after the node was made, or is of another kind than what the node was made for: a
   GPU's launch fails. Whether ordinary host memory was freed cannot be told. */
cudaError_t bad_memory_fails(const struct op *op);

/* ---- recorded_kernel.c: kernels whose accesses are recorded ---------------------------------- */

/* Is it a kernel without a footprint? */
bool kernel_is_unknown(const struct op *op);
/* Does the kernel say what it accesses only by accessing it? */
bool kernel_is_recorded(const struct op *op);
/* Around its grid: from now on the operation knows its ranges, its time and what it wrote. */
struct recording *kernel_record_begin(struct op *op);
void kernel_record_end(struct op *op, struct recording *r, const struct grid_steps *steps);
/* As if it had not run. */
void kernel_record_undo(const struct kernel_call *k, struct recording *r);
/* Its grid has run. The writes are taken back until they land, unless graphs have seen them. */
void kernel_record_set_aside(struct op *op, struct recording *r);

/* ---- footprint_check.c ----------------------------------------------------------------------- */

bool footprints_are_checked(void);
/* Compares what the kernel accessed with its footprint, if it has one. */
void footprint_check(const struct kernel_call *recorded);

/* What device code asks of the device while its kernel runs; exec/ answers. */
struct device_runtime {
    void (*begin)(struct op *op);    /* its grid is about to run */
    void (*recorded)(struct op *op); /* it has run, and what it accessed is known now */
    bool (*end)(struct op *op);      /* it has run; true: it launched graphs, its writes stay */
    void (*land)(struct op *op);     /* its writes land, and with them what it asked for */
    void (*drop)(struct kernel_job *k);
};
void device_runtime_set(const struct device_runtime *r);

extern const struct op_type kernel_type, copy_type, memset_type, event_record_type, event_wait_type;

#endif

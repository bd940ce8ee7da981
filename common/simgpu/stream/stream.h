/* stream.h: streams and events, the work that can be enqueued in a stream, and the effects of that
 * work on memory. */
#pragma once

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
 * them; none changes the behavior of the simulated device. */
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
    struct op *tail;    /* counted; the last operation enqueued, NULL once that is done */
    struct epoch epoch; /* of the last operation enqueued */
    struct epoch work; /* of the last one that is no record, wait or mark: these change no memory */
    uint32_t clock_id;
    uint16_t waits;                /* its latest; while it captures, those of the capture */
    uint16_t waits_outside;        /* while it captures: those before */
    bool has_worked;               /* since its latest wait */
    uint64_t n_ops;                /* operations enqueued so far */
    uint64_t setup_from, setup_to; /* those of the latest set-up (simgpu_setting_up) */
    uint64_t n_kernels;            /* kernels enqueued so far */
    int n_pending;                 /* operations that are not done */
    int n_queued;                  /* kernels and copies that are not done */
    struct capture *capture;       /* counted; NULL: it does not capture */
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
/* The calling thread knows that everything in s is done: its later calls come after it. */
void stream_known_done(const struct stream *s);
/* The calling thread waits until everything enqueued in the stream or on the device is done. */
void stream_wait_idle(struct stream *s);
void device_wait_idle(struct device *d);
/* The same for its clock alone: the work that it enqueues later is not ordered after all that. */
void device_run_idle(struct device *d);
/* Registers the actions of the operations of streams, before the first use. */
void stream_types_set(void);

/* ---- memory_attributes.c --------------------------------------------------------------------- */

/* The defaults; get and set one attribute, or cudaErrorInvalidValue if it is none of them. A call
 * with an error changes nothing. */
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
    ns_t time_ns;                            /* of its last completed record */
    struct epoch epoch;                      /* of its last record */
    int stream_id;                           /* of its last record, for reports */
    struct simgpu_caller recorded_at;        /* likewise */
    bool is_elsewhere;                       /* likewise: struct simgpu_wait */
    struct capture *capture;                 /* counted; it was last recorded in this capture */
    void (*leave_capture)(struct event *ev); /* if captured: leaves the capture */
    struct frontier frontier;
    int refs;
    bool opened; /* of another process */
};

struct event *event_of(cudaEvent_t handle); /* NULL: invalid */
void event_put(struct event *ev);
/* The work of recording it. */
struct work event_record_work(struct event *ev);
/* op records the event. */
void event_set_record(struct event *ev, struct op *op);
/* For reports: the event is recorded in a stream of this number, at this place. */
void event_note_record(struct event *ev, int stream, struct simgpu_caller at);
void event_set_epoch(struct event *ev, const struct op *op);
/* The same for a record that may come before op has ended: after what is before op. */
void event_set_epoch_beside(struct event *ev, const struct op *op);
/* For reports: the running call lets s wait for the event. The next work of s has these waits. */
void event_note_wait(const struct event *ev, struct stream *s);
uint16_t stream_waits(struct stream *s);
/* Destroys all events of the device. */
void event_forget(int device);

/* ---- copy.c, memset.c, launch.c: check the arguments and fill *w ----------------------------- */

/* A copy before it is checked: depth slices of rows of width bytes. */
struct copy_shape {
    void *dst;
    const void *src;
    size_t width, rows, depth;
    size_t dst_pitch, src_pitch, dst_slice, src_slice;
    bool is_bound; /* NVIDIA calls it undefined if the pointers do not match the kind of the copy */
};

struct copy_shape copy_shape_1d(void *dst, const void *src, size_t bytes);
cudaError_t copy_shape_3d(struct copy_shape *out, const struct cudaMemcpy3DParms *p);
/* Errors that precede those of the stream. */
cudaError_t copy_shape_error(const struct copy_shape *s, enum cudaMemcpyKind kind);
/* `device`: of the stream or thread. */
cudaError_t copy_plan(struct work *w, const struct copy_shape *s, enum cudaMemcpyKind kind,
                      int device);
/* Of a memcpy node. */
cudaError_t copy_work(struct work *w, const struct cudaMemcpy3DParms *p);
/* Memory of pools and graphs can be copied only if the current device may access it. */
bool copy_is_allowed(const struct copy_shape *s, int device);
/* Finds it undefined if the kind of a copy contradicts its pointers, or if its sides overlap. */
void copy_find_undefined(const struct op *op);
/* Selects the device that moves the bytes between two devices; is that still possible? */
void copy_route(struct copy_job *c);
bool copy_has_route(const struct copy_job *c);
/* Can these be attributes of a copy? And do they cover so many copies as they must: the first from
   copy 0 on, each further one from a later copy? */
bool copy_attributes_good(const struct cudaMemcpyAttributes *a);
bool copy_attributes_fit(const struct cudaMemcpyAttributes *a, const size_t *first, size_t n,
                         size_t count);
/* Between the same addresses, with the same shape? */
bool copy_is_same(const struct copy_job *a, const struct copy_job *b);
cudaError_t memset_work(struct work *w, const struct memset_job *m);
bool memset_has_same_shape(const struct memset_job *a, const struct memset_job *b);
bool memset_has_memory(const struct memset_job *m); /* does one allocation hold all its bytes? */
bool memset_reaches(const struct memset_job *m, int device); /* and may the device access it? */
cudaError_t kernel_work(struct work *w, const void *func, const struct simgpu_launch *launch,
                        void **args);
struct kernel_call *kernel_call_copy(const struct kernel_call *from);
/* The call of a node's work, as the program gets it: it may write to the parameters, so the node no
 * longer shares them. */
struct kernel_call *kernel_call_to_give(struct work *w);
/* Is it one of this kernel, with this shape and these parameters? */
bool kernel_call_is(const struct kernel_call *k, const struct simgpu_kernel *kernel,
                    const struct simgpu_launch *launch, void *const *args);
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
/* In steps: op_enter (from the host's call) or op_enter_at (by the device itself), any number of
 * op_after, then op_place (it becomes the last of its stream, ordered after its stream and the
 * given epochs) or, for a node of a graph, op_close. */
void op_enter(struct op *op);
void op_enter_at(struct op *op, ns_t now);
/* Of n nodes that become operations later (ops_fold); returns the id of the first. */
uint64_t op_enter_folded(struct stream *s, int n);
/* The operation is done. */
void op_leave(struct op *op);
void op_place(struct op *op, const struct epoch *const *after, int n_after);
/* All of it: after all that the stream and the rules of the default stream require, and after
 * `extra` if not NULL. */
void op_submit(struct op *op, struct op *extra, const struct epoch *extra_epoch);
/* Its stream waits for completed work: only the order is noted, the device does nothing. */
void op_note(struct op *op, const struct epoch *done);
/* A call that enqueues one more kernel, copy or graph waits here until the stream has room. */
void op_wait_for_room(struct stream *s);
/* The calling thread waits until op is done; its clock and the host's epoch move on. */
void op_wait(struct op *op);
/* The same for its clock alone. */
void op_wait_clock(struct op *op);
/* Enqueues the work; the stream owns it from now on. */
void stream_submit(const struct work *w, struct stream *s);
/* The same for a kernel that may start before the end of the kernel before it. */
void stream_submit_beside(const struct work *w, struct stream *s);

/* ---- host_waits.c: calls that wait besides what they are for --------------------------------- */

enum host_wait {
#define HOST_WAIT(row, ...) WAITS_##row,
#include "host_waits.def"
#undef HOST_WAIT
    HOST_WAITS
};

/* The calling thread waits as the row says: after it has enqueued w, a copy or memset, as the last
 * of s; or when it frees memory of the device. */
void host_wait(enum host_wait row, bool least, struct stream *s, const struct work *w);
/* Before w is enqueued: is the call to wait for no more than NVIDIA promises (`least`)? Only with
 * SIMGPU_FREEDOM. It has then waited for what is before w, if that is promised. */
bool host_waits_least(enum host_wait row, struct stream *s);
void host_wait_device(enum host_wait row, struct device *d);
/* May the call return before the operation has ended? */
bool host_may_go_on(enum host_wait row);

/* ---- access.c: the accesses of operations, declared to race/ --------------------------------- */

/* site.c: the operation as findings name it. */
void site_of(const struct op *op, struct simgpu_site *site);
/* One more operation of this caller: which one is it in this run? 0: not known. */
uint32_t site_count(uint32_t caller);
/* A finding: the result depends on what NVIDIA calls undefined, at op. Completes *f. */
void find_undefined(const struct op *op, struct simgpu_finding *f);
/* Declares the accesses of an operation that is submitted. */
void access_declare(struct op *op);
/* The same for a node of a body when its graph is launched: it may not run. */
void access_expect(struct op *op);
/* When such a node runs: checks for accesses outside of memory and for uninitialized reads. */
void access_verify(struct op *op);
/* A node of a graph that a kernel launched: later operations of the host may be declared already.
 */
void access_declare_late(struct op *op);
/* A kernel without a footprint has run: declares its recorded accesses. */
void access_recorded(struct op *op);
/* It has started before its predecessors ended: declares the accesses before it waits for them. */
void access_early(struct op *op);
/* It starts: checks for uninitialized reads. */
void access_read_now(struct op *op);

/* ---- host_access.c: the accesses of host code ------------------------------------------------ */

/* Before the first use. */
void host_access_start(void);
/* The host has enqueued an operation: it may access memory that host code accesses, too. */
void host_access_enqueued(void);
/* The host has waited: if nothing is left, its accesses are not watched any more. */
void host_access_waited(void);
/* Does this kernel, which has run, talk to host code through memory? It polls memory of the host,
 * or host code has accessed memory of the kernel as volatile, or by atomic operations. */
bool host_access_signals(const struct op *op, const struct recording *r);

/* ---- effects.c, kernel_effects.c: the effects of operations on memory ------------------------ */

/* Reads the copy's source now, in the call itself (pageable memory). */
void copy_stage(struct copy_job *c);
/* written.c: the size of the kernel's output; copies the output to `packed`, or back. */
size_t kernel_written_bytes(const struct kernel_call *w);
void kernel_move_written(const struct kernel_call *w, unsigned char *packed, bool back);
/* earlier.c: the kernel waits for others from now on, or no longer. It is shown memory as it was
 * when it began, or as it is now. */
void earlier_begin(const struct op *op);
void earlier_end(const struct op *op);
struct earlier *earlier_of(const struct op *op); /* NULL: it does not wait */
void earlier_show(struct earlier *e, bool shown);
/* A kernel lands: what it changes is kept for those that wait. */
void earlier_keep(struct kernel_call *lands);
/* simgpu_watch_kernels */
bool kernels_are_watched(void);
/* The running kernel launches a graph: the writes so far appear for the graph. */
void kernel_show(struct op *op);

/* ---- bad_memory.c: findings about memory that does not exist or is not accessible ------------ */

/* A range of a kernel that leaves `live`, the allocation of its first byte. NULL: it lies in
 * `freed`, which was freed before; NULL: in neither. */
void bad_memory_range(const struct op *op, const struct simgpu_range *r,
                      const struct allocation *live, const struct allocation *freed);
/* A range of a kernel in memory of another device. */
void bad_memory_of_device(const struct op *op, const struct simgpu_range *r,
                          const struct allocation *a);
/* A GPU unmaps memory by pages. Is there live memory in the page, so that p is still accessible? */
bool bad_memory_is_reached(const void *p);
/* A graph keeps the addresses it was created with, although their memory may be freed. Is `a` the
   memory that the node was created for? */
void bad_memory_replayed(const struct op *op, const struct allocation *a, const void *at);
/* The copy has found no memory at this address of pageable host memory. */
void bad_memory_of_host(const struct op *op, const void *at, bool is_read);
/* The error of the launch on a GPU, if the memory was freed after the node was created or is of
   another kind. The device cannot know whether ordinary host memory was freed. */
cudaError_t bad_memory_fails(const struct op *op);

/* ---- recorded_kernel.c: kernels whose accesses are recorded ---------------------------------- */

/* Is it a kernel without a footprint? */
bool kernel_is_unknown(const struct op *op);
/* Are the accesses of the kernel recorded when it runs? */
bool kernel_is_recorded(const struct op *op);
bool kernel_runs_plain(const struct op *op); /* … of some blocks, for its duration */
/* Around its grid: afterwards the operation has the ranges, the duration and the output. */
struct recording *kernel_record_begin(struct op *op);
void kernel_record_end(struct op *op, struct recording *r, const struct grid_steps *steps);
/* Undoes all its writes. */
void kernel_record_undo(const struct kernel_call *k, struct recording *r);
/* Its grid has run. Undoes the writes until the operation ends, unless graphs have read them. */
void kernel_record_set_aside(struct op *op, struct recording *r);

/* ---- waiting_kernel.c: kernels that wait in a loop for what others write ----------------------
 */

/* op, and all that follows it, comes after this epoch: it has seen what was written then. */
void op_learns(struct op *op, const struct epoch *epoch);
/* The kernel has run: it comes after complete operations whose flags it has read. */
void kernel_learns(struct op *op, const struct recording *r);
/* Nothing happens any more, for so many seconds: says so once. */
void kernel_waits_in_vain(struct op *op, double seconds);

/* ---- footprint_check.c ----------------------------------------------------------------------- */

bool footprints_are_checked(void);
/* Compares the accesses of the kernel with its footprint, if it has one. */
void footprint_check(const struct kernel_call *recorded);

/* The calls of device code while its kernel runs; exec/ registers them. */
struct device_runtime {
    void (*begin)(struct op *op);    /* its grid is about to run */
    void (*recorded)(struct op *op); /* it has run, and its accesses are known */
    bool (*end)(struct op *op);      /* it has run; true: it launched graphs, so its writes stay */
    void (*land)(struct op *op);     /* its writes appear, and its requests take effect */
    void (*drop)(struct kernel_job *k);
};
void device_runtime_set(const struct device_runtime *r);

extern const struct op_type kernel_type, copy_type, memset_type, event_record_type, event_wait_type;

/* api.h: the calls of the runtime: entering and leaving one, and the functions that several of them
 * share. */
#pragma once

#include "exec/exec.h"

/* ---- entry.c --------------------------------------------------------------------------------- */

/* The calls of calls.def. */
#define CALL(name, cost, rules) CALL_##name,
enum call_id {
#include "calls.def"
};
#undef CALL

/* Begins a call: applies its rules, lets its host time pass, runs the simulation up to it, takes
 * the lock. False: the call must return *error at once; then neither the lock is held nor api_leave
 * to be called. */
bool api_enter(enum call_id id, cudaError_t *error);
/* The same for a call whose arguments may decide its answer e before the context and the thread are
 * checked: always, or only once the context is lost (and not in a host function). */
enum early { NOT_EARLY, EARLY_IF_LOST, EARLY };
bool api_enter_early(enum call_id id, enum early when, cudaError_t e, cudaError_t *error);
/* In the function of the call: declares e, and returns it if the call must. */
#define API_ENTERED(entered)                                                                       \
    cudaError_t e;                                                                                 \
    if (!(entered))                                                                                \
    return e
#define API_ENTER(call) API_ENTERED(api_enter(CALL_##call, &e))
#define API_ENTER_EARLY(call, when, answer)                                                        \
    API_ENTERED(api_enter_early(CALL_##call, when, answer, &e))
/* The error of simgpu_fail_place that a kernel's cudaGraphLaunch, in this frame, is to return. */
cudaError_t api_launch_failure_in_kernel(const void *frame);
/* Ends it: releases the lock, remembers an error for cudaGetLastError, returns e. */
cudaError_t api_leave(cudaError_t e);
/* The same for a query whose answer is cudaErrorNotReady. */
cudaError_t api_leave_not_ready(void);

/* A call whose result is that of one expression. */
#define API_CALL(name, parameters, result)                                                         \
    EXPORT cudaError_t name parameters                                                             \
    {                                                                                              \
        API_ENTERED(api_enter(CALL_##name, &e));                                                   \
        return api_leave(result);                                                                  \
    }
/* Between API_ENTER and the end: ends the call with this error if the condition holds; with what
 * another function returns if that is an error. */
#define API_REFUSE_IF(condition, error)                                                            \
    do {                                                                                           \
        if (condition)                                                                             \
            return api_leave(error);                                                               \
    } while (0)
#define API_TRY(result)                                                                            \
    do {                                                                                           \
        if ((e = (result)) != cudaSuccess)                                                         \
            return api_leave(e);                                                                   \
    } while (0)

/* newer_calls.c: cudaErrorNotSupported if the parameters have a field that CUDA 13.1 or later
 * added, and that is not modeled. */
cudaError_t newer_fields(const struct cudaGraphNodeParams *p);

/* entry.c: the thread, or the program, ends: did it ask for the error of its <<<>>>? */
void launch_never_asked(struct thread_state *t);
extern bool api_is_started; /* the program has called the runtime */

/* ---- error.c --------------------------------------------------------------------------------- */

/* Remembers e (if not success) as the thread's last error and returns it. */
cudaError_t error_set(cudaError_t e);
/* The simulated device has no such call: says so the first time, returns cudaErrorNotSupported. */
cudaError_t error_not_modelled(const char *name, bool *said);

/* ---- memory.c -------------------------------------------------------------------------------- */

/* *out: new memory of this kind, of the device or of the host; NULL for no bytes. */
cudaError_t memory_new(void **out, size_t bytes, enum memory_kind kind, const char *call);

/* ---- memcpy.c, symbol.c ---------------------------------------------------------------------- */

enum copy_call { COPY_SYNC, COPY_ASYNC, COPY_BATCH, COPY_PEER_SYNC, COPY_PEER_ASYNC };

cudaError_t copy_submit(const struct copy_shape *shape, enum cudaMemcpyKind kind,
                        cudaStream_t stream, enum copy_call call);
/* Bytes [offset, offset + bytes) of a __device__ variable. */
cudaError_t symbol_find(const void *symbol, size_t offset, size_t bytes, char **address);

/* ---- stream.c -------------------------------------------------------------------------------- */

/* Its handle; pending work continues. */
void stream_destroy(struct stream *s);

/* ---- event.c, launch_attributes.c ------------------------------------------------------------ */

cudaError_t event_create(cudaEvent_t *out, unsigned flags);
cudaError_t event_record(cudaEvent_t event, cudaStream_t stream, unsigned flags);
/* A launch completion event, of the kernel that was enqueued last: it promises no more than that
 * the kernel may have started. It is recorded at the kernel's end, or (FREEDOM_LAUNCH_COMPLETION)
 * start. */
cudaError_t event_record_started(cudaEvent_t event, cudaStream_t stream, struct stream *s);
/* Can a kernel be launched with them? */
cudaError_t launch_attributes_error(const struct stream *s, const struct simgpu_dim *grid,
                                    const cudaLaunchAttribute *attributes, unsigned n);
/* Do they let the kernel start beside the one before it in its stream? */
bool launch_attributes_beside(const cudaLaunchAttribute *attributes, unsigned n);
/* May its blocks wait for each other? */
bool launch_attributes_cooperative(const cudaLaunchAttribute *attributes, unsigned n);
/* Of a kernel that is about to be captured in s; and once it is node n. */
void launch_attributes_before(struct stream *s, const cudaLaunchAttribute *attributes, unsigned n);
void launch_attributes_keep(struct node *n, const cudaLaunchAttribute *attributes,
                            unsigned n_attributes);
/* Records the events that the kernel was launched with; it is the capture's node, or NULL. */
cudaError_t launch_attributes_after(cudaStream_t stream, struct stream *s, struct node *kernel,
                                    const cudaLaunchAttribute *attributes, unsigned n);

/* ---- capture_info.c -------------------------------------------------------------------------- */

/* The nodes of g that a call names, with the data of their edges (or NULL); f borrows both. False:
 * they are bad. */
bool frontier_given(struct frontier *f, const struct graph *g, const cudaGraphNode_t *nodes,
                    const cudaGraphEdgeData *data, size_t n);

/* ---- graph_nodes.c: the parameters of the older calls in the one form that all kinds share --- */

struct cudaGraphNodeParams params_of_kernel(const struct cudaKernelNodeParams *k);
struct cudaGraphNodeParams params_of_memcpy(const struct cudaMemcpy3DParms *m);
struct cudaGraphNodeParams params_of_memcpy_1d(void *dst, const void *src, size_t bytes,
                                               enum cudaMemcpyKind kind);
struct cudaGraphNodeParams params_of_memset(const struct cudaMemsetParams *m);
struct cudaGraphNodeParams params_of_host(const struct cudaHostNodeParams *h);
struct cudaGraphNodeParams params_of_record(cudaEvent_t event);
struct cudaGraphNodeParams params_of_wait(cudaEvent_t event);

/* Streams of device code (dynamic parallelism); all that it creates are like the second. */
#define STREAM_TAIL_LAUNCH ((cudaStream_t)0x3)
#define STREAM_FIRE_AND_FORGET ((cudaStream_t)0x4)

/* device_launch.c: the calls of device code that launch graphs: cudaGraphLaunch and
 * cudaGetCurrentGraphExec.
 *
 * A request is checked in the call, and takes effect at the virtual time of the call. Errors are
 * those of an H200 (grader/tests/conformance/corpus/device_launch*.c). */
#include <stdlib.h>

#include "device_launch.h"

/* cuda_device_runtime_api.h has these for nvcc only. */
static const uintptr_t stream_tail = 0x0100000000000000;
static const uintptr_t stream_fire = 0x0200000000000000;
static const uintptr_t stream_sibling = 0x0300000000000000;

/* The kernel that runs, whose blocks may be on several host threads, and what it has asked for. */
static struct {
    pthread_mutex_t lock;
    struct op *op;
    struct requests fired;
    double calls_us; /* kernel time that its calls took */
} now_running = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the call -------------------------------------------------------------------------------- */

static bool mode_of(cudaStream_t stream, enum launch_mode *mode)
{
    uintptr_t s = (uintptr_t)stream;
    *mode = s == stream_tail ? LAUNCH_TAIL : s == stream_fire ? LAUNCH_FIRE : LAUNCH_SIBLING;
    return s == stream_tail || s == stream_fire || s == stream_sibling;
}

static struct request *request_new(struct exec *x, enum launch_mode mode,
                                   const struct environment *e)
{
    struct request *r = needed(calloc(1, sizeof *r), "a graph launched by a kernel");
    *r = (struct request){.exec = x, .mode = mode, .launcher = e->exec->number};
    x->refs++;
    launched_note(x);
    return r;
}

static void requests_add(struct requests *to, struct request *r)
{
    *to->end = r;
    to->end = &r->next;
    to->n++;
}

/* By the device's clock, too, as the kernel reads it. */
static void call_takes(double us)
{
    now_running.calls_us += us;
    kernel_call_takes(us_to_ns(us));
}

static cudaError_t ask_tail(struct environment *e, struct exec *x)
{
    bool again = x == e->exec;
    if (again ? e->again : x->running || x->asked)
        return cudaErrorInvalidValue;
    if (e->tails.n + e->place->tails.n >= MOST_TAILS)
        return cudaErrorInvalidValue;
    if (again)
        e->again = true;
    else
        x->asked = true;
    requests_add(&e->tails, request_new(x, LAUNCH_TAIL, e));
    call_takes(cost_tail_call_us());
    return cudaSuccess;
}

static cudaError_t ask_fire(struct environment *e, struct exec *x, enum launch_mode mode)
{
    struct environment *around = mode == LAUNCH_FIRE ? e : e->place->around;
    if (x->running || x->asked || around->n_fired >= MOST_FIRED)
        return cudaErrorInvalidValue;
    struct request *r = request_new(x, mode, e);
    x->asked = true;
    around->n_fired++;
    r->place = environment_place(around);
    r->at_us = now_running.calls_us;
    r->after = epoch_copy(&now_running.op->epoch);
    kernel_show(now_running.op);
    requests_add(&now_running.fired, r);
    call_takes(cost_fire_call_us(x->flat.n_roots));
    return cudaSuccess;
}

/* What ends the kernel, in words; the lock is not held then. */
enum death { LIVES, IN_NO_GRAPH, IN_A_BODY, NOT_FOR_DEVICE };

/* An upload that no order puts before the kernel may still be under way. */
static bool is_uploaded(const struct exec *x, const struct op *op)
{
    return x->uploaded && (!sim.checks || epoch_before(&x->upload, &op->epoch));
}

static cudaError_t ask(cudaGraphExec_t handle, cudaStream_t stream, enum death *death)
{
    struct op *op = now_running.op;
    enum launch_mode mode;
    *death = LIVES;
    if (!op || !op->exec) {
        *death = IN_NO_GRAPH;
        return cudaErrorNotSupported;
    }
    if (op->in_body) {
        *death = IN_A_BODY;
        return cudaErrorNotSupported;
    }
    struct exec *x = exec_of(handle);
    if (!mode_of(stream, &mode) || !x)
        return cudaErrorInvalidValue;
    if (!(x->flags & cudaGraphInstantiateFlagDeviceLaunch)) {
        *death = NOT_FOR_DEVICE;
        return cudaErrorIllegalAddress;
    }
    if (!is_uploaded(x, op) || !op->environment || x->device != op->device)
        return cudaErrorInvalidValue;
    return mode == LAUNCH_TAIL ? ask_tail(op->environment, x) : ask_fire(op->environment, x, mode);
}

cudaError_t kernel_graph_launch(cudaGraphExec_t handle, cudaStream_t stream)
{
    enum death death;
    pthread_mutex_lock(&now_running.lock);
    cudaError_t e = ask(handle, stream, &death);
    pthread_mutex_unlock(&now_running.lock);
    if (death == IN_NO_GRAPH)
        kernel_fail(
            e, "it calls cudaGraphLaunch, but was not launched as a node of a graph: add it to a "
               "graph (cudaGraphAddKernelNode, or a capture) and launch the graph");
    if (death == IN_A_BODY)
        kernel_fail(e,
                    "it calls cudaGraphLaunch in the body of a conditional node: on an H200 such a "
                    "graph never ends. Launch from a kernel of the graph itself");
    if (death == NOT_FOR_DEVICE)
        kernel_fail(e, "it launches a graph that was not instantiated for device launch: pass "
                       "cudaGraphInstantiateFlagDeviceLaunch to cudaGraphInstantiate, then call "
                       "cudaGraphUpload");
    return e;
}

EXPORT void *simgpu_current_graph(void)
{
    const struct op *op = now_running.op;
    bool is = op && op->exec && (op->exec->flags & cudaGraphInstantiateFlagDeviceLaunch);
    return is ? op->exec : NULL;
}

/* ---- around the kernel ----------------------------------------------------------------------- */

void kernel_calls_begin(struct op *op)
{
    now_running.op = op;
    now_running.fired = (struct requests){.end = &now_running.fired.first};
    now_running.calls_us = 0;
}

static void fire(void *request, ns_t now)
{
    environment_fire(request, now);
}

bool kernel_calls_end(struct op *op)
{
    struct request *r = now_running.fired.first, *next;
    bool any = r != NULL;
    struct late_writes *late = any && sim.checks ? late_writes_of(op) : NULL;
    for (; r; r = next) {
        next = r->next;
        r->late = late_writes_get(late);
        agenda_add(sim.now + us_to_ns(r->at_us + cost_fire_us()), fire, r);
    }
    op->work.kernel.calls_ns = now_running.calls_us > 0 ? us_to_ns(now_running.calls_us) : 0;
    now_running.op = NULL;
    late_writes_put(late);
    return any;
}

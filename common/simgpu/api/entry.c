/* entry.c: the way in and out of every call of the runtime, by the rules of calls.def. One lock
 * guards the whole device; a call advances the virtual clock of its host thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "api.h"

enum rule {
    ASKS = 1,
    NO_CONTEXT = 2,
    HOST_FUNCTION = 4,
    UNSAFE = 8,
    ANSWERS = 16,
};

struct call {
    const char *name;
    enum api_cost cost;
    unsigned rules; /* enum rule */
};

#define CALL(name, cost, rules) {#name, cost, rules},
static const struct call calls[] = {
#include "calls.def"
};
#undef CALL

bool api_is_started;
static unsigned n_in_vain; /* queries that found work pending, since the latest other call */
enum { ASKS_SLOWLY = 64, ASKS_OFTEN = 100 * 1000 };

/* ---- the device as a whole ------------------------------------------------------------------- */

static bool env_is_off(const char *name)
{
    const char *value = setting(name);
    return value && strcmp(value, "0") == 0;
}

static int env_devices(void)
{
    const char *value = setting("SIMGPU_DEVICES");
    if (!value)
        return 1;
    char *end;
    long n = strtol(value, &end, 10);
    if (*end || end == value || n < 0 || n > MAX_DEVICES) {
        fprintf(stderr, "simgpu: SIMGPU_DEVICES=%s is not a number of devices from 0 to %d\n",
                value, MAX_DEVICES);
        exit(1);
    }
    return (int)n;
}

/* The threads that hold the lock or run host functions do not follow into a child. */
static void after_fork(void)
{
    pthread_mutex_init(&sim.lock, NULL);
    sim.forked = true;
}

static void start(void)
{
    profile_load(&sim.profile);
    sim.n_devices = env_devices();
    memory_protect();
    sim.compute = !env_is_off("SIMGPU_COMPUTE");
    sim.checks = !env_is_off("SIMGPU_CHECKS");
    sim.peers = (int)setting_number("SIMGPU_PEERS", " of devices", 1, MAX_DEVICES, MAX_DEVICES);
    freedom_from_env();
    for (int i = 0; i < sim.n_devices; i++)
        device_start(&devices[i], i);
    stream_types_set();
    exec_types_set();
    /* threads meet where the device cannot see: one clock for all */
    host_epoch = epoch_new(clock_id_new(), NULL, 0);
    access_epoch = epoch_new(clock_id_new(), NULL, 0);
    seen_epoch = epoch_new(clock_id_new(), NULL, 0);
    trace_start_from_env();
    pthread_atfork(NULL, NULL, after_fork);
    api_is_started = true;
}

void launch_never_asked(struct thread_state *t)
{
    if (sim.checks && t->unasked.what)
        finding_add(&t->unasked);
    t->unasked.what = SIMGPU_WHAT_NOTHING;
}

static void thread_ends(struct thread_state *t)
{
    launch_never_asked(t);
    stream_thread_end(t);
}

__attribute__((constructor)) static void set_start(void)
{
    on_first_use(start, thread_ends);
}

/* ---- a call ---------------------------------------------------------------------------------- */

static bool is_query(const struct call *call)
{
    return call->cost == COST_STREAM_QUERY || call->cost == COST_EVENT_QUERY;
}

/* Is the error what the program asked for, or does a finding name its cause? */
static bool is_expected(const struct call *call, cudaError_t e)
{
    return is_query(call) || e == cudaErrorGraphExecUpdateFailure ||
           e == cudaErrorPeerAccessAlreadyEnabled || e == cudaErrorNotSupported ||
           e == context_error();
}

/* Does the error say that a capture allows no such call, whatever its arguments are? */
static bool is_of_capture(cudaError_t e)
{
    return e >= cudaErrorStreamCaptureUnsupported && e <= cudaErrorStreamCaptureWrongThread;
}

EXPORT __attribute__((noinline)) void simgpu_failing(const char *call, int error)
{
    __asm__ volatile("" : : "r"(call), "r"(error) : "memory");
}

/* The call returns e. */
static cudaError_t answer(const struct call *call, cudaError_t e)
{
    struct thread_state *t = thread_self();
    if (is_of_capture(e))
        t->refusal.what = SIMGPU_REFUSED_NOTHING;
    if (e != cudaSuccess) {
        t->latest_failed = (struct failed_call){call->name, e, t->caller, t->refusal};
        if (t->caller.at && !is_expected(call, e)) {
            t->ignored = t->ignored.name ? t->ignored : t->latest_failed;
            simgpu_failing(call->name, e);
        }
    }
    return error_set(e);
}

/* The error that keeps the call from being made at all. */
static cudaError_t refusal(const struct call *call)
{
    if (call->rules & ASKS)
        return cudaSuccess;
    if (!(call->rules & NO_CONTEXT) && context_error() != cudaSuccess)
        return context_error();
    return sim.n_devices == 0 ? cudaErrorNoDevice : cudaSuccess;
}

static void set_caller(struct thread_state *t, const void *frame)
{
    t->caller = t->launcher.at ? t->launcher : caller_of(frame, t->stack_end);
    t->launcher.at = 0;
    t->refusal.what = SIMGPU_REFUSED_NOTHING;
}

/* So much time passes for the thread, by no call. */
static void pass(struct thread_state *t, ns_t ns)
{
    if (t->clock < sim.now)
        t->clock = sim.now;
    sim.has_slept = sim.has_slept || sim_is_busy();
    t->clock += ns;
    sim_run_until(t->clock);
    simgpu_host.moment += HOST_MOMENT; /* what is pending may have told it something meanwhile */
    thread_clock_publish(t);
}

/* The thread's virtual clock goes on by what it computed since its last call. */
static void count_computing(struct thread_state *t, ns_t computed)
{
    if (computed == 0)
        return;
    pass(t, computed);
    if (sim.tracing)
        trace_api(HOST_COMPUTES, t->clock - computed, t->clock);
}

static struct simgpu_progress shown_to_nobody;
static volatile struct simgpu_progress *progress = &shown_to_nobody;

EXPORT void simgpu_show_progress(volatile struct simgpu_progress *at)
{
    progress = at;
}

/* How often the thread has slept or waited. On a busy machine the device itself lets it wait. */
static long switches(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

enum { MOST_PLACES = 64 };

/* simgpu_fail_place */
static struct {
    cudaError_t error; /* which no call has returned yet; 0: there is none */
    const struct thread_state *of;
    int n, n_seen;
    uint32_t seen[MOST_PLACES]; /* the places that have called */
} failing;

EXPORT int simgpu_fail_place(int n, int error)
{
    const bool has_failed = failing.n > 0 && failing.error == cudaSuccess;
    failing.error = (cudaError_t)error;
    failing.of = thread_self();
    failing.n = n;
    failing.n_seen = 0;
    return has_failed;
}

/* The error that this call is to return for it; none if it only asks, as a function that stands for
   another call does. */
static cudaError_t failure_at(struct thread_state *t, const struct call *call)
{
    if (failing.error == cudaSuccess || failing.of != t || !t->caller.at ||
        call->cost == COST_QUERY || call->rules & ANSWERS)
        return cudaSuccess;
    for (int i = 0; i < failing.n_seen; i++)
        if (failing.seen[i] == t->caller.at)
            return cudaSuccess;
    if (failing.n_seen < MOST_PLACES)
        failing.seen[failing.n_seen++] = t->caller.at;
    if (failing.n_seen != failing.n)
        return cudaSuccess;
    const cudaError_t e = failing.error;
    failing.error = cudaSuccess;
    t->ignored.name = NULL; /* this one is kept, if it is not asked for */
    return e;
}

cudaError_t api_launch_failure_in_kernel(const void *frame)
{
    enum { FRAMES_BYTES = 1024 }; /* of what stands between; the fiber's stack ends soon after */
    struct thread_state *t = thread_self();
    const struct simgpu_caller host = t->caller;
    if (failing.error == cudaSuccess)
        return cudaSuccess;
    t->caller = caller_of(frame, (uintptr_t)frame + FRAMES_BYTES);
    const cudaError_t e = failure_at(t, &calls[CALL_cudaGraphLaunch]);
    if (e != cudaSuccess)
        t->ignored =
            (struct failed_call){.name = "cudaGraphLaunch", .error = e, .caller = t->caller};
    t->caller = host;
    return e;
}

bool api_enter(enum call_id id, cudaError_t *error)
{
    const struct call *call = &calls[id];
    struct thread_state *t = thread_self();
    const ns_t computed = t->in_host_func ? 0 : host_time_charge(t);
    set_caller(t, __builtin_frame_address(0));
    kernel_refuse_call(call->name);
    *error = cudaSuccess;
    if (t->in_destructor || (t->in_host_func && !(call->rules & HOST_FUNCTION)))
        *error = error_set(cudaErrorNotPermitted);
    else if (sim.forked)
        *error = error_set(cudaErrorInitializationError);
    if (*error != cudaSuccess)
        return false;
    if (t->n_switches && !(call->rules & ASKS)) {
        t->n_slept += switches() != t->n_switches;
        t->n_switches = 0;
    }
    device_lock(t);
    count_computing(t, computed);
    variables_allocate();
    cudaError_t refused = refusal(call);
    if (refused != cudaSuccess) {
        device_unlock(t);
        host_time_resume(t);
        *error = error_set(refused);
        return false;
    }
    t->call = call;
    t->in_call = true;
    progress->calls++;
    progress->inside++;
    if (!is_query(call) && !(call->rules & ASKS))
        n_in_vain = 0;
    if (t->in_host_func) /* its time is that of the host function */
        return true;
    t->call_start_ns = t->clock;
    if (!(call->rules & ASKS) || (context_error() == cudaSuccess && sim.n_devices > 0)) {
        if (t->clock < sim.now)
            t->clock = sim.now;
        __atomic_store_n(&sim.n_calls, sim.n_calls + 1, __ATOMIC_RELAXED);
        t->call_start_ns = t->clock;
        t->call_cost = call->cost;
        sim_run_until(t->clock);
        const ns_t cost_ns = cost_call(call->cost);
        t->clock += cost_ns;
        host_time_call(t, cost_ns);
    }
    *error = failure_at(t, call);
    if (*error == cudaSuccess && call->rules & UNSAFE)
        *error = capture_unsafe_call();
    if (*error == cudaSuccess)
        return true;
    *error = api_leave(*error);
    return false;
}

bool api_enter_early(enum call_id id, enum early when, cudaError_t e, cudaError_t *error)
{
    bool lost = !thread_self()->in_host_func && context_error() != cudaSuccess;
    if (when != EARLY && !(when == EARLY_IF_LOST && lost))
        return api_enter(id, error);
    set_caller(thread_self(), __builtin_frame_address(0));
    *error = answer(&calls[id], e);
    return false;
}

cudaError_t api_leave(cudaError_t e)
{
    struct thread_state *t = thread_self();
    const struct call *call = t->call;
    if (!t->in_host_func) {
        sim_run_until(t->clock);
        thread_clock_publish(t);
    }
    cudaError_t lost = call->rules & (ASKS | NO_CONTEXT) ? cudaSuccess : context_error();
    if (sim.tracing && !t->in_host_func)
        trace_api(call->name, t->call_start_ns, t->clock);
    t->in_call = false;
    progress->inside--;
    device_unlock(t);
    e = answer(call, lost != cudaSuccess ? lost : e);
    if (!t->in_host_func)
        host_time_resume(t);
    return e;
}

/* Does the program do nothing but ask, and has it often? Or some times, and the thread has slept
 * before each: then it would take too long. */
static bool polls(struct thread_state *t)
{
    if (n_in_vain == 0)
        t->n_slept = 0;
    if (n_in_vain == ASKS_SLOWLY && t->n_slept == ASKS_SLOWLY)
        n_in_vain = ASKS_OFTEN;
    n_in_vain += n_in_vain < ASKS_OFTEN;
    return n_in_vain == ASKS_OFTEN;
}

/* The answer stays the same until something happens on the device. So a loop that only asks goes
 * on directly before that, as if it had asked all the time. */
cudaError_t api_leave_not_ready(void)
{
    struct thread_state *t = thread_self();
    const ns_t cost = cost_call(t->call->cost), next = polls(t) ? sim_next() : NS_NEVER;
    if (next != NS_NEVER && next - t->clock > cost && cost > 0) {
        const ns_t asks = (next - t->clock - 1) / cost * cost;
        t->clock += asks;
        host_time_call(t, asks);
    }
    const bool may_sleep = n_in_vain <= ASKS_SLOWLY;
    const cudaError_t e = api_leave(cudaErrorNotReady);
    if (may_sleep)
        t->n_switches = switches();
    return e;
}

/* ---- virtual time for programs --------------------------------------------------------------- */

EXPORT int64_t simgpu_now_ns(void)
{
    struct thread_state *t = thread_self();
    if (t->in_host_func)
        return t->clock + t->host_work_ns;
    const ns_t computed = host_time_charge(t);
    device_lock(t);
    count_computing(t, computed);
    if (t->clock < sim.now)
        t->clock = sim.now;
    ns_t now = t->clock;
    device_unlock(t);
    host_time_resume(t);
    return now;
}

EXPORT int64_t simgpu_count_computing(int64_t allowed_ns)
{
    struct thread_state *t = thread_self();
    ns_t counted = 0;
    device_lock(t);
    if (allowed_ns >= 0)
        host_time_begin(t, allowed_ns);
    else
        counted = host_time_end();
    device_unlock(t);
    return counted;
}

EXPORT void simgpu_free_computing(int is_free)
{
    simgpu_now_ns(); /* what was computed until now counts */
    host_time_free(thread_self(), is_free);
}

EXPORT void simgpu_host_work_ns(int64_t ns)
{
    struct thread_state *t = thread_self();
    if (ns <= 0)
        return;
    if (t->in_host_func) {
        t->host_work_ns += ns;
        return;
    }
    if (sim.forked)
        return;
    device_lock(t);
    pass(t, ns);
    device_unlock(t);
}

/*
 * runtime.c: the way in and out of every API call. One lock guards the whole device; each host
 * thread has a virtual clock, which its calls move on.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

struct sim sim = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static __thread struct thread_state *self;
static bool started;
static uint64_t n_threads;   /* ever seen */
static atomic_int n_callers; /* threads that wait for the lock */
static ns_t latest_clock;    /* of the thread that made the last call: a new thread starts there */

void fatal(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("simgpu: the simulated device cannot go on: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

static bool env_is_off(const char *name)
{
    const char *value = getenv(name);
    return value && strcmp(value, "0") == 0;
}

static int env_devices(void)
{
    const char *value = getenv("SIMGPU_DEVICES");
    if (!value)
        return 1;
    char *end;
    long n = strtol(value, &end, 10);
    if (*end || end == value || n < 0 || n > MAX_DEVICES) {
        fprintf(stderr, "simgpu: SIMGPU_DEVICES=%s: a number of devices from 0 to %d is wanted\n",
                value, MAX_DEVICES);
        exit(1);
    }
    return (int)n;
}

static void thread_end(void *state)
{
    struct thread_state *t = state;
    pthread_mutex_lock(&sim.lock);
    stream_thread_end(t);
    pthread_mutex_unlock(&sim.lock);
    self = NULL;
    free(t);
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
    for (int i = 0; i < sim.n_devices; i++)
        device_start(&sim.devices[i], i);
    sim.host = order_stamp(order_lane_new(), NULL,
                           0); /* threads meet where the device cannot see: one lane for all */
    pthread_key_create(&key, thread_end);
    trace_start_from_env();
    pthread_atfork(NULL, NULL, after_fork);
    started = true;
}

/* After all that the program does at its end, which may be to free what it has. */
__attribute__((destructor)) static void program_end(void)
{
    if (!started || sim.forked)
        return;
    simgpu_findings_end();
    trace_at_end();
}

struct thread_state *thread_self(void)
{
    if (self)
        return self;
    pthread_once(&once, start);
    struct thread_state *t = calloc(1, sizeof *t);
    if (!t)
        fatal("out of memory for a host thread");
    pthread_mutex_lock(&sim.lock);
    t->clock = latest_clock;
    t->id = ++n_threads;
    pthread_mutex_unlock(&sim.lock);
    pthread_setspecific(key, t);
    self = t;
    return t;
}

void device_lock(struct thread_state *t)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    n_callers++;
    pthread_mutex_lock(&sim.lock);
    n_callers--;
    t->cancel_state = before;
}

bool device_is_called(void)
{
    return n_callers > 0;
}

void device_unlock(const struct thread_state *t)
{
    pthread_mutex_unlock(&sim.lock);
    pthread_setcancelstate(t->cancel_state, NULL);
}

bool api_enter(enum api_cost cost, const char *name, cudaError_t *error)
{
    exec_refuse_call(name);
    struct thread_state *t = thread_self();
    if (t->in_host_func && !call_fits_host_function(name)) {
        *error = error_set(cudaErrorNotPermitted);
        return false;
    }
    if (sim.forked) {
        *error = error_set(cudaErrorInitializationError);
        return false;
    }
    device_lock(t);
    cudaError_t lost = error_sticky();
    if (lost != cudaSuccess && !call_needs_context(name))
        lost = cudaSuccess;
    if (lost == cudaSuccess && sim.n_devices == 0)
        lost = cudaErrorNoDevice;
    if (lost != cudaSuccess) {
        device_unlock(t);
        *error = error_set(lost);
        return false;
    }
    t->api = name;
    if (t->in_host_func) /* its time is that of the host function */
        return true;
    if (t->clock < sim.now)
        t->clock = sim.now;
    sim.n_calls++;
    t->api_start_ns = t->clock;
    t->api_cost = cost;
    history_advance(t->clock);
    t->clock += sim.profile.host_cost[cost];
    return true;
}

void api_charge(enum api_cost cost)
{
    self->clock += sim.profile.host_cost[cost] - sim.profile.host_cost[self->api_cost];
    self->api_cost = cost;
}

static cudaError_t answer(const char *name, cudaError_t e)
{
    struct thread_state *t = thread_self();
    if (e != cudaSuccess) {
        t->failed_call = name;
        t->failed_with = e;
    }
    return error_set(e);
}

cudaError_t api_leave(cudaError_t e)
{
    struct thread_state *t = self;
    if (!t->in_host_func)
        history_advance(t->clock);
    cudaError_t lost = error_sticky();
    if (lost != cudaSuccess && !call_needs_context(t->api))
        lost = cudaSuccess;
    if (!t->in_host_func)
        latest_clock = t->clock;
    if (sim.tracing && !t->in_host_func)
        trace_api(t->api, t->api_start_ns, t->clock);
    device_unlock(t);
    return answer(t->api, lost != cudaSuccess ? lost : e);
}

cudaError_t api_refuse(const char *name, cudaError_t e)
{
    return answer(name, e);
}

EXPORT int64_t simgpu_now_ns(void)
{
    struct thread_state *t = thread_self();
    if (t->in_host_func)
        return t->clock + t->host_work_ns;
    device_lock(t);
    if (t->clock < sim.now)
        t->clock = sim.now;
    ns_t now = t->clock;
    device_unlock(t);
    return now;
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
    if (t->clock < sim.now)
        t->clock = sim.now;
    t->clock += ns;
    history_advance(t->clock);
    latest_clock = t->clock;
    device_unlock(t);
}

/* thread.c: host threads, each with a virtual clock that its calls advance, and the one lock. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "core.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
__thread struct thread_state *thread_now; /* NULL until it uses the device */
static void (*start_device)(void);
static void (*end_thread)(struct thread_state *t);
static uint64_t n_threads;   /* ever seen */
static atomic_int n_callers; /* threads that wait for the lock, or for a condition */
static ns_t latest_clock;    /* a new thread starts there */

static void thread_end(void *state)
{
    struct thread_state *t = state;
    pthread_mutex_lock(&sim.lock);
    end_thread(t);
    pthread_mutex_unlock(&sim.lock);
    thread_now = NULL;
    free(t);
}

void on_first_use(void (*start)(void), void (*end)(struct thread_state *t))
{
    start_device = start;
    end_thread = end;
}

static void start(void)
{
    pthread_key_create(&key, thread_end);
    start_device();
}

struct thread_state *thread_first(void)
{
    pthread_once(&once, start);
    struct thread_state *t = needed(calloc(1, sizeof *t), "a host thread");
    pthread_mutex_lock(&sim.lock);
    t->clock = latest_clock;
    t->stack_end = caller_stack_end();
    t->id = ++n_threads;
    pthread_mutex_unlock(&sim.lock);
    pthread_setspecific(key, t);
    thread_now = t;
    return t;
}

void refusal_note(enum simgpu_refused what, const char *argument, int64_t a, int64_t b, int64_t c)
{
    struct simgpu_refusal *r = thread_now ? &thread_now->refusal : NULL;
    if (!r || r->what)
        return;
    *r = (struct simgpu_refusal){.what = what, .n = {a, b, c}};
    snprintf(r->argument, sizeof r->argument, "%s", argument);
}

cudaError_t refusal_of_member(const char *member)
{
    refusal_note(SIMGPU_REFUSED_MEMBER, member, 0, 0, 0);
    return cudaErrorInvalidValue;
}

void refusal_note_handle(const void *handle, const char *argument)
{
    refusal_note(!handle                    ? SIMGPU_REFUSED_NULL
                 : handle_was_alive(handle) ? SIMGPU_REFUSED_DESTROYED
                                            : SIMGPU_REFUSED_HANDLE,
                 argument, (int64_t)(uintptr_t)handle, 0, 0);
}

bool refusal_knows(unsigned flags, unsigned known)
{
    if (flags & ~known)
        refusal_note(SIMGPU_REFUSED_FLAGS, "flags", flags & ~known, 0, 0);
    return !(flags & ~known);
}

EXPORT struct simgpu_caller simgpu_calling(void)
{
    const bool is = thread_now && thread_now->in_call;
    return is ? thread_now->caller : (struct simgpu_caller){0};
}

struct simgpu_caller call_place(void)
{
    return thread_now ? thread_now->caller : (struct simgpu_caller){0};
}

void thread_clock_publish(const struct thread_state *t)
{
    latest_clock = t->clock;
}

static void (*after_lock)(void);

void device_on_lock(void (*after)(void))
{
    after_lock = after;
}

void device_locked(void)
{
    if (after_lock)
        after_lock();
}

bool device_try_lock(struct thread_state *t)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    if (pthread_mutex_trylock(&sim.lock) != 0) {
        pthread_setcancelstate(before, NULL);
        return false;
    }
    t->cancel_state = before;
    return true;
}

void device_lock(struct thread_state *t)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    t->came_in = UINT64_MAX;
    if (pthread_mutex_trylock(&sim.lock) != 0) {
        t->came_in = __atomic_load_n(&sim.n_calls, __ATOMIC_RELAXED);
        n_callers++;
        pthread_mutex_lock(&sim.lock);
        n_callers--;
    }
    t->cancel_state = before;
    device_locked();
}

bool device_is_called(void)
{
    return n_callers > 0;
}

static void (*before_unlock)(void);

void device_on_unlock(void (*before)(void))
{
    before_unlock = before;
}

void device_release(void)
{
    if (before_unlock)
        before_unlock();
    pthread_mutex_unlock(&sim.lock);
}

void device_unlock(const struct thread_state *t)
{
    device_release();
    pthread_setcancelstate(t->cancel_state, NULL);
}

int device_wait(pthread_cond_t *changed, const struct timespec *until)
{
    if (before_unlock)
        before_unlock();
    n_callers++; /* once it is signaled, it waits for the lock */
    const int failed = until ? pthread_cond_timedwait(changed, &sim.lock, until)
                             : pthread_cond_wait(changed, &sim.lock);
    n_callers--;
    return failed;
}

int thread_start(void *(*fn)(void *), void *arg)
{
    sigset_t theirs, before;
    pthread_t thread;
    sigfillset(&theirs);
    sigdelset(&theirs, SIGSEGV);
    sigdelset(&theirs, SIGBUS);
    sigdelset(&theirs, SIGFPE);
    pthread_sigmask(SIG_BLOCK, &theirs, &before);
    int failed = pthread_create(&thread, NULL, fn, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        pthread_detach(thread);
    return failed;
}

/* sleep.c: functions of the C library that let a host thread pass time. simcc has the objects of a
 * program call these in their place (common/simcc/library_calls). A sleep moves the virtual clock
 * of its thread, and the device continues meanwhile. It orders nothing. It takes real time, too,
 * because other threads of the program may count on that. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "api.h"
#include "simgpu.h"

#define CALL(type, name, ...)                                                                      \
    EXPORT type simgpu_##name(__VA_ARGS__);                                                        \
    type simgpu_##name(__VA_ARGS__)

static ns_t in_ns(const struct timespec *t)
{
    enum { MOST_S = 1000000000 };
    return (t->tv_sec < MOST_S ? (ns_t)t->tv_sec : MOST_S) * 1000000000 + t->tv_nsec;
}

static struct timespec in_seconds(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

static ns_t now(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return in_ns(&t);
}

/* A thread that makes no calls has no share in the device's time. */
static bool counts(void)
{
    return thread_now && (thread_now->call || thread_now->in_host_func);
}

/* ---- sleeps ---------------------------------------------------------------------------------- */

static void wake(void *counted)
{
    if (counted)
        host_worker_sleeper(false);
}

/* As clock_nanosleep. The device first goes through all of the sleep, and then stands still. */
static int rest(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    struct thread_state *counted = counts() ? thread_now : NULL;
    int failed;
    if (counted) {
        simgpu_host_work_ns(flags & TIMER_ABSTIME ? in_ns(t) - now(clock) : in_ns(t));
        host_worker_sleeper(true);
    }
    pthread_cleanup_push(wake, counted);
    failed = clock_nanosleep(clock, flags, t, left);
    pthread_cleanup_pop(1);
    return failed;
}

static int rest_ns(int64_t ns)
{
    const struct timespec t = in_seconds(ns);
    const int failed = rest(CLOCK_MONOTONIC, 0, &t, NULL);
    errno = failed ? failed : errno;
    return failed ? -1 : 0;
}

CALL(int, usleep, useconds_t us)
{
    return rest_ns((int64_t)us * 1000);
}

CALL(unsigned, sleep, unsigned s)
{
    const struct timespec t = {.tv_sec = s};
    struct timespec left = {0};
    return rest(CLOCK_MONOTONIC, 0, &t, &left) ? (unsigned)left.tv_sec : 0;
}

CALL(int, clock_nanosleep, clockid_t clock, int flags, const struct timespec *t,
     struct timespec *left)
{
    return rest(clock, flags, t, left);
}

CALL(int, nanosleep, const struct timespec *t, struct timespec *left)
{
    const int failed = rest(CLOCK_MONOTONIC, 0, t, left);
    errno = failed ? failed : errno;
    return failed ? -1 : 0;
}

CALL(int, thrd_sleep, const struct timespec *t, struct timespec *left)
{
    const int failed = rest(CLOCK_MONOTONIC, 0, t, left);
    return failed == EINTR ? -1 : failed ? -2 : 0;
}

/* ---- waits with a timeout -------------------------------------------------------------------- */

/* If nothing came, the time has passed for nothing. */
#define WAIT(call, in_vain)                                                                        \
    const ns_t from = now(CLOCK_MONOTONIC);                                                        \
    const int result = call, error = errno;                                                        \
    if ((in_vain) && counts())                                                                     \
        simgpu_host_work_ns(now(CLOCK_MONOTONIC) - from);                                          \
    errno = error;                                                                                 \
    return result

CALL(int, poll, struct pollfd *files, nfds_t n, int ms)
{
    if (n == 0 && ms >= 0)
        return rest_ns((int64_t)ms * 1000000);
    WAIT(poll(files, n, ms), result == 0);
}

CALL(int, select, int n, fd_set *reads, fd_set *writes, fd_set *fails, struct timeval *t)
{
    if (n == 0 && t)
        return rest_ns((int64_t)t->tv_sec * 1000000000 + t->tv_usec * 1000);
    WAIT(select(n, reads, writes, fails, t), result == 0);
}

CALL(int, sem_timedwait, sem_t *s, const struct timespec *until)
{
    WAIT(sem_timedwait(s, until), result != 0 && error == ETIMEDOUT);
}

CALL(int, pthread_cond_timedwait, pthread_cond_t *c, pthread_mutex_t *m,
     const struct timespec *until)
{
    WAIT(pthread_cond_timedwait(c, m, until), result == ETIMEDOUT);
}

CALL(int, pthread_cond_clockwait, pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
     const struct timespec *until)
{
    WAIT(pthread_cond_clockwait(c, m, clock, until), result == ETIMEDOUT);
}

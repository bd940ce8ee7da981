/* host_worker.c: host functions run in sequence on a thread of their own, without the lock, so they
 * may block until another thread of the program does something. In virtual time they overlap only
 * if that is drawn (FREEDOM_HOST_FUNCTION).
 *
 * The start of one has the same effect as synchronizing an event that is recorded directly before
 * it (CUDA Runtime API, cudaLaunchHostFunc), and from then on it may tell any thread of the program
 * that it runs. Virtual time decides when that is. So each call waits in real time for the
 * functions that begin before it, although it orders nothing: else races would be found or missed
 * by chance.
 *
 * The simulation waits only a moment of real time for each of them. If one takes longer, the
 * simulation goes on, and the function ends in virtual time when it has ended in real time. Time in
 * which a busy machine has no processor for it does not count.
 *
 * The same thread drives the simulation if the program waits for the device without calling it: on
 * a semaphore that a host function posts, or on pinned memory that a copy writes. The host then
 * comes after what it may have seen, and nothing else; after nothing, if its accesses are known.
 * Sleeps that api/sleep.c knows are no such waits: they move the clock of their thread. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sim.h"

static struct {
    bool started;
    pthread_cond_t work, ended; /* a function is to run; one has returned */
    struct op *running;         /* its function runs in real time, and history waits for it */
    struct op *left;            /* its function runs in real time, and history goes on */
    bool called;                /* the thread has taken it, and calls its function */
    atomic_bool returned;       /* its function has; the thread may still wait for the lock */
    struct timespec patience;   /* until then history waits */
    char tid[16];               /* of the thread, as in /proc */
    clockid_t processor;        /* the clock of what the thread has had of a processor */
    double had_ms;              /* the reading of that clock when it called the function */
    int n_busy;                 /* have begun and, in virtual time, not ended */
    struct op *first, *last;    /* wait for their turn */
} host = {.work = PTHREAD_COND_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static void (*when_idle)(void);
static atomic_int n_sleepers; /* threads whose sleep the simulation has gone through already */

static const long tick_ms = 10;      /* how often the thread looks whether the program sleeps */
static const long patience_ms = 100; /* how long history waits for a host function */
/* A busy program counts as waiting after so many ticks without a call, with this much processor. */
static const int ticks_spinning = 100;
static const double spinning_ms = 300;

static struct timespec in_ms(long ms)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += ms * 1000000;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

static bool is_past(const struct timespec *at)
{
    struct timespec now = in_ms(0);
    return now.tv_sec != at->tv_sec ? now.tv_sec > at->tv_sec : now.tv_nsec >= at->tv_nsec;
}

/* What a thread or the program has had of a processor. */
static double had_ms(clockid_t whose)
{
    struct timespec had;
    clock_gettime(whose, &had);
    return (double)had.tv_sec * 1e3 + (double)had.tv_nsec * 1e-6;
}

/* The state letter of a thread, from /proc/self/task/TID/stat; the letter follows the last ')'. */
static char thread_letter(const char *tid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", tid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 'S';
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    const char *close = strrchr(text, ')');
    return close && close[1] ? close[2] : 'S';
}

/* It has returned, or it could run and others do: it neither waits for something, nor has it
 * computed for long. */
static bool is_held_up(void)
{
    return host.returned || (had_ms(host.processor) - host.had_ms < (double)patience_ms &&
                             thread_letter(host.tid) == 'R');
}

/* ---- virtual side ---------------------------------------------------------------------------- */

static void begin(struct op *op, ns_t now)
{
    op->state = OP_RUNNING;
    op->start_ns = now;
    host.n_busy++;
    host.running = op;
    host.called = false;
    if (sim.checks)
        host_waited(&op->epoch); /* from now on it may tell any thread that it runs */
    pthread_cond_signal(&host.work);
}

/* May op begin? If it is drawn, it need not wait for the virtual end of one that has returned. */
static bool is_free(const struct op *op)
{
    return !host.n_busy ||
           (!host.running && !host.left && freedom_other_way(FREEDOM_HOST_FUNCTION, op->id));
}

static void end(void *arg, ns_t now)
{
    struct op *op = arg;
    host.n_busy--;
    op_done(op, now);
    struct op *next = host.first;
    if (!next || !is_free(next))
        return;
    host.first = next->next;
    begin(next, now);
}

static void host_function_ready(struct op *op, ns_t now)
{
    host_worker_start();
    op->next = NULL;
    if (is_free(op)) {
        begin(op, now);
        return;
    }
    if (host.first)
        host.last->next = op;
    else
        host.first = op;
    host.last = op;
}

void host_worker_on_idle(void (*idle)(void))
{
    when_idle = idle;
}

bool host_worker_running(void)
{
    return host.running != NULL;
}

void host_worker_sleeper(bool sleeps)
{
    n_sleepers += sleeps ? 1 : -1;
}

/* What the thread has not taken yet cannot be left behind: on a busy machine that may be long. One
 * that was left behind and is awake is one that the program has just let go on. */
static void wait_for_thread(void)
{
    while (host.left && is_held_up()) {
        struct timespec until = in_ms(tick_ms);
        device_wait(&host.ended, &until);
    }
    while (host.running) {
        struct timespec until = host.called ? host.patience : in_ms(patience_ms);
        bool in_vain = device_wait(&host.ended, &until) == ETIMEDOUT;
        if (!in_vain || !host.running || !host.called || !is_past(&host.patience))
            continue;
        if (is_held_up()) {
            host.patience = in_ms(tick_ms);
            continue;
        }
        host.left = host.running;
        host.running = NULL;
    }
}

void host_worker_wait(void)
{
    if (host.left || host.running)
        wait_for_thread();
}

bool host_worker_wait_left(void)
{
    if (!host.left)
        return false;
    device_wait(&host.ended, NULL);
    return true;
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void run(struct thread_state *self)
{
    struct op *op = host.running;
    const struct host_job *job = &op->work.host;
    cudaError_t lost = context_error();
    host.called = true;
    host.returned = false;
    host.patience = in_ms(patience_ms);
    host.had_ms = had_ms(host.processor);
    self->clock = op->start_ns;
    self->host_work_ns = 0;
    self->in_host_func = true;
    self->acts_as = op;
    self->has_synced = false;
    device_release();
    host_time_resume(self);
    if (job->callback)
        job->callback(job->handle, lost, job->data);
    else if (lost == cudaSuccess) /* in a lost context host functions do not run */
        job->fn(job->data);
    host.returned = true;
    const ns_t computed = host_time_charge(self);
    pthread_mutex_lock(&sim.lock);
    device_locked();
    self->host_work_ns += computed;
    self->in_host_func = false;
    self->acts_as = NULL;
    host.running = host.left = NULL;
    agenda_add(op->start_ns + self->host_work_ns + freedom_delay(FREEDOM_DURATION, op->id), end,
               op);
    pthread_cond_broadcast(&host.ended);
}

/* Does every other thread of the program sleep, and not because it waits for the lock? */
static bool program_sleeps(void)
{
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return false;
    long me = syscall(SYS_gettid);
    bool sleeps = true;
    for (struct dirent *d; sleeps && (d = readdir(tasks));)
        if (isdigit((unsigned char)d->d_name[0]) && strtol(d->d_name, NULL, 10) != me)
            sleeps = thread_letter(d->d_name) == 'S';
    closedir(tasks);
    return sleeps && !device_is_called();
}

/* The program may see in its memory, without a call, that the device is done. */
static void drive(void)
{
    sim.has_slept = true;
    while (sim_step())
        ;
    if (when_idle && !sim_is_busy())
        when_idle();
}

/* Called every tick with the lock held. The program waits if nothing has called the device since
 * the last tick. */
static void watch(void)
{
    static uint64_t calls_before;
    static int quiet_ticks;
    static double had_before_ms;
    static bool told;
    if (sim.n_calls != calls_before || host.running || n_sleepers > 0 || !sim_is_busy()) {
        calls_before = sim.n_calls;
        quiet_ticks = 0;
        had_before_ms = had_ms(CLOCK_PROCESS_CPUTIME_ID);
        return;
    }
    quiet_ticks++;
    if (quiet_ticks >= 2 && program_sleeps()) {
        drive();
    } else if (quiet_ticks >= ticks_spinning &&
               had_ms(CLOCK_PROCESS_CPUTIME_ID) - had_before_ms >= spinning_ms) {
        if (!told)
            fputs("simgpu: the program has made no call for a second while work is pending, so the "
                  "device continues by itself. Its times may differ from run to run. Wait with a "
                  "synchronizing call instead.\n",
                  stderr);
        told = true;
        drive();
    }
}

static void *host_thread(void *unused)
{
    struct thread_state *self = thread_self();
    (void)unused;
    pthread_mutex_lock(&sim.lock);
    snprintf(host.tid, sizeof host.tid, "%ld", syscall(SYS_gettid));
    pthread_getcpuclockid(pthread_self(), &host.processor);
    for (;;) {
        while (!host.running) {
            struct timespec until = in_ms(tick_ms);
            if (device_wait(&host.work, &until) == ETIMEDOUT)
                watch();
        }
        run(self);
    }
    return NULL;
}

void host_worker_start(void)
{
    if (host.started)
        return;
    host.started = true;
    int failed = thread_start(host_thread, NULL);
    if (failed)
        fatal("no thread for host functions: %s", strerror(failed));
}

const struct op_type host_function_type = {.ready = host_function_ready};

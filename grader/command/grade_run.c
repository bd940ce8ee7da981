/* grade_run.c: the suite as a child: started, waited for, stopped on Ctrl-C or at the deadline. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"
#include "report/report.h"

#ifdef __SANITIZE_ADDRESS__
enum { SLOWER = 4 };
#else
enum { SLOWER = 1 };
#endif

enum {
    KEPT_BYTES = 16 * 1024, /* of what the suite itself prints; only shown where it breaks */
    /* from the start of ./grade on, all starts of a suite together: no subject runs longer. Hangs
       are cut short long before */
    SIM_SECONDS = 60 * SLOWER,
    GPU_SECONDS = 600,
    MOST_STARTS = 100,   /* of a suite that has found no check: has_found_no_check */
    MOST_SIMULATED = 16, /* devices */
    GRACE_SECONDS = 15,  /* after that, for the judge: then the suite is stopped */
    PATIENCE_SECONDS = 4 /* before a message says why nothing is shown yet */
};

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

/* From the first file on. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE /* nobody reads the report */};
    const struct sigaction action = {.sa_handler = on_signal};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaction(numbers[i], &action, NULL);
}

/* ---- preparation ----------------------------------------------------------------------------- */

static uint64_t memory_bytes(void)
{
    const char *text = getenv("GRADE_MEMORY_MIB");
    uint64_t mib = text ? strtoull(text, NULL, 10) : 0;
    return (mib ? mib : 4096) << 20;
}

static int check_devices(const struct grade *g)
{
    const char *asked = getenv("SIMGPU_DEVICES");
    char *end;
    const long n = asked ? strtol(asked, &end, 10) : 1;
    if (g->device != DEVICE_SIM || !asked || (*asked && !*end && n >= 1 && n <= MOST_SIMULATED))
        return 0;
    fprintf(stderr, "SIMGPU_DEVICES=%s? It is the number of simulated devices, from 1 to %d\n",
            asked, MOST_SIMULATED);
    return GRADE_USAGE;
}

static int prepare(struct grade *g)
{
    char directory[SESSION_PATH];
    const char *tmp = getenv("TMPDIR");
    tmp = tmp && *tmp ? tmp : "/tmp";
    g->session = session_create(tmp, g->session_path);
    if (!g->session) {
        fprintf(stderr,
                "cannot make temporary files in %s: %s. Next: free some space, or point TMPDIR "
                "elsewhere\n",
                tmp, strerror(errno));
        return GRADE_BROKEN;
    }
    struct session *s = g->session;
    snprintf(s->lab, sizeof s->lab, "%s", g->lab);
    snprintf(s->subject, sizeof s->subject, "%s", g->subject);
    snprintf(s->reference, sizeof s->reference, "%s", g->reference);
    s->n_gpus = g->n_gpus;
    s->capability = g->capability;
    s->cuda = g->cuda;
    s->lacks_peers = g->lacks_peers;
    memcpy(s->gpu_uuids, g->gpu_uuids, sizeof s->gpu_uuids);
    snprintf(s->trace, sizeof s->trace, "%s", g->trace_path);
    snprintf(s->reference_trace, sizeof s->reference_trace, "%s", g->reference_trace);
    s->device = g->device;
    s->both = g->both;
    if (g->other && g->device == DEVICE_GPU)
        snprintf(s->simulated, sizeof s->simulated, "%s", g->other->session_path);
    s->seed = g->seed;
    grade_subject_directory(g, directory);
    s->unwritten = grade_unwritten(g, directory, &s->refusing);
    s->memory_bytes = memory_bytes();
    snprintf(s->debug, sizeof s->debug, "%s", g->debugged ? g->debugged : "");
    s->deadline_ns = s->started_ns + (g->debugged ? SESSION_DEBUG_S * INT64_C(1000000000) : 0) +
                     (g->device == DEVICE_GPU ? GPU_SECONDS : SIM_SECONDS) * INT64_C(1000000000);
    session_hide();
    return 0;
}

/* ---- the suite ------------------------------------------------------------------------------- */

/* The judge's threads sleep while they have nothing to do: a subject is timed then. OpenMP reads
 * this when a program starts. */
static void limit_threads(void)
{
    enum { MOST = 8 }; /* more would wait for memory */
    cpu_set_t cpus;
    char most[16];
    const int n = sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
    snprintf(most, sizeof most, "%d", n < MOST ? n : MOST);
    setenv("OMP_NUM_THREADS", most, 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("OMP_PROC_BIND", "false", 1); /* the user's would bind subjects, too */
}

/* Of a Criterion test that runs ./grade, or of the user's own: which tests to run, above all. */
static void drop_settings_of_criterion(void)
{
    char **to = environ;
    for (char **from = environ; *from; from++)
        if (strncmp(*from, "CRITERION_", 10) != 0 && strncmp(*from, "BXFI_MAP=", 9) != 0)
            *to++ = *from;
    *to = NULL;
}

static _Noreturn void become_suite(const struct grade *g, pid_t parent, int output)
{
    const bool is_filtered = g->check || g->needs;
    char filter[SESSION_PATH];
    char *argv[] = {
        (char *)g->suite, "--jobs", "1", "--color=never", is_filtered ? filter : NULL, NULL};
    if (is_filtered)
        grade_check_filter(g, filter);
    setenv(SESSION_VARIABLE, g->session_path, 1);
    limit_threads();
    drop_settings_of_criterion();
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0)
        dup2(null, 0);
    dup2(output, 1);
    dup2(output, 2);
    execv(g->suite, argv);
    fprintf(stderr, "%s: %s\n", g->suite, strerror(errno));
    _exit(127);
}

/* False: there are none. */
static bool kill_children(void)
{
    char path[64];
    int pid, n = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *from = fopen(path, "r");
    for (; from && fscanf(from, "%d", &pid) == 1; n++)
        kill(pid, SIGKILL);
    if (from)
        fclose(from);
    return n > 0;
}

/* As the suite ended. */
static _Noreturn void end_as(int wait_status)
{
    if (WIFSIGNALED(wait_status)) {
        signal(WTERMSIG(wait_status), SIG_DFL);
        raise(WTERMSIG(wait_status));
    }
    _exit(WEXITSTATUS(wait_status));
}

/* The parent of the suite, which ends all that the suite started. A subject that serves several
 * checks (judge/pool.c) outlives its own parent, and becomes a child of this one. SIGTERM stops the
 * suite: ./grade sends it, or the kernel when ./grade ends. */
static _Noreturn void keep_suite(const struct grade *g, pid_t parent, int output)
{
    sigset_t awaited, before;
    int wait_status = 0, number = 0;
    setpgid(0, 0);
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const pid_t self = getpid(), suite = getppid() == parent && !interrupted ? fork() : -1;
    if (suite == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        become_suite(g, self, output);
    }
    if (suite < 0)
        _exit(127);
    setpgid(suite, suite); /* here as well: whoever comes first */
    close(output);
    for (pid_t ended = 0; ended != suite;) {
        ended = waitpid(-1, &wait_status, WNOHANG);
        if (ended == 0 && sigwait(&awaited, &number) == 0 && number == SIGTERM)
            kill(-suite, SIGKILL);
    }
    while (kill_children())
        waitpid(-1, NULL, 0);
    end_as(wait_status);
}

/* The end of what the suite printed. */
struct tail {
    char text[KEPT_BYTES + 1];
    size_t n;
};

static void add(struct tail *t, const char *bytes, size_t n)
{
    if (n > KEPT_BYTES) {
        bytes += n - KEPT_BYTES;
        n = KEPT_BYTES;
    }
    if (t->n + n > KEPT_BYTES) {
        size_t drop = t->n + n - KEPT_BYTES;
        memmove(t->text, t->text + drop, t->n - drop);
        t->n -= drop;
    }
    memcpy(t->text + t->n, bytes, n);
    t->n += n;
    t->text[t->n] = 0;
}

/* Names the line of the first check that did not return, while the others run. */
static bool tell_hang(const struct session *s)
{
    for (int i = 0; i < s->n_checks; i++) {
        const struct session_check *c = &s->checks[i];
        if (c->status != CHECK_FAILED || c->event.cause != CAUSE_TIMEOUT)
            continue;
        fprintf(stderr, "%s did not return: %s: %s\n", c->name, c->event.fault_at.at,
                c->event.fault_at.text);
        return true;
    }
    return false;
}

/* All checks have a verdict. The processes that served them take 0.2 to 0.4 s to end on an H200,
 * and 0.6 s on two (lab 12, 2026-11-30): grade_forget waits for them. */
static bool is_through(const struct grade *g)
{
    return __atomic_load_n(&g->session->through, __ATOMIC_ACQUIRE);
}

/* Reads until the suite is through; false where a signal or the deadline came first. */
static bool follow(const struct grade *g, int output, struct tail *t)
{
    const int64_t grace_ns = GRACE_SECONDS * INT64_C(1000000000);
    int64_t patient_until_ns = session_now_ns() + PATIENCE_SECONDS * INT64_C(1000000000);
    const bool is_quiet = !isatty(STDERR_FILENO) || g->debugged;
    bool said = is_quiet, has_hung = is_quiet;
    char bytes[4096];
    while (!interrupted && !session_is_over(g->session, grace_ns)) {
        struct pollfd p = {.fd = output, .events = POLLIN};
        has_hung = has_hung || tell_hang(g->session);
        if (!said && session_now_ns() > patient_until_ns) {
            fprintf(stderr, "still grading: what does not return is stopped at its time limit "
                            "(Ctrl-C ends this now, without a report)\n");
            said = true;
        }
        if (is_through(g))
            return true;
        if (poll(&p, 1, 200) <= 0)
            continue;
        ssize_t got = read(output, bytes, sizeof bytes);
        if (got == 0)
            return true;
        if (got > 0)
            add(t, bytes, (size_t)got);
    }
    return false;
}

static pid_t start_suite(const struct grade *g, int *output)
{
    int fd[2];
    if (pipe2(fd, O_CLOEXEC) != 0)
        return -1;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        keep_suite(g, parent, fd[1]);
    close(fd[1]);
    *output = fd[0];
    return pid;
}

static void stop_suite(pid_t pid)
{
    kill(pid, SIGTERM);
}

/* The time of the grading is used up. The judge ends what a submission does not end, but what it
   reads of one can take long, too. */
static void settle_stopped(struct session *s)
{
    for (int i = 0; i < s->n_checks; i++) {
        struct session_check *c = &s->checks[i];
        const bool ran = c->status == CHECK_RUNNING || c->status == CHECK_ENDED;
        if (!ran && c->status != CHECK_NOT_RUN)
            continue;
        c->status = CHECK_FAILED;
        snprintf(c->message, sizeof c->message,
                 ran ? "the check did not come to its end in the time of this grading"
                     : "not run: an earlier check used up the time of this grading");
        snprintf(c->next, sizeof c->next,
                 "fix the check that did not come to its end, then grade again");
    }
}

/* Then the other device is not asked for the check. */
static bool fails_there(const struct grade *other, const char *check)
{
    const struct session_check *c = other ? session_find(other->session, check) : NULL;
    return c && c->status == CHECK_FAILED;
}

static int say_internal_error(const struct session *s, const struct session_check *c)
{
    struct report_words words;
    report_words(s, c, &words);
    fprintf(stderr, "the grader could not do its work: %s\n(check %s of %s)\n", words.message,
            c->name[0] ? c->name : "diagnosis", s->lab);
    return GRADE_BROKEN;
}

/* Every check has a verdict, or the grader is at fault. */
static int settle(struct grade *g, bool through, int wait_status, const char *printed)
{
    struct session *s = g->session;
    if (!through && !s->listed) { /* no submission has run yet */
        fprintf(stderr, "the suite %s did not end and was stopped. Next: grade again\n", g->suite);
        return GRADE_BROKEN;
    }
    if (!through)
        settle_stopped(s);
    if (s->diagnosis.is_internal_error)
        return say_internal_error(s, &s->diagnosis);
    for (int i = 0; i < s->n_checks; i++) {
        struct session_check *c = &s->checks[i];
        if (c->is_internal_error)
            return say_internal_error(s, c);
        if (c->status == CHECK_RUNNING || c->status == CHECK_ENDED) {
            c->status = CHECK_FAILED;
            snprintf(c->message, sizeof c->message,
                     "the check did not come to its end: its process was stopped");
        }
    }
    bool all_ran = s->listed && s->n_checks > 0;
    for (int i = 0; i < s->n_checks && !g->needs; i++)
        all_ran = all_ran && (s->checks[i].status != CHECK_NOT_RUN ||
                              fails_there(g->other, s->checks[i].name));
    if (all_ran)
        return 0;
    fprintf(stderr, "the suite %s did not run to its end (wait status 0x%x). Its output:\n%s\n",
            g->suite, (unsigned)wait_status, printed);
    if (strstr(printed, "inheritable arena"))
        fprintf(stderr,
                "Criterion has no room for its shared memory beside %s. Next: free some "
                "space, or point TMPDIR elsewhere\n",
                g->session->directory);
    return GRADE_BROKEN;
}

/* A make beside this grading has replaced the suite while Criterion looked for tests in its file.
 */
static bool has_found_no_check(const struct grade *g, int wait_status)
{
    return g->session->n_checks == 0 && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
}

static int start(struct grade *g)
{
    g->suite_pid = start_suite(g, &g->output);
    if (g->suite_pid > 0)
        return 0;
    g->suite_pid = 0;
    fprintf(stderr, "cannot start %s: %s\n", g->suite, strerror(errno));
    return GRADE_BROKEN;
}

/* The process's end. */
static int await(struct grade *g)
{
    int wait_status = 0;
    while (waitpid(g->suite_pid, &wait_status, 0) < 0 && errno == EINTR)
        ;
    close(g->output);
    g->suite_pid = 0;
    return wait_status;
}

void grade_forget(struct grade *g)
{
    if (!g->session_path[0])
        return;
    if (g->suite_pid > 0) {
        stop_suite(g->suite_pid);
        await(g);
    }
    session_remove(g->session_path);
    g->session_path[0] = '\0';
}

int grade_begin(struct grade *g)
{
    int status = check_devices(g);
    catch_signals();
    status = status ? status : prepare(g);
    if (status)
        return status;
    status = start(g);
    if (status)
        grade_forget(g);
    return status;
}

/* By a signal: the shell must see it. */
static void end_interrupted(struct grade *g)
{
    grade_leave(g);
    if (!g->debugged)
        fprintf(stderr, "\nstopped: %s was not graded\n", g->lab);
    signal(interrupted, SIG_DFL);
    raise(interrupted);
}

int grade_end(struct grade *g)
{
    static struct tail printed;
    bool through;
    int wait_status, status = 0, starts = 1;
    printed.n = 0;
    do {
        through = follow(g, g->output, &printed);
        if (!through)
            stop_suite(g->suite_pid);
        wait_status = through && is_through(g) ? 0 : await(g);
    } while (has_found_no_check(g, wait_status) && starts++ < MOST_STARTS &&
             (status = start(g)) == 0);
    g->printed = session_read_output(g->session_path);
    if (interrupted)
        end_interrupted(g);
    status = status ? status : grade_check_keep(g);
    status = status ? status : settle(g, through, wait_status, printed.text);
    __atomic_store_n(&g->session->ended, true, __ATOMIC_RELEASE);
    return status;
}

int grade_run(struct grade *g)
{
    int status = grade_begin(g);
    if (status)
        return status;
    return grade_end(g);
}

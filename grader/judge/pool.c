/* pool.c: subjects between two checks.
 *
 * Each check is a process of its own (Criterion), and with a GPU a subject takes long to start and
 * to end: on an H100 (driver 580.159.04, 2026-11-22) 144 and 57 ms. The reference's process may go
 * on to the next check, because it is trusted. A submission's may if the simulated device has had
 * each check in a process of its own, and then it can only pass: a check that fails in a process
 * from here is repeated in a fresh one (judge.c). One that was traced, or whose floor was measured,
 * serves checks that do not time it.
 *
 * Between two checks a thread of the suite's own process holds its descriptors. ./grade ends what
 * is left when the suite has ended (grade_run.c): a submission may go on with a closed channel. */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inside.h"

/* Each in a message of its own. */
enum { CHANNEL, OUTPUT, PIDFD, DESCRIPTORS };

enum what { GIVE, TAKE, TAKE_ANY };

struct message {
    enum what what;
    enum judge_who who;
    pid_t pid;
    int devices;
    bool was_probed; /* in TAKE: it may be */
};

static bool send_all(int to, const struct message *m, const int fds[DESCRIPTORS])
{
    for (int i = 0; i < DESCRIPTORS; i++)
        if (!wire_send(to, m, sizeof *m, fds[i]))
            return false;
    return true;
}

static void close_all(const int fds[DESCRIPTORS])
{
    for (int i = 0; i < DESCRIPTORS; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static bool receive_all(int from, struct message *m, int fds[DESCRIPTORS])
{
    bool all = true;
    for (int i = 0; i < DESCRIPTORS; i++) {
        fds[i] = -1;
        all = all && wire_receive(from, m, sizeof *m, 0, &fds[i]) == (ssize_t)sizeof *m;
    }
    if (!all)
        close_all(fds);
    return all;
}

/* The holder does not wait for a process that sends nothing. */
static void limit_wait(int fd)
{
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 1}, sizeof(struct timeval));
}

/* ---- the suite's process --------------------------------------------------------------------- */

enum { MOST = 8 };

static struct {
    int listener, n;
    struct message who[MOST];
    int fds[MOST][DESCRIPTORS];
} pool;

static bool fits(const struct message *m, const struct message *request)
{
    return request->what == TAKE_ANY || (m->who == request->who && m->devices == request->devices &&
                                         m->was_probed <= request->was_probed);
}

/* One that was probed rather than another, which can still be timed. */
static void hand_out(int to, const struct message *request)
{
    int found = -1;
    for (int i = 0; i < pool.n; i++)
        if (fits(&pool.who[i], request) &&
            (found < 0 || pool.who[i].was_probed >= pool.who[found].was_probed))
            found = i;
    if (found < 0)
        return;
    send_all(to, &pool.who[found], pool.fds[found]);
    close_all(pool.fds[found]);
    pool.n--;
    pool.who[found] = pool.who[pool.n];
    memcpy(pool.fds[found], pool.fds[pool.n], sizeof pool.fds[found]);
}

/* Other users of the machine may not answer for the reference. */
static bool is_ours(int client)
{
    struct ucred peer;
    socklen_t n = sizeof peer;
    return getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && peer.uid == geteuid();
}

static void *serve(void *unused)
{
    struct message m;
    int client;
    (void)unused;
    while ((client = accept4(pool.listener, NULL, NULL, SOCK_CLOEXEC)) >= 0 || errno == EINTR) {
        limit_wait(client);
        if (!is_ours(client) || wire_receive(client, &m, sizeof m, 0, NULL) != (ssize_t)sizeof m)
            ;
        else if (m.what != GIVE)
            hand_out(client, &m);
        else if (pool.n < MOST && receive_all(client, &pool.who[pool.n], pool.fds[pool.n]))
            pool.n++;
        close(client);
    }
    close(pool.listener);
    return NULL;
}

void judge_pool_open(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    socklen_t n = sizeof name.sun_family; /* the kernel finds a name */
    pthread_t thread;
    if (judge_device_is_simulated())
        return;
    pool.listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (pool.listener < 0 || bind(pool.listener, (struct sockaddr *)&name, n) != 0 ||
        listen(pool.listener, MOST) != 0 ||
        getsockname(pool.listener, (struct sockaddr *)&name, (n = sizeof name, &n)) != 0 ||
        pthread_create(&thread, NULL, serve, NULL) != 0)
        return;
    judge_session->pool_bytes = n - offsetof(struct sockaddr_un, sun_path);
    memcpy(judge_session->pool, name.sun_path, sizeof judge_session->pool);
    /* An answer: the thread has begun. Until then it allocates, and AddressSanitizer's allocator
     * (gcc 14) would wait for ever in a process that is forked meanwhile. */
    judge_pool_empty();
}

/* ---- a check's process ----------------------------------------------------------------------- */

/* A connection with this first message; -1: there is no pool. */
static int ask(const struct message *m)
{
    const size_t n = judge_session->pool_bytes;
    const int fd = n > 0 ? wire_connect(judge_session->pool + 1, n - 1) : -1;
    if (fd >= 0 && wire_send(fd, m, sizeof *m, -1))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* A process for j. */
static bool take(struct judged *j, enum what what, bool may_be_probed)
{
    struct message m = {
        .what = what, .who = j->who, .devices = j->devices, .was_probed = may_be_probed};
    int fds[DESCRIPTORS];
    const int from = ask(&m);
    const bool taken = from >= 0 && receive_all(from, &m, fds);
    if (from >= 0)
        close(from);
    if (!taken)
        return false;
    j->pid = m.pid;
    j->was_probed = j->came_probed = m.was_probed;
    j->from_pool = true;
    j->channel = fds[CHANNEL];
    j->output = fds[OUTPUT];
    j->pidfd = fds[PIDFD];
    return true;
}

/* CUPTI of CUDA 12.4 crashed in a later cudaGraphInstantiate of a process that it had traced: on an
 * H100 with driver 580.159.04 (2026-11-25), in one grading of several. So nothing follows there. */
bool judge_process_is_spent(const struct judged *j)
{
    return j->was_probed && !judge_device_is_simulated() && judge_session->cuda < 13000;
}

/* A process that traces whole graphs is not like the others. */
static bool is_for_pool(const struct judged *j)
{
    return !judge_device_is_simulated() && !j->whole_graphs && !judge_process_is_spent(j) &&
           (j->who == JUDGE_REFERENCE || judge_may_share_processes());
}

static bool hand_over(struct judged *j)
{
    const struct message m = {GIVE, j->who, j->pid, j->devices, j->was_probed};
    const int pidfd = j->pidfd >= 0 ? j->pidfd : (int)syscall(SYS_pidfd_open, j->pid, 0),
              to = pidfd >= 0 ? ask(&m) : -1;
    const bool given = to >= 0 && send_all(to, &m, (int[]){j->channel, j->output, pidfd});
    if (to >= 0)
        close(to);
    if (pidfd >= 0 && pidfd != j->pidfd)
        close(pidfd);
    return given;
}

static bool give(struct judged *j)
{
    if (!is_for_pool(j) || j->pid == 0 || judge_session->n_hangs > 0)
        return false; /* after a hang there may be no time left to ask */
    judge_teardown(j);
    return hand_over(j);
}

static bool take_one(struct judged *j, bool may_be_probed)
{
    while (is_for_pool(j) && take(j, TAKE, may_be_probed)) {
        if (!judge_process_has_ended(j))
            return true;
        judge_process_kill(j);
    }
    return false;
}

void judge_pool_empty(void)
{
    struct judged any = {.who = JUDGE_REFERENCE};
    while (take(&any, TAKE_ANY, true))
        judge_process_kill(&any);
}

void judge_process_renew(struct judged *j)
{
    judge_gpu_share();
    judge_process_start(j, is_for_pool(j));
    judge_greet(j);
}

static void take_or_start(struct judged *j, bool may_be_probed)
{
    judge_gpu_share();
    if (take_one(j, may_be_probed))
        judge_use_all_cpus(j->pid);
    else
        judge_process_start(j, is_for_pool(j));
    judge_greet(j);
}

/* The reference serves to be timed. */
void judge_process_take(struct judged *j)
{
    take_or_start(j, j->who == JUDGE_SUBMISSION);
}

void judge_process_leave(struct judged *j)
{
    if (give(j)) {
        j->pid = 0;
        judge_process_close(j);
    } else
        judge_process_kill(j);
}

void judge_process_exchange(struct judged *j)
{
    struct judged before = *j;
    judge_process_forget(j);
    take_or_start(j, false);
    judge_process_leave(&before);
}

static void start_early(enum judge_who who)
{
    struct judged j = {.who = who, .is_early = true, .pidfd = -1};
    judge_process_start(&j, true);
    if (!hand_over(&j))
        judge_process_kill(&j);
}

/* Contexts take 130 to 190 ms each on an H200 (2026-11-29), and the simulated device judges
 * meanwhile. Two of the reference, because a race has two pairs; two of the submission, because one
 * is traced and the other one timed. The processes are no children of
 * the suite's: Criterion waits for its own. */
void judge_pool_fill(void)
{
    if (judge_session->pool_bytes == 0 || judge_session->devices > 1 || judge_session->debug[0] ||
        !judge_gpu_try_share())
        return;
    const pid_t pid = fork();
    for (int i = 0; i < 2 && pid == 0; i++) {
        if (judge_session->both)
            start_early(JUDGE_SUBMISSION);
        start_early(JUDGE_REFERENCE);
    }
    if (pid == 0)
        _exit(0);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

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
#include <poll.h>
#include <pthread.h>
#include <signal.h>
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

enum what { GIVE, NO_MORE, TAKE, TAKE_PROBED, TAKE_ANY };

struct message {
    enum what what;
    enum judge_who who;
    pid_t pid;
    bool was_probed; /* in TAKE: it may be */
    bool is_early;
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

/* Neither waits long for the other one, which may have ended. */
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
    int coming[2]; /* of each enum judge_who, from the filler */
    struct {
        int client; /* 0: nobody waits */
        struct message request;
    } waiting; /* for one that is coming */
} pool;

static bool fits(const struct message *m, const struct message *request)
{
    return request->what == TAKE_ANY ||
           (m->who == request->who && m->was_probed <= request->was_probed &&
            (request->what == TAKE || m->was_probed));
}

/* One that was probed rather than another, which can still be timed. */
static bool hand_out(int to, const struct message *request)
{
    int found = -1;
    for (int i = 0; i < pool.n; i++)
        if (fits(&pool.who[i], request) &&
            (found < 0 || pool.who[i].was_probed >= pool.who[found].was_probed))
            found = i;
    if (found < 0)
        return false;
    send_all(to, &pool.who[found], pool.fds[found]);
    close_all(pool.fds[found]);
    pool.n--;
    pool.who[found] = pool.who[pool.n];
    memcpy(pool.fds[found], pool.fds[pool.n], sizeof pool.fds[found]);
    return true;
}

/* To own contexts beside those of the filler takes longer than to wait for it. */
static void answer(int client, const struct message *request)
{
    const bool is_coming = request->what == TAKE && pool.coming[request->who] > 0;
    if (hand_out(client, request) || !is_coming) {
        close(client);
        return;
    }
    if (pool.waiting.client)
        close(pool.waiting.client); /* it has given up */
    pool.waiting.client = client;
    pool.waiting.request = *request;
}

static void answer_waiting(void)
{
    const int client = pool.waiting.client;
    pool.waiting.client = 0;
    if (client)
        answer(client, &pool.waiting.request);
}

static void receive(int client, const struct message *m)
{
    if (m->what == NO_MORE)
        memset(pool.coming, 0, sizeof pool.coming);
    else if (m->is_early && pool.coming[m->who] > 0)
        pool.coming[m->who]--;
    if (m->what == GIVE && pool.n < MOST &&
        receive_all(client, &pool.who[pool.n], pool.fds[pool.n]))
        pool.n++;
    close(client);
    answer_waiting();
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
            close(client);
        else if (m.what == GIVE || m.what == NO_MORE)
            receive(client, &m);
        else
            answer(client, &m);
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
    struct message m = {.what = what, .who = j->who, .was_probed = may_be_probed};
    int fds[DESCRIPTORS];
    const int from = ask(&m);
    if (from >= 0)
        limit_wait(from);
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
    const struct message m = {GIVE, j->who, j->pid, j->was_probed, j->is_early};
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

static bool take_one(struct judged *j, enum what what, bool may_be_probed)
{
    while (is_for_pool(j) && take(j, what, may_be_probed)) {
        if (!judge_process_has_ended(j)) {
            judge_use_all_cpus(j->pid);
            return true;
        }
        judge_process_kill(j);
    }
    return false;
}

/* All at once: the end of a process with contexts takes 60 to 100 ms on an H200 (2026-11-29). */
void judge_pool_empty(void)
{
    struct judged all[MOST];
    int n = 0;
    for (; n < MOST; n++) {
        all[n] = (struct judged){.who = JUDGE_REFERENCE};
        if (!take(&all[n], TAKE_ANY, true))
            break;
        syscall(SYS_pidfd_send_signal, all[n].pidfd, SIGKILL, NULL, 0);
    }
    while (n-- > 0)
        judge_process_kill(&all[n]);
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
    if (!take_one(j, TAKE, may_be_probed))
        judge_process_start(j, is_for_pool(j));
    judge_greet(j);
}

/* One that was probed is exchanged before it is timed (pairs.c). */
void judge_process_take(struct judged *j)
{
    take_or_start(j, judge_simulated_times_nothing());
}

bool judge_process_take_probed(struct judged *j)
{
    if (!take_one(j, TAKE_PROBED, true))
        return false;
    judge_greet(j);
    return true;
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

/* ---- the process that fills the pool --------------------------------------------------------- */

/* Has it made its contexts? They may take 10 s. Its reply says nothing else. */
static bool answers(struct judged *j)
{
    return judge_send_greeting(j) &&
           poll(&(struct pollfd){.fd = j->channel, .events = POLLIN}, 1, 10000) > 0 &&
           wire_receive(j->channel, &j->reply, sizeof j->reply, MSG_DONTWAIT, NULL) ==
               (ssize_t)sizeof j->reply;
}

/* One more process with its contexts. False: it has none, or the suite has ended. */
static bool start_early(enum judge_who who)
{
    struct judged j = {.who = who, .is_early = true, .pidfd = -1};
    judge_process_start(&j, true);
    const bool is_given = answers(&j) && hand_over(&j);
    if (is_given)
        judge_process_close(&j);
    else
        judge_process_kill(&j);
    return is_given;
}

static bool is_early_too(enum judge_who who)
{
    return who == JUDGE_REFERENCE || judge_session->both;
}

/* The submission has one to be traced and one to be timed. The reference has two to be timed,
 * because a race has two pairs, and one to be traced; where a check has more races, one more. */
static const enum judge_who early[] = {JUDGE_SUBMISSION, JUDGE_REFERENCE, JUDGE_SUBMISSION,
                                       JUDGE_REFERENCE,  JUDGE_REFERENCE, JUDGE_REFERENCE};

static int n_early(void)
{
    const int all = sizeof early / sizeof early[0];
    return judge_session->devices > 1 ? all : all - 1;
}

/* Until a check, or another grading, waits for the GPU alone: after that a process takes as long in
 * the check that needs it. */
static void fill(void)
{
    const struct message no_more = {.what = NO_MORE};
    bool goes_on = true;
    for (int i = 0; i < n_early() && goes_on; i++)
        goes_on = !is_early_too(early[i]) || (judge_gpu_try_share() && start_early(early[i]));
    const int to = goes_on ? -1 : ask(&no_more);
    if (to >= 0)
        close(to);
}

/* Contexts take 130 to 190 ms each on an H200 (2026-11-29), the driver makes one at a time, and the
 * simulated device judges meanwhile. The filler shares the GPU while it makes them, so that a check
 * that times waits. It is no child of the suite's, and neither are its processes: Criterion waits
 * for its own. */
void judge_pool_fill(void)
{
    if (judge_session->pool_bytes == 0 || judge_session->debug[0] || !judge_gpu_try_share())
        return;
    for (int i = 0; i < n_early(); i++)
        pool.coming[early[i]] += is_early_too(early[i]);
    const pid_t pid = fork();
    if (pid == 0) {
        close(pool.listener);
        judge_gpu_share_apart();
        if (fork() == 0)
            fill();
        _exit(0);
    }
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

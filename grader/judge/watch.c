/* watch.c: waits for a subject: reads its output, checks its memory and threads, and keeps the time
 * limit. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "inside.h"

enum { LOOK_EVERY_MS = 50, SPIN_MS = 50, SECOND_MS = 1000, MOST_THREADS = 1024, MOST_READS = 64 };

static const uint64_t most_output_bytes = 64 << 20;

/* A process that takes so much memory in a second does hardly anything else. */
static const uint64_t fast_growth_bytes = 128 << 20;

static void write_all(int fd, const char *bytes, size_t n)
{
    for (ssize_t written; n > 0 && (written = write(fd, bytes, n)) > 0; n -= (size_t)written)
        bytes += written;
}

/* Everything, below a line for each check. */
static void write_output(struct session_output *o, const char *bytes, size_t n)
{
    static int fd;
    char line[SESSION_NAME + 16];
    if (fd == 0)
        fd = session_open_output();
    if (strcmp(o->last, judge_current->name) != 0) {
        snprintf(o->last, sizeof o->last, "%s", judge_current->name);
        write_all(fd, line, (size_t)snprintf(line, sizeof line, "---- in %s:\n", o->last));
    }
    write_all(fd, bytes, n);
}

/* The first check that printed anything is the one whose output a report shows. */
static void keep_output(struct judged *j, const char *bytes, size_t n)
{
    struct session_output *o = &judge_session->output;
    j->printed_bytes += n;
    if (j->who != JUDGE_SUBMISSION)
        return;
    write_output(o, bytes, n);
    if (!o->check[0])
        snprintf(o->check, sizeof o->check, "%s", judge_current->name);
    if (strcmp(o->check, judge_current->name) != 0)
        return;
    o->total_bytes += n;
    size_t room = sizeof o->kept - o->kept_bytes;
    if (n > room)
        n = room;
    memcpy(o->kept + o->kept_bytes, bytes, n);
    o->kept_bytes += n;
}

void judge_drain(struct judged *j)
{
    char bytes[65536];
    for (int i = 0; i < MOST_READS && j->output >= 0; i++) {
        ssize_t got = read(j->output, bytes, sizeof bytes);
        if (got > 0) {
            keep_output(j, bytes, (size_t)got);
            continue;
        }
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0 || errno != EAGAIN) {
            close(j->output);
            j->output = -1;
        }
        return;
    }
}

/* In kB, as /proc/PID/status says it. */
static uint64_t amount(const char *status, const char *name)
{
    const char *line = strstr(status, name);
    return line ? strtoull(line + strlen(name), NULL, 10) * 1024 : 0;
}

/* What /proc says of it: memory that it has taken in any way, and threads. Zeros where it has just
 * ended. */
static void look(pid_t pid, uint64_t *memory_bytes, unsigned *threads)
{
    char path[64], text[4096];
    *memory_bytes = 0;
    *threads = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    /* swapped memory, huge pages and page tables are not in the resident memory */
    *memory_bytes = amount(text, "\nVmRSS:") + amount(text, "\nVmSwap:") +
                    amount(text, "\nHugetlbPages:") + amount(text, "\nVmPTE:");
    const char *t = strstr(text, "\nThreads:");
    if (t)
        *threads = (unsigned)strtoul(t + 9, NULL, 10);
}

/* What a process took in the last second or two. */
struct growth {
    int64_t since_ns;
    uint64_t from_bytes, before_bytes; /* when this second and the one before began */
    uint64_t bytes;                    /* now */
};

static void see(struct growth *g, int64_t now_ns, uint64_t bytes)
{
    if (g->since_ns == 0)
        *g = (struct growth){now_ns, bytes, bytes, bytes};
    if (now_ns - g->since_ns >= SECOND_MS * INT64_C(1000000))
        *g = (struct growth){now_ns, bytes, g->from_bytes, bytes};
    g->bytes = bytes;
}

/* Enough to be the reason why it has not answered; else 0. */
static uint64_t fast_growth(const struct growth *g)
{
    return g->bytes > g->before_bytes + fast_growth_bytes ? g->bytes - g->before_bytes : 0;
}

/* 1: an answer, 0: none yet, -1: the channel is closed, -2: something else was written into it. */
static int take_reply(struct judged *j)
{
    struct wire_reply r;
    ssize_t got = wire_receive(j->channel, &r, sizeof r, MSG_DONTWAIT | MSG_TRUNC, NULL);
    if (got < 0 && errno == EAGAIN)
        return 0;
    if (got <= 0)
        return -1;
    bool ours = got == (ssize_t)sizeof r && r.magic == WIRE_REPLY_MAGIC &&
                memcmp(r.nonce, j->nonce, WIRE_NONCE) == 0;
    if (!ours || (r.seq != j->seq && r.outcome != WIRE_CRASHED) || !judge_may_read(&r))
        return -2;
    j->reply = r;
    return 1;
}

void judge_ask_place(struct judged *j)
{
    enum { PATIENCE_MS = 1000 };
    struct pollfd p = {.fd = j->channel, .events = POLLIN};
    memset(&j->reply.fault, 0, sizeof j->reply.fault);
    if (j->pid <= 0 || syscall(SYS_tgkill, j->pid, j->pid, WIRE_ASKS_PLACE) != 0 ||
        poll(&p, 1, PATIENCE_MS) <= 0 || take_reply(j) != 1 || j->reply.outcome != WIRE_LATE)
        memset(&j->reply.fault, 0, sizeof j->reply.fault);
}

/* CPU time that the process has used; 0: not known. */
static int64_t cpu_ns(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Since when it has made no call of the runtime, by its CPU time: a machine that is busy, or slow,
   changes nothing. What a call does, it does in the device, which has limits of its own. */
struct standstill {
    uint64_t calls;
    int64_t since_ns;
};

static bool stands_still(struct standstill *s, const struct judged *j, int64_t most_ns)
{
    const volatile struct wire_progress *p =
        (const void *)(j->blob + JUDGE_BLOB_BYTES - sizeof(struct wire_progress));
    const uint64_t calls = p->progress.calls;
    const int64_t now_ns = cpu_ns(j->pid);
    if (s->since_ns == 0 || !p->is_kept || p->progress.inside != 0 || calls != s->calls)
        *s = (struct standstill){calls, now_ns};
    return now_ns - s->since_ns > most_ns;
}

enum session_cause judge_watch(struct judged *j, double *limit_s)
{
    int64_t start_ns = session_now_ns(), next_look_ns = start_ns + LOOK_EVERY_MS * 1000000;
    const int64_t limit_ns = (int64_t)(*limit_s * 1e9), until_ns = start_ns + limit_ns;
    struct growth growth = {0};
    struct standstill standstill = {0};
    /* while a run is timed by our clock we do not sleep at first: waking up would be measured too
     */
    bool timed = j->request.op == WIRE_GO && judge_session->device == DEVICE_GPU;
    for (;;) {
        bool spinning = timed && session_now_ns() - start_ns < SPIN_MS * 1000000;
        struct pollfd p[2] = {{.fd = j->channel, .events = POLLIN},
                              {.fd = j->output, .events = POLLIN}};
        if (poll(p, 2, spinning ? 0 : LOOK_EVERY_MS) < 0 && errno != EINTR)
            judge_internal_error("waiting for a subject: %s", strerror(errno));
        if (p[1].revents)
            judge_drain(j);
        int answer = p[0].revents ? take_reply(j) : 0;
        if (answer > 0 && j->reply.outcome == WIRE_LATE) /* nobody has asked */
            return CAUSE_FORGED;
        if (answer != 0)
            return answer > 0 ? CAUSE_NONE : answer == -1 ? CAUSE_ENDED : CAUSE_FORGED;
        if (j->printed_bytes > most_output_bytes)
            return CAUSE_OUTPUT;
        int64_t now = session_now_ns();
        const bool is_endless = stands_still(&standstill, j, limit_ns / 2);
        if (is_endless)
            *limit_s /= 2;
        if (is_endless || now >= until_ns) {
            j->grown_bytes = fast_growth(&growth);
            return CAUSE_TIMEOUT;
        }
        if (now < next_look_ns)
            continue;
        next_look_ns = now + LOOK_EVERY_MS * 1000000;
        uint64_t memory_bytes;
        unsigned threads;
        look(j->pid, &memory_bytes, &threads);
        see(&growth, now, memory_bytes);
        if (threads > MOST_THREADS) /* and their stacks are memory */
            return CAUSE_THREADS;
        if (memory_bytes > judge_session->memory_bytes + j->buffers_bytes)
            return CAUSE_MEMORY;
    }
}

/*
 * subject.c: the program that a submission is linked into: takes one request at a time and answers
 * it.
 *
 * Nothing here defends itself: the submission shares this memory. The jail and the judge do that
 * from outside.
 */
#include "inside.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"

struct subject subject;

enum { LOOK_OUT_US = 2000 };

bool subject_send(void)
{
    ssize_t sent;
    do
        sent = send(WIRE_CHANNEL_FD, &subject.reply, sizeof subject.reply, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof subject.reply;
}

/*
 * Looks out for the next request for a while without going to sleep: to wake a sleeping core takes
 * longer than a short run does, and the judge's clock is running.
 */
static void look_out(void)
{
    struct pollfd p = {.fd = WIRE_CHANNEL_FD, .events = POLLIN};
    double until_us = clock_now_us() + LOOK_OUT_US;
    while (poll(&p, 1, 0) == 0 && clock_now_us() < until_us)
        ;
}

/* The next request and the descriptor beside it (-1: none). False where the judge has gone. */
static bool receive(struct wire_request *request, int *fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec iov = {request, sizeof *request};
    struct msghdr m = {.msg_iov = &iov,
                       .msg_iovlen = 1,
                       .msg_control = control.bytes,
                       .msg_controllen = sizeof control};
    ssize_t got;
    do
        got = recvmsg(WIRE_CHANNEL_FD, &m, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    *fd = -1;
    struct cmsghdr *c = got >= 0 ? CMSG_FIRSTHDR(&m) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(c), sizeof *fd);
    return got == (ssize_t)sizeof *request && request->magic == WIRE_REQUEST_MAGIC;
}

/* ---- for adapters ---------------------------------------------------------------------------- */

static _Noreturn void suite_mistake(const char *kind, const char *name)
{
    fprintf(stderr,
            "subject: the scenario has no %s named %s (a mistake in the suite or the adapter)\n",
            kind, name);
    exit(WIRE_EXIT_MISTAKE);
}

long subject_number(const struct subject *s, const char *name)
{
    for (uint32_t i = 0; i < s->scenario.n_numbers; i++)
        if (strcmp(s->scenario.numbers[i].name, name) == 0)
            return (long)s->scenario.numbers[i].value;
    suite_mistake("number", name);
}

static uint32_t buffer_index(const struct subject *s, const char *name)
{
    for (uint32_t i = 0; i < s->scenario.n_buffers; i++)
        if (strcmp(s->scenario.buffers[i].name, name) == 0)
            return i;
    suite_mistake("buffer", name);
}

void *subject_buffer(const struct subject *s, const char *name)
{
    return s->maps[buffer_index(s, name)].data;
}

size_t subject_buffer_bytes(const struct subject *s, const char *name)
{
    return s->scenario.buffers[buffer_index(s, name)].data_bytes;
}

void subject_value(struct subject *s, const char *name, double value)
{
    struct wire_reply *r = &s->reply;
    uint32_t i = 0;
    while (i < r->n_values && strcmp(r->values[i].name, name) != 0)
        i++;
    if (i == WIRE_VALUES)
        suite_mistake("room for a seventeenth value", name);
    if (i == r->n_values)
        r->n_values++;
    snprintf(r->values[i].name, sizeof r->values[i].name, "%s", name);
    r->values[i].value = value;
}

int subject_failed(struct subject *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->reply.message, sizeof s->reply.message, format, args);
    va_end(args);
    return 1;
}

/* ---- requests -------------------------------------------------------------------------------- */

static int hello(struct subject *s, int fd)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0)
        return subject_failed(s, "no shared memory came with the judge's first request");
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return subject_failed(s, "mapping the judge's memory: %s", strerror(errno));
    s->blob = p;
    s->blob_bytes = (size_t)st.st_size;
    return 0;
}

static int setup(struct subject *s, const struct wire_request *request, int fd)
{
    s->scenario = *request;
    int failed = subject_memory_map(s, fd);
    if (failed)
        return failed;
    s->up = true;
    return s->lab->setup(s);
}

static int teardown(struct subject *s)
{
    int failed = s->up ? s->lab->teardown(s) : 0;
    s->up = false;
    subject_memory_unmap(s);
    return failed;
}

static int go(struct subject *s, const struct wire_request *request)
{
    int failed = 0;
    if (request->traced && subject_trace_begin(s) != 0) {
        s->reply.outcome = WIRE_UNSUPPORTED;
        return 0;
    }
    if (request->traced &&
        !clock_is_virtual()) { /* trace.h: a first round is not like later ones */
        failed = s->lab->run(s);
        if (!failed && subject_trace_restart(s) != 0) {
            s->reply.outcome = WIRE_UNSUPPORTED;
            return 0;
        }
    }
    double start_us = clock_now_us();
    for (uint32_t i = 0; i < request->repeats && !failed; i++)
        failed = s->lab->run(s);
    s->reply.time_us = clock_now_us() - start_us;
    s->reply.is_virtual = (uint32_t)clock_is_virtual();
    if (request->traced && subject_trace_end(s) != 0 && !failed)
        s->reply.outcome = WIRE_UNSUPPORTED;
    return failed;
}

static int floor_times(struct subject *s)
{
    if (!s->lab->floor) {
        s->reply.outcome = WIRE_UNSUPPORTED;
        subject_failed(s, "the adapter of %s has no floor", s->lab->name);
        return 0;
    }
    return s->lab->floor(s);
}

static int graph(struct subject *s)
{
    if (!s->lab->graph) {
        s->reply.outcome = WIRE_UNSUPPORTED;
        subject_failed(s, "the adapter of %s shows no graph", s->lab->name);
        return 0;
    }
    return s->lab->graph(s);
}

static int obey(struct subject *s, const struct wire_request *request, int fd)
{
    switch ((enum wire_op)request->op) {
    case WIRE_HELLO:
        return hello(s, fd);
    case WIRE_SETUP:
        return setup(s, request, fd);
    case WIRE_ARM:
        return s->lab->arm ? s->lab->arm(s) : 0;
    case WIRE_GO:
        return go(s, request);
    case WIRE_COLLECT:
        return s->lab->collect ? s->lab->collect(s) : 0;
    case WIRE_FLOOR:
        return floor_times(s);
    case WIRE_GRAPH:
        return graph(s);
    case WIRE_TEARDOWN:
        return teardown(s);
    case WIRE_FINDINGS:
        if (subject_findings(s) != 0)
            s->reply.outcome = WIRE_UNSUPPORTED;
        return 0;
    }
    return subject_failed(
        s, "the judge asked for something unknown: build the suite and the subject together");
}

int subject_main(const struct subject_lab *lab)
{
    subject.lab = lab;
    subject_crash_install();
    subject_trace_prepare();
    struct wire_request request;
    int fd;
    while (receive(&request, &fd)) {
        memset(&subject.reply, 0, sizeof subject.reply);
        subject.reply.magic = WIRE_REPLY_MAGIC;
        subject.reply.seq = request.seq;
        memcpy(subject.reply.nonce, request.nonce, sizeof request.nonce);
        subject.reply.outcome = WIRE_DONE;
        if (obey(&subject, &request, fd) != 0)
            subject.reply.outcome = WIRE_FAILED;
        if (fd >= 0)
            close(fd);
        fflush(NULL);
        if (!subject_send())
            break;
        if ((request.op == WIRE_ARM || request.op == WIRE_GO) && !clock_is_virtual())
            look_out();
    }
    _exit(WIRE_EXIT_CHANNEL);
}

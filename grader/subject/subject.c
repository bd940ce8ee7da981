/* subject.c: the program that a submission is linked into: takes one request at a time and answers
 * it.
 *
 * Nothing here defends itself: the submission shares this memory. The jail and the judge do that
 * from outside. */
#include "bench.h"
#include "inside.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"

#pragma weak simgpu_count_computing
#pragma weak simgpu_fail_place
#pragma weak simgpu_setting_up
#pragma weak simgpu_show_progress

enum { LOOK_OUT_US = 2000 };

/* What the host may compute between the calls of a run before it takes virtual time. Runs of the
   solutions, adapters included, needed at most 1.4 ms of CPU time (lab 13; the others 0.75 ms, on
   two processors with 25 processes that wanted to run). On a slower machine it is more. */
static const double computes_ns = 8e6;

/* Looks out for the next request for a while without going to sleep: to wake a sleeping core takes
 * longer than a short run does, and the judge's clock is running. */
static void look_out(void)
{
    struct pollfd p = {.fd = WIRE_CHANNEL_FD, .events = POLLIN};
    double until_us = clock_now_us() + LOOK_OUT_US;
    while (poll(&p, 1, 0) == 0 && clock_now_us() < until_us)
        ;
}

/* ---- for adapters ---------------------------------------------------------------------------- */

static _Noreturn void mismatch(const char *buffer)
{
    struct wire_reply *r = &subject.reply;
    snprintf(r->failure.text, sizeof r->failure.text, "the scenario has no buffer named %s",
             buffer);
    r->outcome = WIRE_MISMATCH;
    wire_send(WIRE_CHANNEL_FD, r, sizeof *r, -1);
    _exit(WIRE_EXIT_CHANNEL);
}

const struct numbers *subject_numbers(const struct subject *s)
{
    return (const void *)s->scenario.numbers;
}

bool subject_unaided(const struct subject *s)
{
    return s->scenario.unaided;
}

bool subject_computes(const struct subject *s)
{
    return s->scenario.computes;
}

static uint32_t buffer_index(const struct subject *s, const char *name)
{
    for (uint32_t i = 0; i < s->scenario.n_buffers; i++)
        if (strcmp(s->scenario.buffers[i].name, name) == 0)
            return i;
    mismatch(name);
}

void *subject_buffer(const struct subject *s, const char *name)
{
    return s->maps[buffer_index(s, name)].data;
}

size_t subject_buffer_bytes(const struct subject *s, const char *name)
{
    return s->scenario.buffers[buffer_index(s, name)].data_bytes;
}

/* ---- requests -------------------------------------------------------------------------------- */

static int hello(struct subject *s, const struct wire_request *request, int fd)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0)
        return subject_fail(s, WIRE_OUT_OF_DATE, "");
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) {
        s->reply.failure.error.code = errno;
        return subject_fail(s, WIRE_SYSTEM_FAILED, "mapping the judge's memory");
    }
    if (s->blob) /* of the check before */
        munmap(s->blob, s->blob_bytes + sizeof(struct wire_progress));
    s->blob = p;
    s->blob_bytes = (size_t)st.st_size - sizeof(struct wire_progress);
    struct wire_progress *shown = (void *)(s->blob + s->blob_bytes);
    shown->is_kept = simgpu_show_progress != NULL;
    if (simgpu_show_progress)
        simgpu_show_progress(&shown->progress);
    if (request->whole_graphs)
        subject_trace_prepare();
    return 0;
}

/* Setup or a run. If it has such a place, the call there returns an error, which the submission
   must return, or ask for. */
static int call(struct subject *s, int (*function)(struct subject *), uint32_t place)
{
    if (place)
        simgpu_fail_place((int)place, cudaErrorMemoryAllocation);
    const int failed = function(s);
    if (place)
        s->reply.has_failed_call = (uint32_t)simgpu_fail_place(0, cudaSuccess);
    if (!s->reply.has_failed_call)
        return failed;
    subject_note_ignored(s);
    memset(&s->reply.failure, 0, sizeof s->reply.failure);
    if (s->reply.ignored.code == cudaErrorMemoryAllocation)
        return subject_failed(s, "The error of a call was not returned.");
    subject_forget_errors();
    return 0;
}

static int setup(struct subject *s, const struct wire_request *request, int fd)
{
    if (request->numbers_bytes != s->lab->numbers_bytes)
        return subject_fail(s, WIRE_OUT_OF_DATE, "");
    s->scenario = *request;
    subject_set_freedom(request->freedom);
    int failed = subject_memory_map(s, fd);
    if (failed)
        return failed;
    s->up = true;
    subject_forget_errors();
    bench_begin();
    if (simgpu_setting_up)
        simgpu_setting_up(1);
    failed = call(s, s->lab->setup, request->failing_place);
    if (simgpu_setting_up)
        simgpu_setting_up(0);
    bench_unwaited(s);
    return failed;
}

static int teardown(struct subject *s)
{
    int failed = s->up ? s->lab->teardown(s) : 0;
    s->up = false;
    bench_load_destroy();
    subject_memory_unmap(s);
    if (clock_is_virtual())
        subject_findings(s, false);
    return failed;
}

static int go(struct subject *s, const struct wire_request *request)
{
    int failed = 0;
    if (request->failing_place)
        return call(s, s->lab->run, request->failing_place);
    if (request->traced && subject_trace_begin(s) != 0)
        return 0;
    if (request->traced && !clock_is_virtual()) { /* trace.h: a first run is not like later ones */
        failed = s->lab->run(s);
        if (!failed && subject_trace_restart(s) != 0)
            return 0;
    }
    if (!s->lab->in_calls)
        subject_lineage_begin(s);
    const bool counts = simgpu_count_computing && !request->is_free;
    if (counts)
        simgpu_count_computing((int64_t)(computes_ns * subject_pace()));
    double start_us = clock_now_us();
    for (uint32_t i = 0; i < request->repeats && !failed; i++) {
        subject_lineage_run(s);
        failed = s->lab->run(s);
    }
    s->reply.time_us = clock_now_us() - start_us;
    if (counts)
        s->reply.computed_ns = simgpu_count_computing(-1);
    s->reply.is_virtual = (uint32_t)clock_is_virtual();
    if (clock_is_virtual() || !subject_unaided(s))
        subject_report(s, OWN_BYTES, bench_own_bytes());
    if (!failed && !s->lab->in_calls)
        subject_lineage_end(s);
    if (!failed && !s->lab->collect)
        subject_lineage_collected(s);
    if (request->traced && !failed)
        failed = subject_trace_end(s);
    return failed;
}

static int collect(struct subject *s)
{
    const int failed = s->lab->collect ? s->lab->collect(s) : 0;
    if (!failed && s->lab->collect)
        subject_lineage_collected(s);
    return failed;
}

static int obey(struct subject *s, const struct wire_request *request, int fd)
{
    switch ((enum wire_op)request->op) {
    case WIRE_HELLO:
        return hello(s, request, fd);
    case WIRE_SETUP:
        return setup(s, request, fd);
    case WIRE_ARM:
        return s->lab->arm ? s->lab->arm(s) : 0;
    case WIRE_GO:
        return go(s, request);
    case WIRE_COLLECT:
        return collect(s);
    case WIRE_FLOOR:
        return s->lab->floor ? s->lab->floor(s)
                             : subject_unsupported(s, WIRE_NO_FLOOR, s->lab->name);
    case WIRE_GRAPH:
        return s->lab->graph ? s->lab->graph(s)
                             : subject_unsupported(s, WIRE_NO_GRAPH, s->lab->name);
    case WIRE_TEARDOWN:
        return teardown(s);
    case WIRE_FINDINGS:
    case WIRE_FINDINGS_SO_FAR:
        subject_findings(s, request->op == WIRE_FINDINGS);
        return 0;
    }
    return subject_fail(s, WIRE_OUT_OF_DATE, "");
}

/* The next request, whole; false where the judge has gone. */
static bool receive(struct wire_request *request, int *fd)
{
    return wire_receive(WIRE_CHANNEL_FD, request, sizeof *request, 0, fd) ==
               (ssize_t)sizeof *request &&
           request->magic == WIRE_REQUEST_MAGIC;
}

void subject_serve(const struct subject_lab *lab)
{
    subject.lab = lab;
    setvbuf(stdout, NULL, _IONBF, 0); /* in order with stderr; a process that dies loses nothing */
    subject_name_own_code();
    struct wire_request request;
    int fd;
    while (receive(&request, &fd)) {
        memset(&subject.reply, 0, sizeof subject.reply);
        subject.reply.magic = WIRE_REPLY_MAGIC;
        subject.reply.seq = request.seq;
        memcpy(subject.reply.nonce, request.nonce, sizeof request.nonce);
        int failed = obey(&subject, &request, fd);
        if (request.op != WIRE_GO) /* that is timed, and WIRE_COLLECT follows */
            failed |= subject_alone_check(&subject) | subject_red_zone_check(&subject);
        if (failed)
            subject.reply.outcome = WIRE_FAILED;
        subject_note_ignored(&subject);
        if (fd >= 0)
            close(fd);
        fflush(NULL);
        if (!wire_send(WIRE_CHANNEL_FD, &subject.reply, sizeof subject.reply, -1))
            break;
        if ((request.op == WIRE_ARM || request.op == WIRE_GO) && !clock_is_virtual())
            look_out();
    }
}

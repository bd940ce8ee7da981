/* ask.c: a request to a subject, and its reply. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "inside.h"

static int make_blob(struct judged *j)
{
    int fd = memfd_create("grade-blob", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, JUDGE_BLOB_BYTES) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        judge_internal_error("no shared memory for a subject: %s", strerror(errno));
    void *p = mmap(NULL, JUDGE_BLOB_BYTES, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        judge_internal_error("mapping a subject's shared memory: %s", strerror(errno));
    j->blob = p;
    return fd;
}

static bool send_request(struct judged *j, enum wire_op op, int fd)
{
    j->request.magic = WIRE_REQUEST_MAGIC;
    j->request.op = op;
    j->request.seq = ++j->seq;
    memcpy(j->request.nonce, j->nonce, sizeof j->nonce);
    return wire_send(j->channel, &j->request, sizeof j->request, fd);
}

static void choose_nonce(struct judged *j)
{
    if (getrandom(j->nonce, sizeof j->nonce, 0) != (ssize_t)sizeof j->nonce)
        judge_internal_error("no random numbers: %s", strerror(errno));
}

void judge_greet(struct judged *j)
{
    choose_nonce(j);
    int blob = make_blob(j);
    j->request.whole_graphs = j->whole_graphs;
    judge_ask(j, WIRE_HELLO, blob);
    close(blob);
}

bool judge_send_greeting(struct judged *j)
{
    choose_nonce(j);
    const int blob = make_blob(j);
    const bool is_sent = send_request(j, WIRE_HELLO, blob);
    close(blob);
    return is_sent;
}

/* It has ended, or will in a moment; or it only does not listen any more. */
static _Noreturn void end_of(struct judged *j, double limit_s)
{
    int wait_status;
    if (!judge_process_end(j, 0.5, &wait_status))
        judge_stopped(j, CAUSE_DEAF, limit_s);
    judge_died(j, wait_status);
}

FILE *judge_open_blob(struct judged *j, char **text)
{
    const size_t n = (size_t)j->reply.blob_bytes; /* judge_may_read */
    *text = malloc(n + 1);
    if (!*text)
        judge_internal_error("out of memory for a text of %zu bytes", n);
    memcpy(*text, j->blob, n);
    return n ? fmemopen(*text, n, "r") : NULL;
}

/* How long the next request may take: the lab's limit; much less once one has run into it, so that
 * a grading of a submission that hangs everywhere ends in total_s. */
static double time_allowed_s(void)
{
    int64_t now = session_now_ns();
    if (judge_session->debug[0])
        return SESSION_DEBUG_S;
    double limit_s = judge_session->limit_s,
           left_s = (double)(judge_session->deadline_ns - now) / 1e9;
    if (judge_session->n_hangs > 0) {
        double elapsed_s = (double)(now - judge_session->started_ns) / 1e9;
        if (left_s > judge_session->total_s - elapsed_s)
            left_s = judge_session->total_s - elapsed_s;
        limit_s /= 4;
    }
    return limit_s < left_s ? limit_s : left_s;
}

void judge_ask(struct judged *j, enum wire_op op, int fd)
{
    double limit_s = time_allowed_s();
    if (limit_s < 0.25) {
        judge_next("fix the check that ran into the time limit, then grade again");
        judge_fail("not run: waiting for an earlier check used up the time of this grading");
    }
    const bool is_sent = send_request(j, op, fd);
    enum session_cause cause = is_sent ? judge_watch(j, &limit_s) : CAUSE_ENDED;
    if (j->who == JUDGE_SUBMISSION) {
        judge_current->ignored = j->reply.ignored;
        judge_notes_keep(&j->reply);
    }
    if (cause == CAUSE_ENDED || (cause == CAUSE_NONE && j->reply.outcome == WIRE_CRASHED))
        end_of(j, limit_s);
    if (cause != CAUSE_NONE)
        judge_stopped(j, cause, limit_s);
    if (j->reply.outcome == WIRE_MISMATCH)
        judge_mismatch(j);
    if (j->reply.outcome == WIRE_FAILED)
        judge_failed(j);
}

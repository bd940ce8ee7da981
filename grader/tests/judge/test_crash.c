/* test_crash.c: what a subject of lab 00 says when it dies of its own fault. No judge and no jail
 * are in between, so this runs where the judge does not, for example under an emulator. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab00/exchange.h"
#include "judge/inside.h"

static const struct judge_scenario small = {LAB00_SMALL};

static struct judged j = {.scenario = &small};
static char subject[256];

static void ask(enum wire_op op, int fd)
{
    j.request.magic = WIRE_REQUEST_MAGIC;
    j.request.op = op;
    j.request.seq = ++j.seq;
    j.request.repeats = 1;
    cr_assert(wire_send(j.channel, &j.request, sizeof j.request, fd));
    cr_assert_eq(wire_receive(j.channel, &j.reply, sizeof j.reply, 0, NULL), sizeof j.reply);
}

static void start(const char *submission)
{
    int channel[2];
    ssize_t n = readlink("/proc/self/exe", subject, sizeof subject - 64);
    cr_assert_gt(n, 0);
    for (int up = 0; up < 3; up++)
        *strrchr(subject, '/') = 0; /* grader/tests/test_crash */
    snprintf(subject + strlen(subject), 64, "/sim/lab00/%s", submission);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, channel), 0);
    j.pid = fork();
    if (j.pid == 0) {
        dup2(channel[1], WIRE_CHANNEL_FD);
        execl(subject, subject, (char *)NULL);
        _exit(1);
    }
    close(channel[1]);
    j.channel = channel[0];
}

/* Its line, without the folder. */
static void find_line(char *line, size_t bytes)
{
    char command[512], answer[512] = "";
    const char *tool = getenv("ADDR2LINE");
    snprintf(command, sizeof command, "%s -e %s %#llx", tool ? tool : "addr2line", subject,
             (unsigned long long)j.reply.fault.instruction);
    FILE *f = popen(command, "r");
    cr_assert(f && fgets(answer, sizeof answer, f));
    pclose(f);
    answer[strcspn(answer, " \n")] = '\0';
    const char *slash = strrchr(answer, '/');
    snprintf(line, bytes, "%s", slash ? slash + 1 : answer);
}

struct crash {
    char submission[16], line[32]; /* the beginning of the line */
    int buffer;
    bool write, stack;
};

ParameterizedTestParameters(crash, says_where_it_was_and_what_it_did)
{
    static struct crash all[] = {
        {"null_pointer", "null_pointer.c:8", -1, false, false},
        {"fills_beyond", "fills_beyond.c:9", 1, true, false},
        {"overruns", "overruns.c:7", 1, true, false},
        {"writes_input", "writes_input.c:7", 0, true, false},
        {"recurses", "recurses.c:", -1, true, true},
    };
    return cr_make_param_array(struct crash, all, sizeof all / sizeof all[0]);
}

ParameterizedTest(struct crash *c, crash, says_where_it_was_and_what_it_did)
{
    int status;
    char line[64];
    const struct wire_fault *f = &j.reply.fault;
    start(c->submission);
    const int memory = judge_memory_make(&j);
    j.request.numbers_bytes = sizeof(struct numbers);
    memcpy(j.request.numbers, small.numbers, sizeof(struct numbers));
    for (int i = 0; i < j.n_buffers; i++)
        j.request.buffers[i] = j.buffers[i].wire;
    j.request.n_buffers = (uint32_t)j.n_buffers;
    ask(WIRE_SETUP, memory);
    cr_assert_eq(j.reply.outcome, WIRE_DONE);
    ask(WIRE_GO, -1);
    cr_assert_eq(j.reply.outcome, WIRE_CRASHED);
    cr_expect_eq(f->signal, SIGSEGV, "%d", f->signal);
    cr_expect_eq(f->buffer, c->buffer, "%s: %d", c->submission, f->buffer);
    cr_expect_eq(f->stack, c->stack, "%s", c->submission);
    if (!getenv("NO_SYNDROME")) /* an emulator of 64-bit Arm does not say what the access was */
        cr_expect_eq(f->write, c->write, "%s", c->submission);
    find_line(line, sizeof line);
    cr_expect(strncmp(line, c->line, strlen(c->line)) == 0, "%s: %s", c->submission, line);
    cr_expect_eq(waitpid(j.pid, &status, 0), j.pid);
    cr_expect(WIFSIGNALED(status));
    judge_memory_free(&j);
}

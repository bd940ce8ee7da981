/* judge_death.c: a subject that ended, hung or broke its bounds, in words for the learner. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "inside.h"

enum { NULL_PAGE = 65536 };

#ifndef SEGV_PKUERR
#define SEGV_PKUERR 4
#endif

/* What the subject was doing. */
const char *judge_stage(const struct judge *j)
{
    switch ((enum wire_op)j->request.op) {
    case WIRE_HELLO:
        return "before main (in a constructor)";
    case WIRE_SETUP:
        return "in setup";
    case WIRE_ARM:
    case WIRE_GO:
    case WIRE_COLLECT:
        return "during a run";
    case WIRE_FLOOR:
        return "while the floor was measured";
    case WIRE_GRAPH:
        return "while its graph was looked at";
    case WIRE_TEARDOWN:
        return "in teardown";
    case WIRE_FINDINGS:
        return "after teardown";
    }
    return "at some point";
}

static void blame_buffer(const struct judge *j, const struct wire_fault *f)
{
    const struct wire_buffer *b = &j->buffers[f->buffer].wire;
    const char *verb = f->write ? "wrote" : "read";
    long long end = (long long)b->data_bytes;
    judge_seen("a fault at byte %lld of %s, which has %lld bytes", (long long)f->offset, b->name,
               end);
    if (f->offset < 0) {
        judge_next("look for an index that can be negative");
        judge_fail("the submission %s in front of the buffer %s %s", verb, b->name, judge_stage(j));
    }
    if (f->offset >= end) {
        judge_next(
            "look at the loop bounds and the byte counts: elements or bytes, all batches or one?");
        judge_fail("the submission %s past the end of the buffer %s %s", verb, b->name,
                   judge_stage(j));
    }
    judge_next("write to memory of your own; %s belongs to the caller", b->name);
    judge_fail("the submission wrote to the input %s %s: inputs are read-only", b->name,
               judge_stage(j));
}

static void blame_address(const struct judge *j, const struct wire_fault *f)
{
    if (f->code == SI_KERNEL)
        judge_seen("%s at an address that no pointer can have", strsignal(f->signal));
    else
        judge_seen("%s at address 0x%llx", strsignal(f->signal), (unsigned long long)f->address);
    if (f->stack) {
        judge_next("look for endless recursion, or large arrays among the local variables");
        judge_fail("the submission ran out of stack %s", judge_stage(j));
    }
    if (f->code == SI_KERNEL) { /* the CPU does not say which address it was */
        judge_next(
            "look for a pointer that was computed from a wrong size or index, or that a copy "
            "which is too long has overwritten");
        judge_fail("the submission followed a wild pointer %s", judge_stage(j));
    }
    if (f->address < NULL_PAGE) {
        judge_next("look for a pointer that was never set, or an allocation whose failure was not "
                   "checked");
        judge_fail("the submission followed a null pointer %s", judge_stage(j));
    }
    if (f->code == SEGV_PKUERR) {
        judge_next("copy with cudaMemcpyAsync instead; and where a kernel's arguments are listed "
                   "(kernelParams), each entry is the address of an argument, not the argument");
        judge_fail("host code touched device memory %s: a pointer from cudaMalloc means nothing to "
                   "the CPU",
                   judge_stage(j));
    }
    judge_next("is it a device pointer, or one that was freed, or an index that is out of range?");
    judge_fail("the submission crashed %s: it touched memory that is not its own", judge_stage(j));
}

static _Noreturn void blame_signal(struct judge *j, int number)
{
    const struct wire_fault *f = &j->reply.fault;
    bool known = j->reply.outcome == WIRE_CRASHED && f->signal == number;
    if (known && (number == SIGSEGV || number == SIGBUS)) {
        if (f->buffer >= 0 && f->buffer < j->n_buffers)
            blame_buffer(j, f);
        blame_address(j, f);
    }
    judge_seen("the program ended by signal %d (%s)", number, strsignal(number));
    judge_wanted("functions that return");
    switch (number) {
    case SIGABRT:
        judge_next("read what it printed: abort and assert come with a message");
        judge_fail("the submission aborted %s", judge_stage(j));
    case SIGXFSZ:
        judge_next("print with printf instead");
        judge_fail("the submission wrote a file %s: a subject may not", judge_stage(j));
    case SIGSEGV:
    case SIGBUS:
        judge_next("build it with -fsanitize=address into a program of your own");
        judge_fail("the submission crashed %s: it touched memory that is not its own",
                   judge_stage(j));
    default:
        judge_next("take out what ends the program");
        judge_fail("the program was ended by %s %s", strsignal(number), judge_stage(j));
    }
}

void judge_deaf(struct judge *j)
{
    judge_next("close only descriptors that you opened");
    judge_fail("the submission closed or replaced file descriptors that are not its own %s",
               judge_stage(j));
}

void judge_died(struct judge *j, int wait_status)
{
    if (j->who == JUDGE_REFERENCE)
        judge_trouble("the reference solution died %s (wait status 0x%x)", judge_stage(j),
                      (unsigned)wait_status);
    if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) != SIGKILL)
        blame_signal(j, WTERMSIG(wait_status));
    if (WIFSIGNALED(wait_status)) {
        judge_next(
            "take out what kills the process, or look whether the machine ran out of memory");
        judge_fail("the program was killed (SIGKILL) %s: the submission did it, or the system did",
                   judge_stage(j));
    }
    int code = WEXITSTATUS(wait_status);
    if (code == WIRE_EXIT_CHANNEL)
        judge_deaf(j);
    if (code == WIRE_EXIT_MISTAKE)
        judge_trouble("suite and adapter of this lab do not fit together: %.*s",
                      (int)judge_session->output.kept_bytes, judge_session->output.kept);
    judge_seen("the program ended with exit code %d", code);
    judge_wanted("functions that return");
    judge_next("read what it printed, at the end of this report: CHECK names the call that failed; "
               "mend that, and return an error instead of calling exit");
    judge_fail("the submission ended the program %s: nothing is graded that way", judge_stage(j));
}

void judge_gave_up(struct judge *j, enum judge_event why, double limit_s)
{
    const char *stage = judge_stage(j);
    judge_process_kill(j);
    if (j->who == JUDGE_REFERENCE)
        judge_trouble("the reference solution did not answer %s within %.1f s", stage, limit_s);
    switch (why) {
    case EVENT_TIMEOUT:
        judge_session->n_hangs++;
        judge_seen("nothing for %.1f s", limit_s);
        if (judge_lab->endless && j->request.op == WIRE_GO) {
            judge_next(
                "end it after a few rounds, for the moment: then what the kernels print can be "
                "seen (printf works in them)");
            judge_fail("the submission did not return %s: it was stopped at the time limit. %s",
                       stage, judge_lab->endless);
        }
        judge_next(
            "look for a loop without an end, or a wait for work that was never put in a stream");
        judge_fail("the submission did not return %s: it was stopped at the time limit", stage);
    case EVENT_OUTPUT:
        judge_seen("more than 64 MiB printed");
        judge_next("take the printing out of the loop");
        judge_fail("the submission printed without end %s", stage);
    case EVENT_MEMORY:
        judge_seen("more than %llu MiB in use",
                   (unsigned long long)judge_session->memory_bytes >> 20);
        judge_next("allocate what the lab needs, once, in setup");
        judge_fail("the submission used more host memory than it may %s", stage);
    case EVENT_THREADS:
        judge_next("labs need no threads of their own unless they say so");
        judge_fail("the submission started more threads than it may %s", stage);
    default:
        judge_seen("a message that the grader's own code did not send");
        judge_next("write only to descriptors that you opened");
        judge_fail("the submission wrote into the grader's channel %s", stage);
    }
}

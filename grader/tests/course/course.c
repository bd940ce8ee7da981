/* course.c: the whole course as one suite: what `make test` runs last, and whose closing line
 * counts it all.
 *
 * Each test is a command that must succeed: a test program, a submission whose verdict is known, a
 * build with sanitizers. The Makefile writes the list, COURSE(suite, name, command), to
 * build/grader/gen/course.inc. What a command says is kept in build/grader/log/NAME.log, and the
 * end of it is shown when it fails.
 *
 *     build/grader/course --filter 'course/audit_*' */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* of all gradings: a test that passes on one machine passes on the next */
#define SEED "GRADE_SEED=1"

enum { TAIL_BYTES = 6000, LIMIT_S = 600, SANITIZED_LIMIT_S = 200, FULL_LIMIT_S = 1800 };

/* The last lines of a file, at most TAIL_BYTES of them. */
static const char *end_of(const char *path)
{
    static char text[TAIL_BYTES + 1];
    FILE *f = fopen(path, "r");
    if (!f)
        return "(nothing)";
    fseek(f, 0, SEEK_END);
    long size = ftell(f), from = size > TAIL_BYTES ? size - TAIL_BYTES : 0;
    fseek(f, from, SEEK_SET);
    text[fread(text, 1, TAIL_BYTES, f)] = 0;
    fclose(f);
    const char *line = from ? strchr(text, '\n') : NULL;
    return line ? line + 1 : text;
}

/* Into the last line of the log. */
static void note_cost(const char *name, const char *log)
{
    struct rusage u;
    FILE *to = fopen(log, "a");
    if (!to || getrusage(RUSAGE_CHILDREN, &u) != 0)
        return;
    fprintf(to, "%.1f s of processor time: %s\n",
            (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6,
            name);
    fclose(to);
}

/* Criterion has a thread of its own, and it and the judge fork and allocate before exec.
 * AddressSanitizer's allocator waits for ever in such a process if that thread allocated at the
 * moment of the fork: it takes its locks before a fork only from LLVM 18 on
 * (https://github.com/llvm/llvm-project/pull/75290), so not in GCC 14. What hangs for another
 * reason hangs in all tries. */
static bool may_hang(const char *name)
{
    return strncmp(name, "sanitized_", strlen("sanitized_")) == 0;
}

/* By `timeout`, whose second signal is SIGKILL. */
static bool was_late(int status)
{
    return WIFEXITED(status) &&
           (WEXITSTATUS(status) == 124 || WEXITSTATUS(status) == 128 + SIGKILL);
}

static void run(const char *name, const char *command)
{
    char log[256], line[4096];
    const char *full = getenv("FULL");
    const int limit_s = full && *full ? FULL_LIMIT_S : may_hang(name) ? SANITIZED_LIMIT_S : LIMIT_S;
    snprintf(log, sizeof log, "build/grader/log/%s.log", name);
    /* what it starts is to find neither make's nor Criterion's own messages in its environment */
    int n = snprintf(line, sizeof line,
                     "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BXFI_MAP " SEED
                     " timeout -k 5 %d %s >%s 2>&1 </dev/null",
                     limit_s, command, log);
    cr_assert(n < (int)sizeof line, "%s: the command is too long", name);
    int status = system(line);
    for (int i = 0; i < 2 && was_late(status) && may_hang(name); i++)
        status = system(line);
    note_cost(name, log);
    if (status == 0)
        return;
    if (was_late(status))
        cr_assert(false, "%s was not done after %d s; the end of %s:\n%s", command, limit_s, log,
                  end_of(log));
    else
        cr_assert(false, SEED " %s failed; the end of %s:\n%s", command, log, end_of(log));
}

#define COURSE(suite, name, command)                                                               \
    Test(suite, name)                                                                              \
    {                                                                                              \
        run(#name, command);                                                                       \
    }
#include "course.inc"

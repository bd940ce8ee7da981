/* commands.h: for tests of what a user types: shell commands and what they say, in a copy of the
 * checkout that all tests of the program share. Submissions are made in a scratch directory. */
#pragma once

#include "shared_copy.h"

enum { TEXT = 64 * 1024, ANY = -2 /* status */ };

/* One command that has run. */
static struct {
    int status;
    char said[TEXT]; /* stdout and stderr */
} ran;

ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    (void)tests;
    checkout_enter();
    checkout_copy(copy);
    if (system("for s in leaks milliseconds memcpy_from_device; do echo "
               "build/known/lab01/$s/lab.c; done | xargs make >/dev/null"))
        exit(1); /* make has said why */
}

/* build/lab01 is the lab that was built last, by whichever test of the program: they take turns. */
static inline void begin(void)
{
    take_turn();
    unsetenv("SIMGPU_PROFILE");
    cr_assert(mkdtemp(scratch));
}

/* A link that leads nowhere would keep ./grade from building the learner's own lab. */
static inline void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s; find build -maxdepth 1 -xtype l -delete",
             scratch);
    cr_assert_eq(system(command), 0);
}

static inline void expect_status(int status)
{
    cr_assert_eq(ran.status, status, "exit status %d, not %d:\n%s", ran.status, status, ran.said);
}

/* Runs a shell command with $S for the scratch directory. It must end with this status. */
static inline void run(int status, const char *command)
{
    char line[4096];
    cr_assert(snprintf(line, sizeof line, "exec 2>&1 </dev/null; S=%s; %s", scratch, command) <
              (int)sizeof line);
    FILE *p = popen(line, "r");
    cr_assert(p);
    ran.said[fread(ran.said, 1, TEXT - 1, p)] = 0;
    int ended = pclose(p);
    ran.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    if (status != ANY)
        expect_status(status);
}

static inline void expect_said(const char *words)
{
    cr_assert(strstr(ran.said, words), "\"%s\" was not said, but:\n%s", words, ran.said);
}

static inline void expect_not_said(const char *words)
{
    cr_assert(!strstr(ran.said, words), "\"%s\" was said:\n%s", words, ran.said);
}

/* Runs the commands with bash, after the definitions; both know $S. */
static inline void run_defined(const char *definitions, const char *commands)
{
    char path[64], line[128];
    snprintf(path, sizeof path, "%s/script", scratch);
    FILE *to = fopen(path, "w");
    cr_assert(to);
    fprintf(to, "export PATH=$PWD/build/deps/bin:$PATH S=%s\n%s\n%s\n", scratch, definitions,
            commands);
    cr_assert_eq(fclose(to), 0);
    snprintf(line, sizeof line, "bash %s", path);
    run(ANY, line);
}

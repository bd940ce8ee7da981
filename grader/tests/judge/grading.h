/* grading.h: for tests of ./grade with lab 00 (grader/tests/judge/lab00/): runs it on a submission
 * of grader/tests/judge/hostile/, built as build/sim/lab00/NAME, and looks for processes and files
 * that are left. */
#pragma once

#include <criterion/criterion.h>
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/session.h"

enum { TEXT = 64 * 1024 };

/* One ./grade that has run. */
struct graded {
    int status; /* exit status, or -signal */
    double seconds;
    char out[TEXT];  /* stdout and stderr */
    char json[TEXT]; /* what it wrote to --json, empty if nothing */
};

static char build[PATH_MAX]; /* the build that holds this test */
static char grade[PATH_MAX];
static char scratch[64];   /* a directory of this test: TMPDIR of the grading, and the JSON */
static char temporary[80]; /* in it */
static struct graded g;

static inline void find_build(void)
{
    ssize_t n = readlink("/proc/self/exe", build, sizeof build - 1);
    cr_assert(n > 0);
    build[n] = 0;
    for (int up = 0; up < 3; up++)
        *strrchr(build, '/') = 0; /* grader/tests/test_judge */
    snprintf(grade, sizeof grade, "%.4000s/grader/grade", build);
    if (access(grade, X_OK) != 0)
        snprintf(grade, sizeof grade, "%.4000s/../grade", build);
    cr_assert(access(grade, X_OK) == 0, "no ./grade beside %s: make test builds it", build);
}

static inline void begin(void)
{
    find_build();
    strcpy(scratch, "/tmp/test-judge-XXXXXX");
    cr_assert(mkdtemp(scratch));
    snprintf(temporary, sizeof temporary, "%s/tmp", scratch);
    cr_assert(mkdir(temporary, 0777) == 0);
    setenv("TMPDIR", temporary, 1);
    unsetenv("NO_COLOR");
}

static inline void end(void)
{
    char command[256];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", scratch, scratch);
    cr_assert(system(command) == 0);
}

/* ---- running ./grade ------------------------------------------------------------------------- */

static inline double now(void)
{
    return (double)session_now_ns() / 1e9;
}

static inline void read_all(const char *path, char text[TEXT])
{
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, TEXT - 1, f) : 0;
    text[n] = 0;
    if (f)
        fclose(f);
}

static inline int status_of(int wait_status)
{
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -WTERMSIG(wait_status);
}

/* Runs the shell command line, with %G for ./grade and %J for the JSON file; fills g. */
static inline void run(const char *format)
{
    char command[3 * PATH_MAX] = "{ ", json[128], out[128];
    snprintf(json, sizeof json, "%s/report.json", scratch);
    snprintf(out, sizeof out, "%s/out", scratch);
    for (const char *c = format; *c; c++) {
        size_t used = strlen(command), room = sizeof command - used;
        if (c[0] == '%' && c[1] == 'G')
            snprintf(command + used, room, "%s", grade);
        else if (c[0] == '%' && c[1] == 'J')
            snprintf(command + used, room, "%s", json);
        else if (c[0] == '%' && c[1] == 'B')
            snprintf(command + used, room, "%s", build);
        else if (c[0] == '%' && c[1] == 'S')
            snprintf(command + used, room, "%s", scratch);
        else {
            snprintf(command + used, room, "%c", *c);
            continue;
        }
        c++;
    }
    size_t used = strlen(command);
    snprintf(command + used, sizeof command - used, "; } >%s 2>&1", out);
    unlink(json);
    double start = now();
    g.status = status_of(system(command));
    g.seconds = now() - start;
    read_all(out, g.out);
    read_all(json, g.json);
}

/* "": all checks */
static inline void grade_check(const char *name, const char *check)
{
    char command[256];
    snprintf(command, sizeof command, "%%G lab00 %s --subject %%B/sim/lab00/%s --json %%J", check,
             name);
    run(command);
}

static inline void grade_subject(const char *name)
{
    grade_check(name, "");
}

/* jq's answer to the filter over the JSON is true. */
static inline bool json_says(const char *filter)
{
    char command[1024];
    snprintf(command, sizeof command, "jq -e '%s' %s/report.json >%s/jq 2>&1", filter, scratch,
             scratch);
    return system(command) == 0;
}

/* The first entry of the directory for which `is_it` says so; an empty string: none. */
static inline void find_entry(const char *directory, bool (*is_it)(const char *name),
                              char name[NAME_MAX + 1])
{
    DIR *d = opendir(directory);
    name[0] = 0;
    for (struct dirent *e; !name[0] && (e = readdir(d)) != NULL;)
        if (is_it(e->d_name))
            strcpy(name, e->d_name);
    closedir(d);
}

/* Subjects run in a directory in this test's TMPDIR, whether that is still there or not. */
static inline bool is_subject(const char *pid)
{
    char link[NAME_MAX + 16], target[PATH_MAX];
    snprintf(link, sizeof link, "/proc/%s/cwd", pid);
    ssize_t n = readlink(link, target, sizeof target - 1);
    target[n > 0 ? n : 0] = 0;
    return strncmp(target, temporary, strlen(temporary)) == 0;
}

static inline bool is_file(const char *name)
{
    return name[0] != '.';
}

static inline void expect_nothing_left(void)
{
    char process[NAME_MAX + 1], file[NAME_MAX + 1];
    for (int i = 0; i < 100; i++) {
        find_entry("/proc", is_subject, process);
        find_entry(temporary, is_file, file);
        if (!process[0] && !file[0])
            return;
        usleep(20000);
    }
    cr_assert_fail("left: process %s, %s in TMPDIR", process, file);
}

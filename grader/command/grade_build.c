/* grade_build.c: make labNN for the learner's own lab. Its words go to stderr, without those that
 * say nothing to a learner: if much is built, a line for each file becomes one line of progress,
 * and the last word of a make that failed is left out. V=1 shows all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"

static _Noreturn void become_make(const struct grade *g, const char *dry, int to)
{
    char device[32] = "";
    const char *argv[9] = {"make", "--no-print-directory", "-C", g->root, g->lab, "GRADING=1"};
    int n = 6;
    if (g->device_option) {
        snprintf(device, sizeof device, "DEVICE=%s", g->device_option);
        argv[n++] = device;
    }
    argv[n] = dry;
    unsetenv("MAKEFLAGS"); /* of a make that runs ./grade: this one has its own arguments */
    unsetenv("MAKELEVEL");
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    execvp("make", (char *const *)argv);
    fprintf(stderr, "make could not be started: %s. Next: install make, or run it yourself\n",
            strerror(errno));
    _exit(127);
}

static pid_t start_make(const struct grade *g, const char *dry, FILE **said)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        become_make(g, dry, ends[1]);
    }
    close(ends[1]);
    *said = fdopen(ends[0], "r");
    return pid;
}

/* The exit status of make. */
static int end_make(pid_t pid, FILE *said)
{
    int status;
    if (said)
        fclose(said);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* How many files make would build. */
static int count_files(const struct grade *g)
{
    char *line = NULL;
    size_t room = 0;
    int n = 0;
    FILE *said = NULL;
    const pid_t pid = start_make(g, "-n", &said);
    while (pid > 0 && said && getline(&line, &room, said) > 0)
        n += begins(line, "echo '  ");
    free(line);
    if (pid > 0)
        end_make(pid, said);
    return n;
}

/* A line of make: "  cc common/clock.c" is a file that it builds. */
static void pass_on(const char *line, int *built, int files)
{
    const bool is_terminal = isatty(STDERR_FILENO);
    if (begins(line, "make: ") || begins(line, "make["))
        return;
    if (files == 0 || !begins(line, "  ") || line[2] == ' ' || line[2] == '|') {
        if (*built && is_terminal)
            fputs("\r\033[K", stderr);
        *built = 0;
        fputs(line, stderr);
        return;
    }
    ++*built;
    if (is_terminal)
        fprintf(stderr, "\r[ %d/%d ] building", *built, *built > files ? *built : files);
    else if (*built == 1)
        fprintf(stderr, "building %d files\n", files);
}

int grade_build(const struct grade *g)
{
    char *line = NULL;
    size_t room = 0;
    int built = 0;
    FILE *said = NULL;
    const bool shows_all = getenv("V") && getenv("V")[0], is_first = access(g->suite, F_OK) != 0;
    const int files = is_first && !shows_all ? count_files(g) : 0;
    const pid_t pid = start_make(g, NULL, &said);
    if (pid < 0 || !said) {
        fprintf(stderr, "make could not be started: %s\n", strerror(errno));
        return GRADE_BROKEN;
    }
    while (getline(&line, &room, said) > 0)
        if (shows_all)
            fputs(line, stderr);
        else
            pass_on(line, &built, files);
    if (built && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    free(line);
    return end_make(pid, said) == 0 ? 0 : GRADE_USAGE;
}

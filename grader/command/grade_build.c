/* grade_build.c: make labNN for the learner's own lab, whose words go to stderr. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"

static _Noreturn void become_make(const struct grade *g)
{
    char device[32];
    const char *argv[8] = {"make", "--no-print-directory", "-C", g->root, g->lab, "GRADING=1"};
    if (g->device_option) {
        snprintf(device, sizeof device, "DEVICE=%s", g->device_option);
        argv[6] = device;
    }
    unsetenv("MAKEFLAGS"); /* of a make that runs ./grade: this one has its own arguments */
    unsetenv("MAKELEVEL");
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp("make", (char *const *)argv);
    fprintf(stderr, "make could not be started: %s. Next: install make, or run it yourself\n",
            strerror(errno));
    _exit(127);
}

int grade_build(const struct grade *g)
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become_make(g);
    while (pid > 0 && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            pid = -1;
    if (pid < 0) {
        fprintf(stderr, "make could not be started: %s\n", strerror(errno));
        return GRADE_BROKEN;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : GRADE_USAGE;
}

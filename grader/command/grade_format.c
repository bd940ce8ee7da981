/* grade_format.c: ./grade labNN --format NAME: grader/class/format.sh reads the report as JSON. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"
#include "report/report.h"

/* Starts format.sh with `in` as its input, and waits for it. 0, or -1. */
static int run_script(const struct grade *g, const char *option, int in, pid_t *child)
{
    char script[SESSION_PATH];
    grade_join(script, g->root, "grader", "class", "format.sh");
    *child = fork();
    if (*child == 0) {
        dup2(in, STDIN_FILENO);
        execl(script, script, g->format, option, (char *)NULL);
        fprintf(stderr, "%s: %s. Next: --format needs a whole copy of the course\n", script,
                strerror(errno));
        _exit(GRADE_BROKEN);
    }
    if (*child < 0)
        fprintf(stderr, "--format: no process could be started: %s\n", strerror(errno));
    return *child < 0 ? -1 : 0;
}

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

int grade_format_check(const struct grade *g)
{
    pid_t child;
    if (g->json && strcmp(g->json, "-") == 0) {
        fprintf(stderr, "--json - and --format both print to standard output. Next: --json FILE\n");
        return -1;
    }
    return run_script(g, "--check", STDIN_FILENO, &child) == 0 ? wait_for(child) : -1;
}

int grade_format(const struct grade *g, const struct report *r)
{
    int ends[2];
    char path[32];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fprintf(stderr, "--format: %s\n", strerror(errno));
        return -1;
    }
    fflush(stdout);
    int failed = run_script(g, "-", ends[0], &child);
    close(ends[0]);
    if (!failed) {
        signal(SIGPIPE, SIG_IGN); /* the script's own message says why it ended */
        snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
        failed = report_json_write(r, path);
    }
    close(ends[1]);
    return !failed || child > 0 ? wait_for(child) : -1;
}

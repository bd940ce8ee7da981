/* audit_load.c: other users of the device, while verdicts are counted. */
#include "audit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
    pid_t pids[AUDIT_JOBS]; /* each leads a process group */
    int n;
} loads;

static void silence(void)
{
    int null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
}

/* Again and again: a program that computes ends by itself, too, lest it be left behind. */
static _Noreturn void keep_running(const struct audit_lab *lab, bool computes)
{
    char solution[PATH_MAX], path[PATH_MAX + 16];
    audit_subject(solution, lab, "solution");
    snprintf(path, sizeof path, "%s/build/%s/load", audit_root(), lab->device);
    silence();
    for (;;) {
        pid_t pid = fork();
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM);
            if (!computes)
                audit_become_grade(lab, solution);
            execl(path, path, (char *)NULL);
            _exit(127);
        }
        int status;
        waitpid(pid, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
            _exit(127);
    }
}

void audit_load_start(const char *load, const struct audit_lab *lab)
{
    const bool computes = strcmp(load, "compute") == 0;
    const int n = computes ? 1 : atoi(load);
    fflush(NULL);
    for (int i = 0; i < n && i < AUDIT_JOBS; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            setpgid(0, 0);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            keep_running(lab, computes);
        }
        if (pid > 0)
            loads.pids[loads.n++] = pid;
    }
}

void audit_load_stop(void)
{
    for (int i = 0; i < loads.n; i++) {
        int status;
        kill(-loads.pids[i], SIGTERM); /* ./grade takes its suite along */
        kill(loads.pids[i], SIGKILL);
        waitpid(loads.pids[i], &status, 0);
    }
    loads.n = 0;
}

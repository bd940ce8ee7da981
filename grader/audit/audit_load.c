/* audit_load.c: other users of the device, while verdicts are counted. */
#include "audit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
                audit_become_grade(lab, solution, "");
            execl(path, path, (char *)NULL);
            _exit(127);
        }
        int status;
        waitpid(pid, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
            _exit(127);
    }
}

struct audit_load audit_load_start(const struct audit_pool *pool, const struct audit_lab *lab,
                                   int slot)
{
    struct audit_load load = {.lab = lab};
    const bool computes = strcmp(pool->load, "compute") == 0;
    const int n = computes ? 1 : atoi(pool->load);
    fflush(NULL);
    while (load.n < n && load.n < AUDIT_JOBS) {
        pid_t pid = fork();
        if (pid == 0) {
            setpgid(0, 0);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            audit_place(pool->machine, slot, pool->n_jobs);
            keep_running(lab, computes);
        }
        if (pid < 0)
            break;
        load.pids[load.n++] = pid;
    }
    return load;
}

void audit_load_stop(struct audit_load *load)
{
    for (int i = 0; i < load->n; i++) {
        int status;
        kill(-load->pids[i], SIGTERM); /* ./grade takes its suite along */
        kill(load->pids[i], SIGKILL);
        waitpid(load->pids[i], &status, 0);
    }
    *load = (struct audit_load){0};
}

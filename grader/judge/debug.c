/*
 * debug.c: ./grade --debug: the submission's first process runs in a debugger on the terminal,
 * without the jail and without limits, and gets the requests of the check as ever.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "inside.h"

bool judge_is_debugged(const struct judged *j)
{
    return judge_session->debug && j->who == JUDGE_SUBMISSION;
}

/* Criterion's processes have a session of their own, in which no terminal controls anything. So
 * Ctrl-C reaches ./grade, which passes it on. */
static void take_terminal(void)
{
    const int terminal = open(judge_session->terminal, O_RDWR | O_NOCTTY);
    setpgid(0, 0);
    for (int fd = 0; fd <= 2 && terminal >= 0; fd++)
        dup2(terminal, fd);
    if (terminal > 2)
        close(terminal);
}

static _Noreturn void become_debugger(const char *program)
{
    char first[64];
    snprintf(first, sizeof first, "break %.5s_setup", judge_session->lab);
    if (getenv("DEBUGGER"))
        execlp("sh", "sh", "-c", "exec $DEBUGGER \"$0\"", program, (char *)NULL);
    else
        execlp("gdb", "gdb", "-q", "-iex", "set debuginfod enabled off", "-ex",
               "set breakpoint pending on", "-ex", first, "-ex", "break simgpu_found", "-ex", "run",
               program, (char *)NULL);
    fprintf(stderr, "the debugger cannot be started. Next: apt-get install gdb\n");
    _exit(127);
}

pid_t judge_debug_start(int channel, const char *program, char *const *env)
{
    const pid_t parent = getpid(), pid = fork();
    if (pid != 0) {
        judge_session->debugger = pid;
        return pid;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    take_terminal();
    for (int i = 0; env[i]; i++)
        if (strncmp(env[i], "HOME=", 5) != 0)
            putenv(env[i]);
    setenv("SIMGPU_REPORT", "16", 1); /* findings are printed as they are made */
    dup2(channel, WIRE_CHANNEL_FD);
    become_debugger(program);
}

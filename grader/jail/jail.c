/* jail.c: from fork to exec, one restriction after the other. jail.h says what each is for. */
#include "jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire/wire.h"

/* What the child could not do, as the parent learns it through a pipe that a successful exec
 * closes. */
struct failed_step {
    int error;
    char step[64];
};

enum { ERROR_FD = WIRE_CHANNEL_FD + 1 };

static _Noreturn void give_up(const char *step, int error)
{
    struct failed_step t = {.error = error};
    snprintf(t.step, sizeof t.step, "%s", step);
    ssize_t written = write(ERROR_FD, &t, sizeof t);
    (void)written;
    _exit(127);
}

/* 0, 1, 2, the channel and the error pipe in their places; everything else closed. */
static void place_descriptors(const struct jail *jail, int error_fd)
{
    /* first out of the way of the numbers they are to get */
    int channel = fcntl(jail->channel_fd >= 0 ? jail->channel_fd : error_fd, F_DUPFD, ERROR_FD + 1);
    int output = fcntl(jail->output_fd, F_DUPFD, ERROR_FD + 1);
    int failed = fcntl(error_fd, F_DUPFD, ERROR_FD + 1);
    int null = open("/dev/null", O_RDONLY);
    if (channel < 0 || output < 0 || failed < 0 || null < 0)
        _exit(127);
    dup2(null, 0);
    dup2(output, 1);
    dup2(output, 2);
    if (jail->channel_fd >= 0)
        dup2(channel, WIRE_CHANNEL_FD);
    else
        close(WIRE_CHANNEL_FD);
    dup2(failed, ERROR_FD);
    fcntl(ERROR_FD, F_SETFD, FD_CLOEXEC);
    for (int fd = 3; fd < WIRE_CHANNEL_FD; fd++)
        close(fd);
    if (syscall(SYS_close_range, ERROR_FD + 1, ~0u, 0) != 0)
        for (int fd = ERROR_FD + 1, n = (int)sysconf(_SC_OPEN_MAX); fd < n; fd++)
            close(fd);
}

static void reset_signals(void)
{
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void limit(int what, const char *name, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) == 0 && now.rlim_max != RLIM_INFINITY && now.rlim_max < most)
        most = now.rlim_max;
    struct rlimit r = {most, most};
    if (setrlimit(what, &r) != 0)
        give_up(name, errno);
}

static void set_limits(const struct jail *jail)
{
    if (JAIL_LIMITS_MEMORY)
        limit(RLIMIT_DATA, "limiting its memory", jail->memory_bytes);
    limit(RLIMIT_FSIZE, "limiting its files", jail->file_bytes);
    limit(RLIMIT_NOFILE, "limiting its descriptors", jail->gpu ? 1024 : 256);
    limit(RLIMIT_CORE, "switching off core dumps", 0);
    limit(RLIMIT_STACK, "limiting its stack", 8 << 20);
    limit(RLIMIT_MSGQUEUE, "limiting its message queues", 0);
    limit(RLIMIT_RTPRIO, "limiting its priority", 0);
    limit(RLIMIT_NICE, "limiting its niceness", 0);
}

/* For root: nothing of it is left but the user id. For others a no-op that fails harmlessly. */
static void drop_capabilities(void)
{
    for (int c = 0; c <= 63; c++)
        prctl(PR_CAPBSET_DROP, c, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    if (syscall(SYS_capset, &header, none) != 0)
        give_up("dropping its capabilities", errno);
}

static _Noreturn void become_prisoner(const struct jail *jail, pid_t parent, int error_fd)
{
    place_descriptors(jail, error_fd);
    reset_signals();
    setsid();
    if (!jail->compiles && !jail->gpu)
        jail_room(jail); /* and then what a change of credentials undoes */
    if (!jail->outlives && prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        give_up("tying it to its parent", errno);
    if (getppid() != parent)
        _exit(127);
    if (jail->directory && chdir(jail->directory) != 0)
        give_up("entering its empty directory", errno);
    set_limits(jail);
    drop_capabilities();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        give_up("setting no_new_privs", errno);
    const bool files_are_complete = jail_files_are_complete();
    int error = jail_files(jail);
    if (error)
        give_up("taking its files away (Landlock)", error);
    error = jail_filter(jail, !files_are_complete && !jail->gpu);
    if (error)
        give_up("installing its system call filter", error);
    const char *slash = strrchr(jail->program, '/');
    char *argv[] = {(char *)(slash ? slash + 1 : jail->program), NULL};
    execve(jail->program, jail->argv ? jail->argv : argv, jail->env);
    give_up("executing it", errno);
}

pid_t jail_start(const struct jail *jail, char *why, size_t why_bytes)
{
    int failed[2];
    if (pipe2(failed, O_CLOEXEC) != 0) {
        snprintf(why, why_bytes, "no pipe to start a program with: %s", strerror(errno));
        return -1;
    }
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0)
        become_prisoner(jail, parent, failed[1]);
    int fork_error = errno;
    close(failed[1]);
    if (pid < 0) {
        close(failed[0]);
        snprintf(why, why_bytes, "no process to start %s in: %s", jail->program,
                 strerror(fork_error));
        return -1;
    }
    struct failed_step t;
    ssize_t got;
    do
        got = read(failed[0], &t, sizeof t);
    while (got < 0 && errno == EINTR);
    close(failed[0]);
    if (got == 0)
        return pid;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    if (got == sizeof t)
        snprintf(why, why_bytes, "%s could not be started: %.*s: %s", jail->program,
                 (int)sizeof t.step, t.step, strerror(t.error));
    else
        snprintf(why, why_bytes, "%s could not be started", jail->program);
    return -1;
}

/* Does what the jail must refuse and what is harmless where it does not: executes the reference,
 * reads what belongs to its grader, opens a terminal, sends a datagram, sets scheduling, priority
 * and limits of its parent, lets a descriptor send signals, locks and pins without end. Says on
 * stdout what it got hold of. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "../lab00/lab.h"

static void got(int yes, const char *what)
{
    if (yes)
        printf("got hold of %s\n", what);
}

static char path[PATH_MAX];

static void files(void)
{
    char *slash;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    path[n > 0 ? n : 0] = 0;
    if ((slash = strrchr(path, '/')))
        strcpy(slash, "/solution/subject");
    got(open(path, O_RDONLY) >= 0, "the reference");
    got(open("/dev/zero", O_RDONLY) >= 0, "memory that nobody counts");
    got(open("/etc/passwd", O_RDONLY) >= 0, "the list of users");
    got(open("/run", O_RDONLY | O_DIRECTORY) >= 0, "what services keep");
    got(open("/proc/1/cmdline", O_RDONLY) >= 0, "the command line of another process");
    got(open("/dev/tty", O_RDWR) >= 0, "its terminal");
    got(open("/root", O_RDONLY | O_DIRECTORY) >= 0, "a home");
    glob_t terminals;
    if (glob("/dev/pts/*", 0, NULL, &terminals) == 0)
        for (size_t i = 0; i < terminals.gl_pathc; i++)
            got(open(terminals.gl_pathv[i], O_RDONLY | O_NOCTTY) >= 0, terminals.gl_pathv[i]);
    execl(path, "subject", (char *)NULL);
    execl("/bin/echo", "echo", "got hold of a program", (char *)NULL);
}

static void calls(void)
{
    struct sched_param none = {0};
    struct termios settings = {0};
    struct rlimit limit;
    struct shmid_ds segment;
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
    struct iovec page = {path, sizeof path};
    int pair[2], null = open("/dev/null", O_RDWR);
    got(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0, "datagrams");
    got(socket(AF_UNIX, SOCK_RAW, 0) >= 0, "datagrams by another name");
    got(sched_setscheduler(getppid(), SCHED_OTHER, &none) == 0, "its parent's scheduling");
    got(syscall(SYS_ioprio_set, 1, getppid(), 2 << 13 | 4) == 0, "its parent's priority");
    for (int fd = 0; fd < 1024; fd++)
        got(isatty(fd), "a terminal");
    got(fcntl(1, F_SETOWN, getppid()) == 0, "signals by descriptor");
    got(ioctl(1, TCSETS, &settings) == 0 || errno != EPERM, "terminal settings");
    int flags = 0;
    got(ioctl(open("/proc/self/exe", O_RDONLY), _IOR('f', 1, long), &flags) == 0 || errno != EPERM,
        "flags of a file that outlive it");
    got(flock(open("/proc/self/exe", O_RDONLY), LOCK_SH) == 0, "a lock of a file that others have");
    got(inotify_init1(0) >= 0, "what others do with files");
    got(socket(AF_UNIX, SOCK_STREAM, 0) >= 0, "a socket that others of the machine can name");
    got(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0, "a channel");
    got(setpriority(PRIO_PROCESS, (id_t)getppid(), 19) == 0, "its parent's niceness");
    got(prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit) == 0, "its parent's limits");
    got(fcntl(null, F_SETLK, &lock) == 0 || errno != EPERM, "a lock");
    got(fcntl(open("/proc/self/exe", O_RDONLY), F_SETLEASE, F_RDLCK) == 0, "a lease");
    got(shmctl(0, SHM_STAT, &segment) >= 0 || errno != EPERM, "segments of others");
    got(syscall(463, AT_FDCWD, "/proc/self/exe", 0, "user.x", NULL, 0) == 0 || errno != ENOSYS,
        "a call that is newer than the filter");
    got(pipe(pair) == 0 && vmsplice(pair[1], &page, 1, 0) >= 0, "pinned pages");
}

int lab00_setup(struct lab00 *lab)
{
    (void)lab;
    printf("trying\n");
    fflush(stdout);
    calls();
    files();
    return 0;
}

int lab00_run(struct lab00 *lab)
{
    lab->cost_us = 100;
    return 0;
}

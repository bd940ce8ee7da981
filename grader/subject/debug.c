/* debug.c: make debug: a submission as an ordinary program, for gdb, valgrind, sanitizers and
 * cuda-gdb.
 *
 *     build/debug/lab03 [CHECK [SEED]]
 *
 * It starts ./grade for a check, and ./grade finds its program here: running, without jail and time
 * limits, at the other end of a socket. So scenarios, inputs and comparisons are those of the
 * suite, and this process has the submission's code alone. Without CHECK and SEED, ./grade takes
 * those of the last report. */
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inside.h"

#pragma weak simgpu_findings

enum { ARGUMENTS = 12, PATH = 4096 };

static _Noreturn void stop(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

/* A socket that judges connect to; its name, which no file has, goes to ./grade. */
static int listen_for_judges(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "debug-%d", (int)getpid()),
              listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (listener < 0 ||
        bind(listener, (struct sockaddr *)&name,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) != 0 ||
        listen(listener, 1) != 0)
        stop("no socket for the judge");
    setenv(WIRE_DEBUG, name.sun_path + 1, 1);
    return listener;
}

/* ./grade in the background of the terminal, so that Ctrl-C is for this program alone. *ends is
   closed when it has ended. */
static pid_t start_grade(const char *lab, char **words, int *ends)
{
    char grade[PATH], self[PATH], *build;
    int ends_of_pipe[2];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        stop("/proc/self/exe");
    self[n] = 0;
    build = strstr(self, "/build/debug/");
    snprintf(grade, sizeof grade, "%.*s/grade", build ? (int)(build - self) : 0, self);
    char *arguments[ARGUMENTS] = {grade,      "--brief",  "--subject",
                                  self,       "--device", simgpu_findings ? "sim" : "gpu",
                                  (char *)lab};
    int used = 7;
    if (words[0])
        arguments[used++] = words[0];
    if (words[0] && words[1]) {
        arguments[used++] = "--seed";
        arguments[used++] = words[1];
    }
    posix_spawnattr_t attributes;
    pid_t pid;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    if (pipe(ends_of_pipe) != 0)
        stop("pipe");
    fcntl(ends_of_pipe[0], F_SETFD, FD_CLOEXEC);
    if (posix_spawn(&pid, grade, NULL, &attributes, arguments, environ) != 0)
        stop(grade);
    close(ends_of_pipe[1]);
    *ends = ends_of_pipe[0];
    return pid;
}

/* The judge's first message: settings of the simulated device, read at its first use. */
static void take_settings(void)
{
    char settings[PATH], *next;
    const ssize_t n = recv(WIRE_CHANNEL_FD, settings, sizeof settings - 1, 0);
    settings[n > 0 ? n : 0] = 0;
    for (char *s = strtok_r(settings, "\n", &next); s; s = strtok_r(NULL, "\n", &next))
        putenv(strdup(s));
    setenv("SIMGPU_REPORT", "16", 1); /* findings are printed as they are made */
}

int subject_main(const struct subject_lab *lab, int argc, char **argv)
{
    int ends, status;
    if (argc > 3) {
        fprintf(stderr, "usage: %s [CHECK [SEED]]\n", argv[0]);
        return EXIT_FAILURE;
    }
    const int listener = listen_for_judges();
    const pid_t grade = start_grade(lab->name, argv + 1, &ends);
    setvbuf(stdout, NULL, _IONBF, 0);
    for (;;) {
        struct pollfd p[] = {{.fd = listener, .events = POLLIN}, {.fd = ends}};
        if (poll(p, 2, -1) < 0)
            continue;
        if (!p[0].revents)
            break;
        const int channel = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        dup3(channel, WIRE_CHANNEL_FD, O_CLOEXEC);
        close(channel);
        take_settings();
        subject_serve(lab);
        close(WIRE_CHANNEL_FD);
    }
    waitpid(grade, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status)
                            : EXIT_FAILURE); /* what a check left is no leak */
}

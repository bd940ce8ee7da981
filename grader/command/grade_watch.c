/* grade_watch.c: ./grade labNN --watch: grades each time a file of the lab is saved. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"

enum { QUIET_MS = 100 }; /* an editor may write a file several times */

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && name[0] != '.' &&
           (strcmp(dot, ".c") == 0 || strcmp(dot, ".cu") == 0 || strcmp(dot, ".h") == 0);
}

/* Waits until a source was written, or a signal comes; false if the folder cannot be read. */
static bool wait_for_change(int notify)
{
    _Alignas(struct inotify_event) char events[16 * 1024];
    bool changed = false;
    while (!interrupted) {
        struct pollfd p = {.fd = notify, .events = POLLIN};
        int ready = poll(&p, 1, changed ? QUIET_MS : -1);
        if (ready == 0)
            return true;
        if (ready < 0)
            continue;
        ssize_t n = read(notify, events, sizeof events);
        if (n <= 0)
            return false;
        for (char *at = events; at < events + n;) {
            const struct inotify_event *e = (const void *)at;
            if (e->mask & IN_IGNORED)
                return false;
            changed |= e->len > 0 && is_source(e->name);
            at += sizeof *e + e->len;
        }
    }
    return true;
}

/* This command again, without --watch. */
static void grade_once(char **argv)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        int n = 0;
        for (char **word = argv; *word; word++) /* getopt takes --wa for --watch, too */
            if (strncmp(*word, "--wa", 4) != 0)
                argv[n++] = *word;
        argv[n] = NULL;
        execv("/proc/self/exe", argv);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
}

static int cannot_watch(const char *directory)
{
    fprintf(stderr, "cannot watch %s: %s. Next: ./grade without --watch\n", directory,
            strerror(errno));
    return GRADE_BROKEN;
}

int grade_watch(struct grade *g, char **argv)
{
    char directory[SESSION_PATH];
    const struct sigaction action = {.sa_handler = on_signal};
    if (g->submission_option)
        snprintf(directory, sizeof directory, "%s", g->submission_option);
    else
        grade_lab_directory(g, directory);
    int notify = inotify_init1(IN_CLOEXEC);
    if (notify < 0 || inotify_add_watch(notify, directory, IN_CLOSE_WRITE | IN_MOVED_TO) < 0)
        return cannot_watch(directory);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    while (!interrupted) {
        if (isatty(STDOUT_FILENO))
            fputs("\033[H\033[2J", stdout);
        printf("building and grading %s ...\n", g->lab);
        fflush(stdout);
        grade_once(argv);
        if (interrupted)
            break;
        printf("\nwaiting for a change in %s (Ctrl-C ends this)\n", directory);
        fflush(stdout);
        if (!wait_for_change(notify))
            return cannot_watch(directory);
    }
    putchar('\n');
    return 0;
}

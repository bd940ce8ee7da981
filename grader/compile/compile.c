/* compile.c: runs the compiler of a submission in a jail, and what reads and links its objects.
 *
 *     compile [-r PATH]... -w FOLDER [-s SECONDS] [-m MIB] [-n COPY=NAME] -- COMMAND...
 *
 * The command reads the system's programs and libraries and each PATH, and writes below FOLDER,
 * where its temporary files are, too. It ends after so many seconds of the clock and has so much
 * memory (0: no bound). What it says is bounded and cleaned for a terminal. Paths in the folder
 * COPY become paths in NAME, and lines that begin with no such path are quoted. The exit status is
 * the command's. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/plain_text.h"
#include "jail/jail.h"

#define QUOTED "  | " /* before what may be the words of the submission */

enum { MOST_PATHS = 32, MOST_OUTPUT = 64 << 10, PATH_BYTES = 4096, FILE_BYTES = 256 << 20 };

struct options {
    const char *readable[MOST_PATHS + 1];
    int n_readable;
    const char *writable;
    double seconds;
    uint64_t mib;
    char *copy, *name; /* -n; NULL: nothing */
    char **command;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

static _Noreturn void usage(void)
{
    fprintf(stderr, "usage: compile [-r PATH]... -w FOLDER [-s SECONDS] [-m MIB] [-n COPY=NAME] "
                    "-- COMMAND...\n");
    exit(2);
}

static void parse(struct options *o, int argc, char **argv)
{
    *o = (struct options){.seconds = 60};
    for (int c; (c = getopt(argc, argv, "+r:w:s:m:n:")) != -1;) {
        if (c == 'r' && o->n_readable < MOST_PATHS)
            o->readable[o->n_readable++] = optarg;
        else if (c == 'w')
            o->writable = optarg;
        else if (c == 's')
            o->seconds = strtod(optarg, NULL);
        else if (c == 'm')
            o->mib = strtoull(optarg, NULL, 10);
        else if (c == 'n' && strchr(optarg, '=')) {
            o->copy = optarg;
            o->name = strchr(optarg, '=');
            *o->name++ = 0;
        } else
            usage();
    }
    o->command = argv + optind;
    if (!o->writable || !*o->command)
        usage();
}

/* As the shell would find it. */
static const char *find_program(const char *name, char found[PATH_BYTES])
{
    char paths[PATH_BYTES], *next;
    const char *variable = getenv("PATH");
    if (strchr(name, '/'))
        return name;
    snprintf(paths, sizeof paths, "%s", variable ? variable : "/usr/bin:/bin");
    for (char *p = strtok_r(paths, ":", &next); p; p = strtok_r(NULL, ":", &next)) {
        if (snprintf(found, PATH_BYTES, "%s/%s", p, name) < PATH_BYTES && access(found, X_OK) == 0)
            return found;
    }
    fprintf(stderr, "%s: no such program\n", name);
    exit(127);
}

/* ---- what it says ---------------------------------------------------------------------------- */

struct output {
    char text[MOST_OUTPUT];
    size_t n;
    bool longer;
};

/* False at its end. */
static bool take(struct output *o, int from)
{
    char bytes[4096];
    ssize_t got = read(from, bytes, sizeof bytes);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    size_t n = (size_t)got, room = sizeof o->text - o->n;
    o->longer = o->longer || n > room;
    memcpy(o->text + o->n, bytes, n < room ? n : room);
    o->n += n < room ? n : room;
    return true;
}

static bool begins(const char *line, size_t n, const char *folder)
{
    const size_t length = strlen(folder);
    return n > length && memcmp(line, folder, length) == 0 && line[length] == '/';
}

/* A line about a file of the submission stands as it is, so that editors find the place. All
   others may be the submission's own words: #pragma message has line feeds. */
static void say(const struct options *options, struct output *o)
{
    size_t n = plain_text(o->text, o->n), copy = options->copy ? strlen(options->copy) : 0;
    for (size_t at = 0; at < n; at++) {
        const char *line = o->text + at;
        bool is_copy = copy && n - at > copy && o->text[at + copy] == '/' &&
                       memcmp(line, options->copy, copy) == 0;
        if (copy && (at == 0 || line[-1] == '\n') && !is_copy &&
            !begins(line, n - at, options->name))
            fputs(QUOTED, stderr);
        if (is_copy) {
            fputs(options->name, stderr);
            at += copy;
        }
        putc(o->text[at], stderr);
    }
    if (o->longer)
        fprintf(stderr, "\n(there is more, which is not shown)\n");
}

/* ---- running it ------------------------------------------------------------------------------ */

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Until it has ended, or must. The processes that it started are of its group. */
static int follow(const struct options *options, pid_t pid, int from, struct output *o)
{
    const double until_s = now_s() + options->seconds;
    int wait_status;
    bool open = true, late = false;
    while (open && !interrupted && !(late = now_s() > until_s)) {
        struct pollfd p = {.fd = from, .events = POLLIN};
        if (poll(&p, 1, 100) > 0)
            open = take(o, from);
    }
    if (open)
        kill(-pid, SIGKILL);
    while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR)
        ;
    say(options, o);
    if (late)
        fprintf(stderr, "%s: stopped after %.0f s\n", options->command[0], options->seconds);
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 1;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *place)
{
    (void)st, (void)kind, (void)place;
    return remove(path);
}

static int run(const struct options *o, const char *temporary)
{
    static struct output output;
    static char why[512], found[PATH_BYTES], path[2 * PATH_BYTES], tmp[2 * PATH_BYTES];
    int pipe_fd[2];
    const char *variable = getenv("PATH");
    snprintf(path, sizeof path, "PATH=%s", variable ? variable : "/usr/bin:/bin");
    snprintf(tmp, sizeof tmp, "TMPDIR=%s", temporary);
    char *env[] = {path, tmp, "LANG=C.UTF-8", "HOME=/nonexistent", NULL};
    if (pipe2(pipe_fd, O_CLOEXEC) != 0)
        return 1;
    struct jail jail = {.program = find_program(o->command[0], found),
                        .argv = o->command,
                        .channel_fd = -1,
                        .output_fd = pipe_fd[1],
                        .memory_bytes = o->mib ? o->mib << 20 : UINT64_MAX,
                        .file_bytes = FILE_BYTES,
                        .readable = o->readable,
                        .writable = o->writable,
                        .compiles = true,
                        .env = env};
    pid_t pid = jail_start(&jail, why, sizeof why);
    close(pipe_fd[1]);
    if (pid < 0) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    return follow(o, pid, pipe_fd[0], &output);
}

int main(int argc, char **argv)
{
    struct options o;
    char temporary[PATH_BYTES];
    parse(&o, argc, argv);
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    snprintf(temporary, sizeof temporary, "%.4000s/tmp-XXXXXX", o.writable);
    if (!mkdtemp(temporary)) {
        fprintf(stderr, "%s: %s\n", temporary, strerror(errno));
        return 1;
    }
    int status = run(&o, temporary);
    nftw(temporary, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return interrupted ? 128 + interrupted : status;
}

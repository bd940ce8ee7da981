/*
 * graph.c: the graph of a submission at the end of a report: in words, and drawn by
 * graphviz's dot into a file in build/report.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"

enum { DOT_SECONDS = 10, NO_DOT = 127 };

/* Where the picture goes; gradings that run at the same time do not see each other's halves. */
struct picture {
    char directory[SESSION_PATH + 16];
    char dot[SESSION_PATH + 64], svg[SESSION_PATH + 64]; /* being written */
    char done[SESSION_PATH + 64];
};

static int name_files(struct picture *p, const struct report *r)
{
    snprintf(p->directory, sizeof p->directory, "%s/report", r->build);
    snprintf(p->dot, sizeof p->dot, "%s/%s.%d.dot", p->directory, r->picture, (int)getpid());
    snprintf(p->svg, sizeof p->svg, "%s/%s.%d.svg", p->directory, r->picture, (int)getpid());
    int n = snprintf(p->done, sizeof p->done, "%s/%s.svg", p->directory, r->picture);
    if (n >= (int)sizeof p->done)
        errno = ENAMETOOLONG;
    return n < (int)sizeof p->done && (mkdir(p->directory, 0777) == 0 || errno == EEXIST) ? 0 : -1;
}

static int write_text(const char *path, const char *text)
{
    FILE *to = fopen(path, "w");
    if (!to)
        return -1;
    int failed = fputs(text, to) < 0;
    failed |= fclose(to) != 0;
    return failed ? -1 : 0;
}

/* What set-up unpacked, or else what the system has. Never returns. */
static _Noreturn void exec_dot(const struct report *r, const struct picture *p)
{
    const struct rlimit limit = {DOT_SECONDS, DOT_SECONDS};
    char unpacked[SESSION_PATH + 32];
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0) {
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    setrlimit(RLIMIT_CPU, &limit);
    snprintf(unpacked, sizeof unpacked, "%s/build/deps/bin/dot", r->root);
    execl(unpacked, "dot", "-Tsvg", "-o", p->svg, p->dot, (char *)NULL);
    execlp("dot", "dot", "-Tsvg", "-o", p->svg, p->dot, (char *)NULL);
    _exit(NO_DOT);
}

/* NULL, or a sentence about why there is no picture. */
static const char *run_dot(const struct report *r, const struct picture *p)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        exec_dot(r, p);
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            child = -1;
    if (child < 0)
        return "no picture: graphviz's dot could not be started";
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_DOT)
        return "no picture: graphviz's dot is not installed (make setup gets it)";
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return "no picture: graphviz's dot did not get done with this graph";
    return rename(p->svg, p->done) == 0 ? NULL : "no picture: build/report cannot be written to";
}

const char *report_graph_draw(const struct report *r, char svg[SESSION_PATH + 64])
{
    struct picture p;
    if (name_files(&p, r) != 0 || write_text(p.dot, r->session->graph_dot) != 0)
        return "no picture: build/report cannot be written to";
    const char *why = run_dot(r, &p);
    unlink(p.dot);
    if (why)
        unlink(p.svg);
    snprintf(svg, SESSION_PATH + 64, "%s", p.done);
    return why;
}

static void put_lines(FILE *to, const char *lines)
{
    for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
        n = strcspn(lines, "\n");
        fprintf(to, "    %.*s\n", (int)n, lines);
    }
}

void report_graph(const struct report *r, FILE *to)
{
    const struct session *s = r->session;
    char svg[SESSION_PATH + 64];
    if (!s->graph_check[0])
        return;
    fprintf(to, "\nThe graph that %s looked at:\n", s->graph_check);
    put_lines(to, s->graph_words);
    if (!s->graph_dot[0])
        return;
    const char *why = report_graph_draw(r, svg);
    size_t root = strlen(r->root);
    bool below = !why && strncmp(svg, r->root, root) == 0 && svg[root] == '/';
    if (why)
        fprintf(to, "    %s\n", why);
    else
        fprintf(to, "    a picture of it: %s\n", below ? svg + root + 1 : svg);
}

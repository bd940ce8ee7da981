/* graph.c: the graph of a submission at the end of a report: in words, and drawn by
 * graphviz's dot into a file in build/report. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/output.h"
#include "report.h"

enum { DOT_SECONDS = 10, NO_DOT = 127 };

/* Where the picture is to be. */
static int name_picture(char svg[SESSION_PATH + 64], const struct report *r)
{
    char directory[SESSION_PATH + 16];
    snprintf(directory, sizeof directory, "%s/report", r->build);
    int n = snprintf(svg, SESSION_PATH + 64, "%s/%s.svg", directory, r->picture);
    if (n >= SESSION_PATH + 64)
        errno = ENAMETOOLONG;
    return n < SESSION_PATH + 64 && (mkdir(directory, 0777) == 0 || errno == EEXIST) ? 0 : -1;
}

/* The text as a file without a name, at its beginning. */
static FILE *text_file(const char *text)
{
    FILE *file = tmpfile();
    if (file && (fputs(text, file) < 0 || fflush(file) != 0)) {
        fclose(file);
        file = NULL;
    }
    if (file)
        rewind(file);
    return file;
}

/* What set-up unpacked, or else what the system has. Never returns. */
static _Noreturn void exec_dot(const struct report *r, int from, int to)
{
    const struct rlimit limit = {DOT_SECONDS, DOT_SECONDS};
    char unpacked[SESSION_PATH + 32];
    int nowhere = open("/dev/null", O_RDWR);
    dup2(from, STDIN_FILENO);
    dup2(to, STDOUT_FILENO);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    setrlimit(RLIMIT_CPU, &limit);
    snprintf(unpacked, sizeof unpacked, "%s/build/deps/bin/dot", r->root);
    execl(unpacked, "dot", "-Tsvg", (char *)NULL);
    execlp("dot", "dot", "-Tsvg", (char *)NULL);
    _exit(NO_DOT);
}

/* NULL, or a sentence about why there is no picture. */
static const char *run_dot(const struct report *r, FILE *from, FILE *to)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        exec_dot(r, fileno(from), fileno(to));
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            child = -1;
    if (child < 0)
        return "no picture: graphviz's dot could not be started";
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_DOT)
        return "no picture: graphviz's dot is not installed (make setup gets it)";
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return "no picture: graphviz's dot did not get done with this graph";
    return NULL;
}

const char *report_graph_draw(const struct report *r, char svg[SESSION_PATH + 64])
{
    static const char nowhere[] = "no picture: build/report cannot be written to";
    struct output o;
    if (name_picture(svg, r) != 0 || output_open(&o, svg) != 0)
        return nowhere;
    FILE *text = text_file(r->session->graph_dot);
    const char *why = text ? run_dot(r, text, o.to) : "no picture: there is no room in /tmp";
    if (text)
        fclose(text);
    if (why)
        output_drop(&o);
    return why ? why : output_close(&o) == 0 ? NULL : nowhere;
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
    if (!report_has_graph(s))
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

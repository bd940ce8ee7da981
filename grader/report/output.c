/* output.c: the file with all that a submission printed, build/report/labNN.out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/plain_text.h"
#include "files/output.h"
#include "report.h"

int report_output_path(const struct report *r, char path[SESSION_PATH])
{
    int n = snprintf(path, SESSION_PATH, "%s/report/%s.out", r->build, r->picture);
    return n < SESSION_PATH ? 0 : -1;
}

/* As it may be shown on a terminal. */
static void copy_plain(FILE *from, FILE *to)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    while ((n = getline(&line, &room, from)) > 0) {
        const size_t text = (size_t)n - (line[n - 1] == '\n');
        plain_write(to, PLAIN_TERMINAL, line, text);
        putc('\n', to);
    }
    free(line);
}

void report_output_write(const struct report *r, FILE *from)
{
    char folder[SESSION_PATH], path[SESSION_PATH];
    struct output o;
    if (report_output_path(r, path) != 0)
        return;
    if (!from || r->session->output.total_bytes == 0) {
        unlink(path); /* of the grading before */
        return;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return;
    if (output_open(&o, path) == 0)
        copy_plain(from, o.to);
    output_close(&o);
}

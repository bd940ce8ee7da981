/* grade_trace.c: the traces of --trace and --html: the submission's run and, for a page, the
 * reference's. The suite writes them as CSV (judge_show_timeline); here is what comes before and
 * after. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade.h"

static bool wants_json(const struct grade *g)
{
    const char *dot = g->trace ? strrchr(g->trace, '.') : NULL;
    return dot && strcmp(dot, ".json") == 0;
}

/* The suite runs elsewhere. */
static int find_path(struct grade *g)
{
    char here[SESSION_PATH] = "";
    if (g->trace[0] != '/' && !getcwd(here, sizeof here))
        return -1;
    int n =
        snprintf(g->trace_path, sizeof g->trace_path, "%s%s%s", here, here[0] ? "/" : "", g->trace);
    if (n < (int)sizeof g->trace_path)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

/* A CSV file that grade_trace_end reads. */
static bool prepare_own_file(char path[SESSION_PATH])
{
    const char *tmp = getenv("TMPDIR");
    snprintf(path, SESSION_PATH, "%s/grade-trace-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) { /* if there is no room for it, grade_run says so */
        path[0] = '\0';
        return false;
    }
    close(fd);
    return true;
}

int grade_trace_prepare(struct grade *g)
{
    struct stat st;
    if (g->html)
        prepare_own_file(g->reference_trace);
    if (!g->trace) {
        g->own_trace = g->html && prepare_own_file(g->trace_path);
        return 0;
    }
    if (report_file_probe(g->trace, "--trace") != 0)
        return -1;
    if (find_path(g) != 0) {
        fprintf(stderr, "cannot write %s: %s. Next: choose another file for --trace\n", g->trace,
                strerror(errno));
        return -1;
    }
    if (lstat(g->trace_path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(g->trace_path); /* whoever finds one afterwards finds this grading's */
    if (wants_json(g))
        g->own_trace = prepare_own_file(g->trace_path);
    return 0;
}

void grade_trace_drop(const struct grade *g)
{
    if (g->own_trace)
        unlink(g->trace_path);
    if (g->reference_trace[0])
        unlink(g->reference_trace);
}

static int read_trace(const char *path, struct trace *t)
{
    const char *why = "";
    FILE *from = fopen(path, "r");
    int failed = from ? trace_read(t, from, &why) : -1;
    if (from)
        fclose(from);
    if (failed)
        fprintf(stderr, "the trace could not be read: %s\n", from ? why : strerror(errno));
    return failed;
}

/* A suite whose checks pass without a timeline never shows one. */
static const char *why_none(const struct grade *g)
{
    static char text[256];
    if (grade_verdict(g->session) == GRADE_FAILED)
        return "no check came as far as tracing a run. Next: fix the first check that fails";
    snprintf(text, sizeof text,
             g->check ? "%s shows no timeline. Next: grade all checks of the lab"
                      : "no check of %s shows a timeline. Next: --trace with another lab",
             g->check ? g->check : g->lab);
    return text;
}

int grade_trace_end(const struct grade *g, struct report_traces *t)
{
    const bool is_there = g->session->timeline_check[0];
    int failed = 0;
    if (is_there && (wants_json(g) || g->html))
        failed = read_trace(g->trace_path, &t->own);
    if (g->session->reference_timeline[0] && g->html && !failed)
        failed = read_trace(g->reference_trace, &t->reference);
    if (!failed && is_there && wants_json(g))
        failed = report_trace_write(&t->own, g->trace);
    if (g->trace && !is_there)
        fprintf(stderr, "no trace was written to %s: %s\n", g->trace, why_none(g));
    return failed;
}

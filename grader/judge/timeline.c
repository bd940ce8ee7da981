/* timeline.c: the timelines that the report shows: of the submission's run, and of the reference's.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/timeline.h"
#include "files/output.h"
#include "inside.h"

enum { COLUMNS = 78 };

static void write_trace(const struct trace *t, const char *path)
{
    struct output o;
    if (!path[0])
        return;
    if (output_open(&o, path) == 0)
        trace_write(t, o.to);
    if (output_close(&o) != 0)
        judge_internal_error("cannot write %s: %s", path, output_why(errno));
}

/* What is printed to the open file stands in a text of the session. */
static FILE *open_text(char *text, size_t bytes)
{
    FILE *to = fmemopen(text, bytes, "w");
    if (!to)
        judge_internal_error("no memory for a timeline: %s", strerror(errno));
    return to;
}

static void close_text(FILE *to, char *text, size_t bytes)
{
    fclose(to);
    text[bytes - 1] = 0;
}

static void print_rows(const struct trace *t, double span_us, char text[SESSION_TIMELINE])
{
    FILE *to = open_text(text, SESSION_TIMELINE);
    timeline_print_rows(t, span_us, to, COLUMNS);
    close_text(to, text, SESSION_TIMELINE);
}

static void print_legend(const struct trace *const traces[], int n)
{
    struct session *s = judge_session;
    FILE *to = open_text(s->timeline_legend, sizeof s->timeline_legend);
    timeline_print_legend(traces, n, to, COLUMNS);
    close_text(to, s->timeline_legend, sizeof s->timeline_legend);
}

/* The reference's second run of j's scenario, as j's was. NULL: the reference itself is judged. */
static struct judged *trace_reference(const struct judged *j)
{
    struct judge_scenario same = *j->scenario;
    if (strcmp(judge_session->subject, judge_session->reference) == 0)
        return NULL;
    same.verify = NULL; /* its results have been checked before */
    struct judged *reference = judge_start(JUDGE_REFERENCE, &same);
    judge_run(reference);
    judge_trace(reference);
    return reference;
}

/* Is the timeline that of another check, which failed? */
static bool has_failed(const char *check)
{
    const struct session_check *c = session_find(judge_session, check);
    return c && c->status == CHECK_FAILED;
}

void judge_show_timeline(struct judged *j)
{
    struct session *s = judge_session;
    if (has_failed(s->timeline_check))
        return;
    struct judged *reference = trace_reference(j);
    const struct trace *const traces[] = {&j->trace, reference ? &reference->trace : NULL};
    const double own_us = timeline_span_us(traces[0]);
    snprintf(s->timeline_check, sizeof s->timeline_check, "%s", judge_current->name);
    write_trace(traces[0], s->trace);
    s->reference_timeline[0] = 0;
    if (reference) {
        const double reference_us = timeline_span_us(traces[1]);
        write_trace(traces[1], s->reference_trace);
        print_rows(traces[0], reference_us, s->timeline);
        print_rows(traces[1], own_us, s->reference_timeline);
        print_legend(traces, 2);
        judge_stop(reference);
        return;
    }
    print_rows(traces[0], own_us, s->timeline);
    print_legend(traces, 1);
}

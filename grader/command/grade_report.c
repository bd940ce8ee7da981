/* grade_report.c: a finished grading as text, JSON, another tool's format and a page. */
#include <errno.h>
#include <string.h>

#include "grade.h"
#include "report/hints.h"
#include "report/report.h"

static int write_html(const struct grade *g, const struct report *r,
                      const struct report_traces *traces)
{
    char hints[SESSION_PATH], steps[SESSION_PATH];
    grade_hints(g, hints, steps);
    return report_html_write(r, traces, &(struct hint_files){hints, steps}, g->page_hints, g->html);
}

/* What a report is about, and the room for its texts. */
struct content {
    char picture[GRADE_PICTURE], again[GRADE_COMMAND];
    struct report report;
};

static const struct report *begin(const struct grade *g, struct content *c, bool told)
{
    grade_picture(g, c->picture);
    grade_again(g, c->again);
    c->report = (struct report){.session = g->session,
                                .device_name = g->device_name,
                                .simulated_name = g->simulated_name,
                                .submission = g->submission,
                                .root = g->root,
                                .build = g->build,
                                .picture = c->picture,
                                .again = c->again,
                                .has_hints = grade_is_own(g) && !g->check,
                                .told = told};
    return &c->report;
}

static FILE *text_output(const struct grade *g)
{
    const bool json_is_stdout = g->json && strcmp(g->json, "-") == 0;
    return json_is_stdout || g->format ? stderr : stdout;
}

bool grade_report_found(const struct grade *g)
{
    static struct content c;
    FILE *to = text_output(g);
    const bool told = report_print_found(begin(g, &c, false), g->brief, to);
    fflush(to);
    return told;
}

int grade_report(const struct grade *g, bool told)
{
    static struct content c;
    struct report_traces traces = {{0}, {0}};
    int failed = grade_trace_end(g, &traces);
    FILE *to = text_output(g);
    const struct report *report = begin(g, &c, told);
    report_output_write(report, g->printed);
    report_print(report, g->brief, to);
    if (fflush(to) != 0) {
        fprintf(stderr, "the report could not be printed: %s\n", strerror(errno));
        failed = -1;
    }
    grade_record_write(g, report);
    if (!failed && g->json)
        failed = report_json_write(report, g->json);
    if (!failed && g->format)
        failed = grade_format(g, report);
    if (!failed && g->html)
        failed = write_html(g, report, &traces);
    trace_free(&traces.own);
    trace_free(&traces.reference);
    return failed ? (int)GRADE_BROKEN : (int)grade_verdict(g->session);
}

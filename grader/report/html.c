/* html.c: the report as one page for a browser. It has everything in it: styles, the timeline and
 * the graph as SVG, hints folded. It loads nothing and runs no script, whatever a submission is
 * called or wrote: html_text quotes it, the graph is an image, and the page forbids all else to
 * browsers. */
#include "html.h"

#include <string.h>

#include "common/plain_text.h"
#include "hints.h"
#include "report.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#222;--dim:#555;--paper:#fff;--block:#f3f3f3;--line:#ddd;"
    "--pass:#157a3c;--fail:#b3261e;--open:#8a5a00;--skip:#666;--mark:#ffe9a8}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e4e4;--dim:#aaa;--paper:#17191c;"
    "--block:#24272b;--line:#3a3e44;--pass:#5ccf86;--fail:#ff8a80;--open:#f0b95a;--skip:#999;"
    "--mark:#5c4a12}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:var(--ink);background:var(--paper);overflow-wrap:anywhere}\n"
    "h1{margin-bottom:0;line-height:1.2}h2{margin-top:2rem}.sub{color:var(--dim);margin-top:.4rem}"
    "\n"
    "pre{background:var(--block);padding:.7rem;overflow-x:auto;white-space:pre-wrap}\n"
    "pre.source{white-space:pre}mark{background:var(--mark);color:inherit}\n"
    "summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}\n"
    "summary::before{content:\"\\25b8\";color:var(--dim)}details[open]>summary::before{content:"
    "\"\\25be\"}\n"
    "details{margin:.3rem 0}details details{margin-left:1.5rem}.hint>summary::before{margin-right:"
    ".5rem}\n"
    ".check>summary{display:grid;grid-template-columns:1rem 6.5rem 11rem 4rem 1fr;gap:.5rem;"
    "border-top:1px solid var(--line);padding:.3rem 0}\n"
    ".check p,.problem p,.problem dl,.problem pre{margin:.4rem 0 .4rem 1.5rem}"
    ".problem p{font-weight:600}\n"
    "dl{display:grid;grid-template-columns:6rem 1fr}dt{color:var(--dim)}dd{margin:0}\n"
    ".pass{--state:var(--pass)}.fail{--state:var(--fail)}.inconclusive{--state:var(--open)}"
    ".skip{--state:var(--skip)}.check b{color:var(--state)}\n"
    ".points{display:flex;gap:2px;height:.8rem}.points span{background:var(--state);"
    "min-width:2px;border-radius:2px}.points .fail{opacity:.55}\n"
    ".scroll{overflow-x:auto}.scroll img{background:#fff;max-width:none;display:block}\n"
    "svg.timeline{width:100%;min-width:46rem;height:auto;font-size:12px}\n"
    "svg.timeline text{fill:var(--ink)}svg.timeline .in,svg.timeline .tick{text-anchor:middle}\n"
    "svg.timeline text.in{fill:#222}svg.timeline line{stroke:var(--line)}\n"
    "@media(max-width:40rem){body{margin:1rem auto}.check>summary{grid-template-columns:1rem 1fr "
    "auto auto}.check>summary b{order:2}.check>summary span{order:1}.check>summary span+span{order:"
    "3}.check>summary span:last-child{order:4;grid-column:2/-1}dl{grid-template-columns:1fr}"
    "dd{margin-bottom:.4rem}.check p,.problem p,.problem dl,.problem pre{margin-left:0}}\n";

static const char *const status_words[] = {[CHECK_PASSED] = "pass",
                                           [CHECK_FAILED] = "fail",
                                           [CHECK_SKIPPED] = "skip",
                                           [CHECK_INCONCLUSIVE] = "inconclusive"};

/* What the page is about. */
struct content {
    const struct report *report;
    const struct report_traces *traces;
    const struct hint_files *hints;
    int hint_levels; /* that the page has */
    int points, max_points;
};

void html_text(FILE *to, const char *text)
{
    plain_write(to, PLAIN_HTML, text, strlen(text));
}

static void element(FILE *to, const char *tag, const char *text)
{
    if (!*text)
        return;
    fprintf(to, "<%s>", tag);
    html_text(to, text);
    fprintf(to, "</%s>\n", tag);
}

static void described(FILE *to, const char *term, const char *text)
{
    if (!*text)
        return;
    fprintf(to, "<dt>%s</dt>", term);
    element(to, "dd", text);
}

static void put_hints(FILE *to, const struct content *c, const struct session_check *check)
{
    static const char *const titles[] = {"what to look at", "which call", "nearly the code"};
    struct hint hint;
    if (c->hint_levels == 0 || !hints_for(&hint, c->hints, check->mistake, check->name))
        return;
    for (int i = 0; i < c->hint_levels; i++) {
        fprintf(to, "<details class=\"hint\"><summary>Hint %d: %s</summary>\n", i + 1, titles[i]);
        element(to, "pre", hint.levels[i]);
        fputs("</details>\n", to);
    }
}

static void put_check(FILE *to, const struct session *s, const struct session_check *check)
{
    struct report_words words;
    const char *status = status_words[check->status];
    report_words(s, check, &words);
    fprintf(to, "<details class=\"check %s\"><summary><b>%s</b><span>%s</span><span>%d/%d</span>",
            status, status, check->name, report_points(check), report_max_points(check));
    element(to, "span", check->words);
    fputs("</summary>\n", to);
    element(to, "p", words.message);
    if (report_where(s, check)[0])
        fprintf(to, "<p>failed%s%s</p>\n", report_where(s, check),
                session_disagrees(s, check) ? ": the devices disagree" : "");
    fputs("</details>\n", to);
}

static void put_problem(FILE *to, const struct content *c, const struct report_problem *problem)
{
    const struct session *s = c->report->session;
    struct report_words words;
    struct report_call calls[REPORT_CALLS];
    char scenario[SESSION_TEXT];
    char heading[SESSION_TEXT];
    report_words(s, problem->from, &words);
    report_problem_heading(s, problem, heading);
    fputs("<section class=\"problem\">\n", to);
    element(to, "h3", heading);
    element(to, "p", words.message);
    fputs("<dl>", to);
    for (int i = 0, n = report_calls(problem->from, calls); i < n; i++)
        described(to, calls[i].label, calls[i].text);
    described(to, "actual", words.actual);
    described(to, "expected", words.expected);
    report_case(problem->from, scenario);
    described(to, "case", scenario);
    described(to, "next", words.next);
    fputs("</dl>\n", to);
    html_sources(to, s, calls, report_calls(problem->from, calls));
    put_hints(to, c, problem->from);
    fputs("</section>\n", to);
}

static void put_checks(FILE *to, const struct content *c)
{
    const struct session *s = c->report->session;
    struct report_problem problems[SESSION_CHECKS];
    char left[SESSION_TEXT];
    const int n = report_problems(s, problems), due = report_problems_due(problems, n);
    for (int i = 0; i < s->n_checks; i++)
        put_check(to, s, &s->checks[i]);
    for (int i = 0; i < due; i++)
        put_problem(to, c, &problems[i]);
    report_problems_left(s, problems + due, n - due, left);
    if (left[0])
        element(to, "p", left);
}

/* In an image nothing is a link, runs or loads, whatever the file holds. */
static void put_picture(FILE *to, const char *svg, const char *words)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char bytes[3];
    size_t n;
    FILE *from = fopen(svg, "r");
    fputs("<div class=\"scroll\" tabindex=\"0\"><img alt=\"", to);
    html_text(to, words);
    fputs("\" src=\"data:image/svg+xml;base64,", to);
    while (from && (n = fread(bytes, 1, 3, from)) > 0) {
        const unsigned group = (unsigned)bytes[0] << 16 | (n > 1 ? (unsigned)bytes[1] << 8 : 0) |
                               (n > 2 ? bytes[2] : 0);
        for (size_t i = 0; i < 4; i++)
            putc(i <= n ? digits[group >> (18 - 6 * i) & 63] : '=', to);
    }
    fputs("\"></div>\n", to);
    if (from)
        fclose(from);
}

static void put_graph(FILE *to, const struct report *r)
{
    char svg[SESSION_PATH + 64];
    if (!report_has_graph(r->session))
        return;
    fprintf(to, "<h2>The graph that %s looked at</h2>\n", r->session->graph_check);
    fputs("<pre class=\"source\">", to);
    html_text(to, r->session->graph_words);
    fputs("</pre>\n", to);
    const char *why = r->session->graph_dot[0] ? report_graph_draw(r, svg) : "";
    if (why)
        element(to, "p", why);
    else
        put_picture(to, svg, "the graph: its nodes, and an arrow for each edge");
}

/* Where the course lies on this machine is nobody's business: of a word that is an absolute path,
   only the last name. A page may be sent to others. */
static void put_without_folders(FILE *to, const char *text)
{
    const char *word = text;
    while (*word) {
        const bool is_quoted = *word == '\'' || *word == '"';
        const char end[] = {is_quoted ? *word : ' ', '\0'};
        const size_t n = is_quoted + strcspn(word + is_quoted, end);
        const char *from = word + is_quoted, *slash = memrchr(from, '/', n - is_quoted);
        if (*from == '/' && slash[1] != '\0' && slash + 1 < word + n)
            from = slash + 1;
        plain_write(to, PLAIN_HTML, word, is_quoted);
        plain_write(to, PLAIN_HTML, from, (size_t)(word + n - from));
        word += n;
        const size_t after = *word != '\0';
        plain_write(to, PLAIN_HTML, word, after);
        word += after;
    }
}

/* A bar: a part for each check, as wide as its points. */
static void put_points(FILE *to, const struct content *c)
{
    fprintf(to, "<div class=\"points\" role=\"img\" aria-label=\"%d of %d points\">", c->points,
            c->max_points);
    for (int i = 0; i < c->report->session->n_checks; i++) {
        const struct session_check *check = &c->report->session->checks[i];
        if (report_max_points(check) > 0)
            fprintf(to, "<span class=\"%s\" style=\"flex:%d\" title=\"%s: %d of %d\"></span>",
                    status_words[check->status], report_max_points(check), check->name,
                    report_points(check), report_max_points(check));
    }
    fputs("</div>\n", to);
}

static void put_head(FILE *to, const struct content *c)
{
    char words[SESSION_TEXT];
    const struct session *s = c->report->session;
    fprintf(to,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src "
            "data:; style-src 'unsafe-inline'\">\n"
            "<title>%s: %d of %d points: ",
            s->lab, c->points, c->max_points);
    put_without_folders(to, c->report->submission);
    fprintf(to, "</title>\n<style>\n%s</style></head>\n<body>\n<h1>%s: ", style, s->lab);
    html_text(to, s->title);
    fputs("</h1>\n<p class=\"sub\">on ", to);
    html_text(to, c->report->device_name);
    if (c->report->simulated_name[0]) {
        fputs(" and ", to);
        html_text(to, c->report->simulated_name);
    }
    fputs("<br>", to);
    put_without_folders(to, c->report->submission);
    fputs(report_second_source(c->report), to);
    report_not_yours(c->report, words);
    if (words[0])
        fprintf(to, "<br><strong>%s</strong>", words);
    fputs("<br>the same inputs again: ", to);
    put_without_folders(to, c->report->again);
    fprintf(to, "</p>\n<h2>%d of %d points</h2>\n", c->points, c->max_points);
    put_points(to, c);
}

static void write_page(FILE *to, const void *what)
{
    const struct content *c = what;
    const struct session *s = c->report->session;
    put_head(to, c);
    put_checks(to, c);
    if (report_has_timeline(s)) {
        fprintf(to, "<h2>The run that %s looked at</h2>\n", s->timeline_check);
        const bool is_same = strcmp(s->timeline, s->reference_timeline) == 0;
        html_timelines(to, &c->traces->own, is_same ? NULL : &c->traces->reference);
    }
    put_graph(to, c->report);
    if (s->output.total_bytes > 0) {
        fprintf(to, "<h2>The submission's output (in %s)</h2>\n", s->output.check);
        char text[SESSION_OUTPUT + 1];
        snprintf(text, sizeof text, "%.*s", (int)s->output.kept_bytes, s->output.kept);
        element(to, "pre", text);
    }
    fputs("</body>\n</html>\n", to);
}

int report_html_write(const struct report *r, const struct report_traces *t,
                      const struct hint_files *hints, int levels, const char *path)
{
    const struct session *s = r->session;
    const int points = report_sum(s, report_points), most = report_sum(s, report_max_points);
    const struct content c = {r, t, hints, levels, points, most};
    return report_file_write(path, "--html", write_page, &c);
}

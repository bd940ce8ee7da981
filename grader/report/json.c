/* json.c: the report for scripts. With virtual time it is the same in every grading, but for the
 * seed.
 */
#include <math.h>
#include <string.h>

#include "common/plain_text.h"
#include "report.h"

static const char *const status_words[] = {[CHECK_PASSED] = "pass",
                                           [CHECK_FAILED] = "fail",
                                           [CHECK_SKIPPED] = "skip",
                                           [CHECK_INCONCLUSIVE] = "inconclusive"};

static void write_string(FILE *to, const char *text)
{
    plain_write(to, PLAIN_JSON, text, strlen(text));
}

static void write_figure(FILE *to, const char *name, bool known, double value)
{
    if (known && isfinite(value))
        fprintf(to, ", \"%s\": %.10g", name, value);
    else
        fprintf(to, ", \"%s\": null", name);
}

/* What each device said: {"sim": "pass", "gpu": "fail"}. */
static void write_devices(FILE *to, const struct session *s, const struct session_check *c)
{
    static const char *const devices[] = {[DEVICE_SIM] = "sim", [DEVICE_GPU] = "gpu"};
    const char *separator = "";
    if (session_disagrees(s, c))
        fputs(", \"devices_disagree\": true", to);
    fprintf(to, ", \"device\": \"%s\", \"verdicts\": {", devices[s->both ? c->device : s->device]);
    for (int i = 0; i < 2; i++) {
        const enum session_status status = s->both               ? c->on_device[i]
                                           : i == (int)s->device ? c->status
                                                                 : CHECK_NOT_RUN;
        if (status == CHECK_NOT_RUN)
            continue;
        fprintf(to, "%s\"%s\": \"%s\"", separator, devices[i], status_words[status]);
        separator = ", ";
    }
    putc('}', to);
}

static void write_check(FILE *to, const struct session *s, const struct session_check *c)
{
    struct report_words words;
    report_words(s, c, &words);
    fputs("    {\"name\": ", to);
    write_string(to, c->name);
    if (c->by_hand)
        fputs(", \"by_hand\": true", to);
    write_devices(to, s, c);
    fprintf(to, ", \"status\": \"%s\", \"points\": %d, \"max_points\": %d, \"message\": ",
            status_words[c->status], report_points(c), report_max_points(c));
    write_string(to, words.message[0] ? words.message : c->words);
    write_figure(to, "measured", c->has_figure, c->measured);
    write_figure(to, "required", c->has_figure, c->required);
    fputs(", \"unit\": ", to);
    if (c->has_figure)
        write_string(to, c->unit);
    else
        fputs("null", to);
    if (c->time_us > 0) {
        write_figure(to, "time_us", true, c->time_us);
        write_figure(to, "reference_us", true, c->reference_us);
        write_figure(to, "floor_us", c->floor_us > 0, c->floor_us);
    }
    putc('}', to);
}

static void write_line(FILE *to, const char *role, const char *text)
{
    fputs("{\"role\": ", to);
    write_string(to, role);
    fputs(", \"text\": ", to);
    write_string(to, text);
    putc('}', to);
}

/* The lines of the submission that a mistake is about. */
static void write_lines(FILE *to, const struct session_check *c)
{
    struct report_call calls[REPORT_CALLS];
    const int n = report_calls(c, calls);
    fputs("], \"lines\": [", to);
    for (int i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : "", to);
        write_line(to, calls[i].label, calls[i].text);
    }
    if (n == 0 && c->event.fault_at.at[0])
        write_line(to, "crash", c->event.fault_at.at);
}

static void write_mistake(FILE *to, const struct session *s, const struct report_problem *problem)
{
    struct report_words words;
    report_words(s, problem->from, &words);
    fputs("    {\"name\": ", to);
    if (problem->from->mistake[0])
        write_string(to, problem->from->mistake);
    else
        fputs("null", to);
    fputs(", \"message\": ", to);
    write_string(to, words.message);
    fputs(", \"next\": ", to);
    write_string(to, words.next);
    fputs(", \"of_checks\": [", to);
    for (int i = 0; i < problem->n_checks; i++) {
        fputs(i > 0 ? ", " : "", to);
        write_string(to, problem->checks[i]->name);
    }
    write_lines(to, problem->from);
    fputs("]}", to);
}

/* Why checks failed, the first one first; a mistake without a name is one that nobody knows. */
static void write_mistakes(FILE *to, const struct session *s)
{
    struct report_problem problems[SESSION_CHECKS];
    const int n = report_problems(s, problems);
    fputs("  \"mistakes\": [\n", to);
    for (int i = 0; i < n; i++) {
        write_mistake(to, s, &problems[i]);
        fputs(i + 1 < n ? ",\n" : "\n", to);
    }
    fputs("  ],\n", to);
}

static void write_report(FILE *to, const void *what)
{
    const struct report *r = what;
    const struct session *s = r->session;
    fputs("{\n  \"lab\": ", to);
    write_string(to, s->lab);
    fputs(",\n  \"device\": ", to);
    write_string(to, r->device_name);
    if (r->simulated_name[0]) {
        fputs(",\n  \"simulated_device\": ", to);
        write_string(to, r->simulated_name);
    }
    fputs(",\n  \"submission\": ", to);
    write_string(to, r->submission);
    fprintf(to, ",\n  \"seed\": \"%llu\"",
            (unsigned long long)s->seed); /* no double holds them all */
    if (s->n_devices > 0)
        fprintf(to, ",\n  \"devices\": {\"present\": %d, \"lab_is_for\": %d}", s->n_devices,
                s->devices);
    fprintf(to, ",\n  \"points\": %d,\n  \"max_points\": %d,\n", report_sum(s, report_points),
            report_sum(s, report_max_points));
    write_mistakes(to, s);
    fputs("  \"checks\": [\n", to);
    for (int i = 0; i < s->n_checks; i++) {
        write_check(to, s, &s->checks[i]);
        fputs(i + 1 < s->n_checks ? ",\n" : "\n", to);
    }
    fputs("  ]\n}\n", to);
}

int report_json_write(const struct report *r, const char *path)
{
    return report_file_write(path, "--json", write_report, r);
}

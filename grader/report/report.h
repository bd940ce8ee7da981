/* report.h: a finished grading in words: for people, and as JSON for scripts. */
#pragma once

#include <stdio.h>

#include "common/trace.h"
#include "session/session.h"

/* What a report is about. */
struct report {
    const struct session *session;
    const char *device_name; /* as reports show it */
    const char
        *simulated_name;    /* the simulated device's; empty: it is the same, or was not asked */
    const char *submission; /* source of the subject, relative to root; empty: not known */
    const char *root;       /* the course */
    const char *build;      /* its build directory: pictures go to report/ in it */
    const char *picture;    /* what they are called there */
    const char *again;      /* the command that grades it with the same inputs */
    bool has_hints;         /* ./grade labNN --hint says more about what failed */
    bool told;              /* report_print_found has begun it */
};

/* words.c: how a check ended, in the words of its suite, or in those for what its subject did.
   Empty where there is nothing to say. */
struct report_words {
    char message[SESSION_TEXT];
    char actual[SESSION_TEXT];
    char expected[SESSION_TEXT];
    char next[SESSION_TEXT];
};
void report_words(const struct session *s, const struct session_check *c, struct report_words *w);
/* Did it fail because the submission ignored the error of a call? */
bool report_is_ignored(const struct session_check *c);
/* The sizes, and what is known of the runs before. */
void report_case(const struct session_check *c, char text[SESSION_TEXT]);

/* problems.c: checks that failed, or are undecided, for the same reason. First those of steps
   before the first one that is not written, else in the order of the first check of each. But wrong
   values whose cause is not known come after all whose cause is known, times apart. Returns how
   many. */
struct report_problem {
    const struct session_check *from; /* whose words say why */
    const struct session_check *checks[SESSION_CHECKS];
    int n_checks;
};
int report_problems(const struct session *s, struct report_problem problems[SESSION_CHECKS]);

/* How many of them a report shows: none after a step that is not written, as they would say how to
   write it, or follow from it. And what it says of those that it does not show: empty if there are
   none. */
int report_problems_due(const struct report_problem *problems, int n);
void report_problems_left(const struct session *s, const struct report_problem *problems, int n,
                          char text[SESSION_TEXT]);

/* "results and time fail for one reason:" */
void report_problem_heading(const struct session *s, const struct report_problem *problem,
                            char text[SESSION_TEXT]);

/* calls.c: the lines of the submission's calls that a check failed for: "first", "lab.c:57:
   cudaMemcpyAsync(a, b, bytes". How many there are. */
enum { REPORT_CALLS = 4 };
struct report_call {
    const char *label;
    char text[3 * SESSION_PLACE + 160];
};
int report_calls(const struct session_check *c, struct report_call calls[REPORT_CALLS]);

/* text.c: every check; actual, expected, what to do next. Brief: a line for each check, and why the
   first one failed. */
void report_print(const struct report *r, bool brief, FILE *to);

/* The sum of report_points, or of report_max_points. */
int report_sum(const struct session *s, int (*points)(const struct session_check *c));

/* text.c: of two devices, what the simulated one found alone, while the GPU is asked. False: there
   is nothing. */
bool report_print_found(const struct report *r, bool brief, FILE *to);

/* problems.c: " on the simulated device", " on the GPU"; empty if only one judges, or it has not
   failed. */
const char *report_where(const struct session *s, const struct session_check *c);

/* file.c: 0, or -1 after a message that names the option. `path` may be "-" for stdout. Call
   report_file_probe before the grading: can the file be written? */
typedef void report_writer(FILE *to, const void *what);
int report_file_probe(const char *path, const char *option);
int report_file_write(const char *path, const char *option, report_writer *write, const void *what);

/* json.c: the report for programs, 0 or -1 as above. */
int report_json_write(const struct report *r, const char *path);

/* graph.c: draws the session's graph to a file, whose name goes to `svg`; NULL, or a sentence about
   why there is no picture. */
const char *report_graph_draw(const struct report *r, char svg[SESSION_PATH + 64]);

/* graph.c: the graph that a check showed, and where its picture is. */
void report_graph(const struct report *r, FILE *to);

/* trace.c: the trace as Chrome's trace events, which Perfetto opens. 0 or -1 as above. */
int report_trace_write(const struct trace *t, const char *path);

/* text.c: is there a timeline, and does it say anything about a failure: is it another one than the
   reference's? And a graph of a check that failed? If nothing failed, they are examples. */
bool report_has_timeline(const struct session *s);
bool report_has_graph(const struct session *s);

/* Whose timelines a page shows; without rows if there is none. */
struct report_traces {
    struct trace own, reference;
};

/* output.c: the path of the file with all that the submission printed, 0 or -1; writes it, or
 * removes an older one if nothing was printed. */
int report_output_path(const struct report *r, char path[SESSION_PATH]);
void report_output_write(const struct report *r, FILE *from);

/* html.c: a page of its own: checks, timelines, graph, hints. 0 or -1 as above. The page has the
   first `levels` hints, 0 to HINT_LEVELS. */
struct hint_files;
int report_html_write(const struct report *r, const struct report_traces *t,
                      const struct hint_files *hints, int levels, const char *path);

/* text.c: "the reference solution", "the known submission NAME"; "": neither of them. " and
 * lab.cu", if there is one beside its lab.c; else "". */
void report_not_yours(const struct report *r, char words[SESSION_TEXT]);
const char *report_second_source(const struct report *r);

/* A check's points as they count: a skipped check offers none. */
int report_points(const struct session_check *c);
int report_max_points(const struct session_check *c);

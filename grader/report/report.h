/*
 * report.h: a finished grading in words: for people, and as JSON for scripts.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "session/session.h"

/* What a report is about. */
struct report {
    const struct session *session;
    const char *device_name; /* as reports show it */
    const char *submission;  /* source of the subject, relative to root; empty: not known */
    const char *root;        /* the course */
    const char *build;       /* its build directory: pictures go to report/ in it */
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

/* text.c: every check; actual, expected, what to do next. */
void report_print(const struct report *r, FILE *to);

/* json.c: 0, or -1 after a message. `path` may be "-" for stdout. Call report_json_probe before the
   grading: can the file be written? */
int report_json_probe(const char *path);
int report_json_write(const struct report *r, const char *path);

/* graph.c: the graph that a check showed, and where its picture is. */
void report_graph(const struct report *r, FILE *to);

/* A check's points as they count: a skipped check offers none. */
int report_points(const struct session_check *c);
int report_max_points(const struct session_check *c);

#endif

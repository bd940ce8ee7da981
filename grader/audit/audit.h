/*
 * audit.h: the judge is judged: submissions whose verdict is known, and what ./grade says of them.
 *
 *     starter          fails every check that is not skipped, and says that it is not written yet
 *     solution, right/ pass
 *     wrong/NAME       fails the checks that labNN/expected.tsv names, in the words it names
 */
#ifndef AUDIT_H
#define AUDIT_H

#include <stdbool.h>
#include <stdio.h>

enum {
    AUDIT_NAME = 64,
    AUDIT_TEXT = 1200,
    AUDIT_CHECKS = 32,
    AUDIT_ROWS = 128,
    AUDIT_SUBMISSIONS = 64
};

/* ---- audit_table.c: what is expected --------------------------------------------------------- */

/* One line of expected.tsv: on this device ("any", "sim", "gpu") this check fails, and its message
 * has these words. */
struct audit_row {
    char submission[AUDIT_NAME], device[AUDIT_NAME], check[AUDIT_NAME], words[AUDIT_TEXT];
};

struct audit_table {
    struct audit_row rows[AUDIT_ROWS];
    int n_rows;
};

/* False, with a sentence on stderr that names file and line, if the file is not there or not a
 * table. */
bool audit_table_read(struct audit_table *table, const char *path);

/* Is the row about this submission (NULL: any), on this device (NULL: any)? */
bool audit_row_is(const struct audit_row *row, const char *submission, const char *device);

/* ---- audit_report.c: what ./grade said ------------------------------------------------------- */

struct audit_check {
    char name[AUDIT_NAME], status[AUDIT_NAME], message[AUDIT_TEXT];
};

struct audit_report {
    struct audit_check checks[AUDIT_CHECKS];
    int n_checks;
};

/* Reads what ./grade --json wrote. False if that is no such report. */
bool audit_report_read(struct audit_report *report, FILE *json);

/* NULL where there is no check of that name. */
const struct audit_check *audit_report_find(const struct audit_report *report, const char *name);

/* ---- audit_verdict.c: do the two agree? ------------------------------------------------------ */

enum audit_kind { AUDIT_STARTER, AUDIT_SOLUTION, AUDIT_RIGHT, AUDIT_WRONG };

struct audit_submission {
    char name[AUDIT_NAME];
    enum audit_kind kind;
    int exit_status; /* of ./grade; -1: it did not end by itself */
    struct audit_report report;
    char said[AUDIT_TEXT]; /* where there is no report: the end of its messages */
};

struct audit_lab {
    const char *name, *device; /* lab03, sim */
    struct audit_table table;
    struct audit_submission submissions[AUDIT_SUBMISSIONS];
    int n_submissions;
    bool whole; /* every submission of the lab was graded, not a few named ones */
    int problems;
};

/* Prints the matrix of the lab, what is wrong with it in sentences, and counts that in
 * lab->problems. */
void audit_verdict(struct audit_lab *lab);

#endif

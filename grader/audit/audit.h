/*
 * audit.h: the judge is judged: submissions whose verdict is known, and what ./grade says of them.
 *
 *     starter          fails every check that is not skipped, and says that it is not written yet
 *     solution, right/ pass
 *     wrong/NAME       fails the checks that labNN/expected.tsv names, in the words it names
 */
#ifndef AUDIT_H
#define AUDIT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

enum {
    AUDIT_NAME = 64,
    AUDIT_TEXT = 1200,
    AUDIT_CHECKS = 32,
    AUDIT_ROWS = 128,
    AUDIT_SUBMISSIONS = 64,
    AUDIT_TALLIES = 512,
    AUDIT_JOBS = 16
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

/* ---- audit_grade.c: ./grade itself ------------------------------------------------------------
 */

struct audit_lab;

/* Finds ./grade, the builds and grader/labs from where this program is. */
bool audit_find_places(void);
const char *audit_root(void); /* the course */

/* The built submission; ends the program if it is not there. */
void audit_subject(char path[PATH_MAX], const struct audit_lab *lab, const char *name);

/* Grades it, with the JSON on standard output. */
_Noreturn void audit_become_grade(const struct audit_lab *lab, const char *subject);

/* Grades all submissions of the lab, so many at once. */
void audit_grade_all(struct audit_lab *lab, int n_jobs);

/* ---- audit_load.c: what else uses the device ------------------------------------------------- */

/* Starts `load`, a number of other gradings of the lab's solution, one after the other for ever, or
 * "compute": a program that computes all the time. Until audit_load_stop, or the end of this
 * program. */
void audit_load_start(const char *load, const struct audit_lab *lab);
void audit_load_stop(void);

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

/* Can anything that is expected of this submission be seen on the lab's device? */
bool audit_is_visible(const struct audit_lab *lab, const char *submission);

/* ---- audit_rates.c: how often is a verdict false? ---------------------------------------------
 *
 * Each grading is a line of a log, so a run that was cut goes on where it was.
 */

struct audit_tally {
    char lab[AUDIT_NAME], submission[AUDIT_NAME];
    enum audit_kind kind;
    int n, n_false, n_undecided;
    double seconds;          /* of all gradings */
    char checks[AUDIT_TEXT]; /* that said something else than expected */
};

struct audit_rates {
    const char *log, *load, *label; /* label: device and commit, in words */
    struct audit_tally tallies[AUDIT_TALLIES];
    int n_tallies;
};

/* What the log has of this load; no log: nothing yet. False after a message: it is no such log. */
bool audit_rates_read(struct audit_rates *r);

/* Grades each submission of the lab until it has been graded `times` times. */
void audit_rates_grade(struct audit_rates *r, const struct audit_lab *lab, int times);

/* Rates with their bounds (Wilson, 95 %), for each lab and kind; as a table and as JSON. */
void audit_rates_print(const struct audit_rates *r, FILE *to);
void audit_rates_json(const struct audit_rates *r, FILE *to);

/* The bounds of a rate of which n found k: E. B. Wilson, 1927. */
struct audit_bounds {
    double low, high;
};
struct audit_bounds audit_wilson(int k, int n);

#endif

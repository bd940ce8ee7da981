/* audit.h: the judge is judged: submissions whose verdict is known, and what ./grade says of them.
 *
 *     starter          fails every check that is not skipped, and says that it is not written yet
 *     solution, right/ pass
 *     wrong/NAME       fails the checks that its first lines name, in the words they name; and the
 *                      report names the mistakes that they name */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum {
    AUDIT_NAME = 64,
    AUDIT_TEXT = 1200,
    AUDIT_CHECKS = 32,
    AUDIT_ROWS = 512,
    AUDIT_SUBMISSIONS = 192,
    AUDIT_LABS = 32,
    AUDIT_JOBS = 16
};

/* ---- audit_table.c: what is expected --------------------------------------------------------- */

/* This check fails, because this device ("any", "sim", "gpu") finds it, and its message has these
 * words; or the words are the name of a mistake, and the check is "mistake" or "also"; or the words
 * are a check without which the device cannot show the submission, and the check is "needs"; or
 * they are the profiles of the simulated device that do not show it, and the check is "except"
 * (labs/mistakes.awk). */
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

/* Is the row about this submission (NULL: any), on this device (NULL: any)? On a GPU both devices
 * judge. */
bool audit_row_is(const struct audit_row *row, const char *submission, const char *device);

/* ---- audit_report.c: what ./grade said ------------------------------------------------------- */

struct audit_check {
    char name[AUDIT_NAME], status[AUDIT_NAME], message[AUDIT_TEXT];
    char device[AUDIT_NAME];    /* that the message is from: "sim", "gpu" */
    char simulated[AUDIT_NAME]; /* what the simulated device said; empty: it was not asked */
    bool is_disputed;           /* the devices disagree, in something that is not measured */
};

struct audit_report {
    char mistake[AUDIT_NAME];  /* the first one; empty: it has no name */
    char mistakes[AUDIT_TEXT]; /* the names of all: leak,never_joined */
    struct audit_check checks[AUDIT_CHECKS];
    int n_checks;
    int n_devices, n_wanted; /* that there were, and that the lab is for; 0: not known */
};

/* Reads what ./grade --json wrote. False if that is no such report. */
bool audit_report_read(struct audit_report *report, FILE *json);

/* NULL where there is no check of that name. */
const struct audit_check *audit_report_find(const struct audit_report *report, const char *name);

/* ---- audit_grade.c: ./grade itself ----------------------------------------------------------- */

struct audit_lab;

/* Finds ./grade, the builds and grader/labs from where this program is. */
bool audit_find_places(void);
const char *audit_root(void); /* the course */

/* The built submission; ends the program if it is not there. */
void audit_subject(char path[PATH_MAX], const struct audit_lab *lab, const char *name);

/* Grades it, or these checks of it (empty: all), with the JSON on standard output. */
_Noreturn void audit_become_grade(const struct audit_lab *lab, const char *subject,
                                  const char *checks);

/* ---- audit_verdict.c: do the two agree? ------------------------------------------------------ */

enum audit_kind { AUDIT_STARTER, AUDIT_SOLUTION, AUDIT_RIGHT, AUDIT_WRONG };

struct audit_submission {
    char name[AUDIT_NAME];
    enum audit_kind kind;
    int exit_status; /* of ./grade; -1: it did not end by itself */
    struct audit_report report;
    char said[AUDIT_TEXT];   /* where there is no report: the end of its messages */
    char checks[AUDIT_TEXT]; /* the only ones that are graded: width,nodes; empty: all are */
};

struct audit_lab {
    char name[AUDIT_NAME]; /* lab03 */
    const char *device;    /* sim */
    struct audit_table table;
    struct audit_submission submissions[AUDIT_SUBMISSIONS];
    int n_submissions;
    bool named;    /* of a wrong submission, only the checks that the table names are graded */
    bool left_out; /* there are fewer devices than the lab is for, so its table does not hold */
    int problems;
};

/* Prints the matrix of the lab, what is wrong with it in sentences, and counts that in
 * lab->problems. */
void audit_verdict(struct audit_lab *lab);

/* The first check that must fail for this submission on the lab's device; NULL: none can see it
 * there. */
const char *audit_own_check(const struct audit_lab *lab, const char *submission);

/* All checks that must fail for it there, as ./grade takes them; empty: none can see it there. */
void audit_named_checks(const struct audit_lab *lab, const char *submission,
                        char checks[AUDIT_TEXT]);

/* Was everything about it as expected? Prints nothing. */
bool audit_agrees(struct audit_lab *lab, const struct audit_submission *s);

/* Prints in sentences what was not as expected. */
void audit_verdict_of_submission(struct audit_lab *lab, const struct audit_submission *s);

/* ---- audit_list.c ---------------------------------------------------------------------------- */

/* The labs with their known submissions, or those that are wanted (labNN, labNN/NAME; no name:
 * all). Returns how many. */
int audit_list(struct audit_lab *labs[AUDIT_LABS], const char *device, char *const wanted[]);

/* Leaves at most so many wrong submissions, spread evenly over those that this device can show. */
void audit_thin(struct audit_lab *lab, int most_wrong);

/* ---- audit_machine.c: what the gradings run on ----------------------------------------------- */

struct audit_machine {
    char device[AUDIT_NAME], driver[AUDIT_NAME];
    char gpus[AUDIT_JOBS][AUDIT_NAME]; /* for CUDA_VISIBLE_DEVICES */
    int n_gpus;
};

struct audit_machine audit_machine(const char *device); /* "sim", "gpu" */

/* Gives the calling process the GPU of this slot as its first, and a part of the CPUs. One slot:
 * all.
 */
void audit_place(const struct audit_machine *m, int slot, int n_jobs);

/* ---- audit_pool.c: several ./grade at once --------------------------------------------------- */

/* One grading; its result is in the submission. */
struct audit_task {
    struct audit_lab *lab;
    struct audit_submission *submission;
    double seconds;
};

struct audit_pool {
    const struct audit_machine *machine;
    int n_jobs;
    const char *load;                                      /* audit_load_start */
    bool (*next)(void *of, struct audit_task *task);       /* false: no more */
    void (*done)(void *of, const struct audit_task *task); /* NULL: nothing else to do */
    void *of;
};

/* Grades all that `next` gives, so many at once. */
void audit_pool_run(const struct audit_pool *pool);

/* ---- audit_load.c: what else uses the device ------------------------------------------------- */

struct audit_load {
    const struct audit_lab *lab;
    pid_t pids[AUDIT_JOBS]; /* each leads a process group */
    int n;
};

/* Starts pool->load beside a slot: a number of other gradings of the lab's solution, one after the
 * other for ever, or "compute": a program that computes all the time. Until audit_load_stop, or the
 * end of this program. */
struct audit_load audit_load_start(const struct audit_pool *pool, const struct audit_lab *lab,
                                   int slot);
void audit_load_stop(struct audit_load *load);

/* ---- audit_rates.c: how often is a verdict false? -------------------------------------------- */

/* A log is a table with a line for each grading, or for several that have the first eight columns
 * in common. So a run that was cut goes on where it was, and the logs of several runs and machines
 * make one. Of a wrong submission only its own check is graded: that it fails is enough.
 *
 * A merged log has one line for each submission, device, driver and load, with the list of its
 * commits and dates. Of a solution, the newest commit has a line of its own, because the table has
 * its time. */

struct audit_tally {
    char device[AUDIT_NAME], driver[AUDIT_NAME], load[AUDIT_NAME], lab[AUDIT_NAME],
        submission[AUDIT_NAME];
    char commit[AUDIT_TEXT], date[AUDIT_TEXT]; /* "a87ef43,b67c689": lists in a merged log */
    enum audit_kind kind;
    int n, n_false, n_undecided;
    double seconds;          /* of all gradings */
    char checks[AUDIT_TEXT]; /* that said something else than expected; "-": none */
};

struct audit_rates {
    struct audit_tally *tallies;
    int n_tallies;
};

const char *audit_kind_name(enum audit_kind kind);

/* Adds the names of a list (between commas and spaces) that another list lacks. */
void audit_add_names(char list[AUDIT_TEXT], const char *names, const char *separator);

/* Adds what the log has. False after a message: there is none, or it is something else. */
bool audit_rates_read(struct audit_rates *r, const char *log);

/* Tallies that differ by commit and date alone become one, but for a solution's newest commit. */
void audit_rates_merge(struct audit_rates *r);

/* Writes them as a log, one line for each tally. */
void audit_rates_write(const struct audit_rates *r, FILE *to);

/* One more run of gradings: each submission of these labs `times` times, with those that the log
 * has of this device, commit and load. Each grading becomes a line of the log. False after a
 * message: the log is none, or cannot be written. */
struct audit_run {
    const char *log, *commit;
    int times;
    struct audit_lab **labs;
    int n_labs;
    struct audit_pool pool;
};
bool audit_rates_run(struct audit_rates *r, struct audit_run *run);

/* ---- audit_rates_print.c: rates with their bounds (Wilson, 95 %) ----------------------------- */

/* One table for each device: a row for each lab, and what was not as expected. */
void audit_rates_print(const struct audit_rates *r, FILE *to);

/* For each device, load, lab and kind of submission, and for all labs. */
void audit_rates_json(const struct audit_rates *r, FILE *to);

/* audit_verdict.c: what is expected beside what was said: the matrix of a lab, and every difference
 * in a sentence. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"

enum { WIDEST = 24 };

static const char *const not_written = "not written yet";

static bool quiet; /* problems are counted and not printed */

static void problem(struct audit_lab *lab, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void problem(struct audit_lab *lab, const char *format, ...)
{
    va_list args;
    lab->problems++;
    if (quiet)
        return;
    printf("  !! %s ", lab->name);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

/* Is it in this list: width,nodes? */
static bool is_listed(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = list; (p = strstr(p, name)); p += n)
        if ((p == list || p[-1] == ',') && (p[n] == ',' || p[n] == 0))
            return true;
    return false;
}

/* Does the row name a check that the submission makes a difference to, if the device can show it?
 */
static bool is_need(const struct audit_row *row)
{
    return strcmp(row->check, "needs") == 0;
}

/* Does the row name profiles on which the submission is not wrong? */
static bool is_exception(const struct audit_row *row)
{
    return strcmp(row->check, "except") == 0;
}

/* Is the row about a check that fails? Else it is about the device, or about mistakes that the
 * report names: the first one, or one of the others. */
static bool is_of_check(const struct audit_row *row)
{
    return strcmp(row->check, "mistake") != 0 && strcmp(row->check, "also") != 0 && !is_need(row) &&
           !is_exception(row);
}

/* Is this the profile of the simulated device? */
static bool is_profile_in(const char *names)
{
    char name[AUDIT_NAME];
    const char *path = getenv("SIMGPU_PROFILE"), *slash = path ? strrchr(path, '/') : NULL;
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path ? path : "");
    name[strcspn(name, ".")] = '\0';
    return name[0] && is_listed(names, name);
}

/* The words that the check must say of the submission here; NULL: the table has none. */
static const char *expected_words(const struct audit_lab *lab, const char *submission,
                                  const char *check)
{
    for (int i = 0; i < lab->table.n_rows; i++) {
        const struct audit_row *row = &lab->table.rows[i];
        if (audit_row_is(row, submission, lab->device) && strcmp(row->check, check) == 0)
            return row->words;
    }
    return NULL;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static const char *mark(const struct audit_lab *lab, const struct audit_submission *s,
                        const char *check)
{
    const struct audit_check *c = audit_report_find(&s->report, check);
    if (!c)
        return "";
    if (strcmp(c->status, "pass") == 0)
        return "ok";
    if (strcmp(c->status, "skip") == 0)
        return "-";
    if (strcmp(c->status, "inconclusive") == 0)
        return "?";
    return s->kind == AUDIT_WRONG && expected_words(lab, s->name, check) ? "CAUGHT" : "fail";
}

static void print_matrix(const struct audit_lab *lab)
{
    const struct audit_report *all = &lab->submissions[0].report;
    printf("\n%s on %s\n  %-*s", lab->name, lab->device, WIDEST, "");
    for (int i = 0; i < all->n_checks; i++)
        printf(" %-13s", all->checks[i].name);
    putchar('\n');
    for (int s = 0; s < lab->n_submissions; s++) {
        const struct audit_submission *it = &lab->submissions[s];
        const char *star = it->kind == AUDIT_WRONG ? "" : "* ";
        printf("  %s%-*s", star, WIDEST - (int)strlen(star), it->name);
        for (int i = 0; i < all->n_checks; i++)
            printf(" %-13s", mark(lab, it, all->checks[i].name));
        putchar('\n');
    }
}

/* ---- one submission -------------------------------------------------------------------------- */

/* Has this device skipped the check because it lacks what the check needs (judge/needs.c)? */
static const struct audit_check *lacking(const struct audit_submission *s, const char *check)
{
    const struct audit_check *c = audit_report_find(&s->report, check);
    bool lacks = c && strcmp(c->status, "skip") == 0 && strncmp(c->message, "it needs ", 9) == 0;
    return lacks ? c : NULL;
}

/* Has it skipped all of them? Then nothing is said against the submission, or for it. */
static bool lacks_all(const struct audit_lab *lab, const struct audit_submission *s)
{
    for (int i = 0; i < s->report.n_checks; i++)
        if (!lacking(s, s->report.checks[i].name))
            return false;
    if (s->exit_status == 0 && !quiet)
        printf("     %s %s: this device cannot show any check\n", lab->name, s->name);
    return s->exit_status == 0;
}

/* Does the table say of each check that fails how it fails? Then the starter is a program that
   works, and other checks may pass. */
static bool is_working_starter(const struct audit_lab *lab, const struct audit_submission *s)
{
    for (int i = 0; i < s->report.n_checks; i++) {
        const struct audit_check *c = &s->report.checks[i];
        if (strcmp(c->status, "fail") == 0 && !expected_words(lab, s->name, c->name))
            return false;
    }
    return true;
}

/* A starter says what is not written yet; where a lab hands out something broken or slow, the table
 * says what is said of it. */
static void judge_starter(struct audit_lab *lab, const struct audit_submission *s)
{
    const bool works = is_working_starter(lab, s);
    if (s->exit_status != 1)
        problem(lab, "starter: ./grade ended with %d, 1 is wanted", s->exit_status);
    for (int i = 0; i < s->report.n_checks; i++) {
        const struct audit_check *c = &s->report.checks[i];
        const char *words = expected_words(lab, s->name, c->name);
        bool fails = strcmp(c->status, "fail") == 0;
        if (works && words && strcmp(c->status, "pass") == 0)
            problem(lab, "starter: %s is \"%s\", and must fail with the words \"%s\"", c->name,
                    c->status, words);
        if (!works && !fails && strcmp(c->status, "skip") != 0)
            problem(lab, "starter: %s is \"%s\": nothing is written yet, so nothing can be right",
                    c->name, c->status);
        if (fails && words && !strstr(c->message, words))
            problem(lab, "starter: %s fails, but without the words \"%s\": %s", c->name, words,
                    c->message);
        if (fails && !words && !strstr(c->message, not_written))
            problem(lab, "starter: %s does not say that it is %s, but: %s", c->name, not_written,
                    c->message);
    }
}

/* The reference must pass. What is right in another way may be close to a limit of time, and a
 * GPU's noise may then leave the timing undecided, which is no verdict against it. */
static void judge_right(struct audit_lab *lab, const struct audit_submission *s)
{
    bool may_be_undecided = strcmp(lab->device, "gpu") == 0 && strcmp(s->name, "solution") != 0;
    int passed = 0;
    for (int i = 0; i < s->report.n_checks; i++) {
        const struct audit_check *c = &s->report.checks[i];
        bool passes = strcmp(c->status, "pass") == 0;
        passed += passes;
        if (may_be_undecided && strcmp(c->status, "inconclusive") == 0)
            continue;
        if (!passes && strcmp(c->status, "skip") != 0)
            problem(lab, "%s is right, and %s says \"%s\": %s", s->name, c->name, c->status,
                    c->message);
    }
    bool good = s->exit_status == 0 || (may_be_undecided && s->exit_status == 3);
    if (!good || passed == 0)
        problem(lab, "%s is right, and ./grade ended with %d after %d passed checks", s->name,
                s->exit_status, passed);
}

const char *audit_own_check(const struct audit_lab *lab, const char *submission)
{
    for (int i = 0; i < lab->table.n_rows; i++) {
        const struct audit_row *row = &lab->table.rows[i];
        if (audit_row_is(row, submission, lab->device) && is_of_check(row))
            return row->check;
    }
    return NULL;
}

/* Can a check that the table names fail on this device? If not, *why is one that the device lacks
 * something for, or NULL: the table has none for this device, or an exception. */
static bool is_visible(const struct audit_lab *lab, const struct audit_submission *s,
                       const struct audit_check **why)
{
    bool visible = false;
    *why = NULL;
    for (int i = 0; i < lab->table.n_rows; i++) {
        const struct audit_row *row = &lab->table.rows[i];
        if (!audit_row_is(row, s->name, lab->device))
            continue;
        if (is_exception(row) && is_profile_in(row->words))
            return false;
        if (!is_of_check(row) && !is_need(row))
            continue;
        const struct audit_check *c = lacking(s, is_need(row) ? row->words : row->check);
        *why = c ? c : *why;
        if (c && is_need(row))
            return false;
        visible = visible || (!c && is_of_check(row));
    }
    return visible;
}

void audit_named_checks(const struct audit_lab *lab, const char *submission,
                        char checks[AUDIT_TEXT])
{
    size_t used = 0;
    checks[0] = 0;
    for (int i = 0; i < lab->table.n_rows; i++) {
        const struct audit_row *row = &lab->table.rows[i];
        const char *check = is_need(row) ? row->words : is_of_check(row) ? row->check : NULL;
        if (check && audit_row_is(row, submission, lab->device) && !is_listed(checks, check) &&
            used + AUDIT_NAME < AUDIT_TEXT)
            used += (size_t)sprintf(checks + used, "%s%s", used ? "," : "", check);
    }
}

/* Both devices judge, and the row is about the one that the report does not quote. What fails a
 * check on the simulated device is not asked on the GPU; and a time that the simulated device finds
 * too long is the GPU's to decide. */
static bool is_of_other_device(const struct audit_row *row, const struct audit_check *c)
{
    const bool failed = strcmp(c->status, "fail") == 0;
    if (strcmp(row->device, "gpu") == 0)
        return failed && strcmp(c->device, "sim") == 0;
    return strcmp(row->device, "sim") == 0 && strcmp(c->device, "gpu") == 0 &&
           strcmp(c->simulated, "fail") == 0;
}

static void judge_row(struct audit_lab *lab, const struct audit_submission *s,
                      const struct audit_row *row)
{
    const struct audit_check *c = audit_report_find(&s->report, row->check);
    if (strcmp(row->check, "mistake") == 0) {
        if (strcmp(s->report.mistake, row->words) != 0)
            problem(lab, "%s: the first mistake of the report is \"%s\", \"%s\" is expected",
                    s->name, s->report.mistake, row->words);
    } else if (strcmp(row->check, "also") == 0) {
        if (!is_listed(s->report.mistakes, row->words))
            problem(lab, "%s: the report does not name the mistake \"%s\", but: %s", s->name,
                    row->words, s->report.mistakes);
    } else if (!c)
        problem(lab, "%s must fail the check %s, and the report has none", s->name, row->check);
    else if (is_of_other_device(row, c))
        return;
    else if (strcmp(c->status, "fail") != 0)
        problem(lab, "%s is wrong, and %s says \"%s\"", s->name, row->check, c->status);
    else if (!strstr(c->message, row->words))
        problem(lab, "%s: %s fails, but without the words \"%s\": %s", s->name, row->check,
                row->words, c->message);
}

/* Can its report have what the row expects? The first mistake is that of all named checks. */
static bool is_graded_for(const struct audit_lab *lab, const struct audit_submission *s,
                          const struct audit_row *row)
{
    if (!s->checks[0])
        return true;
    return is_of_check(row) ? is_listed(s->checks, row->check) : lab->named;
}

static void judge_wrong(struct audit_lab *lab, const struct audit_submission *s)
{
    const struct audit_check *why;
    const bool expected_here = is_visible(lab, s, &why);
    for (int i = 0; i < lab->table.n_rows && expected_here; i++) {
        const struct audit_row *row = &lab->table.rows[i];
        if (audit_row_is(row, s->name, lab->device) && is_graded_for(lab, s, row) &&
            !is_need(row) && !is_exception(row) && !lacking(s, row->check))
            judge_row(lab, s, row);
    }
    if (expected_here && s->exit_status != 1)
        problem(lab, "%s: ./grade ended with %d, 1 is wanted", s->name, s->exit_status);
    if (!expected_here && !quiet)
        printf("     %s %s: this device cannot show it%s%s%s%s\n", lab->name, s->name,
               why ? ": " : "", why ? why->name : "", why ? ": " : "", why ? why->message : "");
}

/* What is right on the simulated device and wrong on the GPU is a fault of the course, unless the
 * table has a row of the GPU's for it. */
static void judge_disputes(struct audit_lab *lab, const struct audit_submission *s)
{
    for (int i = 0; i < s->report.n_checks; i++) {
        const struct audit_check *c = &s->report.checks[i];
        bool known = false;
        for (int k = 0; k < lab->table.n_rows; k++) {
            const struct audit_row *row = &lab->table.rows[k];
            known |= audit_row_is(row, s->name, NULL) && strcmp(row->device, "gpu") == 0 &&
                     strcmp(row->check, c->name) == 0;
        }
        if (c->is_disputed && !known)
            problem(lab, "%s: the devices disagree on %s; the GPU says: %s", s->name, c->name,
                    c->message);
    }
}

void audit_verdict_of_submission(struct audit_lab *lab, const struct audit_submission *s)
{
    if (s->report.n_checks == 0) {
        problem(lab, "%s: ./grade ended with %d and without a report:\n%s", s->name, s->exit_status,
                s->said);
        return;
    }
    if (lacks_all(lab, s))
        return;
    judge_disputes(lab, s);
    if (s->kind == AUDIT_STARTER)
        judge_starter(lab, s);
    else if (s->kind == AUDIT_WRONG)
        judge_wrong(lab, s);
    else
        judge_right(lab, s);
}

bool audit_agrees(struct audit_lab *lab, const struct audit_submission *s)
{
    const int before = lab->problems;
    quiet = true;
    audit_verdict_of_submission(lab, s);
    quiet = false;
    const bool agrees = lab->problems == before;
    lab->problems = before;
    return agrees;
}

/* ---- the lab --------------------------------------------------------------------------------- */

void audit_verdict(struct audit_lab *lab)
{
    if (lab->n_submissions == 0) {
        problem(lab, "has no submission to audit");
        return;
    }
    print_matrix(lab);
    for (int i = 0; i < lab->n_submissions; i++)
        audit_verdict_of_submission(lab, &lab->submissions[i]);
}

/* audit_rates.c: gradings that are counted, and what they say of the judge. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "audit.h"

static const char *const kinds[] = {"starter", "solution", "right", "wrong"};

struct audit_bounds audit_wilson(int k, int n)
{
    const double z = 1.96; /* 95 % */
    if (n == 0)
        return (struct audit_bounds){0, 1};
    const double p = (double)k / n, by = 1 + z * z / n, center = (p + z * z / (2 * n)) / by,
                 half = z / by * sqrt(p * (1 - p) / n + z * z / (4.0 * n * n));
    return (struct audit_bounds){fmax(0, center - half), fmin(1, center + half)};
}

/* ---- the log --------------------------------------------------------------------------------- */

static struct audit_tally *find(struct audit_rates *r, const char *lab, const char *submission,
                                enum audit_kind kind)
{
    for (int i = 0; i < r->n_tallies; i++)
        if (strcmp(r->tallies[i].lab, lab) == 0 &&
            strcmp(r->tallies[i].submission, submission) == 0)
            return &r->tallies[i];
    if (r->n_tallies == AUDIT_TALLIES) {
        fprintf(stderr, "audit: more submissions than there is room for\n");
        exit(2);
    }
    struct audit_tally *t = &r->tallies[r->n_tallies++];
    *t = (struct audit_tally){.kind = kind};
    snprintf(t->lab, sizeof t->lab, "%s", lab);
    snprintf(t->submission, sizeof t->submission, "%s", submission);
    return t;
}

/* One grading. `checks`: those that decided it, "-" for none. */
static void count(struct audit_tally *t, int exit_status, double seconds, const char *checks)
{
    const bool must_fail = t->kind == AUDIT_STARTER || t->kind == AUDIT_WRONG;
    const bool undecided = exit_status == 3, right = exit_status == (must_fail ? 1 : 0);
    const size_t used = strlen(t->checks);
    t->n++;
    t->n_undecided += undecided;
    t->n_false += !undecided && !right;
    t->seconds += seconds;
    if (!right && used + strlen(checks) + 2 < sizeof t->checks)
        sprintf(t->checks + used, "%s%s", used ? " " : "", checks);
}

bool audit_rates_read(struct audit_rates *r)
{
    char line[2 * AUDIT_TEXT], load[AUDIT_NAME], lab[AUDIT_NAME], kind[AUDIT_NAME],
        submission[AUDIT_NAME], checks[AUDIT_TEXT];
    FILE *from = fopen(r->log, "r");
    int exit_status;
    double seconds;
    long whole = 0; /* bytes: of a line that was cut the rest will not come */
    while (from && fgets(line, sizeof line, from)) {
        if (!strchr(line, '\n'))
            break;
        whole = ftell(from);
        int k = 0, n = sscanf(line, "%63s %63s %63s %63s %d %lf %1199s", load, lab, kind,
                              submission, &exit_status, &seconds, checks);
        while (k < 4 && strcmp(kinds[k], kind) != 0)
            k++;
        if (n != 7 || k == 4) {
            fprintf(stderr, "%s is no log of gradings: %s", r->log, line);
            fclose(from);
            return false;
        }
        if (strcmp(load, r->load) == 0)
            count(find(r, lab, submission, (enum audit_kind)k), exit_status, seconds, checks);
    }
    if (from)
        fclose(from);
    return !from || truncate(r->log, whole) == 0;
}

static void name_checks(const struct audit_submission *s, char checks[AUDIT_TEXT])
{
    size_t used = 0;
    snprintf(checks, AUDIT_TEXT, "-");
    for (int i = 0; i < s->report.n_checks; i++) {
        const struct audit_check *c = &s->report.checks[i];
        const bool failed = strcmp(c->status, "fail") == 0;
        if ((failed || strcmp(c->status, "inconclusive") == 0) && used < AUDIT_TEXT - AUDIT_NAME)
            used += (size_t)sprintf(checks + used, "%s%s%s", used ? "," : "", c->name,
                                    failed ? "" : "?");
    }
}

static void grade(struct audit_rates *r, const struct audit_lab *lab,
                  const struct audit_submission *s, struct audit_tally *t)
{
    static struct audit_lab one;
    char checks[AUDIT_TEXT];
    struct timespec from, to;
    one = (struct audit_lab){.name = lab->name, .device = lab->device, .n_submissions = 1};
    one.submissions[0] = *s;
    clock_gettime(CLOCK_MONOTONIC, &from);
    audit_grade_all(&one, 1);
    clock_gettime(CLOCK_MONOTONIC, &to);
    const double seconds =
        (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    const int exit_status = one.submissions[0].exit_status;
    name_checks(&one.submissions[0], checks);
    FILE *log = fopen(r->log, "a");
    if (!log || fprintf(log, "%s\t%s\t%s\t%s\t%d\t%.2f\t%s\n", r->load, lab->name, kinds[s->kind],
                        s->name, exit_status, seconds, checks) < 0) {
        perror(r->log);
        exit(2);
    }
    fclose(log);
    count(t, exit_status, seconds, checks);
}

void audit_rates_grade(struct audit_rates *r, const struct audit_lab *lab, int times)
{
    bool loaded = false;
    for (int i = 0; i < lab->n_submissions; i++) {
        const struct audit_submission *s = &lab->submissions[i];
        if (s->kind == AUDIT_WRONG && !audit_is_visible(lab, s->name))
            continue;
        struct audit_tally *t = find(r, lab->name, s->name, s->kind);
        if (t->n >= times)
            continue;
        if (!loaded)
            audit_load_start(r->load, lab);
        loaded = true;
        grade(r, lab, s, t);
    }
    audit_load_stop();
}

/* ---- rates ----------------------------------------------------------------------------------- */

/* Of all submissions of a lab (NULL: of all labs) and a kind. */
static struct audit_tally sum(const struct audit_rates *r, const char *lab, enum audit_kind kind)
{
    struct audit_tally all = {.kind = kind};
    for (int i = 0; i < r->n_tallies; i++) {
        const struct audit_tally *t = &r->tallies[i];
        if (t->kind != kind || (lab && strcmp(t->lab, lab) != 0))
            continue;
        all.n += t->n;
        all.n_false += t->n_false;
        all.n_undecided += t->n_undecided;
        all.seconds += t->seconds;
    }
    snprintf(all.lab, sizeof all.lab, "%s", lab ? lab : "all");
    return all;
}

typedef void row_function(const struct audit_tally *t, FILE *to);

static void for_each_row(const struct audit_rates *r, row_function *row, FILE *to)
{
    for (int kind = AUDIT_STARTER; kind <= AUDIT_WRONG; kind++) {
        const char *lab = NULL;
        for (int i = 0; i < r->n_tallies; i++) {
            const struct audit_tally *t = &r->tallies[i];
            if ((int)t->kind != kind || (lab && strcmp(lab, t->lab) == 0))
                continue;
            lab = t->lab;
            const struct audit_tally all = sum(r, lab, t->kind);
            row(&all, to);
        }
        const struct audit_tally all = sum(r, NULL, (enum audit_kind)kind);
        if (all.n > 0)
            row(&all, to);
    }
}

static void print_row(const struct audit_tally *t, FILE *to)
{
    const struct audit_bounds f = audit_wilson(t->n_false, t->n),
                              u = audit_wilson(t->n_undecided, t->n);
    const bool must_fail = t->kind == AUDIT_STARTER || t->kind == AUDIT_WRONG;
    fprintf(to, "| %s | %s | %d | %d %s (%.1f to %.1f %%) | %d (%.1f to %.1f %%) | %.1f s |\n",
            t->lab, kinds[t->kind], t->n, t->n_false, must_fail ? "passed" : "failed", 100 * f.low,
            100 * f.high, t->n_undecided, 100 * u.low, 100 * u.high, t->seconds / t->n);
}

void audit_rates_print(const struct audit_rates *r, FILE *to)
{
    fprintf(to,
            "%s; load: %s\n\n| lab | submissions | gradings | false | inconclusive | time |\n"
            "| --- | --- | --- | --- | --- | --- |\n",
            r->label, r->load);
    for_each_row(r, print_row, to);
    for (int i = 0; i < r->n_tallies; i++)
        if (r->tallies[i].n_false + r->tallies[i].n_undecided > 0)
            fprintf(to, "\n%s/%s: %d false, %d inconclusive of %d: %s\n", r->tallies[i].lab,
                    r->tallies[i].submission, r->tallies[i].n_false, r->tallies[i].n_undecided,
                    r->tallies[i].n, r->tallies[i].checks);
}

static void json_row(const struct audit_tally *t, FILE *to)
{
    const struct audit_bounds f = audit_wilson(t->n_false, t->n),
                              u = audit_wilson(t->n_undecided, t->n);
    fprintf(to,
            "%s\n{\"lab\": \"%s\", \"submissions\": \"%s\", \"gradings\": %d, \"false\": %d, "
            "\"false_low\": %.4f, \"false_high\": %.4f, \"inconclusive\": %d, "
            "\"inconclusive_low\": %.4f, \"inconclusive_high\": %.4f, \"seconds\": %.2f}",
            ftell(to) > 0 ? "," : "", t->lab, kinds[t->kind], t->n, t->n_false, f.low, f.high,
            t->n_undecided, u.low, u.high, t->seconds / t->n);
}

void audit_rates_json(const struct audit_rates *r, FILE *to)
{
    char *rows = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&rows, &bytes);
    for_each_row(r, json_row, memory);
    fclose(memory);
    fprintf(to, "{\"label\": \"%s\", \"load\": \"%s\", \"rates\": [%s\n]}\n", r->label, r->load,
            rows);
    free(rows);
}

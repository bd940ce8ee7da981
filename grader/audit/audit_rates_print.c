/* audit_rates_print.c: what counted gradings say of the judge: tables for people, JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"

/* The bounds of a rate of which n found k: E. B. Wilson, 1927. */
struct bounds {
    double low, high;
};

static struct bounds wilson(int k, int n)
{
    const double z = 1.96; /* 95 % */
    if (n == 0)
        return (struct bounds){0, 1};
    const double p = (double)k / n, by = 1 + z * z / n, center = (p + z * z / (2 * n)) / by,
                 half = z / by * sqrt(p * (1 - p) / n + z * z / (4.0 * n * n));
    return (struct bounds){fmax(0, center - half), fmin(1, center + half)};
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Which tallies: NULL and 0: any. */
struct choice {
    const char *device, *load, *lab, *submission, *commit;
    unsigned kinds;  /* bits */
    bool unexpected; /* only those with a grading that is not as expected */
};

enum {
    MUST_PASS = 1 << AUDIT_SOLUTION | 1 << AUDIT_RIGHT,
    MUST_FAIL = 1 << AUDIT_STARTER | 1 << AUDIT_WRONG
};

static bool is_chosen(const struct audit_tally *t, const struct choice *c)
{
    return (!c->device || strcmp(t->device, c->device) == 0) &&
           (!c->load || strcmp(t->load, c->load) == 0) &&
           (!c->lab || strcmp(t->lab, c->lab) == 0) &&
           (!c->submission || strcmp(t->submission, c->submission) == 0) &&
           (!c->commit || strcmp(t->commit, c->commit) == 0) &&
           (!c->kinds || c->kinds >> t->kind & 1) &&
           (!c->unexpected || t->n_false + t->n_undecided > 0);
}

static struct audit_tally sum(const struct audit_rates *r, const struct choice *c)
{
    struct audit_tally all = {0};
    for (int i = 0; i < r->n_tallies; i++) {
        const struct audit_tally *t = &r->tallies[i];
        if (!is_chosen(t, c))
            continue;
        all.n += t->n;
        all.n_false += t->n_false;
        all.n_undecided += t->n_undecided;
        all.seconds += t->seconds;
        audit_add_names(all.checks, t->checks, ", ");
    }
    return all;
}

/* ---- names in a column, each once, in order -------------------------------------------------- */

enum { MOST_VALUES = 64 };

struct values {
    char of[MOST_VALUES][AUDIT_NAME];
    int n;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void add_value(struct values *v, const char *value, size_t length)
{
    int k = 0;
    while (k < v->n && (strlen(v->of[k]) != length || strncmp(v->of[k], value, length) != 0))
        k++;
    if (k == v->n && v->n < MOST_VALUES)
        snprintf(v->of[v->n++], AUDIT_NAME, "%.*s", (int)length, value);
}

/* Those of the member at this offset, of the tallies that are chosen. */
static struct values list(const struct audit_rates *r, const struct choice *c, size_t offset)
{
    struct values v = {.n = 0};
    for (int i = 0; i < r->n_tallies; i++) {
        const char *at = (const char *)&r->tallies[i] + offset;
        for (size_t n; is_chosen(&r->tallies[i], c) && (n = strcspn(at, ",")) > 0;
             at += n + (at[n] == ','))
            add_value(&v, at, n);
    }
    qsort(v.of, (size_t)v.n, sizeof v.of[0], by_name);
    return v;
}
#define LIST(rates, choice, member) list(rates, choice, offsetof(struct audit_tally, member))

static void print_values(const struct values *v, const char *word, FILE *to)
{
    fprintf(to, ", %s", word);
    for (int i = 0; i < v->n; i++)
        fprintf(to, "%s%s", i ? ", " : " ", v->of[i]);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_load(const char *load, FILE *to)
{
    if (strcmp(load, "0") == 0)
        fprintf(to, "alone");
    else if (strcmp(load, "compute") == 0)
        fprintf(to, "beside a program that computes");
    else
        fprintf(to, "beside %s other grading%s", load, strcmp(load, "1") ? "s" : "");
}

/* "1 failed, 2 inconclusive of 50"; in the last row with bounds. */
static void print_cell(const struct audit_tally *t, const char *false_word, bool bounds, FILE *to)
{
    const struct bounds f = wilson(t->n_false, t->n), u = wilson(t->n_undecided, t->n);
    if (t->n == 0)
        fprintf(to, " |");
    else if (bounds)
        fprintf(to, " %d %s (%.1f to %.1f %%), %d inconclusive (%.1f to %.1f %%) of %d |",
                t->n_false, false_word, 100 * f.low, 100 * f.high, t->n_undecided, 100 * u.low,
                100 * u.high, t->n);
    else
        fprintf(to, " %d %s, %d inconclusive of %d |", t->n_false, false_word, t->n_undecided,
                t->n);
}

/* Seconds that a lab's solution takes, alone: by the commit of the log's last line. 0: no line. */
static double solution_s(const struct audit_rates *r, const char *device, const char *lab)
{
    struct choice c = {.device = device, .load = "0", .lab = lab, .kinds = 1 << AUDIT_SOLUTION};
    for (int i = r->n_tallies - 1; i >= 0 && !c.commit; i--)
        c.commit = is_chosen(&r->tallies[i], &c) ? r->tallies[i].commit : NULL;
    const struct audit_tally t = sum(r, &c);
    return t.n > 0 ? t.seconds / t.n : 0;
}

/* The mean of all labs that have one. */
static double mean_solution_s(const struct audit_rates *r, const char *device,
                              const struct values *labs)
{
    double all_s = 0;
    int n = 0;
    for (int i = 0; i < labs->n; i++) {
        const double s = solution_s(r, device, labs->of[i]);
        all_s += s;
        n += s > 0;
    }
    return n > 0 ? all_s / n : 0;
}

/* One lab, or (NULL) all. */
static void print_row(const struct audit_rates *r, const char *device, const char *lab,
                      const struct values *loads, double solution_s, FILE *to)
{
    struct choice c = {.device = device, .lab = lab, .kinds = MUST_PASS};
    fprintf(to, "| %s |", lab ? lab : "all");
    for (int i = 0; i < loads->n; i++) {
        c.load = loads->of[i];
        const struct audit_tally t = sum(r, &c);
        print_cell(&t, "failed", !lab, to);
    }
    c.load = NULL;
    c.kinds = MUST_FAIL;
    const struct audit_tally wrong = sum(r, &c);
    print_cell(&wrong, "passed", !lab, to);
    if (solution_s > 0)
        fprintf(to, " %.1f s |\n", solution_s);
    else
        fprintf(to, " |\n");
}

/* A line for each submission that was not always graded as expected under this load. */
static void print_unexpected(const struct audit_rates *r, struct choice c, FILE *to)
{
    c.unexpected = true;
    const struct values labs = LIST(r, &c, lab);
    for (int i = 0; i < labs.n; i++) {
        c.lab = labs.of[i];
        const struct values submissions = LIST(r, &c, submission);
        for (int k = 0; k < submissions.n; k++) {
            const struct choice one = {
                .device = c.device, .load = c.load, .lab = c.lab, .submission = submissions.of[k]};
            const struct audit_tally t = sum(r, &one);
            fprintf(to, "- %s/%s, ", one.lab, one.submission);
            print_load(one.load, to);
            fprintf(to, ": %d false, %d inconclusive of %d: %s\n", t.n_false, t.n_undecided, t.n,
                    t.checks);
        }
    }
}

static void print_device(const struct audit_rates *r, const char *device, FILE *to)
{
    const struct choice all = {.device = device}, right = {.device = device, .kinds = MUST_PASS};
    const struct values loads = LIST(r, &right, load), labs = LIST(r, &all, lab),
                        drivers = LIST(r, &all, driver), commits = LIST(r, &all, commit),
                        dates = LIST(r, &all, date), all_loads = LIST(r, &all, load);
    const struct audit_tally sums = sum(r, &all);
    fprintf(to, "**%s**: %d grading%s", device, sums.n, sums.n == 1 ? "" : "s");
    print_values(&drivers, "driver", to);
    print_values(&commits, "commit", to);
    print_values(&dates, "on", to);
    fprintf(to, "\n\n| lab |");
    for (int i = 0; i < loads.n; i++) {
        fprintf(to, " right, ");
        print_load(loads.of[i], to);
        fprintf(to, " |");
    }
    fprintf(to, " wrong | time of a solution |\n| --- |");
    for (int i = 0; i < loads.n + 2; i++)
        fprintf(to, " --- |");
    fputc('\n', to);
    for (int i = 0; i < labs.n; i++)
        print_row(r, device, labs.of[i], &loads, solution_s(r, device, labs.of[i]), to);
    print_row(r, device, NULL, &loads, mean_solution_s(r, device, &labs), to);
    if (sums.n_false + sums.n_undecided > 0)
        fprintf(to, "\nNot as expected (`?`: the check was inconclusive):\n\n");
    for (int i = 0; i < all_loads.n; i++)
        print_unexpected(r, (struct choice){.device = device, .load = all_loads.of[i]}, to);
}

void audit_rates_print(const struct audit_rates *r, FILE *to)
{
    const struct values devices = LIST(r, &(struct choice){0}, device);
    for (int i = 0; i < devices.n; i++) {
        fprintf(to, "%s", i ? "\n" : "");
        print_device(r, devices.of[i], to);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_row(const struct audit_rates *r, const struct choice *c, enum audit_kind kind,
                     bool *first, FILE *to)
{
    const struct audit_tally t = sum(r, c);
    const struct bounds f = wilson(t.n_false, t.n), u = wilson(t.n_undecided, t.n);
    if (t.n == 0)
        return;
    fprintf(to,
            "%s\n{\"device\": \"%s\", \"load\": \"%s\", \"lab\": \"%s\", \"submissions\": \"%s\", "
            "\"gradings\": %d, \"false\": %d, \"false_low\": %.4f, \"false_high\": %.4f, "
            "\"inconclusive\": %d, \"inconclusive_low\": %.4f, \"inconclusive_high\": %.4f, "
            "\"seconds\": %.2f}",
            *first ? "" : ",", c->device, c->load, c->lab ? c->lab : "all", audit_kind_name(kind),
            t.n, t.n_false, f.low, f.high, t.n_undecided, u.low, u.high, t.seconds / t.n);
    *first = false;
}

/* All labs and then their sum, of one device, load and kind. */
static void json_rows(const struct audit_rates *r, struct choice c, enum audit_kind kind,
                      bool *first, FILE *to)
{
    const struct values labs = LIST(r, &c, lab);
    c.kinds = 1U << kind;
    for (int i = 0; i < labs.n; i++) {
        c.lab = labs.of[i];
        json_row(r, &c, kind, first, to);
    }
    c.lab = NULL;
    json_row(r, &c, kind, first, to);
}

void audit_rates_json(const struct audit_rates *r, FILE *to)
{
    const struct values devices = LIST(r, &(struct choice){0}, device);
    bool first = true;
    fprintf(to, "{\"rates\": [");
    for (int d = 0; d < devices.n; d++) {
        struct choice c = {.device = devices.of[d]};
        const struct values loads = LIST(r, &c, load);
        for (int l = 0; l < loads.n; l++) {
            c.load = loads.of[l];
            for (int kind = AUDIT_STARTER; kind <= AUDIT_WRONG; kind++)
                json_rows(r, c, (enum audit_kind)kind, &first, to);
        }
    }
    fprintf(to, "\n]}\n");
}

/* audit_rates.c: gradings that are counted, and the log of them. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "audit.h"

static const char heading[] = "device\tdriver\tcommit\tdate\tload\tlab\tkind\tsubmission\tgradings"
                              "\tfalse\tinconclusive\tseconds\tchecks\n";
enum { COLUMNS = 13, LINE = 3 * AUDIT_TEXT + COLUMNS * AUDIT_NAME };

static const char *const kinds[] = {"starter", "solution", "right", "wrong"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const char *audit_kind_name(enum audit_kind kind)
{
    return kinds[kind];
}

/* ---- tallies --------------------------------------------------------------------------------- */

void audit_add_names(char list[AUDIT_TEXT], const char *names, const char *separator)
{
    for (size_t n; names += strspn(names, " ,-"), (n = strcspn(names, " ,")) > 0; names += n) {
        const char *at = list;
        while (*at && !(strcspn(at, ",") == n && strncmp(at, names, n) == 0)) {
            at += strcspn(at, ",");
            at += strspn(at, ", ");
        }
        const size_t used = strlen(list);
        if (!*at)
            snprintf(list + used, AUDIT_TEXT - used, "%s%.*s", used ? separator : "", (int)n,
                     names);
    }
}

/* The same submission under the same conditions, of any commit? */
static bool is_alike(const struct audit_tally *a, const struct audit_tally *b)
{
    return strcmp(a->submission, b->submission) == 0 && strcmp(a->lab, b->lab) == 0 &&
           strcmp(a->load, b->load) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->driver, b->driver) == 0 && a->kind == b->kind;
}

static struct audit_tally *find(struct audit_rates *r, const struct audit_tally *key)
{
    for (int i = 0; i < r->n_tallies; i++)
        if (is_alike(&r->tallies[i], key) && strcmp(r->tallies[i].commit, key->commit) == 0 &&
            strcmp(r->tallies[i].date, key->date) == 0)
            return &r->tallies[i];
    struct audit_tally *more =
        realloc(r->tallies, (size_t)(r->n_tallies + 1) * sizeof r->tallies[0]);
    if (!more) {
        fprintf(stderr, "audit: out of memory\n");
        exit(2);
    }
    r->tallies = more;
    struct audit_tally *t = &more[r->n_tallies++];
    *t = *key;
    t->n = t->n_false = t->n_undecided = 0;
    t->seconds = 0;
    t->checks[0] = 0;
    return t;
}

static void add(struct audit_tally *t, const struct audit_tally *more)
{
    t->n += more->n;
    t->n_false += more->n_false;
    t->n_undecided += more->n_undecided;
    t->seconds += more->seconds;
    audit_add_names(t->checks, more->checks, ",");
    audit_add_names(t->date, more->date, ",");
    audit_add_names(t->commit, more->commit, ",");
}

/* Is it of the latest commit of a solution? */
static bool is_newest(const struct audit_rates *r, const struct audit_tally *t)
{
    int last = r->n_tallies - 1;
    while (!is_alike(&r->tallies[last], t))
        last--;
    return t->kind == AUDIT_SOLUTION && strcmp(r->tallies[last].commit, t->commit) == 0;
}

void audit_rates_merge(struct audit_rates *r)
{
    int n = 0;
    for (int i = 0; i < r->n_tallies; i++) {
        const struct audit_tally *t = &r->tallies[i];
        int k = is_newest(r, t) ? n : 0;
        while (k < n && (!is_alike(&r->tallies[k], t) || is_newest(r, &r->tallies[k])))
            k++;
        if (k < n)
            add(&r->tallies[k], t);
        else
            r->tallies[n++] = *t;
    }
    r->n_tallies = n;
}

/* ---- the log --------------------------------------------------------------------------------- */

static void write_tally(const struct audit_tally *t, FILE *to)
{
    fprintf(to, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%.2f\t%s\n", t->device, t->driver,
            t->commit, t->date, t->load, t->lab, kinds[t->kind], t->submission, t->n, t->n_false,
            t->n_undecided, t->seconds, t->checks[0] ? t->checks : "-");
}

void audit_rates_write(const struct audit_rates *r, FILE *to)
{
    fputs(heading, to);
    for (int i = 0; i < r->n_tallies; i++)
        write_tally(&r->tallies[i], to);
}

static bool read_tally(const char *line, struct audit_tally *t)
{
    char kind[AUDIT_NAME];
    int k = 0,
        n = sscanf(line,
                   "%63[^\t]\t%63[^\t]\t%1199[^\t]\t%1199[^\t]\t%63[^\t]\t%63[^\t]\t%63[^\t]"
                   "\t%63[^\t]\t%d\t%d\t%d\t%lf\t%1199[^\n]",
                   t->device, t->driver, t->commit, t->date, t->load, t->lab, kind, t->submission,
                   &t->n, &t->n_false, &t->n_undecided, &t->seconds, t->checks);
    while (k < KINDS && strcmp(kinds[k], kind) != 0)
        k++;
    t->kind = (enum audit_kind)k;
    return n == COLUMNS && k < KINDS;
}

bool audit_rates_read(struct audit_rates *r, const char *log)
{
    static struct audit_tally t;
    char line[LINE];
    FILE *from = fopen(log, "r");
    if (!from) {
        perror(log);
        return false;
    }
    while (fgets(line, sizeof line, from)) {
        const bool is_cut = !strchr(line, '\n'); /* the rest will not come */
        if (is_cut || strcmp(line, heading) == 0)
            continue;
        if (!read_tally(line, &t)) {
            fprintf(stderr, "%s is no log of gradings: %s", log, line);
            fclose(from);
            return false;
        }
        add(find(r, &t), &t);
    }
    fclose(from);
    return true;
}

/* A new log gets its heading; of one that was cut, the unfinished line goes. */
static bool prepare_log(const char *log)
{
    FILE *file = fopen(log, "a+");
    long whole = 0;
    if (!file) {
        perror(log);
        return false;
    }
    rewind(file);
    for (int c; (c = getc(file)) != EOF;)
        if (c == '\n')
            whole = ftell(file);
    if (whole == 0)
        fputs(heading, file);
    return fclose(file) == 0 && (whole == 0 || truncate(log, whole) == 0);
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Where a run is: the next grading. */
struct progress {
    struct audit_rates *rates;
    const struct audit_run *run;
    int time, lab, submission;
    char date[AUDIT_NAME];
};

/* How often it has been graded on this device, at this commit and under this load. */
static int times_graded(const struct progress *p, const char *lab, const char *submission)
{
    int n = 0;
    for (int i = 0; i < p->rates->n_tallies; i++) {
        const struct audit_tally *t = &p->rates->tallies[i];
        if (strcmp(t->lab, lab) == 0 && strcmp(t->submission, submission) == 0 &&
            strcmp(t->device, p->run->pool.machine->device) == 0 &&
            strcmp(t->commit, p->run->commit) == 0 && strcmp(t->load, p->run->pool.load) == 0)
            n += t->n;
    }
    return n;
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

/* What is known of it before it is graded. */
static void describe(const struct progress *p, const struct audit_task *task, struct audit_tally *t)
{
    const struct audit_machine *m = p->run->pool.machine;
    *t = (struct audit_tally){.kind = task->submission->kind};
    snprintf(t->device, sizeof t->device, "%s", m->device);
    snprintf(t->driver, sizeof t->driver, "%s", m->driver);
    snprintf(t->commit, sizeof t->commit, "%s", p->run->commit);
    snprintf(t->date, sizeof t->date, "%s", p->date);
    snprintf(t->load, sizeof t->load, "%s", p->run->pool.load);
    snprintf(t->lab, sizeof t->lab, "%s", task->lab->name);
    snprintf(t->submission, sizeof t->submission, "%s", task->submission->name);
}

/* Each submission once before any of them twice: a run may be cut. */
static bool next_grading(void *of, struct audit_task *task)
{
    struct progress *p = of;
    for (; p->time <= p->run->times; p->time++, p->lab = 0)
        for (; p->lab < p->run->n_labs; p->lab++, p->submission = 0) {
            struct audit_lab *lab = p->run->labs[p->lab];
            while (!lab->left_out && p->submission < lab->n_submissions) {
                const struct audit_submission *s = &lab->submissions[p->submission++];
                const bool is_wrong = s->kind == AUDIT_WRONG;
                const char *own = is_wrong ? audit_own_check(lab, s->name) : NULL;
                if ((is_wrong && !own) || times_graded(p, lab->name, s->name) >= p->time)
                    continue;
                *task = (struct audit_task){lab, malloc(sizeof *s), 0};
                if (!task->submission)
                    return false;
                *task->submission = *s;
                snprintf(task->submission->checks, AUDIT_TEXT, "%s", own ? own : "");
                return true;
            }
        }
    return false;
}

static void count_grading(struct progress *p, const struct audit_task *task)
{
    static struct audit_tally t;
    describe(p, task, &t);
    const int exit_status = task->submission->exit_status,
              expected = t.kind == AUDIT_STARTER || t.kind == AUDIT_WRONG;
    t.n = 1;
    t.n_undecided = exit_status == 3;
    t.n_false = exit_status != 3 && exit_status != expected;
    t.seconds = task->seconds;
    if (exit_status == expected)
        snprintf(t.checks, sizeof t.checks, "-");
    else
        name_checks(task->submission, t.checks);
    add(find(p->rates, &t), &t);
    audit_verdict_of_submission(task->lab, task->submission);
    FILE *log = fopen(p->run->log, "a");
    if (log)
        write_tally(&t, log);
    if (!log || fclose(log) != 0) {
        perror(p->run->log);
        exit(2);
    }
}

static void count(void *of, const struct audit_task *task)
{
    if (!task->lab->left_out)
        count_grading(of, task);
    free(task->submission);
}

bool audit_rates_run(struct audit_rates *r, struct audit_run *run)
{
    struct progress p = {.rates = r, .run = run, .time = 1};
    const time_t now = time(NULL);
    strftime(p.date, sizeof p.date, "%F", gmtime(&now));
    if (!prepare_log(run->log) || !audit_rates_read(r, run->log))
        return false;
    run->pool.next = next_grading;
    run->pool.done = count;
    run->pool.of = &p;
    audit_pool_run(&run->pool);
    return true;
}

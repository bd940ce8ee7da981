/* audit.c: grades every submission whose verdict is known, and says where ./grade did not say what
 * it should.
 *
 *     build/grader/audit sim|gpu [--named] [--wrong N] [--seed N] [--jobs N] [--verdicts FILE]
 *                        [labNN | labNN/NAME …]
 *     build/grader/audit sim|gpu --repeat N --log FILE [--load K|compute] …
 *     build/grader/audit table|merge|json LOG …
 *
 * All gradings of the first one draw their inputs from one seed, a random one without --seed.
 * --named: of a wrong submission only those checks are graded that their first lines name; if their
 * report is not as expected, all checks are graded, and the whole report is judged.
 * --verdicts: FILE gets the mistakes of each report and the status and message of each check. With
 * the same seed, a diff of two such files shows which reports a change of the grader has changed.
 * --wrong: at most N wrong submissions of each lab, spread evenly over those that this device
 * shows. The second one counts false and undecided verdicts. Each grading is a line of FILE, so the
 * same command goes on where it was cut; with several GPUs each has gradings of its own. The third
 * one makes one of several logs: a table, a log, JSON.
 *
 * Subjects are build/<device>/labNN/NAME/subject (make audit builds them). Exit status 0: all as
 * expected, 1: not, 2: usage, or something is not built. */
#include "audit.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "files/output.h"

/* What is asked for. */
struct request {
    const char *device, *json, *verdicts;
    struct audit_machine machine;
    struct audit_lab *labs[AUDIT_LABS];
    bool named;
    int most_wrong;       /* of each lab; 0: all */
    struct audit_run run; /* run.times 0: one matrix for each lab; else rates */
    struct audit_rates rates;
};

/* ---- a matrix for each lab ------------------------------------------------------------------- */

/* The next submission of a lab. */
struct in_turn {
    struct audit_lab *lab;
    int submission;
};

static bool next_submission(void *of, struct audit_task *task)
{
    struct in_turn *t = of;
    if (t->submission == t->lab->n_submissions || t->lab->left_out)
        return false;
    struct audit_submission *s = &t->lab->submissions[t->submission++];
    if (t->lab->named && s->kind == AUDIT_WRONG)
        audit_named_checks(t->lab, s->name, s->checks);
    *task = (struct audit_task){.lab = t->lab, .submission = s};
    return true;
}

/* The next one whose named checks alone do not show what is expected: now with all checks. */
static bool next_in_doubt(void *of, struct audit_task *task)
{
    struct in_turn *t = of;
    while (t->submission < t->lab->n_submissions && !t->lab->left_out) {
        struct audit_submission *s = &t->lab->submissions[t->submission++];
        if (!s->checks[0] || audit_agrees(t->lab, s))
            continue;
        s->checks[0] = 0;
        *task = (struct audit_task){.lab = t->lab, .submission = s};
        return true;
    }
    return false;
}

/* Grades all that `next` gives, from the first submission of the lab. */
static void grade_lab(struct audit_pool pool, struct audit_lab *lab,
                      bool (*next)(void *of, struct audit_task *task))
{
    struct in_turn turn = {lab, 0};
    pool.next = next;
    pool.of = &turn;
    audit_pool_run(&pool);
}

/* For all gradings: what differs from the table can be seen again. */
static void draw_seed(void)
{
    uint32_t drawn;
    char seed[16];
    if (getrandom(&drawn, sizeof drawn, 0) != (ssize_t)sizeof drawn) {
        perror("audit: no random numbers from the system");
        exit(2);
    }
    snprintf(seed, sizeof seed, "%u", drawn);
    setenv("GRADE_SEED", seed, 0);
}

static void write_verdicts(FILE *to, const struct audit_lab *lab)
{
    for (int i = 0; i < lab->n_submissions; i++) {
        const struct audit_submission *s = &lab->submissions[i];
        fprintf(to, "%s/%s\tmistakes\t%d\t%s\n", lab->name, s->name, s->exit_status,
                s->report.mistakes);
        for (int k = 0; k < s->report.n_checks; k++) {
            const struct audit_check *c = &s->report.checks[k];
            fprintf(to, "%s/%s\t%s\t%s\t%s\n", lab->name, s->name, c->name, c->status, c->message);
        }
    }
}

static int audit_labs(struct request *q)
{
    int problems = 0;
    struct output verdicts;
    if (q->verdicts && output_open(&verdicts, q->verdicts) != 0) {
        fprintf(stderr, "cannot write %s: %s\n", q->verdicts, output_why(errno));
        return 1;
    }
    draw_seed();
    for (int i = 0; i < q->run.n_labs; i++) {
        struct audit_lab *lab = q->labs[i];
        lab->named = q->named;
        if (lab->problems == 0) {
            grade_lab(q->run.pool, lab, next_submission);
            if (lab->named)
                grade_lab(q->run.pool, lab, next_in_doubt);
            if (!lab->left_out)
                audit_verdict(lab);
            if (q->verdicts)
                write_verdicts(verdicts.to, lab);
        }
        problems += lab->problems;
    }
    if (q->verdicts && output_close(&verdicts) != 0) {
        fprintf(stderr, "cannot write %s: %s\n", q->verdicts, output_why(errno));
        problems++;
    }
    if (problems > 0)
        printf("\nthe same inputs again: --seed %s (make audit SEED=%s)\n", getenv("GRADE_SEED"),
               getenv("GRADE_SEED"));
    return problems;
}

/* ---- rates ----------------------------------------------------------------------------------- */

static int n_false(const struct audit_rates *r)
{
    int n = 0;
    for (int i = 0; i < r->n_tallies; i++)
        n += r->tallies[i].n_false;
    return n;
}

static int audit_rates(struct request *q)
{
    int problems = 0;
    for (int i = 0; i < q->run.n_labs; i++)
        problems += q->labs[i]->problems;
    if (problems > 0)
        return problems;
    if (!audit_rates_run(&q->rates, &q->run))
        exit(2);
    audit_rates_print(&q->rates, stdout);
    struct output json;
    if (q->json && output_open(&json, q->json) == 0)
        audit_rates_json(&q->rates, json.to);
    if (q->json && output_close(&json) != 0)
        fprintf(stderr, "cannot write %s: %s\n", q->json, output_why(errno));
    return n_false(&q->rates);
}

/* Logs that were made before, as one. */
static int show_logs(const char *how, char **logs, int n)
{
    static struct audit_rates r;
    for (int i = 0; i < n; i++)
        if (!audit_rates_read(&r, logs[i]))
            return 2;
    if (strcmp(how, "merge") == 0)
        audit_rates_merge(&r);
    (strcmp(how, "table") == 0   ? audit_rates_print
     : strcmp(how, "merge") == 0 ? audit_rates_write
                                 : audit_rates_json)(&r, stdout);
    return 0;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int usage(void)
{
    fprintf(stderr, "usage: audit sim|gpu [--named] [--wrong N] [--seed N] [--jobs N]\n"
                    "                     [--verdicts FILE] [labNN | labNN/NAME ...]\n"
                    "       audit sim|gpu --repeat N --log FILE [--load K|compute] [--jobs N]\n"
                    "                     [--commit ID] [--json FILE] [labNN | labNN/NAME ...]\n"
                    "       audit table|merge|json LOG ...\n");
    return 2;
}

static bool read_options(struct request *q, int argc, char **argv)
{
    const char *seed = NULL;
    int named = 0, which;
    const struct {
        const char *name, **text; /* what the value becomes: a text, or else a number */
        int *number;
    } taken[] = {{"jobs", NULL, &q->run.pool.n_jobs},
                 {"repeat", NULL, &q->run.times},
                 {"wrong", NULL, &q->most_wrong},
                 {"seed", &seed, NULL},
                 {"log", &q->run.log, NULL},
                 {"load", &q->run.pool.load, NULL},
                 {"json", &q->json, NULL},
                 {"commit", &q->run.commit, NULL},
                 {"verdicts", &q->verdicts, NULL}};
    enum { TAKEN = sizeof taken / sizeof taken[0] };
    struct option options[TAKEN + 2] = {{"named", no_argument, &named, 1}};
    for (int i = 0; i < TAKEN; i++)
        options[i + 1] = (struct option){taken[i].name, required_argument, NULL, i + 1};
    while ((which = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (which < 0 || which > TAKEN)
            return false;
        if (which > 0 && taken[which - 1].text)
            *taken[which - 1].text = optarg;
        else if (which > 0)
            *taken[which - 1].number = atoi(optarg);
    }
    q->named = named;
    if (seed)
        setenv("GRADE_SEED", seed, 1);
    return q->run.pool.n_jobs > 0 && q->run.pool.n_jobs <= AUDIT_JOBS && q->run.times >= 0 &&
           (q->run.times > 0) == (q->run.log != NULL);
}

/* On a GPU times are graded: one at a time on each. */
static int jobs_at_once(const struct audit_machine *m, const char *device)
{
    const int most = strcmp(device, "sim") == 0 ? 2 : m->n_gpus;
    return most > 0 ? most : 1;
}

int main(int argc, char **argv)
{
    static struct request q = {.run = {.commit = "unknown", .pool = {.load = "0"}}};
    if (argc > 2 && (strcmp(argv[1], "table") == 0 || strcmp(argv[1], "merge") == 0 ||
                     strcmp(argv[1], "json") == 0))
        return show_logs(argv[1], argv + 2, argc - 2);
    if (argc < 2 || (strcmp(argv[1], "sim") && strcmp(argv[1], "gpu")))
        return usage();
    q.device = argv[1];
    q.machine = audit_machine(q.device);
    q.run.pool.machine = &q.machine;
    q.run.pool.n_jobs = jobs_at_once(&q.machine, q.device);
    if (!read_options(&q, argc - 1, argv + 1))
        return usage();
    if (!audit_find_places()) {
        fprintf(stderr,
                "audit: no ./grade or no grader/labs beside this program: make audit builds and "
                "finds them\n");
        return 2;
    }
    q.run.labs = q.labs;
    q.run.n_labs = audit_list(q.labs, q.device, argv + 1 + optind);
    for (int i = 0; i < q.run.n_labs && q.most_wrong > 0; i++)
        audit_thin(q.labs[i], q.most_wrong);
    if (q.run.n_labs == 0) {
        fprintf(stderr, "audit: there is nothing to audit by that name\n");
        return 2;
    }
    const int problems = q.run.times ? audit_rates(&q) : audit_labs(&q);
    printf("\naudit: %s\n", problems == 0 ? "all verdicts as expected"
                            : q.run.times ? "NOT as expected"
                                          : "NOT as expected, see the lines with !!");
    return problems ? 1 : 0;
}

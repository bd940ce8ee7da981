/*
 * audit.c: grades every submission whose verdict is known, and says where ./grade did not say what
 * it should.
 *
 *     build/grader/audit sim|gpu [--jobs N] [labNN | labNN/NAME …]
 *     build/grader/audit sim|gpu --repeat N --log FILE [--load K|compute] …
 *
 * The second one counts false and undecided verdicts. Each grading is a line of FILE, so the same
 * command goes on where it was cut.
 *
 * Subjects are build/<device>/labNN/NAME/subject (make audit builds them). Exit status 0: all as
 * expected, 1: not, 2: usage, or something is not built.
 */
#include "audit.h"

#include <dirent.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* ---- which submissions there are ------------------------------------------------------------- */

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_wanted(const char *lab, const char *name, char *const wanted[], bool *in_part)
{
    if (!wanted[0])
        return true;
    for (; *wanted; wanted++) {
        size_t n = strcspn(*wanted, "/");
        if (strlen(lab) != n || strncmp(*wanted, lab, n) != 0)
            continue;
        if ((*wanted)[n] == 0)
            return true;
        *in_part = true;
        if (strcmp(*wanted + n + 1, name) == 0)
            return true;
    }
    return false;
}

static void add(struct audit_lab *lab, const char *name, enum audit_kind kind, char *const wanted[])
{
    bool in_part = false;
    bool take = is_wanted(lab->name, name, wanted, &in_part);
    lab->whole = lab->whole && !in_part;
    if (!take)
        return;
    if (lab->n_submissions == AUDIT_SUBMISSIONS) {
        fprintf(stderr, "%s has more submissions than the audit has room for\n", lab->name);
        exit(2);
    }
    struct audit_submission *s = &lab->submissions[lab->n_submissions++];
    *s = (struct audit_submission){.kind = kind, .exit_status = -1};
    snprintf(s->name, sizeof s->name, "%s", name);
}

/* The known submissions of grader/labs/labNN/wrong or grader/labs/labNN/right. */
static void add_known(struct audit_lab *lab, const char *which, enum audit_kind kind,
                      char *const wanted[])
{
    char path[PATH_MAX];
    struct dirent **entries;
    snprintf(path, sizeof path, "%.3000s/grader/labs/%.64s/%s", audit_root(), lab->name, which);
    int n = scandir(path, &entries, NULL, by_name);
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.')
            add(lab, entries[i]->d_name, kind, wanted);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* ---- labs ------------------------------------------------------------------------------------ */

/* What is asked for. */
struct request {
    const char *device;
    char **wanted; /* labNN or labNN/NAME …; none: all */
    int n_jobs;
    int times; /* 0: one matrix for each lab; else rates, of so many gradings of each submission */
    const char *json;
    struct audit_rates rates;
};

/* The lab with its table and submissions. False: nothing of it is wanted. */
static bool list(struct audit_lab *lab, const char *name, const struct request *q)
{
    char path[PATH_MAX];
    *lab = (struct audit_lab){.name = name, .device = q->device, .whole = true};
    add(lab, "solution", AUDIT_SOLUTION, q->wanted);
    add_known(lab, "right", AUDIT_RIGHT, q->wanted);
    add(lab, "starter", AUDIT_STARTER, q->wanted);
    add_known(lab, "wrong", AUDIT_WRONG, q->wanted);
    if (lab->n_submissions == 0)
        return false;
    snprintf(path, sizeof path, "%.3000s/grader/labs/%s/expected.tsv", audit_root(), name);
    lab->problems = !audit_table_read(&lab->table, path);
    return true;
}

/* One of all labs, or of those that are wanted; how many there were. */
static int audit_labs(struct request *q, int time, int *problems)
{
    static struct audit_lab lab;
    char path[PATH_MAX];
    struct dirent **labs;
    snprintf(path, sizeof path, "%.4000s/grader/labs", audit_root());
    int n = scandir(path, &labs, NULL, by_name), audited = 0;
    for (int i = 0; i < n; i++) {
        bool is_lab = labs[i]->d_type == DT_DIR && labs[i]->d_name[0] != '.';
        if (is_lab && list(&lab, labs[i]->d_name, q)) {
            audited++;
            if (q->times == 0 && lab.problems == 0) {
                audit_grade_all(&lab, q->n_jobs);
                audit_verdict(&lab);
            } else if (lab.problems == 0)
                audit_rates_grade(&q->rates, &lab, time);
            *problems += lab.problems;
        }
        free(labs[i]);
    }
    free(labs);
    return audited;
}

/* Again and again, each submission once before any of them twice: a run may be cut. */
static int audit_rates(struct request *q, int *problems)
{
    int audited = 1;
    if (!audit_rates_read(&q->rates))
        return 0;
    for (int time = 1; time <= q->times && audited; time++)
        audited = audit_labs(q, time, problems);
    audit_rates_print(&q->rates, stdout);
    FILE *json = q->json ? fopen(q->json, "w") : NULL;
    if (json) {
        audit_rates_json(&q->rates, json);
        fclose(json);
    }
    for (int i = 0; i < q->rates.n_tallies; i++)
        *problems += q->rates.tallies[i].n_false;
    return audited;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int usage(void)
{
    fprintf(stderr, "usage: audit sim|gpu [--jobs N] [labNN | labNN/NAME ...]\n"
                    "       audit sim|gpu --repeat N --log FILE [--load K|compute] [--json FILE]\n"
                    "                     [--label WORDS] [labNN | labNN/NAME ...]\n");
    return 2;
}

static bool read_options(struct request *q, int argc, char **argv)
{
    static const struct option options[] = {{"jobs", required_argument, NULL, 'j'},
                                            {"repeat", required_argument, NULL, 'r'},
                                            {"log", required_argument, NULL, 'l'},
                                            {"load", required_argument, NULL, 'k'},
                                            {"json", required_argument, NULL, 'o'},
                                            {"label", required_argument, NULL, 'w'},
                                            {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case 'j':
            q->n_jobs = atoi(optarg);
            break;
        case 'r':
            q->times = atoi(optarg);
            break;
        case 'l':
            q->rates.log = optarg;
            break;
        case 'k':
            q->rates.load = optarg;
            break;
        case 'o':
            q->json = optarg;
            break;
        case 'w':
            q->rates.label = optarg;
            break;
        default:
            return false;
        }
    q->wanted = argv + optind;
    return q->n_jobs > 0 && q->n_jobs <= AUDIT_JOBS && q->times >= 0 &&
           (q->times > 0) == (q->rates.log != NULL);
}

int main(int argc, char **argv)
{
    static struct request q = {.rates = {.load = "0", .label = "this machine"}};
    if (argc < 2 || (strcmp(argv[1], "sim") && strcmp(argv[1], "gpu")))
        return usage();
    q.device = argv[1];
    q.n_jobs = strcmp(argv[1], "sim") == 0 ? 2 : 1; /* on a GPU times are graded: one at a time */
    if (!read_options(&q, argc - 1, argv + 1))
        return usage();
    if (!audit_find_places()) {
        fprintf(stderr,
                "audit: no ./grade or no grader/labs beside this program: make audit builds and "
                "finds them\n");
        return 2;
    }
    int problems = 0, audited = q.times ? audit_rates(&q, &problems) : audit_labs(&q, 1, &problems);
    if (audited == 0)
        fprintf(stderr, "audit: there is nothing to audit by that name\n");
    else
        printf("\naudit: %s\n", problems == 0 ? "all verdicts as expected"
                                : q.times     ? "NOT as expected"
                                              : "NOT as expected, see the lines with !!");
    return audited == 0 ? 2 : problems ? 1 : 0;
}

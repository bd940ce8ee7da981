/*
 * audit.c: grades every submission whose verdict is known, and says where ./grade did not say what
 * it should.
 *
 *     build/grader/audit sim|gpu [--jobs N] [labNN | labNN/NAME …]
 *
 * Subjects are build/<device>/labNN/NAME/subject (make audit builds them). Exit status 0: all as
 * expected, 1: not, 2: usage, or something is not built.
 */
#include "audit.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_JOBS = 16 };

/* Where things are, from where this program is. */
static char build[PATH_MAX], root[PATH_MAX], grade[PATH_MAX];

/* One ./grade that is running. */
struct job {
    pid_t pid; /* 0: none */
    struct audit_submission *submission;
    FILE *json, *messages;
};

static bool find_places(void)
{
    ssize_t n = readlink("/proc/self/exe", build, sizeof build - 1);
    if (n <= 0)
        return false;
    build[n] = 0;
    *strrchr(build, '/') = 0; /* build/grader */
    snprintf(grade, sizeof grade, "%.4000s/grade", build);
    *strrchr(build, '/') = 0; /* build */
    char tables[PATH_MAX];
    snprintf(root, sizeof root, "%s", build);
    do {
        char *slash = strrchr(root, '/');
        if (!slash)
            return false;
        *slash = 0;
        snprintf(tables, sizeof tables, "%.4000s/grader/labs", root);
    } while (access(tables, F_OK) != 0);
    if (access(grade, X_OK) != 0)
        snprintf(grade, sizeof grade, "%.4000s/grade", root);
    return access(grade, X_OK) == 0;
}

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
    snprintf(path, sizeof path, "%.3000s/grader/labs/%.64s/%s", root, lab->name, which);
    int n = scandir(path, &entries, NULL, by_name);
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.')
            add(lab, entries[i]->d_name, kind, wanted);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* ---- grading --------------------------------------------------------------------------------- */

static void start(struct job *job, const struct audit_lab *lab, struct audit_submission *s)
{
    char subject[PATH_MAX];
    snprintf(subject, sizeof subject, "%.3000s/%s/%.64s/%s/subject", build, lab->device, lab->name,
             s->name);
    if (access(subject, X_OK) != 0) {
        fprintf(stderr, "%s is not there: make audit DEVICE=%s builds it\n", subject, lab->device);
        exit(2);
    }
    *job = (struct job){.submission = s, .json = tmpfile(), .messages = tmpfile()};
    fflush(NULL);
    job->pid = job->json && job->messages ? fork() : -1;
    if (job->pid < 0) {
        fprintf(stderr, "audit: cannot start %s: %s\n", grade, strerror(errno));
        exit(2);
    }
    if (job->pid == 0) {
        dup2(fileno(job->json), STDOUT_FILENO);
        dup2(fileno(job->messages), STDERR_FILENO);
        execl(grade, grade, lab->name, "--device", lab->device, "--subject", subject, "--json", "-",
              (char *)NULL);
        _exit(127);
    }
}

static void finish_one(struct job *jobs, int n_jobs)
{
    int status;
    pid_t pid = wait(&status);
    for (int i = 0; i < n_jobs; i++) {
        if (jobs[i].pid != pid)
            continue;
        struct audit_submission *s = jobs[i].submission;
        s->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        rewind(jobs[i].json);
        if (!audit_report_read(&s->report, jobs[i].json)) {
            s->report.n_checks = 0;
            if (fseek(jobs[i].messages, -(long)sizeof s->said + 1, SEEK_END) != 0)
                rewind(jobs[i].messages); /* shorter than that */
            s->said[fread(s->said, 1, sizeof s->said - 1, jobs[i].messages)] = 0;
        }
        fclose(jobs[i].json);
        fclose(jobs[i].messages);
        jobs[i].pid = 0;
    }
}

static void grade_all(struct audit_lab *lab, int n_jobs)
{
    struct job jobs[MOST_JOBS] = {0};
    int running = 0;
    for (int next = 0; next < lab->n_submissions || running > 0;) {
        if (next < lab->n_submissions && running < n_jobs) {
            int free_job = 0;
            while (jobs[free_job].pid)
                free_job++;
            start(&jobs[free_job], lab, &lab->submissions[next++]);
            running++;
        } else {
            finish_one(jobs, n_jobs);
            running--;
        }
    }
}

/* ---- labs ------------------------------------------------------------------------------------ */

static int audit_one(const char *name, const char *device, int n_jobs, char *const wanted[])
{
    static struct audit_lab lab;
    char path[PATH_MAX];

    lab = (struct audit_lab){.name = name, .device = device, .whole = true};
    add(&lab, "solution", AUDIT_SOLUTION, wanted);
    add_known(&lab, "right", AUDIT_RIGHT, wanted);
    add(&lab, "starter", AUDIT_STARTER, wanted);
    add_known(&lab, "wrong", AUDIT_WRONG, wanted);
    if (lab.n_submissions == 0)
        return -1;
    snprintf(path, sizeof path, "%.3000s/grader/labs/%.64s/expected.tsv", root, name);
    if (!audit_table_read(&lab.table, path))
        return 1;
    grade_all(&lab, n_jobs);
    audit_verdict(&lab);
    return lab.problems;
}

static int usage(void)
{
    fprintf(stderr, "usage: audit sim|gpu [--jobs N] [labNN | labNN/NAME ...]\n");
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 2 || (strcmp(argv[1], "sim") && strcmp(argv[1], "gpu")))
        return usage();
    int n_jobs = strcmp(argv[1], "sim") == 0 ? 2 : 1; /* on a GPU times are graded: one at a time */
    char **wanted = argv + 2;
    if (*wanted && strcmp(*wanted, "--jobs") == 0) {
        n_jobs = argc > 3 ? atoi(argv[3]) : 0;
        wanted += 2;
    }
    if (n_jobs < 1 || n_jobs > MOST_JOBS)
        return usage();
    if (!find_places()) {
        fprintf(stderr,
                "audit: no ./grade or no grader/labs beside %s: make audit builds and finds them\n",
                build);
        return 2;
    }
    char path[PATH_MAX];
    struct dirent **labs;
    snprintf(path, sizeof path, "%.4000s/grader/labs", root);
    int n = scandir(path, &labs, NULL, by_name), audited = 0, problems = 0;
    for (int i = 0; i < n; i++) {
        bool is_lab = labs[i]->d_type == DT_DIR && labs[i]->d_name[0] != '.';
        int found = is_lab ? audit_one(labs[i]->d_name, argv[1], n_jobs, wanted) : -1;
        audited += found >= 0;
        problems += found > 0 ? found : 0;
        free(labs[i]);
    }
    free(labs);
    if (audited == 0)
        fprintf(stderr, "audit: there is nothing to audit by that name\n");
    else
        printf("\naudit: %s\n",
               problems ? "NOT as expected, see the lines with !!" : "all verdicts as expected");
    return audited == 0 ? 2 : problems ? 1 : 0;
}

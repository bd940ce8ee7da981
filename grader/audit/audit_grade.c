/* audit_grade.c: ./grade on one submission, or on several at once. */
#include "audit.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where things are, from where this program is. */
static char build[PATH_MAX], root[PATH_MAX], grade[PATH_MAX];

/* One ./grade that is running. */
struct job {
    pid_t pid; /* 0: none */
    struct audit_submission *submission;
    FILE *json, *messages;
};

bool audit_find_places(void)
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

const char *audit_root(void)
{
    return root;
}

void audit_subject(char path[PATH_MAX], const struct audit_lab *lab, const char *name)
{
    snprintf(path, PATH_MAX, "%.3000s/%s/%.64s/%.64s/subject", build, lab->device, lab->name, name);
    if (access(path, X_OK) != 0) {
        fprintf(stderr, "%s is not there: make audit DEVICE=%s builds it\n", path, lab->device);
        exit(2);
    }
}

_Noreturn void audit_become_grade(const struct audit_lab *lab, const char *subject)
{
    execl(grade, grade, lab->name, "--device", lab->device, "--subject", subject, "--json", "-",
          (char *)NULL);
    _exit(127);
}

/* ---- grading --------------------------------------------------------------------------------- */

static void start(struct job *job, const struct audit_lab *lab, struct audit_submission *s)
{
    char subject[PATH_MAX];
    audit_subject(subject, lab, s->name);
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
        audit_become_grade(lab, subject);
    }
}

/* False: it was another child that ended. */
static bool finish_one(struct job *jobs, int n_jobs)
{
    bool found = false;
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
        found = true;
    }
    return found;
}

void audit_grade_all(struct audit_lab *lab, int n_jobs)
{
    struct job jobs[AUDIT_JOBS] = {0};
    int running = 0;
    for (int next = 0; next < lab->n_submissions || running > 0;) {
        if (next < lab->n_submissions && running < n_jobs) {
            int free_job = 0;
            while (jobs[free_job].pid)
                free_job++;
            start(&jobs[free_job], lab, &lab->submissions[next++]);
            running++;
        } else {
            running -= finish_one(jobs, n_jobs);
        }
    }
}

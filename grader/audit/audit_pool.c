/* audit_pool.c: several ./grade at once, each in a slot of its own, with what loads the device. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "audit.h"

/* A place for one ./grade. */
struct slot {
    pid_t pid; /* 0: none is running */
    struct audit_task task;
    struct timespec started;
    FILE *json, *messages;
    struct audit_load load;
};

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "audit: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void start(const struct audit_pool *pool, struct slot *s, int number)
{
    char subject[PATH_MAX];
    const struct audit_lab *lab = s->task.lab;
    audit_subject(subject, lab, s->task.submission->name);
    if (s->load.lab != lab) {
        audit_load_stop(&s->load);
        s->load = audit_load_start(pool, lab, number);
    }
    s->json = tmpfile();
    s->messages = tmpfile();
    if (!s->json || !s->messages)
        give_up("temporary files");
    clock_gettime(CLOCK_MONOTONIC, &s->started);
    fflush(NULL);
    s->pid = fork();
    if (s->pid < 0)
        give_up("./grade cannot be started");
    if (s->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(fileno(s->json), STDOUT_FILENO);
        dup2(fileno(s->messages), STDERR_FILENO);
        audit_place(pool->machine, number, pool->n_jobs);
        audit_become_grade(lab, subject, s->task.submission->checks);
    }
}

/* On fewer devices than the lab is for, some mistakes cannot be seen, and others look different. */
static void leave_out(struct audit_lab *lab, const struct audit_report *report)
{
    if (lab->left_out || report->n_devices >= report->n_wanted)
        return;
    lab->left_out = true;
    printf("%s is left out: it is for %d devices, and there is %d here\n", lab->name,
           report->n_wanted, report->n_devices);
}

static void finish(const struct audit_pool *pool, struct slot *s, int status)
{
    struct audit_submission *sub = s->task.submission;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    s->task.seconds =
        (double)(now.tv_sec - s->started.tv_sec) + (double)(now.tv_nsec - s->started.tv_nsec) / 1e9;
    sub->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    rewind(s->json);
    if (!audit_report_read(&sub->report, s->json)) {
        sub->report.n_checks = 0;
        if (fseek(s->messages, -(long)sizeof sub->said + 1, SEEK_END) != 0)
            rewind(s->messages); /* shorter than that */
        sub->said[fread(sub->said, 1, sizeof sub->said - 1, s->messages)] = 0;
    }
    fclose(s->json);
    fclose(s->messages);
    s->pid = 0;
    leave_out(s->task.lab, &sub->report);
    if (pool->done)
        pool->done(pool->of, &s->task);
}

/* The slot whose ./grade has ended. */
static struct slot *wait_for_one(struct slot *slots, int n, int *status)
{
    for (;;) {
        pid_t pid = wait(status);
        if (pid < 0 && errno != EINTR)
            give_up("waiting for ./grade");
        for (int i = 0; i < n; i++)
            if (pid > 0 && slots[i].pid == pid)
                return &slots[i];
    }
}

void audit_pool_run(const struct audit_pool *pool)
{
    static struct slot slots[AUDIT_JOBS];
    bool more = true;
    int running = 0, status;
    do {
        for (int i = 0; more && i < pool->n_jobs; i++)
            if (!slots[i].pid && (more = pool->next(pool->of, &slots[i].task))) {
                start(pool, &slots[i], i);
                running++;
            }
        if (running > 0) {
            struct slot *ended = wait_for_one(slots, pool->n_jobs, &status);
            finish(pool, ended, status);
            running--;
        }
    } while (more || running > 0);
    for (int i = 0; i < pool->n_jobs; i++)
        audit_load_stop(&slots[i].load);
}

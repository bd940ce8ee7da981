/* problems.c: checks that failed, together where they failed for the same reason. */
#include <string.h>

#include "report.h"

/* Is it the same call of the submission that did the same, whatever the sizes were? */
static bool is_same_finding(const struct session_event *a, const struct session_event *b)
{
    return a->cause == CAUSE_FINDING && b->cause == CAUSE_FINDING &&
           a->finding.kind == b->finding.kind && a->calls[0].at[0] &&
           strcmp(a->calls[0].at, b->calls[0].at) == 0 &&
           strcmp(a->calls[1].at, b->calls[1].at) == 0;
}

/* Do both say the same? */
static bool is_same(const struct session *s, const struct session_check *a,
                    const struct session_check *b)
{
    struct report_words x, y;
    if (a->status != b->status)
        return false;
    if (a->mistake[0] || b->mistake[0])
        return strcmp(a->mistake, b->mistake) == 0;
    if (is_same_finding(&a->event, &b->event))
        return true;
    report_words(s, a, &x);
    report_words(s, b, &y);
    return strcmp(x.message, y.message) == 0 && strcmp(x.next, y.next) == 0;
}

static bool is_unwritten(const struct report_problem *problem)
{
    return strcmp(problem->from->mistake, SESSION_UNWRITTEN) == 0;
}

/* Is it a mistake in a step before the first one that is not written? */
static bool is_early(const struct session *s, const struct report_problem *problem)
{
    return !is_unwritten(problem) && problem->from->step > 0 &&
           problem->from->step < session_first_step(s->unwritten);
}

static bool has_vague(const struct report_problem *problems, int n)
{
    for (int i = 0; i < n; i++)
        if (problems[i].from->is_vague)
            return true;
    return false;
}

/* What fails in teardown may follow from what a run has left. A handle in two variables says more
   than a wrong value. */
static bool is_of_teardown(const struct session_event *e)
{
    return e->request == WIRE_TEARDOWN && (e->cause == CAUSE_FAILED || e->cause == CAUSE_ENDED) &&
           e->failure.error.refusal.what != SIMGPU_REFUSED_DESTROYED;
}

/* Its cause is known, and may well be that of a vague one. A time hardly is. */
static bool is_clear(const struct session *s, const struct report_problem *problem)
{
    const struct session_check *c = problem->from;
    (void)s;
    return !c->is_vague && c->time_us == 0 && !is_of_teardown(&c->event);
}

/* Those to the front, in their order. */
static void put_first(bool (*is_first)(const struct session *, const struct report_problem *),
                      const struct session *s, struct report_problem *problems, int n)
{
    int n_first = 0;
    for (int i = 0; i < n; i++) {
        if (!is_first(s, &problems[i]))
            continue;
        const struct report_problem first = problems[i];
        memmove(&problems[n_first + 1], &problems[n_first],
                (size_t)(i - n_first) * sizeof *problems);
        problems[n_first++] = first;
    }
}

int report_problems(const struct session *s, struct report_problem problems[SESSION_CHECKS])
{
    int n = 0;
    for (int i = 0; i < s->n_checks; i++) {
        const struct session_check *c = &s->checks[i], *from = session_explanation(s, c);
        if (c->status != CHECK_FAILED && c->status != CHECK_INCONCLUSIVE)
            continue;
        if (!from)
            from = c;
        int k = 0;
        while (k < n && !is_same(s, problems[k].from, from))
            k++;
        if (k == n)
            problems[n++] = (struct report_problem){.from = from};
        problems[k].checks[problems[k].n_checks++] = c;
    }
    if (has_vague(problems, n))
        put_first(is_clear, s, problems, n);
    put_first(is_early, s, problems, n);
    return n;
}

int report_problems_due(const struct report_problem *problems, int n)
{
    int due = 0;
    for (bool unwritten = false; due < n && !unwritten; due++)
        unwritten = is_unwritten(&problems[due]);
    return due;
}

void report_problems_left(const struct session *s, const struct report_problem *problems, int n,
                          char text[SESSION_TEXT])
{
    int n_checks = 0;
    for (int i = 0; i < n; i++)
        n_checks += problems[i].n_checks;
    text[0] = '\0';
    if (n_checks > 0)
        snprintf(text, SESSION_TEXT, "%d more %s: ./grade %s CHECK shows why", n_checks,
                 n_checks == 1 ? "check is not passed" : "checks are not passed", s->lab);
}

const char *report_where(const struct session *s, const struct session_check *c)
{
    if (!s->both || c->status != CHECK_FAILED)
        return "";
    return c->device == DEVICE_SIM ? " on the simulated device" : " on the GPU";
}

/* Of all its checks; if they differ, the lines of the checks say it. */
static const char *where(const struct session *s, const struct report_problem *problem)
{
    const char *of_first = report_where(s, problem->checks[0]);
    for (int i = 1; i < problem->n_checks; i++)
        if (strcmp(of_first, report_where(s, problem->checks[i])) != 0)
            return "";
    return of_first;
}

static const char *verb(const struct report_problem *problem)
{
    const bool failed = problem->checks[0]->status == CHECK_FAILED;
    if (problem->n_checks > 1)
        return failed ? " fail" : " are open";
    return failed ? " fails" : " is open";
}

void report_problem_heading(const struct session *s, const struct report_problem *problem,
                            char text[SESSION_TEXT])
{
    const int n = problem->n_checks;
    FILE *to = fmemopen(text, SESSION_TEXT, "w");
    text[0] = '\0';
    if (!to)
        return;
    if (n > 1 && n == s->n_checks)
        fprintf(to, "All %d checks", n);
    for (int i = 0; i < n && (n == 1 || n < s->n_checks); i++)
        fprintf(to, "%s%s", i == 0 ? "" : i == n - 1 ? " and " : ", ", problem->checks[i]->name);
    fprintf(to, "%s%s%s:", verb(problem), where(s, problem), n > 1 ? " for one reason" : "");
    fclose(to);
}

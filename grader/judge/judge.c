/* judge.c: the running check and its verdict. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "inside.h"

struct session_check *judge_current;
const struct judge_lab *judge_running_lab;

static struct judge *live; /* all subjects of this test */

/* ---- a test's beginning and end -------------------------------------------------------------- */

/* The present try of the running check. */
static struct {
    jmp_buf again;
    int number;
    enum judge_evidence evidence;
} try;

enum { MOST_TRIES = 3 };

void judge_begin(const struct judge_lab *lab, const char *check)
{
    const char *why;
    /* a test does not outlive the suite, as the suite does not outlive ./grade */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_IGN);
    judge_session = session_open(&why);
    if (!judge_session)
        cr_assert_fail("%s", why);
    session_hide();
    judge_running_lab = lab;
    judge_current = check ? session_find(judge_session, check) : &judge_session->diagnosis;
    if (!judge_current)
        cr_assert_fail("check %s is not listed in the session", check);
    judge_current->status = CHECK_RUNNING;
    judge_notes_drop();
    judge_facts_clear();
}

static void kill_all(void)
{
    for (struct judge *j = live; j; j = j->next)
        judge_process_kill(j);
}

void judge_stop_all(void)
{
    kill_all();
    while (live)
        judge_stop(live);
}

void judge_check(const struct judge_check *check, void (*body)(void))
{
    judge_begin(check->lab, check->name);
    if (judge_current->lacks)
        judge_skip("it needs %s", judge_current->needs);
    if (setjmp(try.again))
        judge_gpu_take();
    try.number++;
    try.evidence = EVIDENCE_CERTAIN;
    body();
    judge_expect_lineage();
    while (live)
        judge_stop(live);
    judge_current->status = CHECK_ENDED;
}

void judge_rest_on(enum judge_evidence evidence)
{
    try.evidence = evidence;
}

void judge_verify(struct judge *j, void (*verify)(struct judge *))
{
    const enum judge_evidence evidence = try.evidence;
    try.evidence = EVIDENCE_CERTAIN;
    judge_memory_take(j);
    verify(j);
    j->is_right = true;
    judge_memory_leave(j);
    judge_note_lineage(j, &j->lineage);
    try.evidence = evidence;
}

bool judge_was_right(const struct judge *j)
{
    return j->was_right;
}

static void put(char *to, const char *format, va_list args)
{
    vsnprintf(to, SESSION_TEXT, format, args);
}

/* A skip is not a pass: on the simulated device only the submission can be why nothing is seen. */
static bool is_pretext(enum session_status status)
{
    return status == CHECK_SKIPPED && judge_device_is_simulated() && !judge_session->may_skip &&
           !judge_current->lacks;
}

void judge_end_test(enum session_status status)
{
    if (is_pretext(status))
        status = CHECK_FAILED;
    judge_current->status = status;
    if (status == CHECK_FAILED)
        judge_name_mistake();
    for (struct judge *j = live; j && status == CHECK_FAILED; j = j->next)
        judge_show_failed_graph(j);
    judge_stop_all();
    if (status == CHECK_SKIPPED)
        cr_skip_test("%s", judge_current->message);
    cr_assert_fail("%s", judge_current->message);
    abort(); /* cr_assert_fail does not come back */
}

void judge_end_grading(void)
{
    judge_session->internal_error = true;
    judge_end_test(CHECK_FAILED);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* If others used the GPU, or it was slowed down, the check is inconclusive. */
static void expect_undisturbed(const char *words)
{
    char why[SESSION_TEXT];
    if (!judge_gpu_is_disturbed(why))
        return;
    judge_next("grade again when nothing else uses the GPU");
    judge_inconclusive("%s: %s", words, why);
}

static const char not_alone[] = "this cannot be measured now, the GPU was not this grading's alone";

/* All of the check, in fresh processes. Returns if it may not: in a diagnosis, too. */
static void try_again(void)
{
    if (try.number == 0 || try.number >= MOST_TRIES)
        return;
    judge_stop_all();
    judge_pool_empty();
    judge_forget();
    judge_current->message[0] = '\0';
    judge_current->event = (struct session_event){.cause = CAUSE_NONE};
    longjmp(try.again, 1);
}

void judge_fail_as_said(void)
{
    if (judge_device_is_simulated() || try.evidence == EVIDENCE_CERTAIN)
        judge_end_test(CHECK_FAILED);
    judge_stop_all();
    if (try.evidence == EVIDENCE_MEASURED)
        try_again();
    expect_undisturbed(not_alone);
    judge_end_test(CHECK_FAILED);
}

void judge_doubt_time_limit(void)
{
    kill_all();
    if (judge_gpu_take())
        try_again();
    judge_session->quiet_ns = 0; /* it was quiet before that request */
    expect_undisturbed(not_alone);
}

#define PUT(to)                                                                                    \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        put(to, format, args);                                                                     \
        va_end(args);                                                                              \
    } while (0)

void judge_fail(const char *format, ...)
{
    PUT(judge_current->message);
    judge_speak();
    judge_fail_as_said();
}

void judge_expect(bool right, const char *format, ...)
{
    if (right)
        return;
    PUT(judge_current->message);
    judge_speak();
    judge_fail_as_said();
}

void judge_skip(const char *format, ...)
{
    PUT(judge_current->message);
    judge_end_test(CHECK_SKIPPED);
}

void judge_inconclusive(const char *format, ...)
{
    PUT(judge_current->message);
    judge_end_test(CHECK_INCONCLUSIVE);
}

void *judge_room(size_t count, size_t bytes)
{
    void *room = calloc(count + !count, bytes);
    if (!room)
        judge_inconclusive("the grader has no memory for its own results");
    return room;
}

void judge_too_noisy(void)
{
    static const char words[] = "the timing is too noisy to decide";
    judge_stop_all();
    expect_undisturbed(words);
    judge_next("run ./grade again, with nothing else on the machine");
    judge_inconclusive("%s", words);
}

void judge_internal_error(const char *format, ...)
{
    PUT(judge_current->message);
    judge_end_grading();
}

void judge_note(const char *format, ...)
{
    PUT(judge_current->message);
}

void judge_actual(const char *format, ...)
{
    PUT(judge_current->actual);
}

void judge_expected(const char *format, ...)
{
    PUT(judge_current->expected);
}

void judge_next(const char *format, ...)
{
    PUT(judge_current->next);
}

void judge_forget(void)
{
    judge_current->actual[0] = judge_current->expected[0] = judge_current->next[0] = '\0';
    judge_current->has_figure = false;
    judge_facts_clear();
}

void judge_try(const char *word)
{
    snprintf(judge_current->tries, sizeof judge_current->tries, "%s", word);
}

void judge_measured(double measured, double required, const char *unit)
{
    judge_current->has_figure = true;
    judge_current->measured = measured;
    judge_current->required = required;
    snprintf(judge_current->unit, sizeof judge_current->unit, "%s", unit);
}

void judge_expect_at_most(double measured, double required, const char *unit, const char *format,
                          ...)
{
    judge_measured(measured, required, unit);
    if (measured <= required)
        return;
    PUT(judge_current->message);
    judge_speak();
    judge_fail_as_said();
}

void judge_expect_at_least(double measured, double required, const char *unit, const char *format,
                           ...)
{
    judge_measured(measured, required, unit);
    if (measured >= required)
        return;
    PUT(judge_current->message);
    judge_speak();
    judge_fail_as_said();
}

void judge_expect_bytes(double bytes, double at_most, const char *mistake)
{
    judge_actual("%.0f bytes", bytes);
    judge_expected("at most %.0f bytes", at_most);
    judge_measured(bytes, at_most, "bytes");
    judge_expect_that(bytes <= at_most, mistake);
}

/* ---- subjects -------------------------------------------------------------------------------- */

bool judge_device_is_simulated(void)
{
    return judge_session->device == DEVICE_SIM;
}

int judge_devices(void)
{
    return judge_session->n_devices;
}

struct judge *judge_start(enum judge_who who, const struct judge_scenario *scenario)
{
    struct judge *j = calloc(1, sizeof *j);
    if (!j)
        judge_internal_error("out of memory");
    *j = (struct judge){.who = who,
                        .channel = -1,
                        .output = -1,
                        .pidfd = -1,
                        .model_only = scenario->model_only,
                        .devices = scenario->devices,
                        .whole_graphs = scenario->whole_graphs,
                        .next = live};
    live = j;
    judge_random_seed(j);
    judge_process_take(j);
    judge_prepare(j, scenario);
    return j;
}

void judge_restart(struct judge *j)
{
    judge_process_kill(j);
    j->up = false;
    judge_process_start(j);
    judge_prepare(j, j->scenario);
}

void judge_stop(struct judge *j)
{
    struct judge **p = &live;
    judge_process_leave(j);
    while (*p && *p != j)
        p = &(*p)->next;
    if (*p)
        *p = j->next;
    judge_memory_free(j);
    trace_free(&j->trace);
    dag_free(&j->graph);
    free(j);
}

/* judge.c: a check from its beginning to its end, and the subjects in between. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "inside.h"

static struct judged *live; /* all subjects of this test */

/* ---- a test's beginning and end -------------------------------------------------------------- */

/* The present try of the running check. */
static struct {
    jmp_buf again;
    int number;
    bool is_fresh; /* in processes of its own */
} try;

enum { MOST_TRIES = 3 };

static void kill_all(void)
{
    for (struct judged *j = live; j; j = j->next)
        judge_process_kill(j);
}

void judge_stop_all(void)
{
    kill_all();
    while (live)
        judge_stop(live);
}

void judge_verify(struct judged *j, void (*verify)(struct judged *))
{
    const enum judge_evidence evidence = judge_rest_on(EVIDENCE_CERTAIN);
    judge_memory_take(j);
    verify(j);
    j->is_right = true;
    judge_memory_leave(j);
    judge_note_lineage(j, &j->lineage);
    judge_rest_on(evidence);
}

bool judge_was_right(const struct judged *j)
{
    return j->was_right;
}

/* A skip is not a pass: on the simulated device only the submission can be why nothing is seen. */
static bool is_pretext(enum session_status status)
{
    return status == CHECK_SKIPPED && judge_device_is_simulated() && !judge_session->may_skip &&
           !judge_current->lacks;
}

bool judge_may_share_processes(void)
{
    return judge_session->both && try.number > 0 && !try.is_fresh;
}

static _Noreturn void start_again(void)
{
    judge_stop_all();
    judge_pool_empty();
    judge_forget();
    judge_forget_mistake();
    judge_current->message[0] = '\0';
    judge_current->is_measured = false;
    judge_current->event = (struct session_event){.cause = CAUSE_NONE};
    longjmp(try.again, 1);
}

/* What happened in other checks must not decide this one, and how a process from the pool ended is
 * not known. Returns if there was none. */
static void try_in_fresh_process(void)
{
    bool from_pool = false;
    for (struct judged *j = live; j; j = j->next)
        from_pool |= j->who == JUDGE_SUBMISSION && j->from_pool;
    if (!from_pool)
        return;
    try.is_fresh = true;
    try.number--;
    start_again();
}

static _Noreturn void end_test(enum session_status status)
{
    if (is_pretext(status))
        status = CHECK_FAILED;
    if (status == CHECK_FAILED && !judge_current->is_internal_error)
        try_in_fresh_process();
    judge_current->status = status;
    if (status == CHECK_FAILED)
        judge_name_mistake();
    for (struct judged *j = live; j && status == CHECK_FAILED; j = j->next)
        judge_show_failed_graph(j);
    judge_stop_all();
    if (status == CHECK_SKIPPED)
        cr_skip_test("%s", judge_current->message);
    cr_assert_fail("%s", judge_current->message);
    abort(); /* cr_assert_fail does not come back */
}

/* ---- failures that rest on a measurement -------------------------------------------------------
 */

/* If others used the GPU, or it was slowed down, the check is inconclusive. */
static void expect_undisturbed(const char *words)
{
    char why[SESSION_TEXT];
    if (judge_gpu_may_be_disturbed())
        judge_pool_empty();
    if (!judge_gpu_is_disturbed(why))
        return;
    judge_next("grade again when nothing else uses the GPU");
    judge_inconclusive("%s: %s", words, why);
}

static const char not_alone[] = "this cannot be measured now, the GPU was not this grading's alone";

/* All of the check, in fresh processes. Returns if it may not: in a diagnosis, too. */
static void try_again(void)
{
    if (try.number > 0 && try.number < MOST_TRIES)
        start_again();
}

static void doubt_failure(enum judge_evidence evidence)
{
    judge_name_mistake(); /* while there are subjects, whose traces and graphs rules ask */
    judge_stop_all();
    if (evidence == EVIDENCE_MEASURED)
        try_again();
    expect_undisturbed(not_alone);
}

static void doubt_time_limit(void)
{
    kill_all();
    if (judge_gpu_take())
        try_again();
    judge_session->quiet_ns = 0; /* it was quiet before that request */
    expect_undisturbed(not_alone);
}

void judge_too_noisy(void)
{
    static const char words[] = "the timing is too noisy to decide";
    judge_stop_all();
    expect_undisturbed(words);
    judge_next("run ./grade again, with nothing else on the machine");
    judge_inconclusive("%s", words);
}

/* On a GPU a submission can take what the reference needs: device memory, above all. Returns if the
 * reference fails alone, too. */
static void doubt_reference(struct judged *reference)
{
    static bool is_alone;
    if (is_alone || judge_device_is_simulated())
        return;
    is_alone = true;
    kill_all();
    judge_pool_empty();
    judge_restart(reference);
    judge_run(reference);
    is_alone = false;
    judge_current->event = (struct session_event){.cause = CAUSE_NONE};
    judge_rest_on(EVIDENCE_MEASURED);
    judge_next("free in each run what it allocates, and wait for all work: then the GPU has room "
               "for other programs");
    judge_fail("The reference solution fails while this program runs, and not alone: the program "
               "takes all of a GPU's memory, or does not end its work.");
}

/* ---- a check, the diagnosis ------------------------------------------------------------------ */

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
    judge_endings =
        (struct judge_endings){end_test, doubt_failure, doubt_time_limit, doubt_reference};
    judge_running_lab = lab;
    judge_current = check ? session_find(judge_session, check) : &judge_session->diagnosis;
    if (!judge_current)
        cr_assert_fail("check %s is not listed in the session", check);
    judge_current->status = CHECK_RUNNING;
    judge_notes_drop();
    judge_facts_clear();
}

void judge_check(const struct judge_check *check, void (*body)(void))
{
    judge_begin(check->lab, check->name);
    judge_gpu_share();
    if (judge_simulated_fails(check->name)) {
        judge_current->status = CHECK_NOT_RUN;
        return;
    }
    if (judge_current->lacks)
        judge_skip("it needs %s", judge_current->needs);
    if (setjmp(try.again) && !judge_device_is_simulated())
        judge_gpu_take();
    try.number++;
    judge_count_computing(false);
    judge_rest_on(EVIDENCE_CERTAIN);
    body();
    judge_expect_lineage();
    while (live)
        judge_stop(live);
    judge_current->status = CHECK_ENDED;
}

bool judge_is_unexplained(const char *check)
{
    const struct session_check *c = session_find(judge_session, check);
    return c && session_is_unexplained(judge_session, c);
}

void judge_diagnose(const struct judge_lab *lab, void (*body)(void))
{
    judge_begin(lab, NULL);
    bool is_needed = false;
    for (int i = 0; i < judge_session->n_checks; i++)
        is_needed |= session_is_unexplained(judge_session, &judge_session->checks[i]);
    if (is_needed && judge_session->n_hangs == 0 && !judge_session->internal_error)
        body();
    judge_stop_all();
    judge_current->status = CHECK_ENDED;
}

/* ---- subjects -------------------------------------------------------------------------------- */

static struct judged *make(enum judge_who who, const struct judge_scenario *scenario)
{
    struct judged *j = calloc(1, sizeof *j);
    if (!j)
        judge_internal_error("out of memory");
    *j = (struct judged){.who = who,
                         .channel = -1,
                         .output = -1,
                         .pidfd = -1,
                         .scenario = scenario, /* until judge_prepare has its own */
                         .model_only = scenario->model_only,
                         .devices = scenario->devices,
                         .peers = scenario->peers,
                         .whole_graphs = scenario->whole_graphs,
                         .next = live};
    live = j;
    judge_random_seed(j);
    return j;
}

struct judged *judge_start(enum judge_who who, const struct judge_scenario *scenario)
{
    struct judged *j = make(who, scenario);
    judge_process_take(j);
    judge_prepare(j, scenario);
    return j;
}

struct judged *judge_start_probed(const struct judged *reference)
{
    struct judged *j = make(JUDGE_REFERENCE, reference->scenario);
    if (judge_process_take_probed(j)) {
        judge_prepare(j, reference->scenario);
        return j;
    }
    judge_stop(j);
    return NULL;
}

struct judged *judge_turn_to(struct judged *j, const struct judge_scenario *scenario)
{
    if (!j)
        return judge_start(JUDGE_SUBMISSION, scenario);
    judge_prepare(j, scenario);
    return j;
}

void judge_restart(struct judged *j)
{
    judge_process_kill(j);
    judge_memory_free(j); /* where its pages lie is part of what a fresh pair varies */
    j->up = false;
    judge_process_renew(j);
    judge_prepare(j, j->scenario);
}

void judge_exchange(struct judged *j)
{
    judge_process_exchange(j);
    judge_prepare(j, j->scenario);
}

void judge_stop(struct judged *j)
{
    struct judged **p = &live;
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

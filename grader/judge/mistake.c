/* mistake.c: why a check failed: the mistakes that suites know by name. */
#include <cuda_runtime_api.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "inside.h"
#include "judge/mistakes.h"

void judge_blame(const struct judge_mistake *mistake)
{
    struct session_check *c = judge_current;
    c->is_next_of_mistake = mistake && mistake->next;
    if (!mistake) {
        c->mistake[0] = c->explains[0] = '\0';
        return;
    }
    snprintf(c->mistake, sizeof c->mistake, "%s", mistake->name);
    snprintf(c->explains, sizeof c->explains, "%s", mistake->explains ? mistake->explains : "");
    if (mistake->words)
        snprintf(c->message, sizeof c->message, "%s", mistake->words);
    if (mistake->next)
        judge_next("%s", mistake->next);
}

void judge_fail_for(const struct judge_mistake *mistake)
{
    judge_blame(mistake);
    judge_fail_as_said();
}

void judge_expect_for(bool right, const struct judge_mistake *mistake)
{
    if (!right)
        judge_fail_for(mistake);
}

bool judge_is_site(const struct simgpu_site *site, const char *name)
{
    return judge_begins(site->name, name);
}

bool judge_are_sites(const struct simgpu_finding *f, const char *one, const char *other)
{
    return (judge_is_site(&f->first, one) && judge_is_site(&f->second, other)) ||
           (judge_is_site(&f->first, other) && judge_is_site(&f->second, one));
}

bool judge_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- what every lab has ---------------------------------------------------------------------- */

/* Teardown gets only what setup made: another error can hardly be. */
static const struct judge_mistake *of_teardown(const struct session_event *e)
{
    const int code = e->failure.error.code;
    if (e->cause == CAUSE_ENDED && WIFSIGNALED(e->wait_status))
        return WTERMSIG(e->wait_status) == SIGABRT ? &judge_heap_corrupted : &judge_freed_twice;
    const struct simgpu_refusal *r = &e->failure.error.refusal;
    if (e->cause == CAUSE_FAILED && r->what == SIMGPU_REFUSED_DESTROYED)
        return &judge_destroyed_twice;
    if (e->cause == CAUSE_FAILED && r->what == SIMGPU_REFUSED_NULL)
        return &judge_invalid_handle; /* the report says what was never set */
    if (e->cause == CAUSE_FAILED && r->what == SIMGPU_REFUSED_HANDLE &&
        (wire_is_all(r->n[0], WIRE_FRESH) || wire_is_all(r->n[0], WIRE_FREED) ||
         wire_is_all(r->n[0], WIRE_RED)))
        return &judge_invalid_handle; /* the report says where it was read */
    return e->cause == CAUSE_FAILED &&
                   (code == cudaErrorInvalidValue || code == cudaErrorInvalidResourceHandle)
               ? &judge_freed_twice
               : NULL;
}

/* Whatever else the event is, it follows from this. */
static const struct judge_mistake *of_block(const struct session_event *e)
{
    const bool is_failure = e->cause == CAUSE_FAILED && e->failure.reason == WIRE_BESIDE_BLOCK,
               is_death = e->cause == CAUSE_ENDED && e->has_fault && e->fault.block_bytes > 0;
    return is_failure || is_death ? &judge_array_too_short : NULL;
}

static const struct judge_mistake *general(const struct session_event *e)
{
    if (e->cause == CAUSE_FINDING && e->finding.kind == SIMGPU_LEAK)
        return &judge_leak;
    if (e->cause == CAUSE_FINDING && e->finding.kind == SIMGPU_UNINITIALIZED_READ)
        return &judge_not_copied_in;
    if (e->request == WIRE_TEARDOWN && of_teardown(e))
        return of_teardown(e);
    if (e->cause == CAUSE_FAILED && e->failure.reason == WIRE_STILL_CAPTURING)
        return &judge_still_capturing;
    if (e->cause == CAUSE_FAILED && e->failure.error.code == cudaErrorNotYetImplemented)
        return &judge_unwritten;
    if (e->cause == CAUSE_FAILED && e->failure.error.code == cudaErrorInvalidResourceHandle)
        return &judge_invalid_handle;
    if (e->cause == CAUSE_ENDED && e->has_fault && e->fault.device)
        return &judge_device_memory_on_host;
    return e->cause == CAUSE_TIMEOUT ? &judge_endless : NULL;
}

/* The report quotes the wait and the record: a step that asks for them would be taken already. */
static void say_record_is_wrong(const struct session_event *e, const struct judge_mistake *m)
{
    const struct simgpu_finding *f = &e->finding;
    if (e->cause != CAUSE_FINDING || !m->next || m->is_early)
        return;
    if (f->is_wait_for_first)
        judge_next("the record that is quoted comes before %s. If it is the event of this memory, "
                   "record it later: after the last operation that uses this memory. If not, %s",
                   f->first.name, m->next);
    else if (f->is_wait_for_itself)
        judge_next("the record that is quoted is in the stream of the second operation itself, so "
                   "the wait for it orders nothing. If it is the event of this memory, record it "
                   "in the stream of the first one, after its last use of the memory. If not, %s",
                   m->next);
}

void judge_blame_event(const struct session_event *e)
{
    const struct judge_lab *lab = judge_running_lab;
    const struct judge_mistake *m = of_block(e);
    if (!m && lab->mistake_of)
        m = lab->mistake_of(e);
    m = m ? m : general(e);
    if (m == &judge_unwritten)
        judge_current->scenario[0] = '\0'; /* no case of anything */
    judge_blame(m);
    if (m && m->lacks_wait)
        judge_current->event.waited.at[0] = '\0';
    else if (m && judge_current->event.recorded.at[0])
        say_record_is_wrong(e, m);
}

/* Is it a reason for failed calls, too? Then it comes first. */
static bool is_cause_of_errors(const char *mistake)
{
    return strcmp(mistake, judge_unwritten.name) == 0 ||
           strcmp(mistake, judge_array_too_short.name) == 0;
}

/* An object is left only because of a call that should have ended it: any call that frees memory
   may have been meant for any memory. */
static bool is_cause_of_leak(const char *call, enum simgpu_object object)
{
    const char *end = simgpu_object_end(object), *frees = "cudaFree";
    return strcmp(call, end) == 0 || (judge_begins(call, frees) && judge_begins(end, frees));
}

/* Can the ignored error explain why the check failed? */
static bool explains(const struct wire_error *ignored, const struct session_check *c)
{
    const struct simgpu_finding *f = &c->event.finding;
    return !is_cause_of_errors(c->mistake) &&
           (strcmp(c->mistake, judge_leak.name) != 0 || is_cause_of_leak(ignored->call, f->object));
}

void judge_blame_ignored(void)
{
    struct session_check *c = judge_current;
    if (c->ignored.code == 0 || c->event.reference || judge_session->internal_error ||
        !explains(&c->ignored, c))
        return;
    judge_place(judge_session->subject, c->ignored.caller, &c->ignored_at);
    judge_blame(&judge_error_ignored);
    c->is_vague = false;
}

/* ---- the diagnosis --------------------------------------------------------------------------- */

bool judge_is_unexplained(const char *check)
{
    const struct session_check *c = session_find(judge_session, check);
    return c && session_is_unexplained(judge_session, c);
}

bool judge_has_passed(const char *check)
{
    const struct session_check *c = session_find(judge_session, check);
    return c && (c->status == CHECK_PASSED || c->status == CHECK_ENDED);
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

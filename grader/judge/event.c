/* event.c: the actions of a subject that decide a check, kept for the report. */
#include <driver_types.h>
#include <stdio.h>
#include <sys/wait.h>

#include "inside.h"

static struct session_event *keep(const struct judged *j, enum session_cause cause)
{
    struct session_event *e = &judge_current->event;
    *e = (struct session_event){.cause = cause,
                                .reference = j->who == JUDGE_REFERENCE,
                                .request = (enum wire_op)j->request.op};
    return e;
}

/* The reference solution does none of this by itself. */
static _Noreturn void end(struct judged *j, const struct session_event *e)
{
    if (e->reference) {
        judge_endings.doubt_reference(j);
        judge_end_grading();
    }
    if (e->cause == CAUSE_FAILED && e->failure.error.code == cudaErrorMemoryAllocation) {
        judge_rest_on(EVIDENCE_MEASURED); /* others may have it */
        judge_fail_as_said();
    }
    judge_end_test(CHECK_FAILED);
}

static struct simgpu_caller at(uint64_t instruction)
{
    return (struct simgpu_caller){.at = (uint32_t)instruction};
}

void judge_died(struct judged *j, int wait_status)
{
    struct session_event *e = keep(j, CAUSE_ENDED);
    const struct wire_fault *f = &j->reply.fault;
    e->wait_status = wait_status;
    e->has_fault = j->reply.outcome == WIRE_CRASHED;
    e->fault = *f;
    if (f->buffer >= 0 && f->buffer < j->n_buffers) {
        const struct wire_buffer *b = &j->buffers[f->buffer].wire;
        snprintf(e->buffer, sizeof e->buffer, "%s", b->name);
        e->buffer_bytes = b->data_bytes;
    } else if (f->lent_bytes > 0) {
        snprintf(e->buffer, sizeof e->buffer, "%s", f->lent);
        e->buffer_bytes = f->lent_bytes;
    } else if (f->struct_bytes > 0) {
        snprintf(e->buffer, sizeof e->buffer, "struct %s", judge_session->lab);
        e->buffer_bytes = f->struct_bytes;
    }
    if (e->has_fault && !e->reference) {
        judge_place(judge_session->subject, at(f->instruction), &e->fault_at);
        judge_place(judge_session->subject, at(f->allocation), &e->allocated_at);
    }
    end(j, e);
}

void judge_stopped(struct judged *j, enum session_cause cause, double limit_s)
{
    const bool is_hang = cause == CAUSE_TIMEOUT;
    if (is_hang && j->who == JUDGE_SUBMISSION)
        judge_ask_place(j);
    judge_process_kill(j);
    judge_session->n_hangs += is_hang && j->who == JUDGE_SUBMISSION;
    if (is_hang && !judge_device_is_simulated())
        judge_endings.doubt_time_limit();
    struct session_event *e = keep(j, cause);
    e->limit_s = limit_s;
    e->grown_bytes = is_hang ? j->grown_bytes : 0;
    if (is_hang && !e->reference)
        judge_place(judge_session->subject, at(j->reply.fault.instruction), &e->fault_at);
    end(j, e);
}

/* Something used memory that is not there, or numbers that are not there yet: the ordering checks
   know which operation, and why. */
static bool is_known_better(const struct judged *j)
{
    const int code = j->reply.failure.error.code;
    return j->who == JUDGE_SUBMISSION && judge_device_is_simulated() &&
           j->request.op != WIRE_FINDINGS_SO_FAR &&
           (code == cudaErrorIllegalAddress || code == cudaErrorLaunchFailure ||
            code == cudaErrorAssert);
}

void judge_failed(struct judged *j)
{
    struct session_event *e = keep(j, CAUSE_FAILED);
    e->failure = j->reply.failure;
    judge_take_failed_capture(j);
    if (!e->reference)
        judge_place(judge_session->subject, e->failure.error.caller, &e->calls[0]);
    if (is_known_better(j))
        judge_expect_order(j);
    end(j, e);
}

/* That the grader is at fault is believed of the reference alone: a submission can say it, too. */
void judge_mismatch(struct judged *j)
{
    if (j->who == JUDGE_REFERENCE)
        judge_internal_error("suite and adapter do not fit together: %s", j->reply.failure.text);
    judge_next("grade the solution: if it fails like this, too, build suite and subject together");
    judge_fail("the subject says that it does not fit to the suite: %s", j->reply.failure.text);
}

/* A device may lack traces and findings; the suite of a lab asks its own adapter for the rest. */
void judge_unsupported(struct judged *j)
{
    struct session_event *e = keep(j, CAUSE_UNSUPPORTED);
    e->failure = j->reply.failure;
    const bool lacks = e->failure.reason == WIRE_NO_FLOOR || e->failure.reason == WIRE_NO_GRAPH;
    if (lacks && e->reference)
        judge_end_grading();
    judge_end_test(lacks ? CHECK_FAILED : CHECK_SKIPPED);
}

void judge_needs_findings(void)
{
    if (judge_device_is_simulated())
        return;
    judge_current->event =
        (struct session_event){.cause = CAUSE_UNSUPPORTED, .failure = {.reason = WIRE_NO_FINDINGS}};
    judge_end_test(CHECK_SKIPPED);
}

/* What the process itself may have said of it does not count. */
static void name_line(struct simgpu_site *site, const struct session_place *place)
{
    snprintf(site->line, sizeof site->line, "%.31s", place->at);
}

void judge_found(struct judged *j)
{
    struct session_event *e = keep(j, CAUSE_FINDING);
    e->finding = j->reply.finding;
    e->finding.first.line[0] = e->finding.second.line[0] = '\0';
    judge_current->expected[0] = '\0'; /* of what was looked at before */
    e->n_findings = j->reply.n_findings;
    if (j->found_in[0])
        snprintf(judge_current->scenario, sizeof judge_current->scenario, "%s", j->found_in);
    const struct simgpu_caller callers[2] = {e->finding.first.caller, e->finding.second.caller};
    if (!e->reference) {
        judge_place_calls(judge_session->subject, callers, e->calls);
        name_line(&e->finding.first, &e->calls[0]);
        name_line(&e->finding.second, &e->calls[1]);
        judge_place(judge_session->subject, e->finding.wait.waited, &e->waited);
        judge_place(judge_session->subject, e->finding.wait.recorded, &e->recorded);
    }
    judge_end_test(CHECK_FAILED);
}

void judge_expect_order(struct judged *j)
{
    const struct wire_reply kept = j->reply;
    judge_ask(j, WIRE_FINDINGS_SO_FAR, -1);
    if (j->reply.n_findings > 0)
        judge_found(j);
    j->reply = kept;
}

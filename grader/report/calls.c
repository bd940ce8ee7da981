/* calls.c: the lines of the submission that a finding, or a call that failed, is about. */
#include <cuda_runtime_api.h>
#include <string.h>

#include "report.h"

/* Findings about one operation name it twice, or once. */
static bool has_two(const struct simgpu_finding *f)
{
    return f->kind == SIMGPU_RACE || f->kind == SIMGPU_HOST_RACE || f->kind == SIMGPU_HOST_ACCESS ||
           f->what == SIMGPU_WHAT_READS_BEYOND ||
           (f->kind == SIMGPU_USE_AFTER_FREE && f->first.caller.at != f->second.caller.at);
}

/* The call that returned the error is not the one that enqueued the kernel that failed. */
static bool is_of_earlier_work(const struct wire_error *e)
{
    return e->code == cudaErrorAssert || e->code == cudaErrorIllegalAddress ||
           e->code == cudaErrorLaunchFailure;
}

static const char *label_of(const struct session_event *e, int i)
{
    if (e->cause != CAUSE_FINDING)
        return is_of_earlier_work(&e->failure.error) ? "reported" : "call";
    if (e->finding.what == SIMGPU_WHAT_READS_BEYOND)
        return i == 0 ? "reads" : "wrote";
    if (has_two(&e->finding))
        return i == 0 ? "first" : "second";
    return e->finding.kind == SIMGPU_LEAK ? "created" : "call";
}

static void say_place(struct report_call *call, const char *label, const struct session_place *p)
{
    call->label = label;
    snprintf(call->text, sizeof call->text, "%s%s%s%s%s%s", p->at, p->text[0] ? ": " : "", p->text,
             p->from[0] ? " (called at " : "", p->from, p->from[0] ? ")" : "");
}

static void say_record(struct report_call *call, const struct session_event *e)
{
    const struct simgpu_finding *f = &e->finding;
    say_place(call, "recorded", &e->recorded);
    const size_t n = strlen(call->text), room = sizeof call->text - n;
    if (f->is_wait_for_first)
        snprintf(call->text + n, room, ", before %s", f->first.name);
    else if (f->wait.stream < 0)
        snprintf(call->text, sizeof call->text,
                 "(none): the event had not been recorded, so the wait had no effect");
    else if (f->wait.is_elsewhere && f->wait.stream == 0)
        snprintf(call->text + n, room, ", in the legacy stream, not in that of %s", f->first.name);
    else if (f->wait.is_elsewhere)
        snprintf(call->text + n, room, ", in stream %d, not in that of %s", f->wait.stream,
                 f->first.name);
}

/* What the stream of the later one waited for last. */
static int say_wait(struct report_call calls[2], const struct session_event *e)
{
    if (!e->waited.at[0] || (e->finding.wait.stream >= 0 && !e->recorded.at[0]))
        return 0;
    say_place(&calls[0], "waited", &e->waited);
    say_record(&calls[1], e);
    return 2;
}

int report_calls(const struct session_check *c, struct report_call calls[REPORT_CALLS])
{
    const struct session_event *e = &c->event;
    if (report_is_ignored(c)) {
        say_place(&calls[0], "call", &c->ignored_at);
        return c->ignored_at.at[0] != '\0';
    }
    if (e->cause == CAUSE_TIMEOUT) {
        say_place(&calls[0], "at", &e->fault_at);
        return e->fault_at.at[0] != '\0';
    }
    const bool two = e->cause == CAUSE_FINDING && has_two(&e->finding),
               same = two && memcmp(&e->calls[0], &e->calls[1], sizeof e->calls[0]) == 0;
    int n = 0;
    for (int i = 0; i < (two && !same ? 2 : 1); i++)
        if (e->calls[i].at[0])
            say_place(&calls[n++], same ? "both" : label_of(e, i), &e->calls[i]);
    return two ? n + say_wait(calls + n, e) : n;
}

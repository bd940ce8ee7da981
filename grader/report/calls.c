/* calls.c: the lines of the submission that a finding, or a call that failed, is about. */
#include "report.h"

/* Findings about one operation name it twice, or once. */
static bool has_two(const struct simgpu_finding *f)
{
    return f->kind == SIMGPU_RACE || f->kind == SIMGPU_HOST_RACE ||
           (f->kind == SIMGPU_USE_AFTER_FREE && f->first.caller.at != f->second.caller.at);
}

static const char *label_of(const struct session_event *e, int i)
{
    if (e->cause != CAUSE_FINDING)
        return "call";
    if (has_two(&e->finding))
        return i == 0 ? "first" : "second";
    return e->finding.kind == SIMGPU_LEAK ? "created" : "call";
}

int report_calls(const struct session_check *c, struct report_call calls[REPORT_CALLS])
{
    const struct session_event *e = &c->event;
    const int most = e->cause == CAUSE_FINDING && has_two(&e->finding) ? REPORT_CALLS : 1;
    int n = 0;
    for (int i = 0; i < most; i++) {
        const struct session_place *p = &e->calls[i];
        if (!p->at[0])
            continue;
        calls[n].label = label_of(e, i);
        snprintf(calls[n++].text, sizeof calls->text, p->text[0] ? "%s: %s" : "%s", p->at, p->text);
    }
    return n;
}

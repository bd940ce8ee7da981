/* mistake.c: has the rules name the mistake of a failed check, and says it in words. */
#include <driver_types.h>
#include <stdio.h>
#include <string.h>

#include "inside.h"
#include "judge/mistakes.h"

bool judge_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- predicates of grader/judge/mistakes ----------------------------------------------------- */

/* The handle was read from memory that the grader had filled: fresh, freed, after a block. */
bool judge_handle_of_fill(const struct facts *f)
{
    const struct simgpu_refusal *r = &f->event->failure.error.refusal;
    return r->what == SIMGPU_REFUSED_HANDLE &&
           (wire_is_all(r->n[0], WIRE_FRESH) || wire_is_all(r->n[0], WIRE_FREED) ||
            wire_is_all(r->n[0], WIRE_RED));
}

/* A kernel was launched while a device was current on which no stream was created. */
bool judge_has_no_stream(const struct facts *f)
{
    return f->event->failure.error.refusal.n[2] == 0;
}

/* An object is left only because of a call that should have ended it: any call that frees memory
   may have been meant for any memory. */
bool judge_ends_what_leaks(const struct facts *f)
{
    const char *end = simgpu_object_end(f->event->finding.object), *call = f->ignored->call,
               *frees = "cudaFree";
    return strcmp(call, end) == 0 || (judge_begins(call, frees) && judge_begins(end, frees));
}

/* ---- words ----------------------------------------------------------------------------------- */

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

static void blame(const struct judge_mistake *m)
{
    struct session_check *c = judge_current;
    snprintf(c->mistake, sizeof c->mistake, "%s", m->name);
    snprintf(c->explains, sizeof c->explains, "%s", m->explains ? m->explains : "");
    if (m->words && !c->has_own_words)
        snprintf(c->message, sizeof c->message, "%s", m->words);
    if (m->next)
        judge_next("%s", m->next);
    c->is_next_of_mistake = m->next != NULL;
    if (m == &judge_unwritten)
        c->scenario[0] = '\0'; /* no case of anything */
    if (m->lacks_wait)
        c->event.waited.at[0] = '\0';
    else if (c->event.recorded.at[0])
        say_record_is_wrong(&c->event, m);
    if (m != &judge_error_ignored || c->ignored.code == 0)
        return;
    judge_place(judge_session->subject, c->ignored.caller, &c->ignored_at);
    c->is_vague = false;
}

/* ---- a step that is not written -------------------------------------------------------------- */

static int step_of_check; /* 0: none */

void judge_needs_step(int step)
{
    step_of_check = step;
}

static void take_step(void)
{
    if (!session_is_unwritten(judge_session, step_of_check) || judge_current->event.reference)
        return;
    judge_forget();
    judge_current->message[0] = '\0';
    judge_current->event =
        (struct session_event){.cause = CAUSE_FAILED,
                               .failure = {.reason = WIRE_RETURNED,
                                           .error = {.code = cudaErrorNotYetImplemented,
                                                     .name = "cudaErrorNotYetImplemented"}}};
}

/* ---- the rules ------------------------------------------------------------------------------- */

static const struct rule *find(const struct facts *facts)
{
    const struct rule_list *lists[] = {&judge_first_rules, judge_running_lab->rules, &judge_rules};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct rule *r = lists[i] ? rule_find(lists[i], facts) : NULL;
        if (r)
            return r;
    }
    return NULL;
}

/* For ./grade --why. */
static void keep(const struct facts *facts, const struct rule *rule)
{
    struct session_check *c = judge_current;
    FILE *to = fmemopen(c->facts, sizeof c->facts, "w");
    if (to) {
        facts_print(facts, to);
        fclose(to);
    }
    if (rule)
        snprintf(c->rule, sizeof c->rule, "%s: %s: %s", rule->at, rule->name, rule->text);
}

void judge_name_mistake(void)
{
    const struct session_event *e = &judge_current->event;
    if (judge_current->facts[0])
        return; /* before its subjects were stopped */
    take_step();
    const struct facts *facts = judge_facts(e);
    const struct rule *rule = e->reference ? NULL : find(facts);
    keep(facts, rule);
    if (!rule)
        return;
    blame(rule->mistake);
    judge_show_note(rule->number);
}

void judge_forget_mistake(void)
{
    struct session_check *c = judge_current;
    c->mistake[0] = c->explains[0] = c->rule[0] = c->facts[0] = '\0';
    c->is_next_of_mistake = c->is_vague = false;
}

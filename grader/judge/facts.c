/* facts.c: records the facts of a check, and has a failed one named by the rules. */
#include "facts.h"

#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "judge/mistakes.h"

/* Of the running check. */
static struct facts facts;
static const char *asked;  /* the fact to record if it fails; NULL: none */
static bool has_own_words; /* it has failed with a message */
static struct wire_note notes[MOST_NOTES];
static int n_notes;

void judge_fact_number(const char *name, double number)
{
    if (facts.n_named == MOST_FACTS)
        judge_internal_error("a check records more than %d facts", MOST_FACTS);
    struct fact *f = &facts.named[facts.n_named++];
    snprintf(f->name, sizeof f->name, "%s", name);
    f->number = number;
}

void judge_fact(const char *name)
{
    judge_fact_number(name, 1);
}

void judge_asks(const char *fact)
{
    asked = fact;
}

void judge_fail_that(const char *fact)
{
    asked = fact;
    judge_fail_as_said();
}

void judge_expect_that(bool right, const char *fact)
{
    if (!right)
        judge_fail_that(fact);
}

void judge_expect_figure(const struct judge *j, struct figure figure, double expected)
{
    const double actual = judge_reported(j, figure);
    if (actual >= expected && actual <= expected)
        return;
    judge_fact_number(figure.name, actual);
    judge_fail_as_said();
}

void judge_ask_trace(const struct trace *t)
{
    facts.trace = t;
}

void judge_ask_graph(const struct dag *g)
{
    facts.graph = g;
}

void judge_notes_keep(const struct wire_reply *r)
{
    for (uint32_t i = 0; i < r->n_notes && n_notes < MOST_NOTES; i++)
        notes[n_notes++] = r->notes[i];
}

void judge_notes_count(void)
{
    facts.n_noted = n_notes;
    for (int i = 0; i < n_notes; i++)
        facts.noted[i] = notes[i].mistake;
}

void judge_notes_drop(void)
{
    n_notes = 0;
}

void judge_expect_nothing_noted(void)
{
    judge_notes_count();
    if (n_notes > 0)
        judge_fail_as_said();
}

void judge_facts_clear(void)
{
    facts = (struct facts){.n_named = 0};
    asked = NULL;
    has_own_words = false;
}

void judge_speak(void)
{
    has_own_words = true;
}

/* ---- naming ---------------------------------------------------------------------------------- */

/* What the adapter saw, unless the check has said something itself. */
static void show_note(int mistake)
{
    for (int i = 0; i < facts.n_noted; i++)
        if (facts.noted[i] == mistake && mistake > 0 && !judge_current->actual[0] &&
            notes[i].actual[0]) {
            judge_actual("%s", notes[i].actual);
            judge_expected("%s", notes[i].expected);
            return;
        }
}

static const struct rule *find(void)
{
    const struct rule_list *lists[] = {&judge_first_rules, judge_running_lab->rules, &judge_rules};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct rule *r = lists[i] ? rule_find(lists[i], &facts) : NULL;
        if (r)
            return r;
    }
    return NULL;
}

/* For ./grade --why. */
static void keep(const struct rule *rule)
{
    struct session_check *c = judge_current;
    FILE *to = fmemopen(c->facts, sizeof c->facts, "w");
    if (to) {
        facts_print(&facts, to);
        fclose(to);
    }
    if (rule)
        snprintf(c->rule, sizeof c->rule, "%s: %s: %s", rule->at, rule->name, rule->text);
}

void judge_name_mistake(void)
{
    struct session_check *c = judge_current;
    const struct judge_lab *lab = judge_running_lab;
    const bool is_event = c->event.cause != CAUSE_NONE;
    const char *noticed = !is_event ? asked : lab->fact_of ? lab->fact_of(&c->event) : NULL;
    if (noticed)
        judge_fact(noticed);
    facts.lab = lab->name;
    facts.check = c->name;
    facts.tried = c->tries;
    facts.is_simulated = judge_device_is_simulated();
    facts.event = &c->event;
    facts.ignored = &c->ignored;
    const struct rule *rule = c->event.reference ? NULL : find();
    keep(rule);
    if (!rule)
        return;
    judge_blame(rule->mistake, has_own_words);
    show_note(rule->number);
}

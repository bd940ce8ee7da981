/* facts.c: the facts of the running check. */
#include "facts.h"

#include "inside.h"

/* Of the running check. */
static struct facts facts;
static const char *asked; /* the fact to record if it fails; NULL: none */
static struct wire_note notes[MOST_NOTES];
static int n_notes;
static bool setup_left_work;

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

bool judge_fact_each(const struct judge_truth *all)
{
    bool any = false;
    for (; all->fact; all++) {
        any = any || all->is;
        if (all->is)
            judge_fact(all->fact);
    }
    return any;
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

void judge_ask_trace(const struct trace *t)
{
    facts.trace = t;
}

void judge_ask_graph(const struct dag *g)
{
    facts.graph = g;
}

void judge_fact_drawn(const struct drawn_fact *difference)
{
    if (facts.n_drawn < MOST_DIFFERENCES)
        facts.drawn[facts.n_drawn++] = *difference;
}

void judge_ask_capture(const struct dag *so_far)
{
    facts.capture = so_far;
}

void judge_notes_keep(const struct wire_reply *r)
{
    for (uint32_t i = 0; i < r->n_notes && n_notes < MOST_NOTES; i++)
        notes[n_notes++] = r->notes[i];
}

void judge_ask_notes(void)
{
    facts.n_noted = n_notes;
    for (int i = 0; i < n_notes; i++)
        facts.noted[i] = notes[i].mistake;
}

void judge_notes_drop(void)
{
    n_notes = 0;
}

void judge_setup_keep(const struct wire_reply *r)
{
    setup_left_work = r->reported >> UNWAITED_STREAM.at & 1 && r->figures[UNWAITED_STREAM.at] >= 0;
}

void judge_expect_nothing_noted(void)
{
    judge_ask_notes();
    if (n_notes > 0)
        judge_fail_as_said();
}

void judge_expect_not_noted(int mistake)
{
    for (int i = 0; i < n_notes; i++)
        if (notes[i].mistake == mistake) {
            facts.noted[0] = mistake;
            facts.n_noted = 1;
            judge_fail_as_said();
        }
}

void judge_facts_clear(void)
{
    facts = (struct facts){.n_named = 0};
    asked = NULL;
}

void judge_forget(void)
{
    judge_current->actual[0] = judge_current->expected[0] = judge_current->next[0] = '\0';
    judge_current->has_figure = judge_current->has_own_words = false;
    judge_facts_clear();
}

void judge_compare_bytes(double bytes, double at_most, const char *when, const char *room)
{
    const double mib = 1 << 20, least = 0.01; /* MiB that show the difference */
    const bool in_mib = bytes - at_most > least * mib;
    const char *unit = in_mib ? "MiB" : "bytes";
    const double size = in_mib ? mib : 1;
    const int digits = in_mib ? 3 : 0;
    judge_actual("%.*f %s of device memory%s", digits, bytes / size, unit, when);
    judge_expected("at most %.*f %s: %s", digits, at_most / size, unit, room);
}

void judge_expect_bytes(double bytes, double at_most, const char *room, const char *fact)
{
    judge_compare_bytes(bytes, at_most, "", room);
    judge_measured(bytes, at_most, "bytes");
    judge_expect_that(bytes <= at_most, fact);
}

static bool has_passed(const char *check)
{
    const struct session_check *c = session_find(judge_session, check);
    return c && (c->status == CHECK_PASSED || c->status == CHECK_ENDED);
}

const struct facts *judge_facts(const struct session_event *event)
{
    const struct judge_lab *lab = judge_running_lab;
    const struct session_check *c = judge_current;
    if (asked && event->cause == CAUSE_NONE)
        judge_fact(asked);
    if (setup_left_work)
        judge_fact("setup_left_work");
    if (event->cause != CAUSE_NONE && event->cause != CAUSE_FINDING)
        judge_ask_notes(); /* they may say why it failed; a finding has a cause of its own */
    facts.lab = lab->name;
    facts.check = c->name;
    facts.has_passed = has_passed;
    facts.tried = c->tries;
    facts.is_simulated = judge_device_is_simulated();
    facts.event = event;
    facts.ignored = &c->ignored;
    return &facts;
}

void judge_show_note(int mistake)
{
    for (int i = 0; i < n_notes && facts.n_noted > 0; i++)
        if (notes[i].mistake == mistake && notes[i].actual[0]) {
            judge_actual("%s", notes[i].actual);
            judge_expected("%s", notes[i].expected);
            return;
        }
}

void judge_try(const char *word)
{
    snprintf(judge_current->tries, sizeof judge_current->tries, "%s", word);
}

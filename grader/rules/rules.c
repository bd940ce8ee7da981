/* rules.c: reads rules, and finds the first one that matches the facts. */
#include "rules.h"

#include <string.h>

#include "session/session.h"
#include "terms.h"

/* ---- reading --------------------------------------------------------------------------------- */

static bool fail(char why[RULE_TEXT], const char *format, const char *word)
{
    snprintf(why, RULE_TEXT, format, word);
    return false;
}

/* "not race memcpyD2H -> matmul" */
static bool read_term(struct rule_term *t, char *text, char why[RULE_TEXT])
{
    char *rest = NULL, *word = strtok_r(text, " ", &rest);
    t->negated = word && strcmp(word, "not") == 0;
    if (t->negated)
        word = strtok_r(NULL, " ", &rest);
    if (!word)
        return fail(why, "a term is missing beside a comma%s", "");
    t->term = term_find(word);
    if (!t->term)
        return fail(why, "\"%s\" is no term (grader/README.md lists them)", word);
    while ((word = strtok_r(NULL, " ", &rest))) {
        if (t->n_words == RULE_WORDS)
            return fail(why, "too many words after \"%s\"", t->term->word);
        t->words[t->n_words++] = word;
    }
    if (t->term->fits ? !t->term->fits(t->n_words, t->words) : t->n_words > 0)
        return fail(why, "\"%s\" does not take these words (grader/README.md says which)",
                    t->term->word);
    return true;
}

static bool is_of(enum about a, enum about b)
{
    const bool is_finding = b == ABOUT_RACE || b == ABOUT_FINDING_OF_ONE;
    return a == b || b == ABOUT_ANY || a == ABOUT_ANY || (a == ABOUT_FINDING && is_finding);
}

static bool can_match(const struct rule_read *rule, char why[RULE_TEXT])
{
    for (int i = 0; i < rule->n_terms; i++)
        for (int k = 0; k < i; k++) {
            const struct rule_term *a = &rule->terms[i], *b = &rule->terms[k];
            if (!a->negated && !b->negated && !is_of(a->term->about, b->term->about) &&
                !is_of(b->term->about, a->term->about))
                return fail(why, "it can never match: \"%s\" is about something else than the rest",
                            a->term->word);
        }
    return true;
}

bool rule_read(struct rule_read *rule, const char *text, char why[RULE_TEXT])
{
    *rule = (struct rule_read){.n_terms = 0};
    if (strlen(text) >= sizeof rule->text)
        return fail(why, "it is too long%s", "");
    strcpy(rule->text, text);
    if (text[0] == ',' || strstr(text, ",,") || (*text && text[strlen(text) - 1] == ','))
        return fail(why, "a term is missing beside a comma%s", "");
    char *rest = NULL;
    for (char *t = strtok_r(rule->text, ",", &rest); t; t = strtok_r(NULL, ",", &rest)) {
        if (rule->n_terms == RULE_TERMS)
            return fail(why, "it has too many terms%s", "");
        if (!read_term(&rule->terms[rule->n_terms++], t, why))
            return false;
    }
    return rule->n_terms > 0 ? can_match(rule, why) : fail(why, "it is empty%s", "");
}

/* ---- does one rule cover another? ------------------------------------------------------------ */

/* Does each alternative of `narrow` match `wide`? */
static bool covers_pattern(const char *wide, const char *narrow)
{
    char alternatives[RULE_TEXT], *rest = NULL;
    snprintf(alternatives, sizeof alternatives, "%s", narrow);
    for (char *a = strtok_r(alternatives, "|", &rest); a; a = strtok_r(NULL, "|", &rest))
        if (!term_matches(wide, a))
            return false;
    return true;
}

static bool covers_sites(const struct rule_term *wide, const struct rule_term *narrow)
{
    const char *w[2], *n[2];
    bool any_order, is_either;
    term_sites(wide->n_words, wide->words, w, &any_order);
    term_sites(narrow->n_words, narrow->words, n, &is_either);
    const bool straight = covers_pattern(w[0], n[0]) && covers_pattern(w[1], n[1]),
               crossed = covers_pattern(w[0], n[1]) && covers_pattern(w[1], n[0]);
    return is_either ? (straight && (crossed || any_order)) : straight || (any_order && crossed);
}

static bool covers_term(const struct rule_term *wide, const struct rule_term *narrow)
{
    if (wide->term != narrow->term || wide->negated != narrow->negated)
        return false;
    if (wide->term->about == ABOUT_RACE && !wide->negated)
        return covers_sites(wide, narrow);
    const bool is_own = strcmp(wide->term->word, "fact") == 0 && wide->n_words == 0;
    if (is_own || strcmp(wide->term->word, "noted") == 0)
        return false; /* without words, it is about the stanza's own name */
    if (wide->n_words > narrow->n_words || wide->negated)
        return false;
    for (int i = 0; i < wide->n_words; i++)
        if (!covers_pattern(wide->words[i], narrow->words[i]))
            return false;
    return true;
}

bool rule_covers(const struct rule_read *earlier, const struct rule_read *later)
{
    for (int i = 0; i < earlier->n_terms; i++) {
        bool covered = false;
        for (int k = 0; k < later->n_terms; k++)
            covered = covered || covers_term(&earlier->terms[i], &later->terms[k]);
        if (!covered)
            return false;
    }
    return true;
}

/* ---- which one matches? ---------------------------------------------------------------------- */

static bool holds_code(const struct rule_list *list, const struct facts *f, const char *name)
{
    for (const struct rule_code *c = list->codes; c && c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c->holds(f);
    return false;
}

static bool matches(const struct rule_list *list, const struct rule *rule, const struct facts *f)
{
    struct rule_read read;
    char why[RULE_TEXT];
    if (!rule_read(&read, rule->text, why))
        return false; /* check.c has refused it */
    for (int i = 0; i < read.n_terms; i++) {
        const struct rule_term *t = &read.terms[i];
        const bool holds = strcmp(t->term->word, "code") == 0
                               ? holds_code(list, f, t->words[0])
                               : t->term->holds(f, rule, t->n_words, t->words);
        if (holds == t->negated)
            return false;
    }
    return true;
}

const struct rule *rule_find(const struct rule_list *list, const struct facts *f)
{
    for (const struct rule *r = list->rules; r && r->text; r++)
        if (matches(list, r, f))
            return r;
    return NULL;
}

/* ---- the facts in words ---------------------------------------------------------------------- */

static void print_event(const struct session_event *e, FILE *to)
{
    const struct simgpu_finding *f = &e->finding;
    const struct wire_error *error = &e->failure.error;
    if (e->cause == CAUSE_FINDING)
        fprintf(to, "finding: %s, %s -> %s, streams %d and %d, nodes %d and %d%s\n",
                simgpu_kind_name(f->kind), f->first.name, f->second.name, f->first.stream,
                f->second.stream, f->first.node, f->second.node,
                !f->wait.waited.at     ? ", wait none"
                : f->is_wait_for_first ? ", wait for-first"
                                       : ", wait some");
    else if (e->cause == CAUSE_FAILED)
        fprintf(to, "error: %s from %s, of %s%s\n", error->name[0] ? error->name : "none",
                error->call[0] ? error->call : "no known call",
                e->failure.what[0] ? e->failure.what : "the adapter",
                error->origin == WIRE_ORIGIN_NONE ? ", no-call" : "");
    else if (e->cause != CAUSE_NONE)
        fprintf(to, "event: %s\n",
                e->cause == CAUSE_ENDED     ? "crash"
                : e->cause == CAUSE_TIMEOUT ? "endless"
                                            : "limit");
}

void facts_print(const struct facts *f, FILE *to)
{
    fprintf(to, "check: %s\n", f->check);
    if (f->tried[0])
        fprintf(to, "tries: %s\n", f->tried);
    print_event(f->event, to);
    for (int i = 0; i < f->n_named; i++)
        fprintf(to, "fact: %s %g\n", f->named[i].name, f->named[i].number);
    for (int i = 0; i < f->n_drawn; i++)
        fprintf(to, "drawn: %s %s %s%s%s, %zu\n", f->drawn[i].drawing,
                term_difference(f->drawn[i].difference), f->drawn[i].from,
                f->drawn[i].to[0] ? " -> " : "", f->drawn[i].to, f->drawn[i].actual);
    for (int i = 0; i < f->n_noted; i++)
        fprintf(to, "noted: mistake number %d\n", f->noted[i]);
    if (f->ignored->code)
        fprintf(to, "ignored: %s from %s\n", f->ignored->name, f->ignored->call);
    if (f->trace)
        fprintf(to, "trace: a trace was asked\n");
    if (f->graph)
        fprintf(to, "graph: a graph was asked\n");
}

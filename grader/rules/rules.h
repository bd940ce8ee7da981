/* rules.h: why a check failed: the rules that name a mistake, over the facts that the check
 * recorded.
 *
 * A rule is a line `when:` of a stanza in grader/labs/labNN/mistakes or grader/judge/mistakes. It
 * has terms with commas between; it matches if all of them hold:
 *
 *     when: race memcpyD2H -> matmul, wait none
 *
 * A check never names a mistake. It records facts, and fails. Then the rules are tried in the
 * order of the file, and the first one that matches names the mistake. grader/README.md has the
 * list of terms; terms.c defines them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct session_event;
struct wire_error;
struct trace;
struct dag;

enum {
    FACT_NAME = 48,
    MOST_FACTS = 32,
    MOST_NOTES = 8,
    MOST_DIFFERENCES = 24,
    RULE_TERMS = 8,
    RULE_WORDS = 6,
    RULE_TEXT = 200 /* bytes of a rule, with the final zero */
};

/* Something that a check noticed, by a name of the suite's own. */
struct fact {
    char name[FACT_NAME];
    double number; /* 1 if there is no number to tell */
};

/* How a graph differs from a drawing of it (labs/drawn.h). */
enum difference {
    DIFFERS_BY_NODE_MISSING,       /* there are too few of it */
    DIFFERS_BY_NODE_TOO_MANY,      /* there are too many of it, or it is not drawn */
    DIFFERS_BY_NODE_OF_OTHER_KIND, /* it is missing, and one like it is not drawn */
    DIFFERS_BY_EDGE_MISSING,
    DIFFERS_BY_EDGE_REVERSED,
    DIFFERS_BY_EDGE_TOO_MANY,
    DIFFERS_BY_ONE_CHAIN, /* the drawing has branches, and the graph has none */
    DIFFERENCES
};
struct drawn_fact {
    const char *drawing; /* its name */
    enum difference difference;
    const char *from,
        *to;       /* the edge's nodes, by the drawing's names for them; or a node, and "" */
    size_t actual; /* such nodes in the graph */
};

/* All that is known about a failed check. */
struct facts {
    const char *lab, *check;               /* their names */
    bool (*has_passed)(const char *check); /* of the same grading */
    const char *tried;                 /* what its scenario tries; empty: nothing in particular */
    bool is_simulated;                 /* the device is */
    const struct session_event *event; /* what the subject did; its cause may be CAUSE_NONE */
    const struct wire_error *ignored;  /* a call whose error the submission ignored; code 0: none */
    const struct trace *trace;         /* that the check asked; NULL: it asked none */
    const struct dag *graph;           /* the same */
    const struct dag *capture;         /* as far as it came before the error; NULL: not known */
    struct fact named[MOST_FACTS];
    int n_named;
    struct drawn_fact drawn[MOST_DIFFERENCES];
    int n_drawn;
    int noted[MOST_NOTES]; /* mistakes that the adapter noticed, by their numbers in causes.h */
    int n_noted;
};

struct judge_mistake;

struct rule {
    const struct judge_mistake *mistake;
    const char *name; /* of the mistake */
    int number;       /* of the mistake in causes.h; 0: an adapter cannot note it */
    const char *at;   /* "grader/labs/lab03/mistakes:57" */
    const char *text; /* NULL ends a list */
};

/* A predicate in C that a rule names: `code in_part` of lab 14 is lab14_in_part. */
struct rule_code {
    const char *name; /* NULL ends a list */
    bool (*holds)(const struct facts *f);
};

struct rule_list {
    const struct rule *rules;
    const struct rule_code *codes;
};

/* The first rule of the list that matches; NULL: none does. */
const struct rule *rule_find(const struct rule_list *list, const struct facts *f);

/* A rule that was read. */
struct rule_term {
    const struct term *term; /* terms.h */
    bool negated;
    int n_words;
    char *words[RULE_WORDS];
};
struct rule_read {
    char text[RULE_TEXT];
    int n_terms;
    struct rule_term terms[RULE_TERMS];
};

/* False with a sentence in *why: it is not a rule, or no facts can make it match. */
bool rule_read(struct rule_read *rule, const char *text, char why[RULE_TEXT]);

/* Does the earlier rule match whenever the later one does? (As far as the words show.) */
bool rule_covers(const struct rule_read *earlier, const struct rule_read *later);

/* The facts, a line each. */
void facts_print(const struct facts *f, FILE *to);

/* terms.h: the vocabulary of rules, for rules.c. */
#pragma once

#include "rules.h"

/* What a term is about. A rule with terms of two of the first five can never match. */
enum about {
    ABOUT_RACE,
    ABOUT_FINDING_OF_ONE, /* of one operation, or none */
    ABOUT_ERROR,
    ABOUT_DEATH,
    ABOUT_TIMEOUT,
    ABOUT_FINDING, /* with one of the first two */
    ABOUT_ANY
};

struct term {
    const char *word;
    enum about about;
    /* Can these words follow? NULL: none can. */
    bool (*fits)(int n, char *const *words);
    /* name: of the rule's mistake */
    bool (*holds)(const struct facts *f, const struct rule *rule, int n, char *const *words);
};

/* NULL: there is no such term. */
const struct term *term_find(const char *word);

/* Does the text match a pattern? "a|b" is either, "*" at the end stands for any end. */
bool term_matches(const char *pattern, const char *text);

/* "edge-missing" */
const char *term_difference(enum difference difference);

/* Two operations, "A -> B", "-> B", "A <-> B" or "A", as patterns; "*" where none is given. False:
   these words are no operations. */
bool term_sites(int n, char *const *words, const char *sites[2], bool *either);

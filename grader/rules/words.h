/* words.h: what the files of terms share. */
#pragma once

#include "terms.h"

/* TERM(name) { … }: does the term hold, with these n words, for these facts? */
#define TERM(name)                                                                                 \
    static bool name(const struct facts *f UNUSED, const struct rule *rule UNUSED, int n UNUSED,   \
                     char *const *words UNUSED)
#define TERM_IF(name, ...)                                                                         \
    TERM(name)                                                                                     \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#define UNUSED __attribute__((unused))

/* Each ends with a word that is NULL. terms.c has the others. */
extern const struct term terms_of_findings[], terms_of_failures[], terms_of_checks[];

/* Is every alternative of "a|b" one of these words, which end with NULL? */
bool words_are_of(const char *alternatives, const char *const *words);

/* "<=", "12"; does the number compare so? */
bool words_is_comparison(const char *word);
bool words_is_number(const char *word);
bool words_compare(double number, const char *comparison, const char *with);

/* For struct term, fits: one word; at most one; [NAME [> 3]]; [first|second]; operations. */
bool words_one(int n, char *const *words);
bool words_at_most_one(int n, char *const *words);
bool words_name_and_comparison(int n, char *const *words);
bool words_which_site(int n, char *const *words);
bool words_sites(int n, char *const *words);

/* Of the event: NULL if it is another one. */
const struct simgpu_finding *term_finding(const struct facts *f);
const struct wire_failure *term_failure(const struct facts *f);

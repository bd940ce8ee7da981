/* words.h: what a subject did, in words for the learner. Each function sets the words that it has;
 * the others stay those of the suite. */
#pragma once

#include <stdbool.h>

#include "report.h"

/* phrases.c: sets one of the words. */
void words_set(char to[SESSION_TEXT], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* phrases.c: what the subject was doing: "during a run". */
const char *words_stage(const struct session_event *e);

/* phrases.c: after a write beyond the end of a block. */
extern const char words_compare_index[];

/* phrases.c: after a failed call of which nothing else is known. */
extern const char words_start_there[];

/* failure.c: why a request failed, or cannot be done. `explain`: and what that means. */
void words_of_failure(struct report_words *w, const struct wire_failure *f, bool explain);

/* error.c: sets what such an error means, and what to do next; false: nothing is known of it. */
bool words_of_error(struct report_words *w, const struct wire_error *e);

/* refusal.c: the same of the argument that the simulated device refused; false: it does not say. */
bool words_of_refusal(struct report_words *w, const struct wire_error *e);

/* crash.c: how the subject's process ended. */
void words_of_end(struct report_words *w, const struct session_event *e);

/* crash.c: it closed descriptors of the grader's. */
void words_of_deafness(struct report_words *w, const struct session_event *e);

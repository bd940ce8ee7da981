/*
 * facts.h: what a check noticed, until its failure gets a name (rules/rules.h).
 *
 * judge.h has the functions with which suites record facts. The facts live from the beginning of a
 * check, of its next scenario, or from judge_forget, to the end of the check.
 */
#ifndef JUDGE_FACTS_H
#define JUDGE_FACTS_H

#include "rules/rules.h"
#include "wire/wire.h"

/* Keeps the notes of the adapter that came with a reply of the submission. They become facts if the
   check asks for them, or if the reply is a failure. */
void judge_notes_keep(const struct wire_reply *r);
void judge_notes_count(void);
void judge_notes_drop(void); /* of the scenario before */

/* Forgets all but kept notes. */
void judge_facts_clear(void);

/* The running check has failed: the first rule that matches names the mistake. Tried in this order:
 * judge/mistakes, the stanzas with `rank: first`; the lab's; the rest of judge/mistakes. Keeps the
 * facts and the rule for ./grade --why. */
void judge_name_mistake(void);

#endif

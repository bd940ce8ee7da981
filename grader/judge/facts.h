/* facts.h: what a check noticed, until its failure gets a name (rules/rules.h).
 *
 * judge.h has the functions with which suites record facts. The facts live from the beginning of a
 * check, of its next scenario, or from judge_forget, to the end of the check. */
#pragma once

#include "rules/rules.h"
#include "wire/wire.h"

/* Keeps the notes of the adapter that came with a reply of the submission. They become facts if the
   check asks for them, or if the reply is a failure. */
void judge_notes_keep(const struct wire_reply *r);
void judge_notes_drop(void); /* of the scenario before */

/* The reply to a setup of the submission: has it left work for which the host has not waited? Then
   a failure has the fact setup_left_work, until the next setup. */
void judge_setup_keep(const struct wire_reply *r);

/* From now on rules may ask what the capture had captured before the error; NULL: not known. */
void judge_ask_capture(const struct dag *so_far);

/* Forgets all but kept notes. */
void judge_facts_clear(void);

/* All that is known, once the check has failed with this event (its cause may be CAUSE_NONE). */
const struct facts *judge_facts(const struct session_event *event);

/* What the adapter saw of the mistake, if it said so, in place of what the check says. */
void judge_show_note(int mistake);

/* Says how much device memory there is, and when, and how much is permitted: the words of the
   report for which that is room. In bytes, if the difference would not show in MiB. */
void judge_compare_bytes(double bytes, double at_most, const char *when, const char *room);

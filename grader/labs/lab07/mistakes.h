/*
 * mistakes.h: what the report says of each mistake of lab 07.
 */
#ifndef LAB07_MISTAKES_H
#define LAB07_MISTAKES_H

#include "causes.h"
#include "judge/judge.h"

const struct judge_mistake *lab07_mistake(enum lab07_cause cause);

/* Ends the check: it fails for this mistake. */
_Noreturn void lab07_fail_for(enum lab07_cause cause);

#endif

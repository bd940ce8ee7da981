/*
 * mistakes.h: what the report says of each mistake of lab 10.
 */
#ifndef LAB10_MISTAKES_H
#define LAB10_MISTAKES_H

#include "causes.h"
#include "judge/judge.h"

const struct judge_mistake *lab10_mistake(enum lab10_cause cause);

/* Ends the check: it fails for this mistake. */
_Noreturn void lab10_fail_for(enum lab10_cause cause);

#endif

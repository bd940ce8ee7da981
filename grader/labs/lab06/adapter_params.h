/* adapter_params.h: watches the array of arguments that a submission sets. Does it write into the
 * one that belongs to the node? Are two arguments exchanged? Does the grid cover all elements? Each
 * yes is noted. For lab 06's adapter. */
#pragma once

#include "subject/calls.h"
#include "subject/subject.h"

/* For SUBJECT_LAB. */
void params_before_call(struct subject_call *call);
void params_after_call(const struct subject_call *call);

/* Before the submission's setup; so many elements are to be computed. */
void params_begin(struct subject *s, long n);

/* The weight of the next call; and how many calls have set this one since params_passed. */
void params_expect(float weight);
int params_passed(void);

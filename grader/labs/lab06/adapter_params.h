/*
 * adapter_params.h: the array of arguments that a submission sets. Does it write into the one that
 * belongs to the node? Are two arguments exchanged? For lab 06's adapter.
 */
#ifndef LAB06_ADAPTER_PARAMS_H
#define LAB06_ADAPTER_PARAMS_H

#include <stdbool.h>

#include "subject/calls.h"

/* For SUBJECT_LAB. */
void params_before_call(struct subject_call *call);
void params_after_call(const struct subject_call *call);

/* Since params_begin: the array that cudaGraphKernelNodeGetParams returned was changed, and then
   passed to a call that sets parameters. */
void params_begin(void);
bool params_overwritten(void);

/* 1 + LAB06_ARGUMENTS * i + k: entry i of the array that was set points at the captured argument k;
   0: there was no such entry. */
int params_exchanged(void);

/* Since params_begin: the node was set to another grid or block than it was captured with. */
bool params_have_other_grid(void);

/* The weight of the next call; and how many calls have set this one since params_passed. */
void params_expect(float weight);
int params_passed(void);

#endif

/*
 * adapter_params.h: does a submission write into the array of arguments that belongs to a node? For
 * lab 06's adapter.
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

#endif

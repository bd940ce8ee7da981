/*
 * expected_alone.h: what plan, step and decide of lab 10 must do, each judged without lab.c.
 */
#ifndef LAB10_EXPECTED_ALONE_H
#define LAB10_EXPECTED_ALONE_H

#include "alone.h"

/* Ends the check if the kernel fails a case. */
void lab10_expect_alone(enum alone_kernel kernel);

#endif

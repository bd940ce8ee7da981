/*
 * expected_alone.h: what plan, step and decide of lab 10 must do, each judged without lab.c.
 */
#ifndef LAB10_EXPECTED_ALONE_H
#define LAB10_EXPECTED_ALONE_H

/* Each ends the check if the kernel fails a case. */
void lab10_expect_plan(void);
void lab10_expect_step(void);
void lab10_expect_decide(void);

#endif

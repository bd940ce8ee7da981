/* alone.h: a kernel of lab 10 that decides, judged without lab.c: the grader's own graph runs it
 * once for each case. What suite and adapter call the parts of a case. */
#pragma once

enum alone_kernel { ALONE_PLAN = 1, ALONE_STEP, ALONE_DECIDE };

/* The floats of a case: arguments, the control block before the kernel, the value that `check` and
   `loop` begin with. */
enum alone_case {
    CASE_TOLERANCE,
    CASE_MAX_ITERATIONS,
    CASE_LARGEST,
    CASE_PROBE,
    CASE_CHANGE,
    CASE_ITERATIONS,
    CASE_CHECKS,
    CASE_CHECK_BEGINS,
    CASE_LOOP_BEGINS,
    CASE_FLOATS
};

/* The floats of an answer: the control block after the kernel; the body that the SWITCH ran, or
   ALONE_NO_BODY; whether the IFs ran that have the handles `check` and `loop`. */
enum alone_answer {
    ANSWER_PROBE,
    ANSWER_PRECISION,
    ANSWER_ITERATIONS,
    ANSWER_CHECKS,
    ANSWER_VARIANT,
    ANSWER_CHECK,
    ANSWER_LOOP,
    ANSWER_FLOATS
};

/* The SWITCH has a body more than the lab's: it runs if `plan` leaves the value as it is. */
enum { ALONE_NO_BODY = -1, ALONE_DEFAULT_BODY = 2, ALONE_BODIES };

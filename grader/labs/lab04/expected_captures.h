/*
 * expected_captures.h: what is asked of each of lab 04's eight captures.
 */
#ifndef LAB04_EXPECTED_CAPTURES_H
#define LAB04_EXPECTED_CAPTURES_H

/* It can be captured, has the right nodes, and each replay with other inputs does its work; else
   the check ends here. */
void judge_capture(int number);

#endif

/* expected_results.h: what the graphs of lab 08 are to compute. */
#pragma once

#include "judge/judge.h"

/* Fails on the first result that is wrong; first of all in words for what a child graph with the
   weight of another shows. */
void lab08_verify(struct judged *j);

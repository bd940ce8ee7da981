/* adapter_alone.h: for lab 10's adapter: runs one of the kernels of lab.cu in a graph of the
 * grader's own, for every case of the judge. */
#pragma once

#include "alone.h"
#include "subject/subject.h"

/* Has the scenario such a kernel? 0: it has not. */
enum alone_kernel alone_kernel(const struct subject *s);

/* Reads the buffer `cases` and writes the buffer `answers`. 0, or as subject_returned. */
int alone_run(struct subject *s);

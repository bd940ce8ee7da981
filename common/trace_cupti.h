/* trace_cupti.h: between the two files that make a trace of CUPTI's records. */
#ifndef TRACE_CUPTI_H
#define TRACE_CUPTI_H

#include "trace.h"

/* The stream of a graph that a kernel launched, until trace_renumber. */
enum { UNKNOWN_STREAM = -2 };

/* From CUPTI's numbers of streams and graphs to those of trace.h, once the rows are in order of
 * start. `legacy` is CUPTI's number of the legacy stream. Rows of graphs that kernels launched have
 * the launcher's CUPTI number in `bytes`. */
void trace_renumber(struct trace *t, int legacy);

#endif

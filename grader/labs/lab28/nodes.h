/* nodes.h: the nodes of a submission's graph compared with the operations. */
#pragma once

#include "labs/lab28_free_explicit_graph/lab.h"
#include "subject/subject.h"

/* Reports what exchange.h has of them, and notes the first that is wrong, in each way. */
void nodes_describe(struct subject *s, const struct lab28 *lab);

/* For SUBJECT_LAB: is a part of the graph captured? */
void nodes_after_call(const struct subject_call *call);

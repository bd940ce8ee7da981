/*
 * described.h: what the adapter of lab 08 finds out about the graphs of a submission, besides their
 * nodes and edges.
 */
#ifndef LAB08_DESCRIBED_H
#define LAB08_DESCRIBED_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "subject/calls.h"
#include "subject/subject.h"

enum { MOST_NODES = 64 };

/* The graph of lab08_branches, and what it was to use. */
struct described {
    cudaGraph_t graph;
    int n;
    cudaEvent_t ready, done;
    int priority;
};

/* For SUBJECT_LAB. */
void describe_after_call(const struct subject_call *call);

/* Notes what is wrong: events, or priorities (of nodes; and whether the latest instantiation used
   them); or edges that are no ordinary ones, blocks that have nothing to do. */
void note_branches(struct subject *s, const struct described *of);

/* Notes what the data of the edge of lab08_early's graph say. */
void note_early(struct subject *s, cudaGraph_t graph, const float *u); /* that produce writes */

/* Did the latest instantiation have flags that change which graphs can be instantiated? */
bool has_strange_flags(void);

/* What the runtime returned for the last instantiation. */
cudaError_t described_error(void);

#endif

/* graphs.h: the graphs of a submission of lab 08, and those of its adapter. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "subject/calls.h"
#include "subject/subject.h"

/* adapter_described.c: what the adapter of lab 08 finds out about the graphs of a submission,
   besides their nodes and edges. */

enum { MOST_NODES = 64 };

/* The graph of lab08_branches, and what it was to use. */
struct described {
    cudaGraph_t graph;
    int n;
    cudaEvent_t ready, done;
    int priority;
};

/* For SUBJECT_LAB. */
void describe_before_call(struct subject_call *call);
void describe_after_call(const struct subject_call *call);

/* Notes what is wrong: events, or priorities (of nodes; and whether the latest instantiation used
   them); or edges that are no ordinary ones, blocks that have nothing to do. */
void note_branches(struct subject *s, const struct described *of);

/* Notes what the data of the edge of lab08_early's graph say. */
void note_early(struct subject *s, cudaGraph_t graph, const float *u); /* that produce writes */

/* Is it the last graph that was destroyed since the latest instantiation? */
bool was_destroyed(cudaGraph_t graph);

/* Did the latest instantiation have flags that change which graphs can be instantiated? */
bool has_strange_flags(void);

/* What the runtime returned for the last instantiation. */
cudaError_t described_error(void);

/* How often a graph was instantiated. */
int described_instantiations(void);

/* From now on instantiations return this error; cudaSuccess: what the runtime returns. */
void describe_refuse(cudaError_t error);

/* adapter_cycle.c: the adapter's own graphs of lab 08, which cannot be instantiated: a - b - c, and
   c - b; no nodes, and a handle for which there is no conditional node. */

cudaError_t cycle_build(cudaGraph_t *graph);
cudaError_t unused_build(cudaGraph_t *graph);

/* Has lab08_draw draw the graph; notes if that is no DOT. */
int cycle_draw(struct subject *s, cudaGraph_t graph);

/* Has lab08_instantiate refuse the graph; notes what is wrong in what it says and leaves. */
int cycle_instantiate(struct subject *s, cudaGraph_t graph);

/* adapter_early.c: how long a launch of lab08_early's graph takes, and of the same with an
   ordinary edge. */

/* The graph, and how often it is launched in this stream before the wait. */
struct early {
    cudaGraph_t graph;
    cudaStream_t stream;
    int repeats;
};

cudaError_t time_edges(const struct early *early, double *early_us, double *ordinary_us);

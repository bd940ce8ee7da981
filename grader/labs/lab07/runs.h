/*
 * runs.h: what the adapter of lab 07 reports of a run beside its results.
 */
#ifndef LAB07_RUNS_H
#define LAB07_RUNS_H

/* How a graph was launched in a run of the submission; of several launches, the last. */
enum lab07_mode { LAB07_NO_LAUNCH, LAB07_BY_HOST, LAB07_FIRE, LAB07_TAIL, LAB07_SIBLING };

/* Before a call of the submission's, the adapter launches a graph that the call needs, and does not
 * wait; or calls the other two functions. */
enum lab07_before { LAB07_NOTHING, LAB07_BUSY_GRAPH, LAB07_OTHER_FUNCTIONS };

#endif

/*
 * exchange.h: what the suite and the adapter of lab 08 exchange.
 */
#ifndef LAB08_EXCHANGE_H
#define LAB08_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

/* Whose graph a run launches; or what a run does. */
enum lab08_task {
    LAB08_BRANCHES,
    LAB08_TEMPORARY,
    LAB08_LIBRARY,
    LAB08_SUMMARY,
    LAB08_EARLY,
    LAB08_DRAW, /* draws a graph of the adapter's */
    LAB08_CYCLE /* instantiates one that has a cycle */
};

struct numbers {
    enum lab08_task task;
    long n; /* floats */
    size_t launches;
    bool upload; /* before the first launch */
    int steps;   /* of produce */
    double strength, weight[2];
    size_t rows; /* of lab08_early's weights */
    int repeats; /* launches of its graph before the wait */
};

struct figures {
    /* the graph of lab08_branches */
    double idle_blocks;       /* have no element to compute */
    double other_targets;     /* kernel nodes that write another array than the drawing says */
    double marked_edges;      /* with other data than ordinary edges have */
    double waits_ready;       /* 1: its wait node waits for `ready` */
    double records_done;      /* 1: its record node records `done` */
    double expected_priority; /* that the produce node must have */
    double priority;          /* that the produce node has */
    double other_priority;    /* the greatest of other kernel nodes */
    double by_node;           /* 1: instantiated to use priorities of nodes */

    /* the graph of lab08_temporary */
    double ignores_device; /* 1: allocates on a device that does not exist */
    double reads_copy;     /* 1: consume reads the array that is copied in */
    double copies_result;  /* 1: consume also writes the array that is copied back */
    double frees_swapped;  /* 1: each free node waits for the use of the other array */

    /* the edge of lab08_early's graph, and the kernel after it */
    double from_end;     /* 1: from the end of the kernel */
    double from_trigger; /* 1: from its trigger */
    double programmatic; /* 1: of the programmatic type */
    double swapped;      /* 1: the kernel after it has u and weights in each other's place */

    /* the data of lab08_summary's host node */
    double given_by_build; /* calls of the destructor while the graph was built */
    double given;          /* calls of it until the last executable graph was destroyed */
    double given_other;    /* calls of it with other data */
    double is_owned;       /* 1: the host node uses the data that was allocated, once */
    double refused;        /* calls of the host function with a CUDA call */

    /* lab08_instantiate with a cycle, and lab08_draw */
    double is_refused;          /* 1: the function returned an error */
    double returned;            /* the cudaError_t that the function returned */
    double instantiation_error; /* the cudaError_t that the runtime's call returned */
    double last_error;          /* the error that is left */
    double no_exec;             /* 1: the executable graph is NULL */
    double no_node;             /* 1: the node is NULL */
    double named;               /* 1: the node is in the cycle */
    double is_dot;              /* 1: the drawing is in the DOT language */

    /* the floor: a launch of lab08_early's graph, with either edge; or stream-ordered allocation */
    double early_us, ordinary_us;
    double stream_us;
};

#endif

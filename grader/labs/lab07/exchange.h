/* exchange.h: what the suite and the adapter of lab 07 exchange. */
#pragma once

#include <stdbool.h>

enum lab07_workload { LAB07_LENGTH, LAB07_ITERATIONS, LAB07_PACKETS };

/* The types and the order of packets. */
enum lab07_mix { LAB07_ALL_TYPES, LAB07_NO_SPLIT, LAB07_SPLIT_LAST, LAB07_IN_TURN };

/* Before a call of the submission's, the adapter launches a graph that the call needs, and does not
 * wait; or calls the other two functions. */
enum lab07_before { LAB07_NOTHING, LAB07_BUSY_GRAPH, LAB07_OTHER_FUNCTIONS };

/* The buffer `ring`: the numbers of struct ring when a run has ended. */
enum { LAB07_TAKEN, LAB07_PUT, LAB07_RING_NUMBERS };

struct numbers {
    enum lab07_workload workload;
    enum lab07_before before;
    bool by_host; /* the adapter's loop on the host does the work */
    int n_workers, work;
    int iterations;
    bool varies; /* one iteration more in every second run */
    long n;      /* floats of an iteration */
    double alpha;
    int n_packets; /* in the ring at first */
    enum lab07_mix mix;
    bool random; /* the order of packets */
};

struct figures {
    double returned;       /* what a call returned: a cudaError_t */
    double given_launches; /* of the graphs that the submission was given */
    double relaunches;     /* of the launcher by itself */
};

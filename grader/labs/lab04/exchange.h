/*
 * exchange.h: what the suite and the adapter of lab 04 exchange.
 */
#ifndef LAB04_EXCHANGE_H
#define LAB04_EXCHANGE_H

#include "labs/products_numbers.h"

/* The number `part`; 1 to 8 are the captures. */
enum { LAB04_REPLAY = 0, LAB04_PREDICT = 9 };

struct figures {
    double instantiations; /* in a run of the replay */

    /* a capture: what it returned, and what it called */
    double returned;         /* a cudaError_t */
    double begins, ends;     /* of captures */
    double origin_begins;    /* begins in the origin */
    double early_records;    /* of events, before any capture began */
    double stray_records;    /* of events, later, in a stream that did not capture */
    double origin_waits;     /* for events, of the origin */
    double other_waits;      /* for events, of the other stream */
    double host_waits;       /* waits and queries of the host, during the capture */
    double both_streams;     /* 1: both had work in the capture when it ended */
    double ends_other;       /* 1: the other stream copies back last, and waited for no kernel */
    double fills_x;          /* 1: a copy in the graph writes x */
    double replays, refused; /* calls of the host function; of them with a CUDA call */

    /* the floor: each stage alone, what overlaps, and the replays; or what is predicted */
    double h2d_us, kernel_us, d2h_us, overlap_us, replays_us;
    double slowdown;
};

#endif

/*
 * exchange.h: what the suite and the adapter of lab 05 exchange.
 */
#ifndef LAB05_EXCHANGE_H
#define LAB05_EXCHANGE_H

#include "labs/products_numbers.h"

struct figures {
    double status;          /* the byte after a run; this and the next one: if the scenario … */
    double device_bytes;    /* … says `look`: of the submission */
    double never_recorded;  /* events of sets, … */
    double others_recorded; /* in place of those that were awaited */
    double recorded_elsewhere; /* … in a stream other than that of the copy back */
    double memsets_elsewhere;  /* nodes of the graph that do not write the status byte */
    double busy_streams;       /* used before the fork */

    /* the floor: each stage alone, all batches */
    double h2d_us, kernel_us, d2h_us;
};

#endif

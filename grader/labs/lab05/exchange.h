/*
 * exchange.h: what the suite and the adapter of lab 05 exchange.
 */
#ifndef LAB05_EXCHANGE_H
#define LAB05_EXCHANGE_H

#include "labs/products_numbers.h"

struct figures {
    double status;             /* the status byte after a run; only if the scenario says `look` */
    double device_bytes;       /* of the submission; only if the scenario says `look` */
    double never_recorded;     /* events of sets that were awaited and never recorded */
    double others_recorded;    /* records of another event than the one that was awaited */
    double recorded_elsewhere; /* events of sets, in another stream than that of the copy back */
    double memsets_elsewhere;  /* memset nodes that do not write the status byte */
    double busy_streams;       /* streams that were used before the fork */

    /* the floor: each stage alone, all batches */
    double h2d_us, kernel_us, d2h_us;
};

#endif

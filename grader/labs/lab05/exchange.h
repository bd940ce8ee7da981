/* exchange.h: what the suite and the adapter of lab 05 exchange. */
#pragma once

#include "labs/products_numbers.h"

struct figures {
    double status;       /* the status byte after a run; only if the scenario says `look` */
    double busy_streams; /* streams that were used before the fork */

    /* the floor: each stage alone, all batches */
    double h2d_us, kernel_us, d2h_us;
};

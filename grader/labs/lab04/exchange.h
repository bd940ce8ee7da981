/* exchange.h: what the suite and the adapter of lab 04 exchange. */
#pragma once

#include "labs/products_numbers.h"

/* The number `part`; 1 to 8 are the captures. */
enum { LAB04_REPLAY = 0, LAB04_PREDICT = 9 };

struct figures {
    double instantiations; /* in a run of the replay */

    /* the floor: each stage alone, what overlaps, and the replays; or what is predicted */
    double h2d_us, kernel_us, d2h_us, overlap_us, replays_us;
    double slowdown;
};

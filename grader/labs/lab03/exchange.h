/* exchange.h: what the suite and the adapter of lab 03 exchange. */
#pragma once

#include "labs/products_numbers.h"

struct figures {
    /* the floor: each stage alone, in one stream, two copies in and one out a batch */
    double h2d_us, kernel_us, d2h_us;
    double no_less_us; /* what no run can beat */
};

/* exchange.h: what the suite and the adapter of lab 01 exchange. */
#pragma once

#include "labs/products_numbers.h"

struct figures {
    /* the stage times that lab01_run reports */
    double h2d_us, kernel_us, d2h_us;
};

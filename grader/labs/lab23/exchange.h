/*
 * exchange.h: what the suite and the adapter of lab 23 exchange.
 */
#ifndef LAB23_EXCHANGE_H
#define LAB23_EXCHANGE_H

#include "labs/products_numbers.h"

struct figures {
    double most_bytes; /* of device memory of the submission, at any launch of a kernel */

    /* the floor: each stage alone, all batches */
    double h2d_us, kernel_us, d2h_us;
};

#endif

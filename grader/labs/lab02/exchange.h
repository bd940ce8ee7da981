/* exchange.h: what the suite and the adapter of lab 02 exchange. */
#pragma once

struct numbers {
    int n; /* floats of an item */
    int n_items, n_slots;
    int steps; /* of produce */
    int load;  /* copies that keep the D2H engine busy */
};

struct figures {
    double enqueue_us; /* in lab02_enqueue */
    double slots_used; /* different addresses that the first n_slots + 1 launches of produce write
                          to; 0: launched in another way */
};

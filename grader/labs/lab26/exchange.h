/*
 * exchange.h: what the suite and the adapter of lab 26 exchange.
 */
#ifndef LAB26_EXCHANGE_H
#define LAB26_EXCHANGE_H

struct numbers {
    long n, n_steps, n_calls;
    int weights_percent;  /* of the steps have another weight than in the call before, … */
    int switches_percent; /* … are switched on or off */
    long seed;
};

struct figures {
    double most_bytes; /* of device memory of the submission, after any call */
    double budget_bytes;

    double made_us; /* the floor: all calls, each a graph of its own that was made beforehand */
};

#endif

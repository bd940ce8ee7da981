/* exchange.h: what the suite and the adapter of lab 26 exchange. */
#pragma once

struct numbers {
    long n, n_steps, n_calls;
    int weights_percent;  /* of the steps that have another weight than in the call before */
    int switches_percent; /* of the steps that are switched on or off */
    long seed;
};

/* What is expected of a call, for reports. */
#define LAB26_AS_ASKED "the steps of the call that are on, in their order, with their weights"

struct figures {
    double budget_bytes;
    double first_call; /* of the run: its calls follow those of the run before */

    double made_us; /* the floor: all calls, each a graph of its own that was made beforehand */
};

/*
 * exchange.h: what the suite and the adapter of lab 26 exchange.
 */
#ifndef LAB26_EXCHANGE_H
#define LAB26_EXCHANGE_H

struct numbers {
    long n, n_steps, n_calls;
    int weights_percent;  /* of the steps that have another weight than in the call before */
    int switches_percent; /* of the steps that are switched on or off */
    long seed;
};

/* How a call ran another step than it asks for. */
enum lab26_otherwise {
    LAB26_NOT_KNOWN,
    LAB26_AS_ASKED,
    LAB26_NOT_RUN,
    LAB26_RAN_OFF,
    LAB26_RAN_TWICE,
    LAB26_WEIGHT_OF_CALL,
    LAB26_WEIGHT_OF_STEP,
    LAB26_WEIGHT_OF_NONE,
    LAB26_OTHER_ORDER,
    LAB26_OTHER_HALVES,
    LAB26_HALVES_OVERLAP,
    LAB26_OTHER_LENGTH
};

struct figures {
    /* enum lab26_otherwise of the first step that did not run as asked; which one it is, in
       which call; the call or step that `otherwise` names, or the number of elements; the weight */
    double otherwise, otherwise_step, otherwise_call, otherwise_of, otherwise_weight;

    double most_bytes; /* of device memory of the submission, after any call */
    double budget_bytes;

    double made_us; /* the floor: all calls, each a graph of its own that was made beforehand */
};

#endif

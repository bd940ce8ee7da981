/* exchange.h: what the suite and the adapter of lab 28 exchange. */
#pragma once

#include <stdbool.h>

struct numbers {
    long n; /* floats in a buffer */
    long n_buffers, n_ops, steps;
    long seed;       /* of the operations */
    bool two_inputs; /* of all operations but the last two, which write them */
};

/* Which operations the nodes of the graph are. */
enum lab28_order {
    LAB28_ORDER_UNKNOWN,
    LAB28_ORDER_OF_LIST,  /* node i is operation i */
    LAB28_ORDER_REVERSED, /* node i is operation n_ops - 1 - i */
    LAB28_ORDER_OTHER     /* each operation has a node */
};

struct figures {
    double order;       /* enum lab28_order */
    double is_captured; /* a part of the graph, or all of it */
    double chain_us;    /* the floor: a launch of the longest chain of operations with hazards */
};

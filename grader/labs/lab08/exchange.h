/* exchange.h: what the suite and the adapter of lab 08 exchange. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whose graph a run launches; or what a run does. */
enum lab08_task {
    LAB08_BRANCHES,
    LAB08_TEMPORARY,
    LAB08_LIBRARY,
    LAB08_SUMMARY,
    LAB08_EARLY,
    LAB08_DRAW,  /* draws a graph of the adapter's */
    LAB08_CYCLE, /* instantiates one that has a cycle */
    LAB08_UNUSED /* instantiates one that has a conditional handle and no node of it */
};

/* What a run looks at, beside the arrays of nodes, and notes if it is wrong. */
enum lab08_look {
    LAB08_LOOK_EVENTS = 1,
    LAB08_LOOK_PRIORITY = 2,
    LAB08_LOOK_DEVICE = 4, /* that alloc nodes allocate on */
    LAB08_LOOK_LIFE = 8,   /* of the host node's data */
    LAB08_LOOK_CALLS = 16, /* of the host function */
    LAB08_LOOK_PORT = 32,  /* of the edge of lab08_early's graph */
    LAB08_LOOK_WEIGH = 64  /* arguments of the kernel after that edge */
};

struct numbers {
    enum lab08_task task;
    int look; /* enum lab08_look, one or several */
    long n;   /* floats */
    size_t launches;
    bool upload; /* before the first launch */
    int steps;   /* of produce */
    double strength, weight[2];
    size_t rows; /* of lab08_early's weights */
    int repeats; /* launches of its graph before the wait */
};

struct figures {
    /* the floor: a launch of lab08_early's graph, with either edge; or stream-ordered allocation */
    double early_us, ordinary_us;
    double stream_us;
    double weigh_threads; /* of a block of the second node of lab08_early's graph */
};

/*
 * graphs.h: what suite and adapter of lab 08 agree on.
 */
#ifndef LAB08_GRAPHS_H
#define LAB08_GRAPHS_H

/* The number "task" of a scenario: whose graph a run launches; or what a run does. */
enum lab08_task {
    LAB08_BRANCHES,
    LAB08_TEMPORARY,
    LAB08_LIBRARY,
    LAB08_SUMMARY,
    LAB08_EARLY,
    LAB08_DRAW, /* draws a graph of the adapter's */
    LAB08_CYCLE /* instantiates one that has a cycle */
};

#endif

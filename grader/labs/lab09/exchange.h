/*
 * exchange.h: the figures that the adapter of lab 09 reports to its suite.
 */
#ifndef LAB09_EXCHANGE_H
#define LAB09_EXCHANGE_H

#include "service.h"

struct figures {
    double other_launches; /* of graphs that the library's work is no part of */
    double warm_us;        /* of device work that lab09_warm left */
    double uploads;
    double warm_launches;  /* in lab09_warm */
    double unfinished;     /* clients whose work still ran when lab09_wait returned for the last */
    double wrong_releases; /* of memory that is no workspace */

    /* calls during a capture that the runtime refused: of other threads, … */
    double malloc_there, launch_there, wait_there;
    double malloc_here; /* 1: an allocation in the capturing thread was permitted */

    /* answers of lab09_break_even: to lab09_given, and to times of lab09_kernels measured here */
    double given[LAB09_GIVEN];
    double predicted[LAB09_KERNELS], measured[LAB09_KERNELS];
};

#endif

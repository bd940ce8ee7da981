/*
 * exchange.h: the figures that the adapter of lab 12 reports to its suite.
 */
#ifndef LAB12_EXCHANGE_H
#define LAB12_EXCHANGE_H

#include "cases.h"

struct figures {
    double peers;          /* devices that could access the memory of the next one; … */
    double without_access; /* … the first of them that may not; -1: all may */
    double n_devices;
    double n_micro;                /* micro-batches */
    double device_bytes;           /* of the submission */
    double micro_batches[N_CASES]; /* answers of lab12_micro_batches */
    double stage_us;               /* the floor: the layers of one stage for all micro-batches */
};

#endif

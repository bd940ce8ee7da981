/* exchange.h: what the suite and the adapter of lab 13 exchange. */
#pragma once

#include <stdbool.h>

#include "requests.h"

struct numbers {
    struct decode_model model;    /* without weights */
    struct lab13_drawing drawing; /* without seed */
    long seed;
    int blocks;   /* of the budget */
    bool journal; /* with the buffers journal and samplers */
    int late;     /* us that each lab->deliver takes longer */
};

struct figures {
    double token_us;             /* a token, over the whole run */
    double first_us, between_us; /* 99th percentiles: to the first token; between two tokens */
    double waited_us;            /* in lab->receive while requests waited for tokens */
    double run_us;               /* the whole run */
    double received, delivered;  /* requests; tokens */
    double
        most_generating; /* requests with a first token and without their last one, at any time */
    double budget_bytes;
    double n_slots;     /* of the cache that embed was launched with */
    double prefetching; /* share of the kernels that may prefetch their weights */
    double read_us;     /* the floor: to read all weights */
    double left_out;    /* rows that qkv or attend lack in a layer, where nothing is computed */
};

/* exchange.h: what the suite and the adapter of lab 11 exchange. */
#pragma once

#include <stdbool.h>

#include "decoder.h"

enum { LAB11_MOST_BATCHES = 4 };

struct numbers {
    struct decode_model model; /* without weights */
    size_t batches;
    int sequences[LAB11_MOST_BATCHES]; /* of each batch */
    size_t max_rows;                   /* of any batch */
    int shortest, longest;             /* prompts */
    size_t steps;                      /* of each batch */
    bool in_two_calls; /* of lab11_decode, for each batch: one step, then the rest */
    size_t slots;
    int buckets;           /* of 1, 2, 4, … rows */
    int how;               /* an enum lab11_how, or LAB11_WATCHED */
    bool only_tokens;      /* LAB11_WATCHED: mistakes that make tokens wrong, and no others */
    bool stops;            /* one sequence stops early */
    bool cache_is_checked; /* with the buffers keys and values */
};

struct figures {
    double rows_too_many; /* that kernels compute with stream launches, beyond the sequences */
    double step_us;       /* of the last batch, from an idle device to an idle device */
    double host_us;       /* the part of it in which lab11_decode had not returned */

    double graphs;        /* buckets with a graph of their own */
    double launches;      /* of graphs, in this run; a GPU does not say: -1 */
    double launched_rows; /* of the graph of lab->graphs that was launched; 0: none; -1: a GPU */
    double kernel_rows;   /* of the kernels in the last batch's graph; 0: none that tells */
    double programmatic;  /* edges of this graph that are */

    double pool_floats, pool_pieces; /* of scratch memory that was taken */
    double most_floats;              /* that are needed */

    double read_us; /* the floor: to read all weights */
};

/* drawing.h: the operations, which suite and adapter of lab 28 draw alike from the scenario's
 * numbers. Each is a hash of the seed and its number. */
#pragma once

#include <stdbool.h>

#include "common/splitmix.h"
#include "exchange.h"
#include "labs/lab28_free_explicit_graph/lab.h"

/* Three of four operations are LAB28_PRODUCE, with one to two times numbers->steps steps. If there
 * are enough buffers, the first ones are read by half of the operations, and are seldom written,
 * like the weights of a network. With numbers->two_inputs, all operations read buffer 0 or 1 in
 * turns, but for the last two, which write them. */
static inline struct lab28_op lab28_draw(const struct numbers *numbers, long i)
{
    const uint64_t x =
        splitmix_of(splitmix_of((uint64_t)numbers->seed * SPLITMIX_STEP + (uint64_t)i + 1));
    const int n = (int)numbers->n_buffers, n_common = n < 6 ? 0 : 2,
              first_out = (x >> 52) % 16 ? n_common : 0, steps = (int)numbers->steps;
    int in = (int)(x % (n_common && (x >> 60) % 2 ? n_common : n));
    int out = first_out + (int)((x >> 16) % (n - first_out));
    if (out == in)
        out = out + 1 < n ? out + 1 : first_out;
    if (numbers->two_inputs) {
        const bool is_last = i >= numbers->n_ops - 2;
        in = is_last ? 2 : (int)(i % 2);
        out = is_last ? (int)(i % 2) : 2 + (int)((x >> 16) % (n - 2));
    }
    return (struct lab28_op){.kind = (x >> 32) % 4 ? LAB28_PRODUCE : LAB28_CONSUME,
                             .in = in,
                             .out = out,
                             .steps = steps + (int)((x >> 40) % (steps + 1))};
}

/* Must one of the two wait for the other? */
static inline bool lab28_is_hazard(struct lab28_op a, struct lab28_op b)
{
    return a.out == b.in || a.out == b.out || a.in == b.out;
}

enum { LAB28_BLOCK_THREADS = 256 }; /* of each kernel node */

/* The number of the operation that node i is, or of the node that operation i is, of n: equal, or
   counted from the end if the nodes are reversed. */
static inline long lab28_other(long n, long i, bool is_reversed)
{
    return is_reversed ? n - 1 - i : i;
}

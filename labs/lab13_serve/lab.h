/*
 * Lab 13: a server for the decoder of lab 11. Its design is yours.
 *
 *     requests          lab->receive                             lab->deliver          tokens
 *     -------------->   [ admit ]   [ steps of many requests ]   ---------------->
 *                       blocks, slots      graphs, streams
 *
 * Requests arrive while the server works. Each one asks for a number of tokens after its prompt.
 * kernels/serve.h has the kernels of a step: their rows may be of many requests, and any part of a
 * prompt.
 *
 * A request gets the same tokens as if it were alone, whatever else is served at the same time:
 * they depend on its prompt, its temperature and its seed.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB13_H
#define LAB13_H

#include "serve.h"

struct lab13_request {
    int number;        /* 0, 1, 2, … in the order of arrival */
    double arrival_us; /* when it arrived, by clock_now_us() of common/clock.h */
    int prompt_length; /* 1 or more */
    const int *prompt; /* in host memory */
    int n_tokens;      /* tokens to generate, 1 or more; prompt_length + n_tokens is at most
                          model.n_positions */
    float temperature; /* 0: always the token with the largest logit */
    unsigned long long seed;
};

struct lab13 {
    /* given */
    struct decode_model model; /* its weights are in device memory */
    int n_requests;            /* that arrive during one lab13_serve */

    /* The budget: all device memory that the lab has allocated, at any time. It is enough for the
       cache of one request with n_positions and for a step of 64 rows, with some to spare. */
    size_t memory_bytes;

    /* Returns the next request that has arrived, in order. If there is none, waits for it, up to
       wait_us microseconds: 0 does not wait, INFINITY waits until one arrives. NULL: none has
       arrived in that time, or all n_requests have been received. A request stays valid until
       lab13_serve returns. The host is busy while it waits; the device continues. */
    const struct lab13_request *(*receive)(struct lab13 *lab, double wait_us);

    /* Delivers the next token of a request. The grader's clock stops here. The call may take longer
       than a step. */
    void (*deliver)(struct lab13 *lab, const struct lab13_request *request, int token);

    /* yours: whatever you keep from setup to teardown */
    struct lab13_state *state;
};

/* Not timed. Allocates memory, captures and instantiates graphs, uploads them, warms up. */
cudaError_t lab13_setup(struct lab13 *lab);

/* Receives n_requests requests, delivers all their tokens, and returns. It creates, instantiates
   and allocates nothing. May be called several times. */
cudaError_t lab13_serve(struct lab13 *lab);

/* Not timed. Frees everything. */
cudaError_t lab13_teardown(struct lab13 *lab);

#endif

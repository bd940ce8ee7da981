/* weights.h: the weights of a pipeline: random ones, or primes. */
#pragma once

#include "labs/random_weights.h"

enum { LAB12_SEED = 12 }; /* of make_weights */

/* Weights of up to 8 layers that leave a trace: layer k multiplies by prime k. So y / x shows which
   layers y went through. */
static const int layer_primes[] = {2, 3, 5, 7, 11, 13, 17, 19};

static inline void make_primes(float *w, int n_layers, int n)
{
    const size_t side = (size_t)n;
    for (size_t k = 0; k < (size_t)n_layers; k++)
        for (size_t i = 0; i < side * side; i++)
            w[k * side * side + i] = i % (side + 1) == 0 ? (float)layer_primes[k] : 0;
}

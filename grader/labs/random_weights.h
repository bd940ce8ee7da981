/* random_weights.h: weights that adapter and suite make alike. They are no buffer of the judge's: a
 * submission copies them in setup, and inputs change from run to run. */
#pragma once

#include <math.h>
#include <stddef.h>

#include "common/splitmix.h"

/* Weights `first` to `first` + count - 1, uniform in +-sqrt(3 / n): a product over n of them leaves
 * the size of activations as it is. */
static inline void make_weights(float *w, size_t first, size_t count, uint64_t seed, int n)
{
    const double scale = sqrt(3.0 / n);
    for (size_t i = 0; i < count; i++) {
        const uint64_t number = splitmix_of((seed << 32) + (first + i + 1) * SPLITMIX_STEP);
        w[i] = (float)((2 * splitmix_uniform(number) - 1) * scale);
    }
}

/* random_weights.h: weights that adapter and suite make alike. They are no buffer of the judge's: a
 * submission copies them in setup, and inputs change from run to run. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Weights `first` to `first` + count - 1, uniform in +-sqrt(3 / n): a product over n of them leaves
 * the size of activations as it is. The mixing function is SplitMix64's. */
static inline void make_weights(float *w, size_t first, size_t count, uint64_t seed, int n)
{
    const double scale = sqrt(3.0 / n);
    for (size_t i = 0; i < count; i++) {
        uint64_t z = (seed << 32) + (first + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
        w[i] = (float)(((double)(z >> 11) * 0x1p-52 - 1) * scale);
    }
}

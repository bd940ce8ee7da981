/*
 * weights.h: the weights of a pipeline, which adapter and suite make alike. They are no buffer of
 * the judge's: a submission copies them in setup, and inputs change from run to run.
 */
#ifndef LAB12_WEIGHTS_H
#define LAB12_WEIGHTS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Weights `first` to `first` + count - 1, uniform in +-sqrt(3 / n): a layer leaves the size of
 * activations as it is. The mixing function is SplitMix64's. */
static inline void make_weights(float *w, size_t first, size_t count, int n)
{
    const double scale = sqrt(3.0 / n);
    for (size_t i = 0; i < count; i++) {
        uint64_t z = (UINT64_C(12) << 32) + (first + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
        w[i] = (float)(((double)(z >> 11) * 0x1p-52 - 1) * scale);
    }
}

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

#endif

/*
 * splitmix.h: random numbers by SplitMix64 (public domain: https://prng.di.unimi.it/splitmix64.c).
 */
#ifndef SPLITMIX_H
#define SPLITMIX_H

#include <stdint.h>

#define SPLITMIX_STEP UINT64_C(0x9e3779b97f4a7c15) /* between two states */

/* Each bit of the result depends on all bits of x. */
static inline uint64_t splitmix_of(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* The next number. */
static inline uint64_t splitmix(uint64_t *state)
{
    return splitmix_of(*state += SPLITMIX_STEP);
}

/* 0 to 1, without 1. */
static inline double splitmix_uniform(uint64_t number)
{
    return (double)(number >> 11) * 0x1p-53;
}

#endif

/*
 * bf16.h: numbers of 16 bits that have the exponent of a float and 7 bits of its fraction. A float
 * becomes one by rounding to the nearest, ties to even; it becomes a float by 16 zero bits.
 */
#ifndef BF16_H
#define BF16_H

#include <stdint.h>
#include <string.h>

/* For both sides. */
#ifdef __CUDACC__
#define HOST_DEVICE_FUNCTION static __host__ __device__ __forceinline__
#else
#define HOST_DEVICE_FUNCTION static inline
#endif

HOST_DEVICE_FUNCTION float bf16_to_float(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &wide, sizeof x);
    return x;
}

/* Of a number: not a number may become infinite. */
HOST_DEVICE_FUNCTION uint16_t bf16_from_float(float x)
{
    uint32_t wide;
    memcpy(&wide, &x, sizeof wide);
    return (uint16_t)((wide + 0x7fff + (wide >> 16 & 1)) >> 16);
}

#endif

/* bf16.h: numbers of 16 bits with the exponent of a float and 7 bits of its fraction. The
 * conversion from float is rounding to nearest, ties to even. The conversion to float appends 16
 * zero bits. */
#ifndef BF16_H
#define BF16_H

#include <stdint.h>
#include <string.h>

/* A function for host and device code. */
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

/* x must not be NaN: the result may be infinity. */
HOST_DEVICE_FUNCTION uint16_t bf16_from_float(float x)
{
    uint32_t wide;
    memcpy(&wide, &x, sizeof wide);
    return (uint16_t)((wide + 0x7fff + (wide >> 16 & 1)) >> 16);
}

#endif

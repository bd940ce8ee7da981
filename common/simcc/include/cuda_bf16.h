/* cuda_bf16.h: bfloat16, as NVIDIA's header computes it on the host. */
#ifndef SIMCC_CUDA_BF16_H
#define SIMCC_CUDA_BF16_H

#include "cuda_host_version.h"
#include_next <cuda_bf16.h>
#include "cuda_host_version_end.h"

#include "simcc_half.h"

SIMCC_HALF_TYPE(__nv_bfloat16, __nv_bfloat162, __bfloat162float, __float2bfloat16)
SIMCC_HALF_INTEGERS(__nv_bfloat16, __bfloat16, __bfloat162float)

/* From an integer, by a float that is rounded in the same direction. */
#define SIMCC_BFLOAT16_FROM(name, type, suffix, to_float)                                          \
    inline __nv_bfloat16 name##suffix(type x)                                                      \
    {                                                                                              \
        return __float2bfloat16##suffix(to_float(x));                                              \
    }
#define SIMCC_BFLOAT16_DIRECTED(name, type, to_float)                                              \
    SIMCC_BFLOAT16_FROM(name, type, _rz, to_float##_rz)                                            \
    SIMCC_BFLOAT16_FROM(name, type, _rd, to_float##_rd)                                            \
    SIMCC_BFLOAT16_FROM(name, type, _ru, to_float##_ru)
SIMCC_BFLOAT16_DIRECTED(__int2bfloat16, int, __int2float)
SIMCC_BFLOAT16_DIRECTED(__short2bfloat16, short, __int2float)
SIMCC_BFLOAT16_DIRECTED(__uint2bfloat16, unsigned, __uint2float)
SIMCC_BFLOAT16_DIRECTED(__ushort2bfloat16, unsigned short, __uint2float)
SIMCC_BFLOAT16_DIRECTED(__ll2bfloat16, long long, __ll2float)
SIMCC_BFLOAT16_DIRECTED(__ull2bfloat16, unsigned long long, __ull2float)
#undef SIMCC_BFLOAT16_DIRECTED
#undef SIMCC_BFLOAT16_FROM

#endif

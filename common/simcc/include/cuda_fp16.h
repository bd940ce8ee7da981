/*
 * cuda_fp16.h: half precision, as NVIDIA's header computes it on the host, and what it has for the
 * device only.
 */
#ifndef SIMCC_CUDA_FP16_H
#define SIMCC_CUDA_FP16_H

#include "cuda_host_version.h"
#include_next <cuda_fp16.h>
#include "cuda_host_version_end.h"

inline __half __hfma(__half a, __half b, __half c)
{
    return __float2half(fmaf(__half2float(a), __half2float(b), __half2float(c)));
}

inline __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __halves2half2(__hfma(__low2half(a), __low2half(b), __low2half(c)),
                          __hfma(__high2half(a), __high2half(b), __high2half(c)));
}

/* h… of one number, h2… of two. */
#define SIMCC_HALF(name, function)                                                                 \
    inline __half h##name(__half x)                                                                \
    {                                                                                              \
        return __float2half(function(__half2float(x)));                                            \
    }                                                                                              \
    inline __half2 h2##name(__half2 x)                                                             \
    {                                                                                              \
        return __halves2half2(h##name(__low2half(x)), h##name(__high2half(x)));                    \
    }

SIMCC_HALF(exp, expf)
SIMCC_HALF(exp2, exp2f)
SIMCC_HALF(exp10, exp10f)
SIMCC_HALF(log, logf)
SIMCC_HALF(log2, log2f)
SIMCC_HALF(log10, log10f)
SIMCC_HALF(sin, sinf)
SIMCC_HALF(cos, cosf)
SIMCC_HALF(sqrt, sqrtf)
SIMCC_HALF(rsqrt, rsqrtf)
SIMCC_HALF(rcp, 1.0f /)
SIMCC_HALF(ceil, ceilf)
SIMCC_HALF(floor, floorf)
SIMCC_HALF(rint, rintf)
SIMCC_HALF(trunc, truncf)
#undef SIMCC_HALF

inline __half atomicAdd(__half *p, __half value)
{
    return simgpu_atomic(p, [value](__half before) { return __hadd(before, value); });
}

inline __half2 atomicAdd(__half2 *p, __half2 value)
{
    return simgpu_atomic(p, [value](__half2 before) { return __hadd2(before, value); });
}

#endif

/* cuda_fp16.h: half precision, as NVIDIA's header computes it on the host. */
#ifndef SIMCC_CUDA_FP16_H
#define SIMCC_CUDA_FP16_H

#include "cuda_host_version.h"
#include_next <cuda_fp16.h>
#include "cuda_host_version_end.h"

#include "simcc_half.h"

SIMCC_HALF_TYPE(__half, __half2, __half2float, __float2half)
SIMCC_HALF_INTEGERS(__half, __half, __half2float)

#endif

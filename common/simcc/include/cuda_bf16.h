/* cuda_bf16.h: bfloat16, as NVIDIA's header computes it on the host. */
#ifndef SIMCC_CUDA_BF16_H
#define SIMCC_CUDA_BF16_H

#include "cuda_host_version.h"
#include_next <cuda_bf16.h>
#include "cuda_host_version_end.h"

#include "simcc_half.h"

SIMCC_HALF_TYPE(__nv_bfloat16, __nv_bfloat162, __bfloat162float, __float2bfloat16)

#endif

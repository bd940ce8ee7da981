/* cuda_bf16.h: bfloat16, as NVIDIA's header computes it on the host. */
#include "cuda_host_version.h"
#include_next <cuda_bf16.h>
#include "cuda_host_version_end.h"

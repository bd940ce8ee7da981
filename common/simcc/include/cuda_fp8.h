/* cuda_fp8.h: 8-bit floating point, as NVIDIA's header computes it on the host. */
#include "cuda_host_version.h"
#include_next <cuda_fp8.h>
#include "cuda_host_version_end.h"

/* cuda/std/__cccl/compiler.h: NVIDIA's header, without its hints to unroll loops: gcc before 14
 * wants a constant there and refuses what depends on a template's parameter. */
#pragma once
#include_next <cuda/std/__cccl/compiler.h>
#undef _CCCL_PRAGMA_UNROLL
#define _CCCL_PRAGMA_UNROLL(count)

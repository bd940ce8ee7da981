/* decode_wide.h: faster kernels for models of width 768, on GPUs with bf16 matrix instructions
 * (sm_80 and newer). The launchers of decode.h use them if they can. */
#ifndef DECODE_WIDE_H
#define DECODE_WIDE_H

#include "decode.h"

enum decode_product {
    DECODE_PRODUCT_QKV,
    DECODE_PRODUCT_PROJECT,
    DECODE_PRODUCT_UP,
    DECODE_PRODUCT_DOWN,
    DECODE_PRODUCT_HEAD
};

#if defined(__CUDACC__) && !defined(SIMGPU_SIMCC)

/* Can these kernels run a step of this model on the current device? */
bool decode_wide_serves(const struct decode_model *m);

cudaError_t launch_decode_wide_product(enum decode_product p, const struct decode_step *s,
                                       int layer, enum decode_start start, cudaStream_t stream);
cudaError_t launch_decode_wide_attend(const struct decode_step *s, int layer,
                                      enum decode_start start, cudaStream_t stream);

#else

/* The simulated device has no matrix instructions, and uses the other kernels. */
static inline bool decode_wide_serves(const struct decode_model *)
{
    return false;
}

static inline cudaError_t launch_decode_wide_product(enum decode_product,
                                                     const struct decode_step *, int,
                                                     enum decode_start, cudaStream_t)
{
    return cudaErrorNotSupported;
}

static inline cudaError_t launch_decode_wide_attend(const struct decode_step *, int,
                                                    enum decode_start, cudaStream_t)
{
    return cudaErrorNotSupported;
}

#endif
#endif

/* serve_device.h: device code shared by the kernels of serve.h. Include simgpu/kernel.h first. */
#ifndef SERVE_DEVICE_H
#define SERVE_DEVICE_H

#include "decode_device.h"
#include "serve.h"

/* The padding slot's sampler has no values. */
static inline __host__ __device__ bool serve_has_sequence(const struct serve_step &s, int slot)
{
    return slot != s.decode.cache.n_slots;
}

static inline bool serve_is_valid(const struct serve_step *s)
{
    return s && decode_is_valid(&s->decode) && s->decode.cache.blocks &&
           s->decode.cache.n_blocks > 0 && s->decode.cache.n_slots > 0 && s->samplers.last &&
           s->samplers.drawn && s->samplers.seed && s->samplers.temperature && s->samples &&
           s->tokens;
}

#endif

/* inference_kernels.h: the layers of a small convolutional network, batch after batch of images.
 * Tensors are floats in the order image, channel, row, column. References compute the same on the
 * CPU, in double precision. */
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One layer: `images` images of in_channels x size x size floats. */
struct layer {
    enum { LAYER_CONV, LAYER_POOL, LAYER_DENSE } kind;
    int in_channels, out_channels;
    int size;                      /* rows and columns of the input; 1 for dense layers */
    int relu;                      /* negative results become 0 */
    const float *weights, *biases; /* of a convolution: out x in x 3 x 3; dense: out x in */
};

/* Floats of an image before and after the layer. */
int layer_in(const struct layer *l);
int layer_out(const struct layer *l);
/* Floats of its weights; it has as many biases as out_channels, a pool none. */
int layer_weights(const struct layer *l);

/* Convolution: 3 x 3, the border counts as 0. Pool: the largest of 2 x 2. Dense: every input times
 * a weight. What cudaLaunchKernel returned. */
cudaError_t launch_layer(const struct layer *l, float *out, const float *in, int images,
                         cudaStream_t stream);
void reference_layer(const struct layer *l, double *out, const double *in, int images);

#ifdef __cplusplus
}
#endif

/* inference_kernels.cu: convolution, pool and dense layer, as plain as they can be: a thread a
 * result, but a warp a result in dense layers. */
#include "inference_kernels.h"

int layer_in(const struct layer *l)
{
    return l->in_channels * l->size * l->size;
}

int layer_out(const struct layer *l)
{
    int side = l->kind == layer::LAYER_POOL ? l->size / 2 : l->size;
    return l->out_channels * side * side;
}

int layer_weights(const struct layer *l)
{
    return l->kind == layer::LAYER_POOL   ? 0
           : l->kind == layer::LAYER_CONV ? l->out_channels * l->in_channels * 9
                                          : l->out_channels * l->in_channels;
}

/* ---- CPU references -------------------------------------------------------------------------- */

static double reference_conv(const struct layer *l, const double *in, int channel, int y, int x)
{
    double sum = l->biases[channel];
    for (int c = 0; c < l->in_channels; c++)
        for (int k = 0; k < 9; k++) {
            int row = y + k / 3 - 1, col = x + k % 3 - 1;
            if (row >= 0 && row < l->size && col >= 0 && col < l->size)
                sum += l->weights[(channel * l->in_channels + c) * 9 + k] *
                       in[(c * l->size + row) * l->size + col];
        }
    return sum;
}

static double reference_pool(const struct layer *l, const double *in, int channel, int y, int x)
{
    const double *corner = in + (channel * l->size + 2 * y) * l->size + 2 * x;
    double above = corner[0] > corner[1] ? corner[0] : corner[1];
    double below = corner[l->size] > corner[l->size + 1] ? corner[l->size] : corner[l->size + 1];
    return above > below ? above : below;
}

static double reference_dense(const struct layer *l, const double *in, int channel)
{
    double sum = l->biases[channel];
    for (int i = 0; i < l->in_channels; i++)
        sum += l->weights[channel * l->in_channels + i] * in[i];
    return sum;
}

void reference_layer(const struct layer *l, double *out, const double *in, int images)
{
    int side = l->kind == layer::LAYER_POOL ? l->size / 2 : l->size;
    for (int image = 0; image < images; image++, in += layer_in(l), out += layer_out(l))
        for (int i = 0; i < layer_out(l); i++) {
            int channel = i / (side * side), y = i / side % side, x = i % side;
            double v = l->kind == layer::LAYER_POOL   ? reference_pool(l, in, channel, y, x)
                       : l->kind == layer::LAYER_CONV ? reference_conv(l, in, channel, y, x)
                                                      : reference_dense(l, in, channel);
            out[i] = l->relu && v < 0 ? 0 : v;
        }
}

#include "simgpu/kernel.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static __global__ void conv(float *__restrict__ out, const float *__restrict__ in, struct layer l,
                            int results)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= results)
        return;
    int area = l.size * l.size, channel = i / area % l.out_channels;
    int image = i / area / l.out_channels, y = i / l.size % l.size, x = i % l.size;
    const float *from = in + image * l.in_channels * area;
    const float *weights = l.weights + channel * l.in_channels * 9;
    float sum = l.biases[channel];
    for (int c = 0; c < l.in_channels; c++, from += area, weights += 9)
        for (int k = 0; k < 9; k++) {
            int row = y + k / 3 - 1, col = x + k % 3 - 1;
            if (row >= 0 && row < l.size && col >= 0 && col < l.size)
                sum += weights[k] * from[row * l.size + col];
        }
    out[i] = l.relu && sum < 0 ? 0 : sum;
}

static __global__ void pool(float *__restrict__ out, const float *__restrict__ in, int size,
                            int results)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= results)
        return;
    int side = size / 2, plane = i / (side * side), y = i / side % side, x = i % side;
    const float *corner = in + (plane * size + 2 * y) * size + 2 * x;
    out[i] = fmaxf(fmaxf(corner[0], corner[1]), fmaxf(corner[size], corner[size + 1]));
}

static __global__ void dense(float *__restrict__ out, const float *__restrict__ in, struct layer l)
{
    int channel = blockIdx.x, image = blockIdx.y;
    const float *from = in + image * l.in_channels, *weights = l.weights + channel * l.in_channels;
    float sum = 0;
    for (int i = threadIdx.x; i < l.in_channels; i += 32)
        sum += weights[i] * from[i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x != 0)
        return;
    sum += l.biases[channel];
    out[image * l.out_channels + channel] = l.relu && sum < 0 ? 0 : sum;
}

/* ---- launcher -------------------------------------------------------------------------------- */

cudaError_t launch_layer(const struct layer *l, float *out, const float *in, int images,
                         cudaStream_t stream)
{
    const unsigned threads = 128;
    int results = images * layer_out(l), size = l->size;
    struct layer copy = *l;
    if (l->kind == layer::LAYER_DENSE) {
        void *args[] = {&out, &in, &copy};
        return cudaLaunchKernel((const void *)dense,
                                dim3((unsigned)l->out_channels, (unsigned)images), dim3(32), args,
                                0, stream);
    }
    dim3 blocks(((unsigned)results + threads - 1) / threads);
    if (l->kind == layer::LAYER_POOL) {
        void *args[] = {&out, &in, &size, &results};
        return cudaLaunchKernel((const void *)pool, blocks, dim3(threads), args, 0, stream);
    }
    void *args[] = {&out, &in, &copy, &results};
    return cudaLaunchKernel((const void *)conv, blocks, dim3(threads), args, 0, stream);
}

/* ---- declared footprints --------------------------------------------------------------------- */

/* Two floats for each multiply-add come from the first-level cache, which is as wide as shared
 * memory. */
static void count(struct simgpu_work *work, double multiply_adds)
{
    work->flops = 2 * multiply_adds;
    work->shared_bytes = 2 * sizeof(float) * multiply_adds;
}

static void touch_layer(struct simgpu_work *work, const struct layer *l, float *out,
                        const float *in, int images)
{
    simgpu_touch(work, SIMGPU_READ, in, (size_t)images * layer_in(l));
    simgpu_touch(work, SIMGPU_READ, l->weights, (size_t)layer_weights(l));
    simgpu_touch(work, SIMGPU_READ, l->biases, (size_t)l->out_channels);
    simgpu_touch(work, SIMGPU_WRITE, out, (size_t)images * layer_out(l));
}

FOOTPRINT conv_footprint(struct simgpu_work *work, const struct simgpu_launch *, float *out,
                         const float *in, struct layer l, int results)
{
    touch_layer(work, &l, out, in, results / layer_out(&l));
    count(work, 9.0 * l.in_channels * results);
    work->waits = l.in_channels; /* nine floats at a time */
}

FOOTPRINT pool_footprint(struct simgpu_work *work, const struct simgpu_launch *, float *out,
                         const float *in, int, int results)
{
    simgpu_touch(work, SIMGPU_READ, in, (size_t)results * 4);
    simgpu_touch(work, SIMGPU_WRITE, out, (size_t)results);
    work->flops = 3.0 * results;
    work->waits = 1;
}

FOOTPRINT dense_footprint(struct simgpu_work *work, const struct simgpu_launch *launch, float *out,
                          const float *in, struct layer l)
{
    int images = (int)launch->grid.y;
    touch_layer(work, &l, out, in, images);
    count(work, (double)images * l.in_channels * l.out_channels);
    work->cache_bytes = work->shared_bytes;    /* no block reads what another on its SM has read */
    work->waits = (l.in_channels + 127) / 128; /* nvcc unrolls the loop by four */
}

DECLARE_KERNEL(conv, conv_footprint, 40);
DECLARE_KERNEL(pool, pool_footprint, 20);
DECLARE_KERNEL(dense, dense_footprint, 32);

/* inference.c: a small convolutional network, as it recognises digits: images of 28 x 28 go to the
 * device, through seven layers, and ten numbers each come back; by stream and as a graph. */
#include "bench.h"
#include "inference_kernels.h"

#include <math.h>

enum { LAYERS = 7, IMAGES = 64, PIXELS = 28 * 28, ANSWERS = 10, LARGEST = 32 * 28 * 28 };

static struct layer net[LAYERS] = {
    {LAYER_CONV, 1, 16, 28, 1, NULL, NULL},        {LAYER_POOL, 16, 16, 28, 0, NULL, NULL},
    {LAYER_CONV, 16, 32, 14, 1, NULL, NULL},       {LAYER_POOL, 32, 32, 14, 0, NULL, NULL},
    {LAYER_CONV, 32, 64, 7, 1, NULL, NULL},        {LAYER_DENSE, 64 * 7 * 7, 128, 1, 1, NULL, NULL},
    {LAYER_DENSE, 128, ANSWERS, 1, 0, NULL, NULL},
};
static struct layer on_host[LAYERS]; /* the same with weights in host memory */

static cudaStream_t stream;
static float *images, *answers; /* pinned */
static float *from, *to;        /* layers in turn read one and write the other */
static cudaGraphExec_t exec;
static int batch;

/* Numbers between -1 and 1, the same in every run. */
static float next(void)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / (float)(1 << 23) - 1;
}

/* n numbers on the device, and the same on the host. */
static float *constants(int n, float scale, const float **host)
{
    float *values = malloc(sizeof *values * (size_t)n), *dev;
    if (!values) {
        fprintf(stderr, "inference: no memory for %d weights\n", n);
        exit(1);
    }
    for (int i = 0; i < n; i++)
        values[i] = scale * next();
    CHECK(cudaMalloc((void **)&dev, sizeof *dev * (size_t)n));
    CHECK(cudaMemcpy(dev, values, sizeof *dev * (size_t)n, cudaMemcpyHostToDevice));
    *host = values;
    return dev;
}

static void make_net(void)
{
    for (int i = 0; i < LAYERS; i++) {
        int n = layer_weights(&net[i]);
        on_host[i] = net[i];
        if (n == 0)
            continue;
        float scale = sqrtf(3.0f * (float)net[i].out_channels / (float)n);
        net[i].weights = constants(n, scale, &on_host[i].weights);
        net[i].biases = constants(net[i].out_channels, 0.1f, &on_host[i].biases);
    }
    CHECK(cudaMallocHost((void **)&images, sizeof *images * IMAGES * PIXELS));
    CHECK(cudaMallocHost((void **)&answers, sizeof *answers * IMAGES * ANSWERS));
    CHECK(cudaMalloc((void **)&from, sizeof *from * IMAGES * LARGEST));
    CHECK(cudaMalloc((void **)&to, sizeof *to * IMAGES * LARGEST));
    for (int i = 0; i < IMAGES * PIXELS; i++)
        images[i] = next();
}

static float *result; /* of the last layer */

static void run_layers(void)
{
    float *in = from, *out = to, *t;
    for (int i = 0; i < LAYERS; i++, t = in, in = out, out = t)
        CHECK(launch_layer(&net[i], out, in, batch, stream));
    result = in;
}

static void infer(void)
{
    size_t n = (size_t)batch * sizeof *images;
    CHECK(cudaMemcpyAsync(from, images, n * PIXELS, cudaMemcpyHostToDevice, stream));
    run_layers();
    CHECK(cudaMemcpyAsync(answers, result, n * ANSWERS, cudaMemcpyDeviceToHost, stream));
}

static void by_stream(void *unused, double *v)
{
    (void)unused;
    double t0 = clock_now_us();
    infer();
    CHECK(cudaStreamSynchronize(stream));
    v[0] = bench_since(t0);
}

static void by_graph(void *unused, double *v)
{
    (void)unused;
    v[0] = bench_launch_us(exec, stream);
}

/* The kernels alone: the floor. */
static void kernels(void *unused, double *v)
{
    (void)unused;
    v[0] = bench_device_us(60, run_layers, stream);
}

/* Are the answers to the first image those of the CPU? Where the model alone runs nothing is
 * computed. */
static void compare(const char *how)
{
    static double a[LARGEST], b[LARGEST];
    const char *computes = getenv("SIMGPU_COMPUTE");
    double *in = a, *out = b, *t;
    if (clock_is_virtual() && computes && *computes == '0')
        return;
    for (int i = 0; i < PIXELS; i++)
        in[i] = images[i];
    for (int i = 0; i < LAYERS; i++, t = in, in = out, out = t)
        reference_layer(&on_host[i], out, in, 1);
    for (int i = 0; i < ANSWERS; i++) {
        if (fabs(answers[i] - in[i]) <= 1e-3)
            continue;
        fprintf(stderr, "inference: answer %d by %s is %f, not %f\n", i, how, answers[i], in[i]);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    double us;
    const struct bench_variant variants[] = {
        {{"stream"}, by_stream, NULL},
        {{"graph"}, by_graph, NULL},
        {{"kernels"}, kernels, NULL},
    };
    const int step = bench_quick() ? 8 : 2, points = bench_quick() ? 3 : 7;
    bench_begin(argc, argv, "inference",
                "a network of three convolutions, two pools and two dense layers, and its copies",
                "images in the batch", points);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    make_net();
    for (batch = 1; batch <= IMAGES; batch *= step) {
        bench_capture(stream);
        infer();
        exec = bench_captured(stream);
        by_stream(NULL, &us);
        compare("stream");
        for (int i = 0; i < ANSWERS; i++)
            answers[i] = 0;
        by_graph(NULL, &us);
        compare("graph");
        bench_point(batch, "us", variants, 3);
        CHECK(cudaGraphExecDestroy(exec));
    }
    return bench_end();
}

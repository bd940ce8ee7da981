/* Stream priorities */
#include "myth.h"

enum { BATCH = 8 << 20, SMALL = 1 << 12, STEPS = 500, RUNS = 5, MUCH = 1000 };

static float *in, *out;
static cudaStream_t batch;

/* From its launch to its end, a small kernel in a stream of this priority, after a kernel of the
   batch that has far more blocks than fit at once. */
static double latency_us(int priority)
{
    cudaStream_t stream;
    double us = 0;
    CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority));
    for (int i = 0; i < RUNS; i++) {
        CHECK(launch_produce(out, in, STEPS, BATCH, batch));
        const double from_us = clock_now_us();
        CHECK(launch_produce(out + BATCH, in, STEPS, SMALL, stream));
        CHECK(cudaStreamSynchronize(stream));
        us = i ? us + clock_now_us() - from_us : 0; /* the first run loads the kernel */
        CHECK(cudaDeviceSynchronize());
    }
    return us;
}

int main(void)
{
    int least, greatest, priority;
    cudaStream_t stream;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaMalloc((void **)&in, BATCH * sizeof *in));
    CHECK(cudaMalloc((void **)&out, (BATCH + SMALL) * sizeof *out));
    CHECK(cudaMemset(in, 0, BATCH * sizeof *in));
    CHECK(cudaDeviceSynchronize()); /* non-blocking streams do not wait for the memset */
    CHECK(cudaStreamCreateWithPriority(&batch, cudaStreamNonBlocking, least));
    const double equal_us = latency_us(least), greatest_us = latency_us(greatest);
    printf("the greatest priority is the smallest number: %s\n", yes(greatest < least));
    printf("with it, the small kernel ends in less than half the time: %s\n",
           yes(2 * greatest_us < equal_us));
    CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - MUCH));
    CHECK(cudaStreamGetPriority(stream, &priority));
    printf("a number beyond the range becomes the greatest priority: %s\n",
           yes(priority == greatest));
    return 0;
}

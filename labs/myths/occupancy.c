/* Overlap ends where the SMs are full */
#include "myth.h"

enum { THREADS = 256, FEW = 16, STEPS = 200000 };

static float *in, *out;
static cudaStream_t streams[2];

/* How many times as long as one kernel of so many blocks do two kernels in two streams take? */
static double two_to_one(int blocks)
{
    double one_us, two_us;
    const int n = blocks * THREADS;
    MEASURE_TIMES(5, one_us, CHECK(launch_produce(out, in, STEPS, n, streams[0]));
                  CHECK(cudaDeviceSynchronize()));
    MEASURE_TIMES(5, two_us, CHECK(launch_produce(out, in, STEPS, n, streams[0]));
                  CHECK(launch_produce(out + n, in, STEPS, n, streams[1]));
                  CHECK(cudaDeviceSynchronize()));
    return two_us / one_us;
}

int main(void)
{
    int per_sm, sms;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel_produce(), THREADS, 0));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int full = per_sm * sms, n = full * THREADS;
    CHECK(cudaMalloc((void **)&in, n * sizeof *in));
    CHECK(cudaMalloc((void **)&out, 2 * n * sizeof *out));
    CHECK(cudaMemset(in, 0, n * sizeof *in));
    CHECK(cudaDeviceSynchronize()); /* non-blocking streams do not wait for the memset */
    for (int i = 0; i < 2; i++)
        streams[i] = new_stream();
    printf("two kernels of %d blocks take less than 1.3 times as long as one: %s\n", FEW,
           yes(two_to_one(FEW) < 1.3));
    printf("two kernels that fill all SMs take less than 1.3 times as long as one: %s\n",
           yes(two_to_one(full) < 1.3));
    return 0;
}

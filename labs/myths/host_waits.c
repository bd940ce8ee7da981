/* Spinning and blocking waits */
#include <time.h>

#include "myth.h"

enum { KERNEL_US = 50000 };

/* The share of a wait of 50 ms in which the process uses a processor. */
static double share(cudaEvent_t event, cudaStream_t stream)
{
    CHECK(launch_delay(KERNEL_US, stream));
    CHECK(cudaEventRecord(event, stream));
    const clock_t from = clock();
    CHECK(cudaEventSynchronize(event));
    return (double)(clock() - from) / CLOCKS_PER_SEC * 1e6 / KERNEL_US;
}

int main(void)
{
    cudaStream_t stream;
    cudaEvent_t spinning, blocking;
    if (clock_is_virtual()) {
        puts("needs a GPU: on the simulated device no processor waits");
        return MYTH_SKIPPED;
    }
    CHECK(cudaSetDeviceFlags(cudaDeviceScheduleSpin)); /* before the device is in use */
    stream = new_stream();
    CHECK(cudaEventCreateWithFlags(&spinning, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&blocking, cudaEventDisableTiming | cudaEventBlockingSync));
    share(spinning, stream); /* a warm-up */
    printf("a spinning wait occupies a processor: %s\n", yes(share(spinning, stream) > 0.5));
    printf("a blocking wait occupies a processor: %s\n", yes(share(blocking, stream) > 0.5));
    return 0;
}

/* "Host functions of different streams run at the same time." */
#include "myth.h"

static void work(void *unused)
{
    (void)unused;
    clock_host_work(2000);
}

int main(void)
{
    cudaStream_t streams[] = {new_stream(), new_stream()};
    double one_us, two_us;
    MEASURE(one_us, CHECK(cudaLaunchHostFunc(streams[0], work, NULL));
            CHECK(cudaDeviceSynchronize()));
    MEASURE(two_us, CHECK(cudaLaunchHostFunc(streams[0], work, NULL));
            CHECK(cudaLaunchHostFunc(streams[1], work, NULL)); CHECK(cudaDeviceSynchronize()));
    printf("two functions in two streams take as long as %.0f in one\n", two_us / one_us);
    return 0;
}

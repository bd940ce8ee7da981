/* Kernels that wait for each other */
#include "myth.h"
#include "kernels_wait_kernels.h"

static int *flag, *found; /* pinned memory: both sides can access it */
static cudaStream_t stream;

static void begin(void)
{
    CHECK(cudaDeviceSynchronize());
    *flag = *found = 0;
    CHECK(launch_wait(flag, found, stream));
}

static void end(const char *who)
{
    CHECK(cudaDeviceSynchronize());
    printf("the kernel finds the flag of %s: %s\n", who, yes(*found));
}

int main(void)
{
    void *unused;
    cudaStream_t other = new_stream();
    stream = new_stream();
    CHECK(cudaMallocHost((void **)&flag, sizeof *flag));
    CHECK(cudaMallocHost((void **)&found, sizeof *found));
    CHECK(cudaMalloc(&unused, 1 << 20));
    CHECK(launch_set(flag, stream)); /* loads both kernels */
    CHECK(launch_wait(flag, found, stream));

    begin();
    *(volatile int *)flag = 1;
    end("the host");

    begin();
    CHECK(launch_set(flag, stream));
    end("a later kernel in the same stream");

    begin();
    CHECK(cudaFree(unused));
    CHECK(launch_set(flag, other));
    end("a kernel in another stream, launched after cudaFree");
    return 0;
}

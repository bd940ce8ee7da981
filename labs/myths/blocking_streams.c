/* "A stream must be cudaStreamNonBlocking, or calls that use it block." */
#include "myth.h"

int main(void)
{
    enum { BYTES = 1 << 20 };
    cudaStream_t stream;
    void *device, *pinned;
    CHECK(cudaStreamCreate(&stream)); /* blocking */
    CHECK(cudaMalloc(&device, BYTES));
    CHECK(cudaMallocHost(&pinned, BYTES));
    CHECK(launch_empty(1, stream)); /* the first launch of a kernel loads its code */
    keep_busy(stream);
    printf("a launch into a blocking stream waits: %s\n", yes(WAITED(launch_empty(1, stream))));
    printf("a copy in it waits: %s\n",
           yes(WAITED(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream))));
    CHECK(cudaStreamSynchronize(stream));
    return 0;
}

/* "cudaFree costs nothing: memory is only marked as free." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream(); /* never uses the memory */
    void *device, *pinned, *ordered;
    CHECK(cudaMalloc(&device, 1 << 20));
    CHECK(cudaMallocHost(&pinned, 1 << 20));
    CHECK(cudaMallocAsync(&ordered, 1 << 20, stream));
    keep_busy(stream);
    printf("cudaFree waits for the device: %s\n", yes(WAITED(cudaFree(device))));
    keep_busy(stream);
    printf("cudaFreeHost waits: %s\n", yes(WAITED(cudaFreeHost(pinned))));
    keep_busy(stream);
    printf("cudaFreeAsync waits: %s\n", yes(WAITED(cudaFreeAsync(ordered, stream))));
    CHECK(cudaStreamSynchronize(stream));
    return 0;
}

/* "cudaMemcpyAsync is asynchronous. Or: with pageable memory it never is." */
#include "myth.h"

int main(void)
{
    enum { BYTES = 1 << 20 };
    cudaStream_t stream = new_stream();
    void *device, *pinned, *pageable = calloc(1, BYTES);
    CHECK(cudaMalloc(&device, BYTES));
    CHECK(cudaMallocHost(&pinned, BYTES));
    CHECK(cudaMemset(device, 0, BYTES));

    keep_busy(stream);
    printf("pinned to device waits for the stream: %s\n",
           yes(WAITED(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream))));
    keep_busy(stream);
    printf("device to pinned waits: %s\n",
           yes(WAITED(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream))));
    keep_busy(stream);
    printf("pageable to device waits: %s\n",
           yes(WAITED(cudaMemcpyAsync(device, pageable, BYTES, cudaMemcpyHostToDevice, stream))));
    keep_busy(stream);
    printf("device to pageable waits: %s\n",
           yes(WAITED(cudaMemcpyAsync(pageable, device, BYTES, cudaMemcpyDeviceToHost, stream))));
    free(pageable);
    return 0;
}

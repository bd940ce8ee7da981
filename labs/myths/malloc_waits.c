/* "cudaMalloc synchronizes the device." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    void *p;
    CHECK(cudaMallocAsync(&p, 1 << 20, stream)); /* the first call creates the pool */
    CHECK(cudaFreeAsync(p, stream));
    keep_busy(stream);
    printf("cudaMalloc waits: %s\n", yes(WAITED(cudaMalloc(&p, 1 << 20))));
    keep_busy(stream);
    printf("cudaMallocHost waits: %s\n", yes(WAITED(cudaMallocHost(&p, 4096))));
    keep_busy(stream);
    printf("cudaMallocAsync waits: %s\n", yes(WAITED(cudaMallocAsync(&p, 1 << 20, stream))));
    CHECK(cudaStreamSynchronize(stream));
    return 0;
}

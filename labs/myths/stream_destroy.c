/* "cudaStreamDestroy waits until the stream's work is done." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    int *done, value = 0;
    CHECK(cudaMalloc((void **)&done, sizeof *done));
    CHECK(cudaMemset(done, 0, sizeof *done));
    keep_busy(stream);
    CHECK(cudaMemsetAsync(done, 1, sizeof *done, stream));
    printf("it waits: %s\n", yes(WAITED(cudaStreamDestroy(stream))));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&value, done, sizeof value, cudaMemcpyDeviceToHost));
    printf("the work is lost: %s\n", yes(value != 0x01010101));
    return 0;
}

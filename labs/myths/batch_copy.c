/* Many copies by one call */
#include "myth.h"

#if CUDART_VERSION < 13000
int main(void)
{
    puts("needs CUDA 13: cudaMemcpyBatchAsync had other parameters in CUDA 12.8");
    return MYTH_SKIPPED;
}
#else
enum { COPIES = 64, BYTES = 4096 };

int main(void)
{
    cudaStream_t stream = new_stream();
    void *to[COPIES];
    const void *from[COPIES];
    size_t sizes[COPIES], first = 0;
    struct cudaMemcpyAttributes in_order = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    char *device, *host;
    cudaGraph_t graph;
    CHECK(cudaMalloc((void **)&device, 2 * COPIES * BYTES));
    CHECK(cudaMallocHost((void **)&host, COPIES * BYTES));
    for (int i = 0; i < COPIES; i++) {
        host[i * BYTES] = (char)i;
        from[i] = host + i * BYTES;
        to[i] = device + 2 * i * BYTES; /* anywhere */
        sizes[i] = BYTES;
    }
    CHECK(cudaMemcpyBatchAsync(to, from, sizes, COPIES, &in_order, &first, 1, stream));
    CHECK(cudaMemcpyAsync(host, to[COPIES - 1], 1, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("after one call the last copy is there, too: %s\n", yes(host[0] == COPIES - 1));
    printf(
        "in the legacy default stream: %s\n",
        cudaGetErrorName(cudaMemcpyBatchAsync(to, from, sizes, COPIES, &in_order, &first, 1, 0)));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    printf("in a capture: %s\n", cudaGetErrorName(cudaMemcpyBatchAsync(
                                     to, from, sizes, COPIES, &in_order, &first, 1, stream)));
    CHECK(launch_empty(1, stream));
    printf("the capture goes on: %s\n", yes(cudaStreamEndCapture(stream, &graph) == cudaSuccess));
    return 0;
}
#endif

/* "A replay repeats the results of the capture." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *source, *result, *device, fill = 7;
    CHECK(cudaMallocHost((void **)&source, sizeof *source));
    CHECK(cudaMallocHost((void **)&result, 2 * sizeof *result));
    CHECK(cudaMalloc((void **)&device, 2 * sizeof *device));
    *source = 1;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(device, source, sizeof *source, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemsetAsync(device + 1, fill, sizeof *device, stream));
    CHECK(cudaMemcpyAsync(result, device, 2 * sizeof *device, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    *source = 2; /* memory is read in each launch */
    fill = 8;    /* arguments were read at capture */
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("from host memory: %d; from the argument: %d\n", result[0], result[1] & 0xff);
    return 0;
}

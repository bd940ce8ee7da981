/* "A capture may contain cudaDeviceSynchronize; it is just not recorded." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    CHECK(launch_empty(1, stream));
    printf("cudaDeviceSynchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("the next launch: %s\n", cudaGetErrorName(launch_empty(1, stream)));
    printf("cudaStreamEndCapture: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
    printf("there is a graph: %s\n", yes(graph != NULL));
    return 0;
}

/* "The graph must live as long as the executable graph instantiated from it." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    unsigned char *p, got = 0;
    CHECK(cudaMalloc((void **)&p, 1));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(launch_delay(1000, stream));
    CHECK(cudaMemsetAsync(p, 5, 1, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    printf("cudaGraphDestroy before the launch: %s\n", cudaGetErrorName(cudaGraphDestroy(graph)));
    printf("cudaGraphLaunch: %s\n", cudaGetErrorName(cudaGraphLaunch(exec, stream)));
    printf("cudaGraphExecDestroy while it runs: %s\n",
           cudaGetErrorName(cudaGraphExecDestroy(exec)));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&got, p, 1, cudaMemcpyDeviceToHost));
    printf("the launch completed: %s\n", yes(got == 5));
    return 0;
}

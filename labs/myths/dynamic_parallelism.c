/* "Kernels in a graph cannot launch further work." */
#include "dynamic_parallelism_kernels.h"
#include "myth.h"

/* A graph that sets the byte. A kernel can launch it if it is instantiated for device launch, and
 * uploaded. */
static cudaGraphExec_t graph_for_device(unsigned char *byte, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(byte, 1, 1, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    CHECK(cudaGraphUpload(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    return exec;
}

static void launches_a_graph(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    unsigned char *byte, got;
    CHECK(cudaMalloc((void **)&byte, 1));
    CHECK(cudaMemsetAsync(byte, 0, 1, stream));
    cudaGraphExec_t second = graph_for_device(byte, stream);

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(launch_graph_launcher(second, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&got, byte, 1, cudaMemcpyDeviceToHost));
    printf("the kernel in the graph has launched another graph: %s\n", yes(got == 1));
}

static void launches_a_kernel(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *runs, in_stream, in_all;
    CHECK(cudaMalloc((void **)&runs, sizeof *runs));
    CHECK(cudaMemsetAsync(runs, 0, sizeof *runs, stream));
    CHECK(launch_parent(runs, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&in_stream, runs, sizeof *runs, cudaMemcpyDeviceToHost));

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(launch_parent(runs, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&in_all, runs, sizeof *runs, cudaMemcpyDeviceToHost));
    printf("child kernels: %d of one stream launch, %d of two graph launches\n", in_stream,
           in_all - in_stream);
}

int main(void)
{
    cudaStream_t stream = new_stream();
    launches_a_graph(stream);
    launches_a_kernel(stream);
    return 0;
}

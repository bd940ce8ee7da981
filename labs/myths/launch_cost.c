/* "A launch costs five to ten microseconds, a copy five, or even fifty." */
#include "myth.h"

enum { N = 128, BYTES = 4096 };

static void *device, *pinned;

static void copy(cudaStream_t stream)
{
    CHECK(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream));
}

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaMalloc(&device, BYTES));
    CHECK(cudaMallocHost(&pinned, BYTES));
    CHECK(cudaMemsetAsync(device, 0, BYTES, stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < N; i++)
        CHECK(launch_empty(1, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));

    double call_us, wait_us, graph_us, copy_us, copy_wait_us;
    MEASURE(wait_us, CHECK(launch_empty(1, stream)); CHECK(cudaStreamSynchronize(stream)));
    MEASURE(call_us, for (int i = 0; i < N; i++) CHECK(launch_empty(1, stream)));
    MEASURE(graph_us, CHECK(cudaGraphLaunch(exec, stream)));
    CHECK(cudaStreamSynchronize(stream));
    MEASURE(copy_wait_us, copy(stream); CHECK(cudaStreamSynchronize(stream)));
    MEASURE(copy_us, for (int i = 0; i < N; i++) copy(stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("a launch takes less than half of a launch and a wait: %s\n",
           yes(call_us / N < wait_us / 2));
    printf("a copy of 4 KiB takes less than half of a copy and a wait: %s\n",
           yes(copy_us / N < copy_wait_us / 2));
    printf("a graph node costs the host less than a tenth of a launch: %s\n",
           yes(graph_us < call_us / 10));
    return 0;
}

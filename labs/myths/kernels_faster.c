/* "A graph makes kernels faster." */
#include "myth.h"

static void queue(int n, float us, cudaStream_t stream)
{
    for (int i = 0; i < n; i++)
        CHECK(us > 0 ? launch_delay(us, stream) : launch_empty(1, stream));
}

static void compare(const char *what, int n, float us)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    double stream_us, graph_us;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    queue(n, us, stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    MEASURE(stream_us, queue(n, us, stream); CHECK(cudaStreamSynchronize(stream)));
    MEASURE(graph_us, CHECK(cudaGraphLaunch(exec, stream)); CHECK(cudaStreamSynchronize(stream)));
    printf("%s: the graph is over 1.5 times as fast: %s\n", what, yes(graph_us * 1.5 < stream_us));
}

int main(void)
{
    compare("one kernel of 2000 us", 1, 2000);
    compare("10 kernels of 200 us", 10, 200);
    compare("100 kernels that do nothing", 100, 0);
    return 0;
}

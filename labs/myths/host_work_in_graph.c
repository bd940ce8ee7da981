/* "There is no CPU work in a graph." */
#include "myth.h"

static int n_calls;

static void count(void *unused)
{
    (void)unused;
    n_calls++;
}

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(launch_empty(1, stream));
    n_calls += 10; /* ordinary code runs once, now, and becomes no node */
    CHECK(cudaLaunchHostFunc(stream, count, NULL));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    printf("before the first launch: %d\n", n_calls);
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("after three launches: %d\n", n_calls);
    return 0;
}

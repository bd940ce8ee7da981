/* "A graph is launched into one stream, so its nodes run serially." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream(), side = new_stream();
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    double one_us, graph_us;
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, stream));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    CHECK(launch_delay(500, stream));
    CHECK(launch_delay(500, side));
    CHECK(cudaEventRecord(join, side));
    CHECK(cudaStreamWaitEvent(stream, join, 0));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    MEASURE(one_us, CHECK(launch_delay(500, stream)); CHECK(cudaStreamSynchronize(stream)));
    MEASURE(graph_us, CHECK(cudaGraphLaunch(exec, stream)); CHECK(cudaStreamSynchronize(stream)));
    printf("two branches take as long as %.0f kernel\n", graph_us / one_us);
    return 0;
}

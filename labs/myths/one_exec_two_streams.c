/* "One executable graph, launched into two streams, runs twice at once." */
#include "myth.h"

int main(void)
{
    cudaStream_t streams[] = {new_stream(), new_stream()};
    cudaGraph_t graph;
    cudaGraphExec_t exec, other;
    double one_us, same_us, two_us;
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    CHECK(launch_delay(1000, streams[0]));
    CHECK(cudaStreamEndCapture(streams[0], &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphInstantiate(&other, graph, 0));
    MEASURE(one_us, CHECK(cudaGraphLaunch(exec, streams[0])); CHECK(cudaDeviceSynchronize()));
    MEASURE(same_us, CHECK(cudaGraphLaunch(exec, streams[0]));
            CHECK(cudaGraphLaunch(exec, streams[1])); CHECK(cudaDeviceSynchronize()));
    MEASURE(two_us, CHECK(cudaGraphLaunch(exec, streams[0]));
            CHECK(cudaGraphLaunch(other, streams[1])); CHECK(cudaDeviceSynchronize()));
    printf("two launches of one executable graph take as long as %.0f\n", same_us / one_us);
    printf("launches of two executable graphs take as long as %.0f\n", two_us / one_us);
    return 0;
}

/* "Once it is instantiated, every launch of a graph costs the same." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    CHECK(launch_empty(1, stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 128; i++)
        CHECK(launch_empty(1, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    for (int uploaded = 0; uploaded < 2; uploaded++) {
        cudaGraphExec_t exec;
        double first_us, later_us;
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        if (uploaded)
            CHECK(cudaGraphUpload(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        first_us = clock_now_us();
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        first_us = clock_now_us() - first_us;
        MEASURE(later_us, CHECK(cudaGraphLaunch(exec, stream));
                CHECK(cudaStreamSynchronize(stream)));
        printf("%s: the first launch takes over 1.5 times as long as later ones: %s\n",
               uploaded ? "with cudaGraphUpload" : "without cudaGraphUpload",
               yes(first_us > 1.5 * later_us));
    }
    return 0;
}

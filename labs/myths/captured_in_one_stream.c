/* "A graph finds out by itself which kernels are independent." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes = 0, edges = 0;
    double one_us, graph_us;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 4; i++)
        CHECK(launch_delay(500, stream)); /* four independent kernels */
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    MEASURE(one_us, CHECK(launch_delay(500, stream)); CHECK(cudaStreamSynchronize(stream)));
    MEASURE(graph_us, CHECK(cudaGraphLaunch(exec, stream)); CHECK(cudaStreamSynchronize(stream)));
    printf("%zu nodes, %zu edges\n", nodes, edges);
    printf("the graph takes as long as %.0f kernels\n", graph_us / one_us);
    return 0;
}

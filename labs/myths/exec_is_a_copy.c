/* "Change a node of the graph, and the next launch uses the change." */
#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    unsigned char *p, got[3];
    CHECK(cudaMalloc((void **)&p, 1));
    struct cudaMemsetParams params = {
        .dst = p, .value = 1, .elementSize = 1, .width = 1, .height = 1};
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &params));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));

    for (int i = 0; i < 3; i++) {
        params.value = 2;
        if (i == 1)
            CHECK(cudaGraphMemsetNodeSetParams(node, &params));
        if (i == 2)
            CHECK(cudaGraphExecMemsetNodeSetParams(exec, node, &params));
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy(&got[i], p, 1, cudaMemcpyDeviceToHost));
    }
    printf("as instantiated: %d; node of the graph set: %d; node of the executable graph set: %d\n",
           got[0], got[1], got[2]);
    return 0;
}

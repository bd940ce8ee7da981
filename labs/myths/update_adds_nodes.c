/* "An update can add and delete nodes." */
#include "myth.h"

static cudaStream_t stream;
static unsigned char *bytes;

/* Sets the first n bytes to `value`, with a node each. */
static cudaGraph_t graph_of(int n, int value)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < n; i++)
        CHECK(cudaMemsetAsync(bytes + i, value, 1, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

static void update(const char *what, cudaGraphExec_t exec, cudaGraph_t graph)
{
    cudaGraphExecUpdateResultInfo info;
    unsigned char got[3];
    cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    CHECK(cudaMemsetAsync(bytes, 0, sizeof got, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(got, bytes, sizeof got, cudaMemcpyDeviceToHost));
    printf("%s: %s; the launch sets %d %d %d\n", what, cudaGetErrorName(error), got[0], got[1],
           got[2]);
}

int main(void)
{
    cudaGraphExec_t exec;
    stream = new_stream();
    CHECK(cudaMalloc((void **)&bytes, 3));
    CHECK(cudaGraphInstantiate(&exec, graph_of(2, 1), 0));
    update("a node more", exec, graph_of(3, 2));
    update("a node less", exec, graph_of(1, 3));
    update("as many nodes", exec, graph_of(2, 4));
    printf("the last error after that: %s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}

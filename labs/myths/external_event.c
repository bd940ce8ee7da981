/* Events inside a graph */
#include "myth.h"

enum { KERNEL_US = 2000 };

int main(void)
{
    cudaStream_t stream = new_stream(), other = new_stream();
    cudaEvent_t begin, middle, plain;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes;
    float ms;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&middle));
    CHECK(cudaEventCreate(&plain));
    CHECK(launch_delay(1, stream)); /* the first launch of a kernel loads its code */
    printf("outside of a capture: %s\n",
           cudaGetErrorName(cudaEventRecordWithFlags(begin, stream, cudaEventRecordExternal)));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecordWithFlags(begin, stream, cudaEventRecordExternal));
    CHECK(launch_delay(KERNEL_US, stream));
    CHECK(cudaEventRecordWithFlags(middle, stream, cudaEventRecordExternal));
    CHECK(cudaEventRecord(plain, stream)); /* marks a place in the capture, and is no node */
    CHECK(launch_delay(BUSY_US, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamWaitEvent(other, middle, 0));
    CHECK(cudaStreamSynchronize(other));
    printf("2 kernels, 2 external records, 1 plain record: %zu nodes\n", nodes);
    printf("another stream waits for the middle of the graph: %s\n",
           yes(cudaStreamQuery(stream) == cudaErrorNotReady));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventElapsedTime(&ms, begin, middle));
    printf("the time between the records is that of the first kernel: %s\n",
           yes(ms * 1000 > 0.8 * KERNEL_US && ms * 1000 < 2 * KERNEL_US));
    printf("the time up to the plain record: %s\n",
           cudaGetErrorName(cudaEventElapsedTime(&ms, begin, plain)));
    return 0;
}

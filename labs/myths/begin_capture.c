/* "A capture begins with cudaGraphBeginCapture(&graph, stream)." */
#include <dlfcn.h>

#include "myth.h"

int main(void)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t graph = NULL;
    printf("cudaGraphBeginCapture exists: %s\n",
           yes(dlsym(RTLD_DEFAULT, "cudaGraphBeginCapture") != NULL));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal)); /* captures a stream */
    CHECK(launch_empty(1, stream));
    CHECK(cudaStreamEndCapture(stream, &graph)); /* returns the graph */
    printf("there is a graph after cudaStreamEndCapture: %s\n", yes(graph != NULL));
    CHECK(cudaGraphDestroy(graph));
    return 0;
}

/* "Work in the default stream waits for all other streams." */
#include "myth.h"

static void ask(const char *kind, cudaStream_t stream)
{
    keep_busy(stream);
    CHECK(launch_empty(1, cudaStreamLegacy));
    CHECK(cudaStreamSynchronize(cudaStreamLegacy));
    printf("the default stream waits for a %s stream: %s\n", kind,
           yes(cudaStreamQuery(stream) == cudaSuccess));
    CHECK(cudaStreamSynchronize(stream));
}

int main(void)
{
    cudaStream_t blocking;
    CHECK(cudaStreamCreate(&blocking));
    CHECK(launch_empty(1, cudaStreamLegacy));
    ask("blocking", blocking);
    ask("non-blocking", new_stream());
    return 0;
}

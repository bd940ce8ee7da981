/* The memory of an executable graph */
#include "myth.h"

/* With an argument it prints the memory per node; without one, what holds on every GPU. */
enum { NODES = 20000, KIB = 1024 };

static size_t free_bytes(void)
{
    size_t bytes, total;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemGetInfo(&bytes, &total));
    return bytes;
}

int main(int argc, char **argv)
{
    (void)argv;
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    if (clock_is_virtual()) {
        puts("needs a GPU: executable graphs take no memory of the simulated device");
        return MYTH_SKIPPED;
    }
    CHECK(launch_empty(1, stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < NODES; i++)
        CHECK(launch_empty(1, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    const size_t before = free_bytes();
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    const size_t after = free_bytes();
    printf("an executable graph of %d kernels takes memory of the device: %s\n", NODES,
           yes(after < before));
    if (argc > 1)
        printf("%.2f KiB per node\n", (double)(before - after) / NODES / KIB);
    return 0;
}

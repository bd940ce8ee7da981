/* "After the launch and a wait, the host has the results of all kernels of the graph." */
#include "myth.h"

static float *x, *y, *result;
static cudaStream_t stream;

static void enqueue_copy(void)
{
    CHECK(cudaMemcpyAsync(result, y, sizeof *y, cudaMemcpyDeviceToHost, stream));
}

/* Two kernels that add 1 to y each, and a copy of y to the host, before the second one or after. */
static void replay(const char *what, int before)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(launch_saxpy(y, x, 1, 1, stream));
    if (before)
        enqueue_copy();
    CHECK(launch_saxpy(y, x, 1, 1, stream));
    if (!before)
        enqueue_copy();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaMemsetAsync(y, 0, sizeof *y, stream));
    printf("%s:", what);
    for (int launch = 1; launch <= 2; launch++) {
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        printf(" launch %d prints %.0f of %d%s", launch, *result, 2 * launch,
               launch == 1 ? "," : "\n");
    }
}

int main(void)
{
    float one = 1;
    stream = new_stream();
    CHECK(cudaMalloc((void **)&x, sizeof *x));
    CHECK(cudaMalloc((void **)&y, sizeof *y));
    CHECK(cudaMallocHost((void **)&result, sizeof *result));
    CHECK(cudaMemcpyAsync(x, &one, sizeof one, cudaMemcpyHostToDevice, stream));
    replay("copied before the second kernel", 1);
    replay("copied after it", 0);
    return 0;
}

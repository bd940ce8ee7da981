/* "Unused objects can be destroyed at any time." */
#include "myth.h"

static cudaStream_t stream;
static cudaGraphExec_t exec;

static void ask(const char *call, cudaError_t error)
{
    enum cudaStreamCaptureStatus status;
    cudaGetLastError();
    CHECK(cudaStreamIsCapturing(stream, &status));
    printf("%s: %s, the capture goes on: %s\n", call, cudaGetErrorName(error),
           yes(status == cudaStreamCaptureStatusActive));
}

int main(void)
{
    cudaGraph_t graph, ended;
    cudaEvent_t event;
    cudaMemPool_t pool;
    unsigned long long bytes;
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    stream = new_stream();
    CHECK(cudaEventCreate(&event));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    ask("cudaEventDestroy", cudaEventDestroy(event));
    ask("cudaGraphDestroy", cudaGraphDestroy(graph));
    ask("cudaGraphExecDestroy", cudaGraphExecDestroy(exec));
    cudaStreamEndCapture(stream, &ended);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    ask("cudaMemPoolGetAttribute",
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
    cudaStreamEndCapture(stream, &ended);

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode)); /* for the call that is known to be safe */
    ask("cudaGraphExecDestroy in relaxed mode", cudaGraphExecDestroy(exec));
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    CHECK(cudaStreamEndCapture(stream, &ended));
    return 0;
}

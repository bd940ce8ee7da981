/* "A stream that captures can wait for any event, and any thread can end the capture." */
#include <pthread.h>

#include "myth.h"

static void *end(void *stream)
{
    cudaGraph_t graph;
    printf("cudaStreamEndCapture in another thread: %s\n",
           cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
    return NULL;
}

int main(void)
{
    cudaStream_t a = new_stream(), b = new_stream();
    cudaEvent_t event;
    cudaGraph_t graph;
    pthread_t thread;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaStreamBeginCapture(b, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaEventRecord(event, a));
    printf("waiting for an event of another capture: %s\n",
           cudaGetErrorName(cudaStreamWaitEvent(b, event, 0)));
    printf("both captures: %s, ", cudaGetErrorName(cudaStreamEndCapture(a, &graph)));
    printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(b, &graph)));

    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
    if (pthread_create(&thread, NULL, end, a) == 0)
        pthread_join(thread, NULL);
    return 0;
}

/* "In thread-local mode no other thread can disturb a capture." */
#include <pthread.h>

#include "myth.h"

static void *allocate(void *p)
{
    printf("cudaMalloc: %s", cudaGetErrorName(cudaMalloc(p, 4096)));
    return NULL;
}

static void *synchronize(void *p)
{
    printf("cudaDeviceSynchronize: %s", cudaGetErrorName(cudaDeviceSynchronize()));
    return p;
}

static void *use_legacy_stream(void *p)
{
    printf("a memset in the default stream: %s",
           cudaGetErrorName(cudaMemsetAsync(*(void **)p, 0, 4096, cudaStreamLegacy)));
    return NULL;
}

/* Another thread makes a call while this one captures. */
static void capture_beside(const char *kind, unsigned flags, void *(*call)(void *), void **p)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    pthread_t thread;
    CHECK(cudaStreamCreateWithFlags(&stream, flags));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    printf("%s stream, ", kind);
    if (pthread_create(&thread, NULL, call, p) == 0)
        pthread_join(thread, NULL);
    printf("; the capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
    cudaGetLastError();
}

int main(void)
{
    void *p;
    capture_beside("non-blocking", cudaStreamNonBlocking, allocate, &p);
    capture_beside("non-blocking", cudaStreamNonBlocking, use_legacy_stream, &p);
    capture_beside("blocking", cudaStreamDefault, use_legacy_stream, &p);
    capture_beside("non-blocking", cudaStreamNonBlocking, synchronize, &p);
    return 0;
}

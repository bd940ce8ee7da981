/* "cudaStreamWaitEvent waits until somebody records the event." */
#include "myth.h"

int main(void)
{
    cudaStream_t first = new_stream(), second = new_stream();
    cudaEvent_t event;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(launch_empty(1, second));
    keep_busy(first);
    CHECK(cudaStreamWaitEvent(second, event, 0)); /* never recorded: a no-op */
    CHECK(launch_empty(1, second));
    CHECK(cudaEventRecord(event, first)); /* too late */
    CHECK(cudaStreamSynchronize(second));
    printf("the second stream waited for the first: %s\n",
           yes(cudaStreamQuery(first) == cudaSuccess));
    CHECK(cudaStreamSynchronize(first));
    return 0;
}

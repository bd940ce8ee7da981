/* "Before a stream can wait for an event, the host must see that it has completed." */
#include "myth.h"

int main(void)
{
    cudaStream_t first = new_stream(), second = new_stream();
    cudaEvent_t event;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    keep_busy(first);
    CHECK(cudaEventRecord(event, first));
    printf("the host waits in cudaStreamWaitEvent: %s\n",
           yes(WAITED(cudaStreamWaitEvent(second, event, 0))));
    CHECK(launch_empty(1, second));
    CHECK(cudaStreamSynchronize(second));
    printf("the second stream waited for the first: %s\n",
           yes(cudaStreamQuery(first) == cudaSuccess));
    return 0;
}

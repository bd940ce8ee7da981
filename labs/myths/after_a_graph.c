/* "A graph runs by itself: operations enqueued after its launch may run beside it." */
#include "myth.h"

struct seen {
    const volatile unsigned char *done; /* pinned: each branch sets its byte at its end */
    int by_function;
};

static void look(void *arg)
{
    struct seen *seen = arg;
    seen->by_function = seen->done[0] + seen->done[1];
}

int main(void)
{
    cudaStream_t origin = new_stream(), other = new_stream();
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    unsigned char *one, *done;
    struct seen seen;
    CHECK(cudaMalloc((void **)&one, 1));
    CHECK(cudaMemsetAsync(one, 1, 1, origin));
    CHECK(cudaMallocHost((void **)&done, 2));
    CHECK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    done[0] = done[1] = 0;
    seen.done = done;

    CHECK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(forked, origin));
    CHECK(cudaStreamWaitEvent(other, forked, 0));
    CHECK(launch_delay(BUSY_US, origin));
    CHECK(cudaMemcpyAsync(done, one, 1, cudaMemcpyDeviceToHost, origin));
    CHECK(launch_delay(2 * BUSY_US, other));
    CHECK(cudaMemcpyAsync(done + 1, one, 1, cudaMemcpyDeviceToHost, other));
    CHECK(cudaEventRecord(joined, other));
    CHECK(cudaStreamWaitEvent(origin, joined, 0));
    CHECK(cudaStreamEndCapture(origin, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));

    CHECK(cudaGraphLaunch(exec, origin));
    CHECK(cudaLaunchHostFunc(origin, look, &seen));
    printf("branches complete when cudaGraphLaunch has returned: %d of 2\n", done[0] + done[1]);
    CHECK(cudaStreamSynchronize(origin));
    printf("branches complete when the host function after it runs: %d of 2\n", seen.by_function);
    return 0;
}

/* "A priority makes its kernel faster." */
#include "myth.h"

/* `batch` fills the device before the critical path, a short kernel and a long one, begins. */
enum { BATCH = 16 << 20, FIRST = 1 << 16, STARTED_US = 10, RUNS = 3 };

static float *x, *y;
static cudaStream_t origin, side;

static cudaGraphExec_t instantiate(int priority, unsigned long long flags, float rest_us)
{
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreateWithPriority(&origin, cudaStreamNonBlocking, priority));
    CHECK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaEventRecord(forked, origin));
    CHECK(cudaStreamWaitEvent(side, forked, 0));
    CHECK(launch_saxpy(y, x, 2, BATCH, side));
    CHECK(launch_delay(STARTED_US, origin));
    CHECK(launch_saxpy(y + BATCH, x, 2, FIRST, origin)); /* a node has its stream's priority */
    CHECK(launch_delay(rest_us, origin));
    CHECK(cudaEventRecord(joined, side));
    CHECK(cudaStreamWaitEvent(origin, joined, 0));
    CHECK(cudaStreamEndCapture(origin, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, flags));
    return exec;
}

static double time_us(cudaGraphExec_t exec)
{
    double us;
    MEASURE_TIMES(RUNS, us, CHECK(cudaGraphLaunch(exec, side)); CHECK(cudaStreamSynchronize(side)));
    return us;
}

int main(void)
{
    const unsigned long long use = cudaGraphInstantiateFlagUseNodePriority;
    int least, greatest;
    double batch_us;
    side = new_stream();
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaMalloc((void **)&x, BATCH * sizeof *x));
    CHECK(cudaMalloc((void **)&y, (BATCH + FIRST) * sizeof *y));
    CHECK(cudaMemsetAsync(x, 0, BATCH * sizeof *x, side));
    CHECK(cudaMemsetAsync(y, 0, (BATCH + FIRST) * sizeof *y, side));
    MEASURE_TIMES(RUNS, batch_us, CHECK(launch_saxpy(y, x, 2, BATCH, side));
                  CHECK(cudaStreamSynchronize(side)));
    const double equal_us = time_us(instantiate(least, use, (float)batch_us)),
                 used_us = time_us(instantiate(greatest, use, (float)batch_us)),
                 ignored_us = time_us(instantiate(greatest, 0, (float)batch_us));
    printf("the critical path has the greatest priority: the graph is over 1.2 times as fast: %s\n",
           yes(used_us * 1.2 < equal_us));
    printf("the same without cudaGraphInstantiateFlagUseNodePriority: %s\n",
           yes(ignored_us * 1.2 < equal_us));
    return 0;
}

/* "A fork-join graph is one and a half to three times as fast as streams." */
#include "myth.h"

enum { WIDE = 4 };

static cudaStream_t streams[WIDE];
static cudaEvent_t fork, join[WIDE];

/* Enqueues `n` kernels in each stream, with a fork before and a join after them. */
static void queue(int n, float us)
{
    CHECK(cudaEventRecord(fork, streams[0]));
    for (int s = 1; s < WIDE; s++)
        CHECK(cudaStreamWaitEvent(streams[s], fork, 0));
    for (int i = 0; i < n * WIDE; i++)
        CHECK(us > 0 ? launch_delay(us, streams[i % WIDE]) : launch_empty(1, streams[i % WIDE]));
    for (int s = 1; s < WIDE; s++) {
        CHECK(cudaEventRecord(join[s], streams[s]));
        CHECK(cudaStreamWaitEvent(streams[0], join[s], 0));
    }
}

static void compare(const char *what, int n, float us)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    double stream_us, graph_us;
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    queue(n, us);
    CHECK(cudaStreamEndCapture(streams[0], &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    MEASURE(stream_us, queue(n, us); CHECK(cudaStreamSynchronize(streams[0])));
    MEASURE(graph_us, CHECK(cudaGraphLaunch(exec, streams[0]));
            CHECK(cudaStreamSynchronize(streams[0])));
    printf("%s: the graph is over 1.5 times as fast: %s\n", what, yes(graph_us * 1.5 < stream_us));
}

int main(void)
{
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    for (int s = 0; s < WIDE; s++) {
        streams[s] = new_stream();
        CHECK(cudaEventCreateWithFlags(&join[s], cudaEventDisableTiming));
    }
    compare("4 x 5 kernels of 300 us", 5, 300);
    compare("4 x 25 kernels that do nothing", 25, 0);
    return 0;
}

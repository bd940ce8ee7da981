/* chain.c: kernels in chains, by stream and by capture. */
#include "chain.h"

#include "bench.h"

static cudaStream_t streams[CHAIN_WIDTH];
static cudaEvent_t forked, joined[CHAIN_WIDTH];

void chain_begin(void)
{
    CHECK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    for (int i = 0; i < CHAIN_WIDTH; i++) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&joined[i], cudaEventDisableTiming));
    }
}

cudaStream_t chain_stream(void)
{
    return streams[0];
}

void chain_wait(void)
{
    CHECK(cudaStreamSynchronize(streams[0]));
}

void chain_launch(const struct chain *c)
{
    if (c->width > 1)
        CHECK(cudaEventRecord(forked, streams[0]));
    for (int s = 1; s < c->width; s++)
        CHECK(cudaStreamWaitEvent(streams[s], forked, 0));
    for (int i = 0; i < c->nodes; i++) {
        cudaStream_t s = streams[i % c->width];
        CHECK(c->us > 0 ? launch_delay(c->us, s) : launch_empty(c->blocks ? c->blocks : 1, s));
    }
    for (int s = 1; s < c->width; s++) {
        CHECK(cudaEventRecord(joined[s], streams[s]));
        CHECK(cudaStreamWaitEvent(streams[0], joined[s], 0));
    }
}

cudaGraph_t chain_capture(const struct chain *c)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
    chain_launch(c);
    CHECK(cudaStreamEndCapture(streams[0], &graph));
    return graph;
}

cudaGraphExec_t chain_instantiate(const struct chain *c)
{
    return bench_instantiate(chain_capture(c));
}

double chain_stream_us(const struct chain *c)
{
    double t0 = clock_now_us();
    chain_launch(c);
    chain_wait();
    return bench_since(t0);
}

double chain_graph_us(cudaGraphExec_t exec)
{
    return bench_launch_us(exec, chain_stream());
}

/* "Graphs make the code simpler." */
#include "myth.h"

enum { ITERATIONS = 100 };

static int n_calls;
#define COUNT(call) (n_calls++, CHECK(call))

static cudaStream_t first, second;
static cudaEvent_t fork, join;

/* Two kernels that run concurrently. The caller waits for the first stream. */
static void enqueue(void)
{
    COUNT(cudaEventRecord(fork, first));
    COUNT(cudaStreamWaitEvent(second, fork, 0));
    COUNT(launch_empty(1, first));
    COUNT(launch_empty(1, second));
    COUNT(cudaEventRecord(join, second));
    COUNT(cudaStreamWaitEvent(first, join, 0));
}

/* The number of calls that `iterations` iterations make. */
static int with_streams(int iterations)
{
    n_calls = 0;
    for (int i = 0; i < iterations; i++)
        enqueue();
    CHECK(cudaStreamSynchronize(first));
    return n_calls;
}

static int with_a_graph(int iterations)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    n_calls = 0;
    COUNT(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    enqueue();
    COUNT(cudaStreamEndCapture(first, &graph));
    COUNT(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < iterations; i++)
        COUNT(cudaGraphLaunch(exec, first));
    CHECK(cudaStreamSynchronize(first));
    COUNT(cudaGraphExecDestroy(exec));
    COUNT(cudaGraphDestroy(graph));
    return n_calls;
}

int main(void)
{
    first = new_stream();
    second = new_stream();
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    printf("calls in the code: %d with stream launches, %d with a graph\n", with_streams(1),
           with_a_graph(1));
    printf("calls in %d iterations: %d with stream launches, %d with a graph\n", ITERATIONS,
           with_streams(ITERATIONS), with_a_graph(ITERATIONS));
    return 0;
}

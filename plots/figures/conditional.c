/* conditional.c: a loop whose end is decided by what the device has computed: a WHILE node, and the
 * host that copies the count back and looks, by stream and with the step and the copy as a graph.
 * Beside them the same number of steps as a plain chain, which decides nothing. */
#include "bench.h"
#include "conditional_kernels.h"

static cudaStream_t stream;
static int *left, *seen; /* on the device; pinned */
static int n;
static cudaGraphExec_t loop, round_trip, chain;

/* begin -> WHILE [ step ] */
static cudaGraphExec_t while_loop(void)
{
    cudaGraph_t graph, body;
    cudaGraphNode_t root, node;
    cudaGraphConditionalHandle condition;
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeConditional};
    size_t one = 1;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK(launch_begin(left, n, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, &root, &one));
    CHECK(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
    params.conditional.handle = condition;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, &root, NULL, 1, &params));
    CHECK(cudaStreamBeginCaptureToGraph(stream, params.conditional.phGraph_out[0], NULL, NULL, 0,
                                        cudaStreamCaptureModeThreadLocal));
    CHECK(launch_step_while(left, condition, stream));
    CHECK(cudaStreamEndCapture(stream, &body));
    return bench_instantiate(graph);
}

static void step_and_look(void)
{
    CHECK(launch_step(left, stream));
    CHECK(cudaMemcpyAsync(seen, left, sizeof *seen, cudaMemcpyDeviceToHost, stream));
}

static cudaGraphExec_t captured(int steps)
{
    bench_capture(stream);
    if (steps == 0)
        step_and_look();
    else
        CHECK(launch_begin(left, n, stream));
    for (int i = 0; i < steps; i++)
        CHECK(launch_step(left, stream));
    return bench_captured(stream);
}

static void launched(void *exec, double *v)
{
    v[0] = bench_launch_us(*(cudaGraphExec_t *)exec, stream) / n;
}

static void by_host(void *graph, double *v)
{
    double t0 = clock_now_us();
    CHECK(launch_begin(left, n, stream));
    do {
        if (graph)
            CHECK(cudaGraphLaunch(round_trip, stream));
        else
            step_and_look();
        CHECK(cudaStreamSynchronize(stream));
    } while (*seen > 0);
    v[0] = bench_since(t0) / n;
}

/* Did the loop stop where it should? */
static void compare(void)
{
    double us;
    launched(&loop, &us);
    CHECK(cudaMemcpy(seen, left, sizeof *seen, cudaMemcpyDeviceToHost));
    if (*seen == 0)
        return;
    fprintf(stderr, "conditional: the WHILE node left %d of %d steps\n", *seen, n);
    exit(1);
}

int main(int argc, char **argv)
{
    static int yes = 1;
    const struct bench_variant variants[] = {
        {{"while"}, launched, &loop},
        {{"chain"}, launched, &chain},
        {{"host.stream"}, by_host, NULL},
        {{"host.graph"}, by_host, &yes},
    };
    const int step = bench_quick() ? 32 : 4, points = bench_quick() ? 3 : 6;
    bench_needs_results();
    bench_begin(argc, argv, "conditional",
                "a loop of an almost empty kernel that ends when the device says so", "iterations",
                points);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMalloc((void **)&left, sizeof *left));
    CHECK(cudaMallocHost((void **)&seen, sizeof *seen));
    round_trip = captured(0);
    for (n = 1; n <= 1024; n *= step) {
        loop = while_loop();
        chain = captured(n);
        compare();
        bench_point(n, "us", variants, 4);
        CHECK(cudaGraphExecDestroy(loop));
        CHECK(cudaGraphExecDestroy(chain));
    }
    return bench_end();
}

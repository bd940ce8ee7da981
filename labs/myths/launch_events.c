/* Programmatic and launch completion events */
#include "myth.h"

static float *in, *out;

static cudaError_t launch_with(cudaStream_t stream, cudaLaunchAttribute *attribute)
{
    int steps = 0, n = 1;
    void *args[] = {&out, &in, &steps, &n};
    const cudaLaunchConfig_t config = {.gridDim = {1, 1, 1},
                                       .blockDim = {32, 1, 1},
                                       .stream = stream,
                                       .attrs = attribute,
                                       .numAttrs = 1};
    return cudaLaunchKernelExC(&config, kernel_produce(), args);
}

/* A kernel of a second stream waits for the event of a kernel in the first one: their edge. */
static void capture(const char *words, cudaLaunchAttribute *attribute, cudaEvent_t event)
{
    cudaStream_t first = new_stream(), second = new_stream();
    cudaEvent_t joined;
    cudaGraph_t graph;
    cudaGraphNode_t from, to;
    cudaGraphEdgeData edge;
    size_t n = 1;
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    CHECK(launch_with(first, attribute));
    CHECK(cudaStreamWaitEvent(second, event, 0));
    CHECK(launch_empty(1, second));
    CHECK(cudaEventRecord(joined, second));
    CHECK(cudaStreamWaitEvent(first, joined, 0));
    CHECK(cudaStreamEndCapture(first, &graph));
    CHECK(cudaGraphGetEdges(graph, &from, &to, &edge, &n));
    printf("%s: an edge from %s%s\n", words,
           edge.from_port == cudaGraphKernelNodePortProgrammatic       ? "the trigger of the kernel"
           : edge.from_port == cudaGraphKernelNodePortLaunchCompletion ? "the start of all blocks"
                                                                       : "the end of the kernel",
           edge.type == cudaGraphDependencyTypeProgrammatic ? ", programmatic" : "");
    CHECK(cudaGraphDestroy(graph));
}

int main(void)
{
    cudaEvent_t event, timed;
    cudaLaunchAttribute programmatic = {.id = cudaLaunchAttributeProgrammaticEvent},
                        completion = {.id = cudaLaunchAttributeLaunchCompletionEvent};
    CHECK(cudaMalloc((void **)&in, sizeof *in));
    CHECK(cudaMalloc((void **)&out, sizeof *out));
    CHECK(cudaMemset(in, 0, sizeof *in));
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&timed));
    programmatic.val.programmaticEvent.event = completion.val.launchCompletionEvent.event = event;
    capture("programmatic event", &programmatic, event);
    capture("launch completion event", &completion, event);
    completion.val.launchCompletionEvent.event = timed;
    printf("an event that takes the time: %s\n",
           cudaGetErrorName(launch_with(new_stream(), &completion)));
    return 0;
}

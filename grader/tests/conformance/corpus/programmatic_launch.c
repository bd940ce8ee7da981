/* programmatic_launch.c: programmatic launches, their events, and the edges that captures make of
 * them. */
#include "../graphs.h"

static int *place;

/* Launches a store with one attribute; none if `a` is NULL. */
static cudaError_t launch_with(cudaStream_t s, cudaLaunchAttribute *a)
{
    static int value = 5;
    static void *args[] = {&place, &value};
    cudaLaunchConfig_t c = {.gridDim = {1, 1, 1},
                            .blockDim = {1, 1, 1},
                            .stream = s,
                            .attrs = a,
                            .numAttrs = a != NULL};
    return cudaLaunchKernelExC(&c, situation_store(), args);
}

static cudaLaunchAttribute serialization(void)
{
    return (cudaLaunchAttribute){.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                                 .val = {.programmaticStreamSerializationAllowed = 1}};
}

static cudaLaunchAttribute event_attribute(cudaEvent_t e, int trigger, int flags)
{
    cudaLaunchAttribute a = {.id = cudaLaunchAttributeProgrammaticEvent};
    a.val.programmaticEvent.event = e;
    a.val.programmaticEvent.flags = flags;
    a.val.programmaticEvent.triggerAtBlockStart = trigger;
    return a;
}

static cudaLaunchAttribute completion_attribute(cudaEvent_t e, int flags)
{
    cudaLaunchAttribute a = {.id = cudaLaunchAttributeLaunchCompletionEvent};
    a.val.launchCompletionEvent.event = e;
    a.val.launchCompletionEvent.flags = flags;
    return a;
}

/* "0>1:1/1": all edges with port and type */
static void answer_data(cudaGraph_t g)
{
    cudaGraphNode_t from[8], to[8];
    cudaGraphEdgeData d[8];
    size_t n = 8;
    answer(cudaGraphGetEdges(g, from, to, d, &n));
    for (size_t i = 0; i < n; i++)
        answer_fact("edge, port/type", "%s>%s %d/%d", place_text(g, from[i]) + 5,
                    place_text(g, to[i]) + 5, d[i].from_port, d[i].type);
}

static cudaStream_t prepared(void)
{
    place = device_bytes(64);
    return nonblocking_stream();
}

SITUATION("launched outside a capture with a programmatic event: with timing; without; "
          "interprocess; NULL; flags 1; query after")
{
    cudaStream_t s = prepared();
    cudaEvent_t plain = new_event(0), quick = new_event(cudaEventDisableTiming),
                shared = new_event(cudaEventDisableTiming | cudaEventInterprocess);
    cudaLaunchAttribute a = event_attribute(plain, 0, 0);
    gives(NotSupported, launch_with(s, &a));
    a = event_attribute(quick, 0, 0);
    answer(launch_with(s, &a));
    a = event_attribute(shared, 0, 0);
    gives(NotSupported, launch_with(s, &a));
    a = event_attribute(NULL, 0, 0);
    gives(InvalidResourceHandle, launch_with(s, &a));
    a = event_attribute(quick, 1, 1);
    gives(IllegalState, launch_with(s, &a));
    answer(cudaStreamSynchronize(s));
    answer(cudaEventQuery(quick));
}

SITUATION("launched outside a capture with a launch completion event: with timing; without; NULL; "
          "flags 1; query after; another stream waits for it")
{
    cudaStream_t s = prepared(), t = nonblocking_stream();
    cudaEvent_t plain = new_event(0), quick = new_event(cudaEventDisableTiming);
    cudaLaunchAttribute a = completion_attribute(plain, 0);
    gives(NotSupported, launch_with(s, &a));
    a = completion_attribute(quick, 0);
    answer(launch_with(s, &a));
    answer(cudaStreamWaitEvent(t, quick, 0));
    a = completion_attribute(NULL, 0);
    gives(InvalidResourceHandle, launch_with(s, &a));
    a = completion_attribute(quick, 1);
    gives(IllegalState, launch_with(s, &a));
    answer(cudaDeviceSynchronize());
    answer(cudaEventQuery(quick));
}

/* A kernel with the attribute is captured, another stream waits for its event e. */
static void fork_by(cudaLaunchAttribute a, cudaEvent_t e)
{
    cudaStream_t s = prepared(), t = nonblocking_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(launch_with(s, &a));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer(launch_with(t, NULL));
    order_streams(t, s);
    cudaGraph_t g = captured("2 nodes", s);
    answer_data(g);
}

SITUATION("captured: a kernel with a programmatic event, a stream waits for it and launches a "
          "kernel, joined: edges; with a launch completion event",
          "edge, port/type: 0>1 1/1; 0>1 2/0")
{
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    fork_by(event_attribute(e, 0, 0), e);
    fork_by(completion_attribute(e, 0), e);
}

SITUATION("captured: a kernel with a programmatic event, a stream waits for it and does a memset: "
          "error, status, end",
          "edge, port/type: 0>1 1/1")
{
    cudaStream_t s = prepared(), t = nonblocking_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    cudaLaunchAttribute a = event_attribute(e, 0, 0);
    prepare_work();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(launch_with(s, &a));
    answer(cudaStreamWaitEvent(t, e, 0));
    answer(cudaMemsetAsync(place, 0, 4, t));
    status_is("active", s);
    order_streams(t, s);
    answer_data(captured("2 nodes", s));
}

SITUATION("captured: a stream that waits for a programmatic event: cudaStreamGetCaptureInfo with "
          "dependencies and no edge data; with it; without both")
{
    cudaStream_t s = prepared(), t = nonblocking_stream();
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    cudaLaunchAttribute a = event_attribute(e, 0, 0);
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *deps;
    const cudaGraphEdgeData *data = NULL;
    size_t n = 7;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    answer(launch_with(s, &a));
    answer(cudaStreamWaitEvent(t, e, 0));
    gives(LossyQuery, cudaStreamGetCaptureInfo(t, &status, NULL, NULL, &deps, NULL, &n));
    answer(cudaStreamGetCaptureInfo(t, &status, NULL, NULL, &deps, &data, &n));
    if (data)
        fact("edges, port/type", "1 1/1", "%zu %d/%d", n, data[0].from_port, data[0].type);
    answer(cudaStreamGetCaptureInfo(t, &status, NULL, NULL, NULL, NULL, NULL));
}

SITUATION(
    "captured: two kernels in two streams joined, then one with programmatic serialization: edges",
    "edge, port/type: 0>1 0/0; 0>2 0/0; 1>3 1/1; 2>3 1/1")
{
    cudaStream_t s = prepared(), t = nonblocking_stream();
    cudaLaunchAttribute a = serialization();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(launch_with(s, NULL));
    order_streams(s, t);
    answer(launch_with(t, NULL));
    answer(launch_with(s, NULL));
    order_streams(t, s);
    answer(launch_with(s, &a));
    answer_data(captured("4 nodes", s));
}

SITUATION("captured: the first node with programmatic serialization; a memset, then one with it; "
          "an external event record, then one with it: edges",
          "edge, port/type: 0>1 0/0; 1>2 0/0; 2>3 0/0; 3>4 0/0")
{
    cudaStream_t s = prepared();
    cudaLaunchAttribute a = serialization();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(launch_with(s, &a));
    answer(cudaMemsetAsync(place, 0, 4, s));
    answer(launch_with(s, &a));
    answer(cudaEventRecordWithFlags(new_event(0), s, cudaEventRecordExternal));
    answer(launch_with(s, &a));
    answer_data(captured("5 nodes", s));
}

SITUATION("a captured chain of three kernels with programmatic serialization: attribute of the "
          "node; instantiate; run; update to itself; clone runs",
          "edge, port/type: 0>1 1/1; 1>2 1/1")
{
    cudaStream_t s = prepared();
    cudaLaunchAttribute a = serialization();
    cudaLaunchAttributeValue v = {0};
    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t copy;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 3; i++)
        MUST(launch_with(s, &a));
    cudaGraph_t g = captured("3 nodes", s);
    gives(InvalidValue,
          cudaGraphKernelNodeGetAttribute(nth_node(g, 1),
                                          cudaLaunchAttributeProgrammaticStreamSerialization, &v));
    shows("0", "%d", v.programmaticStreamSerializationAllowed);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer(cudaGraphExecUpdate(x, g, &info));
    shows("0", "%d", (int)info.result);
    MUST(cudaGraphClone(&copy, g));
    answer_data(copy);
    answer_run(new_exec(copy));
}

SITUATION("update of a graph with a programmatic edge to one with a plain edge; of a plain one to "
          "a programmatic one: result")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 2);
    cudaGraphExecUpdateResultInfo info;
    MUST(cudaGraphAddDependencies(g, &a, &b, &programmatic_edge, 1));
    add_store(h, add_store(h, NULL, p, 3), p, 4);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    gives(GraphExecUpdateFailure, cudaGraphExecUpdate(x, h, &info));
    shows("2", "%d", (int)info.result);
    gives(GraphExecUpdateFailure, cudaGraphExecUpdate(y, g, &info));
    shows("2", "%d", (int)info.result);
    answer_run(x);
    shows("2", "%d", device_int(p));
}

SITUATION("cudaStreamUpdateCaptureDependencies to a kernel with a programmatic edge, then a "
          "kernel; then cudaGraphNodeGetDependencies without data",
          "edge, port/type: 0>1 1/1")
{
    cudaStream_t s = prepared();
    const cudaGraphNode_t *deps;
    cudaGraph_t g;
    enum cudaStreamCaptureStatus status;
    size_t n;
    cudaGraphEdgeData d = {.from_port = 1, .type = cudaGraphDependencyTypeProgrammatic};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(launch_with(s, NULL));
    MUST(cudaStreamGetCaptureInfo(s, &status, NULL, &g, &deps, NULL, &n));
    cudaGraphNode_t k = deps[0], got[2];
    answer(cudaStreamUpdateCaptureDependencies(s, &k, &d, 1, cudaStreamSetCaptureDependencies));
    answer(launch_with(s, NULL));
    captured("2 nodes", s);
    answer_data(g);
    n = 2;
    gives(LossyQuery, cudaGraphNodeGetDependencies(nth_node(g, 1), got, NULL, &n));
    n = 2;
    gives(LossyQuery, cudaGraphNodeGetDependentNodes(nth_node(g, 0), got, NULL, &n));
    answer(cudaGraphNodeGetDependentNodes(nth_node(g, 0), NULL, NULL, &n));
    shows("1", "%zu", n);
}

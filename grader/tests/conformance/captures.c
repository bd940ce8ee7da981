/* captures.c: captures, and threads that take part in them, see captures.h. */
#include "captures.h"

#include <pthread.h>
#include <stdint.h>

#include "graph_answers.h"

const enum cudaStreamCaptureMode capture_modes[3] = {
    cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed};

const struct capture_info capture_info_untouched = {
    (enum cudaStreamCaptureStatus)99, 99, (cudaGraph_t)99, (const cudaGraphNode_t *)99,
    (const cudaGraphEdgeData *)99,    99};

void begin_capture(cudaStream_t s, enum cudaStreamCaptureMode mode)
{
    prepare_work();
    MUST(cudaStreamBeginCapture(s, mode));
    some_work(s);
}

cudaStream_t capturing(enum cudaStreamCaptureMode mode)
{
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, mode);
    return s;
}

cudaError_t begin_capture_to(cudaStream_t s, cudaGraph_t g, cudaGraphNode_t after)
{
    prepare_work();
    return cudaStreamBeginCaptureToGraph(s, g, after ? &after : NULL, NULL, after != NULL,
                                         cudaStreamCaptureModeGlobal);
}

cudaGraph_t end_capture(cudaStream_t s)
{
    cudaGraph_t g = NULL;
    MUST(cudaStreamEndCapture(s, &g));
    return g;
}

cudaGraph_t captured_memsets(int n)
{
    void *p = device_bytes(SMALL);
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    for (int i = 0; i < n; i++)
        MUST(cudaMemsetAsync(p, i, SMALL, s));
    return end_capture(s);
}

void order_streams(cudaStream_t from, cudaStream_t to)
{
    cudaEvent_t e = new_event(cudaEventDisableTiming);
    MUST(cudaEventRecord(e, from));
    MUST(cudaStreamWaitEvent(to, e, 0));
}

cudaError_t capture_info_of(cudaStream_t s, struct capture_info *i)
{
    *i = capture_info_untouched;
    return cudaStreamGetCaptureInfo(s, &i->status, &i->id, &i->graph, &i->nodes, &i->data, &i->n);
}

const char *status_text(enum cudaStreamCaptureStatus status)
{
    static const char *const names[] = {"none", "active", "invalidated"};
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "untouched";
}

void answer_status_as(const char *expected, const char *source, cudaStream_t s)
{
    enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)99;
    cudaError_t e = cudaStreamIsCapturing(s, &status);
    if (e != cudaSuccess)
        answer_fact_as(source, expected, "%s", error_text(e));
    else
        answer_fact_as(source, expected, "%s", status_text(status));
}

cudaGraph_t answer_end_as(const char *expected, const char *expected_graph, const char *end,
                          const char *graph, cudaStream_t s)
{
    cudaGraph_t g = (cudaGraph_t)(uintptr_t)1;
    answer_error(expected, end, cudaStreamEndCapture(s, &g));
    if (g == (cudaGraph_t)(uintptr_t)1)
        answer_fact_as(graph, expected_graph, "untouched");
    else if (g)
        answer_fact_as(graph, expected_graph, "%zu nodes", node_count(g));
    else
        answer_fact_as(graph, expected_graph, "NULL");
    return g == (cudaGraph_t)(uintptr_t)1 ? NULL : g;
}

/* ---- threads --------------------------------------------------------------------------------- */

struct job {
    void (*f)(void *arg);
    void *arg;
};

static void *run_job(void *job)
{
    ((struct job *)job)->f(((struct job *)job)->arg);
    return NULL;
}

void in_thread(void (*f)(void *arg), void *arg)
{
    pthread_t t;
    struct job job = {f, arg};
    must(pthread_create(&t, NULL, run_job, &job) == 0 ? cudaSuccess : cudaErrorOperatingSystem,
         "pthread_create");
    pthread_join(t, NULL);
}

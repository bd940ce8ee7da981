/* captures.h: captures that situations are made of, and threads that take part in them. */
#pragma once

#include "situation.h"

/* Global, ThreadLocal, Relaxed. */
extern const enum cudaStreamCaptureMode capture_modes[3];

/* Begins a capture in the stream, with one memset already in it. */
void begin_capture(cudaStream_t s, enum cudaStreamCaptureMode mode);
/* A new non-blocking stream with such a capture. */
cudaStream_t capturing(enum cudaStreamCaptureMode mode);
/* Begins a Global capture to the graph, after the node (NULL: after nothing). */
cudaError_t begin_capture_to(cudaStream_t s, cudaGraph_t g, cudaGraphNode_t after);
/* Ends the capture, which succeeds. */
cudaGraph_t end_capture(cudaStream_t s);
/* A graph of n memsets captured in one stream. */
cudaGraph_t captured_memsets(int n);
/* `to` waits for what `from` was given so far: a fork, or a join. */
void order_streams(cudaStream_t from, cudaStream_t to);

const char *status_text(enum cudaStreamCaptureStatus status);
/* "active": the status of the stream's capture, or the error of cudaStreamIsCapturing */
#define status_is(expected, s) (note_reached(), answer_status_as(expected, "status(" #s ")", s))
#define answer_status(s) status_is(NULL, s)
void answer_status_as(const char *expected, const char *source, cudaStream_t s);
/* Ends the capture: its error, and the number of nodes of the graph captured, or NULL. */
#define end_gives(error, graph, s)                                                                 \
    (note_reached(), answer_end_as(error_text(cudaError##error), graph,                            \
                                   "cudaStreamEndCapture(" #s ")", "captured(" #s ")", s))
/* Answers the status and the end of a capture that is invalidated. */
#define is_invalidated(s)                                                                          \
    (status_is("invalidated", s), end_gives(StreamCaptureInvalidated, "NULL", s))
#define captured(graph, s)                                                                         \
    answer_end_as(NULL, graph, "cudaStreamEndCapture(" #s ")", "captured(" #s ")", s)
#define answer_end(s) captured(NULL, s)
cudaGraph_t answer_end_as(const char *expected, const char *expected_graph, const char *end,
                          const char *graph, cudaStream_t s);

/* What cudaStreamGetCaptureInfo fills in. */
struct capture_info {
    enum cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t graph;
    const cudaGraphNode_t *nodes;
    const cudaGraphEdgeData *data;
    size_t n;
};

/* Each member is 99. */
extern const struct capture_info capture_info_untouched;
cudaError_t capture_info_of(cudaStream_t s, struct capture_info *i);

/* Runs f in a thread of its own and waits for it. */
void in_thread(void (*f)(void *arg), void *arg);

/* capture_call.h: rows that make one call while a stream captures, in the modes Global, ThreadLocal
 * and Relaxed.
 *
 * "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated" is the error of the call,
 * the status of the capture after it, and the error of cudaStreamEndCapture. "Global: InvalidValue"
 * is the error of the call alone: the capture is still active, and ends with cudaSuccess. If the
 * three modes answer the same, the label is "every mode". */
#pragma once

#include "graphs.h"

/* What the calls work with; all of it is made before the capture begins. */
struct scene {
    cudaStream_t captured, other, blocking;
    cudaEvent_t done, event;
    char *device, *pinned, *pageable, *pool_memory;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMemPool_t pool;
    void *made; /* what the call makes */
};

extern struct scene scene;

/* Makes the call in each mode while a stream with these flags captures, in another thread than the
 * one that began the capture if `elsewhere`. */
void answer_while_capturing(cudaError_t (*call)(void), unsigned flags, bool elsewhere);

/* The answers of most calls. */
#define ALLOWED NULL /* in every mode */
#define INVALIDATES " invalidated StreamCaptureInvalidated"
#define UNSUPPORTED "every mode: StreamCaptureUnsupported" INVALIDATES
#define IMPLICIT "every mode: StreamCaptureImplicit" INVALIDATES
#define UNSAFE_IN_GLOBAL "Global: StreamCaptureUnsupported" INVALIDATES
#define UNSAFE UNSAFE_IN_GLOBAL, "ThreadLocal: StreamCaptureUnsupported" INVALIDATES

/* CALL(malloc, "cudaMalloc", cudaMalloc(…), UNSAFE) */
#define CALL(id, what, call, ...)                                                                  \
    static cudaError_t do_##id(void)                                                               \
    {                                                                                              \
        return call;                                                                               \
    }                                                                                              \
    SITUATION(what " while a non-blocking stream captures, three modes", __VA_ARGS__)              \
    {                                                                                              \
        answer_while_capturing(do_##id, cudaStreamNonBlocking, false);                             \
    }

/* The same, and after `answers` what the call gives while a blocking stream captures, whose order
 * the legacy stream shares. */
#define CALL_ALSO_BLOCKING(id, what, call, answers, ...)                                           \
    CALL(id, what, call, answers)                                                                  \
    SITUATION_NAMED(blocking_##id, 1, what " while a blocking stream captures, three modes",       \
                    __VA_ARGS__)                                                                   \
    {                                                                                              \
        answer_while_capturing(do_##id, 0, false);                                                 \
    }

/* The same, and after `answers` what the call gives in another thread than the one that began the
 * capture. */
#define CALL_ALSO_ELSEWHERE(id, what, call, answers, ...)                                          \
    CALL(id, what, call, answers)                                                                  \
    SITUATION_NAMED(elsewhere_##id, 1,                                                             \
                    what " in another thread while a non-blocking stream captures, three modes",   \
                    __VA_ARGS__)                                                                   \
    {                                                                                              \
        answer_while_capturing(do_##id, cudaStreamNonBlocking, true);                              \
    }

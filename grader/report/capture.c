/* capture.c: what breaks each rule of stream capture and of replay, in words for the learner. */
#include <cuda_runtime_api.h>
#include <string.h>

#include "words.h"

/* What a kernel gets for it is cudaErrorIllegalAddress, a copy or a memset cudaErrorLaunchFailure.
 */
static const char memory_is_not_there[] =
    "a kernel or a copy used memory that is not there: freed (what a graph names must stay "
    "allocated for as long as the graph is launched), too small (bytes or elements?), or not the "
    "memory that was meant (parameters in another order than the kernel's)";

/* What breaks each rule of stream capture, and the first rule of replay. */
static const struct {
    cudaError_t error;
    const char *words;
} rules[] = {
    {cudaErrorStreamCaptureUnsupported,
     "a call that cannot be part of a graph was made while a stream was capturing (should the "
     "capture have ended before?): one that waits (cudaDeviceSynchronize, cudaStreamSynchronize), "
     "that asks (cudaStreamQuery), that allocates (cudaMalloc, cudaFree), that instantiates, or a "
     "capture of the legacy stream"},
    {cudaErrorStreamCaptureInvalidated,
     "an earlier call had spoilt the capture, and what it returned was not looked at: this is only "
     "the first that was. "
     "Look for a call that waits, asks or allocates between begin and end, or an end in another "
     "stream, and put TRY() around every call"},
    {cudaErrorStreamCaptureMerge,
     "a wait would have joined two captures, which stay apart. One stream begins the capture, the "
     "others enter it by waiting for its event"},
    {cudaErrorStreamCaptureUnmatched, "cudaStreamEndCapture was called on a stream that only "
                                      "joined the capture: it ends where it began, on its origin"},
    {cudaErrorStreamCaptureUnjoined, "a stream was forked from the capture and never joined: the "
                                     "origin must wait for an event that is recorded in that "
                                     "stream behind its last work, before the same event is "
                                     "recorded in another"},
    {cudaErrorStreamCaptureIsolation,
     "inside the capture a stream waits for an event that was recorded outside it: record it after "
     "cudaStreamBeginCapture, in a stream that is part of the capture. A stream is no part of it "
     "until it waits for an event that was recorded in it: the fork comes before its first work"},
    {cudaErrorStreamCaptureImplicit, "work on the legacy default stream during a capture: it would "
                                     "wait for the stream that captures. A copy without "
                                     "Async, or a stream argument that is missing or 0"},
    {cudaErrorCapturedEvent, "an event that was recorded in a capture marks a place in the graph "
                             "and is never reached by the host: it cannot be "
                             "asked or waited for"},
    {cudaErrorStreamCaptureWrongThread,
     "another thread than the one that began the capture ended it"},
    {cudaErrorIllegalAddress, memory_is_not_there},
    {cudaErrorLaunchFailure, memory_is_not_there},
    {cudaErrorInvalidValue,
     "an argument is wrong. Most often: a graph or an executable graph that is not there (is the "
     "capture ended? was it instantiated? is it destroyed already?); a node of another graph; a "
     "wait for an event that was last recorded in a capture that is over; in a capture, a "
     "cudaFreeAsync of memory that was taken outside it; a copy or a memset of more than there is"},
    {cudaErrorInvalidResourceHandle,
     "a stream or an event was never created, or is destroyed: look for a handle that nothing was "
     "assigned to"},
    {cudaErrorInvalidDeviceFunction,
     "parameters of a kernel node without its function: begin with a copy of those that "
     "cudaGraphKernelNodeGetParams gave, and change kernelParams in it"},
    {cudaErrorGraphExecUpdateFailure,
     "the new graph has another shape than the executable graph (cudaGraphExecUpdate says so in "
     "info.result), which is an answer and not the end: no TRY around that call; destroy the "
     "executable graph, instantiate the new graph, go on"},
    {cudaErrorIllegalState, "the stream was capturing already, or not at all"},
};

/* What an error most probably means, where the call that gave it is known. */
static const struct known_call {
    cudaError_t error;
    const char *call; /* how its name begins */
    const char *words;
} known_calls[] = {
    {cudaErrorStreamCaptureUnsupported, "cudaMemcpyPeer",
     "a capture takes no cudaMemcpyPeerAsync. cudaMemcpyAsync with the same two addresses is "
     "captured as a copy between the devices"},
    {cudaErrorInvalidResourceHandle, "cudaEventRecord",
     "the event or the stream was never created, or is destroyed, or they belong to different "
     "devices: each belongs to the device that was current when it was created"},
    {cudaErrorInvalidValue, "cudaGraphInstantiate",
     "there is no graph there: is the capture ended, and did cudaStreamEndCapture "
     "put its graph where this call looks for it?"},
    {cudaErrorInvalidValue, "cudaGraphLaunch",
     "there is no executable graph there: was it instantiated, is it destroyed already? "
     "(Or it takes memory, does not give it back, and is launched again)"},
    {cudaErrorInvalidValue, "cudaGraphExecKernelNode",
     "the node is none of the graph that this executable graph was made from: was it "
     "found right behind its call, and is that graph still alive?"},
    {cudaErrorInvalidValue, "cudaGraphNodeSetEnabled",
     "the node is none of the graph that this executable graph was made from: was it "
     "found right behind its call, and is that graph still alive?"},
    {cudaErrorInvalidValue, "cudaStreamWaitEvent",
     "the event was last recorded in a capture that is over: record it anew first"},
    {cudaErrorInvalidValue, "cudaFreeAsync",
     "a capture can only give back what it has taken: cudaMallocAsync belongs behind "
     "cudaStreamBeginCapture, too"},
    {cudaErrorInvalidValue, "cudaMemcpy",
     "a copy of more bytes than there are at one of its addresses, or an address that is NULL"},
    {cudaErrorInvalidValue, "cudaMemset",
     "more bytes than there are at that address, or an address that is NULL"},
};

/* The meaning that the call which gave the error has for it; NULL: none. */
static const char *words_of_call(const struct wire_error *e)
{
    for (size_t i = 0; i < sizeof known_calls / sizeof known_calls[0]; i++) {
        const struct known_call *k = &known_calls[i];
        if ((int32_t)k->error == e->code && strncmp(e->call, k->call, strlen(k->call)) == 0)
            return k->words;
    }
    return NULL;
}

const char *words_of_capture(const struct wire_error *e)
{
    const char *by_call = words_of_call(e);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && !by_call; i++)
        if ((int32_t)rules[i].error == e->code)
            return rules[i].words;
    return by_call;
}

/* error.c: errors of the runtime in words for the learner: what they mean, and the next step. */
#include <cuda_runtime_api.h>
#include <string.h>

#include "words.h"

/* What a kernel gets for it is cudaErrorIllegalAddress, a copy or a memset cudaErrorLaunchFailure.
 */
static const char
    memory_is_not_there[] =
        "a kernel or a copy, maybe of an earlier call, used memory that is not there: freed, too "
        "small, or another address than was meant",
    check_memory[] =
        "compare each address and size with what was allocated: bytes or elements? Freed while a "
        "graph still names it? Arguments in another order than the kernel's?",
    take_wait_out[] = "remove the wait: the order of the stream is enough. Wait after the launch",
    join_first[] = "let the stream wait for an event of the capture before this call, or pass a "
                   "stream that captures",
    found_node[] =
        "use the graph of this executable graph: find the node right after the call that added it, "
        "and keep that graph until teardown",
    recorded_in_capture[] = "the event was last recorded in a capture. Such a record becomes an "
                            "order of the graph's nodes, and cannot be queried",
    wait_for_launch[] =
        "wait for the stream that the graph is launched into: cudaStreamSynchronize",
    other_device[] =
        "print the number: the devices are 0 to n - 1. Is it a device's, and is it that "
        "of the device which was meant?",
    look_for_handle[] =
        "find the line that creates it and the line that destroys it; if it is in an array, print "
        "the index";

/* The meaning of an error that a call gave; the first that fits. */
static const struct meaning {
    cudaError_t error;
    const char *call; /* how its name begins; NULL: any */
    const char *words, *next;
} meanings[] = {
    {cudaErrorStreamCaptureUnsupported, "cudaMemcpyPeer", "a capture takes no cudaMemcpyPeerAsync",
     "use cudaMemcpyAsync with the same two addresses: it is captured as a copy between the "
     "devices"},
    {cudaErrorStreamCaptureUnsupported, "cudaDeviceSynchronize",
     "a call that cannot be part of a graph: it waits for the device, and nothing runs during a "
     "capture",
     take_wait_out},
    {cudaErrorStreamCaptureUnsupported, "cudaStreamSynchronize",
     "a call that cannot be part of a graph: it waits for the stream, and nothing runs during a "
     "capture",
     take_wait_out},
    {cudaErrorStreamCaptureUnsupported, "cudaStreamQuery",
     "a call that cannot be part of a graph: nothing runs during a capture, so there is nothing to "
     "ask",
     "remove the query, or ask after the launch"},
    {cudaErrorStreamCaptureUnsupported, "cudaMallocAsync",
     "during a capture, in a stream that is not part of it: it would allocate at once", join_first},
    {cudaErrorStreamCaptureUnsupported, "cudaFreeAsync",
     "during a capture, in a stream that is not part of it: it would free at once", join_first},
    {cudaErrorStreamCaptureUnsupported, "cudaMalloc",
     "a call that cannot be part of a graph: cudaMalloc allocates at once, and may wait for the "
     "device",
     "allocate before the capture, or call cudaMallocAsync in the capturing stream"},
    {cudaErrorStreamCaptureUnsupported, "cudaFree",
     "a call that cannot be part of a graph: cudaFree frees at once, and may wait for the device",
     "free after the last launch, or call cudaFreeAsync in the capturing stream"},
    {cudaErrorStreamCaptureUnsupported, "cudaGraphInstantiate",
     "a call that cannot be part of a graph: a stream was still capturing",
     "call cudaStreamEndCapture first"},
    {cudaErrorStreamCaptureUnsupported, "cudaStreamBeginCapture",
     "the legacy default stream (stream 0 or NULL) cannot be captured",
     "begin and end the capture in a stream that you have created"},
    {cudaErrorStreamCaptureUnsupported, NULL,
     "a call that cannot be part of a graph was made while a stream was capturing: one that waits, "
     "queries or allocates, or a capture of the legacy stream",
     "move that call out of the capture, or end the capture before it"},
    {cudaErrorStreamCaptureInvalidated, NULL,
     "an earlier call had invalidated the capture, and its error was ignored. This call is only "
     "the first that returned it",
     "write TRY() around every call between begin and end: the first error is the cause"},
    {cudaErrorStreamCaptureMerge, NULL,
     "a wait would have joined two captures, which must stay apart",
     "begin the capture in one stream only; the others join it by waiting for an event of it"},
    {cudaErrorStreamCaptureUnmatched, NULL,
     "cudaStreamEndCapture was called on a stream that only joined the capture: it ends where it "
     "began, on its origin",
     "call cudaStreamEndCapture on the stream of cudaStreamBeginCapture"},
    {cudaErrorStreamCaptureUnjoined, NULL,
     "a stream was forked from the capture and never joined: the origin waits for no event that "
     "was recorded after the last work of that stream",
     "record an event in that stream after its last work, and let the origin wait for it before "
     "the same event is recorded again and before the capture ends"},
    {cudaErrorStreamCaptureIsolation, NULL,
     "inside the capture a stream waits for an event whose last record is outside it: before "
     "cudaStreamBeginCapture, or in a stream that is not part of the capture",
     "find the last record of this event. A stream joins the capture when it waits for an event of "
     "the capture, before its first work; an event recorded before the capture is not of it"},
    {cudaErrorStreamCaptureImplicit, NULL,
     "work on the legacy default stream during a capture: it would wait for the stream that "
     "captures",
     "pass the capturing stream as the stream argument; a call without one has an Async form"},
    {cudaErrorCapturedEvent, NULL,
     "an event that was recorded in a capture is a dependency in the graph. The host never reaches "
     "it, and cannot query it or wait for it",
     "wait for the stream that the graph was launched in"},
    {cudaErrorStreamCaptureWrongThread, NULL,
     "another thread than the one that began the capture ended it",
     "begin and end the capture in the same thread"},
    {cudaErrorIllegalAddress, NULL, memory_is_not_there, check_memory},
    {cudaErrorLaunchFailure, NULL, memory_is_not_there, check_memory},
    {cudaErrorInvalidValue, "cudaGraphInstantiate",
     "there is no graph there, because the capture is not ended or the graph is destroyed, or a "
     "copy or memset in it has more bytes than there are",
     "pass the graph that cudaStreamEndCapture stored, and destroy it only after this call; then "
     "check the bytes of its copies and memsets"},
    {cudaErrorInvalidValue, "cudaGraphLaunch",
     "there is no executable graph there, or it is relaunched and has not freed "
     "the memory that it allocates",
     "call cudaGraphInstantiate before the first launch, and cudaGraphExecDestroy only after the "
     "last"},
    {cudaErrorInvalidValue, "cudaGraphExecKernelNode",
     "the node is not in the graph that this executable graph was instantiated from, or that graph "
     "is destroyed, or the new parameters lack the grid, the block or kernelParams",
     "keep that graph as long as you change its executable graph, and pass a node of it; begin "
     "with a copy of what cudaGraphKernelNodeGetParams returned"},
    {cudaErrorInvalidValue, "cudaGraphExecMemcpyNode",
     "the node makes a copy in another direction, or there are fewer bytes at one of the addresses",
     "pass the node that makes this copy, then destination, source and direction as in that node"},
    {cudaErrorInvalidValue, "cudaGraphNodeSetEnabled",
     "the node is not in the graph that this executable graph was instantiated from", found_node},
    {cudaErrorInvalidValue, "cudaStreamWaitEvent",
     "the event was last recorded in a capture that is over",
     "capture once, in setup; outside of that capture, record the event again before the wait"},
    {cudaErrorInvalidValue, "cudaEventSynchronize", recorded_in_capture, wait_for_launch},
    {cudaErrorInvalidValue, "cudaEventQuery", recorded_in_capture, wait_for_launch},
    {cudaErrorCapturedEvent, "cudaEventQuery", recorded_in_capture, wait_for_launch},
    {cudaErrorInvalidValue, "cudaEventElapsedTime", recorded_in_capture,
     "record events around cudaGraphLaunch, outside of the capture"},
    {cudaErrorInvalidValue, "cudaFreeAsync", "a capture can only free memory that it has allocated",
     "free the address that cudaMallocAsync returned after cudaStreamBeginCapture, and free it "
     "once"},
    {cudaErrorInvalidValue, "cudaFreeHost",
     "the address is none that cudaMallocHost or cudaHostAlloc returned, or it is freed already",
     "free device memory with cudaFree, and each address once, before the struct that holds it"},
    {cudaErrorInvalidValue, "cudaFree",
     "the address is none that cudaMalloc returned, or it is freed already",
     "free pinned memory with cudaFreeHost, and each address once, before the struct that holds "
     "it"},
    {cudaErrorInvalidValue, "cudaMemcpy",
     "a copy of more bytes than there are at one of its addresses, or an address that is NULL or "
     "freed",
     "compare the number of bytes with both allocations: bytes or elements? Is neither of them "
     "freed before this call?"},
    {cudaErrorInvalidValue, "cudaMemset",
     "more bytes than there are at that address, or an address that is NULL",
     "compare the number of bytes with the allocation: bytes or elements?"},
    {cudaErrorInvalidValue, "cudaGraphAddNode",
     "a member of the node's parameters is missing or wrong, or a dependency is not in the graph",
     "set params.type and every member that belongs to this type: a conditional node needs handle, "
     "type and size"},
    {cudaErrorInvalidValue, "cudaDeviceEnablePeerAccess",
     "the second argument has flags, and none exist yet", "pass 0 as the second argument"},
    {cudaErrorInvalidValue, "cudaGraphKernelNodeSetAttribute",
     "the node is not a kernel node, or the value is out of range",
     "pass the node of the kernel: the one that the call which added it stored"},
    {cudaErrorInvalidValue, NULL,
     "an argument is wrong: most often a graph, a node or an executable graph that does not exist, "
     "or more bytes than there are",
     "look at each argument of that call: where was it set, and is it destroyed already?"},
    {cudaErrorNotReady, "cudaStreamQuery",
     "a query does not wait: this is its answer while work is left, and no failure",
     "wait for the stream in place of the query"},
    {cudaErrorNotReady, "cudaEventQuery",
     "a query does not wait: this is its answer while the event is not complete, and no failure",
     "wait for the event in place of the query"},
    {cudaErrorNotReady, "cudaEventElapsedTime",
     "the device has not reached one of the two events yet",
     "let the host wait for the later of the two events first: cudaEventSynchronize"},
    {cudaErrorInvalidResourceHandle, "cudaEventElapsedTime",
     "an event was created with cudaEventDisableTiming, or never recorded or created, or is "
     "destroyed",
     "create both events with cudaEventCreate, and record both"},
    {cudaErrorInvalidResourceHandle, "cudaEventRecord",
     "the event or the stream was never created, or is destroyed, or they belong to different "
     "devices: each belongs to the device that was current when it was created",
     look_for_handle},
    {cudaErrorInvalidResourceHandle, "cudaGraphAddNode",
     "the node's parameters name a kernel or an event that does not exist. If params.type is not "
     "set, the node is a kernel node",
     "set params.type and every member that belongs to this type"},
    {cudaErrorInvalidResourceHandle, NULL,
     "a stream or an event was never created, or is destroyed, or an index is outside its array",
     look_for_handle},
    {cudaErrorInvalidDeviceFunction, NULL, "the parameters of a kernel node lack its function",
     "begin with a copy of those that cudaGraphKernelNodeGetParams returned, and change "
     "kernelParams in it"},
    {cudaErrorGraphExecUpdateFailure, NULL,
     "the new graph has another shape than the executable graph. cudaGraphExecUpdate reports that "
     "in info.result; it is an answer, not the end",
     "without TRY around that call: destroy the executable graph, instantiate the new graph, go "
     "on"},
    {cudaErrorIllegalState, "cudaStreamBeginCapture", "the stream is capturing already",
     "end the capture with cudaStreamEndCapture before the next one begins"},
    {cudaErrorIllegalState, "cudaStreamEndCapture", "the stream is not capturing",
     "call cudaStreamBeginCapture with this stream before its first operation, and end it once"},
    {cudaErrorIllegalState, "cudaStreamWaitEvent",
     "cudaEventWaitExternal is for work outside of the graph, and only in a stream that captures",
     "pass 0: a wait for an event of the capture becomes an edge, and lets the stream join"},
    {cudaErrorIllegalState, "cudaEventRecordWithFlags",
     "cudaEventRecordExternal is for a stream that captures",
     "record the event with cudaEventRecord, or begin the capture first"},
    {cudaErrorPeerAccessNotEnabled, NULL,
     "the current device has no access to that device's memory, so there is none to disable",
     "which device must be current, and is the access to be enabled or disabled here?"},
    {cudaErrorPeerAccessUnsupported, NULL,
     "a device cannot have peer access to itself, and to some others neither", other_device},
    {cudaErrorInvalidDevice, NULL, "no device has this number", other_device},
    {cudaErrorIllegalState, NULL, "the stream was capturing already, or not at all",
     "call cudaStreamBeginCapture once, and cudaStreamEndCapture once, for each capture"},
};

bool words_of_error(struct report_words *w, const struct wire_error *e)
{
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        const struct meaning *m = &meanings[i];
        if ((int32_t)m->error != e->code ||
            (m->call && strncmp(e->call, m->call, strlen(m->call)) != 0))
            continue;
        words_set(w->message, "%s", m->words);
        words_set(w->next, "%s", m->next);
        words_of_refusal(w, e);
        return true;
    }
    return words_of_refusal(w, e);
}

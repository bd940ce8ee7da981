/*
 * capture_calls_sync.c: which calls a capture refuses: querying and synchronizing.
 */
#include "../capture_call.h"

CALL(device_sync, "cudaDeviceSynchronize", cudaDeviceSynchronize(),
     "every mode: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(device_sync, "cudaDeviceSynchronize",
          "every mode: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(stream_sync, "cudaStreamSynchronize of the captured stream",
     cudaStreamSynchronize(scene.captured),
     "every mode: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(stream_sync, "cudaStreamSynchronize of the captured stream",
          "every mode: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(stream_sync_other, "cudaStreamSynchronize of another stream",
     cudaStreamSynchronize(scene.other),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(stream_sync_other, "cudaStreamSynchronize of another stream",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(stream_sync_0, "cudaStreamSynchronize of 0", cudaStreamSynchronize(0),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
BLOCKING(stream_sync_0, "cudaStreamSynchronize of 0",
         "every mode: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(stream_query, "cudaStreamQuery of the captured stream", cudaStreamQuery(scene.captured),
     "every mode: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(stream_query, "cudaStreamQuery of the captured stream",
          "every mode: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(stream_query_other, "cudaStreamQuery of another stream", cudaStreamQuery(scene.other),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(stream_query_other, "cudaStreamQuery of another stream",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(stream_query_0, "cudaStreamQuery of 0", cudaStreamQuery(0),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
BLOCKING(stream_query_0, "cudaStreamQuery of 0",
         "every mode: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(event_query, "cudaEventQuery of an event recorded before", cudaEventQuery(scene.done),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(event_query, "cudaEventQuery of an event recorded before",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(event_sync, "cudaEventSynchronize of an event recorded before",
     cudaEventSynchronize(scene.done),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(event_sync, "cudaEventSynchronize of an event recorded before",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(event_query_new, "cudaEventQuery of a never recorded event", cudaEventQuery(scene.event),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(event_sync_new, "cudaEventSynchronize of a never recorded event",
     cudaEventSynchronize(scene.event),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(stream_sync_per_thread, "cudaStreamSynchronize of cudaStreamPerThread",
     cudaStreamSynchronize(cudaStreamPerThread),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
BLOCKING(stream_sync_per_thread, "cudaStreamSynchronize of cudaStreamPerThread",
         "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
         "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(stream_sync_bad, "cudaStreamQuery of another stream that is busy",
     cudaStreamQuery(scene.blocking),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(event_elapsed, "cudaEventElapsedTime of an event recorded before",
     cudaEventElapsedTime(&(float){0}, scene.done, scene.done), SUCCEEDS)

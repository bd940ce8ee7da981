/* capture_calls_sync.c: which calls a capture refuses: querying and synchronizing. */
#include "../capture_call.h"

CALL_ALSO_ELSEWHERE(device_sync, "cudaDeviceSynchronize", cudaDeviceSynchronize(), UNSUPPORTED,
                    UNSUPPORTED)
CALL_ALSO_ELSEWHERE(stream_sync, "cudaStreamSynchronize of the captured stream",
                    cudaStreamSynchronize(scene.captured), UNSUPPORTED, UNSUPPORTED)
CALL_ALSO_ELSEWHERE(stream_sync_other, "cudaStreamSynchronize of another stream",
                    cudaStreamSynchronize(scene.other), UNSAFE, UNSAFE_IN_GLOBAL)
CALL_ALSO_BLOCKING(stream_sync_0, "cudaStreamSynchronize of 0", cudaStreamSynchronize(0), UNSAFE,
                   IMPLICIT)
CALL_ALSO_ELSEWHERE(stream_query, "cudaStreamQuery of the captured stream",
                    cudaStreamQuery(scene.captured), UNSUPPORTED, UNSUPPORTED)
CALL_ALSO_ELSEWHERE(stream_query_other, "cudaStreamQuery of another stream",
                    cudaStreamQuery(scene.other), UNSAFE, UNSAFE_IN_GLOBAL)
CALL_ALSO_BLOCKING(stream_query_0, "cudaStreamQuery of 0", cudaStreamQuery(0), UNSAFE, IMPLICIT)
CALL_ALSO_ELSEWHERE(event_query, "cudaEventQuery of an event recorded before",
                    cudaEventQuery(scene.done), UNSAFE, UNSAFE_IN_GLOBAL)
CALL_ALSO_ELSEWHERE(event_sync, "cudaEventSynchronize of an event recorded before",
                    cudaEventSynchronize(scene.done), UNSAFE, UNSAFE_IN_GLOBAL)
CALL(event_query_new, "cudaEventQuery of a never recorded event", cudaEventQuery(scene.event),
     UNSAFE)
CALL(event_sync_new, "cudaEventSynchronize of a never recorded event",
     cudaEventSynchronize(scene.event), UNSAFE)
CALL_ALSO_BLOCKING(stream_sync_per_thread, "cudaStreamSynchronize of cudaStreamPerThread",
                   cudaStreamSynchronize(cudaStreamPerThread), UNSAFE, UNSAFE)
CALL(stream_sync_bad, "cudaStreamQuery of another stream that is busy",
     cudaStreamQuery(scene.blocking), UNSAFE)
CALL(event_elapsed, "cudaEventElapsedTime of an event recorded before",
     cudaEventElapsedTime(&(float){0}, scene.done, scene.done), ALLOWED)

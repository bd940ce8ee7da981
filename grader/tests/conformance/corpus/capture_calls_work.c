/* capture_calls_work.c: which calls a capture refuses: launches, events and host functions. */
#include "../capture_call.h"

static cudaError_t launch(cudaStream_t s)
{
    return launch_one(situation_nothing(), NULL, s);
}

CALL_ALSO_BLOCKING(launch_0, "a kernel launch in 0", launch(0), ALLOWED, IMPLICIT)
CALL(launch_other, "a kernel launch in another stream", launch(scene.other), ALLOWED)
CALL_ALSO_BLOCKING(record_0, "cudaEventRecord in 0", cudaEventRecord(scene.event, 0), ALLOWED,
                   IMPLICIT)
CALL_ALSO_BLOCKING(wait_0, "cudaStreamWaitEvent in 0 for an event recorded before",
                   cudaStreamWaitEvent(0, scene.done, 0), ALLOWED, IMPLICIT)
CALL_ALSO_BLOCKING(wait_new_0, "cudaStreamWaitEvent in 0 for a never recorded event",
                   cudaStreamWaitEvent(0, scene.event, 0), ALLOWED, IMPLICIT)
CALL_ALSO_BLOCKING(host_func_0, "cudaLaunchHostFunc in 0",
                   cudaLaunchHostFunc(0, write_letter, NULL), ALLOWED, IMPLICIT)
CALL_ALSO_BLOCKING(launch_bad_0, "a kernel launch with a block of 2048 in 0",
                   cudaLaunchKernel(situation_nothing(), (dim3){1, 1, 1}, (dim3){2048, 1, 1}, NULL,
                                    0, 0),
                   "every mode: InvalidValue", IMPLICIT)
CALL_ALSO_BLOCKING(record_null_0, "cudaEventRecord of NULL in 0", cudaEventRecord(NULL, 0),
                   "every mode: InvalidResourceHandle", IMPLICIT)
CALL_ALSO_BLOCKING(wait_null_0, "cudaStreamWaitEvent for NULL in 0",
                   cudaStreamWaitEvent(0, NULL, 0), "every mode: InvalidResourceHandle", IMPLICIT)
CALL(wait_null_captured, "cudaStreamWaitEvent for NULL in the captured stream",
     cudaStreamWaitEvent(scene.captured, NULL, 0),
     "every mode: InvalidResourceHandle invalidated StreamCaptureInvalidated")
CALL(wait_flags_captured, "cudaStreamWaitEvent with flags 2 in the captured stream",
     cudaStreamWaitEvent(scene.captured, scene.event, 2), "every mode: InvalidValue")
CALL(record_flags_captured, "cudaEventRecordWithFlags with flags 2 in the captured stream",
     cudaEventRecordWithFlags(scene.event, scene.captured, 2), "every mode: InvalidValue")
CALL(callback_flags_captured, "cudaStreamAddCallback with flags 1 in the captured stream",
     cudaStreamAddCallback(scene.captured, NULL, NULL, 1), "every mode: InvalidValue")
CALL(host_null_captured, "cudaLaunchHostFunc of NULL in the captured stream",
     cudaLaunchHostFunc(scene.captured, NULL, NULL), "every mode: InvalidValue")
CALL_ALSO_BLOCKING(callback_0, "cudaStreamAddCallback of NULL in 0",
                   cudaStreamAddCallback(0, NULL, NULL, 0), "every mode: InvalidValue",
                   "every mode: InvalidValue")
CALL(record_other, "cudaEventRecord in another stream", cudaEventRecord(scene.event, scene.other),
     ALLOWED)
CALL(wait_other, "cudaStreamWaitEvent in another stream for an event recorded before",
     cudaStreamWaitEvent(scene.other, scene.done, 0), ALLOWED)
CALL(host_func_other, "cudaLaunchHostFunc in another stream",
     cudaLaunchHostFunc(scene.other, write_letter, NULL), ALLOWED)

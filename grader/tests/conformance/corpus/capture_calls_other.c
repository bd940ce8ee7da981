/* capture_calls_other.c: which calls a capture refuses: streams, devices and the rest. */
#include "../capture_call.h"

CALL(stream_create, "cudaStreamCreate", cudaStreamCreate((cudaStream_t *)&scene.made), ALLOWED)
CALL(stream_destroy, "cudaStreamDestroy of another stream", cudaStreamDestroy(scene.other), ALLOWED)
CALL(event_create, "cudaEventCreate", cudaEventCreate((cudaEvent_t *)&scene.made), ALLOWED)
CALL(event_destroy, "cudaEventDestroy of another event", cudaEventDestroy(scene.done), ALLOWED)
CALL_ALSO_BLOCKING(stream_flags_0, "cudaStreamGetFlags of 0", cudaStreamGetFlags(0, &(unsigned){0}),
                   ALLOWED, IMPLICIT)
CALL_ALSO_BLOCKING(stream_id_0, "cudaStreamGetId of 0",
                   cudaStreamGetId(0, &(unsigned long long){0}), ALLOWED, IMPLICIT)
CALL_ALSO_BLOCKING(stream_device_0, "cudaStreamGetDevice of 0", cudaStreamGetDevice(0, &(int){0}),
                   ALLOWED, IMPLICIT)
CALL_ALSO_BLOCKING(stream_attribute_0, "cudaStreamGetAttribute of 0",
                   cudaStreamGetAttribute(0, cudaLaunchAttributePriority,
                                          &(cudaLaunchAttributeValue){.priority = 0}),
                   ALLOWED, IMPLICIT)
CALL(stream_flags_captured, "cudaStreamGetFlags of the captured stream",
     cudaStreamGetFlags(scene.captured, &(unsigned){0}), UNSUPPORTED)
CALL(stream_set_attribute, "cudaStreamSetAttribute of the captured stream",
     cudaStreamSetAttribute(scene.captured, cudaLaunchAttributePriority,
                            &(cudaLaunchAttributeValue){.priority = -1}),
     ALLOWED)
CALL_ALSO_BLOCKING(begin_0, "cudaStreamBeginCapture of 0",
                   cudaStreamBeginCapture(0, cudaStreamCaptureModeRelaxed),
                   "every mode: StreamCaptureUnsupported", IMPLICIT)
CALL_ALSO_BLOCKING(end_0, "cudaStreamEndCapture of 0",
                   cudaStreamEndCapture(0, (cudaGraph_t *)&scene.made), "every mode: IllegalState",
                   IMPLICIT)
CALL_ALSO_BLOCKING(update_0, "cudaStreamUpdateCaptureDependencies of 0",
                   cudaStreamUpdateCaptureDependencies(0, NULL, NULL, 0, 0),
                   "every mode: IllegalState", IMPLICIT)
CALL_ALSO_BLOCKING(destroy_0, "cudaStreamDestroy of 0", cudaStreamDestroy(0),
                   "every mode: InvalidResourceHandle", "every mode: InvalidResourceHandle")
CALL(limit, "cudaDeviceGetLimit", cudaDeviceGetLimit(&(size_t){0}, cudaLimitPrintfFifoSize),
     ALLOWED)
CALL(symbol_address, "cudaGetSymbolAddress", cudaGetSymbolAddress(&scene.made, situation_numbers()),
     ALLOWED)
CALL(user_object, "cudaUserObjectCreate",
     cudaUserObjectCreate((cudaUserObject_t *)&scene.made, scene.pageable, write_letter, 1,
                          cudaUserObjectNoDestructorSync),
     ALLOWED)
CALL(set_device, "cudaSetDevice", cudaSetDevice(0), ALLOWED)
CALL(get_device, "cudaGetDevice", cudaGetDevice(&(int){0}), ALLOWED)
CALL(device_attribute, "cudaDeviceGetAttribute",
     cudaDeviceGetAttribute(&(int){0}, cudaDevAttrWarpSize, 0), ALLOWED)
CALL(device_limit, "cudaDeviceSetLimit",
     cudaDeviceSetLimit(cudaLimitPrintfFifoSize, (size_t)1 << 20), UNSAFE)
CALL(device_reset_l2, "cudaCtxResetPersistingL2Cache", cudaCtxResetPersistingL2Cache(), ALLOWED)
CALL(func_attributes, "cudaFuncGetAttributes",
     cudaFuncGetAttributes(&(struct cudaFuncAttributes){0}, situation_store()), ALLOWED)
CALL(func_set_attribute, "cudaFuncSetAttribute",
     cudaFuncSetAttribute(situation_store(), cudaFuncAttributeMaxDynamicSharedMemorySize, 60000),
     ALLOWED)
CALL(occupancy, "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
     cudaOccupancyMaxActiveBlocksPerMultiprocessor(&(int){0}, situation_store(), 64, 0), ALLOWED)
CALL(stream_priority, "cudaStreamGetPriority of the captured stream",
     cudaStreamGetPriority(scene.captured, &(int){0}), ALLOWED)
CALL_ALSO_BLOCKING(stream_priority_0, "cudaStreamGetPriority of 0",
                   cudaStreamGetPriority(0, &(int){0}), ALLOWED, IMPLICIT)
CALL(stream_copy_attributes, "cudaStreamCopyAttributes to the captured stream",
     cudaStreamCopyAttributes(scene.captured, scene.other), ALLOWED)
CALL(last_error, "cudaGetLastError", cudaGetLastError(), ALLOWED)
CALL(attach, "cudaStreamAttachMemAsync in the captured stream",
     cudaStreamAttachMemAsync(scene.captured, scene.device, 0, cudaMemAttachGlobal), UNSUPPORTED)

/* error.c: the names and texts of errors, the last error of each host thread, and the error that
 * ended the context.
 *
 * As on a GPU, cudaErrorNotReady is not kept as the last error. Once a kernel's fault has ended the
 * context, every call returns its error; cudaGetLastError still resets the last error. */
#include <stdio.h>
#include <stdlib.h>

#include "api.h"

struct error_name {
    int code;
    const char *name;
    const char *text;
};

#define ERROR(code, name, text)                                                                    \
    {                                                                                              \
        code, "cudaError" name, text                                                               \
    }

/* By number, so that codes newer than the installed headers have their names too; ascending. */
static const struct error_name errors[] = {
    {0, "cudaSuccess", "no error"},
    ERROR(1, "InvalidValue", "invalid argument"),
    ERROR(2, "MemoryAllocation", "out of memory"),
    ERROR(3, "InitializationError", "initialization error"),
    ERROR(4, "CudartUnloading", "driver shutting down"),
    ERROR(5, "ProfilerDisabled", "the profiler is disabled: another profiling tool is in use"),
    ERROR(6, "ProfilerNotInitialized", "the profiler was not initialized"),
    ERROR(7, "ProfilerAlreadyStarted", "profiler already started"),
    ERROR(8, "ProfilerAlreadyStopped", "profiler already stopped"),
    ERROR(9, "InvalidConfiguration", "invalid configuration argument"),
    ERROR(12, "InvalidPitchValue", "invalid pitch argument"),
    ERROR(13, "InvalidSymbol", "invalid device symbol"),
    ERROR(16, "InvalidHostPointer", "invalid host pointer"),
    ERROR(17, "InvalidDevicePointer", "invalid device pointer"),
    ERROR(18, "InvalidTexture", "invalid texture reference"),
    ERROR(19, "InvalidTextureBinding", "no pointer is bound to the texture"),
    ERROR(20, "InvalidChannelDescriptor", "invalid channel descriptor"),
    ERROR(21, "InvalidMemcpyDirection", "invalid copy direction for memcpy"),
    ERROR(22, "AddressOfConstant", "invalid address of constant"),
    ERROR(23, "TextureFetchFailed", "a fetch from a texture failed"),
    ERROR(24, "TextureNotBound", "a fetch from a texture that nothing is bound to"),
    ERROR(25, "SynchronizationError", "__syncthreads() used wrongly"),
    ERROR(26, "InvalidFilterSetting", "linear filtering needs a floating-point type"),
    ERROR(27, "InvalidNormSetting", "this type cannot be read as a normalized float"),
    ERROR(28, "MixedDeviceExecution", "emulated and real execution cannot be mixed"),
    ERROR(31, "NotYetImplemented", "not yet implemented"),
    ERROR(32, "MemoryValueTooLarge", "a size or a pointer does not fit in 32 bits"),
    ERROR(34, "StubLibrary", "CUDA driver is a stub library"),
    ERROR(35, "InsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"),
    ERROR(36, "CallRequiresNewerDriver", "the call needs a newer CUDA driver"),
    ERROR(37, "InvalidSurface", "invalid surface reference"),
    ERROR(43, "DuplicateVariableName", "two global variables have the name looked up"),
    ERROR(44, "DuplicateTextureName", "two textures have the name looked up"),
    ERROR(45, "DuplicateSurfaceName", "two surfaces have the name looked up"),
    ERROR(46, "DevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable"),
    ERROR(49, "IncompatibleDriverContext", "incompatible driver context"),
    ERROR(52, "MissingConfiguration",
          "a __global__ function was called without a launch configuration"),
    ERROR(53, "PriorLaunchFailure", "an earlier launch failed"),
    ERROR(65, "LaunchMaxDepthExceeded", "launches would be nested too deep"),
    ERROR(66, "LaunchFileScopedTex",
          "the kernel uses file-scoped textures; texture objects are supported"),
    ERROR(67, "LaunchFileScopedSurf",
          "the kernel uses file-scoped surfaces; surface objects are supported"),
    ERROR(68, "SyncDepthExceeded",
          "device-side synchronization deeper than cudaLimitDevRuntimeSyncDepth"),
    ERROR(69, "LaunchPendingCountExceeded",
          "more pending launches than cudaLimitDevRuntimePendingLaunchCount"),
    ERROR(98, "InvalidDeviceFunction", "invalid device function"),
    ERROR(100, "NoDevice", "no CUDA-capable device is detected"),
    ERROR(101, "InvalidDevice", "invalid device ordinal"),
    ERROR(102, "DeviceNotLicensed", "the device has no valid Grid license"),
    ERROR(103, "SoftwareValidityNotEstablished", "an integrity check failed"),
    ERROR(127, "StartupFailure", "the CUDA runtime failed to start"),
    ERROR(200, "InvalidKernelImage", "device kernel image is invalid"),
    ERROR(201, "DeviceUninitialized", "invalid device context"),
    ERROR(205, "MapBufferObjectFailed", "mapping of buffer object failed"),
    ERROR(206, "UnmapBufferObjectFailed", "unmapping of buffer object failed"),
    ERROR(207, "ArrayIsMapped", "array is mapped"),
    ERROR(208, "AlreadyMapped", "resource already mapped"),
    ERROR(209, "NoKernelImageForDevice",
          "no kernel image is available for execution on the device"),
    ERROR(210, "AlreadyAcquired", "resource already acquired"),
    ERROR(211, "NotMapped", "resource not mapped"),
    ERROR(212, "NotMappedAsArray", "resource not mapped as array"),
    ERROR(213, "NotMappedAsPointer", "resource not mapped as pointer"),
    ERROR(214, "ECCUncorrectable", "uncorrectable ECC error encountered"),
    ERROR(215, "UnsupportedLimit", "limit is not supported on this architecture"),
    ERROR(216, "DeviceAlreadyInUse", "another thread has the device for itself"),
    ERROR(217, "PeerAccessUnsupported", "peer access is not supported between these two devices"),
    ERROR(218, "InvalidPtx", "a PTX JIT compilation failed"),
    ERROR(219, "InvalidGraphicsContext", "invalid OpenGL or DirectX context"),
    ERROR(220, "NvlinkUncorrectable", "uncorrectable NVLink error"),
    ERROR(221, "JitCompilerNotFound", "PTX JIT compiler library not found"),
    ERROR(222, "UnsupportedPtxVersion",
          "the PTX was made by a toolchain that this driver does not know"),
    ERROR(223, "JitCompilationDisabled", "PTX JIT compilation was disabled"),
    ERROR(224, "UnsupportedExecAffinity", "the execution affinity is not supported"),
    ERROR(225, "UnsupportedDevSideSync",
          "the PTX synchronizes on the device, which is not supported"),
    ERROR(226, "Contained", "memory or hardware error, contained to this process"),
    ERROR(300, "InvalidSource", "device kernel image is invalid"),
    ERROR(301, "FileNotFound", "file not found"),
    ERROR(302, "SharedObjectSymbolNotFound", "shared object symbol not found"),
    ERROR(303, "SharedObjectInitFailed", "shared object initialization failed"),
    ERROR(304, "OperatingSystem", "the operating system refused a call"),
    ERROR(400, "InvalidResourceHandle", "invalid resource handle"),
    ERROR(401, "IllegalState", "the operation cannot be performed in the present state"),
    ERROR(402, "LossyQuery", "the answer would leave something out"),
    ERROR(500, "SymbolNotFound", "named symbol not found"),
    ERROR(600, "NotReady", "device not ready"),
    ERROR(700, "IllegalAddress", "an illegal memory access was encountered"),
    ERROR(701, "LaunchOutOfResources", "too many resources requested for launch"),
    ERROR(702, "LaunchTimeout", "the launch timed out and was terminated"),
    ERROR(703, "LaunchIncompatibleTexturing", "launch uses incompatible texturing mode"),
    ERROR(704, "PeerAccessAlreadyEnabled", "peer access is already enabled"),
    ERROR(705, "PeerAccessNotEnabled", "peer access has not been enabled"),
    ERROR(708, "SetOnActiveProcess", "cannot set while device is active in this process"),
    ERROR(709, "ContextIsDestroyed", "context is destroyed"),
    ERROR(710, "Assert", "device-side assert triggered"),
    ERROR(711, "TooManyPeers", "no room for another peer mapping"),
    ERROR(712, "HostMemoryAlreadyRegistered",
          "part or all of the requested memory range is already mapped"),
    ERROR(713, "HostMemoryNotRegistered",
          "pointer does not correspond to a registered memory region"),
    ERROR(714, "HardwareStackError", "hardware stack error"),
    ERROR(715, "IllegalInstruction", "an illegal instruction was encountered"),
    ERROR(716, "MisalignedAddress", "misaligned address"),
    ERROR(717, "InvalidAddressSpace", "operation not supported on global/shared address space"),
    ERROR(718, "InvalidPc", "invalid program counter"),
    ERROR(719, "LaunchFailure", "unspecified launch failure"),
    ERROR(720, "CooperativeLaunchTooLarge", "too many blocks in cooperative launch"),
    ERROR(721, "TensorMemoryLeak", "a kernel did not free its tensor memory"),
    ERROR(800, "NotPermitted", "operation not permitted"),
    ERROR(801, "NotSupported", "operation not supported"),
    ERROR(802, "SystemNotReady", "system not yet initialized"),
    ERROR(803, "SystemDriverMismatch", "display driver and CUDA driver do not go together"),
    ERROR(804, "CompatNotSupportedOnDevice",
          "this hardware does not support forward compatibility"),
    ERROR(805, "MpsConnectionFailed", "no connection to the MPS control daemon or server"),
    ERROR(806, "MpsRpcFailure", "a call from the MPS client to the MPS server failed"),
    ERROR(807, "MpsServerNotReady", "the MPS server takes no new clients yet"),
    ERROR(808, "MpsMaxClientsReached", "no hardware resources for another MPS client"),
    ERROR(809, "MpsMaxConnectionsReached", "no hardware resources for another device connection"),
    ERROR(810, "MpsClientTerminated", "the MPS server has ended this client"),
    ERROR(811, "CdpNotSupported",
          "CUDA Dynamic Parallelism is not supported in this configuration"),
    ERROR(812, "CdpVersionMismatch", "two versions of CUDA Dynamic Parallelism do not go together"),
    ERROR(900, "StreamCaptureUnsupported", "operation not permitted when stream is capturing"),
    ERROR(901, "StreamCaptureInvalidated",
          "operation failed due to a previous error during capture"),
    ERROR(902, "StreamCaptureMerge",
          "operation would result in a merge of separate capture sequences"),
    ERROR(903, "StreamCaptureUnmatched", "capture was not ended in the same stream as it began"),
    ERROR(904, "StreamCaptureUnjoined", "capturing stream has unjoined work"),
    ERROR(905, "StreamCaptureIsolation", "dependency created on uncaptured work in another stream"),
    ERROR(906, "StreamCaptureImplicit",
          "operation would make the legacy stream depend on a capturing blocking stream"),
    ERROR(907, "CapturedEvent",
          "operation not permitted on an event last recorded in a capturing stream"),
    ERROR(908, "StreamCaptureWrongThread",
          "attempt to terminate a thread-local capture sequence from another thread"),
    ERROR(909, "Timeout", "wait operation timed out"),
    ERROR(910, "GraphExecUpdateFailure",
          "the graph update was not performed because it included changes which violated "
          "constraints specific to instantiated graph update"),
    ERROR(911, "ExternalDevice", "an error came from a device outside of CUDA"),
    ERROR(912, "InvalidClusterSize", "the launch's cluster size is not possible"),
    ERROR(913, "FunctionNotLoaded", "the call needs a function that is not loaded"),
    ERROR(914, "InvalidResourceType", "a resource is of the wrong type for the operation"),
    ERROR(915, "InvalidResourceConfiguration", "a resource is insufficient or not applicable"),
    ERROR(917, "StreamDetached", "the context of the stream is destroyed"),
    ERROR(918, "GraphRecaptureFailure", "a graph was captured again, and differs too much"),
    ERROR(999, "Unknown", "unknown error"),
};

enum { N_ERRORS = sizeof errors / sizeof errors[0] };

static int compare(const void *code, const void *entry)
{
    int a = *(const int *)code, b = ((const struct error_name *)entry)->code;
    return (a > b) - (a < b);
}

static const struct error_name *find(int code)
{
    static const struct error_name unknown = {-1, "unrecognized error code",
                                              "unrecognized error code"};
    const struct error_name *e = bsearch(&code, errors, N_ERRORS, sizeof errors[0], compare);
    return e ? e : &unknown;
}

EXPORT const char *cudaGetErrorName(cudaError_t error)
{
    return find(error)->name;
}

EXPORT const char *cudaGetErrorString(cudaError_t error)
{
    return find(error)->text;
}

/* The program's own code asks for the last error, so it ignores none. */
static void note_question(struct thread_state *t, const void *frame)
{
    t->unasked.what = SIMGPU_WHAT_NOTHING;
    if (t->ignored.name && caller_of(frame, t->stack_end).at)
        t->ignored.name = NULL;
}

EXPORT cudaError_t cudaGetLastError(void)
{
    struct thread_state *t = thread_self();
    cudaError_t e = t->last_error;
    t->last_error = cudaSuccess;
    note_question(t, __builtin_frame_address(0));
    return e;
}

EXPORT cudaError_t cudaPeekAtLastError(void)
{
    struct thread_state *t = thread_self();
    note_question(t, __builtin_frame_address(0));
    return t->last_error;
}

enum { GIVEN = sizeof((struct thread_state *)NULL)->returned / sizeof(uint64_t) };

/* The latest call that failed, if it returned this error; else NULL. */
static const struct failed_call *latest_with(const struct thread_state *t, int error)
{
    const struct failed_call *f = &t->latest_failed;
    return f->name && (int)f->error == error ? f : NULL;
}

EXPORT const char *simgpu_failed_call(int error, struct simgpu_caller *caller)
{
    const struct thread_state *t = thread_self();
    const struct failed_call *f = latest_with(t, error);
    if (caller)
        *caller = f ? f->caller : (struct simgpu_caller){0};
    if (f)
        return f->name;
    return error >= 0 && error < 64 * GIVEN && t->returned[error / 64] >> error % 64 & 1 ? ""
                                                                                         : NULL;
}

EXPORT struct simgpu_refusal simgpu_failed_refusal(int error)
{
    const struct failed_call *f = latest_with(thread_self(), error);
    return f ? f->refusal : (struct simgpu_refusal){SIMGPU_REFUSED_NOTHING, "", {0}};
}

EXPORT const char *simgpu_ignored_call(int *error, struct simgpu_caller *caller,
                                       struct simgpu_refusal *refusal)
{
    if (!thread_now || !thread_now->ignored.name)
        return NULL;
    const struct failed_call *f = &thread_now->ignored;
    *error = (int)f->error;
    *caller = f->caller;
    *refusal = f->refusal;
    return f->name;
}

EXPORT void simgpu_forget_ignored_call(void)
{
    thread_self()->ignored.name = NULL;
}

cudaError_t error_set(cudaError_t e)
{
    struct thread_state *t = thread_self();
    if (e != cudaSuccess && e != cudaErrorNotReady)
        t->last_error = e;
    if ((int)e > 0 && (int)e < 64 * GIVEN)
        t->returned[(int)e / 64] |= UINT64_C(1) << (int)e % 64;
    return e;
}

cudaError_t error_not_modelled(const char *name, bool *said)
{
    if (!__atomic_exchange_n(said, true, __ATOMIC_RELAXED))
        fprintf(stderr,
                "simgpu: %s is not modeled by the simulated device; it returns "
                "cudaErrorNotSupported\n",
                name);
    return error_set(cudaErrorNotSupported);
}

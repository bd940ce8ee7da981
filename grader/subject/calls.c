/* calls.c: the submission calls these functions, see calls.h. */
#include "calls.h"

#include "inside.h"
#include "interpose.h"

/* NULL: nobody looks, or it is a constructor of the submission that calls. */
static const struct subject_lab *watching(void)
{
    const struct subject_lab *lab = subject.lab;
    return lab && (lab->before_call || lab->after_call) ? lab : NULL;
}

/* Defines such a function: its parameters, the arguments of the call of the runtime's own, and the
   members of struct subject_call. */
#define WATCHED(name, parameters, passed, ...)                                                     \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        FIND_REAL(name);                                                                           \
        const struct subject_lab *lab = watching();                                                \
        if (!lab)                                                                                  \
            return real passed;                                                                    \
        struct subject_call call = {.function = CALL_##name, __VA_ARGS__};                         \
        if (lab->before_call)                                                                      \
            lab->before_call(&call);                                                               \
        if (call.is_skipped)                                                                       \
            return call.error;                                                                     \
        call.error = real passed;                                                                  \
        if (lab->after_call)                                                                       \
            lab->after_call(&call);                                                                \
        return call.error;                                                                         \
    }

/* ---- work ------------------------------------------------------------------------------------ */

WATCHED(cudaLaunchKernel,
        (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
         cudaStream_t stream),
        (kernel, grid, block, arguments, shared, stream), .kernel = kernel, .arguments = arguments,
        .stream = stream)
WATCHED(cudaLaunchKernelExC,
        (const cudaLaunchConfig_t *config, const void *kernel, void **arguments),
        (config, kernel, arguments), .kernel = kernel, .arguments = arguments,
        .stream = config ? config->stream : NULL)
WATCHED(cudaMemcpy, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
        (to, from, bytes, kind), .to = to, .from = from, .bytes = bytes)
WATCHED(cudaMemcpyAsync,
        (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
        (to, from, bytes, kind, stream), .to = to, .from = from, .bytes = bytes, .stream = stream)

/* ---- events and waits ------------------------------------------------------------------------ */

WATCHED(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream), .event = event,
        .stream = stream)
WATCHED(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
        (event, stream, flags), .event = event, .stream = stream)
WATCHED(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
        (stream, event, flags), .event = event, .stream = stream)
WATCHED(cudaStreamSynchronize, (cudaStream_t stream), (stream), .stream = stream)
WATCHED(cudaStreamQuery, (cudaStream_t stream), (stream), .stream = stream)
WATCHED(cudaEventSynchronize, (cudaEvent_t event), (event), .event = event)
WATCHED(cudaEventQuery, (cudaEvent_t event), (event), .event = event)

/* ---- captures -------------------------------------------------------------------------------- */

WATCHED(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode),
        (stream, mode), .stream = stream)
WATCHED(cudaStreamBeginCaptureToGraph,
        (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
         const cudaGraphEdgeData *data, size_t n, enum cudaStreamCaptureMode mode),
        (stream, graph, dependencies, data, n, mode), .stream = stream, .graph = graph)
WATCHED(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), (stream, graph),
        .stream = stream, .captured = graph)

/* ---- graphs ---------------------------------------------------------------------------------- */

WATCHED(cudaGraphInstantiate, (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
        (exec, graph, flags), .graph = graph, .flags = flags, .made = exec)

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(exec, graph, flags);
}

#define CALL_cudaGraphInstantiateWithParams CALL_cudaGraphInstantiate
WATCHED(cudaGraphInstantiateWithParams,
        (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams *params),
        (exec, graph, params), .graph = graph, .flags = params ? params->flags : 0, .made = exec)
WATCHED(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream), .exec = exec,
        .stream = stream)
WATCHED(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream), .exec = exec,
        .stream = stream)
WATCHED(cudaGraphDestroy, (cudaGraph_t graph), (graph), .graph = graph)
WATCHED(cudaGraphExecDestroy, (cudaGraphExec_t exec), (exec), .exec = exec)

/* ---- nodes ----------------------------------------------------------------------------------- */

WATCHED(cudaGraphKernelNodeGetParams, (cudaGraphNode_t node, struct cudaKernelNodeParams *params),
        (node, params), .params = params)
WATCHED(cudaGraphExecKernelNodeSetParams,
        (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *params),
        (exec, node, params), .exec = exec, .params = params)
WATCHED(cudaGraphConditionalHandleCreate,
        (cudaGraphConditionalHandle * handle, cudaGraph_t graph, unsigned value, unsigned flags),
        (handle, graph, value, flags), .graph = graph, .value = value, .flags = flags,
        .handle = handle)

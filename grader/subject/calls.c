/*
 * calls.c: the submission calls these functions, see calls.h.
 */
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
#define TOLD(name, parameters, passed, ...)                                                        \
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

TOLD(cudaLaunchKernel,
     (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
      cudaStream_t stream),
     (kernel, grid, block, arguments, shared, stream), .kernel = kernel, .arguments = arguments,
     .stream = stream)
TOLD(cudaLaunchKernelExC, (const cudaLaunchConfig_t *config, const void *kernel, void **arguments),
     (config, kernel, arguments), .kernel = kernel, .arguments = arguments,
     .stream = config ? config->stream : NULL)
TOLD(cudaMemcpy, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
     (to, from, bytes, kind), .to = to, .from = from, .bytes = bytes)
TOLD(cudaMemcpyAsync,
     (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, bytes, kind, stream), .to = to, .from = from, .bytes = bytes, .stream = stream)

/* ---- events and waits ------------------------------------------------------------------------ */

TOLD(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream), .event = event,
     .stream = stream)
TOLD(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
     (event, stream, flags), .event = event, .stream = stream)
TOLD(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
     (stream, event, flags), .event = event, .stream = stream)
TOLD(cudaStreamSynchronize, (cudaStream_t stream), (stream), .stream = stream)
TOLD(cudaStreamQuery, (cudaStream_t stream), (stream), .stream = stream)
TOLD(cudaEventSynchronize, (cudaEvent_t event), (event), .event = event)
TOLD(cudaEventQuery, (cudaEvent_t event), (event), .event = event)

/* ---- captures -------------------------------------------------------------------------------- */

TOLD(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode), (stream, mode),
     .stream = stream)
TOLD(cudaStreamBeginCaptureToGraph,
     (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
      const cudaGraphEdgeData *data, size_t n, enum cudaStreamCaptureMode mode),
     (stream, graph, dependencies, data, n, mode), .stream = stream, .graph = graph)
TOLD(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), (stream, graph),
     .stream = stream, .captured = graph)

/* ---- graphs ---------------------------------------------------------------------------------- */

TOLD(cudaGraphInstantiate, (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
     (exec, graph, flags), .graph = graph, .flags = flags, .made = exec)

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(exec, graph, flags);
}

#define CALL_cudaGraphInstantiateWithParams CALL_cudaGraphInstantiate
TOLD(cudaGraphInstantiateWithParams,
     (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams *params),
     (exec, graph, params), .graph = graph, .flags = params ? params->flags : 0, .made = exec)
TOLD(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream), .exec = exec,
     .stream = stream)
TOLD(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream), .exec = exec,
     .stream = stream)
TOLD(cudaGraphDestroy, (cudaGraph_t graph), (graph), .graph = graph)
TOLD(cudaGraphExecDestroy, (cudaGraphExec_t exec), (exec), .exec = exec)

/* ---- nodes ----------------------------------------------------------------------------------- */

TOLD(cudaGraphKernelNodeGetParams, (cudaGraphNode_t node, struct cudaKernelNodeParams *params),
     (node, params), .params = params)
TOLD(cudaGraphExecKernelNodeSetParams,
     (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *params),
     (exec, node, params), .exec = exec, .params = params)
TOLD(cudaGraphConditionalHandleCreate,
     (cudaGraphConditionalHandle * handle, cudaGraph_t graph, unsigned value, unsigned flags),
     (handle, graph, value, flags), .graph = graph, .value = value, .flags = flags,
     .handle = handle)

/* host_function.c: enqueue host functions and callbacks. */
#include "api.h"

static cudaError_t launch(cudaStream_t stream, struct host_job job)
{
    struct stream *s;
    if (!job.fn && !job.callback)
        return cudaErrorInvalidValue;
    cudaError_t e = stream_for_work(stream, &s);
    if (e != cudaSuccess)
        return e;
    if (job.callback && (e = capture_cannot_take(s)) != cudaSuccess)
        return e;
    struct work w = {
        .kind = OP_HOST_FUNC, .engine = ENGINE_HOST, .caller = call_place(), .host = job};
    w.name = job.fn ? "host function" : "callback";
    return work_submit(&w, s);
}

API_CALL(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t fn, void *data),
         launch(stream, (struct host_job){.fn = fn, .data = data, .handle = stream}))

#if CUDART_VERSION >= 13020
/* The costs of a worker that polls for the function have not been measured. */
EXPORT cudaError_t cudaLaunchHostFunc_v2(cudaStream_t stream, cudaHostFn_t fn, void *data,
                                         unsigned mode)
{
    static bool said;
    API_ENTER(cudaLaunchHostFunc_v2);
    API_REFUSE_IF(mode == cudaHostTaskSpinWait, error_not_modelled("cudaHostTaskSpinWait", &said));
    return api_leave(
        mode != cudaHostTaskBlocking
            ? cudaErrorInvalidValue
            : launch(stream, (struct host_job){.fn = fn, .data = data, .handle = stream}));
}
#endif

EXPORT cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                         void *data, unsigned flags)
{
    API_ENTER(cudaStreamAddCallback);
    API_REFUSE_IF(flags, cudaErrorInvalidValue);
    return api_leave(
        launch(stream, (struct host_job){.callback = callback, .data = data, .handle = stream}));
}

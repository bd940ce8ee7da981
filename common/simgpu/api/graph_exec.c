/* graph_exec.c: instantiate, update, upload, launch and destroy executable graphs. */
#include "api.h"
#include "exec/device_launch.h"

EXPORT cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo *info)
{
    cudaGraphExecUpdateResultInfo unasked;
    API_ENTER(cudaGraphExecUpdate);
    struct exec *x = exec_given(handle);
    struct graph *g = graph_of(graph);
    API_REFUSE_IF(!x || !g, cudaErrorInvalidValue);
    if (!info)
        info = &unasked;
    *info = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateSuccess};
    bool has_other_exec = g->single && g->single->exists && g->single != x->single;
    API_REFUSE_IF(g->n_updatable || x->has_updatable || has_other_exec, cudaErrorNotSupported);
    API_TRY(exec_update(x, x->shape, g, info));
    user_refs_replace(&x->user_refs, g->user_refs, &x->former_refs);
    exec_drop_former_refs(x);
    if (x->defaults) {
        condition_defaults_put(x->defaults);
        x->defaults = condition_defaults_new(g);
    }
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle,
                                                        cudaGraphNode_t node, cudaGraph_t child)
{
    API_ENTER(cudaGraphExecChildGraphNodeSetParams);
    struct exec *x = exec_of(handle);
    const struct node *n = node_of(node);
    struct graph *g = graph_of(child);
    return api_leave(!x || !g || !n || n->type != cudaGraphNodeTypeGraph || !exec_find(x, n)
                         ? cudaErrorInvalidValue
                         : exec_set_child(x, n, g));
}

/* Without parameters there is no stream to upload in. */
static cudaError_t instantiate_here(cudaGraphExec_t *out, cudaGraph_t graph,
                                    unsigned long long flags)
{
    return refusal_knows(flags & cudaGraphInstantiateFlagUpload, 0)
               ? exec_instantiate(out, graph, flags).error
               : cudaErrorInvalidValue;
}

API_CALL(cudaGraphInstantiate, (cudaGraphExec_t * out, cudaGraph_t graph, unsigned long long flags),
         instantiate_here(out, graph, flags))
API_CALL(cudaGraphInstantiateWithFlags,
         (cudaGraphExec_t * out, cudaGraph_t graph, unsigned long long flags),
         instantiate_here(out, graph, flags))

EXPORT cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t graph,
                                                  cudaGraphInstantiateParams *params)
{
    API_ENTER(cudaGraphInstantiateWithParams);
    API_REFUSE_IF(!params, cudaErrorInvalidValue);
    bool upload = params->flags & cudaGraphInstantiateFlagUpload;
    struct stream *s = upload ? stream_of(params->uploadStream) : NULL;
    struct instantiation v = {.error = s && s->capture ? capture_refuses_sync(s) : cudaSuccess,
                              .result = cudaGraphInstantiateError};
    if (v.error == cudaSuccess)
        v = exec_instantiate(out, graph, params->flags);
    params->result_out = v.result;
    params->errNode_out = (cudaGraphNode_t)v.node;
    if (v.error == cudaSuccess && upload) {
        if (!s)
            return api_leave(cudaErrorInvalidResourceHandle);
        exec_upload(exec_of(*out), s);
    }
    return api_leave(v.error);
}

EXPORT cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    API_ENTER(cudaGraphExecDestroy);
    struct exec *x = exec_given(handle);
    API_REFUSE_IF(!x, cudaErrorInvalidValue);
    thread_self()->clock += exec_destroy_cost(x);
    handle_remove(x);
    if (x->single)
        x->single->exists = false;
    exec_unbind(x);
    exec_put(x);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags)
{
    API_ENTER(cudaGraphExecGetFlags);
    const struct exec *x = exec_of(handle);
    API_REFUSE_IF(!x || !flags, cudaErrorInvalidValue);
    *flags = x->flags &
             (cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagDeviceLaunch);
    return api_leave(cudaSuccess);
}

/* The exec, and the stream it is to be launched in or uploaded by. */
static cudaError_t exec_for_stream(cudaGraphExec_t handle, cudaStream_t stream, struct exec **x,
                                   struct stream **s)
{
    cudaError_t e = stream_for_call(stream, s);
    if (e != cudaSuccess || (e = capture_cannot_take(*s)) != cudaSuccess)
        return e;
    *x = exec_given(handle);
    return *x ? cudaSuccess : cudaErrorInvalidValue;
}

EXPORT cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream)
{
    if (kernel_is_running()) {
        const cudaError_t failure = api_launch_failure_in_kernel(__builtin_frame_address(0));
        return failure ? failure : kernel_graph_launch(handle, stream);
    }
    API_ENTER(cudaGraphLaunch);
    struct exec *x;
    struct stream *s;
    e = exec_for_stream(handle, stream, &x, &s);
    if (e == cudaSuccess)
        launched_note(x);
    return api_leave(e == cudaSuccess ? exec_launch(x, s) : e);
}

EXPORT cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream)
{
    API_ENTER(cudaGraphUpload);
    struct exec *x;
    struct stream *s;
    e = exec_for_stream(handle, stream, &x, &s);
    if (e == cudaSuccess)
        exec_upload(x, s);
    return api_leave(e);
}

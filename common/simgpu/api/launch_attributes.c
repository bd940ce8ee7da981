/* launch_attributes.c: the attributes of a launch: they are checked, kept in the captured node, and
 * the events among them are recorded. */
#include "api.h"

static cudaError_t launch_event_error(cudaEvent_t event, int flags, const struct stream *s)
{
    const struct event *ev = event_of(event);
    if (!ev)
        return cudaErrorInvalidResourceHandle;
    if (!(ev->flags & cudaEventDisableTiming) || ev->flags & cudaEventInterprocess)
        return cudaErrorNotSupported;
    if (flags & cudaEventRecordExternal)
        return s->capture ? cudaErrorNotSupported : cudaErrorIllegalState;
    return flags ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t launch_event_record(cudaEvent_t event, cudaStream_t stream, struct stream *s,
                                       struct node *kernel, cudaGraphEdgeData data)
{
    if (!s->capture)
        return event_record(event, stream, 0);
    struct event *ev = event_of(event);
    capture_record(ev, s);
    frontier_set(&ev->frontier, &(struct frontier){.nodes = &kernel, .data = &data, .n = 1});
    return cudaSuccess;
}

/* ---- launches -------------------------------------------------------------------------------- */

static cudaError_t launch_error(const struct stream *s, const struct simgpu_dim *grid,
                                cudaLaunchAttributeID id, const cudaLaunchAttributeValue *v)
{
    cudaError_t e;
    switch (id) {
    case cudaLaunchAttributeClusterDimension:
        e = cluster_error(grid, v);
        if (e == cudaSuccess &&
            v->clusterDim.x * v->clusterDim.y * v->clusterDim.z > CLUSTER_BLOCKS)
            e = cudaErrorInvalidClusterSize;
        return e;
    case cudaLaunchAttributeProgrammaticEvent:
        return launch_event_error(v->programmaticEvent.event, v->programmaticEvent.flags, s);
    case cudaLaunchAttributeLaunchCompletionEvent:
        return launch_event_error(v->launchCompletionEvent.event, v->launchCompletionEvent.flags,
                                  s);
    default: /* what the headers do not name is no attribute */
        return (unsigned)id > cudaLaunchAttributeNvlinkUtilCentricScheduling ? cudaErrorInvalidValue
                                                                             : cudaSuccess;
    }
}

cudaError_t launch_attributes_error(const struct stream *s, const struct simgpu_dim *grid,
                                    const cudaLaunchAttribute *attributes, unsigned n)
{
    cudaError_t e = cudaSuccess;
    for (unsigned i = 0; i < n && e == cudaSuccess; i++)
        e = launch_error(s, grid, attributes[i].id, &attributes[i].val);
    return e;
}

/* Outside of a capture both events are recorded when the kernel is done: so it is for the first on
 * an H200; the second may let others start earlier there, and orders nothing after the kernel. */
cudaError_t launch_attributes_after(cudaStream_t stream, struct stream *s, struct node *kernel,
                                    const cudaLaunchAttribute *attributes, unsigned n)
{
    static const cudaGraphEdgeData programmatic = {.from_port = cudaGraphKernelNodePortProgrammatic,
                                                   .type = cudaGraphDependencyTypeProgrammatic};
    static const cudaGraphEdgeData completion = {.from_port =
                                                     cudaGraphKernelNodePortLaunchCompletion};
    cudaError_t e = cudaSuccess;
    for (unsigned i = 0; i < n && e == cudaSuccess; i++) {
        const cudaLaunchAttributeValue *v = &attributes[i].val;
        if (attributes[i].id == cudaLaunchAttributeProgrammaticEvent)
            e = launch_event_record(v->programmaticEvent.event, stream, s, kernel, programmatic);
        else if (attributes[i].id == cudaLaunchAttributeLaunchCompletionEvent)
            e = s->capture ? launch_event_record(v->launchCompletionEvent.event, stream, s, kernel,
                                                 completion)
                           : event_record_started(v->launchCompletionEvent.event, stream, s);
    }
    return e;
}

bool launch_attributes_beside(const cudaLaunchAttribute *attributes, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (attributes[i].id == cudaLaunchAttributeProgrammaticStreamSerialization &&
            attributes[i].val.programmaticStreamSerializationAllowed)
            return true;
    return false;
}

bool launch_attributes_cooperative(const cudaLaunchAttribute *attributes, unsigned n)
{
    bool cooperative = false;
    for (unsigned i = 0; i < n; i++)
        if (attributes[i].id == cudaLaunchAttributeCooperative)
            cooperative = attributes[i].val.cooperative;
    return cooperative;
}

void launch_attributes_before(struct stream *s, const cudaLaunchAttribute *attributes, unsigned n)
{
    for (int k = 0; launch_attributes_beside(attributes, n) && k < s->frontier.n; k++)
        if (s->frontier.nodes[k]->type == cudaGraphNodeTypeKernel)
            s->frontier.data[k] =
                (cudaGraphEdgeData){.from_port = cudaGraphKernelNodePortProgrammatic,
                                    .type = cudaGraphDependencyTypeProgrammatic};
}

void launch_attributes_keep(struct node *n, const cudaLaunchAttribute *attributes,
                            unsigned n_attributes)
{
    for (unsigned i = 0; i < n_attributes; i++)
        kernel_attribute_set(n, attributes[i].id, &attributes[i].val);
}

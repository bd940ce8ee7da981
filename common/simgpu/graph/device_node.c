/* device_node.c: kernel nodes that device code may change: the calls of the host for them. */
#include <stdlib.h>

#include "graph.h"

struct device_node *device_node_of(const void *handle)
{
    return handle_type_of(handle) == HANDLE_DEVICE_NODE ? (struct device_node *)(uintptr_t)handle
                                                        : NULL;
}

void device_node_get(struct device_node *d)
{
    if (d)
        d->refs++;
}

void device_node_put(struct device_node *d)
{
    if (!d || --d->refs > 0)
        return;
    handle_remove(d);
    free(d);
}

cudaError_t node_set_updatable(struct node *n, cudaLaunchAttributeValue *value)
{
    int on = value->deviceUpdatableKernelNode.deviceUpdatable;
    if (on != 0 && on != 1)
        return cudaErrorInvalidValue;
    if (!on && n->updatable)
        return cudaErrorNotSupported;
    if (value->deviceUpdatableKernelNode.devNode) /* it is for the answer */
        return cudaErrorInvalidValue;
    if (!on)
        return cudaSuccess;
    if (!n->updatable) {
        n->updatable = needed(calloc(1, sizeof *n->updatable), "a device-updatable node");
        *n->updatable = (struct device_node){.refs = 1, .source = n->uid};
        handle_add(n->updatable, HANDLE_DEVICE_NODE);
        graph_top(n->graph)->n_updatable++;
    }
    value->deviceUpdatableKernelNode.devNode = (cudaGraphDeviceNode_t)n->updatable;
    return cudaSuccess;
}

void node_get_updatable(const struct node *n, cudaLaunchAttributeValue *value)
{
    value->deviceUpdatableKernelNode.deviceUpdatable = n->updatable != NULL;
    value->deviceUpdatableKernelNode.devNode = (cudaGraphDeviceNode_t)n->updatable;
}

/* graph_memory.c: memory that graphs keep on a device: counters and trim. */
#include <string.h>

#include "api.h"

/* Graphs use all that is reserved for them until it is trimmed. */
static bool counter(int device, enum cudaGraphMemAttributeType attribute, uint64_t *value)
{
    switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
    case cudaGraphMemAttrReservedMemCurrent:
        *value = graph_backing_bytes(device);
        return true;
    case cudaGraphMemAttrUsedMemHigh:
    case cudaGraphMemAttrReservedMemHigh:
        *value = graph_backing_high(device)[attribute == cudaGraphMemAttrReservedMemHigh];
        return true;
    default:
        return false;
    }
}

EXPORT cudaError_t cudaDeviceGetGraphMemAttribute(int device,
                                                  enum cudaGraphMemAttributeType attribute,
                                                  void *value)
{
    API_ENTER(cudaDeviceGetGraphMemAttribute);
    API_REFUSE_IF(device < 0 || device >= sim.n_devices, cudaErrorInvalidDevice);
    uint64_t count;
    API_REFUSE_IF(!value || !counter(device, attribute, &count), cudaErrorInvalidValue);
    memcpy(value, &count, sizeof count);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceSetGraphMemAttribute(int device,
                                                  enum cudaGraphMemAttributeType attribute,
                                                  void *value)
{
    API_ENTER(cudaDeviceSetGraphMemAttribute);
    API_REFUSE_IF(device < 0 || device >= sim.n_devices, cudaErrorInvalidDevice);
    bool high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    API_REFUSE_IF(!high || !value || *(uint64_t *)value != 0, cudaErrorInvalidValue);
    graph_backing_high(device)[attribute == cudaGraphMemAttrReservedMemHigh] =
        graph_backing_bytes(device);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceGraphMemTrim(int device)
{
    API_ENTER(cudaDeviceGraphMemTrim);
    API_REFUSE_IF(device < 0 || device >= sim.n_devices, cudaErrorInvalidDevice);
    graph_backing_trim(device);
    return api_leave(cudaSuccess);
}

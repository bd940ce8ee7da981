/* peer.c: access of one simulated device to the memory of another. All of them are linked to each
 * other. */
#include "api.h"

EXPORT cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    API_ENTER(cudaDeviceCanAccessPeer);
    API_REFUSE_IF(!can, cudaErrorInvalidValue);
    API_REFUSE_IF(!device_exists(device) || !device_exists(peer), cudaErrorInvalidDevice);
    *can = peer_is_possible(device, peer);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    API_ENTER(cudaDeviceEnablePeerAccess);
    int device = thread_self()->device;
    API_REFUSE_IF(!device_exists(peer), cudaErrorInvalidDevice);
    API_REFUSE_IF(flags, cudaErrorInvalidValue);
    API_REFUSE_IF(!peer_is_possible(device, peer), cudaErrorPeerAccessUnsupported);
    API_REFUSE_IF(peer_enabled(device, peer), cudaErrorPeerAccessAlreadyEnabled);
    peer_enable(device, peer, true);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    API_ENTER(cudaDeviceDisablePeerAccess);
    int device = thread_self()->device;
    API_REFUSE_IF(!device_exists(peer), cudaErrorInvalidDevice);
    API_REFUSE_IF(!peer_enabled(device, peer), cudaErrorPeerAccessNotEnabled);
    peer_enable(device, peer, false);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute,
                                             int source, int destination)
{
    API_ENTER(cudaDeviceGetP2PAttribute);
    API_REFUSE_IF(!value, cudaErrorInvalidValue);
    API_REFUSE_IF(!device_exists(source) || !device_exists(destination) || source == destination,
                  cudaErrorInvalidDevice);
    switch ((int)attribute) {
    case cudaDevP2PAttrPerformanceRank: /* 0: the fastest kind of link there is */
        *value = 0;
        return api_leave(cudaSuccess);
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
    case cudaDevP2PAttrCudaArrayAccessSupported:
        *value = peer_is_possible(source, destination);
        return api_leave(cudaSuccess);
    default:
        return api_leave(cudaErrorInvalidValue);
    }
}

/* peers.h: for the adapters of labs 12 and 14: may one device access the memory of another? */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>

/* Has a submission left out to enable this access? *possible counts the pairs that could have it.
   Access is then as it was, and device 0 is current. */
static inline bool peers_left_out(int from, int to, int *possible)
{
    int can = 0;
    if (cudaDeviceCanAccessPeer(&can, from, to) != cudaSuccess || !can)
        return false;
    ++*possible;
    cudaSetDevice(from);
    const bool is_enabled = cudaDeviceEnablePeerAccess(to, 0) == cudaErrorPeerAccessAlreadyEnabled;
    if (!is_enabled)
        cudaDeviceDisablePeerAccess(to);
    cudaSetDevice(0);
    cudaGetLastError(); /* of enabling twice */
    return !is_enabled;
}

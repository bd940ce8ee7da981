/* peer.c: peer access: the access of one device to the memory of another. */
#include "memory.h"

static bool enabled[MAX_DEVICES][MAX_DEVICES]; /* [accessing device][owner of the memory] */

bool peer_is_possible(int device, int peer)
{
    return device != peer && device / sim.peers == peer / sim.peers;
}

bool peer_enabled(int device, int peer)
{
    return enabled[device][peer];
}

void peer_enable(int device, int peer, bool on)
{
    enabled[device][peer] = on;
}

void peer_forget(int device)
{
    for (int i = 0; i < MAX_DEVICES; i++)
        enabled[device][i] = enabled[i][device] = false;
}

bool memory_is_shared_by_pool(const struct allocation *a)
{
    return a->pool || a->kind == MEMORY_GRAPH;
}

bool memory_reaches(const struct allocation *a, int device)
{
    if (a->device == device)
        return true;
    switch (a->kind) {
    case MEMORY_DEVICE:
        return peer_enabled(device, a->device);
    case MEMORY_SHARED:
        if (!a->pool)
            return true;
        /* fallthrough */
    case MEMORY_POOL:
        return a->pool->access[device] != cudaMemAccessFlagsProtNone;
    case MEMORY_GRAPH:
        return a->shared_with & (1u << device);
    default:
        return true;
    }
}

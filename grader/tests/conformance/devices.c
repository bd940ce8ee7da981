/* devices.c: streams, events and memory on a device, see devices.h. */
#include "devices.h"

#include "answer.h"
#include "graphs.h"
#include "objects.h"

void use_device(int device)
{
    MUST(cudaSetDevice(device));
}

int device_in_use(void)
{
    int device = -1;
    MUST(cudaGetDevice(&device));
    return device;
}

void start_device(int device)
{
    int before = device_in_use();
    use_device(device);
    MUST(cudaFree(NULL));
    use_device(before);
}

static cudaStream_t new_stream_on(int device, unsigned flags)
{
    int before = device_in_use();
    use_device(device);
    cudaStream_t s = new_stream(flags);
    use_device(before);
    return s;
}

cudaStream_t stream_on(int device)
{
    return new_stream_on(device, cudaStreamNonBlocking);
}

cudaStream_t blocking_stream_on(int device)
{
    return new_stream_on(device, cudaStreamDefault);
}

cudaEvent_t event_on(int device)
{
    int before = device_in_use();
    use_device(device);
    cudaEvent_t e = new_event(0);
    use_device(before);
    return e;
}

void *bytes_on(int device, size_t n)
{
    int before = device_in_use();
    use_device(device);
    void *p = device_bytes(n);
    use_device(before);
    return p;
}

void *pool_bytes_on(int device, size_t n)
{
    int before = device_in_use();
    use_device(device);
    void *p = async_bytes(n, NULL);
    MUST(cudaMemset(p, 0, n));
    MUST(cudaDeviceSynchronize());
    use_device(before);
    return p;
}

cudaMemPool_t default_pool_on(int device)
{
    cudaMemPool_t pool = NULL;
    MUST(cudaDeviceGetDefaultMemPool(&pool, device));
    return pool;
}

void enable_peer(int device)
{
    int before = device_in_use();
    use_device(device);
    MUST(cudaDeviceEnablePeerAccess(1 - device, 0));
    use_device(before);
}

void enable_peers(void)
{
    enable_peer(0);
    enable_peer(1);
}

int byte_on(int device, const void *p)
{
    int before = device_in_use();
    use_device(device);
    int value = byte_at(p);
    use_device(before);
    return value;
}

struct device_pair device_pair(void)
{
    struct device_pair x;
    for (int i = 0; i < 2; i++) {
        x.s[i] = stream_on(i);
        x.e[i] = event_on(i);
        x.p[i] = bytes_on(i, SMALL);
    }
    return x;
}

cudaGraphNode_t add_store_on(int device, cudaGraph_t g, cudaGraphNode_t after, int *p, int value)
{
    use_device(device);
    cudaGraphNode_t n = add_store(g, after, p, value);
    use_device(0);
    return n;
}

cudaGraph_t graph_on_both(int *p, int *q, int value)
{
    cudaGraph_t g = new_graph();
    add_store_on(1, g, add_store_on(0, g, NULL, p, value), q, value + 1);
    return g;
}

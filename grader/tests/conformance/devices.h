/* devices.h: streams, events and memory on a device that need not be the current one. */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

void use_device(int device);
/* Makes its context; the current device stays. */
void start_device(int device);
int device_in_use(void);

/* These leave the current device as it is. */
cudaStream_t stream_on(int device);
cudaStream_t blocking_stream_on(int device);
cudaEvent_t event_on(int device);
/* Zeroed. */
void *bytes_on(int device, size_t n);
/* Of cudaMallocAsync, zeroed, and done. */
void *pool_bytes_on(int device, size_t n);
cudaMemPool_t default_pool_on(int device);

/* `device` may access the memory of the other one of two; each may. */
void enable_peer(int device);
void enable_peers(void);
/* Streams, events and memory of both devices. */
struct device_pair {
    cudaStream_t s[2];
    cudaEvent_t e[2];
    int *p[2];
};
struct device_pair device_pair(void);
/* add_store of graphs.h: the kernel is of that device. Device 0 is current afterwards. */
cudaGraphNode_t add_store_on(int device, cudaGraph_t g, cudaGraphNode_t after, int *p, int value);
/* A graph of a kernel node of each device, the second after the first: p = value, q = value + 1. */
cudaGraph_t graph_on_both(int *p, int *q, int value);
/* The first byte, read by a copy from the device that has the memory. */
int byte_on(int device, const void *p);

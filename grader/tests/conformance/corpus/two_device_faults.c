/*
 * two_device_faults.c: a kernel's fault on one device, and what the other one still does; resets.
 */
#include "../devices.h"
#include "../graphs.h"
#include "../launches.h"
#include "../situation_kernels.h"

struct rest {
    cudaStream_t s[2];
    cudaEvent_t e[2];
    void *p[2];
    int *pinned;
};

/* A kernel of the device writes to an address that is nobody's. */
static struct rest fault_on(int device)
{
    struct rest r;
    for (int i = 0; i < 2; i++) {
        r.s[i] = stream_on(i);
        r.e[i] = event_on(i);
        r.p[i] = bytes_on(i, SMALL);
    }
    r.pinned = pinned_bytes(SMALL);
    use_device(device);
    MUST(launch_store(r.s[device], (int *)16, 1));
    if (cudaStreamSynchronize(r.s[device]) != cudaErrorIllegalAddress)
        answer_fact("fault", "no fault");
    cudaGetLastError();
    return r;
}

SITUATION_ON(2, fault_other_works,
             "two devices: after device 0's fault, on device 1: set device, malloc, memset, "
             "kernel, synchronize, event, copy to the host",
             "cudaMalloc: IllegalAddress", "cudaMemsetAsync: IllegalAddress",
             "launch_store: IllegalAddress", "cudaEventRecord: IllegalAddress",
             "cudaStreamSynchronize: IllegalAddress", "cudaMemcpy: IllegalAddress",
             "cudaDeviceSynchronize: IllegalAddress", "cudaGetLastError: IllegalAddress")
{
    struct rest r = fault_on(0);
    void *p;
    answer(cudaSetDevice(1));
    answer(cudaMalloc(&p, SMALL));
    answer(cudaMemsetAsync(r.p[1], 1, SMALL, r.s[1]));
    answer(launch_store(r.s[1], r.p[1], 5));
    answer(cudaEventRecord(r.e[1], r.s[1]));
    answer(cudaStreamSynchronize(r.s[1]));
    answer(cudaMemcpy(r.pinned, r.p[1], 4, cudaMemcpyDefault));
    answer(cudaDeviceSynchronize());
    answer(cudaGetLastError());
}

SITUATION_ON(2, fault_own_stays,
             "two devices: after device 1's fault, on device 1, on device 0: last error, stream "
             "query, device synchronize",
             "cudaStreamQuery(r.s[1]): IllegalAddress", "cudaDeviceSynchronize: IllegalAddress",
             "cudaGetLastError: IllegalAddress", "cudaStreamQuery(r.s[0]): IllegalAddress",
             "cudaDeviceSynchronize #2: IllegalAddress",
             "cudaStreamQuery(r.s[1]) #2: IllegalAddress", "cudaGetLastError #3: IllegalAddress")
{
    struct rest r = fault_on(1);
    answer(cudaStreamQuery(r.s[1]));
    answer(cudaDeviceSynchronize());
    answer(cudaGetLastError());
    answer(cudaSetDevice(0));
    answer(cudaGetLastError());
    answer(cudaStreamQuery(r.s[0]));
    answer(cudaDeviceSynchronize());
    answer(cudaStreamQuery(r.s[1]));
    answer(cudaGetLastError());
}

SITUATION_ON(2, fault_copies_between,
             "two devices: after device 0's fault, with device 1 current: copies between the "
             "devices; from device 0's memory; wait for device 0's event; free of its memory",
             "cudaMemcpyAsync: IllegalAddress", "cudaStreamSynchronize: IllegalAddress",
             "cudaMemcpyPeerAsync: IllegalAddress", "cudaStreamWaitEvent: IllegalAddress",
             "cudaEventQuery: IllegalAddress", "cudaFree: IllegalAddress",
             "cudaDeviceSynchronize: IllegalAddress")
{
    struct rest r = fault_on(0);
    use_device(1);
    answer(cudaMemcpyAsync(r.p[1], r.p[0], SMALL, cudaMemcpyDefault, r.s[1]));
    answer(cudaStreamSynchronize(r.s[1]));
    answer(cudaMemcpyPeerAsync(r.p[1], 1, r.p[0], 0, SMALL, r.s[1]));
    answer(cudaStreamWaitEvent(r.s[1], r.e[0], 0));
    answer(cudaEventQuery(r.e[0]));
    answer(cudaFree(r.p[0]));
    answer(cudaDeviceSynchronize());
}

SITUATION_ON(2, fault_graph_over_both,
             "two devices: after device 1's fault: a graph over both, instantiated before, "
             "launched in device 0's stream; one of device 0 alone",
             "cudaGraphLaunch(y): IllegalAddress", "cudaStreamSynchronize: IllegalAddress",
             "cudaGraphLaunch(x): IllegalAddress", "cudaStreamSynchronize #2: IllegalAddress",
             "cudaDeviceSynchronize: IllegalAddress")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph(), own = new_graph();
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    add_store(own, NULL, p, 2);
    use_device(1);
    add_store(g, n, q, 2);
    use_device(0);
    cudaGraphExec_t x = new_exec(g), y = new_exec(own);
    struct rest r = fault_on(1);
    use_device(0);
    answer(cudaGraphLaunch(y, r.s[0]));
    answer(cudaStreamSynchronize(r.s[0]));
    answer(cudaGraphLaunch(x, r.s[0]));
    answer(cudaStreamSynchronize(r.s[0]));
    answer(cudaDeviceSynchronize());
}

SITUATION_ON(2, fault_reset_of_two,
             "two devices: after device 0's fault: cudaDeviceReset of 0; then 0 works; is device "
             "1's memory still there",
             "cudaMalloc: DevicesUnavailable", "cudaDeviceSynchronize: DevicesUnavailable",
             "cudaMemset: IllegalAddress", "cudaStreamSynchronize: IllegalAddress")
{
    struct rest r = fault_on(0);
    void *p;
    answer(cudaDeviceReset());
    answer(cudaMalloc(&p, SMALL));
    answer(cudaDeviceSynchronize());
    use_device(1);
    answer(cudaMemset(r.p[1], 1, SMALL));
    answer(cudaStreamSynchronize(r.s[1]));
}

SITUATION_ON(2, reset_other_lives,
             "two devices: cudaDeviceReset of device 1: device 0's memory, stream, event", SUCCEEDS)
{
    cudaStream_t a = stream_on(0);
    cudaEvent_t e = event_on(0);
    void *p = bytes_on(0, SMALL);
    use_device(1);
    answer(cudaDeviceReset());
    use_device(0);
    answer(cudaMemsetAsync(p, 1, SMALL, a));
    answer(cudaEventRecord(e, a));
    answer(cudaStreamSynchronize(a));
    answer(cudaEventQuery(e));
}

SITUATION_ON(2, reset_then_memory,
             "two devices: after cudaDeviceReset of device 1, with device 1 current: new memory "
             "there; a copy of it",
             "byte_on: 4")
{
    void *p = bytes_on(0, SMALL), *q = NULL;
    use_device(1);
    MUST(cudaDeviceReset());
    answer(cudaMalloc(&q, SMALL));
    answer(cudaMemset(q, 4, SMALL));
    answer(cudaMemcpy(p, q, SMALL, cudaMemcpyDefault));
    answer_text("%d", byte_on(0, p));
}

SITUATION_ON(2, fault_in_graph_of_other,
             "two devices: a graph launched in device 0's stream has a kernel of device 1 that "
             "faults: synchronize 0; then 1",
             "cudaStreamSynchronize(s): IllegalAddress",
             "cudaStreamSynchronize(other): IllegalAddress",
             "cudaDeviceSynchronize: IllegalAddress", "cudaDeviceSynchronize #2: IllegalAddress",
             "cudaGetLastError: IllegalAddress")
{
    int *p = bytes_on(0, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    use_device(1);
    n = add_store(g, n, (int *)16, 2);
    use_device(0);
    add_store(g, n, p, 3);
    cudaStream_t s = stream_on(0), other = stream_on(1);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
    answer(cudaStreamSynchronize(other));
    answer(cudaDeviceSynchronize());
    use_device(1);
    answer(cudaDeviceSynchronize());
    answer(cudaGetLastError());
}

SITUATION_ON(2, fault_by_peer_address,
             "two devices: a kernel of device 0 writes device 1's memory without access: which "
             "device is lost",
             "cudaStreamSynchronize(a): IllegalAddress", "cudaDeviceSynchronize: IllegalAddress",
             "cudaMemset: IllegalAddress", "cudaDeviceSynchronize #2: IllegalAddress")
{
    int *q = bytes_on(1, SMALL);
    cudaStream_t a = stream_on(0), b = stream_on(1);
    answer(launch_store(a, q, 1));
    answer(cudaStreamSynchronize(b));
    answer(cudaStreamSynchronize(a));
    use_device(1);
    answer(cudaDeviceSynchronize());
    answer(cudaMemset(q, 1, SMALL));
    answer(cudaDeviceSynchronize());
}

SITUATION_ON(2, fault_last_error,
             "two devices: after device 0's fault: cudaGetLastError, cudaPeekAtLastError on device "
             "1, on 0; a failed call on device 1, then on 0",
             "cudaSetDevice: InvalidDevice", "cudaGetLastError #2: InvalidDevice",
             "cudaDeviceSynchronize: IllegalAddress", "cudaGetLastError #4: IllegalAddress")
{
    fault_on(0);
    use_device(1);
    answer(cudaGetLastError());
    answer(cudaPeekAtLastError());
    answer(cudaSetDevice(99));
    answer(cudaGetLastError());
    answer(cudaGetLastError());
    use_device(0);
    answer(cudaDeviceSynchronize());
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}

/* two_device_faults.c: a kernel's fault on one device, and what the other one still does; resets.
 */
#include "../devices.h"
#include "../graphs.h"

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

ON_TWO_DEVICES("after device 0's fault, on device 1: set device, malloc, memset, kernel, "
               "synchronize, event, copy to the host")
{
    struct rest r = fault_on(0);
    void *p;
    answer(cudaSetDevice(1));
    gives(IllegalAddress, cudaMalloc(&p, SMALL));
    gives(IllegalAddress, cudaMemsetAsync(r.p[1], 1, SMALL, r.s[1]));
    gives(IllegalAddress, launch_store(r.s[1], r.p[1], 5));
    gives(IllegalAddress, cudaEventRecord(r.e[1], r.s[1]));
    gives(IllegalAddress, cudaStreamSynchronize(r.s[1]));
    gives(IllegalAddress, cudaMemcpy(r.pinned, r.p[1], 4, cudaMemcpyDefault));
    gives(IllegalAddress, cudaDeviceSynchronize());
    gives(IllegalAddress, cudaGetLastError());
}

ON_TWO_DEVICES("after device 1's fault, on device 1, on device 0: last error, stream query, device "
               "synchronize")
{
    struct rest r = fault_on(1);
    gives(IllegalAddress, cudaStreamQuery(r.s[1]));
    gives(IllegalAddress, cudaDeviceSynchronize());
    gives(IllegalAddress, cudaGetLastError());
    answer(cudaSetDevice(0));
    answer(cudaGetLastError());
    gives(IllegalAddress, cudaStreamQuery(r.s[0]));
    gives(IllegalAddress, cudaDeviceSynchronize());
    gives(IllegalAddress, cudaStreamQuery(r.s[1]));
    gives(IllegalAddress, cudaGetLastError());
}

ON_TWO_DEVICES("after device 0's fault, with device 1 current: copies between the devices; from "
               "device 0's memory; wait for device 0's event; free of its memory")
{
    struct rest r = fault_on(0);
    use_device(1);
    gives(IllegalAddress, cudaMemcpyAsync(r.p[1], r.p[0], SMALL, cudaMemcpyDefault, r.s[1]));
    gives(IllegalAddress, cudaStreamSynchronize(r.s[1]));
    gives(IllegalAddress, cudaMemcpyPeerAsync(r.p[1], 1, r.p[0], 0, SMALL, r.s[1]));
    gives(IllegalAddress, cudaStreamWaitEvent(r.s[1], r.e[0], 0));
    gives(IllegalAddress, cudaEventQuery(r.e[0]));
    gives(IllegalAddress, cudaFree(r.p[0]));
    gives(IllegalAddress, cudaDeviceSynchronize());
}

ON_TWO_DEVICES("after device 1's fault: a graph over both, instantiated before, launched in device "
               "0's stream; one of device 0 alone")
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
    gives(IllegalAddress, cudaGraphLaunch(y, r.s[0]));
    gives(IllegalAddress, cudaStreamSynchronize(r.s[0]));
    gives(IllegalAddress, cudaGraphLaunch(x, r.s[0]));
    gives(IllegalAddress, cudaStreamSynchronize(r.s[0]));
    gives(IllegalAddress, cudaDeviceSynchronize());
}

ON_TWO_DEVICES(
    "after device 0's fault: cudaDeviceReset of 0; then 0 works; is device 1's memory still there")
{
    struct rest r = fault_on(0);
    void *p;
    answer(cudaDeviceReset());
    gives(DevicesUnavailable, cudaMalloc(&p, SMALL));
    gives(DevicesUnavailable, cudaDeviceSynchronize());
    use_device(1);
    gives(IllegalAddress, cudaMemset(r.p[1], 1, SMALL));
    gives(IllegalAddress, cudaStreamSynchronize(r.s[1]));
}

ON_TWO_DEVICES("cudaDeviceReset of device 1: device 0's memory, stream, event; with device 1 "
               "current: new memory there; a copy of it")
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
    void *q = NULL;
    use_device(1);
    answer(cudaMalloc(&q, SMALL));
    answer(cudaMemset(q, 4, SMALL));
    answer(cudaMemcpy(p, q, SMALL, cudaMemcpyDefault));
    shows("4", "%d", byte_on(0, p));
}

ON_TWO_DEVICES("a graph launched in device 0's stream has a kernel of device 1 that faults: "
               "synchronize 0; then 1")
{
    int *p = bytes_on(0, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    use_device(1);
    n = add_store(g, n, (int *)16, 2);
    use_device(0);
    add_store(g, n, p, 3);
    cudaStream_t s = stream_on(0), other = stream_on(1);
    answer(cudaGraphLaunch(new_exec(g), s));
    gives(IllegalAddress, cudaStreamSynchronize(s));
    gives(IllegalAddress, cudaStreamSynchronize(other));
    gives(IllegalAddress, cudaDeviceSynchronize());
    use_device(1);
    gives(IllegalAddress, cudaDeviceSynchronize());
    gives(IllegalAddress, cudaGetLastError());
}

ON_TWO_DEVICES("a kernel of device 0 writes device 1's memory without access: which device is lost")
{
    int *q = bytes_on(1, SMALL);
    cudaStream_t a = stream_on(0), b = stream_on(1);
    answer(launch_store(a, q, 1));
    answer(cudaStreamSynchronize(b));
    gives(IllegalAddress, cudaStreamSynchronize(a));
    use_device(1);
    gives(IllegalAddress, cudaDeviceSynchronize());
    gives(IllegalAddress, cudaMemset(q, 1, SMALL));
    gives(IllegalAddress, cudaDeviceSynchronize());
}

ON_TWO_DEVICES("after device 0's fault: cudaGetLastError, cudaPeekAtLastError on device 1, on 0; a "
               "failed call on device 1, then on 0")
{
    fault_on(0);
    use_device(1);
    answer(cudaGetLastError());
    answer(cudaPeekAtLastError());
    gives(InvalidDevice, cudaSetDevice(99));
    gives(InvalidDevice, cudaGetLastError());
    answer(cudaGetLastError());
    use_device(0);
    gives(IllegalAddress, cudaDeviceSynchronize());
    gives(IllegalAddress, cudaGetLastError());
    answer(cudaGetLastError());
}

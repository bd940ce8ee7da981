/* two_device_streams.c: streams, events and launches while another device is current. */
#include "../devices.h"
#include "../graphs.h"

ON_TWO_DEVICES("a kernel launched in the other device's stream; through cudaLaunchKernelExC; a "
               "host function there; a memset there; a kernel there writes its memory; a "
               "cooperative one; the device after the launch")
{
    int *q = bytes_on(1, SMALL);
    cudaStream_t s = stream_on(1);
    cudaLaunchConfig_t c = {.gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = s};
    answer(launch_store(s, q, 1));
    answer(cudaLaunchKernelExC(&c, situation_nothing(), NULL));
    answer(cudaLaunchHostFunc(s, write_letter, (void *)'h'));
    answer(cudaMemsetAsync(q, 0, SMALL, s));
    answer(cudaGetLastError());
    answer(cudaStreamSynchronize(s));
    fact("log", "h", "%s", host_log());
    answer(launch_store(s, q, 6));
    answer(cudaStreamSynchronize(s));
    shows("0", "%d", device_in_use());
    fact("value", "6", "%d", byte_on(1, q));
    void *args[] = {&q, &(int){7}};
    answer(cudaLaunchCooperativeKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0,
                                       s));
    answer(cudaStreamSynchronize(s));
}

static void kernel_in_other_memory(void)
{
    int *q = bytes_on(1, SMALL);
    cudaStream_t s = nonblocking_stream();
    answer(launch_store(s, q, 5));
    answer(cudaStreamSynchronize(s));
    answer(cudaGetLastError());
    use_device(1);
    int value = -1;
    answer(cudaMemcpy(&value, q, sizeof value, cudaMemcpyDefault));
    answer_text("%d", value);
}

ROW_ON_TWO_DEVICES(kernel_in_other_memory(),
                   "a kernel writes the other device's memory, without peer access",
                   "cudaStreamSynchronize: IllegalAddress", "cudaGetLastError: IllegalAddress",
                   "cudaMemcpy: IllegalAddress", "value: -1")

ON_TWO_DEVICES("a kernel writes the other device's memory, with peer access", "value: 5")
{
    enable_peer(0);
    kernel_in_other_memory();
}

ON_TWO_DEVICES("a kernel of 0 writes device 1's memory, while only device 1 may access device 0",
               "cudaStreamSynchronize: IllegalAddress", "cudaGetLastError: IllegalAddress",
               "cudaMemcpy: IllegalAddress", "value: -1")
{
    enable_peer(1);
    kernel_in_other_memory();
}

ON_TWO_DEVICES("cudaStreamGetDevice of a stream of each, of the legacy stream, while 1 is current")
{
    cudaStream_t s[2] = {stream_on(0), stream_on(1)};
    int d[4] = {9, 9, 9, 9};
    use_device(1);
    answer(cudaStreamGetDevice(s[0], &d[0]));
    answer(cudaStreamGetDevice(s[1], &d[1]));
    answer(cudaStreamGetDevice(NULL, &d[2]));
    answer(cudaStreamGetDevice(cudaStreamPerThread, &d[3]));
    fact("devices", "0 1 1 1", "%d %d %d %d", d[0], d[1], d[2], d[3]);
}

ON_TWO_DEVICES("attributes of the other device's stream: set, get, copied to an own one; query, "
               "synchronize, flags, priority, id, is capturing, destroy; last error")
{
    cudaStream_t s = stream_on(1);
    cudaLaunchAttributeValue v = {.syncPolicy = cudaSyncPolicySpin};
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
    gives(InvalidValue, cudaStreamCopyAttributes(stream_on(0), s));
    unsigned flags;
    int priority;
    unsigned long long id;
    answer(cudaStreamQuery(s));
    answer(cudaStreamSynchronize(s));
    answer(cudaStreamGetFlags(s, &flags));
    answer(cudaStreamGetPriority(s, &priority));
    answer(cudaStreamGetId(s, &id));
    status_is("none", s);
    answer(cudaStreamDestroy(s));
    gives(InvalidValue, cudaGetLastError());
}

ON_TWO_DEVICES("device 0's event recorded in device 1's stream; device 1's event there; in device "
               "1's legacy stream while 1 is current")
{
    cudaEvent_t e0 = event_on(0), e1 = event_on(1);
    cudaStream_t s = stream_on(1);
    gives(InvalidResourceHandle, cudaEventRecord(e0, s));
    answer(cudaEventRecord(e1, s));
    gives(InvalidResourceHandle, cudaEventRecord(e1, NULL));
    use_device(1);
    gives(InvalidResourceHandle, cudaEventRecord(e0, NULL));
    answer(cudaEventRecord(e1, NULL));
    gives(InvalidResourceHandle, cudaEventRecord(e0, cudaStreamPerThread));
    gives(InvalidResourceHandle, cudaGetLastError());
}

ON_TWO_DEVICES("of the other device's event: query before its record, after it; synchronize; wait; "
               "elapsed; destroy")
{
    cudaEvent_t a = event_on(1), b = event_on(1);
    cudaStream_t s = stream_on(1);
    float ms = -1;
    answer(cudaEventQuery(a));
    MUST(cudaEventRecord(a, s));
    MUST(cudaEventRecord(b, s));
    answer(cudaEventSynchronize(b));
    answer(cudaEventQuery(a));
    answer(cudaStreamWaitEvent(nonblocking_stream(), a, 0));
    answer(cudaEventElapsedTime(&ms, a, b));
    shows("1", "%d", ms >= 0);
    answer(cudaEventDestroy(a));
}

ON_TWO_DEVICES("elapsed time between an event of each; an event of device 0 recorded in device 0's "
               "stream while 1 is current; in device 1's stream")
{
    cudaEvent_t e[2] = {event_on(0), event_on(1)};
    cudaStream_t s[2] = {stream_on(0), stream_on(1)};
    float ms = -1;
    for (int i = 0; i < 2; i++) {
        MUST(cudaEventRecord(e[i], s[i]));
        MUST(cudaEventSynchronize(e[i]));
    }
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, e[0], e[1]));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, e[1], e[0]));
    gives(InvalidResourceHandle, cudaGetLastError());
    use_device(1);
    answer(cudaEventRecord(e[0], s[0]));
    answer(cudaStreamWaitEvent(s[1], e[0], 0));
    gives(InvalidResourceHandle, cudaEventRecord(e[0], s[1]));
    answer(cudaEventSynchronize(e[0]));
}

ON_TWO_DEVICES("device 0 is current: device 1's stream waits for device 0's event; for its own; "
               "for one never recorded")
{
    cudaStream_t a = stream_on(0), b = stream_on(1);
    cudaEvent_t e0 = event_on(0), e1 = event_on(1);
    gate_shut(a);
    MUST(cudaEventRecord(e0, a));
    answer(cudaStreamWaitEvent(b, event_on(0), 0));
    answer(cudaStreamWaitEvent(b, e1, 0));
    answer(cudaStreamWaitEvent(b, e0, 0));
    use_device(1);
    shows("waits", "%s", done_soon(b));
}

ON_TWO_DEVICES("ping-pong over events, four times")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaStream_t s[2] = {stream_on(0), stream_on(1)};
    cudaEvent_t e[2] = {event_on(0), event_on(1)};
    for (int i = 0; i < 4; i++) {
        use_device(i % 2);
        MUST(launch_store(s[i % 2], i % 2 ? q : p, i));
        answer(cudaEventRecord(e[i % 2], s[i % 2]));
        answer(cudaStreamWaitEvent(s[1 - i % 2], e[i % 2], 0));
        answer(cudaMemcpyAsync(i % 2 ? p : q, i % 2 ? q : p, sizeof(int), cudaMemcpyDefault,
                               s[1 - i % 2]));
    }
    use_device(0);
    answer(cudaStreamSynchronize(s[0]));
    shows("3", "%d", device_int(p));
}

ON_TWO_DEVICES("the other device's busy stream and its event are destroyed")
{
    cudaStream_t s = stream_on(1);
    cudaEvent_t e = event_on(1);
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventDestroy(e));
    answer(cudaStreamDestroy(s));
    call_returns();
}

ON_TWO_DEVICES("attributes and priorities of device 1; cudaFuncGetAttributes there")
{
    int a = 0, b = 0, least = 9, greatest = 9;
    struct cudaFuncAttributes f;
    answer(cudaDeviceGetAttribute(&a, cudaDevAttrMultiProcessorCount, 0));
    answer(cudaDeviceGetAttribute(&b, cudaDevAttrMultiProcessorCount, 1));
    fact("equal", "1", "%d", a == b);
    gives(InvalidDevice, cudaDeviceGetAttribute(&b, cudaDevAttrMultiProcessorCount, 99));
    use_device(1);
    answer(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    answer(cudaFuncGetAttributes(&f, situation_store()));
    fact("priorities", "0 -5", "%d %d", least, greatest);
}

ON_TWO_DEVICES("cudaGetDevice, cudaSetDevice(1), cudaGetDevice; cudaSetDevice(99); the device "
               "then; cudaSetValidDevices {1}; {1, 0}; {1, 1}; {99}; 0 devices")
{
    shows("0", "%d", device_in_use());
    answer(cudaSetDevice(1));
    shows("1", "%d", device_in_use());
    gives(InvalidDevice, cudaSetDevice(99));
    shows("1", "%d", device_in_use());
    gives(InvalidDevice, cudaGetLastError());
    int one[] = {1}, both[] = {1, 0}, twice[] = {1, 1}, bad[] = {99};
    answer(cudaSetValidDevices(one, 1));
    shows("1", "%d", device_in_use());
    answer(cudaSetValidDevices(both, 2));
    answer(cudaSetValidDevices(twice, 2));
    gives(InvalidDevice, cudaSetValidDevices(bad, 1));
    answer(cudaSetValidDevices(NULL, 0));
}

ON_TWO_DEVICES("a __device__ variable: does each device have its own; its address on each; "
               "cudaMemcpyToSymbolAsync in the other device's stream: which device's variable")
{
    int value = 5, back = -1;
    void *a = NULL, *b = NULL;
    MUST(cudaMemcpyToSymbol(situation_numbers(), &value, sizeof value, 0, cudaMemcpyHostToDevice));
    MUST(cudaGetSymbolAddress(&a, situation_numbers()));
    use_device(1);
    answer(cudaGetSymbolAddress(&b, situation_numbers()));
    fact("same address", "0", "%d", a == b);
    answer(
        cudaMemcpyFromSymbol(&back, situation_numbers(), sizeof back, 0, cudaMemcpyDeviceToHost));
    fact("device 1", "0", "%d", back);
    use_device(0);
    answer(
        cudaMemcpyFromSymbol(&back, situation_numbers(), sizeof back, 0, cudaMemcpyDeviceToHost));
    fact("device 0", "5", "%d", back);
    value = 8;
    cudaStream_t s = stream_on(1);
    answer(cudaMemcpyToSymbolAsync(situation_numbers(), &value, sizeof value, 0,
                                   cudaMemcpyHostToDevice, s));
    answer(cudaStreamSynchronize(s));
    answer(
        cudaMemcpyFromSymbol(&back, situation_numbers(), sizeof back, 0, cudaMemcpyDeviceToHost));
    fact("device 0", "8", "%d", back);
}

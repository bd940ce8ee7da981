/* two_device_waits.c: the legacy streams of two devices, and what synchronizing one of them waits
 * for. */
#include "../devices.h"
#include "../graphs.h"

/* With device 0 current, a copy between the devices in the legacy stream; what device 1's legacy
 * work then waits for. */
static void legacy_after_copy(bool peer)
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    prepare_work();
    gate_shut(NULL);
    if (peer)
        answer(cudaMemcpyPeerAsync(q, 1, p, 0, SMALL, NULL));
    else
        answer(cudaMemcpyAsync(q, p, SMALL, cudaMemcpyDefault, NULL));
    use_device(1);
    MUST(cudaMemsetAsync(q, 1, SMALL, NULL));
    let_pass(20000);
    answer_fact("device 1's legacy stream", "%s", error_text(cudaStreamQuery(NULL)));
    answer_fact("device 1's blocking stream", "%s", error_text(cudaStreamQuery(new_stream(0))));
}

/* Device 1 has a busy stream. Is a copy between the devices in device 0's legacy stream done? */
static void copy_beside_busy(cudaStream_t busy, bool synchronous)
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    prepare_work();
    gate_shut(busy);
    if (synchronous)
        answer(cudaMemcpy(p, q, SMALL, cudaMemcpyDefault));
    else
        answer(cudaMemcpyAsync(p, q, SMALL, cudaMemcpyDefault, NULL));
    answer_text("%s", done_soon(NULL));
}

ON_TWO_DEVICES("does work in device 0's legacy stream wait for device 1's blocking stream; device "
               "1's legacy stream")
{
    use_device(1);
    cudaStream_t busy = new_stream(0);
    void *q = device_bytes(SMALL);
    use_device(0);
    prepare_work();
    gate_shut(busy);
    some_work(NULL);
    shows("done", "%s", done_soon(NULL));
    use_device(1);
    MUST(cudaMemsetAsync(q, 1, SMALL, NULL));
    fact("device 1", "1", "%d", cudaStreamQuery(NULL) == cudaErrorNotReady);
}

ON_TWO_DEVICES("does cudaDeviceSynchronize wait for the other device's stream")
{
    gate_shut(stream_on(1));
    answer(cudaDeviceSynchronize());
    call_returns();
}

ON_TWO_DEVICES("does cudaStreamSynchronize wait for the other device's stream")
{
    cudaStream_t s = stream_on(1);
    gate_shut(s);
    gives(NotReady, cudaStreamQuery(s));
    answer(cudaStreamSynchronize(s));
    call_waits();
}

ON_TWO_DEVICES("cudaStreamPerThread of each device: is a busy one ready on the other")
{
    gate_shut(cudaStreamPerThread);
    gives(NotReady, cudaStreamQuery(cudaStreamPerThread));
    use_device(1);
    answer(cudaStreamQuery(cudaStreamPerThread));
}

ROW_ON_TWO_DEVICES(legacy_after_copy(false),
                   "does device 1's legacy stream wait for cudaMemcpyAsync between the devices in "
                   "device 0's legacy stream",
                   "device 1's legacy stream: NotReady")
ROW_ON_TWO_DEVICES(
    legacy_after_copy(true),
    "does device 1's legacy stream wait for cudaMemcpyPeerAsync in device 0's legacy stream",
    "device 1's legacy stream: NotReady")
ROW_ON_TWO_DEVICES(copy_beside_busy(blocking_stream_on(1), false),
                   "does cudaMemcpyAsync between them in device 0's legacy stream wait for device "
                   "1's blocking stream",
                   "done_soon: waits")
ROW_ON_TWO_DEVICES(copy_beside_busy(blocking_stream_on(1), true),
                   "is cudaMemcpy between them done while device 1's blocking stream is busy",
                   "done_soon: waits")
ROW_ON_TWO_DEVICES(copy_beside_busy(stream_on(1), true),
                   "is cudaMemcpy between them done while device 1's non-blocking stream is busy",
                   "done_soon: done")

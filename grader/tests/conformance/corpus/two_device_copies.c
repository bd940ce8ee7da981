/* two_device_copies.c: copies and memsets of another device's memory, with and without peer access.
 */
#include "../devices.h"
#include "../graphs.h"

/* The pointers decide, whatever direction is given. */
ON_TWO_DEVICES("cudaMemcpyAsync between them, each kind, with peer access")
{
    char *p = bytes_on(0, PAGE), *q = bytes_on(1, PAGE);
    cudaStream_t s = nonblocking_stream();
    enable_peers();
    answer(cudaMemcpyAsync(p, q, PAGE, cudaMemcpyDeviceToDevice, s));
    answer(cudaMemcpyAsync(p, q, PAGE, cudaMemcpyDefault, s));
    answer(cudaMemcpyAsync(p, q, PAGE, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyAsync(p, q, PAGE, cudaMemcpyDeviceToHost, s));
    answer(cudaMemcpyAsync(p, q, PAGE, cudaMemcpyHostToHost, s));
    answer(cudaStreamSynchronize(s));
}

ON_TWO_DEVICES("cudaMemcpyPeer with the devices exchanged; both 0; both 1; within device 1 named "
               "0; a device that does not exist; from pinned memory to device 1; from pageable "
               "memory; to pinned memory; to pageable memory")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    answer(cudaMemcpyPeer(p, 1, q, 0, SMALL));
    answer(cudaMemcpyPeer(p, 0, q, 0, SMALL));
    answer(cudaMemcpyPeer(p, 1, q, 1, SMALL));
    answer(cudaMemcpyPeer(q, 0, q + 32, 0, 16));
    gives(InvalidDevice, cudaMemcpyPeer(q, 99, q + 32, 1, 16));
    gives(InvalidDevice, cudaGetLastError());
    char *pinned = pinned_bytes(SMALL), *pageable = pageable_bytes(SMALL);
    answer(cudaMemcpyPeer(q, 1, pinned, 0, SMALL));
    gives(InvalidValue, cudaMemcpyPeer(q, 1, pageable, 0, SMALL));
    answer(cudaMemcpyPeer(pinned, 0, q, 1, SMALL));
    gives(InvalidValue, cudaMemcpyPeer(pageable, 0, q, 1, SMALL));
    gives(InvalidValue, cudaGetLastError());
    answer(cudaDeviceSynchronize());
}

ON_TWO_DEVICES("a copy past the end of the other device's memory; of 0 bytes; NULL")
{
    char *p = bytes_on(0, LARGE), *q = bytes_on(1, SMALL);
    cudaStream_t s = nonblocking_stream();
    gives(InvalidValue, cudaMemcpyAsync(p, q, LARGE, cudaMemcpyDefault, s));
    answer(cudaMemcpyAsync(p, q, 0, cudaMemcpyDefault, s));
    gives(InvalidValue, cudaMemcpyPeerAsync(p, 0, q, 1, LARGE, s));
    answer(cudaMemcpyPeerAsync(p, 0, q, 1, 0, s));
    gives(InvalidValue, cudaMemcpyPeerAsync(p, 0, NULL, 1, SMALL, s));
    answer(cudaMemcpyPeerAsync(NULL, 0, NULL, 1, 0, s));
    answer(cudaStreamSynchronize(s));
}

ON_TWO_DEVICES("cudaMemcpyAsync and cudaMemcpyPeerAsync between them in a stream of either, "
               "whichever is current")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaStream_t s[2] = {stream_on(0), stream_on(1)};
    for (int current = 0; current < 2; current++) {
        use_device(current);
        for (int i = 0; i < 2; i++) {
            answer(cudaMemcpyAsync(p, q, SMALL, cudaMemcpyDefault, s[i]));
            answer(cudaMemcpyPeerAsync(p, 0, q, 1, SMALL, s[i]));
            answer(cudaStreamSynchronize(s[i]));
        }
    }
}

ON_TWO_DEVICES("a stream of device 0 copies within device 1; host to device 1; device 1 to host")
{
    char *q = bytes_on(1, PAGE), *h = pinned_bytes(SMALL);
    cudaStream_t s = nonblocking_stream();
    h[0] = 5;
    answer(cudaMemcpyAsync(q, h, SMALL, cudaMemcpyHostToDevice, s));
    answer(cudaMemcpyAsync(q + SMALL, q, SMALL, cudaMemcpyDeviceToDevice, s));
    answer(cudaMemcpyAsync(h, q + SMALL, SMALL, cudaMemcpyDeviceToHost, s));
    answer(cudaStreamSynchronize(s));
    fact("host", "5", "%d", h[0]);
}

ON_TWO_DEVICES("cudaMemcpy2DAsync, cudaMemcpy3DAsync, cudaMemcpy3DPeerAsync between them")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaStream_t s = nonblocking_stream();
    struct cudaMemcpy3DParms m = copy_3d_params(pitched(p, 16, 16, 4), pitched(q, 16, 16, 4),
                                                extent(16, 2, 1), cudaMemcpyDeviceToDevice);
    struct cudaMemcpy3DPeerParms mp = {
        .dstPtr = m.dstPtr, .srcPtr = m.srcPtr, .extent = m.extent, .dstDevice = 0, .srcDevice = 1};
    answer(cudaMemcpy2DAsync(p, 16, q, 16, 8, 4, cudaMemcpyDeviceToDevice, s));
    answer(cudaMemcpy3DAsync(&m, s));
    answer(cudaMemcpy3DPeerAsync(&mp, s));
    mp.srcDevice = 0;
    answer(cudaMemcpy3DPeerAsync(&mp, s));
    mp.srcDevice = 99;
    gives(InvalidDevice, cudaMemcpy3DPeerAsync(&mp, s));
    answer(cudaStreamSynchronize(s));
}

static void memsets_of_other(void)
{
    char *q = bytes_on(1, SMALL);
    cudaStream_t s = nonblocking_stream();
    answer(cudaMemsetAsync(q, 4, SMALL, s));
    answer(cudaMemset(q, 4, SMALL));
    answer(cudaMemset2DAsync(q, 16, 4, 8, 4, s));
    answer(cudaMemsetAsync(q, 4, 0, s));
    answer(cudaStreamSynchronize(s));
    answer_fact("byte", "%d", byte_on(1, q));
}

ROW_ON_TWO_DEVICES(memsets_of_other(), "memsets of the other device's memory, without peer access",
                   "cudaMemsetAsync(SMALL): InvalidValue", "cudaMemset: InvalidValue",
                   "cudaMemset2DAsync: InvalidValue", "byte: 0")

ON_TWO_DEVICES("memsets of the other device's memory, with peer access", "byte: 4")
{
    enable_peer(0);
    memsets_of_other();
}

ON_TWO_DEVICES("device 0 is current: a memset of device 1's memory in device 1's stream; of device "
               "0's memory there")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaStream_t s = stream_on(1);
    answer(cudaMemsetAsync(q, 4, SMALL, s));
    gives(InvalidValue, cudaMemsetAsync(p, 4, SMALL, s));
    answer(cudaStreamSynchronize(s));
    enable_peer(1);
    answer(cudaMemsetAsync(p, 4, SMALL, s));
    enable_peer(0);
    answer(cudaMemsetAsync(p, 5, SMALL, s));
    answer(cudaMemsetAsync(q, 5, SMALL, stream_on(0)));
    answer(cudaDeviceSynchronize());
}

ON_TWO_DEVICES("a memset of device 1's memory by device 0 while only device 1 has access to 0; "
               "then with access; after it was disabled")
{
    char *q = bytes_on(1, SMALL);
    enable_peer(1);
    gives(InvalidValue, cudaMemsetAsync(q, 4, SMALL, nonblocking_stream()));
    enable_peer(0);
    answer(cudaMemsetAsync(q, 4, SMALL, nonblocking_stream()));
    MUST(cudaDeviceSynchronize());
    MUST(cudaDeviceDisablePeerAccess(1));
    gives(InvalidValue, cudaMemsetAsync(q, 5, SMALL, nonblocking_stream()));
    fact("byte", "4", "%d", byte_on(1, q));
}

/* What copies between devices wait for. */
static void copies_that_wait(cudaStream_t busy)
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    gate_shut(busy);
    answer(cudaMemcpy(p, q, SMALL, cudaMemcpyDefault));
    answer_waited(NULL);
    answer(cudaMemcpyPeer(p, 0, q, 1, SMALL));
    answer_waited(NULL);
}

ROW_ON_TWO_DEVICES(
    copies_that_wait(blocking_stream_on(1)),
    "do cudaMemcpy and cudaMemcpyPeer between them wait for a blocking stream of the other device",
    "the call: returns; returns")
ROW_ON_TWO_DEVICES(
    copies_that_wait(new_stream(0)),
    "do cudaMemcpy and cudaMemcpyPeer between them wait for a blocking stream of this device",
    "the call: returns; returns")
ROW_ON_TWO_DEVICES(
    copies_that_wait(nonblocking_stream()),
    "do cudaMemcpy and cudaMemcpyPeer between them wait for a non-blocking stream of this device",
    "the call: returns; returns")

ON_TWO_DEVICES("does cudaMemcpyPeer wait for a non-blocking stream of the other device")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    gate_shut(stream_on(1));
    answer(cudaMemcpyPeer(p, 0, q, 1, SMALL));
    call_returns();
}

ON_TWO_DEVICES("cudaMemcpyPeerAsync in a non-blocking stream of device 0: does it wait for device "
               "1's blocking stream; in the legacy stream")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaStream_t s = nonblocking_stream();
    cudaStream_t busy = blocking_stream_on(1);
    gate_shut(busy);
    answer(cudaMemcpyPeerAsync(p, 0, q, 1, SMALL, s));
    shows("done", "%s", done_soon(s));
    answer(cudaMemcpyPeerAsync(p, 0, q, 1, SMALL, NULL));
    shows("waits", "%s", done_soon(NULL));
}

ON_TWO_DEVICES("does cudaMemset of the other device's memory wait, with peer access")
{
    char *q = bytes_on(1, SMALL);
    cudaStream_t busy = blocking_stream_on(1);
    enable_peers();
    gate_shut(busy);
    answer(cudaMemset(q, 1, SMALL));
    call_returns();
    shows("done", "%s", done_soon(NULL));
}

ON_TWO_DEVICES("cudaMemcpyBatchAsync between them, a stream of each")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    void *dst[1] = {p};
    const void *src[1] = {q};
    size_t bytes[1] = {SMALL}, first[1] = {0};
    struct cudaMemcpyAttributes a = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    MUST(cudaMemset(p, 1, SMALL));
    answer(cudaMemcpyBatchAsync(dst, src, bytes, 1, &a, first, 1, stream_on(0)));
    answer(cudaMemcpyBatchAsync(dst, src, bytes, 1, &a, first, 1, stream_on(1)));
    answer(cudaDeviceSynchronize());
    shows("0", "%d", byte_on(0, p));
}

ON_TWO_DEVICES("the other device's memory is freed here, and there; then copied")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    answer(cudaFree(q));
    gives(InvalidValue, cudaMemcpy(p, q, SMALL, cudaMemcpyDeviceToDevice));
    use_device(1);
    gives(InvalidValue, cudaFree(q));
    answer(cudaFree(p));
}

ON_TWO_DEVICES("does cudaFree of device 1's memory wait for device 1; for device 0",
               "the call: waits; returns")
{
    for (int device = 1; device >= 0; device--) {
        char *q = bytes_on(1, SMALL);
        gate_shut(stream_on(device));
        answer(cudaFree(q));
        answer_waited(NULL);
        gate_open();
        MUST(cudaDeviceSynchronize());
    }
}

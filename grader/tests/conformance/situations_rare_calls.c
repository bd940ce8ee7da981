/*
 * situations_rare_calls.c: batches of copies, prefetching, peer copies in 3-D, handles between
 * processes.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

struct batch {
    void *dsts[2];
    const void *srcs[2];
    size_t sizes[2], first[2];
    struct cudaMemcpyAttributes attributes[2];
};

static struct batch batch_of(char *to, char *from)
{
    struct batch b = {{to, to + 32},
                      {from, from + 32},
                      {16, 32},
                      {0, 1},
                      {{.srcAccessOrder = cudaMemcpySrcAccessOrderStream},
                       {.srcAccessOrder = cudaMemcpySrcAccessOrderStream}}};
    return b;
}

static cudaError_t copy_batch(struct batch *b, size_t n, size_t n_attributes, cudaStream_t s)
{
    return cudaMemcpyBatchAsync(b->dsts, b->srcs, b->sizes, n, b->attributes, b->first,
                                n_attributes, s);
}

static const struct {
    char *name;
    int order;
} orders[] = {{"invalid", cudaMemcpySrcAccessOrderInvalid},
              {"stream", cudaMemcpySrcAccessOrderStream},
              {"during call", cudaMemcpySrcAccessOrderDuringApiCall},
              {"any", cudaMemcpySrcAccessOrderAny},
              {"9", 9}};

SITUATION(batch_orders,
          "cudaMemcpyBatchAsync from pinned memory with source access order invalid, stream, "
          "during the call, any, 9; from pageable with stream, with during the call")
{
    cudaStream_t s = new_stream(0);
    char *p = device_bytes(64), *h = pinned_bytes(64), *q = pageable_bytes(64);
    for (int i = 0; i < 5; i++) {
        struct batch b = batch_of(p, h);
        b.attributes[0].srcAccessOrder = (enum cudaMemcpySrcAccessOrder)orders[i].order;
        answer(copy_batch(&b, 2, 1, s));
    }
    for (int i = 1; i < 3; i++) {
        struct batch b = batch_of(p, q);
        b.attributes[0].srcAccessOrder = (enum cudaMemcpySrcAccessOrder)orders[i].order;
        answer(copy_batch(&b, 2, 1, s));
    }
    answer(cudaStreamSynchronize(s));
}

SITUATION(batch_indices, "cudaMemcpyBatchAsync with attribute indices {1}, {0, 0}, {0, 2}; 2 "
                         "attributes for 1 copy; NULL indices; NULL attributes of 1")
{
    cudaStream_t s = new_stream(0);
    char *p = device_bytes(64), *h = pinned_bytes(64);
    struct batch b = batch_of(p, h);
    b.first[0] = 1;
    answer(copy_batch(&b, 2, 1, s));
    b.first[0] = 0;
    b.first[1] = 0;
    answer(copy_batch(&b, 2, 2, s));
    b.first[1] = 2;
    answer(copy_batch(&b, 2, 2, s));
    b.first[1] = 1;
    answer(copy_batch(&b, 2, 2, s));
    answer(copy_batch(&b, 1, 2, s));
    answer(cudaMemcpyBatchAsync(b.dsts, b.srcs, b.sizes, 2, b.attributes, NULL, 1, s));
    answer(cudaMemcpyBatchAsync(b.dsts, b.srcs, b.sizes, 2, NULL, b.first, 1, s));
}

SITUATION(batch_bad, "cudaMemcpyBatchAsync: NULL destinations; a NULL destination; a size past the "
                     "end; a size of 0; NULL stream; cudaStreamLegacy; cudaStreamPerThread")
{
    cudaStream_t s = new_stream(0);
    char *p = device_bytes(64), *h = pinned_bytes(64);
    struct batch b = batch_of(p, h);
    answer(cudaMemcpyBatchAsync(NULL, b.srcs, b.sizes, 2, b.attributes, b.first, 1, s));
    b.dsts[1] = NULL;
    answer(copy_batch(&b, 2, 1, s));
    b = batch_of(p, h);
    b.sizes[1] = 1 << 30;
    answer(copy_batch(&b, 2, 1, s));
    b.sizes[1] = 0;
    answer(copy_batch(&b, 2, 1, s));
    b = batch_of(p, h);
    answer(copy_batch(&b, 2, 1, NULL));
    answer(copy_batch(&b, 2, 1, cudaStreamLegacy));
    answer(copy_batch(&b, 2, 1, cudaStreamPerThread));
    answer(cudaGetLastError());
}

SITUATION(batch_partly, "a batch whose second copy is bad: does the first happen")
{
    cudaStream_t s = new_stream(0);
    char *p = device_bytes(64), *h = pinned_bytes(64);
    memset(h, 7, 64);
    struct batch b = batch_of(p, h);
    b.sizes[1] = 1 << 30;
    answer(copy_batch(&b, 2, 1, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p));
}

SITUATION(batch_kinds, "cudaMemcpyBatchAsync device to device, host to host, device to pinned: "
                       "values; after a gate in the stream: waits")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    char *p = device_bytes(64), *q = device_bytes(64), *h = pinned_bytes(64), *i = pinned_bytes(64);
    MUST(cudaMemset(q, 5, 64));
    MUST(cudaDeviceSynchronize());
    struct batch b = batch_of(p, q);
    answer(copy_batch(&b, 2, 1, s));
    b = batch_of(h, q);
    answer(copy_batch(&b, 2, 1, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d %d %d", device_byte(p + 40), h[0], h[20]);
    b = batch_of(i, h);
    gate_shut(s);
    answer(copy_batch(&b, 2, 1, s));
    answer_text("%s", done_soon(s));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer_text("%d", i[0]);
}

SITUATION(batch_captured, "cudaMemcpyBatchAsync into a capturing stream; status; types; in another "
                          "stream during a Global capture")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    char *p = device_bytes(64), *h = pinned_bytes(64);
    struct batch b = batch_of(p, h);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(copy_batch(&b, 2, 1, t));
    answer_status(s);
    answer(copy_batch(&b, 2, 1, s));
    answer_status(s);
    cudaGraph_t g = answer_end(s);
    if (g) {
        answer_types(g);
        answer_edges(g);
    }
}

static struct cudaMemLocation on_device(int id)
{
    struct cudaMemLocation l = {.type = cudaMemLocationTypeDevice};
    l.id = id;
    return l;
}

SITUATION(prefetch, "cudaMemPrefetchAsync of memory of cudaMalloc; of pinned; of pageable; to "
                    "device 99; of NULL; of 0 bytes; with flags 1; in a capture")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    char *p = device_bytes(4096), *h = pinned_bytes(4096), *q = pageable_bytes(4096);
    answer(cudaMemPrefetchAsync(p, 4096, on_device(0), 0, s));
    answer(cudaMemPrefetchAsync(h, 4096, on_device(0), 0, s));
    answer(cudaMemPrefetchAsync(q, 4096, on_device(0), 0, s));
    answer(cudaMemPrefetchAsync(p, 4096, on_device(99), 0, s));
    answer(cudaMemPrefetchAsync(NULL, 4096, on_device(0), 0, s));
    answer(cudaMemPrefetchAsync(p, 0, on_device(0), 0, s));
    answer(cudaMemPrefetchAsync(p, 4096, on_device(0), 1, s));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaMemPrefetchAsync(p, 4096, on_device(0), 0, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(advise, "cudaMemAdvise of memory of cudaMalloc; of pageable; cudaMemRangeGetAttribute of "
                  "memory of cudaMalloc")
{
    char *p = device_bytes(4096), *q = pageable_bytes(4096);
    int v = 77;
    answer(cudaMemAdvise(p, 4096, cudaMemAdviseSetReadMostly, on_device(0)));
    answer(cudaMemAdvise(q, 4096, cudaMemAdviseSetReadMostly, on_device(0)));
    answer(cudaMemAdvise(p, 4096, (enum cudaMemoryAdvise)99, on_device(0)));
    answer(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeReadMostly, p, 4096));
    answer(cudaMemRangeGetAttribute(&v, 3, cudaMemRangeAttributeReadMostly, p, 4096));
    answer(cudaMemRangeGetAttribute(NULL, 4, cudaMemRangeAttributeReadMostly, p, 4096));
}

SITUATION(
    attach,
    "cudaStreamAttachMemAsync of memory of cudaMalloc; of NULL; with flags 0; 3; in a capture")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    char *p = device_bytes(4096);
    answer(cudaStreamAttachMemAsync(s, p, 0, cudaMemAttachSingle));
    answer(cudaStreamAttachMemAsync(s, NULL, 0, cudaMemAttachSingle));
    answer(cudaStreamAttachMemAsync(s, p, 0, 0));
    answer(cudaStreamAttachMemAsync(s, p, 0, 3));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaStreamAttachMemAsync(s, p, 0, cudaMemAttachSingle));
    answer_status(s);
    answer_end(s);
}

SITUATION(ipc_memory,
          "cudaIpcGetMemHandle of memory of cudaMalloc; of its interior; of pinned; of memory of a "
          "pool; of NULL; opened in the process that has it; closed though not opened; NULL closed")
{
    cudaIpcMemHandle_t h;
    char *p = device_bytes(4096), *q = pinned_bytes(64);
    void *pooled, *opened;
    MUST(cudaMallocAsync(&pooled, 64, 0));
    answer(cudaIpcGetMemHandle(&h, p));
    answer(cudaIpcGetMemHandle(&h, p + 64));
    answer(cudaIpcGetMemHandle(&h, q));
    answer(cudaIpcGetMemHandle(&h, pooled));
    answer(cudaIpcGetMemHandle(&h, NULL));
    MUST(cudaIpcGetMemHandle(&h, p));
    answer(cudaIpcOpenMemHandle(&opened, h, cudaIpcMemLazyEnablePeerAccess));
    answer(cudaIpcCloseMemHandle(p));
    answer(cudaIpcCloseMemHandle(NULL));
}

SITUATION(ipc_events, "cudaIpcGetEventHandle of an interprocess event; opened in the process that "
                      "has it; captured: a record of it; an external record")
{
    cudaIpcEventHandle_t h;
    cudaEvent_t e = new_event(cudaEventInterprocess | cudaEventDisableTiming), f = NULL;
    answer(cudaIpcGetEventHandle(&h, e));
    answer(cudaIpcOpenEventHandle(&f, h));
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecord(e, s));
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer_end(s);
}

SITUATION(peer_3d, "cudaMemcpy3DPeerAsync from device 0 to itself: value; kinds of bad ones: "
                   "device 99; extent too wide; extent 0; in a capture")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    char *p = device_bytes(64), *q = device_bytes(64);
    MUST(cudaMemset(q, 3, 64));
    MUST(cudaDeviceSynchronize());
    struct cudaMemcpy3DPeerParms m = {.dstPtr = pitched(p, 16, 16, 4),
                                      .srcPtr = pitched(q, 16, 16, 4),
                                      .extent = extent(16, 2, 1)};
    answer(cudaMemcpy3DPeerAsync(&m, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d %d", device_byte(p + 31), device_byte(p + 32));
    m.dstDevice = 99;
    answer(cudaMemcpy3DPeerAsync(&m, s));
    m.dstDevice = 0;
    m.extent = extent(17, 2, 1);
    answer(cudaMemcpy3DPeerAsync(&m, s));
    m.extent = extent(16, 0, 1);
    answer(cudaMemcpy3DPeerAsync(&m, s));
    m.extent = extent(16, 1, 1);
    answer(cudaMemcpy3DPeer(&m));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaMemcpy3DPeerAsync(&m, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(pools_of_places, "cudaMemGetDefaultMemPool and cudaMemGetMemPool of the device: the "
                           "default pool; of device 99; cudaMemSetMemPool to a new one")
{
    cudaMemPool_t def, got = NULL;
    struct cudaMemLocation at = on_device(0), none = on_device(99);
    MUST(cudaDeviceGetDefaultMemPool(&def, 0));
    answer(cudaMemGetDefaultMemPool(&got, &at, cudaMemAllocationTypePinned));
    answer_text("%s", got == def ? "default" : "other");
    answer(cudaMemGetMemPool(&got, &at, cudaMemAllocationTypePinned));
    answer_text("%s", got == def ? "default" : "other");
    answer(cudaMemGetDefaultMemPool(&got, &none, cudaMemAllocationTypePinned));
    answer(cudaMemSetMemPool(&at, cudaMemAllocationTypePinned, def));
}

SITUATION(pool_export, "cudaMemPoolExportToShareableHandle of a pool made without a handle type; "
                       "cudaMemPoolExportPointer of memory of such a pool; of cudaMalloc")
{
    int fd = -7;
    cudaMemPool_t def;
    struct cudaMemPoolPtrExportData data;
    void *p;
    MUST(cudaDeviceGetDefaultMemPool(&def, 0));
    MUST(cudaMallocAsync(&p, 64, 0));
    answer(cudaMemPoolExportToShareableHandle(&fd, def, cudaMemHandleTypePosixFileDescriptor, 0));
    answer(cudaMemPoolExportPointer(&data, p));
    answer(cudaMemPoolExportPointer(&data, device_bytes(64)));
}

SITUATION(clusters, "cudaOccupancyMaxPotentialClusterSize of a kernel with blocks of 128; "
                    "cudaOccupancyMaxActiveClusters for a cluster of 2; without a cluster")
{
    int n = 77;
    cudaLaunchAttribute a = {.id = cudaLaunchAttributeClusterDimension,
                             .val = {.clusterDim = {2, 1, 1}}};
    cudaLaunchConfig_t c = {
        .gridDim = {16, 1, 1}, .blockDim = {128, 1, 1}, .attrs = &a, .numAttrs = 1};
    answer(cudaOccupancyMaxActiveClusters(&n, situation_store(), &c));
    c.numAttrs = 0;
    answer(cudaOccupancyMaxPotentialClusterSize(&n, situation_store(), &c));
    answer_text("%d", n);
    c.numAttrs = 1;
    int *p = device_bytes(64), value = 3;
    void *args[] = {&p, &value};
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    c.gridDim.x = 3;
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    a.val.clusterDim.x = 32;
    c.gridDim.x = 32;
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    answer(cudaDeviceSynchronize());
    answer_text("%d", device_int(p));
}

SITUATION(driver_entry, "cudaGetDriverEntryPointByVersion of cuInit; of no such function; of NULL; "
                        "cudaDriverGetVersion; cudaRuntimeGetVersion")
{
    void *f = NULL;
    int v = 0;
    enum cudaDriverEntryPointQueryResult r = (enum cudaDriverEntryPointQueryResult)9;
    answer(cudaGetDriverEntryPointByVersion("cuInit", &f, 13000, cudaEnableDefault, &r));
    answer_text("%d %s", (int)r, f ? "a function" : "NULL");
    answer(cudaGetDriverEntryPointByVersion("cuNoSuch", &f, 13000, cudaEnableDefault, &r));
    answer_text("%d", (int)r);
    answer(cudaGetDriverEntryPointByVersion(NULL, &f, 13000, cudaEnableDefault, &r));
    answer(cudaRuntimeGetVersion(&v));
    answer_text("%d", v);
    answer(cudaDriverGetVersion(&v));
    answer_text("%d", v);
}

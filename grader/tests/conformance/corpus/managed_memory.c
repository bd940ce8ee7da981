/*
 * managed_memory.c: managed memory, prefetching and advice.
 */
#include "../graphs.h"

SITUATION(prefetch,
          "cudaMemPrefetchAsync of memory of cudaMalloc; of pinned; of pageable; to "
          "device 99; of NULL; of 0 bytes; with flags 1; in a capture",
          "cudaMemPrefetchAsync(p, 4096, device_location(0), 0): InvalidValue",
          "cudaMemPrefetchAsync(h, 4096, device_location(0), 0): InvalidValue",
          "cudaMemPrefetchAsync(q, 4096, device_location(0), 0): InvalidValue",
          "cudaMemPrefetchAsync(p, 4096, device_location(99), 0): InvalidDevice",
          "cudaMemPrefetchAsync(NULL, 4096, device_location(0), 0): InvalidValue",
          "cudaMemPrefetchAsync(p, 0, device_location(0), 0): InvalidValue",
          "cudaMemPrefetchAsync(p, 4096, device_location(0), 1): InvalidValue",
          "cudaMemPrefetchAsync(p, 4096, device_location(0), 0) #2: StreamCaptureUnsupported",
          "status: invalidated", "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(4096), *h = pinned_bytes(4096), *q = pageable_bytes(4096);
    answer(cudaMemPrefetchAsync(p, 4096, device_location(0), 0, s));
    answer(cudaMemPrefetchAsync(h, 4096, device_location(0), 0, s));
    answer(cudaMemPrefetchAsync(q, 4096, device_location(0), 0, s));
    answer(cudaMemPrefetchAsync(p, 4096, device_location(99), 0, s));
    answer(cudaMemPrefetchAsync(NULL, 4096, device_location(0), 0, s));
    answer(cudaMemPrefetchAsync(p, 0, device_location(0), 0, s));
    answer(cudaMemPrefetchAsync(p, 4096, device_location(0), 1, s));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaMemPrefetchAsync(p, 4096, device_location(0), 0, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(advise,
          "cudaMemAdvise of memory of cudaMalloc; of pageable; cudaMemRangeGetAttribute of "
          "memory of cudaMalloc",
          "cudaMemAdvise(p, cudaMemAdviseSetReadMostly): InvalidValue",
          "cudaMemAdvise(q, cudaMemAdviseSetReadMostly): InvalidValue",
          "cudaMemAdvise(p, 99): InvalidValue",
          "cudaMemRangeGetAttribute(&v, sizeof v): InvalidValue",
          "cudaMemRangeGetAttribute(&v, 3): InvalidValue",
          "cudaMemRangeGetAttribute(NULL, 4): InvalidValue")
{
    char *p = device_bytes(4096), *q = pageable_bytes(4096);
    int v = 77;
    answer(cudaMemAdvise(p, 4096, cudaMemAdviseSetReadMostly, device_location(0)));
    answer(cudaMemAdvise(q, 4096, cudaMemAdviseSetReadMostly, device_location(0)));
    answer(cudaMemAdvise(p, 4096, (enum cudaMemoryAdvise)99, device_location(0)));
    answer(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeReadMostly, p, 4096));
    answer(cudaMemRangeGetAttribute(&v, 3, cudaMemRangeAttributeReadMostly, p, 4096));
    answer(cudaMemRangeGetAttribute(NULL, 4, cudaMemRangeAttributeReadMostly, p, 4096));
}

SITUATION(
    attach,
    "cudaStreamAttachMemAsync of memory of cudaMalloc; of NULL; with flags 0; 3; in a capture",
    "cudaStreamAttachMemAsync(p, cudaMemAttachSingle): InvalidValue",
    "cudaStreamAttachMemAsync(NULL, cudaMemAttachSingle): InvalidValue",
    "cudaStreamAttachMemAsync(p, 0): InvalidValue", "cudaStreamAttachMemAsync(p, 3): InvalidValue",
    "cudaStreamAttachMemAsync(p, cudaMemAttachSingle) #2: StreamCaptureUnsupported",
    "status: invalidated", "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL")
{
    cudaStream_t s = nonblocking_stream();
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

SITUATION(malloc_managed_bad, "cudaMallocManaged: 0 bytes; flags 0; NULL",
          "cudaMallocManaged(&p, 64, 0): InvalidValue",
          "cudaMallocManaged(NULL, 64, cudaMemAttachGlobal): InvalidValue")
{
    void *p = NULL;
    answer(cudaMallocManaged(&p, 0, cudaMemAttachGlobal));
    answer(cudaMallocManaged(&p, 64, 0));
    answer(cudaMallocManaged(NULL, 64, cudaMemAttachGlobal));
}

SITUATION(stream_attach, "cudaStreamAttachMemAsync of malloc memory; of device memory; of NULL",
          "cudaStreamAttachMemAsync(pageable_bytes(64)): InvalidValue",
          "cudaStreamAttachMemAsync(device_bytes(64)): InvalidValue",
          "cudaStreamAttachMemAsync(NULL): InvalidValue")
{
    cudaStream_t s = new_stream(0);
    answer(cudaStreamAttachMemAsync(s, pageable_bytes(64), 0, cudaMemAttachSingle));
    answer(cudaStreamAttachMemAsync(s, device_bytes(64), 0, cudaMemAttachSingle));
    answer(cudaStreamAttachMemAsync(s, NULL, 0, cudaMemAttachSingle));
}

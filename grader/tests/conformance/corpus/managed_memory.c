/* managed_memory.c: managed memory, prefetching and advice. */
#include "../graphs.h"

SITUATION("cudaMemPrefetchAsync of memory of cudaMalloc; of pinned; of pageable; to device 99; of "
          "NULL; of 0 bytes; with flags 1; in a capture; cudaStreamAttachMemAsync of memory of "
          "cudaMalloc; of malloc; of NULL; with flags 0; 3; in a capture")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(4096), *h = pinned_bytes(4096), *q = pageable_bytes(4096);
    gives(InvalidValue, cudaMemPrefetchAsync(p, 4096, device_location(0), 0, s));
    gives(InvalidValue, cudaMemPrefetchAsync(h, 4096, device_location(0), 0, s));
    gives(InvalidValue, cudaMemPrefetchAsync(q, 4096, device_location(0), 0, s));
    gives(InvalidDevice, cudaMemPrefetchAsync(p, 4096, device_location(99), 0, s));
    gives(InvalidValue, cudaMemPrefetchAsync(NULL, 4096, device_location(0), 0, s));
    gives(InvalidValue, cudaMemPrefetchAsync(p, 0, device_location(0), 0, s));
    gives(InvalidValue, cudaMemPrefetchAsync(p, 4096, device_location(0), 1, s));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    gives(StreamCaptureUnsupported, cudaMemPrefetchAsync(p, 4096, device_location(0), 0, s));
    is_invalidated(s);
    gives(InvalidValue, cudaStreamAttachMemAsync(s, p, 0, cudaMemAttachSingle));
    gives(InvalidValue, cudaStreamAttachMemAsync(s, pageable_bytes(64), 0, cudaMemAttachSingle));
    gives(InvalidValue, cudaStreamAttachMemAsync(s, NULL, 0, cudaMemAttachSingle));
    gives(InvalidValue, cudaStreamAttachMemAsync(s, p, 0, 0));
    gives(InvalidValue, cudaStreamAttachMemAsync(s, p, 0, 3));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    gives(StreamCaptureUnsupported, cudaStreamAttachMemAsync(s, p, 0, cudaMemAttachSingle));
    is_invalidated(s);
}

SITUATION("cudaMemAdvise of memory of cudaMalloc; of pageable; cudaMemRangeGetAttribute of memory "
          "of cudaMalloc; cudaMallocManaged: 0 bytes; flags 0; NULL")
{
    char *p = device_bytes(4096), *q = pageable_bytes(4096);
    int v = 77;
    gives(InvalidValue, cudaMemAdvise(p, 4096, cudaMemAdviseSetReadMostly, device_location(0)));
    gives(InvalidValue, cudaMemAdvise(q, 4096, cudaMemAdviseSetReadMostly, device_location(0)));
    gives(InvalidValue, cudaMemAdvise(p, 4096, (enum cudaMemoryAdvise)99, device_location(0)));
    gives(InvalidValue,
          cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeReadMostly, p, 4096));
    gives(InvalidValue, cudaMemRangeGetAttribute(&v, 3, cudaMemRangeAttributeReadMostly, p, 4096));
    gives(InvalidValue,
          cudaMemRangeGetAttribute(NULL, 4, cudaMemRangeAttributeReadMostly, p, 4096));
    answer(cudaMallocManaged((void **)&p, 0, cudaMemAttachGlobal));
    gives(InvalidValue, cudaMallocManaged((void **)&p, 64, 0));
    gives(InvalidValue, cudaMallocManaged(NULL, 64, cudaMemAttachGlobal));
}

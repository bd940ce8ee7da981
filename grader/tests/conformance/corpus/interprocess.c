/* interprocess.c: handles of memory and events for other processes. */
#include "../graphs.h"

SITUATION("cudaIpcGetMemHandle of memory of cudaMalloc; of its interior; of pinned; of memory of a "
          "pool; of NULL; opened in the process that has it; closed though not opened; NULL closed")
{
    cudaIpcMemHandle_t h;
    char *p = device_bytes(4096), *q = pinned_bytes(64);
    void *pooled = async_bytes(64, 0), *opened;
    answer(cudaIpcGetMemHandle(&h, p));
    answer(cudaIpcGetMemHandle(&h, p + 64));
    gives(InvalidValue, cudaIpcGetMemHandle(&h, q));
    gives(InvalidValue, cudaIpcGetMemHandle(&h, pooled));
    gives(InvalidValue, cudaIpcGetMemHandle(&h, NULL));
    MUST(cudaIpcGetMemHandle(&h, p));
    gives(DeviceUninitialized, cudaIpcOpenMemHandle(&opened, h, cudaIpcMemLazyEnablePeerAccess));
    gives(InvalidValue, cudaIpcCloseMemHandle(p));
    gives(InvalidValue, cudaIpcCloseMemHandle(NULL));
}

SITUATION("cudaIpcGetEventHandle of a plain event; of NULL; of an interprocess event; opened in "
          "the process that has it; captured: a record of it; an external record")
{
    cudaIpcEventHandle_t h;
    cudaEvent_t e = new_event(cudaEventInterprocess | cudaEventDisableTiming), f = NULL;
    gives(InvalidResourceHandle, cudaIpcGetEventHandle(&h, new_event(0)));
    gives(InvalidValue, cudaIpcGetEventHandle(&h, NULL));
    answer(cudaIpcGetEventHandle(&h, e));
    gives(DeviceUninitialized, cudaIpcOpenEventHandle(&f, h));
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    gives(StreamCaptureUnsupported, cudaEventRecord(e, s));
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    captured("2 nodes", s);
}

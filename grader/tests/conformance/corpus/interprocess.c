/*
 * interprocess.c: handles of memory and events for other processes.
 */
#include "../graphs.h"

SITUATION(ipc_memory,
          "cudaIpcGetMemHandle of memory of cudaMalloc; of its interior; of pinned; of memory of a "
          "pool; of NULL; opened in the process that has it; closed though not opened; NULL closed",
          "cudaIpcGetMemHandle(q): InvalidValue", "cudaIpcGetMemHandle(pooled): InvalidValue",
          "cudaIpcGetMemHandle(NULL): InvalidValue", "cudaIpcOpenMemHandle: DeviceUninitialized",
          "cudaIpcCloseMemHandle(p): InvalidValue", "cudaIpcCloseMemHandle(NULL): InvalidValue")
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

SITUATION(ipc_events,
          "cudaIpcGetEventHandle of an interprocess event; opened in the process that "
          "has it; captured: a record of it; an external record",
          "cudaIpcOpenEventHandle: DeviceUninitialized",
          "cudaEventRecord: StreamCaptureUnsupported", "captured: 2 nodes")
{
    cudaIpcEventHandle_t h;
    cudaEvent_t e = new_event(cudaEventInterprocess | cudaEventDisableTiming), f = NULL;
    answer(cudaIpcGetEventHandle(&h, e));
    answer(cudaIpcOpenEventHandle(&f, h));
    cudaStream_t s = nonblocking_stream();
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    answer(cudaEventRecord(e, s));
    answer(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
    answer_end(s);
}

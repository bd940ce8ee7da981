/* event_create.c: creating and destroying events, and calls with a NULL or destroyed event. */
#include "../graphs.h"

SITUATION("cudaEventDestroy of an event not yet reached: returns or waits")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(0);
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventDestroy(e));
    call_returns();
}

SITUATION("cudaEventCreateWithFlags 0..7, 8, 4 without 2, NULL out",
          "flags, cudaEventCreateWithFlags: 0 Success; 1 Success; 2 Success; 3 Success; 4 "
          "InvalidValue; 5 InvalidValue; 6 Success; 7 Success; 8 InvalidValue")
{
    cudaEvent_t e;
    for (unsigned f = 0; f < 9; f++)
        answer_fact("flags, cudaEventCreateWithFlags", "%u %s", f,
                    error_text(cudaEventCreateWithFlags(&e, f)));
    gives(InvalidValue, cudaEventCreate(NULL));
    gives(InvalidValue, cudaEventCreateWithFlags(NULL, 0));
}

SITUATION("cudaEventRecord, Query, Synchronize, Destroy and cudaStreamWaitEvent with a NULL event")
{
    cudaStream_t s = new_stream(0);
    gives(InvalidResourceHandle, cudaEventRecord(NULL, s));
    gives(InvalidResourceHandle, cudaEventQuery(NULL));
    gives(InvalidResourceHandle, cudaEventSynchronize(NULL));
    gives(InvalidResourceHandle, cudaStreamWaitEvent(s, NULL, 0));
    gives(InvalidResourceHandle, cudaEventDestroy(NULL));
    gives(InvalidResourceHandle, cudaGetLastError());
}

SITUATION(
    "calls with a destroyed event: record, wait, query, synchronize, elapsed, record node, destroy",
    CRASHES_ON_GPU)
{
    cudaEvent_t e = destroyed_event();
    cudaGraphNode_t n;
    float ms;
    gives(InvalidResourceHandle, cudaEventRecord(e, 0));
    gives(InvalidResourceHandle, cudaStreamWaitEvent(0, e, 0));
    gives(InvalidResourceHandle, cudaEventQuery(e));
    gives(InvalidResourceHandle, cudaEventSynchronize(e));
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, e, e));
    gives(InvalidValue, cudaGraphAddEventRecordNode(&n, new_graph(), NULL, 0, e));
    gives(InvalidResourceHandle, cudaEventDestroy(e));
}

/* event_nodes.c: event record and event wait nodes. */
#include "../graphs.h"

SITUATION("get the event of a record node; of a wait node; set another; get; of a node of the "
          "other kind; NULL result; set NULL; nodes made with NULL")
{
    cudaEvent_t a = new_event(0), b = new_event(0), got = NULL;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t record = add_record(g, NULL, a), wait = add_wait(g, NULL, a);
    answer(cudaGraphEventRecordNodeGetEvent(record, &got));
    shows("same", got == a ? "same" : "differs");
    answer(cudaGraphEventWaitNodeGetEvent(wait, &got));
    shows("same", got == a ? "same" : "differs");
    answer(cudaGraphEventRecordNodeSetEvent(record, b));
    answer(cudaGraphEventWaitNodeSetEvent(wait, b));
    answer(cudaGraphEventRecordNodeGetEvent(record, &got));
    shows("new", got == b ? "new" : "old");
    gives(InvalidValue, cudaGraphEventRecordNodeGetEvent(wait, &got));
    gives(InvalidValue, cudaGraphEventWaitNodeSetEvent(record, b));
    gives(InvalidValue, cudaGraphEventRecordNodeGetEvent(record, NULL));
    gives(InvalidValue, cudaGraphEventRecordNodeSetEvent(record, NULL));
    cudaGraphNode_t n;
    gives(InvalidValue, cudaGraphAddEventRecordNode(&n, g, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddEventWaitNode(&n, g, NULL, 0, NULL));
}

SITUATION("an event destroyed after its record node was made: get it; instantiate; launch",
          CRASHES_ON_GPU)
{
    cudaEvent_t a = new_event(0), got = NULL;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_record(g, NULL, a);
    MUST(cudaEventDestroy(a));
    answer(cudaGraphEventRecordNodeGetEvent(n, &got));
    shows("same", got == a ? "same" : "differs");
    answer_run(new_exec(g));
}

SITUATION("set another event in an exec's record node and wait node; launch; which event happened; "
          "NULL; a node of the other kind")
{
    cudaEvent_t a = new_event(0), b = new_event(0);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t record = add_record(g, NULL, a), wait = add_wait(g, record, b);
    cudaGraphExec_t x = new_exec(g);
    float ms;
    answer(cudaGraphExecEventRecordNodeSetEvent(x, record, b));
    answer(cudaGraphExecEventWaitNodeSetEvent(x, wait, a));
    answer_run(x);
    gives(InvalidResourceHandle, cudaEventElapsedTime(&ms, a, a));
    answer(cudaEventElapsedTime(&ms, b, b));
    gives(InvalidValue, cudaGraphExecEventRecordNodeSetEvent(x, record, NULL));
    gives(InvalidValue, cudaGraphExecEventRecordNodeSetEvent(x, wait, b));
}

SITUATION("one event recorded by two nodes of a graph; recorded and waited for in one graph: run")
{
    cudaEvent_t a = new_event(0);
    cudaGraph_t g = new_graph(), h = new_graph();
    add_record(g, add_record(g, NULL, a), a);
    add_wait(h, add_record(h, NULL, a), a);
    answer_run(new_exec(g));
    answer_run(new_exec(h));
    answer(cudaEventQuery(a));
}

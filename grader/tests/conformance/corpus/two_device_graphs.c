/* two_device_graphs.c: graphs whose nodes belong to several devices. */
#include "../devices.h"
#include "../graphs.h"

ON_TWO_DEVICES(
    "a kernel node added while 0 is current writes device 1's memory, without peer access")
{
    int *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    add_store(g, NULL, q, 4);
    run_gives("Success then IllegalAddress", new_exec(g));
    gives(IllegalAddress, cudaGetLastError());
}

ON_TWO_DEVICES("a memset node of the other device's memory without peer access; with; added while "
               "the other is current; cudaGraphAddNode of a memset and a memcpy of device 1 while "
               "0 is; the parameters that come back")
{
    int *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaMemsetParams m = memset_params(q, 1, SMALL);
    answer(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    enable_peer(0);
    answer(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    MUST(cudaDeviceDisablePeerAccess(1));
    use_device(1);
    answer(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    use_device(0);
    shows("3", "%zu", node_count(g));
    int *p = bytes_on(0, SMALL);
    g = new_graph();
    struct cudaGraphNodeParams c = {.type = cudaGraphNodeTypeMemcpy};
    c.memcpy.copyParams = copy_params(q, p, SMALL, cudaMemcpyDeviceToDevice);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &c));
    struct cudaGraphNodeParams s = {.type = cudaGraphNodeTypeMemset};
    s.memset.dst = q;
    s.memset.elementSize = 1;
    s.memset.width = SMALL;
    s.memset.height = 1;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &s));
    struct cudaMemcpy3DParms back;
    answer(cudaGraphMemcpyNodeGetParams(nth_node(g, 0), &back));
    fact("kind", "3", "%d", (int)back.kind);
    answer_run(new_exec(g));
}

ON_TWO_DEVICES(
    "memcpy nodes from 0 to 1, 1 to 0, within 1, host to 1, added while 0 is current; run")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, PAGE), *h = pinned_bytes(SMALL);
    cudaGraph_t g = new_graph();
    h[0] = 9;
    cudaGraphNode_t n = add_copy(g, NULL, q, h);
    n = add_copy(g, n, q + SMALL, q);
    n = add_copy(g, n, p, q + SMALL);
    n = add_copy(g, n, q + 2 * SMALL, p);
    types_are("memcpy memcpy memcpy memcpy", g);
    answer_run(new_exec(g));
    fact("bytes", "9 9", "%d %d", byte_on(0, p), byte_on(1, q + 2 * SMALL));
}

ON_TWO_DEVICES("a child graph whose kernel is of device 1; cloned; run; a host node between a "
               "kernel of each device: the order")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph(), child = new_graph(), clone = NULL;
    add_store_on(1, child, NULL, q, 5);
    add_child(g, add_store(g, NULL, p, 4), child);
    answer(cudaGraphClone(&clone, g));
    answer_run(new_exec(clone));
    fact("values", "4 5", "%d %d", device_int(p), byte_on(1, q));
    g = new_graph();
    cudaGraphNode_t n = add_store_on(1, g, NULL, q, 5);
    n = add_letter(g, n, 'a');
    n = add_store_on(0, g, n, p, 6);
    add_letter(g, n, 'b');
    answer_run(new_exec(g));
    fact("log", "ab", "%s", host_log());
    fact("values", "6 5", "%d %d", device_int(p), byte_on(1, q));
}

ON_TWO_DEVICES("record and wait nodes of device 1's event in a graph launched in device 0's "
               "stream; is the event recorded")
{
    cudaEvent_t e = event_on(1);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    answer(cudaGraphAddEventRecordNode(&n, g, NULL, 0, e));
    answer(cudaGraphAddEventWaitNode(&n, g, NULL, 0, event_on(1)));
    answer_run(new_exec(g));
    answer(cudaEventQuery(e));
    answer(cudaEventSynchronize(e));
}

ON_TWO_DEVICES("an alloc node of device 1's memory added while 0 is current; device 99; with "
               "access for device 0; run")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n, m;
    struct cudaMemAllocNodeParams a = alloc_params(SMALL);
    struct cudaMemAccessDesc access = {.location = device_location(0),
                                       .flags = cudaMemAccessFlagsProtReadWrite};
    int *p = bytes_on(0, SMALL);
    a.poolProps.location.id = 99;
    gives(InvalidValue, cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    a.poolProps.location.id = 1;
    a.accessDescs = &access;
    a.accessDescCount = 1;
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    m = add_store(g, n, a.dptr, 7);
    m = add_copy(g, m, p, a.dptr);
    answer(cudaGraphAddMemFreeNode(&m, g, &m, 1, a.dptr));
    answer_run(new_exec(g));
    shows("7", "%d", device_int(p));
}

ON_TWO_DEVICES("an alloc node of device 1's memory, written by a kernel of device 0 with peer "
               "access enabled and none given")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n, m;
    struct cudaMemAllocNodeParams a = alloc_params(SMALL);
    a.poolProps.location.id = 1;
    enable_peers();
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    m = add_store(g, n, a.dptr, 7);
    answer(cudaGraphAddMemFreeNode(&m, g, &m, 1, a.dptr));
    run_gives("Success then IllegalAddress", new_exec(g));
}

ON_TWO_DEVICES("graph memory of device 1 after a graph allocated there; trimmed on 0; on 1")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n, m;
    uint64_t used[2] = {9, 9}, reserved = 9;
    struct cudaMemAllocNodeParams a = alloc_params(SMALL);
    a.poolProps.location.id = 1;
    MUST(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    MUST(cudaGraphAddMemFreeNode(&m, g, &n, 1, a.dptr));
    answer_run(new_exec(g));
    answer(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &used[0]));
    answer(cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrReservedMemHigh, &used[1]));
    fact("high", "0 1", "%d %d", used[0] > 0, used[1] > 0);
    answer(cudaDeviceGraphMemTrim(0));
    answer(cudaDeviceGraphMemTrim(1));
    answer(cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrReservedMemCurrent, &reserved));
    fact("reserved", "0", "%d", (int)reserved);
}

ON_TWO_DEVICES("instantiation for device launch of a graph with kernels of both; of device 1 alone "
               "while 0 is current; upload in a stream of 0")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph(), one = new_graph();
    cudaGraphExec_t x = NULL;
    add_store_on(1, g, add_store_on(0, g, NULL, p, 1), q, 2);
    instantiate_with_gives("InvalidValue", "result 4, error node 1, NULL", g,
                           cudaGraphInstantiateFlagDeviceLaunch, NULL);
    add_store_on(1, one, NULL, q, 2);
    instantiate_with_gives("Success", "result 0, error NULL, exec", one,
                           cudaGraphInstantiateFlagDeviceLaunch, NULL);
    MUST(cudaGraphInstantiate(&x, one, cudaGraphInstantiateFlagDeviceLaunch));
    answer(cudaGraphUpload(x, stream_on(0)));
    answer(cudaGraphUpload(x, stream_on(1)));
    answer(cudaDeviceSynchronize());
}

ON_TWO_DEVICES("does a graph over both devices, launched in device 0's stream, wait for device 1's "
               "busy stream; does device 1's later work wait for the graph")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaStream_t s = stream_on(0), other = stream_on(1);
    cudaGraphExec_t x = new_exec(graph_on_both(p, q, 1));
    gate_shut(other);
    answer(cudaGraphLaunch(x, s));
    shows("done", "%s", done_soon(s));
}

ON_TWO_DEVICES("does a graph over both devices, launched in device 0's blocking stream, wait for "
               "device 1's busy legacy stream")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaStream_t s = new_stream(0);
    cudaGraphExec_t x = new_exec(graph_on_both(p, q, 1));
    use_device(1);
    gate_shut(NULL);
    use_device(0);
    answer(cudaGraphLaunch(x, s));
    shows("done", "%s", done_soon(s));
}

ON_TWO_DEVICES("a host node then a kernel of device 1 in a graph launched in device 0's stream: "
               "does cudaDeviceSynchronize of device 1 wait for it")
{
    int *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    add_store_on(1, g, add_gate(g), q, 2);
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = stream_on(0);
    MUST(cudaGraphLaunch(x, s));
    use_device(1);
    answer(cudaDeviceSynchronize());
    call_waits();
    use_device(0);
    answer(cudaStreamSynchronize(s));
}

ON_TWO_DEVICES("a copy-to-symbol node added while 1 is current: which device's variable")
{
    int *h = pinned_bytes(SMALL), back = -1;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    h[0] = 6;
    use_device(1);
    answer(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, situation_numbers(), h, sizeof *h, 0,
                                          cudaMemcpyHostToDevice));
    use_device(0);
    answer_run(new_exec(g));
    answer(
        cudaMemcpyFromSymbol(&back, situation_numbers(), sizeof back, 0, cudaMemcpyDeviceToHost));
    fact("device 0", "0", "%d", back);
    use_device(1);
    answer(
        cudaMemcpyFromSymbol(&back, situation_numbers(), sizeof back, 0, cudaMemcpyDeviceToHost));
    fact("device 1", "6", "%d", back);
}

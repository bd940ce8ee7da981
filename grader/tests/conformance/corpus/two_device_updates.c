/*
 * two_device_updates.c: nodes and executable graphs that are changed to work on another device.
 */
#include "../devices.h"
#include "../graphs.h"

SITUATION_ON(2, graph_memset_set_other,
             "two devices: a memset node of device 0 set to device 1's memory, without peer "
             "access; in an exec; with",
             "cudaGraphExecMemsetNodeSetParams: InvalidValue",
             "cudaGraphExecMemsetNodeSetParams #2: InvalidValue", "bytes: 6 0")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_memset(g, NULL, p, 6);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(q, 1, SMALL);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    enable_peers();
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &m));
    answer_run(x);
    answer_fact("bytes", "%d %d", byte_on(0, p), byte_on(1, q));
}

SITUATION_ON(2, graph_memcpy_set_devices,
             "two devices: in an exec a memcpy node within device 0 is set to 0 to 1; to within 1; "
             "a node from 0 to 1 to within 0; to 1 to 0",
             "cudaGraphExecMemcpyNodeSetParams1D(a, q, p): InvalidValue",
             "cudaGraphExecMemcpyNodeSetParams1D(a, q, q + SMALL): InvalidValue",
             "cudaGraphExecMemcpyNodeSetParams1D(b, p, p + SMALL): InvalidValue",
             "cudaGraphExecMemcpyNodeSetParams1D(b, p, q): InvalidValue")
{
    char *p = bytes_on(0, PAGE), *q = bytes_on(1, PAGE);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_copy(g, NULL, p, p + SMALL), b = add_copy(g, NULL, q, p);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, a, q, p, SMALL, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, a, q, q + SMALL, SMALL, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, b, p, p + SMALL, SMALL, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, b, p, q, SMALL, cudaMemcpyDefault));
    answer(
        cudaGraphExecMemcpyNodeSetParams1D(x, b, q + SMALL, p + SMALL, SMALL, cudaMemcpyDefault));
    answer_run(x);
}

SITUATION_ON(2, graph_memcpy_set_devices_node,
             "two devices: in a graph a memcpy node within device 0 is set to 0 to 1; to within 1",
             "byte: 4", "byte #2: 4")
{
    char *p = bytes_on(0, PAGE), *q = bytes_on(1, PAGE);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_copy(g, NULL, p, p + SMALL);
    MUST(cudaMemset(p, 4, SMALL));
    answer(cudaGraphMemcpyNodeSetParams1D(a, q, p, SMALL, cudaMemcpyDefault));
    answer_run(new_exec(g));
    answer_fact("byte", "%d", byte_on(1, q));
    answer(cudaGraphMemcpyNodeSetParams1D(a, q + SMALL, q, SMALL, cudaMemcpyDefault));
    answer_run(new_exec(g));
    answer_fact("byte", "%d", byte_on(1, q + SMALL));
}

SITUATION_ON(
    2, graph_update_same,
    "two devices: cudaGraphExecUpdate of a graph over both: other values; the devices exchanged",
    "cudaGraphExecUpdate(other): Success 0 NULL NULL", "values: 5 6",
    "cudaGraphExecUpdate(exchanged): GraphExecUpdateFailure 7 node 1 NULL", "values #2: 5 6")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraphExec_t x = new_exec(graph_on_both(p, q, 1));
    cudaGraph_t other = graph_on_both(p, q, 5), exchanged = new_graph();
    add_store_on(0, exchanged, add_store_on(1, exchanged, NULL, q, 7), p, 8);
    answer_update(x, other);
    answer_run(x);
    answer_fact("values", "%d %d", device_int(p), byte_on(1, q));
    answer_update(x, exchanged);
    answer_run(x);
    answer_fact("values", "%d %d", device_int(p), byte_on(1, q));
}

SITUATION_ON(
    2, graph_update_kernel_device,
    "two devices: cudaGraphExecUpdate: the kernel node of device 0 becomes one of device 1",
    "cudaGraphExecUpdate: GraphExecUpdateFailure 7 node 0 NULL", "values: 1 0")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t from = new_graph(), to = new_graph();
    add_store_on(0, from, NULL, p, 1);
    add_store_on(1, to, NULL, q, 2);
    cudaGraphExec_t x = new_exec(from);
    answer_update(x, to);
    answer_run(x);
    answer_fact("values", "%d %d", device_int(p), byte_on(1, q));
}

SITUATION_ON(
    2, graph_update_memset_device,
    "two devices: cudaGraphExecUpdate: the memset node of device 0 becomes one of device 1",
    "cudaGraphExecUpdate: GraphExecUpdateFailure 5 node 0 NULL", "bytes: 1 0")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t from = new_graph(), to = new_graph();
    add_memset(from, NULL, p, 1);
    use_device(1);
    add_memset(to, NULL, q, 2);
    use_device(0);
    cudaGraphExec_t x = new_exec(from);
    answer_update(x, to);
    answer_run(x);
    answer_fact("bytes", "%d %d", byte_on(0, p), byte_on(1, q));
}

SITUATION_ON(2, graph_update_memcpy_device,
             "two devices: cudaGraphExecUpdate: a copy within device 0 becomes one from 0 to 1; "
             "from 0 to 1 becomes 1 to 0",
             "cudaGraphExecUpdate(within, there): GraphExecUpdateFailure 5 node 0 NULL",
             "cudaGraphExecUpdate(there, back): GraphExecUpdateFailure 5 node 0 NULL",
             "cudaGraphExecUpdate(there, within): GraphExecUpdateFailure 5 node 0 NULL")
{
    char *p = bytes_on(0, PAGE), *q = bytes_on(1, PAGE);
    cudaGraph_t within = new_graph(), there = new_graph(), back = new_graph();
    add_copy(within, NULL, p, p + SMALL);
    add_copy(there, NULL, q, p);
    add_copy(back, NULL, p, q);
    answer_update_from(within, there);
    answer_update_from(there, back);
    answer_update_from(there, within);
}

SITUATION_ON(2, graph_kernel_set_params_current,
             "two devices: parameters of device 0's kernel node set while 1 is current: in the "
             "graph, in the exec; where it runs",
             "cudaGraphExecKernelNodeSetParams: InvalidValue", "device_int: 1", "byte: 3")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    use_device(1);
    struct cudaKernelNodeParams k = store_params(p, 9);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    use_device(0);
    answer_run(x);
    answer_text("%d", device_int(p));
    use_device(1);
    struct cudaKernelNodeParams k2 = store_params(q, 3);
    answer(cudaGraphKernelNodeSetParams(n, &k2));
    use_device(0);
    answer_run(new_exec(g));
    answer_fact("byte", "%d", byte_on(1, q));
}

SITUATION_ON(2, graph_memset_set_node_device,
             "two devices: a memset node of device 0 set, while 1 is current, to device 1's "
             "memory: in the graph; run",
             "byte: 1")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_memset(g, NULL, p, 6);
    struct cudaMemsetParams m = memset_params(q, 1, SMALL);
    use_device(1);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    use_device(0);
    answer_run(new_exec(g));
    answer_fact("byte", "%d", byte_on(1, q));
}

SITUATION_ON(2, graph_exec_memset_same_device,
             "two devices: in an exec a memset node of device 1's memory, made by device 0 with "
             "peer access, set to other memory of device 1; of device 0; while 1 is current",
             "cudaGraphExecMemsetNodeSetParams(&own): InvalidValue")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, PAGE);
    cudaGraph_t g = new_graph();
    enable_peers();
    cudaGraphNode_t n = add_memset(g, NULL, q, 6);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams other = memset_params(q + SMALL, 1, SMALL),
                            own = memset_params(p, 1, SMALL);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &other));
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &own));
    use_device(1);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &other));
    use_device(0);
    answer_run(x);
}

SITUATION_ON(2, graph_exec_memcpy_host,
             "two devices: in an exec a memcpy node from host to 0 set to host to 1; 0 to host to "
             "1 to host; within 0 to other memory of 0 while 1 is current",
             "cudaGraphExecMemcpyNodeSetParams1D(a, q, h): InvalidValue",
             "cudaGraphExecMemcpyNodeSetParams1D(b, h, q): InvalidValue")
{
    char *p = bytes_on(0, PAGE), *q = bytes_on(1, PAGE), *h = pinned_bytes(SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_copy(g, NULL, p, h), b = add_copy(g, NULL, h, p),
                    c = add_copy(g, NULL, p, p + SMALL);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, a, q, h, SMALL, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, b, h, q, SMALL, cudaMemcpyDefault));
    use_device(1);
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, c, p + 2 * SMALL, p, SMALL, cudaMemcpyDefault));
}

SITUATION_ON(2, graph_update_current,
             "two devices: cudaGraphExecUpdate of a graph over both while 1 is current; a child "
             "graph of device 1 in place of one of device 0",
             "cudaGraphExecUpdate: Success 0 NULL NULL",
             "cudaGraphExecChildGraphNodeSetParams: GraphExecUpdateFailure")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraphExec_t x = new_exec(graph_on_both(p, q, 1));
    cudaGraph_t to = graph_on_both(p, q, 5), own = new_graph(), other = new_graph(),
                g = new_graph();
    add_store_on(0, own, NULL, p, 1);
    add_store_on(1, other, NULL, q, 1);
    cudaGraphNode_t n = add_child(g, NULL, own);
    cudaGraphExec_t y = new_exec(g);
    use_device(1);
    answer_update(x, to);
    answer(cudaGraphExecChildGraphNodeSetParams(y, n, other));
}

SITUATION_ON(2, graph_kernel_attribute_other,
             "two devices: an attribute of device 0's kernel node set, copied to device 1's node, "
             "while 1 is current",
             "cudaGraphKernelNodeCopyAttributes: InvalidValue")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_store_on(0, g, NULL, p, 1), b = add_store_on(1, g, NULL, q, 2);
    cudaLaunchAttributeValue v = {.priority = -1};
    use_device(1);
    answer(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &v));
    answer(cudaGraphKernelNodeCopyAttributes(b, a));
}

SITUATION_ON(2, graph_exec_kernel_set_own,
             "two devices: in an exec parameters of device 1's kernel node set while 1 is current; "
             "while 0 is",
             "cudaGraphExecKernelNodeSetParams #2: InvalidValue", "byte: 9")
{
    int *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_store_on(1, g, NULL, q, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(q, 9);
    use_device(1);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    use_device(0);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    answer_fact("byte", "%d", byte_on(1, q));
}
